// The weeks as a strip, and on it where a move would lead.
import { html } from "../../html.js";
import { outline } from "../../pieces/marker.js";
import { Strip } from "../../pieces/strip.js";

/**
 * @param plan what is thought about: `{seat, weeks}`, or null.
 * @param weeks how many weeks are seen.
 */
export function Weeks({ view, act, plan, weeks }) {
  const { track } = view.board;
  const mine = plan && track.markers.find(({ seat }) => seat === plan.seat);
  const ghost = (where) =>
    mine && plan.weeks > 0 && html`<${Ghost} view=${view} marker=${mine} weeks=${plan.weeks} where=${where} />`;
  return html`
    <${Strip}
      track=${track}
      before=${act.before?.board.track}
      seats=${view.seats}
      say=${act.say}
      weeks=${weeks}
      over=${ghost}
    />
  `;
}

/** Where the marker would land, on top of whoever stands there. */
function Ghost({ view, marker, weeks, where }) {
  const { markers } = view.board.track;
  const to = marker.at + weeks;
  const on = markers.filter(({ at, seat }) => at === to && seat !== marker.seat).length;
  const seat = view.seats[marker.seat];
  const [from, y] = where(marker.at);
  const [there, top] = where(to, on);
  return html`
    <g class="ghost" aria-hidden="true">
      <path d=${`M${from} ${y}C${from} ${y - 66} ${there} ${y - 66} ${there} ${top - 18}`} class="tr-way" />
      <g transform=${`translate(${there} ${top})`}>
        <circle r="24" class="tr-ghost-ring" />
        ${outline(seat.shape, 15, { fill: seat.colour, class: "tr-ghost" })}
      </g>
    </g>
  `;
}
