// Every seat's chance to win over a whole game: a line for each, in its colour, with its sign at the end.
import { html } from "../../html.js";
import { percent, say } from "../../words.js";
import { outline } from "../../pieces/marker.js";

const WIDE = 340;
const HIGH = 170;
const ROOM = { left: 40, right: 26, top: 10, bottom: 12 };
const SIGN = 15; // so far apart stand the signs at the ends of lines

const x = (at, last) => ROOM.left + (at / Math.max(1, last)) * (WIDE - ROOM.left - ROOM.right);
const y = (share) => HIGH - ROOM.bottom - share * (HIGH - ROOM.top - ROOM.bottom);

const upright = (at) => `M${at} ${ROOM.top}V${HIGH - ROOM.bottom}`;
const way = (places) => places.map(([a, b], nth) => `${nth ? "L" : "M"}${a.toFixed(1)} ${b.toFixed(1)}`).join("");

/** The heights of the signs, pushed apart where lines end together. */
function apart(ends) {
  const sorted = ends.map((at, seat) => ({ at, seat })).sort((a, b) => a.at - b.at);
  for (let i = 1; i < sorted.length; i++) sorted[i].at = Math.max(sorted[i].at, sorted[i - 1].at + SIGN);
  const over = Math.max(0, sorted.at(-1).at - (HIGH - ROOM.bottom));
  const found = [];
  for (const { at, seat } of sorted) found[seat] = at - over;
  return found;
}

export function Chances({ study, seats }) {
  const rows = [...study.moments.map(({ chances }) => chances), study.end];
  const last = rows.length - 1;
  const signs = apart(study.end.map(y));
  const labels = seats.map(({ name }, i) =>
    say("evening.study.chance_of", { who: name, percent: `${percent(study.start[i])} → ${percent(study.end[i])}` }),
  );
  const turns = study.turns.map((seq) => study.moments.findIndex((each) => each.seq === seq));
  return html`
    <figure class="graph study-chances">
      <figcaption>${say("evening.study.chances")}</figcaption>
      <svg viewBox=${`0 0 ${WIDE} ${HIGH}`} role="img" aria-label=${labels.join(", ")}>
        ${[0, 0.5, 1].map(
          (share) => html`
            <g key=${share}>
              <path d=${`M${ROOM.left} ${y(share)}H${WIDE - ROOM.right}`} class="grid" />
              <text x=${ROOM.left - 5} y=${y(share) + 4} text-anchor="end">${percent(share)}</text>
            </g>
          `,
        )}
        ${turns.map((at) => html`<path key=${at} d=${upright(x(at, last))} class="turned" />`)}
        ${seats.map(
          (seat, i) => html`
            <g key=${i} stroke=${seat.colour} fill="none">
              <path
                d=${way(rows.map((row, at) => [x(at, last), y(row[i])]))}
                class="gone"
              />
              <g transform=${`translate(${WIDE - 12} ${signs[i]})`}>
                ${outline(seat.shape, 5, { fill: seat.colour, stroke: seat.colour, "stroke-width": 2 })}
              </g>
            </g>
          `,
        )}
      </svg>
    </figure>
  `;
}
