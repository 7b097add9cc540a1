// Coins and points: gold worth so many, silver worth one.
import { html, upTo, classes } from "../html.js";

/** A coin; the uppermost of a stack of gold bears a sun, so that metals are told apart without their colour. */
const coin = (metal, i, sun) => html`
  <g transform=${`translate(0 ${-i * 7})`}>
    <ellipse rx="24" ry="10.5" cy="5" class=${`${metal}-edge`} />
    <ellipse rx="24" ry="10.5" fill=${`url(#${metal === "gold" ? "brass" : "silver"}-dome)`} class="coin-face" />
    ${sun && html`<path d="M-9 0A9 4 0 0 1 9 0A9 4 0 0 1-9 0ZM0-8V-6M0 6V8M-19 0H-13M13 0H19" class="coin-sun" />`}
  </g>
`;

const STACK = 8;

/** An amount as stacks of coins; below nothing it is shown as a debt. */
export function Coins({ amount, gold: worth, label }) {
  const gold = Math.floor(Math.abs(amount) / worth);
  const silver = Math.abs(amount) % worth;
  const stacks = [
    ...upTo(Math.ceil(gold / STACK)).map((i) => ["gold", Math.min(STACK, gold - i * STACK)]),
    ...(silver ? [["silver", silver]] : []),
  ];
  const shown = stacks.slice(-4);
  return html`
    <svg
      class=${classes("coins", amount < 0 && "debt")}
      viewBox=${`0 0 ${Math.max(1, shown.length) * 54 + 6} 84`}
      role="img"
      aria-label=${label}
    >
      ${shown.map(
        ([metal, count], i) => html`
          <g key=${i} transform=${`translate(${30 + i * 54} 66)`}>
            <ellipse rx="27" ry="11" cy="8" class="shade" />
            ${upTo(count).map((n) => coin(metal, n, n === count - 1 && metal === "gold"))}
          </g>
        `,
      )}
      ${shown.length === 0 && html`<ellipse cx="30" cy="66" rx="24" ry="10.5" class="no-coin" />`}
    </svg>
  `;
}
