// The box as it stands on the shelf: a poster of our own drawing.
import { html } from "../../html.js";

export const cover = () => html`
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
