// What came up at the table, reported with a touch, which is shown as it was understood before it counts. Where there
// are too many to lay out, a first touch says of which kind.
import { Component, html, classes } from "../html.js";
import { Button } from "./press.js";
import { loadStylesheet } from "../stylesheets.js";

await loadStylesheet("style/report", { beneath: true });

const PLENTY = 12;
const BEFORE_IT_COUNTS = 1400; // milliseconds in which a report can be called back; touched again it counts at once
const SECOND = 700; // but not by the second tap of the finger that reported it

/**
 * @param plugin the box's board module: its `face(view, outcome)` draws an outcome, its `kindOf(view, outcome)` sorts
 * outcomes, its `outcomeSaid(view, outcome)` names one among its sort.
 */
export class Part extends Component {
  state = { touched: null, played: null };

  componentWillUnmount() {
    clearTimeout(this.clock);
  }

  /** What was touched for what is asked now. */
  understood = () => (this.state.played === this.props.view.played ? this.state.touched : null);

  forget = () => {
    clearTimeout(this.clock);
    this.setState({ touched: null });
  };

  count = () => {
    const outcome = this.understood();
    clearTimeout(this.clock);
    if (outcome !== null && this.props.act.canDeal) this.props.act.outcome(outcome);
  };

  touch = (outcome) => {
    if (outcome === this.understood()) return performance.now() - this.since > SECOND ? this.count() : undefined;
    clearTimeout(this.clock);
    this.since = performance.now();
    this.clock = setTimeout(this.count, BEFORE_IT_COUNTS);
    return this.setState({ touched: outcome, played: this.props.view.played });
  };

  render({ view, act, plugin }) {
    const understood = this.understood();
    const outcomes = view.ask.odds.filter(([, weight]) => weight !== 0).map(([outcome]) => outcome);
    const sorted = outcomes.length > PLENTY && plugin?.kindOf;
    const shown = { outcomes, understood, view, act, plugin, onTouch: this.touch };
    return html`
      <${Understood} ...${shown} onNot=${this.forget} />
      ${sorted ? html`<${Sorted} ...${shown} />` : html`<${Outcomes} ...${shown} />`}
    `;
  }
}

/** What was understood, for as long as it can be called back; before a touch, what is to be touched. */
function Understood({ understood, view, act, plugin, onNot }) {
  const text = understood === null ? null : saidOf(view, act, plugin, understood);
  return html`
    <div class="understood" role="status">
      ${
        text === null
          ? html`<p class="ask-line">${act.say("ui.ask.report")}</p>`
          : html`
            <p><i aria-hidden="true"></i>${act.say("ui.report.understood", { what: text })}</p>
            <${Button} look="quiet" onPress=${onNot}>${act.say("ui.report.not_so")}<//>
          `
      }
    </div>
  `;
}

const saidOf = (view, act, plugin, outcome) => plugin?.outcomeSaid?.(view, outcome) ?? act.outcomeSaid(outcome);

const Outcomes = ({ outcomes, understood, view, act, plugin, onTouch }) => html`
  <div class=${classes("outcomes", outcomes.length > 8 && !plugin?.kindOf && "many")}>
    ${outcomes.map(
      (outcome) => html`
        <${Button}
          key=${outcome}
          look="outcome"
          can=${act.canDeal}
          pressed=${outcome === understood}
          label=${saidOf(view, act, plugin, outcome)}
          onPress=${() => onTouch(outcome)}
        >
          ${plugin?.face?.(view, outcome)}
          <span>${saidOf(view, act, plugin, outcome)}</span>
        <//>
      `,
    )}
  </div>
`;

function Sorted({ outcomes, view, act, plugin, ...rest }) {
  const kinds = [...new Set(outcomes.map((outcome) => plugin.kindOf(view, outcome)))];
  const chosen = act.chosen("sort");
  const choose = (kind) => act.hold("sort", kind === chosen ? null : kind);
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
            outcomes=${outcomes.filter((outcome) => plugin.kindOf(view, outcome) === chosen)}
            view=${view}
            act=${act}
            plugin=${plugin}
            ...${rest}
          />
        `
        : html`<p class="hint">${act.say("ui.report.first")}</p>`
    }
  `;
}
