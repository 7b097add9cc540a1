// The weeks: a strip that begins where the hindmost marker stands, and on it where a move would lead.
import { html, upTo, classes } from "../../html.js";
import { outline, standing } from "../../pieces/marker.js";

const CELL = 60;
const LIFT = 15;
const TOP = 72; // room for a stack
const STANDS = TOP - 4; // on the upper edge, so that the week can be read
const BEHIND = 2; // weeks that are shown behind the hindmost

/**
 * @param plan what is thought about: `{seat, weeks}`, or null.
 * @param weeks how many weeks are seen; whoever is further on stands at the end, with the week.
 */
export function Strip({ view, act, plan, weeks = 22 }) {
  const { markers, next } = view.board.track;
  const first = Math.max(0, Math.min(...markers.map(({ at }) => at)) - BEHIND);
  const last = first + weeks - 1;
  const x = (week) => (Math.min(week, last) - first) * CELL + CELL / 2;
  const where = [...markers].sort((a, b) => a.seat - b.seat);
  const mine = plan && markers.find(({ seat }) => seat === plan.seat);
  return html`
    <svg
      class="track tr-strip"
      viewBox=${`-4 0 ${weeks * CELL + 8} ${TOP + CELL + 4}`}
      role="img"
      aria-label=${act.say("ui.track.label", {
        where: where.map(({ seat, week }) => act.say("ui.track.where", { name: view.seats[seat].name, week })),
      })}
    >
      <rect
        x="-3"
        y=${TOP - 3}
        width=${weeks * CELL + 6}
        height=${CELL + 6}
        rx="9"
        fill="url(#wood)"
        class="rail-wood"
      />
      ${upTo(weeks).map((i) => {
        const week = first + i;
        return html`
          <g
            key=${week}
            transform=${`translate(${i * CELL} ${TOP})`}
            class=${classes("week", `season-${Math.floor(week / 13) % 4}`)}
          >
            <rect x="2" y="2" width=${CELL - 4} height=${CELL - 4} rx="7" />
            <text
              x=${CELL / 2}
              y=${CELL - 21}
              dy=".34em"
              class=${classes("week-number", week % 4 === 0 && "marked")}
            >${week}</text>
          </g>
        `;
      })}
      ${
        next.length > 0 &&
        html`
          <rect x=${x(atOf(markers, next[0])) - CELL / 2 + 2} y=${TOP + 2} width=${CELL - 4} height=${CELL - 4} rx="7"
            class="next" />
        `
      }
      ${mine && plan.weeks > 0 && html`<${Ghost} view=${view} marker=${mine} weeks=${plan.weeks} x=${x} />`}
      ${[...markers]
        .sort((a, b) => a.height - b.height)
        .map(
          ({ seat, at, height }) => html`
            <g key=${seat} transform=${`translate(${x(at)} ${STANDS - height * LIFT})`}>
              <g data-piece=${`marker:${seat}`}>${standing(view.seats[seat])}</g>
              ${at > last && html`<text x="34" y="8" class="tr-beyond">${at}</text>`}
            </g>
          `,
        )}
    </svg>
  `;
}

const atOf = (markers, seat) => markers.find((m) => m.seat === seat).at;

/** Where the marker would land, on top of whoever stands there. */
function Ghost({ view, marker, weeks, x }) {
  const { markers } = view.board.track;
  const to = marker.at + weeks;
  const on = markers.filter(({ at, seat }) => at === to && seat !== marker.seat).length;
  const seat = view.seats[marker.seat];
  const [from, there, y] = [x(marker.at), x(to), STANDS];
  return html`
    <g class="ghost" aria-hidden="true">
      <path d=${`M${from} ${y}C${from} ${y - 66} ${there} ${y - 66} ${there} ${y - on * LIFT - 18}`} class="tr-way" />
      <g transform=${`translate(${there} ${y - on * LIFT})`}>
        <circle r="24" class="tr-ghost-ring" />
        ${outline(seat.shape, 15, { fill: seat.colour, class: "tr-ghost" })}
      </g>
    </g>
  `;
}
