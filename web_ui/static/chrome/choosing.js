// What boards share where something is chosen: why it cannot be done, the rule behind it, and who plays after it.
import { Component, html } from "../html.js";
import { SeatSign } from "../pieces/marker.js";

/** Why a choice cannot be made, as a sentence; null where it can. */
export const whyNot = (answer, act) => (answer?.refusal ? act.say(answer.refusal.key, answer.refusal.facts) : null);

/** The id of a rule; a touch opens the rules there. One that is not told in them is only read. */
export class Rule extends Component {
  state = { known: false };

  componentDidMount() {
    this.look();
  }

  componentDidUpdate({ id }) {
    if (id !== this.props.id) this.look();
  }

  look() {
    const { id, act } = this.props;
    const has = ({ rules }) => rules.some((rule) => rule.id === id);
    act.rulebook().then(
      (headings) => id === this.props.id && this.setState({ known: headings.some(has) }),
      () => {}, // a service that cannot be reached tells no rule
    );
  }

  render({ id, act }, { known }) {
    if (!known) return html`<span class="rule-id">${id}</span>`;
    return html`
      <button
        type="button"
        class="rule-id"
        aria-label=${act.say("ui.rules.open", { rule: id })}
        onClick=${() => act.showRule(id)}
      >
        ${id}
      </button>
    `;
  }
}

/**
 * Why a choice cannot be made, with the rule that forbids it; nothing where it can.
 * @param on it stands on a button, where nothing else can be touched: the rule's id is only read.
 */
export function Why({ answer, act, on }) {
  const rule = answer?.refusal?.rule;
  const id = on ? html`<small>${rule}</small>` : html`<${Rule} id=${rule} act=${act} />`;
  return answer?.refusal ? html`${whyNot(answer, act)}${rule && html` ${id}`}` : null;
}

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

/** The seat that would be furthest back after what may be done: what a rival gets; nobody's where the game is over. */
export function nextAfter(view, answer) {
  const land = answer?.legal ? landing(view.ask.options, answer.total) : null;
  return land && !land.over ? view.seats[land.next] : null;
}

/** The sign of the seat that would play then; nothing where nobody would. */
export const NextSign = ({ view, answer, size = 18 }) => {
  const next = nextAfter(view, answer);
  return next && html`<${SeatSign} seat=${next} size=${size} />`;
};
