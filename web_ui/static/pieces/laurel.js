// The laurel of whoever has won.
import { html, upTo } from "../html.js";

const LEAF = "M0 0C6-8 16-8 20 0C14 6 6 6 0 0Z";

const leaf = (x, y, turned) =>
  html`<path d=${LEAF} fill="#7f8a3f" transform=${`translate(${x} ${y}) rotate(${turned})`} />`;

export const Laurel = () => html`
  <svg class="laurel" viewBox="0 0 120 60" aria-hidden="true">
    <path
      d="M60 54C34 52 18 36 18 10M60 54C86 52 102 36 102 10"
      fill="none"
      stroke="#6b7a35"
      stroke-width="2.5"
    />
    ${upTo(5).map(
      (i) => html`
        <g key=${i}>
          ${leaf(20 + i * 6, 16 + i * 8, 200 + i * 16)}
          ${leaf(100 - i * 6, 16 + i * 8, -20 - i * 16)}
        </g>
      `,
    )}
  </svg>
`;
