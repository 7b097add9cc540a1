// The time track: a ring of weeks round the table with stacked markers, and the plate that shows the year.
import { html, upTo, classes } from "../html.js";
import { outline, standing } from "./marker.js";

export const CELL = 60;
const LIFT = 16;
const PACE = 70; // a print is left as the marker passes

/** The squares of a ring `cols` wide and `rows` high, clockwise from the far left corner, as [column, row]. */
export function ring(cols, rows) {
  const far = upTo(cols).map((c) => [c, 0]);
  const right = upTo(rows - 1).map((r) => [cols - 1, r + 1]);
  const near = upTo(cols - 1).map((c) => [cols - 2 - c, rows - 1]);
  const left = upTo(rows - 2).map((r) => [0, rows - 2 - r]);
  return [...far, ...right, ...near, ...left];
}

const middle = ([c, r]) => [c * CELL + CELL / 2, r * CELL + CELL / 2];

/** The squares a marker walks over from one week count to another: where it was, all between, and where it is. */
function way(squares, from, to) {
  const weeks = squares.length;
  const far = Math.abs(to - from);
  if (far === 0 || far > weeks) return [];
  const step = Math.sign(to - from);
  return upTo(far + 1).map((i) => middle(squares[(((from + i * step) % weeks) + weeks) % weeks]));
}

/** The same as offsets from where it ends, for the walk itself. */
function trail(walked) {
  const [x, y] = walked.at(-1) ?? [];
  return walked
    .slice(1, -1)
    .map(([a, b]) => `${a - x},${b - y}`)
    .join(" ");
}

/** What the newest step leaves behind: the marker's outline where it stood, and its prints on the way. */
const Prints = ({ walked: [[x, y], ...on], seat }) => html`
  <g class="prints" aria-hidden="true">
    <g transform=${`translate(${x} ${y})`}>
      ${outline(seat.shape, 15, {
        fill: "none",
        stroke: seat.colour,
        "stroke-width": 4,
        "stroke-dasharray": "5 4",
      })}
    </g>
    ${on.slice(0, -1).map(
      ([a, b], i) => html`
        <circle
          cx=${a}
          cy=${b + 12}
          r="6.5"
          fill=${seat.colour}
          style=${`animation-delay:${(i + 1) * PACE}ms`}
        />
      `,
    )}
  </g>
`;

export const season = (week) => Math.floor((week - 1) / 13);

// With a calendar weeks are counted from 1 and start anew each year; without one from 0, round after round.
const placed = (squares, m) => (m.year ? m.week - 1 : m.at) % squares.length;

function Week({ week, square, calendar }) {
  const [c, r] = square;
  const number = calendar ? week : week - 1;
  const marked = number === 1 || number % 4 === 0;
  return html`
    <g
      transform=${`translate(${c * CELL} ${r * CELL})`}
      class=${classes("week", `season-${season(week)}`, week === 1 && "new-year")}
    >
      <rect x="2" y="2" width=${CELL - 4} height=${CELL - 4} rx="7" />
      <path d="M9 4.5H51" class="week-light" />
      <text x="6" y="15.5" dy=".34em" class=${classes("week-number", marked && "marked")}>
        ${number}
      </text>
      ${week === 1 && html`<path d="M22 44 L30 30 L38 44 Z M30 30 V24" class="sunrise" />`}
    </g>
  `;
}

export const Next = ({ at: [x, y] }) =>
  html`<rect x=${x + 2} y=${y + 2} width=${CELL - 4} height=${CELL - 4} rx="7" class="next" />`;

// The weeks never change: each ring is made once, and the same node costs nothing to draw again.
const made = new Map();
function weeks(cols, rows, calendar) {
  const key = `${cols} ${rows} ${calendar}`;
  if (!made.has(key)) {
    const [wide, high] = [cols * CELL, rows * CELL];
    made.set(
      key,
      html`<g class="weeks">
        <path
          d=${`M-2-2H${wide + 2}V${high + 2}H-2ZM${CELL} ${CELL}V${high - CELL}H${wide - CELL}V${CELL}Z`}
          fill="url(#wood)"
          class="rail-wood"
        />
        ${ring(cols, rows).map((square, i) => html`<${Week} week=${i + 1} square=${square} calendar=${calendar} />`)}
      </g>`,
    );
  }
  return made.get(key);
}

