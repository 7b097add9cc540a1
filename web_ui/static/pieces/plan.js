// The pyramid from above: the block box, the plan that blocks fall on, and the corridor where mummies walk and turn.
import { html, upTo, classes } from "../html.js";
import { printed } from "./printed.js";
import { loadStylesheet } from "../stylesheets.js";

await loadStylesheet("style/plan", { beneath: true });

const CELL = 76;

/** Where each square lies, as [column, row]. */
function places(grid) {
  const squares = grid.flatMap((row, r) => row.map((square, c) => [square, [c, r]]));
  return new Map(squares.filter(([square]) => square));
}

const numbered = (square) => /^\d+$/.test(square);
const within = (list, square) => Array.isArray(list) && list.includes(square);

function ground(plan, square) {
  if (!numbered(square)) return "corridor";
  return ["sand", "pond"].find((area) => within(plan.areas?.[area], square)) ?? "den";
}

function walls(plan, at) {
  const between = plan.walls.map(([a, b]) => {
    const [[ac, ar], [bc, br]] = [at.get(a), at.get(b)];
    return ac === bc
      ? `M${ac * CELL} ${Math.max(ar, br) * CELL}h${CELL}`
      : `M${Math.max(ac, bc) * CELL} ${ar * CELL}v${CELL}`;
  });
  const outer = [];
  for (const [square, [c, r]] of at) {
    const open = within(plan.entrances, square);
    const has = (dc, dr) => Boolean(plan.grid[r + dr]?.[c + dc]);
    if (!has(0, -1)) outer.push(`M${c * CELL} ${r * CELL}h${CELL}`);
    if (!has(0, 1) && !open) outer.push(`M${c * CELL} ${(r + 1) * CELL}h${CELL}`);
    if (!has(-1, 0)) outer.push(`M${c * CELL} ${r * CELL}v${CELL}`);
    if (!has(1, 0)) outer.push(`M${(c + 1) * CELL} ${r * CELL}v${CELL}`);
  }
  return [...between, ...outer].join("");
}

export function Block({ number, fresh }) {
  return html`
    <g class=${classes("fallen", fresh && "fresh")}>
      <rect x="3" y="12" width=${CELL - 6} height=${CELL - 8} rx="7" class="under" />
      <rect x="5" y="9" width=${CELL - 10} height=${CELL - 10} rx="6" class="block-side" />
      <rect x="5" y="1" width=${CELL - 10} height=${CELL - 10} rx="6" fill="url(#stone)" />
      <path d="M10 5H66" class="block-light" />
      <path d="M12 24L24 18L30 28M52 56L60 46M20 54L28 58" class="crack" />
      <text x=${CELL / 2} y=${CELL / 2 - 2} dy=".34em" class="block-number">
        ${number}
      </text>
    </g>
  `;
}

const PLAIN = { linen: "#e2cf9f", sash: "#6b5433", crown: "", trim: "" };
const worn = (which, sash) => printed("mummy", which) ?? (sash ? { ...PLAIN, sash } : PLAIN);

/**
 * A mummy round the origin, looking the way it walks.
 * @param colour its sash, where the box prints none: that of whoever it was.
 */
export function mummy(which, [x, y], colour) {
  const turn = (Math.atan2(y, x) * 180) / Math.PI + 90;
  const { linen, sash, crown, trim } = worn(which, colour);
  const [lookX, lookY] = [Math.sign(x) * 2.2, Math.sign(y) * 1.2];
  return html`
    <g class="mummy">
      <g transform="scale(1.18)">
        <ellipse cy="24" rx="19" ry="7" class="shade" />
        <path
          d="M-14 24C-20 2-14-10-11-14C-12-28 12-28 11-14C14-10 20 2 14 24Z"
          fill=${linen}
        />
        <path
          d="M-11-14C-4-11 5-13 11-16M-15-4C-4 0 8-3 15-6M-15 19C-4 22 8 19 15 17"
          class="wrap"
        />
        <path d="M-17 5C-6 10 8 9 17 4L17 10C8 15-6 16-17 11Z" fill=${sash} class="sash" />
        <path d=${crown} fill=${sash} class="crown" />
        <path d=${trim} class="trim" />
        <path d="M-10-17H10V-11H-10Z" class="slit" />
        <g class="gaze" style=${`transform:translate(${lookX}px,${lookY}px)`}>
          <circle cx="-4.5" cy="-14" r="2.3" class="eye" />
          <circle cx="4.5" cy="-14" r="2.3" class="eye" />
        </g>
      </g>
      <g style=${`transform:rotate(${turn}deg)`} class="heading">
        <path d="M0-41L10-29H-10Z" />
      </g>
    </g>
  `;
}

