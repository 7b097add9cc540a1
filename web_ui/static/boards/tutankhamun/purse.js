// What a player has before them: coins, scarabs and the barricade; nothing once they are out of the game.
import { html, upTo, classes } from "../../html.js";
import { BarricadeSign, Scarab } from "./face.js";

const coin = (metal, x, y) => html`
  <g transform=${`translate(${x} ${y})`}>
    <ellipse rx="15" ry="7" cy="3.5" class=${`${metal}-edge`} />
    <ellipse rx="15" ry="7" fill=${`url(#${metal === "gold" ? "brass" : "silver"}-dome)`} class="coin-face" />
  </g>
`;

const MOST = 5;

/** So many coins of a metal as a stack, at most five drawn, and their number on top. */
const Stack = ({ metal, count, x }) => html`
  <g class=${classes("tut-stack", !count && "none")} data-sign=${metal} transform=${`translate(${x} 0)`}>
    ${
      count
        ? upTo(Math.min(MOST, count)).map((i) => coin(metal, 0, 33 - i * 4.6))
        : html`<ellipse cy="35" rx="15" ry="7" class="no-coin" />`
    }
    <text y=${count ? 38 - Math.min(MOST, count) * 4.6 + 4.6 - 1 : 40} class="tut-count">
      ${count}
    </text>
  </g>
`;

export function Purse({ view, seat, act }) {
  const own = view.board.seats[seat];
  const { name } = view.seats[seat];
  if (!own.playing) return html`<span class="tut-purse out">${act.say("tutankhamun.page.out")}</span>`;
  const things = [
    act.say("tutankhamun.page.purse", { name, n: own.total, gold: own.gold, silver: own.silver }),
    act.say("tutankhamun.page.scarabs", { n: own.scarabs }),
    act.say("tutankhamun.page.barricades", { n: own.barricades }),
  ];
  return html`
    <span class="tut-purse" role="img" aria-label=${things.join(". ")}>
      <span class="tut-things" aria-hidden="true">
        ${upTo(own.scarabs).map((i) => html`<${Scarab} key=${i} size=${22} />`)}
        ${own.barricades > 0 && html`<${BarricadeSign} size=${24} />`}
      </span>
      <svg class="tut-coins" viewBox="0 0 76 46" aria-hidden="true" data-piece=${`purse:${seat}`}>
        <${Stack} metal="gold" count=${own.gold} x=${19} />
        <${Stack} metal="silver" count=${own.silver} x=${57} />
      </svg>
      <b aria-hidden="true">${own.total}</b>
    </span>
  `;
}
