// Coins and points: gold worth five, silver worth one.
import { html, upTo, classes } from "../html.js";

const coin = (metal, i, label) => html`
  <g transform=${`translate(0 ${-i * 7})`}>
    <ellipse rx="24" ry="10.5" cy="5" class=${`${metal}-edge`} />
    <ellipse rx="24" ry="10.5" fill=${`url(#${metal === "gold" ? "brass" : "silver"}-dome)`} class="coin-face" />
    ${
      label &&
      html`
        <text y="5" class="coin-number">
          ${label}
        </text>
      `
    }
  </g>
`;

const STACK = 8;

/** An amount as stacks of coins; below nothing it is shown as a debt. */
export function Coins({ amount, label }) {
  const gold = Math.floor(Math.abs(amount) / 5);
  const silver = Math.abs(amount) % 5;
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
            ${upTo(count).map((n) => coin(metal, n, n === count - 1 && (metal === "gold" ? "5" : "1")))}
          </g>
        `,
      )}
      ${shown.length === 0 && html`<ellipse cx="30" cy="66" rx="24" ry="10.5" class="no-coin" />`}
    </svg>
  `;
}
