// What came up at the table, reported with a touch. Where there are too many to lay out, a first touch says of which
// kind.
import { html, classes } from "../html.js";
import { Button } from "./press.js";

const PLENTY = 12;

/**
 * @param plug the box's board: its `face(view, outcome)` draws an outcome, its `kindOf(view, outcome)` says in one word
 * what sort it is of, its `outcomeSaid(view, outcome)` says what it is among its sort.
 */
export function Report({ view, act, plug }) {
  const outcomes = view.ask.odds.filter(([, weight]) => weight !== 0).map(([outcome]) => outcome);
  const sorted = outcomes.length > PLENTY && plug?.kindOf;
  return html`
    <p class="ask-line">${act.say("ui.ask.report")}</p>
    ${
      sorted
        ? html`<${Sorted} outcomes=${outcomes} view=${view} act=${act} plug=${plug} />`
        : html`<${Outcomes} outcomes=${outcomes} view=${view} act=${act} plug=${plug} />`
    }
  `;
}

const saidOf = (view, act, plug, outcome) => plug?.outcomeSaid?.(view, outcome) ?? act.outcomeSaid(outcome);

const Outcomes = ({ outcomes, view, act, plug }) => html`
  <div class=${classes("outcomes", outcomes.length > 8 && !plug?.kindOf && "many")}>
    ${outcomes.map(
      (outcome) => html`
        <${Button}
          key=${outcome}
          look="outcome"
          can=${act.canDeal}
          label=${saidOf(view, act, plug, outcome)}
          onPress=${() => act.outcome(outcome)}
        >
          ${plug?.face?.(view, outcome)}
          <span>${saidOf(view, act, plug, outcome)}</span>
        <//>
      `,
    )}
  </div>
`;

function Sorted({ outcomes, view, act, plug }) {
  const kinds = [...new Set(outcomes.map((outcome) => plug.kindOf(view, outcome)))];
  const { kind: chosen } = act.get("sort", {}).seq === view.seq ? act.get("sort") : {};
  const choose = (kind) => act.set({ sort: { seq: view.seq, kind: kind === chosen ? null : kind } });
  return html`
    <div class="sorts" role="group" aria-label=${act.say("ui.report.sorts")}>
      ${kinds.map(
        (kind) => html`
          <${Button} key=${kind} look="segment" pressed=${kind === chosen} onPress=${() => choose(kind)}>
            ${act.name(kind)}
          <//>
        `,
      )}
    </div>
    ${
      kinds.includes(chosen)
        ? html`
          <${Outcomes}
            outcomes=${outcomes.filter((outcome) => plug.kindOf(view, outcome) === chosen)}
            view=${view}
            act=${act}
            plug=${plug}
          />
        `
        : html`<p class="hint">${act.say("ui.report.first")}</p>`
    }
  `;
}
