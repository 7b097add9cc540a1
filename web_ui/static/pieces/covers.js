// The four boxes as they stand on the shelf: posters of our own drawing.
import { html, upTo } from "../html.js";

const rays = (x, y, inner, outer, count, from = 180, sweep = 180) =>
  upTo(count).map((i) => {
    const a = ((from + (sweep / count) * i) * Math.PI) / 180;
    const b = ((from + (sweep / count) * (i + 0.5)) * Math.PI) / 180;
    const p = (r, t) => `${(x + r * Math.cos(t)).toFixed(1)} ${(y + r * Math.sin(t)).toFixed(1)}`;
    return html`<path d=${`M${p(inner, a)}L${p(outer, a)}L${p(outer, b)}L${p(inner, b)}Z`} />`;
  });

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

const jenseits = () => html`
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

const tombRaiders = () => html`
  <rect width="300" height="380" fill="#0e1a26" />
  <path d="M0 0H300V380H0Z" fill="#152b3c" />
  <path d="M34 0H266L236 380H64Z" fill="#1d3d4c" />
  ${[
    ["M66 380V86L98 56H202L234 86V380Z", "#27505a"],
    ["M92 380V112L116 88H184L208 112V380Z", "#0b141d"],
    ["M92 380V112L116 88H122V380Z", "#3a6a68"],
  ].map(([d, fill]) => html`<path d=${d} fill=${fill} />`)}
  <g fill="#f6c35c" fill-opacity=".16">
    <path d="M150 214L92 380H208Z" />
    <circle cx="150" cy="216" r="92" />
  </g>
  <circle cx="150" cy="216" r="54" fill="#f6c35c" fill-opacity=".28" />
  <g stroke="#d9a441" stroke-width="3" fill="none" stroke-linejoin="round">
    <path d="M98 56H202M104 46H196M66 86L98 56M202 56L234 86" />
    <path d="M150 20C132 20 118 30 112 38H188C182 30 168 20 150 20Z" fill="#b3402c" />
    <circle cx="150" cy="30" r="7" fill="#f2c14d" />
    <path
      d="M112 36C92 22 70 24 54 34M188 36C208 22 230 24 246 34M108 40C90 32 76 34 64 42M192 40
        C210 32 224 34 236 42"
    />
  </g>
  <g fill="none" stroke="#8fb0a0" stroke-opacity=".55" stroke-width="3">
    ${[130, 190, 250, 310].map(
      (y, i) => html`
        <path
          d=${
            [
              "M74 0a6 8 0 1 1 .1 0V22M67 8H81",
              "M68 6C72-4 80 2 82 6C78 12 72 12 68 6ZM75 12V20",
              "M68 16H84M70 16L76 0L82 16",
              "M68 4L74 10L80 4L86 10M68 14L74 20L80 14L86 20",
            ][i]
          }
          transform=${`translate(0 ${y})`}
        />
        <path
          d=${
            [
              "M68 16H84M70 16L76 0L82 16",
              "M74 0a6 8 0 1 1 .1 0V22M67 8H81",
              "M68 4L74 10L80 4L86 10M68 14L74 20L80 14L86 20",
              "M68 6C72-4 80 2 82 6C78 12 72 12 68 6ZM75 12V20",
            ][i]
          }
          transform=${`translate(146 ${y})`}
        />
      `,
    )}
  </g>
  <path d="M92 344H208L222 380H78Z" fill="#3b2a18" />
  <path d="M84 360H216" stroke="#5d4324" stroke-width="3" />
  <g transform="translate(150 262)">
    <path d="M-25-62C-13-70 14-70 26-62L16-60C15-76-13-76-15-60Z" fill="#05090d" />
    <circle cy="-54" r="12" fill="#05090d" />
    <path d="M-18-40C-10-48 10-48 18-40L24 18H17L14 96H3L0 40L-3 96H-14L-17 18H-24Z" fill="#05090d" />
    <path d="M18-38L38-6L33-1L14-22ZM-18-38L-34 0L-28 4L-12-20Z" fill="#05090d" />
    <path d="M40-24V-4" stroke="#d9a441" stroke-width="3" />
    <path d="M32-4H48L46 18H34Z" fill="#ffdf8f" stroke="#d9a441" stroke-width="3" />
  </g>
