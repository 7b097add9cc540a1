// The end. One that hangs on a report is confirmed or put right first; then it fills the screen: the points come in
// part by part, by a press or by themselves, and last of all who has won.
// Each screen counts at its own pace. A press takes the next part; where nothing may move, all stands at once.
import { Component, classes, html } from "../html.js";
import { isAnimated } from "../preferences.js";
import { sound } from "../sound.js";
import { loadStylesheet } from "../stylesheets.js";
import { reportSaid, whoSaid } from "../spectating.js";
import { learnLater, number, say } from "../words.js";
import { Button, Twice } from "./press.js";
import { SeatSign } from "../pieces/marker.js";
import { Laurel } from "../pieces/laurel.js";

await Promise.all([learnLater(), loadStylesheet("style/final_count")]);

const PART = 1500; // milliseconds from one part to the next, where nobody presses
const WINNER = 2200; // and from the last to the winner
const DEAD = 400; // so long it takes no press: it was meant for what lay there before

const all = (scores, part) => scores.map((score) => score.parts[part] ?? 0);

/** The parts that brought somebody something, in the order of the sheet. */
const partsOf = ({ scores }) =>
  Object.keys(scores[0]?.parts ?? {}).filter((part) => all(scores, part).some((points) => points !== 0));

/** Whether there is anything to count. */
const isCounted = ({ ask, settled }) => settled && partsOf(ask).length > 0;

const summed = (score, parts) => parts.reduce((sum, part) => sum + (score.parts[part] ?? 0), 0);

function Column({ seat, score, parts, most, won, done, act }) {
  const sum = done ? score.total : summed(score, parts);
  const newest = parts.at(-1);
  return html`
    <li class=${classes("final-count-seat", done && (won ? "won" : "lost"))} style=${{ "--seat": seat.colour }}>
      <div class="final-count-who">
        <${SeatSign} seat=${seat} size=${40} />
        <b>${seat.name}</b>
      </div>
      <div class="final-count-room" style=${{ "--share": Math.max(0, sum) / most }}>
        ${done && won && html`<${Laurel} />`}
        <span class="final-count-sum">${number(sum)}</span>
        <i class="final-count-bar"></i>
      </div>
      <ul class="final-count-parts">
        ${parts.map(
          (part) => html`
            <li key=${part} class=${classes(!done && part === newest && "newest")}>
              ${act.partSaid(part)}${" "}<b>${number(score.parts[part] ?? 0)}</b>
            </li>
          `,
        )}
      </ul>
    </li>
  `;
}

/** Who has won; a board may say it better than with the names alone. */
function wonSaid(view, act, plugin) {
  const names = view.ask.winners.map((seat) => view.seats[seat].name);
  return (
    plugin.won?.(view, act) ??
    (names.length ? act.say("ui.over.won", { n: names.length, names }) : say("evening.all.nobody"))
  );
}

/** What was reported, as it was to be touched: a picture where the board has one, and its words; of many no words. */
function Reported({ report, many, view, plugin }) {
  const { outcome, of } = report;
  const asked = { ...view, ask: report };
  const face = outcome === null || of === "seats" ? null : plugin.face?.(asked, outcome);
  return html`
    <li>
      ${face && html`<span class="hinge-face" aria-hidden="true">${face}</span>`}
      ${of === "seats" && outcome !== null && html`<${SeatSign} seat=${view.seats[outcome]} size=${34} />`}
      <b class=${classes(many && face && "unseen")}>${reportSaid(view, plugin, report)}</b>
    </li>
  `;
}

