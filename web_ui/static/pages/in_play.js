// What is in play on this service: go on with it, take a seat by its short code, or look on.
import { Component, html } from "../html.js";
import { post } from "../api.js";
import { say } from "../words.js";
import { Line, Refusal } from "../chrome/frame.js";
import { Button } from "../chrome/press.js";
import { TableRow } from "../chrome/table_row.js";

const AT_ONCE = 3;
const ROLES = ["host", "seat", undefined];

/** Those first at which this screen plays, and of these the newest. */
export const inPlay = (tables) =>
  tables
    .filter((table) => !table.over)
    .sort((a, b) => ROLES.indexOf(a.me?.role) - ROLES.indexOf(b.me?.role) || b.played_at - a.played_at);

/** The one thing to do with a table from here. */
const Way = ({ table: { table, seats, me } }) => html`
  <a class=${`button ${me ? "main" : ""}`} href=${`/table/${table}`}>
    ${
      me?.role === "seat"
        ? say("ui.start.join_as", { name: seats[me.seat].name })
        : say(me ? "ui.past.resume" : "ui.join.look")
    }
  </a>
`;

/** A short code, typed from another screen. */
class Code extends Component {
  state = { typed: "", busy: false, error: null };

  enter = async (event) => {
    event.preventDefault();
    if (this.state.busy || !this.state.typed.trim()) return;
    this.setState({ busy: true, error: null });
    try {
      const { table, me } = await post("/api/join", { code: this.state.typed });
      const seated = me.role !== "spectator";
      location.assign(seated ? `/table/${table}` : `/join/${table}#room=${encodeURIComponent(this.state.typed)}`);
    } catch (error) {
      this.setState({ busy: false, error });
    }
  };

  render(_, { typed, error }) {
    return html`
      <form class="card code-form" onSubmit=${this.enter}>
        <${Line}
          id="code"
          label=${say("ui.start.code")}
          maxlength="12"
          autocapitalize="characters"
          spellcheck=${false}
          aria-describedby="code-how"
          value=${typed}
          onInput=${(event) => this.setState({ typed: event.target.value })}
        />
        <button type="submit" class="button">
          ${say("ui.start.take_seat")}
        </button>
        <p id="code-how" class="caption">
          ${say("ui.start.code_how")}
        </p>
        <${Refusal} error=${error} />
      </form>
    `;
  }
}

export class InPlay extends Component {
  all = () => this.setState({ all: true });

  render({ tables }, { all }) {
    const known = tables.some(({ me }) => me); // a screen that plays nowhere has come for a seat
    return html`
      <section class="in-play" aria-label=${say("ui.start.in_play")}>
        ${!known && html`<${Code} />`}
        <ul class="tables">
          ${tables.slice(0, all ? tables.length : AT_ONCE).map(
            (table) => html`
              <${TableRow} key=${table.table} table=${table}>
                <${Way} table=${table} />
              <//>
            `,
          )}
        </ul>
        ${
          !all &&
          tables.length > AT_ONCE &&
          html`
            <${Button} look="quiet" onPress=${this.all}>
              ${say("ui.start.all_in_play", { n: tables.length - AT_ONCE })}
            <//>
          `
        }
        ${known && html`<${Code} />`}
      </section>
    `;
  }
}
