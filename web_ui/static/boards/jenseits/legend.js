// What the signs on the board mean.
import { classes, html } from "../../html.js";
import { outline } from "../../pieces/marker.js";
import { PURSE } from "./map.js";

const small = (children) => html`<svg class="legend-sign" viewBox="-16 -16 32 32">${children}</svg>`;

const coin = html`
  <circle r="14" fill="url(#brass)" class="total-coin" />
  <text y="6" class="legend-number">5</text>
`;
const hourglass = html`<path d="M-5-8H5M-5 8H5M-4-8C-4-2 4 2 4 8M4-8C4-2-4 2-4 8" class="legend-line" />`;
const book = (lacks) => html`
  <g class=${classes("knows", lacks && "lacks")}>
    <path d="M-15-14H12A3 3 0 0 1 15-11V14H-12A3 3 0 0 1-15 11Z" />
    <text dy=".34em">4</text>
  </g>
`;
const purse = html`
  <g class="bag-count">
    <path d=${PURSE} fill="#8a5a2b" transform="scale(.7)" />
  </g>
`;
const tick = (good, lacks) => html`
  <g class=${classes("permit", good ? "good" : "gone", lacks && "lacks")}>
    <circle r="11" />
    <path d=${good ? "M-5 0L-1 4L5-4" : "M-4-4L4 4M4-4L-4 4"} />
  </g>
`;
const find = html`
  <g class="first-find">
    <circle r="15" fill="#8a5a2b" />
    <text dy=".34em">1</text>
  </g>
`;
const stamp = (used) => html`
  <circle r="12.5" stroke="#8a5a2b" class="stamp-ring" />
  ${used && html`<path d="M-9 9L9-9" class="stamp-bar" />`}
  <text dy=".34em" class="stamp-number">3</text>
`;
const wanted = html`<circle r="11" stroke="#8a5a2b" class="wanted-rim" />`;

/** Each sign by its key, as it is drawn, and in words. */
export function legend(view, act) {
  const [first] = view.seats;
  const seat = outline(first.shape, 10, { fill: first.colour, stroke: first.colour, "stroke-width": 1.5 });
  const drawn = {
    total: coin,
    next: seat,
    looked: seat,
    weeks: hourglass,
    wanted,
    knows: book(false),
    knows_lacks: book(true),
    permit_good: tick(true),
    permit_lacks: tick(true, true),
    permit_gone: tick(false),
    points: html`
      <circle r="13" class="legend-points" />
      <text y="6" class="legend-number">4</text>
    `,
    bag: purse,
    first_find: find,
    stamp: stamp(false),
    stamp_lacks: html`<g class="stamp lacks">${stamp(false)}</g>`,
    stamp_used: stamp(true),
  };
  return Object.entries(drawn).map(([key, sign]) => [key, small(sign), act.say(`jenseits.page.sign.${key}`)]);
}