`;

const horus = () => html`
  <rect width="300" height="380" fill="#102a2a" />
  <g fill="#f3e3c3">
    ${upTo(26).map(
      (i) => html`
        <circle
          cx=${(i * 83) % 300}
          cy=${(i * 47) % 150}
          r=${0.7 + (i % 3) * 0.5}
          opacity=${0.35 + (i % 4) * 0.15}
        />
      `,
    )}
  </g>
  <g fill="#e0b052" fill-opacity=".1">
    ${rays(150, 92, 40, 400, 22, 0, 360)}
  </g>
  <path d="M150 56L330 380H-30Z" fill="#c2883e" />
  <path d="M150 56L330 380H176Z" fill="#8f5a29" />
  <g stroke="#7b4c22" stroke-opacity=".55" stroke-width="2">
    ${upTo(8).map((i) => html`<path d=${`M${150 - (i + 2) * 18} ${92 + i * 36}H${150 + (i + 2) * 18}`} />`)}
  </g>
  <path d="M150 150L252 346H48Z" fill="#170f0b" />
  <path d="M150 172L238 340H62Z" fill="#2a1b11" />
  <g fill="none" stroke="#c2883e" stroke-width="4">
    <path d="M98 340V276H202V340M126 276V236H174V276" />
  </g>
  <g transform="translate(150 92)">
    <path d="M-46 4C-26-24 26-24 46 4C26 24-26 24-46 4Z" fill="#f5e7c4" stroke="#1f120a" stroke-width="5" />
    <circle cy="3" r="15" fill="#2b5fa3" stroke="#1f120a" stroke-width="4" />
    <circle cy="3" r="6" fill="#0b0705" />
    <path
      d="M-52-16C-26-42 30-42 54-12"
      fill="none"
      stroke="#1f120a"
      stroke-width="8"
      stroke-linecap="round"
    />
    <path
      d="M-6 22C-8 36-14 44-18 54M-2 22C12 44 34 56 50 44C58 36 48 28 42 36"
      fill="none"
      stroke="#1f120a"
      stroke-width="6"
      stroke-linecap="round"
    />
  </g>
  ${[
    [112, 206, -14],
    [172, 186, 11],
    [146, 256, 5],
    [204, 288, -9],
  ].map(
    ([x, y, turn]) => html`
      <g transform=${`translate(${x} ${y}) rotate(${turn})`}>
        <rect x="-17" y="-15" width="34" height="32" rx="3" fill="#6e5a44" />
        <rect x="-17" y="-17" width="34" height="30" rx="3" fill="#b79b73" />
        <path d="M-9-7L-3-2L-6 5M6-11L10-5" stroke="#6e5a44" stroke-width="2.4" fill="none" />
        <path d="M-10-26V-38M0-24V-42M10-26V-36" stroke="#e0b052" stroke-opacity=".6" stroke-width="2" />
      </g>
    `,
  )}
  <g transform="translate(86 330)">
    <path d="M-17 30C-24 0-16-14-12-18C-14-36 14-36 12-18C16-14 24 0 17 30Z" fill="#e3d2aa" />
    <path
      d="M-12-18C-4-14 6-16 12-20M-17-6C-4 0 8-3 17-8M-19 8C-4 13 8 10 19 6M-19 20C-4 25 8 22 19 18"
      stroke="#8a7148"
      stroke-width="3"
      fill="none"
    />
    <path d="M-11-22H11V-15H-11Z" fill="#2a1b11" />
    <circle cx="-5" cy="-18.500" r="2.200" fill="#ffcf5a" />
    <circle cx="5" cy="-18.500" r="2.200" fill="#ffcf5a" />
  </g>
  <path d="M0 356C90 342 200 362 300 350V380H0Z" fill="#59391d" />
