// What boards share where something is chosen: why it cannot be done, the rule behind it, and who plays after it.
import { html } from "../html.js";
import { SeatSign } from "../pieces/marker.js";

/** Why a choice cannot be made, as a sentence; null where it can. */
export const whyNot = (answer, act) => (answer?.refusal ? act.say(answer.refusal.key, answer.refusal.facts) : null);

/** The id of a rule; a touch opens the rules there. */
export const Rule = ({ id, act }) => html`
  <button type="button" class="rule-id" aria-label=${act.say("ui.rules.open", { rule: id })}
      onClick=${() => act.showRule(id)}>${id}</button>
`;

/** What was refused last, with the rule that forbids it. */
export const Refused = ({ act, class: more = "" }) =>
  act.refusal &&
  html`
    <p class=${`refusal ${more}`} role="alert">
      ${act.refusal.message}${act.refusal.rule && html` <${Rule} id=${act.refusal.rule} act=${act} />`}
    </p>
  `;

/** Where a marker would land after so many weeks, as the aids tell it; undefined if they do not fit. */
export const landing = (options, weeks) => options?.lands?.[String(weeks)];

/** The seat that would be furthest back after so many weeks: what a rival gets. */
export function nextAfter(view, weeks) {
  const land = landing(view.ask.options, weeks);
  return land && view.seats[land.next];
}

/** The sign of the seat that plays after so many weeks. */
export const NextSign = ({ view, weeks, size = 18 }) => {
  const next = nextAfter(view, weeks);
  return next && html`<${SeatSign} seat=${next} size=${size} />`;
};
