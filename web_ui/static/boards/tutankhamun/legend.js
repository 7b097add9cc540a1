// What the signs on the board mean.
import { html } from "../../html.js";
import { Worth } from "../../pieces/tray.js";
import { BarricadeSign, Scarab } from "./face.js";

const seal = (value, house) => html`
  <svg class="legend-sign" viewBox="-22 -22 44 44">
    <${Worth} value=${value} house=${house} />
  </svg>
`;

const coin = (metal) => html`
  <svg class="legend-sign" viewBox="-20 -14 40 28">
    <ellipse rx="15" ry="7" cy="3.5" class=${`${metal}-edge`} />
    <ellipse rx="15" ry="7" fill=${`url(#${metal === "gold" ? "brass" : "silver"}-dome)`} class="coin-face" />
  </svg>
`;

const skull = html`
  <svg class="legend-sign" viewBox="-44 -40 88 66">
    <path d="M-9-30H9V-8L26-34L40-22L18 2H40V20H-40V2H-18L-40-22L-26-34L-9-8Z" class="tut-skull" />
  </svg>
`;

/** Each sign by its key, as it is drawn, and in words. */
export function legend(view, act) {
  const house = view.board.tray.house.length > 0;
  const drawn = {
    worth: seal(2),
    ...(house ? { house: seal(1, true) } : {}),
    skull,
    scarab: html`<${Scarab} size=${28} />`,
    barricade: html`<${BarricadeSign} size=${28} />`,
    gold: coin("gold"),
    silver: coin("silver"),
  };
  const worth = view.board.gold_in_silver;
  return Object.entries(drawn).map(([key, sign]) => [key, sign, act.say(`tutankhamun.page.sign.${key}`, { n: worth })]);
}
