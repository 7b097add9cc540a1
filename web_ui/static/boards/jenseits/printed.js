// What is printed on the pieces of this box: the finds of a site that lies in no other, in a square of 40 round the
// origin, and the pictures of cards.
import { html } from "../../html.js";
import { art } from "./art.js";

const FINDS = {
  palestine: `M-15 2C-15 9-9 13-1 13S13 9 16 1C11 3 9 0 6-1H-9C-13-1-15-1-15 2ZM13-1C9-7 15-9 13-16
      C20-10 19-4 16 0M-6 13-9 17H6L3 13`,
};

export const find = (site) => FINDS[site];

/** The picture of a card that is called by its name: its kind first, its site and its worth somewhere behind. */
export function face({ card, colours, size }) {
  const [kind, ...parts] = card.split("-");
  const site = parts.find((part) => part in colours);
  const drawn = art({ kind, site, value: Number(parts.at(-1)) || 1 }, colours);
  return drawn && html`<svg viewBox="-40 -42 80 84" width=${size} height=${size} aria-hidden="true">${drawn}</svg>`;
}
