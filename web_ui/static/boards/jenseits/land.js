// The ground of our map: coasts, seas and rivers from the Atlantic to the Gulf, drawn once.
import { html, upTo } from "../../html.js";

export const WIDE = 1000;
export const HIGH = 500;

const WEST = -10;
const NORTH = 60;
// East and south of here people dig: there the map is stretched, so that the sites stand well apart.
const EAST = 14;
const SOUTH = 42;

/** The map coordinates of a longitude and latitude. */
function at([east, north]) {
  const x = (Math.min(east, EAST) - WEST) * 14 + Math.max(0, east - EAST) * 19.5;
  const y = (NORTH - Math.max(north, SOUTH)) * 11.5 + Math.max(0, SOUTH - north) * 18.5;
  return [x, y];
}

const EARTH = {
  london: [-1, 52.2],
  paris: [2.5, 47.9],
  berlin: [13.2, 52.6],
  vienna: [16.2, 48],
  rome: [12.2, 42.2],
  warsaw: [21.5, 52.2],
  moscow: [37.6, 55.4],
  greece: [21.5, 40.5],
  crete: [26.4, 35.1],
  egypt: [31.2, 31],
  palestine: [36.6, 33],
  mesopotamia: [43.5, 35],
};

/** The middle of each city and site. */
export const PLACES = Object.fromEntries(Object.entries(EARTH).map(([place, point]) => [place, at(point)]));

const apart = (a, b) => Math.hypot(PLACES[a][0] - PLACES[b][0], PLACES[a][1] - PLACES[b][1]);

/** The places on a trip, both ends included: of the ways with the fewest legs the shortest on the map. */
export function way(routes, from, to) {
  let reached = new Map([[from, { path: [from], far: 0 }]]);
  const been = new Set();
  while (!reached.has(to) && reached.size > 0) {
    const further = new Map();
    for (const [here, { path, far }] of reached) {
      been.add(here);
      for (const next of routes.flatMap(([a, b]) => (a === here ? [b] : b === here ? [a] : []))) {
        const known = further.get(next);
        const now = far + apart(here, next);
        if (!been.has(next) && !reached.has(next) && !(known?.far <= now)) {
          further.set(next, { path: [...path, next], far: now });
        }
      }
    }
    reached = further;
  }
  return reached.get(to)?.path ?? [];
}

const MAINLAND = `
  21.5 64,22 60.2,25 60,29.5 60.2,28 59.5,24 59.3,23.5 58,21.5 57.3,21 55.5,19.5 54.4,16 54.3,14 54,11 54.2,
  10.5 55.2,10.6 57.4,8.3 56.8,8.5 54.5,7 53.6,4.8 53,3.5 51.4,1.7 50.8,.2 49.6,-1.3 49.6,-1.6 48.6,-4.7 48.5,
  -2.5 47.2,-1.3 45.5,-1.6 43.4,-8.5 43.7,-9.2 40.5,-9.3 38.6,-8.8 37,-6.3 36.7,-5.4 36,-2.2 36.7,-.4 38.2,
  .1 39.5,2 41.2,3.2 42,3.1 43.2,5 43.3,7 43.5,8.8 44.3,10.2 43.9,11 42.5,12.3 41.6,14.2 40.8,15.6 40,16 38.3,
  15.7 37.9,16.6 38.6,17.1 39.2,16.6 40,17 40.5,18.4 39.9,18.3 40.4,16 41.7,14.1 42.6,13.5 43.7,12.3 44.6,
  12.5 45.5,13.7 45.6,14.8 44.9,16 43.6,18.3 42.4,19.4 41.5,19.4 40.4,20.8 39,21.3 37.8,21.8 36.8,23 36.5,
  23.2 37.6,24 37.8,23.2 39.2,22.7 40.3,23.9 40.1,24.3 40.8,26 40.8,27.3 40.8,28.8 41.2,28.1 42,27.8 43,
  28.7 44.2,30 45.6,31.5 46.6,33 46,33.6 44.6,35.4 45.1,35 46.2,37.5 47,39 47.1,37.5 45.6,38.5 44.3,41 43,
  41.7 41.7,39.5 41.1,36.5 41.4,35 42,32.5 41.7,30 41.2,29.2 41,27.6 40.4,26.3 39.9,26.8 38.7,27.2 37.2,
  28.5 36.7,30.6 36.6,32 36.1,33.8 36.1,36 36.8,35.8 35.5,35.3 33.5,34.6 31.8,33.6 31.2,32.3 31.2,31 31.6,
  29.5 30.9,27.5 31.1,25 31.6,23 32.4,20.5 32.8,20 31,18 30.3,15.5 31.8,13 32.8,11 33.3,10.2 34.3,11 36,
  10.5 37.2,8 36.9,3 36.8,-2 35.2,-5.4 35.7,-6.5 34.5,-9.5 31.5,-10 29.5,-14 26,-16 24,56 24,56 64`;
