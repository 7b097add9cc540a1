// What a sign on the board means, under a long press: whatever has `data-sign` is told by the board's legend.
const HOLD = 500; // milliseconds until a press is a long one
const STILL = 12; // so many pixels a finger may wander
const ROOM = 12; // between the finger and what is told

/** The smallest sign under a point; drawings lie beneath buttons, so that what is pressed does not tell. */
function signAt(x, y) {
  const under = [...document.querySelectorAll("[data-sign]")].filter((sign) => {
    const { left, right, top, bottom } = sign.getBoundingClientRect();
    return left <= x && x <= right && top <= y && y <= bottom;
  });
  const size = (sign) => sign.getBoundingClientRect().width * sign.getBoundingClientRect().height;
  return under.sort((a, b) => size(a) - size(b))[0]?.dataset.sign ?? null;
}

function tell(meaning, x, y) {
  const note = document.createElement("p");
  note.className = "sign-told";
  note.setAttribute("role", "status");
  note.textContent = meaning;
  document.body.append(note);
  const { width, height } = note.getBoundingClientRect();
  note.style.left = `${Math.max(ROOM, Math.min(x - width / 2, innerWidth - width - ROOM))}px`;
  note.style.top = `${y - height - ROOM > 0 ? y - height - ROOM : y + ROOM}px`;
  return note;
}

/** @param legend gives the signs of the board as `[key, sign, meaning]`. */
export function signs(legend) {
  let clock = null;
  let note = null;
  let from = null;

  const letGo = () => {
    clearTimeout(clock);
    clock = null;
    note?.remove();
    note = null;
  };

  addEventListener(
    "pointerdown",
    (event) => {
      letGo();
      from = { x: event.clientX, y: event.clientY };
      const key = signAt(from.x, from.y);
      const meaning = key && legend().find(([each]) => each === key)?.[2];
      if (!meaning) return;
      clock = setTimeout(() => {
        note = tell(meaning, from.x, from.y);
      }, HOLD);
    },
    true,
  );
  addEventListener(
    "pointermove",
    (event) => from && Math.hypot(event.clientX - from.x, event.clientY - from.y) > STILL && letGo(),
    true,
  );
  addEventListener("pointercancel", letGo, true);
  // A press that told what a sign means is no press of the button it lies on.
  addEventListener(
    "click",
    (event) => {
      const wasShown = note !== null;
      letGo();
      if (!wasShown) return;
      event.stopPropagation();
      event.preventDefault();
    },
    true,
  );
  addEventListener("contextmenu", (event) => (clock || note) && event.preventDefault(), true);
}
