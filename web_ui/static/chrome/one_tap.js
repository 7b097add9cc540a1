// A second tap where one has just come down does nothing else: what has taken a button's place under the finger lies
// under a shield for a moment. Keys are never kept from anything, nor is STOP, but where a sheet brings its own.
const DEAD = 400; // milliseconds from when something else came to lie under the finger
const GRAVE = 900; // and where it stops, drops, or cannot be taken back
const SECOND = 700; // ms from tap to tap
const WATCHED = 2500; // so long after a press its place is watched

const PRESSABLE = "button, a, summary, label, input, select, [role=button], .hit, .tray-square";
const PAGES_STOP = ".stop:not(dialog .stop)";
const SEEN = {
  childList: true,
  subtree: true,
  characterData: true,
  attributeFilter: ["class", "aria-label", "aria-pressed", "open"],
};

let last = null; // where and when somebody pressed, and what lies there since
let shield = null;

/** What a press here would do: the thing there, what it says of itself but for numbers, and whether it is chosen. */
function under({ x, y }) {
  if (shield) shield.style.pointerEvents = "none";
  const thing = document.elementFromPoint(x, y)?.closest(PRESSABLE) ?? null;
  if (shield) shield.style.pointerEvents = "auto";
  const said = thing && (thing.getAttribute("aria-label") ?? thing.textContent).replace(/\d+/g, "");
  return { thing, said: said && `${said} ${thing.getAttribute("aria-pressed")}` };
}

function lower() {
  shield?.remove();
  shield = null;
}

/** Lays a shield over a thing that nobody can have meant. */
function raise(thing) {
  lower();
  const { left, top, width, height } = thing.getBoundingClientRect();
  shield = document.createElement("div");
  shield.className = "one-tap";
  Object.assign(shield.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
  (thing.closest("dialog") ?? document.body).append(shield);
  const mine = shield;
  const since = thing.matches(".armed, .danger, .quiet") ? GRAVE : DEAD;
  const dead = Math.max(since, last.at + SECOND - performance.now());
  setTimeout(() => mine === shield && lower(), dead);
}

function look() {
  if (performance.now() - last.at > WATCHED) return watch.disconnect();
  const found = under(last.place);
  if (found.thing === last.found.thing && found.said === last.found.said) return;
  last.found = found;
  if (found.thing && !found.thing.matches(PAGES_STOP)) raise(found.thing);
  else lower();
}

const watch = new MutationObserver(look);

/** Watches over the presses of this page from now on. */
export function oneTap() {
  const pressed = ({ clientX: x, clientY: y, detail, target }) => {
    if (detail === 0 || target === shield) return; // a key pressed it, or nobody
    const place = { x, y };
    last = { place, at: performance.now(), found: under(place) };
    watch.observe(document.body, SEEN);
  };
  addEventListener("click", pressed, { capture: true });
}