const ISLANDS = [
  "5 64,5 59.5,7 58,10.5 59.2,11.5 58,12.7 55.6,14.2 55.5,16.5 57,18.5 59.5,17.5 61.5,18 64",
  `-5.5 50.1,-3.5 50.3,-1 50.8,1.3 51.2,.9 51.6,1.7 52.7,.2 53,-.3 54.2,-1.6 55.5,-2.2 57.5,-4 57.7,-3.2 58.6,
    -5 58.6,-6.2 57,-5 55.5,-3.2 54.9,-3 53.5,-4.5 53.2,-4.2 52.3,-5.2 51.8,-3 51.4,-4.3 51.1`,
  "-6 52.2,-10 51.6,-9.5 54,-8.3 55.2,-5.8 54.8",
  "9.4 43,9.5 42,9.1 41.5,8.6 42.2",
  "9.2 41.1,9.7 40,9.5 39.1,8.4 39,8.3 40.7",
  "12.5 38,15.4 38.2,15.1 36.8,12.7 37.6",
  "24.4 35.5,26.6 35.8,28.7 35.2,28.2 34,25.2 34.1",
  "32.3 35,33 35.4,34.6 35.6,33.6 34.6",
];
const WATERS = [
  "32.4 30,33.1 29,34.2 27.6,36 24,39.5 24,36.7 26.8,35.1 28.2,34.9 29.5,34.3 28.1,33.7 28.6",
  "47.9 30.1,50 29.6,51.6 27.6,56 26.5,56 24,51 25,50.1 26.8,48.2 28.8",
  "47 44.5,49 46.6,52 47,56 46.5,56 37,49.5 37.3,49 39.5,50.1 40.4,48 42.5",
];
const RIVERS = [
  "31 31.5,31.2 30,30.8 28,32.6 26,32.9 24",
  "38.5 38.5,38.2 36.5,40.5 35,43 33.5,45.5 31.9,47.8 30.4",
  "41 38,43.2 36.2,44.5 33.7,46.6 32.1,47.8 30.4",
  "9 48,12 48.8,16.4 48.1,19 47.5,19 45.4,24 43.8,28 44.3,29.6 45.2",
  "8 47.5,8 49.5,6.6 51.5,4.5 52",
  "33 56,38 56.5,44 56.2,49 55.2,48.5 51,46 48.6,48 46.2",
];

const points = (text) => text.split(",").map((pair) => at(pair.trim().split(" ").map(Number)));
const round = (n) => n.toFixed(1);

/** A soft line through points: each corner is cut in the middle of its sides. */
function soft(text, closed) {
  const all = points(text);
  const mid = ([a, b], [c, d]) => `${round((a + c) / 2)} ${round((b + d) / 2)}`;
  const whole = closed ? [...all, all[0], all[1]] : all;
  const bends = whole
    .slice(1, -1)
    .map((point, i) => `Q${round(point[0])} ${round(point[1])} ${mid(point, whole[i + 2])}`);
  const start = closed ? mid(whole[0], whole[1]) : `${round(all[0][0])} ${round(all[0][1])}`;
  return `M${start}${bends.join("")}${closed ? "Z" : `L${round(all.at(-1)[0])} ${round(all.at(-1)[1])}`}`;
}

const COAST = [MAINLAND, ...ISLANDS].map((each) => soft(each, true)).join("");
const INLETS = WATERS.map((each) => soft(each, true)).join("");
const STREAMS = RIVERS.map((each) => soft(each, false)).join("");

