// What moved from where to where, seen from two successive views. Everything with a `data-piece` is the same thing
// in both; it glides from its old place to its new one. A thing that is new comes out of the one named in its
// `data-from`. Nothing waits for a movement: the next press is taken while things still glide.
import { isAnimated } from "./preferences.js";

const GLIDE = 420;
const STEP = 70;
const LONGEST = 1400;
const AFTER = 120; // things that come out of one place come out one after the other

const places = (root) => {
  const found = new Map();
  for (const node of root.querySelectorAll("[data-piece]")) found.set(node.dataset.piece, node.getBoundingClientRect());
  return found;
};

/** Draws with `draw` and lets everything that changed its place glide there. */
export function animateMoves(root, draw) {
  if (!isAnimated() || document.hidden) return draw();
  const before = places(root);
  draw();
  const out = new Map();
  for (const node of root.querySelectorAll("[data-piece]")) glide(node, before, out);
}

// `out` counts what has come out of each place so far.
function glide(node, before, out) {
  const came = before.get(node.dataset.piece);
  const from = came ?? before.get(node.dataset.from);
  if (from === undefined || from.width === 0) return;
  const to = node.getBoundingClientRect();
  const scale = scaleOf(node);
  const x = (from.x + from.width / 2 - to.x - to.width / 2) / scale;
  const y = (from.y + from.height / 2 - to.y - to.height / 2) / scale;
  if (came === undefined) {
    const nth = out.get(node.dataset.from) ?? 0;
    out.set(node.dataset.from, nth + 1);
    play(
      node,
      [{ translate: `${x}px ${y}px`, opacity: 0 }, { opacity: 1, offset: 0.4 }, { translate: "0px 0px" }],
      GLIDE,
      nth * AFTER,
    );
  } else if (Math.hypot(x, y) * scale > 1) {
    const trail = (node.dataset.trail ?? "").split(" ").filter(Boolean);
    const way = trail.map((point) => ({
      translate: point
        .split(",")
        .map((n) => `${n}px`)
        .join(" "),
    }));
    const frames = [{ translate: `${x}px ${y}px` }, ...way, { translate: "0px 0px" }];
    play(node, frames, Math.min(LONGEST, GLIDE + STEP * way.length));
  }
}

// Inside a drawing a pixel of `translate` is one unit of the drawing.
function scaleOf(node) {
  const drawing = node.ownerSVGElement;
  if (!drawing) return 1;
  return node.parentNode.getScreenCTM()?.a || 1;
}

let gliding = 0;

/** What glides past the side of the page makes it no wider. */
function keptWithin(more) {
  gliding += more;
  document.documentElement.classList.toggle("gliding", gliding > 0);
}

function play(node, frames, duration, delay = 0) {
  const glides = node.animate(frames, {
    duration,
    delay,
    fill: "backwards",
    easing: frames.length > 2 ? "linear" : "cubic-bezier(.2,.8,.2,1)",
  });
  keptWithin(1);
  glides.onfinish = glides.oncancel = () => keptWithin(-1);
}
