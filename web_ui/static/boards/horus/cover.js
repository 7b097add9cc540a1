// The box as it stands on the shelf: a poster of our own drawing.
import { html, upTo } from "../../html.js";
import { rays } from "../../pieces/covers.js";

export const cover = () => html`
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
