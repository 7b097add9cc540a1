// A table turned to a seat: the page of the table in a frame, as high and wide as the seat sees it, so that it is laid
// out for that side. It turns by a press, or by itself with the turn.
import { html, render } from "../html.js";
import { say, title } from "../words.js";
import { loadStylesheet } from "../stylesheets.js";

const QUARTER = 90;
const DEAD = 400; // milliseconds in which nothing that came under a finger is pressed
const SECOND = 700; // in which a second tap follows the one that turned it
const PATIENCE = 8000; // so long a table may take to come

await loadStylesheet("style/turned");

/** Where people sit who are spread round the table, the first at its lower edge. */
const sideOf = (seat, seats) => (Math.round((4 * seat) / seats) * QUARTER) % 360;

/** What is kept of a table on this screen. */
const kept = (name) => {
  try {
    return JSON.parse(localStorage.getItem(name) || "{}");
  } catch {
    return {};
  }
};
const keep = (name, what) => {
  try {
    localStorage.setItem(name, JSON.stringify(what));
  } catch {
    // A private window keeps nothing: it holds until the page is left.
  }
};

/** Draws a table into a frame, turned; the table's page tells whose turn it is, and when somebody turns it. */
export function start(root, { table }) {
  const name = `digside-turned-${table}`;
  const state = { angle: 2 * QUARTER, alone: false, sides: {}, seat: null, seats: 1, ...kept(name) };
  let frame = null;
  let still = 0;
  let come = false;

  function draw() {
    const { angle, alone, sides } = state;
    keep(name, { angle, alone, sides });
    const across = angle % (2 * QUARTER) !== 0;
    const turned = `transform:translate(-50%,-50%) rotate(${angle}deg)`;
    const size = across ? "width:100vh;width:100dvh;height:100vw" : "width:100vw;height:100vh;height:100dvh";
    render(
      html`
        <iframe
          class="turned-table"
          title=${say("ui.turn.frame", { title: title(document.documentElement.dataset.box) })}
          src=${`/table/${table}`}
          allow="screen-wake-lock; autoplay; fullscreen; web-share"
          style=${`${size};${turned}`}
          onLoad=${() => hold(come ? DEAD : PATIENCE)}
          ref=${(node) => {
            frame = node;
          }}
        />
      `,
      root,
    );
    frame.contentWindow?.postMessage({ turned: { alone } }, location.origin);
  }

  /** Nothing is pressed by the finger that was there before it turned, or before the table had come. */
  function hold(dead) {
    clearTimeout(still);
    frame.classList.add("turning");
    still = setTimeout(() => frame.classList.remove("turning"), dead);
  }

  function turn(part, dead = DEAD) {
    const before = state.angle;
    Object.assign(state, part);
    draw();
    if (state.angle !== before) hold(dead);
  }

  const side = (seat) => state.sides[seat] ?? sideOf(seat, state.seats);

  const handlers = {
    /** Whose turn it is; nobody's leaves it as it lies. */
    turn: ({ seat, seats, first }) => {
      const angle = state.alone && seat !== null ? (state.sides[seat] ?? sideOf(seat, seats)) : state.angle;
      if (first) {
        come = true;
        hold(DEAD);
      }
      return turn({ seat, seats, angle });
    },
    /** A press: on to the next side, which is this seat's from now on where it turns by itself. */
    on: () => {
      const angle = (state.angle + QUARTER) % 360;
      const { alone, seat } = state;
      if (angle === 0 && !alone) return leave();
      const sides = alone && seat !== null ? { ...state.sides, [seat]: angle } : state.sides;
      return turn({ angle, sides }, SECOND);
    },
    alone: ({ alone }) => turn({ alone, angle: alone && state.seat !== null ? side(state.seat) : state.angle }, SECOND),
    straight: () => leave(),
  };

  function leave() {
    keep(name, { sides: state.sides });
    location.replace(`/table/${table}`);
  }

  addEventListener("message", ({ origin, source, data }) => {
    if (origin === location.origin && source === frame?.contentWindow) handlers[data?.tell]?.(data);
  });
  document.title = `${title(document.documentElement.dataset.box)} · Digside`;
  draw();
  frame.classList.add("turning");
}
