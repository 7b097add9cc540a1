// The rules of a box as they are read on this page: asked for once, when they are first needed.
import { get } from "./api.js";

const asked = new Map();

/** The headings with their rules; what could not be had is asked for again. */
export function rulebook({ box, mode, rules }) {
  const path = `/api/boxes/${box}/rules?mode=${mode}&version=${rules}`;
  if (!asked.has(path)) {
    const headings = get(path).then((book) => book.headings);
    headings.catch(() => asked.delete(path));
    asked.set(path, headings);
  }
  return asked.get(path);
}
