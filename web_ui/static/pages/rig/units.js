// Figures of the rig as they are read across a table, in the reader's own way of writing them.
import { format } from "../../words.js";

const MINUTE = 60;

/** A vacuum or a time, always with one decimal, so that it does not jump about. */
export function tenths(n) {
  const one = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return format(Intl.NumberFormat, one).format(Math.abs(n) < 0.05 ? 0 : n);
}

/** How long something has lasted, in seconds or minutes. */
export function lasting(seconds) {
  const unit = seconds < 2 * MINUTE ? "second" : "minute";
  const whole = Math.max(0, Math.round(unit === "second" ? seconds : seconds / MINUTE));
  return format(Intl.NumberFormat, { style: "unit", unit, unitDisplay: "long" }).format(whole);
}
