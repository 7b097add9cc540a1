// What can be done now: each kind of move with its cost, and for the others what would have to be so.
import { Component, html, classes } from "../html.js";
import { get } from "../api.js";
import { Hold } from "./press.js";
import { Rule } from "./choosing.js";

/** The names of whoever is asked, where this screen is not. */
const waitsFor = ({ ask, seats }) =>
  (ask.seats ?? (ask.seat === null ? [] : [ask.seat])).map((seat) => seats[seat]?.name);

const costSaid = (cost, act) =>
  cost.length > 1 ? act.say("evening.teach.cost_range", { least: cost[0], most: cost.at(-1) }) : cost[0];

const Barred = ({ message, rule, act }) => html`
  <li>${message}${rule && html` <${Rule} id=${rule} act=${act} />`}</li>
`;

function Deed({ deed, act }) {
  const { title, ways, cost, barred } = deed;
  return html`
    <li class=${classes(ways === 0 && "cannot")}>
      <b>${title}</b>
      ${cost.length > 0 && html`<span class="cost">${costSaid(cost, act)}</span>`}
      ${ways === 0 && barred.length === 0 && html`<span> ${act.say("evening.teach.nothing_for_it")}</span>`}
      ${ways > 0 && barred.length > 0 && html`<div class="hint">${act.say("evening.teach.besides")}</div>`}
      ${barred.length > 0 && html`<ul>${barred.map((each) => html`<${Barred} ...${each} act=${act} />`)}</ul>`}
    </li>
  `;
}

export class Possible extends Component {
  state = { deeds: null, seat: null };

  componentDidMount() {
    this.look();
  }

  componentDidUpdate({ view }) {
    if (view.seq !== this.props.view.seq) this.look();
  }

  /** With the host's key also through the eyes of whoever holds the tablet. */
  look = (seat = null) => {
    const { view } = this.props;
    get(`/api/tables/${view.table}/possible${seat === null ? "" : `?seat=${seat}`}`).then(
      ({ deeds }) => this.setState({ deeds, seat }),
      () => this.setState({ deeds: null }),
    );
  };

  render({ view, act }, { deeds, seat }) {
    const names = waitsFor(view);
    const asked = view.ask.kind === "move" ? (view.ask.seats ?? []) : [];
    const mine = act.role !== "seat" || asked.includes(act.seat);
    const handed = act.role === "host" && seat === null && asked.length === 1 && deeds?.some(inHand);
    return html`
      <details class="legend" open=${view.mode === "referee"}>
        <summary>
          ${
            act.role === "seat" || asked.length !== 1
              ? act.say("evening.teach.possible")
              : act.say("evening.teach.possible_for", { name: names[0] })
          }
        </summary>
        ${!mine && html`<p class="hint">${act.say("evening.teach.not_yours", { names: waiting(names, act) })}</p>`}
        ${mine && deeds?.length === 0 && html`<p class="hint">${act.say("evening.teach.nobody")}</p>`}
        ${
          deeds?.length > 0 &&
          html`
            <ul class="possible">
              ${deeds.map((deed) => html`<${Deed} key=${deed.type} deed=${deed} act=${act} />`)}
            </ul>
          `
        }
        ${
          handed &&
          html`
            <${Hold} look="quiet" onOpen=${() => this.look(asked[0])}>
              ${act.say("evening.teach.hand", { name: names[0] })}
            <//>
          `
        }
      </details>
    `;
  }
}

const waiting = (names, act) => (names.length > 0 ? act.say("ui.table.waiting_for", { names }) : "");

/** Whether a screen for all cannot tell: it depends on a hand. */
const inHand = ({ ways, more }) => ways === 0 && more;
