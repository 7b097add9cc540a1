// The box as it stands on the shelf: a poster of our own drawing.
import { html } from "../../html.js";
import { rays } from "../../pieces/covers.js";

function Column({ x, y, high, broken }) {
  const top = y - high;
  return html`
    <g transform=${`translate(${x} 0)`}>
      <path
        d=${broken ? `M-13 ${y}V${top + 14}L-5 ${top + 2}L3 ${top + 12}L13 ${top}V${y}Z` : `M-13 ${y}V${top}H13V${y}Z`}
        fill="#e9c78b"
      />
      <path d=${`M3 ${top + 10}H13V${y}H3Z`} fill="#b57a3f" />
      <path d=${`M-7 ${top + 14}V${y}M-2 ${top + 14}V${y}`} stroke="#c99653" stroke-width="2" />
      ${!broken && html`<path d=${`M-19 ${top}H19L15 ${top + 10}H-15Z`} fill="#f3dba6" />`}
      <path d=${`M-18 ${y - 6}H18V${y}H-18Z`} fill="#d7a761" />
    </g>
  `;
}

export const cover = () => html`
  <rect width="300" height="380" fill="#7f2f25" />
  <rect width="300" height="120" fill="#43202b" />
  <rect y="70" width="300" height="110" fill="#62272b" />
  <rect y="140" width="300" height="80" fill="#97412a" />
  <rect y="190" width="300" height="60" fill="#c8662f" />
  <g fill="#f2b65a" fill-opacity=".13">
    ${rays(150, 232, 96, 330, 18)}
  </g>
  <circle cx="150" cy="232" r="88" fill="#f0a23e" />
  <circle cx="150" cy="232" r="70" fill="#f7c766" />
  <g fill="#c8662f">
    ${[198, 212, 224].map((y, i) => html`<rect x="40" y=${y} width="220" height=${3 + i * 1.5} opacity=".7" />`)}
  </g>
  <path d="M0 246L58 190L104 236L150 176L214 246Z" fill="#8d3b25" />
  <path d="M150 176L214 246H166Z" fill="#5f2620" />
  <path d="M58 190L104 236L98 246H66Z" fill="#6d2b22" />
  <path d="M0 244C60 226 120 250 190 238S270 232 300 244V380H0Z" fill="#d98c3f" />
  <path d="M0 276C70 254 130 290 210 268S280 262 300 272V380H0Z" fill="#b9682f" />
  <g fill="#4a1f1d">
    <path
      d="M196 262c3-9 7-9 9-3c3-8 7-7 8 1c4 0 4-8 8-9l3 2-2 3c-3 1-4 10-7 11v8h-2l-1-7h-8l-1 7h-2l-1-9c-2 0-3-1-4-4z"
    />
    <path
      d="M238 258c3-9 7-9 9-3c3-8 7-7 8 1c4 0 4-8 8-9l3 2-2 3c-3 1-4 10-7 11v8h-2l-1-7h-8l-1 7h-2l-1-9c-2 0-3-1-4-4z"
    />
  </g>
  <${Column} x=${44} y=${330} high=${150} />
  <${Column} x=${98} y=${344} high=${92} broken=${true} />
  <${Column} x=${256} y=${350} high=${70} broken=${true} />
  <path d="M0 330C80 312 140 350 220 334S280 336 300 344V380H0Z" fill="#7b3a22" />
  <g transform="translate(196 78) rotate(-6)">
    <path d="M-66 0C-50-26 34-26 62 0C34 26-50 26-66 0Z" fill="#e8d3a4" />
    <path d="M-66 0C-50 26 34 26 62 0C30 10-40 10-66 0Z" fill="#b08a56" />
    <path d="M-58-5C-30-12 30-12 54-4" stroke="#8d6a3d" stroke-width="2" fill="none" />
    <path d="M-56 0L-82-18V18Z" fill="#2b5fa3" />
    <path d="M-18 22H20L14 33H-12Z" fill="#43202b" />
    <path d="M-10-21V-6M12-21V-6" stroke="#8d6a3d" stroke-width="1.6" />
  </g>
`;
