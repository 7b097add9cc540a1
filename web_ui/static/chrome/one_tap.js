// A second tap where one has just come down does nothing else: what has taken a button's place under the finger lies
// under a shield for a moment, also on the page that the first one led to. Keys are never kept from anything, nor is
// STOP, but where a sheet brings its own.
const DEAD = 400; // milliseconds from when something else came to lie under the finger
const GRAVE = 900; // and where it stops, drops, or cannot be taken back
const SECOND = 700; // ms from tap to tap
const WATCHED = 2500; // so long after a press its place is watched
const KEPT = "digside-pressed"; // for the next page of this window: where somebody pressed

const PRESSABLE = "button, a, summary, label, input, select, [role=button], .hit, .tray-square, iframe";
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
  const text = thing && (thing.getAttribute("aria-label") ?? thing.textContent).replace(/\d+/g, "");
  return { thing, text: text && `${text} ${thing.getAttribute("aria-pressed")}` };
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
  if (found.thing === last.found.thing && found.text === last.found.text) return;
  last.found = found;
  if (found.thing && !found.thing.matches(PAGES_STOP)) raise(found.thing);
  else lower();
}

const watch = new MutationObserver(look);

function watchOver(press) {
  last = press;
  watch.observe(document.body, SEEN);
  look();
}

/** How a page in a frame, which may be turned, lies on the screen: its middle there, and its turn. */
function lie(frame) {
  const { left, top, width, height } = frame.getBoundingClientRect();
  const { a, b, c, d } = new DOMMatrix(getComputedStyle(frame).transform);
  return { middle: [left + width / 2, top + height / 2], a, b, c, d };
}

/** Where on the screen a place of this page lies. */
function onScreen({ x, y }) {
  const frame = window.frameElement;
  if (!frame) return { x, y };
  const { middle, a, b, c, d } = lie(frame);
  const [right, down] = [x - innerWidth / 2, y - innerHeight / 2];
  return { x: middle[0] + a * right + c * down, y: middle[1] + b * right + d * down };
}

/** Where on this page a place of the screen lies. */
function onPage({ x, y }) {
  const frame = window.frameElement;
  if (!frame) return { x, y };
  const { middle, a, b, c, d } = lie(frame);
  const [right, down] = [x - middle[0], y - middle[1]];
  return { x: innerWidth / 2 + a * right + b * down, y: innerHeight / 2 + c * right + d * down };
}

/** Tells the page that comes after this one of a press that has just been. */
function leave() {
  if (!last || performance.now() - last.at > WATCHED) return;
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(onScreen(last.place)));
  } catch {
    // Where nothing may be kept, the next page knows of no press.
  }
}

/** Takes over the press that led to this page: nothing has lain under that finger yet. */
function arrive() {
  try {
    const left = JSON.parse(sessionStorage.getItem(KEPT));
    sessionStorage.removeItem(KEPT);
    if (left) watchOver({ place: onPage(left), at: performance.now(), found: { thing: null, text: null } });
  } catch {
    // Where nothing may be kept, nothing is known.
  }
}

/** Watches over the presses of this page from now on. */
export function oneTap() {
  const pressed = ({ clientX: x, clientY: y, detail, target }) => {
    if (detail === 0 || target === shield) return; // a key pressed it, or nobody
    const place = { x, y };
    watchOver({ place, at: performance.now(), found: under(place) });
  };
  addEventListener("click", pressed, { capture: true });
  addEventListener("pagehide", leave);
  addEventListener("pageshow", arrive);
  arrive();
}
