// The first time here: six signs, one after the other, each at the place that it is about. Never twice on one screen.
import { Component, html, render, upTo } from "../html.js";
import { loadStylesheet } from "../stylesheets.js";
import { learnLater, say } from "../words.js";
import { Button } from "./press.js";

const SIGNS = 6;
const GAP = 12; // pixels between a place and its sign
const STEPS = 8; // places to look at along each side of the screen
const TOURED = "digside-toured";
const DEAD = 400; // milliseconds in which a sign that has just come takes no press

/** The places a sign may stand at, the most telling first; those of them that are on this page. */
const PLACES = [
  ["ask", ".ask"],
  ["board", ".board"],
  ["seats", ".seats"],
  ["undo", ".undo"],
  ["stop", ".stop-place .stop"],
  ["log", ".log"],
  ["menu", "[data-sheet=menu]"],
  ["help", "[data-sheet=help]"],
];
const LAST = "help";

/** @param looksOn nothing on the board is this screen's to press. */
function places(looksOn) {
  const said = (sign) => (looksOn && sign === "board" ? "board_seen" : sign);
  const there = PLACES.map(([sign, where]) => [said(sign), document.querySelector(where)]).filter(([, node]) => node);
  const others = there.filter(([sign]) => sign !== LAST).slice(0, SIGNS - 1);
  return [...others, ...there.filter(([sign]) => sign === LAST)];
}

function remember() {
  try {
    localStorage.setItem(TOURED, "1");
  } catch {
    // A private window forgets, and is not asked again.
  }
}

const PRESSABLE = ".board button:not(:disabled), .ask button";

/**
 * Where a sign has room: beside its place, above or under it, else anywhere on the screen; always whole, never on a
 * STOP and only where there is no other room on what could be pressed now. Where all is full, it covers least of its
 * place.
 */
export function beside(place, sign, kept = ".stop") {
  const { width, height } = sign.getBoundingClientRect();
  const at = place.getBoundingClientRect();
  const middle = { x: at.left + at.width / 2 - width / 2, y: at.top + at.height / 2 - height / 2 };
  const spread = (room) => upTo(STEPS + 1).map((i) => GAP + (Math.max(0, room - 2 * GAP) * i) / STEPS);
  const anywhere = spread(innerHeight - height).flatMap((y) => spread(innerWidth - width).map((x) => ({ x, y })));
  const tries = [
    { x: at.left - width - GAP, y: at.top },
    { x: at.right + GAP, y: at.top },
    { x: middle.x, y: at.bottom + GAP },
    { x: middle.x, y: at.top - height - GAP },
    middle,
    ...anywhere.sort((a, b) => apart(a, middle) - apart(b, middle)),
  ];
  const inside = ({ x, y }) => x >= GAP && y >= GAP && x + width <= innerWidth - GAP && y + height <= innerHeight - GAP;
  const whole = tries.filter(inside).map((each) => ({ ...each, width, height }));
  const freeOf = (places) => {
    const taken = rectsOf(places);
    return whole.find((each) => taken.every((other) => !shared(each, other)));
  };
  const least = () => whole.sort((a, b) => shared(a, at) - shared(b, at))[0];
  return freeOf(`${kept}, ${PRESSABLE}`) ?? freeOf(kept) ?? least() ?? { x: GAP, y: GAP };
}

const rectsOf = (places) => [...document.querySelectorAll(places)].map((each) => each.getBoundingClientRect());
const apart = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

/** So many square pixels two places have in common. */
function shared(a, b) {
  const wide = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const high = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return Math.max(0, wide) * Math.max(0, high);
}

/** Where a sign stays that has grown, or whose table has gone on: no finger finds another thing than it saw. */
export function staying(sign, kept) {
  const { left, top, width, height } = sign.getBoundingClientRect();
  const x = Math.max(GAP, Math.min(left, innerWidth - GAP - width));
  const y = Math.max(GAP, Math.min(top, innerHeight - GAP - height));
  return rectsOf(kept).some((each) => shared({ x, y, width, height }, each)) ? null : { x, y };
}

class Tour extends Component {
  state = { at: 0 };

  componentDidMount() {
    addEventListener("resize", this.lay);
    addEventListener("click", this.plays, true);
    this.show();
  }

  componentDidUpdate(_, { at }) {
    if (at !== this.state.at) this.show();
  }

  componentWillUnmount() {
    removeEventListener("resize", this.lay);
    removeEventListener("click", this.plays, true);
    this.unmark();
  }

  // Whoever plays is not kept waiting: the press counts, and the signs are found again in the help.
  plays = (event) => this.base.contains(event.target) || this.props.onEnd();

  unmark = () => this.marked?.classList.remove("toured");

  show() {
    this.unmark();
    [, this.marked] = this.props.places[this.state.at];
    this.marked.classList.add("toured");
    this.marked.scrollIntoView({ block: "nearest" });
    this.lay();
  }

  lay = () => {
    const { x, y } = beside(this.marked, this.base);
    this.base.style.translate = `${Math.round(x)}px ${Math.round(y)}px`;
  };

  next = () => {
    const now = performance.now();
    if (now - (this.pressed ?? 0) < DEAD) return;
    this.pressed = now;
    if (this.state.at + 1 === this.props.places.length) this.props.onEnd();
    else this.setState({ at: this.state.at + 1 });
  };

  render({ places: all, onEnd }, { at }) {
    return html`
      <section class="tour" aria-label=${say("evening.tour.label")}>
        <p role="status">${say(`evening.tour.${all[at][0]}`)}</p>
        <div class="tour-tools">
          <${Button} look="quiet" onPress=${onEnd}>${say("evening.tour.skip")}<//>
          <small>${say("evening.tour.at", { at: at + 1, of: all.length })}</small>
          <${Button} look="main" onPress=${this.next}>
            ${say(at + 1 === all.length ? "evening.tour.done" : "evening.tour.next")}
          <//>
        </div>
      </section>
    `;
  }
}

/** Shows somebody round, who may skip it. */
export async function begin({ me }) {
  await Promise.all([learnLater(), loadStylesheet("style/evening")]);
  const found = places(me.role === "spectator");
  if (found.length === 0 || document.querySelector("dialog[open]")) return;
  remember();
  const corner = document.createElement("div");
  document.body.append(corner);
  const end = () => {
    render(null, corner);
    corner.remove();
  };
  render(html`<${Tour} places=${found} onEnd=${end} />`, corner);
}
