// What is drawn with a pen on the cards of more than one box: strokes, books, the scholar, a sign.
import { html, upTo } from "../html.js";

export const INK = "#3a2513";
export const PAPER = "#fbf0d4";

export const shape = (d, fill, width = 2.2) => html`
  <path d=${d} fill=${fill} stroke=${INK} stroke-width=${width} stroke-linejoin="round" stroke-linecap="round" />
`;
export const line = (d, width = 2.2, colour = INK) => html`
  <path d=${d} fill="none" stroke=${colour} stroke-width=${width} stroke-linejoin="round" stroke-linecap="round" />
`;

/** A sign in a colour, at a place on a card; `d` is its outline. */
export const signOn = (d, colour, x = 0, y = 0, size = 0.6) => html`
  <path
    d=${d}
    transform=${`translate(${x} ${y}) scale(${size})`}
    fill=${colour}
    fill-opacity=".35"
    stroke=${INK}
    stroke-width=${1.5 / size}
    stroke-linejoin="round"
    stroke-linecap="round"
  />
`;

/** One thing several times, each a step from the one before, all of them round the middle. */
export const several = (count, one, [dx, dy]) =>
  upTo(count).map((i) => {
    const from = i - (count - 1) / 2;
    return html`<g transform=${`translate(${from * dx} ${from * dy})`}>${one}</g>`;
  });

export const closedBook = (colour, sign) => html`
  ${shape("M-20-26H16A6 6 0 0 1 22-20V24H-16A6 6 0 0 1-22 18V-24Z", colour)}
  ${shape("M-22 18A6 6 0 0 1-16 13H22V24H-16A6 6 0 0 1-22 18Z", PAPER, 1.8)}
  ${line("M-16-26V13", 1.6)}
  <circle cx="4" cy="-7" r="13.5" fill=${PAPER} stroke=${INK} stroke-width="1.4" />
  ${signOn(sign, colour, 4, -7)}
`;

export const openBook = html`
  ${shape("M0-14C-9-21-22-21-31-17V15C-22 11-9 12 0 19C9 12 22 11 31 15V-17C22-21 9-21 0-14Z", PAPER)}
  ${line(
    `M0-14V19M-25-10C-19-12-11-12-6-8M-25-2C-19-4-11-4-6 0M-25 6C-19 4-11 4-6 8M25-10C19-12 11-12 6-8
      M25-2C19-4 11-4 6 0M25 6C19 4 11 4 6 8`,
    1.6,
    "#8a6a3c",
  )}
`;

const hat = html`
  ${shape("M-15-17C-15-33 15-33 15-17Z", "#e3cd9a")}
  ${shape("M-25-13C-18-20 18-20 25-13C18-10-18-10-25-13Z", "#d3b679")}
  ${line("M-15-18H15", 3, "#8a6a3c")}
`;

/** Who helps with the digging, in a hat. */
export const helper = html`
  ${shape("M-27 34C-27 12-14 7 0 7S27 12 27 34Z", "#b99257")}
  ${shape("M-9 8L0 20L9 8L4 4H-4Z", PAPER, 1.8)}
  ${shape("M-12-13C-12-13-12 8 0 9S12-13 12-13Z", "#e6bd92")}
  ${line("M-6-5H-3M3-5H6M-4 2Q0 5 4 2", 1.8)}
  ${hat}
`;