`;

const tutankhamun = () => html`
  <rect width="300" height="380" fill="#173f74" />
  <g fill="#e0b052" fill-opacity=".2">
    ${rays(150, 176, 60, 420, 26, 0, 360)}
  </g>
  <path
    d="M150 34C222 34 252 96 258 176C262 232 274 300 292 380H8C26 300 38 232 42 176C48 96 78 34 150 34Z"
    fill="#d79c2e"
  />
  <g fill="#1d4b87">
    ${upTo(10).map(
      (i) => html`
        <path
          d=${`M${52 - i * 3.6} ${128 + i * 26}
            C${70 - i} ${118 + i * 26} ${88 - i} ${120 + i * 26} 98 ${132 + i * 24}V${144 + i * 24}
            C${86 - i} ${132 + i * 26} ${68 - i} ${130 + i * 26} ${50 - i * 3.6} ${140 + i * 26}Z`}
        />
        <path
          d=${`M${248 + i * 3.6} ${128 + i * 26}
            C${230 + i} ${118 + i * 26} ${212 + i} ${120 + i * 26} 202 ${132 + i * 24}V${144 + i * 24}
            C${214 + i} ${132 + i * 26} ${232 + i} ${130 + i * 26} ${250 + i * 3.6} ${140 + i * 26}Z`}
        />
      `,
    )}
    <path
      d="M72 92C94 58 206 58 228 92L222 102C198 72 102 72 78 102ZM86 74C106 50 194 50 214 74L208 80
        C186 60 114 60 92 80Z"
    />
  </g>
  <path d="M92 132C94 80 206 80 208 132C212 196 188 262 150 262S88 196 92 132Z" fill="#f1c45c" />
  <path d="M150 92C206 92 214 140 207 180C200 230 176 262 150 262Z" fill="#d99f38" fill-opacity=".55" />
  <g fill="none" stroke="#14284a" stroke-width="6" stroke-linecap="round">
    <path d="M104 148C114 136 130 138 140 148M160 148C170 138 186 136 196 148" />
  </g>
  <path
    d="M104 168C114 156 132 158 140 168C130 178 114 178 104 168ZM160 168C168 158 186 156 196 168
      C186 178 170 178 160 168Z"
    fill="#fbf1d6"
    stroke="#14284a"
    stroke-width="4"
  />
  <circle cx="122" cy="168" r="7" fill="#14284a" />
  <circle cx="178" cy="168" r="7" fill="#14284a" />
  <path d="M104 168L84 176M196 168L216 176" stroke="#14284a" stroke-width="5" stroke-linecap="round" />
  <path
    d="M150 170L140 206C144 212 156 212 160 206M132 228C142 222 158 222 168 228C158 238 142 238 132 228Z"
    fill="#c9812b"
    stroke="#8a5217"
    stroke-width="3"
    stroke-linejoin="round"
  />
  <path d="M138 258H162L158 340H142Z" fill="#1d4b87" stroke="#d79c2e" stroke-width="4" />
  <path d="M140 278H160M141 296H159M142 314H158" stroke="#f1c45c" stroke-width="4" />
  <path
    d="M142 88C132 66 140 46 150 42C160 46 168 66 158 88Z"
    fill="#2f7d78"
    stroke="#14284a"
    stroke-width="4"
  />
  <circle cx="146" cy="56" r="2.500" fill="#fff" />
  <circle cx="154" cy="56" r="2.500" fill="#fff" />
  <g fill="none" stroke-width="10">
    <path d="M66 348C110 316 132 344 150 352C168 344 190 316 234 348" stroke="#b3402c" />
    <path d="M56 368C104 334 130 360 150 368C170 360 196 334 244 368" stroke="#2f7d78" />
  </g>
`;

const ART = { jenseits, tomb_raiders: tombRaiders, horus, tutankhamun };

/** The picture of a box; `slice` fills whatever frame it is put in. */
export const Cover = ({ box }) => html`
  <svg class="cover-art" viewBox="0 0 300 380" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
    ${ART[box]?.()}
  </svg>
`;
