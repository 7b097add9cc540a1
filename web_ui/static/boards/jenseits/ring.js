// The ring of weeks, and on it a ghost: where the marker would land after what is planned, and how it would get there.
import { html, upTo } from "../../html.js";
import { outline } from "../../pieces/marker.js";
import { ring, Track } from "../../pieces/track.js";

const CELL = 60;
const middle = ([c, r]) => [c * CELL + CELL / 2, r * CELL + CELL / 2];

function Ghost({ marker, seat, weeks, squares }) {
  const round = squares.length;
  const spots = upTo(weeks).map((i) => middle(squares[(marker.at + i + 1) % round]));
  const [x, y] = spots.at(-1);
  return html`
    <g class="ghost" aria-hidden="true">
      <path
        d=${`M${[middle(squares[marker.at % round]), ...spots].map((each) => each.join(" ")).join("L")}`}
        class="ghost-way"
      />
      <g transform=${`translate(${x} ${y + 4})`}>
        <circle r="25" class="ghost-ring" />
        ${outline(seat.shape, 16, { fill: seat.colour, class: "ghost-marker" })}
      </g>
    </g>
  `;
}

/** @param plan what is planned: `{seat, weeks}`, or null. */
export function Ring({ view, act, plan, cols, rows }) {
  const { track } = view.board;
  return html`
    <${Track}
      track=${track}
      before=${act.before?.board.track}
      seats=${view.seats}
      say=${act.say}
      cols=${cols}
      rows=${rows}
    />
    ${
      plan &&
      html`
        <svg class="track over-track" viewBox=${`-4 -8 ${cols * CELL + 8} ${rows * CELL + 16}`} aria-hidden="true">
          <${Ghost}
            marker=${track.markers.find((m) => m.seat === plan.seat)}
            seat=${view.seats[plan.seat]}
            weeks=${plan.weeks}
            squares=${ring(cols, rows)}
          />
        </svg>
      `
    }
  `;
}