/** On what the end hangs, the points if it is right, and the two ways from there. */
export function Hinge({ view, act, plugin }) {
  const { reports, confirm } = view.hinge;
  const { open, to, why } = view.undo;
  const wait = act.role === "seat" && !confirm ? "own" : "wait";
  const back = () => act.undo(to);
  return html`
    <div class="hinge">
      <p class="hinge-lead">${say("evening.hinge.lead", { who: whoSaid(view) })}</p>
      <ul class="hinge-said">
        ${reports.map(
          (report) => html`
            <${Reported} key=${report.seq} report=${report} many=${reports.length > 2} view=${view} plugin=${plugin} />
          `,
        )}
      </ul>
      ${!confirm && html`<p class="hint">${say(`evening.hinge.${wait}`)}</p>`}
      <div class="hinge-ways">
        ${
          confirm &&
          html`
            <${Button} look="main" can=${act.ready} onPress=${act.settle}>${say("evening.hinge.right")}<//>
          `
        }
        ${
          open &&
          (why
            ? html`
              <${Twice} look="quiet" can=${act.ready} sure=${say("ui.undo.sure")} onPress=${back}>
                ${say("evening.hinge.wrong")}
              <//>
            `
            : html`<${Button} look="quiet" can=${act.ready} onPress=${back}>${say("evening.hinge.wrong")}<//>`)
        }
      </div>
      <p>${say("evening.hinge.points")}</p>
      <ul class="hinge-points">
        ${view.ask.scores.map(
          ({ seat, total }) => html`
            <li key=${seat}>
              <${SeatSign} seat=${view.seats[seat]} size=${26} /> ${view.seats[seat].name}${" "}<b>${number(total)}</b>
            </li>
          `,
        )}
      </ul>
    </div>
  `;
}

/** @param waits whether something else fills the screen first. */
export class Part extends Component {
  state = { shown: null }; // how many parts stand; null while the table is seen

  covered = false;

  componentDidMount() {
    this.settled = this.props.view.settled; // an end before this page came is told already
    addEventListener("keydown", this.key);
  }

  componentDidUpdate() {
    const { view } = this.props;
    this.cover(this.state.shown !== null);
    const settled = view.settled && !this.props.waits;
    if (settled !== this.settled) {
      this.settled = settled;
      if (isCounted(view)) this.begin();
      else this.close();
    }
  }

  componentWillUnmount() {
    removeEventListener("keydown", this.key);
    clearTimeout(this.clock);
    this.cover(false);
  }

  /** What lies beneath takes neither a press nor the focus; STOP, beside the board, still does. */
  cover = (covered) => {
    const board = document.getElementById("board");
    if (board && covered !== this.covered) board.inert = covered; // else it is not this that covers it
    this.covered = covered;
  };

  parts = () => partsOf(this.props.view.ask);

  begin() {
    this.begun = performance.now();
    if (isAnimated()) this.show(0);
    else this.setState({ shown: this.parts().length + 1 }, () => this.button?.focus());
  }

  close = () => {
    clearTimeout(this.clock);
    this.setState({ shown: null });
  };

  key = (event) => {
    if (event.key === "Escape" && this.state.shown !== null) this.close();
  };

  /** So many parts, and by itself the next in a while; one more than all is the winner. */
  show(shown) {
    const all = this.parts().length;
    clearTimeout(this.clock);
    if (shown > 0) sound(shown > all ? "turn" : "coin");
    this.setState({ shown }, () => shown === 0 && this.button?.focus());
    if (shown <= all) this.clock = setTimeout(() => this.show(shown + 1), shown < all ? PART : WINNER);
  }

  next = () => {
    if (performance.now() - this.begun < DEAD) return;
    const { shown } = this.state;
    if (shown > this.parts().length) this.close();
    else this.show(shown + 1);
  };

  render({ view, act, plugin }, { shown }) {
    if (shown === null || !isCounted(view)) return null;
    const { scores, winners } = view.ask;
    const parts = this.parts();
    const stand = parts.slice(0, shown);
    const done = shown > parts.length;
    const most = Math.max(1, ...scores.flatMap((each) => parts.map((_, i) => summed(each, parts.slice(0, i + 1)))));
    return html`
      <section
        class=${classes("final-count", done && "done")}
        aria-label=${say("evening.feast.label")}
        onClick=${this.next}
      >
        <h2 aria-live="polite">
          ${done ? wonSaid(view, act, plugin) : shown === 0 ? say("evening.feast.label") : act.partSaid(stand.at(-1))}
        </h2>
        <ol class="final-count-seats">
          ${scores.map(
            (score) => html`
              <${Column}
                key=${score.seat}
                seat=${view.seats[score.seat]}
                score=${score}
                parts=${stand}
                most=${most}
                won=${winners.includes(score.seat)}
                done=${done}
                act=${act}
              />
            `,
          )}
        </ol>
        <div class="final-count-on">
          <button
            type="button"
            class="button main"
            ref=${(button) => {
              this.button = button;
            }}
          >
            ${done ? say("evening.dig.table") : say("evening.tour.next")}
          </button>
        </div>
      </section>
    `;
  }
}