/** The dust of its last walk, from square to square. */
function Dust({ at, m }) {
  const way = [...(m.walked ?? [])].map((square) => at.get(square).map((n) => n * CELL + CELL / 2));
  if (way.length < 2) return null;
  const points = way.map((point) => point.join(",")).join(" ");
  return html`
    <polyline points=${points} class="dust rim-of" />
    <polyline points=${points} class="dust" stroke=${worn(m.mummy, m.sash).sash} />
  `;
}

function walk(at, m, shift) {
  const [x, y] = at.get(m.square);
  return [...(m.walked ?? [])]
    .filter((square) => square !== m.square)
    .map((square) => at.get(square))
    .map(([a, b]) => `${(a - x) * CELL - shift},${(b - y) * CELL}`)
    .join(" ");
}

// Along its stretch, towards the end it looks at; a mummy standing at that end still looks there.
function heading(plan, at, m) {
  const stretch = plan.corridor[m.stretch];
  const [from, to] = m.towards === stretch[0] ? [stretch.at(-1), stretch[0]] : [stretch[0], stretch.at(-1)];
  return [at.get(to)[0] - at.get(from)[0], at.get(to)[1] - at.get(from)[1]];
}

/** One square: what it is made of, its number, and the way in. */
export function Square({ plan, square, c, r }) {
  const made = ground(plan, square);
  return html`
    <g transform=${`translate(${c * CELL} ${r * CELL})`} class=${classes("tile", made)}>
      <rect x="1.5" y="1.5" width=${CELL - 3} height=${CELL - 3} rx="5" />
      ${
        made === "sand" &&
        html`<rect x="1.5" y="1.5" width=${CELL - 3} height=${CELL - 3} class="grain" fill="url(#sand)" />`
      }
      ${made === "pond" && html`<path d="M12 40Q20 34 28 40T44 40T60 40M20 56Q28 50 36 56T52 56" class="ripple" />`}
      ${
        numbered(square) &&
        html`
          <text x="19" y="17" dy=".34em">
            ${square}
          </text>
        `
      }
      ${
        within(plan.entrances, square) &&
        html`<path d="M24 ${CELL - 16}L38 ${CELL - 26}L52 ${CELL - 16}" class="way-in" />`
      }
    </g>
  `;
}

const paved = ([c, r]) => `M${c * CELL} ${r * CELL}h${CELL}v${CELL}h-${CELL}z`;

/** What is built: the squares, the walls between them, and the thresholds. */
const Built = ({ plan, at }) => html`
  <path d=${[...at.values()].map(paved).join("")} class="plan-base" />
  ${[...at].map(([square, [c, r]]) => html`<${Square} key=${square} plan=${plan} square=${square} c=${c} r=${r} />`)}
  <path d=${walls(plan, at)} class="wall-shade" transform="translate(0 4)" />
  <path d=${walls(plan, at)} class="wall" />
  <path d=${walls(plan, at)} class="wall-light" transform="translate(0 -2)" />
  ${plan.entrances?.map(
    (square) => html`
      <path
        d="M8 6H68"
        transform=${`translate(${at.get(square)[0] * CELL} ${(at.get(square)[1] + 1) * CELL})`}
        class="threshold"
      />
    `,
  )}
`;

/** A block where it fell. */
function Fallen({ number, at, drawn }) {
  const [c, r] = at.get(String(number));
  return html`
    <g
      transform=${`translate(${c * CELL} ${r * CELL})`}
      data-piece=${`block:${number}`}
      data-from="blocks"
    >
      <${Block} number=${number} fresh=${number === drawn} />
    </g>
  `;
}

/** A mummy on its square; those that share one stand side by side. */
function Walker({ plan, at, mummies, nth }) {
  const m = mummies[nth];
  const [c, r] = at.get(m.square);
  const shift = mummies.slice(0, nth).filter((other) => other.square === m.square).length * 18;
  return html`
    <g
      transform=${`translate(${c * CELL + CELL / 2 + shift} ${r * CELL + CELL / 2 + 4})`}
      data-piece=${`mummy:${m.mummy}`}
      data-trail=${walk(at, m, shift)}
    >
      <g transform=${m.lying ? "rotate(78)" : undefined}>
        ${mummy(m.mummy, heading(plan, at, m), m.sash)}
      </g>
    </g>
  `;
}

// Where along its rim things can stand: the sides of a square that look out of the plan.
const SIDES = [
  [0, -1, 0],
  [-1, 0, 270],
  [1, 0, 90],
  [0, 1, 180],
];

const outsides = (plan, [c, r]) => SIDES.filter(([dc, dr]) => !plan.grid[r + dr]?.[c + dc]);

/**
 * Where each tomb and each alcove stands: outside its square, so that its square stays free for feet. The first
 * free side is a tomb's, the next an alcove's; an alcove before two squares lies between them.
 */
