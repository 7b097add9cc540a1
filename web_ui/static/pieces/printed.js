// What is printed on the pieces of one box alone. Its board says it, in `boards/<box>/printed.js`: the sign of a `find`
// from a site, the picture on a `card`, what a `mummy` wears; whatever it does not say is drawn plainly.
import { isThere } from "../addresses.js";

let box = {};

/** Learns what the pieces of a box show, before any of them is drawn. */
export async function learnPrinted(name) {
  box = isThere(`/static/boards/${name}/printed.js`) ? await import(`../boards/${name}/printed.js`) : {};
}

/** What the box prints on a piece of a kind; undefined where it says nothing. */
export const printed = (kind, which) => box[kind]?.(which);