const hill = (x, y, size) =>
  `M${x - size} ${y}L${x} ${y - size * 1.1}L${x + size} ${y}
    M${x} ${y - size * 1.1}L${x + size * 0.25} ${y - size * 0.2}`;
const HILLS = [
  [262, 158, 11],
  [282, 162, 13],
  [304, 156, 10],
  [132, 205, 8],
  [148, 208, 10],
  [446, 178, 9],
  [640, 262, 10],
  [672, 258, 12],
  [760, 246, 13],
  [790, 252, 10],
  [905, 292, 12],
  [930, 302, 10],
  [60, 425, 10],
  [84, 420, 12],
  [110, 426, 9],
];
const palm = (x, y) =>
  `M${x} ${y}C${x + 1} ${y - 6} ${x} ${y - 11} ${x + 2} ${y - 16}M${x + 2} ${y - 16}
    C${x - 3} ${y - 20} ${x - 8} ${y - 18} ${x - 9} ${y - 14}M${x + 2} ${y - 16}
    C${x + 7} ${y - 20} ${x + 12} ${y - 18} ${x + 13} ${y - 14}M${x + 2} ${y - 16}
    C${x} ${y - 22} ${x + 5} ${y - 24} ${x + 8} ${y - 22}`;
const PALMS = [
  [560, 462],
  [590, 476],
  [838, 440],
  [480, 470],
];
const dune = (x, y, w) =>
  `M${x} ${y}C${x + w * 0.3} ${y - 7} ${x + w * 0.5} ${y - 7} ${x + w * 0.6} ${y - 2}
    C${x + w * 0.75} ${y - 6} ${x + w * 0.9} ${y - 4} ${x + w} ${y}`;
const DUNES = [
  [330, 452, 60],
  [400, 466, 46],
  [250, 440, 44],
  [930, 452, 50],
  [860, 472, 46],
  [440, 436, 40],
];
const wave = (x, y) => `M${x} ${y}q5-5 10 0t10 0`;
const WAVES = [
  [30, 60],
  [60, 110],
  [24, 170],
  [90, 200],
  [40, 250],
  [250, 60],
  [275, 30],
  [300, 300],
  [255, 330],
  [420, 330],
  [470, 372],
  [640, 380],
  [500, 400],
  [700, 205],
  [735, 212],
  [590, 330],
  [330, 350],
  [70, 330],
  [20, 330],
  [100, 30],
];

const ship = html`
  <g class="ship" transform="translate(418 350)">
    <path d="M-22 4H22L16 14H-15Z" class="hull" />
    <path d="M-2 4V-26M-2-24C12-20 14-10 12 0H-2M-2-22C-14-18-18-8-16 0H-2" class="sail" />
    <path d="M-30 18q6-5 12 0t12 0 12 0 12 0 12 0" class="foam" />
  </g>
`;

const rose = html`
  <g class="rose" transform="translate(944 96)">
    <circle r="34" class="rose-ring" />
    <circle r="28" class="rose-ring" />
    ${upTo(8).map(
      (i) => html`
        <path
          d=${i % 2 ? "M0-22L4-5L0 0L-4-5Z" : "M0-40L7-8L0 0L-7-8Z"}
          transform=${`rotate(${i * 45})`}
          class=${i % 2 ? "rose-minor" : "rose-major"}
        />
      `,
    )}
    <path d="M0-40L7-8L0 0Z" class="rose-north" />
  </g>
`;

/** Land and sea; one node, so that drawing the map again does not compare it. */
export const land = html`
  <g class="land" aria-hidden="true">
    <rect x="-80" y="-80" width=${WIDE + 160} height=${HIGH + 160} class="sea" />
    <path d=${WAVES.map(([x, y]) => wave(x, y)).join("")} class="waves" />
    <path d=${COAST} class="shallows" />
    <path d=${COAST} class="ground" />
    <path d=${INLETS} class="inlet" />
    <path d=${STREAMS} class="river" />
    <path d=${HILLS.map((each) => hill(...each)).join("")} class="hills" />
    <path d=${DUNES.map((each) => dune(...each)).join("")} class="dunes" />
    <path d=${PALMS.map((each) => palm(...each)).join("")} class="palms" />
    ${ship}
    ${rose}
  </g>
`;
