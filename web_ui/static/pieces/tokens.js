// Tokens out of a bag: finds with the sign of their site, books, and sand where nothing was.
import { html, classes } from "../html.js";
import { printed } from "./printed.js";

// The finds of sites that lie in more than one box, drawn in a square of 40 round the origin.
const FINDS = {
  greece: `M-7-15H7M-5-15C-5-8-13-6-13 3C-13 11-6 15 0 15S13 11 13 3C13-6 5-8 5-15M-5-13C-14-14-15-3-12-1
      M5-13C14-14 15-3 12-1M-12 2H12`,
  crete: "M0 16V-2M0-2C-4-12-15-8-15-16C-12-20 12-20 15-16C15-8 4-12 0-2ZM-6 16H6",
  egypt: "M0 17V-1M-11 4H11M0-1C-11-8-6-18 0-18S11-8 0-1Z",
  mesopotamia: "M-17 15H17V8H11V1H6V-6H-6V1H-11V8H-17ZM-3 15V9H3V15M-2-6V-14M-2-14H7L4-11L7-8H-2",
};
const FIND = "M-12-9H12L14 4C10 14-10 14-14 4ZM-12-9C-8-15 8-15 12-9M-6 0H6M0-5V5";
const BOOK = "M-13-14H9A4 4 0 0 1 13-10V15H-9A4 4 0 0 1-13 11ZM-13 11A4 4 0 0 1-9 8H13M-5-7H6M-5-2H6";
const OPEN_BOOK = `M0-8C-5-13-13-13-18-11V10C-13 8-5 8 0 13C5 8 13 8 18 10V-11C13-13 5-13 0-8ZM0-8V13M-13-5
    C-10-6-7-6-4-4M-13 1C-10 0-7 0-4 2M13-5C10-6 7-6 4-4M13 1C10 0 7 0 4 2`;
const SAND = "M-17 9C-12 3-9 7-5 0C-2-5 3-4 5 1C8 5 13 2 17 9ZM-10-7h.1M8-9h.1M0-13h.1M13-3h.1M-14 0h.1";

/** "object:4" → its kind and what follows. */
function parted(token) {
  const [kind, of = null] = token.split(":");
  return { kind, of };
}

/** How good a find is: what is printed on it; a book is a little, sand is less than nothing. */
export function worthOf(token) {
  const { kind, of } = parted(token);
  if (isSand(kind)) return -1;
  return /^\d+$/.test(of ?? "") ? Number(of) : 0.5;
}

const isSand = (kind) => kind === "blank" || kind === "rubble" || kind === "worthless";

const RubbleFace = html`
  <g class="token sand">
    <circle r="30" class="under" cy="3" />
    <circle r="29" class="sand-face" />
    <path d=${SAND} class="sign" />
  </g>
`;

/** What a book is about, or an open one about everything. */
const bookFace = (of, colour) => html`
  <path d=${of ? BOOK : OPEN_BOOK} class="sign" fill=${colour} fill-opacity=".35" />
  ${of && html`<path d=${siteSign(of)} class="on-book" transform="translate(.5 -3) scale(.42)" stroke=${colour} />`}
`;

/** A find's worth on its seal, beside the sign of its site. */
const findFace = (bag, of, colour, house) => html`
  <path d=${siteSign(bag)} class="sign" fill=${colour} fill-opacity=".28" transform="translate(-4 -6) scale(.78)" />
  <circle
    cx="14"
    cy="14"
    r="17.5"
    fill=${colour}
    class=${classes("worth", house && "ours")}
    data-sign=${house ? "house" : undefined}
  />
  <text x="14" y="14" dy=".34em" class="worth-number">${of}</text>
`;

/** So small that nothing but its worth can be read on it, beneath its sign. */
const smallFace = (bag, of, colour, house) => html`
  <path d=${siteSign(bag)} class="sign" fill=${colour} fill-opacity=".28" transform="translate(0 -14) scale(.56)" />
  <text y="11" dy=".34em" class="worth-number bare" data-sign=${house ? "house" : undefined}>${of}</text>
`;

/**
 * The drawing of a token round the origin, 30 units in radius.
 * @param house its worth is our own figure; `small` whether it is drawn very small.
 */
export function disc(token, bag, colours, house, small = false) {
  const { kind, of } = parted(token);
  if (isSand(kind)) return RubbleFace;
  const book = kind === "book" || kind === "open_book";
  const colour = kind === "book" ? colours[of] : kind === "open_book" ? "#8d8575" : colours[bag];
  const rim = classes("token-rim", small && house && !book && "ours");
  return html`
    <g class=${classes("token", book && "book")}>
      <circle r="30" class="under" cy="3" />
      <circle r="29" fill="url(#papyrus)" />
      <circle r="29" class=${rim} fill="none" stroke=${colour} stroke-width="5" />
      ${book ? bookFace(kind === "book" && of, colour) : (small ? smallFace : findFace)(bag, of, colour, house)}
    </g>
  `;
}

/** The sign a site is known by, for bags and cards. */
export const siteSign = (site) => printed("find", site) ?? FINDS[site] ?? FIND;

const SMALL = 40; // pixels

export const Token = ({ token, bag, colours, house, label, size = 46, ...more }) => html`
  <svg
    class="token-svg"
    viewBox="-34 -34 68 70"
    width=${size}
    height=${size}
    role=${label ? "img" : undefined}
    aria-label=${label}
    aria-hidden=${label ? undefined : "true"}
    ...${more}
  >
    ${disc(token, bag, colours, house, size < SMALL)}
  </svg>
`;
