// What is printed on the pieces of this box, wherever they lie: the pictures of cards.
import { html } from "../../html.js";
import { art, namedSo, PLAIN } from "./art.js";

/** The picture of a card that is called by its name. */
export function face({ card, colours, size }) {
  const named = namedSo(card);
  const drawn = art({ ...named, colour: colours[named.region] ?? PLAIN });
  return drawn && html`<svg viewBox="-40 -42 80 84" width=${size} height=${size} aria-hidden="true">${drawn}</svg>`;
}
