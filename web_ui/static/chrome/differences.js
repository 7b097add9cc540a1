// The table is right: what may be reported though the box's figures rule it out, and what has been found otherwise,
// which the owner's device has noted for the next table with one touch.
import { Component, html } from "../html.js";
import { get, post, Refused } from "../api.js";
import { loadStylesheet } from "../stylesheets.js";
import { learnLater, name, say, factText } from "../words.js";
import { Button } from "./press.js";
import { Part as Report } from "./report.js";

await Promise.all([
  learnLater(),
  loadStylesheet("style/differences"),
  loadStylesheet("style/report", { beneath: true }),
]);

const ANOTHER = "another_kind";

/** Folded below what is likely: one touch more, for what is not. */
function Besides({ view, act, plugin }) {
  const { besides } = view.ask;
  const textOf = (outcome) =>
    (outcome === ANOTHER ? null : plugin?.outcomeSaid?.(view, outcome)) ?? act.outcomeSaid(outcome);
  return html`
    <details class="besides">
      <summary>${say("evening.otherwise.besides")}</summary>
      <div class="outcomes">
        ${besides.map(
          (outcome) => html`
            <${Button}
              key=${outcome}
              look="outcome"
              can=${act.canDeal}
              label=${textOf(outcome)}
              onPress=${() => act.outcome(outcome)}
            >
              ${outcome !== ANOTHER && plugin?.face?.(view, outcome)}
              <span>${textOf(outcome)}</span>
            <//>
          `,
        )}
      </div>
    </details>
  `;
}

/** What is printed on a card of a kind that the box does not have: it is asked part by part. */
const OnCard = ({ view, act }) => html`
  <p class="ask-line">${say(`evening.printed.${view.ask.facts.field}`)}</p>
  <${Report} view=${view} act=${act} />
`;

/** A difference as a sentence of the box; what not everybody may know yet is not told. */
function saidOf(line) {
  if (line.what === null) return say("evening.otherwise.hidden");
  if (Array.isArray(line.what)) return say("evening.otherwise.figure", { ...line, what: factText(line.what) });
  return say(`log.${line.type}`, { ...line, what: name(line.what) });
}

const FEW = 3; // more than these would push the table away

/** What has been found otherwise; much of it is folded away. */
function Found({ lines }) {
  const list = html`<ul>${lines.map((line, i) => html`<li key=${i}>${saidOf(line)}</li>`)}</ul>`;
  const title = say("evening.otherwise.title");
  if (lines.length <= FEW) return html`<p>${title}</p>${list}`;
  return html`<details><summary>${title} (${lines.length})</summary>${list}</details>`;
}

class Noting extends Component {
  state = { noted: false, wrong: null, busy: false, owner: false };

  componentDidMount() {
    this.look();
    get("/api/owner").then(
      ({ owner }) => this.setState({ owner }),
      () => {},
    );
  }

  componentDidUpdate({ lines }) {
    if (JSON.stringify(lines) !== JSON.stringify(this.props.lines)) this.look();
  }

  async ask(asking) {
    this.setState({ busy: true, wrong: null });
    try {
      const { noted } = await asking(`/api/tables/${this.props.view.table}/otherwise`);
      this.setState({ noted });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.setState({ wrong: error.message });
    } finally {
      this.setState({ busy: false });
    }
  }

  look = () => this.ask(get);
  note = () => this.ask((path) => post(path, {}));

  render({ lines }, { noted, wrong, busy, owner }) {
    const known = lines.some((line) => line.what !== null);
    return html`
      <section class="differences" role="status">
        <${Found} lines=${lines} />
        ${
          noted
            ? known && html`<p>${say("evening.otherwise.noted")}</p>`
            : known &&
              (
                owner
                  ? html`<${Button} can=${!busy} onPress=${this.note}>${say("evening.otherwise.note")}<//>`
                  : html`<p>${say("evening.otherwise.tell")}</p>`
              )
        }
        ${wrong && html`<p class="refused" role="alert">${wrong}</p>`}
      </section>
    `;
  }
}

/** @param lines what has been found otherwise; without them, what else may be reported, or is asked of a card. */
export function Part({ lines, ...rest }) {
  if (lines) return html`<${Noting} lines=${lines} ...${rest} />`;
  return rest.view.ask.facts.field ? html`<${OnCard} ...${rest} />` : html`<${Besides} ...${rest} />`;
}
