// What comes after a game: once more with the same people, how it went, and the picture to send to others.
import { Component, html } from "../html.js";
import { post, Refused } from "../api.js";
import { learnLater, say, title } from "../words.js";
import { pictureOf } from "./keepsake.js";
import { Button } from "./press.js";

await learnLater();

/** Goes along to the next table of the same people; a phone takes its seat with it. */
async function follow(view) {
  if (view.me.role !== "spectator") await post(`/api/tables/${view.table}/follow`, {});
  location.replace(`/table/${view.next}`);
}

/** Whether this device can hand a picture on; only a secure page may. */
const mayShare = () => Boolean(navigator.canShare?.({ files: [new File([], "digside.png", { type: "image/png" })] }));

async function share(view) {
  const answer = await fetch(pictureOf(view));
  if (!answer.ok) throw new Refused(answer.status, (await answer.json()).error);
  const picture = new File([await answer.blob()], `digside-${view.box}-${view.table}.png`, { type: "image/png" });
  const names = view.seats.map((seat) => seat.name);
  const text = say("evening.end.said", { title: title(view.box), names });
  await navigator.share({ files: [picture], text }).catch(() => {}); // whoever thinks better of it shares nothing
}

/** The ways on from the end of a game. Whoever looks on when the next table is laid is taken along. */
export class Part extends Component {
  state = { busy: false, wrong: null };

  componentDidUpdate({ view }) {
    if (view.next === null && this.props.view.next !== null) this.try(() => follow(this.props.view));
  }

  async try(doing) {
    if (this.state.busy) return;
    this.setState({ busy: true, wrong: null });
    try {
      await doing();
    } catch (error) {
      this.setState({ wrong: error instanceof Refused ? error.message : say("ui.link.unsent") });
    }
    this.setState({ busy: false });
  }

  again = () => {
    const { view } = this.props;
    this.try(async () => {
      const { table } = await post(`/api/tables/${view.table}/rematch`, {});
      await follow({ ...view, next: table });
    });
  };

  render({ view, act }, { busy, wrong }) {
    const { next, mode, table } = view;
    return html`
        ${
          next === null
            ? act.hosts &&
              html`
                <${Button} look="main" class="rematch" can=${!busy} onPress=${this.again}>
                  ${say("evening.end.rematch")}
                <//>
              `
            : html`
              <${Button} look="main" can=${!busy} onPress=${() => this.try(() => follow(view))}>
                ${say("evening.end.next")}
              <//>
            `
        }
        <a class="button quiet" href=${`/replay/${table}`}>
          ${say("evening.end.replay")}
        </a>
        ${
          view.settled &&
          html`
            <a class="button quiet" href=${`/api/tables/${table}/page.html`} download=${`digside-${table}.html`}>
              ${say("evening.end.page")}
            </a>
          `
        }
        ${
          mode === "referee" &&
          mayShare() &&
          html`
            <${Button} look="quiet" can=${!busy} onPress=${() => this.try(() => share(view))}>
              ${say("evening.end.share")}
            <//>
          `
        }
      ${
        wrong &&
        html`
          <p class="refusal" role="alert">
            ${wrong}
          </p>
        `
      }
    `;
  }
}
