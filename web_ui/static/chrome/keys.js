// The keyboard's short ways: space deals or rolls, U takes back, R goes forward again, a number chooses a seat, ?
// helps.
// Who speaks to the machine, or lets it read aloud, may have them off.
import { preferences } from "../preferences.js";

const writing = (target) => target.closest?.("input, select, textarea, dialog, [contenteditable]");
const pressable = (target) => target.closest?.("button, a, summary, [role=button]");

/** @param now what is on the table at this moment, or null before anything is. */
export function bindKeys(now) {
  addEventListener("keydown", (event) => {
    const table = now();
    if (
      !table ||
      preferences().keys === "off" ||
      event.repeat ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      writing(event.target)
    ) {
      return;
    }
    const doing = meant(event, table);
    if (!doing) return;
    event.preventDefault();
    doing();
  });
}

function meant(event, { state, act, change }) {
  const { view, plugin } = state;
  switch (event.key) {
    case " ":
      return pressable(event.target) ? null : deal(view, plugin, act);
    case "u":
    case "U":
      return act.ready && view.undo.open && view.undo.why === null ? () => act.undo(view.undo.to) : null;
    case "r":
    case "R":
      return act.ready && view.undo.redo !== null ? () => act.undo(view.undo.redo) : null;
    case "?":
      return () => change({ ui: { ...state.ui, sheet: "help" } });
    default:
      return seatOf(event.key, view, act);
  }
}

function deal(view, plugin, act) {
  if (act.canDeal && view.ask.source === "companion") return () => act.outcome(null);
  return act.can ? (plugin.shortcut?.(view, act) ?? null) : null;
}

function seatOf(key, view, act) {
  const seat = Number(key) - 1;
  return act.role === "host" && view.ask.seats?.includes(seat) ? () => act.choose(seat) : null;
}