/**
 * @param track the view's track; `before` the one before it, for the walk; `seats` for colour and shape.
 * @param cols, rows how the ring lies; 2 × (cols + rows) - 4 must be its number of weeks.
 */
export function Track({ track, before, seats, cols = 16, rows = 12, say, chosen, onSeat }) {
  const squares = ring(cols, rows);
  const ahead = track.next?.[0];
  const waiting = track.markers.find((m) => m.seat === ahead);
  const was = new Map((before?.markers ?? []).map((m) => [m.seat, m.at]));
  const ways = new Map(track.markers.map((m) => [m.seat, way(squares, was.get(m.seat) ?? m.at, m.at)]));
  const spot = (m) => {
    const [x, y] = middle(squares[placed(squares, m)]);
    return [x, y + 4 - m.height * LIFT];
  };
  return html`
    <svg
      class="track"
      viewBox=${`-4 -8 ${cols * CELL + 8} ${rows * CELL + 16}`}
      role="img"
      aria-label=${trackText(track, seats, say)}
    >
      ${weeks(cols, rows, Boolean(track.years?.length))}
      ${waiting && html`<${Next} at=${squares[placed(squares, waiting)].map((n) => n * CELL)} />`}
      <${Markers} track=${track} seats=${seats} ways=${ways} spot=${spot} chosen=${chosen} onSeat=${onSeat} />
    </svg>
  `;
}

/** The markers in their stacks, and what the newest step left behind of them; a touch chooses whose one is. */
export function Markers({ track, seats, ways, spot, chosen, onSeat, also }) {
  const beneathFirst = [...track.markers].sort((a, b) => a.height - b.height);
  return html`
    ${beneathFirst.map(
      (m) =>
        ways.get(m.seat).length > 1 &&
        html`<${Prints} key=${`prints${m.seat}:${m.at}`} walked=${ways.get(m.seat)} seat=${seats[m.seat]} />`,
    )}
    ${beneathFirst.map(
      (m) => html`
        <g
          key=${m.seat}
          class=${classes("on-track", chosen === m.seat && "chosen")}
          transform=${`translate(${spot(m).join(" ")})`}
          onClick=${onSeat && (() => onSeat(m.seat))}
        >
          ${chosen === m.seat && html`<circle r="29" class="halo" />`}
          <g data-piece=${`marker:${m.seat}`} data-trail=${trail(ways.get(m.seat))}>${standing(seats[m.seat])}</g>
          ${also?.(m)}
        </g>
      `,
    )}
  `;
}

export const trackText = (track, seats, say) => {
  const bySeat = [...track.markers].sort((a, b) => a.seat - b.seat);
  return say("ui.track.label", { where: bySeat.map((m) => whereabouts(m, seats, say)) });
};

const whereabouts = (m, seats, say) =>
  m.year
    ? say("ui.track.where_year", { name: seats[m.seat].name, week: m.week, year: String(m.year) })
    : say("ui.track.where", { name: seats[m.seat].name, week: m.week });

/** The year marker on its plate of years. */
export function Years({ years, year, say }) {
  const wide = 84;
  return html`
    <svg
      class="years"
      viewBox=${`0 0 ${years.length * wide + 16} 60`}
      role="img"
      aria-label=${say("ui.track.year", { year: String(year) })}
    >
      <rect
        x="1.5"
        y="1.5"
        width=${years.length * wide + 13}
        height="57"
        rx="12"
        class="plate"
        fill="url(#brass)"
      />
      ${years.map(
        (each, i) => html`
          <g transform=${`translate(${8 + i * wide} 8)`}>
            <rect
              x="3"
              y="0"
              width=${wide - 6}
              height="44"
              rx="7"
              class=${classes("year", each === year && "now")}
            />
            <text x=${wide / 2} y="22" dy=".34em" class=${classes("year-number", each === year && "now")}>
              ${each}
            </text>
          </g>
        `,
      )}
    </svg>
  `;
}