export function stands(plan, at, tombs) {
  const taken = new Map();
  const side = (square) => {
    const sides = outsides(plan, at.get(square));
    const nth = taken.get(square) ?? 0;
    taken.set(square, nth + 1);
    return sides[Math.min(nth, sides.length - 1)] ?? SIDES[0];
  };
  const before = tombs.map(({ square }) => [at.get(square), side(square)]);
  const alcoves = Object.entries(plan.alcoves).map(([god, squares]) => {
    const [one] = squares.map((square) => side(square));
    const places = squares.map((square) => at.get(square));
    const middle = [0, 1].map((axis) => places.reduce((sum, place) => sum + place[axis], 0) / places.length);
    return [god, middle, one];
  });
  return { tombs: before, alcoves };
}

/** Onto a place beside a square, looking away from it. */
const beside = ([c, r], [dc, dr, turn], cell) =>
  `translate(${(c + 0.5 + dc * 0.5) * cell + dc * FAR} ${(r + 0.5 + dr * 0.5) * cell + dr * FAR}) rotate(${turn})`;
const FAR = 19; // from the rim of its square

/**
 * Tombs and alcoves beside their squares, as the box prints them.
 * @param tombs `[{god, square, open, looted, card: {value} or null, read: whether somebody knows what lies in it}]`.
 * @param full the gods whose idol lies in its alcove.
 */
export function Stands({ plan, at, cell, tombs, full }) {
  const { tombs: before, alcoves } = stands(plan, at, tombs);
  return html`
    ${tombs.map(
      (tomb, i) => html`
        <g key=${i} transform=${beside(...before[i], cell)}>${printed("tomb", { ...tomb, turn: before[i][1][2] })}</g>
      `,
    )}
    ${alcoves.map(
      ([god, middle, side]) => html`
        <g key=${god} transform=${beside(middle, side, cell)}>
          ${printed("alcove", { god, there: full.includes(god), turn: side[2] })}
        </g>
      `,
    )}
  `;
}

/** How much room is left around the squares, where nothing stands beside them; and where something does. */
const RIM = { left: 12, top: 12, right: 12, bottom: 28 };
export const WIDE_RIM = { left: 44, top: 46, right: 44, bottom: 30 };

/**
 * Both of these take where each square lies, and how wide one is, and draw in the plan's own units.
 * @param under what lies on the squares, or beside them; blocks and mummies come upon it.
 * @param over what stands on the squares besides (figures, treasures), and what can be pressed: drawn last.
 * @param rim how much room is left around the squares.
 */
export function Plan({ plan, blocks, mummies = [], say, name, under, over, rim = RIM }) {
  const at = places(plan.grid);
  const [wide, high] = [plan.grid[0].length * CELL, plan.grid.length * CELL];
  const fallen = blocks?.fallen ?? [];
  const labels = mummies.map((m) =>
    say("ui.plan.mummy", { mummy: name(m.mummy), square: m.square, towards: m.towards }),
  );
  return html`
    <svg
      class="plan"
      viewBox=${[-rim.left, -rim.top, wide + rim.left + rim.right, high + rim.top + rim.bottom].join(" ")}
      role=${over ? "group" : "img"}
      aria-label=${[say("ui.plan.label", { n: fallen.length }), ...labels].join(" ")}
    >
      <${Built} plan=${plan} at=${at} />
      ${under?.(at, CELL)}
      ${fallen
        .filter((number) => at.has(String(number)))
        .map((number) => html`<${Fallen} key=${`block:${number}`} number=${number} at=${at} drawn=${blocks.drawn} />`)}
      ${mummies.map((m) => html`<${Dust} key=${`dust:${m.mummy}:${m.square}`} at=${at} m=${m} />`)}
      ${mummies.map((m, i) => html`<${Walker} key=${m.mummy} plan=${plan} at=${at} mummies=${mummies} nth=${i} />`)}
      ${over?.(at, CELL)}
    </svg>
  `;
}

/** The box the numbered blocks are drawn from. */
export const BlockBox = ({ blocks, say }) => html`
  <svg
    class="block-box"
    viewBox="0 0 200 132"
    role="img"
    aria-label=${say("ui.blocks.label", { n: blocks.left, of: blocks.of })}
    data-piece="blocks"
  >
    <ellipse cx="100" cy="118" rx="92" ry="12" class="shade" />
    ${upTo(Math.min(7, Math.ceil(blocks.left / 5))).map(
      (i) => html`
        <rect
          x=${26 + (i % 4) * 38}
          y=${i > 3 ? 8 : 26}
          width="34"
          height="40"
          rx="5"
          fill="url(#stone)"
          class="loose"
        />
      `,
    )}
    <path
      d="M10 46H190L180 112C179 118 176 120 170 120H30C24 120 21 118 20 112Z"
      fill="url(#wood)"
      class="crate"
    />
    <path d="M14 70H186M18 94H182" class="slat" />
    <g transform="translate(100 84)">
      <rect
        x="-48"
        y="-31"
        width="96"
        height="62"
        rx="8"
        fill="url(#brass)"
        class="plate"
      />
      <text dy=".34em" class="left-number">
        ${blocks.left}
      </text>
    </g>
  </svg>
`;
