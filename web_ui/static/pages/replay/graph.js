// How the points grew: a line for each seat, in its colour, with its sign at the end.
import { html } from "../../html.js";
import { number, say } from "../../words.js";
import { outline } from "../../pieces/marker.js";

const WIDE = 340;
const HIGH = 190;
const ROOM = { left: 30, right: 26, top: 12, bottom: 22 };
const SIGN = 16; // least distance between the signs at the ends of lines

/** A round step between two marks of an axis. */
function between(most, marks) {
  const rough = Math.max(1, most / marks);
  const ten = 10 ** Math.floor(Math.log10(rough));
  return ten * [1, 2, 5, 10].find((each) => each * ten >= rough);
}

const marksUpTo = (least, most, marks) => {
  const step = between(most - least, marks);
  const first = Math.ceil(least / step);
  return Array.from({ length: Math.floor(most / step) - first + 1 }, (_, i) => (first + i) * step);
};

/** The path of a line that keeps its height until the points change. */
const path = (points, x, y) =>
  points.map(({ along, points: had }, i) => (i === 0 ? `M${x(along)} ${y(had)}` : `H${x(along)}V${y(had)}`)).join("");

/** The heights of the signs, pushed apart where lines end together. */
function apart(ends) {
  const sorted = ends.map((y, seat) => ({ y, seat })).sort((a, b) => a.y - b.y);
  for (let i = 1; i < sorted.length; i++) sorted[i].y = Math.max(sorted[i].y, sorted[i - 1].y + SIGN);
  const over = Math.max(0, sorted[sorted.length - 1].y - (HIGH - ROOM.bottom));
  const found = [];
  for (const { y, seat } of sorted) found[seat] = y - over;
  return found;
}

/** @param growth as the service tells it; @param seq the step that is shown: what came later is faint. */
export function Graph({ growth, seats, seq }) {
  const all = growth.seats.flat();
  const most = Math.max(...all.map(({ along }) => along), 1);
  const top = Math.max(...all.map(({ points }) => points), 1);
  const low = Math.min(...all.map(({ points }) => points), 0);
  const x = (along) => ROOM.left + (along / most) * (WIDE - ROOM.left - ROOM.right);
  const y = (points) => HIGH - ROOM.bottom - ((points - low) / (top - low)) * (HIGH - ROOM.top - ROOM.bottom);
  const signs = apart(growth.seats.map((line) => y(line[line.length - 1]?.points ?? 0)));
  const labels = seats.map((seat, i) => {
    const past = growth.seats[i].filter((point) => point.seq <= seq);
    const last = past[past.length - 1];
    return say("evening.graph.points", { who: seat.name, points: number(last?.points ?? 0) });
  });
  return html`
    <figure class="graph">
      <figcaption>${say(growth.weeks ? "evening.graph.weeks" : "evening.graph.steps")}</figcaption>
      <svg viewBox=${`0 0 ${WIDE} ${HIGH}`} role="img" aria-label=${labels.join(", ")}>
        ${marksUpTo(low, top, 4).map(
          (points) => html`
            <g key=${`y${points}`}>
              <path d=${`M${ROOM.left} ${y(points)}H${WIDE - ROOM.right}`} class="grid" />
              <text x=${ROOM.left - 5} y=${y(points) + 4} text-anchor="end">${points}</text>
            </g>
          `,
        )}
        ${marksUpTo(0, most, 5).map(
          (along) => html`<text key=${`x${along}`} x=${x(along)} y=${HIGH - 5} text-anchor="middle">${along}</text>`,
        )}
        ${seats.map((seat, i) => {
          const line = growth.seats[i];
          const gone = line.filter((point) => point.seq <= seq);
          const now = gone[gone.length - 1];
          return html`
            <g key=${i} stroke=${seat.colour} fill="none">
              <path d=${path(line, x, y)} class="to-come" />
              <path d=${path(gone, x, y)} class="gone" />
              ${now && html`<circle cx=${x(now.along)} cy=${y(now.points)} r="4" fill=${seat.colour} class="now" />`}
              <g transform=${`translate(${WIDE - 12} ${signs[i]})`}>
                ${outline(seat.shape, 5, { fill: seat.colour, stroke: seat.colour, "stroke-width": 2 })}
              </g>
            </g>
          `;
        })}
      </svg>
      <p class="caption">${say("evening.graph.honest")}</p>
    </figure>
  `;
}
