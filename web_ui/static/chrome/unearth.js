// A dig fills the screen: the bag lies there; a press takes out a token, which turns as it comes; a hold takes all.
// Each screen shows it at its own player's pace, and by itself where somebody else digs. It is theatre alone: what came
// up is on the table already, or is dealt by the same press as ever.
import { Component, html, upTo, classes } from "../html.js";
import { sound } from "../sound.js";
import { wear } from "../sheets.js";
import { learnLater, say } from "../words.js";
import { Bag } from "../pieces/bags.js";
import { Token, worthOf } from "../pieces/tokens.js";

await Promise.all([learnLater(), wear("style/unearth")]);

const HELD = 450; // milliseconds after which a press is a hold
const ALL = 170; // between one token and the next while it is held
const BY_ITSELF = 1000; // and where somebody else digs
const SEEN = 2600; // so long the whole find stays, unless somebody presses

/** Which of these tokens is the best find; null where none is one. */
function bestOf(tokens) {
  const best = Math.max(...tokens.map(worthOf));
  return best > 0 ? tokens.findIndex((token) => worthOf(token) === best) : null;
}

function Held({ dug, shown, colours, act }) {
  const token = dug.drawn[shown - 1];
  const done = shown === dug.of;
  const best = done ? bestOf(dug.drawn) : null;
  const at = best ?? shown - 1;
  const sand = worthOf(dug.drawn[at]) < 0;
  return html`
    <div
      key=${`${shown}:${at}`}
      class=${classes("held-up", sand ? "rubble" : "a-find", best !== null && dug.of > 1 && "the-best")}
    >
      ${!sand && html`<i class="rays" aria-hidden="true"></i>`}
      <${Token} token=${dug.drawn[at]} bag=${dug.bag} colours=${colours} label="" />
      <p>
        ${best !== null && dug.of > 1 && html`<small>${say("evening.dig.best")}</small>`}
        <b>${act.name((dug.said ?? dug.drawn)[at] ?? token)}</b>
      </p>
    </div>
  `;
}

/**
 * @param dug the newest dig: `{id, bag, seat, of, drawn, running}`, or null; with `bags` where the board has none, and
 *   `said` where what is drawn has other names than its tokens.
 */
export class Part extends Component {
  state = { open: null, shown: 0 };

  componentDidMount() {
    const { dug, before } = this.props;
    this.seen = dug && !dug.running && dug.id === before ? before : null; // what was dug before this page came is told
    this.follow();
    addEventListener("keydown", this.key);
  }

  componentDidUpdate() {
    this.follow();
  }

  componentWillUnmount() {
    removeEventListener("keydown", this.key);
    this.rest();
  }

  key = (event) => {
    if (event.key === "Escape" && this.state.open !== null) this.close();
  };

  /** A dig that is new opens; one that is gone, taken back or seen closes. */
  follow() {
    const { dug } = this.props;
    const { open, shown } = this.state;
    if (dug === null) return open !== null && this.close();
    if (open === null) return dug.id !== this.seen && this.begin();
    if (open !== dug.id) return this.begin();
    if (shown > dug.drawn.length) return this.setState({ shown: dug.drawn.length });
    if (this.dealt && dug.drawn.length > shown) return this.show(dug.drawn.length);
    if (!this.mine() && this.clock === undefined) this.clock = setInterval(this.byItself, BY_ITSELF);
    return undefined;
  }

  mine = () => this.props.act.mine(this.props.dug.seat);

  begin() {
    const { dug } = this.props;
    this.rest();
    this.dealt = false;
    this.seen = dug.id;
    this.setState({ open: dug.id, shown: dug.running ? dug.drawn.length : 0 }, () => this.mine() && this.bag?.focus());
  }

  close = () => {
    this.rest();
    this.setState({ open: null, shown: 0 });
  };

  rest() {
    clearInterval(this.clock);
    clearTimeout(this.fading);
    clearTimeout(this.holding);
    this.clock = undefined;
  }

  byItself = () => {
    const { dug } = this.props;
    if (dug && this.state.shown < dug.drawn.length) this.show(this.state.shown + 1);
  };

  show(shown) {
    const { dug } = this.props;
    const sand = worthOf(dug.drawn[shown - 1]) < 0;
    if (sand || !this.dealt) sound(sand ? "rubble" : "token"); // a press that deals is heard already
    this.dealt = false;
    this.setState({ shown });
    if (shown === dug.of) this.fading = setTimeout(this.close, SEEN);
  }

  /** What a press does: the next token, if need be dealt first; after the last one the table again. */
  next = () => {
    const { dug, act } = this.props;
    const { shown } = this.state;
    if (shown < dug.drawn.length) return this.show(shown + 1);
    if (shown === dug.of) return this.close();
    if (!act.canDeal) return undefined;
    this.dealt = true;
    return act.outcome(null);
  };

  press = () => {
    this.held = false;
    this.holding = setTimeout(() => {
      this.held = true;
      clearInterval(this.clock);
      this.clock = setInterval(() => this.state.shown < this.props.dug?.of && this.next(), ALL);
    }, HELD);
  };

  release = () => {
    clearTimeout(this.holding);
    if (this.held) clearInterval(this.clock);
  };

  click = () => {
    if (this.held) this.held = false;
    else this.next();
  };

  render({ view, act, dug }, { open, shown }) {
    if (open === null || dug === null || dug.id !== open) return null;
    const bags = dug.bags ?? view.board.bags;
    const bag = bags.find((each) => each.bag === dug.bag);
    const colours = Object.fromEntries(bags.map((each) => [each.bag, each.colour]));
    const who = view.seats[dug.seat]?.name ?? "";
    const last = Math.min(shown, dug.drawn.length);
    return html`
      <section class="unearth" aria-label=${say("evening.dig.label", { who, site: dug.bag })}>
        <h2>${say("evening.dig.label", { who, site: dug.bag })}</h2>
        <div class="unearth-middle" role="status">
          ${last > 0 && html`<${Held} dug=${dug} shown=${last} colours=${colours} act=${act} />`}
        </div>
        <button
          type="button"
          class="unearth-bag"
          ref=${(bagButton) => {
            this.bag = bagButton;
          }}
          onPointerDown=${this.press}
          onPointerUp=${this.release}
          onPointerCancel=${this.release}
          onClick=${this.click}
        >
          <${Bag} bag=${bag} open=${last < dug.of} />
          <span class="unseen">${say("evening.dig.next")}. </span>
          <small>${say("evening.dig.how")}</small>
        </button>
        <ol class="unearthed">
          ${upTo(dug.of).map(
            (i) => html`
              <li key=${i}>
                ${
                  i < last &&
                  html`
                    <${Token}
                      token=${dug.drawn[i]}
                      bag=${dug.bag}
                      colours=${colours}
                      label=${act.name((dug.said ?? dug.drawn)[i])}
                    />
                  `
                }
              </li>
            `,
          )}
        </ol>
        <button type="button" class="button quiet unearth-close" onClick=${this.close}>
          ${say("evening.dig.table")}
        </button>
      </section>
    `;
  }
}
