// The time track where years do not come round: a strip of weeks that begins where the hindmost marker stands.
import { html, upTo, classes } from "../html.js";
import { CELL, Markers, Next, season, trackText } from "./track.js";

const TOP = 72; // above a strip: room for a stack
const STANDS = TOP - 4; // on its upper edge, so that the week can be read
const CLOSER = 15; // how much higher each of a stack stands there
const BEHIND = 2; // weeks that are shown behind the hindmost

/**
 * The weeks as a strip that begins where the hindmost marker stands.
 * @param weeks how many are seen; whoever is further on stands at the end, with the week.
 * @param over what is drawn between weeks and markers: `(where) → vnode`, with `where(week, height)` in its units.
 */
export function Strip({ track, before, seats, weeks = 22, say, over, chosen, onSeat }) {
  const { markers } = track;
  const hindmost = markers.length ? Math.min(...markers.map(({ at }) => at)) : 0; // none before they are stacked
  const first = Math.max(0, hindmost - BEHIND);
  const last = first + weeks - 1;
  const where = (week, height = 0) => [(Math.min(week, last) - first + 0.5) * CELL, STANDS - height * CLOSER];
  const was = new Map((before?.markers ?? []).map((m) => [m.seat, m.at]));
  const walked = (m) => straight(was.get(m.seat) ?? m.at, m.at).filter((at) => at >= first && at <= last);
  const ways = new Map(markers.map((m) => [m.seat, walked(m).map((at) => where(at))]));
  const waiting = markers.find((m) => m.seat === track.next?.[0]);
  return html`
    <svg
      class="track track-strip"
      viewBox=${`-4 0 ${weeks * CELL + 8} ${TOP + CELL + 4}`}
      role="img"
      aria-label=${trackText(track, seats, say)}
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
      ${upTo(weeks).map((i) => html`<${OnStrip} key=${first + i} week=${first + i} x=${i * CELL} />`)}
      ${waiting && html`<${Next} at=${[where(waiting.at)[0] - CELL / 2, TOP]} />`}
      ${over?.(where)}
      <${Markers}
        track=${track}
        seats=${seats}
        ways=${ways}
        spot=${(m) => where(m.at, m.height)}
        chosen=${chosen}
        onSeat=${onSeat}
        also=${(m) => m.at > last && html`<text x="-40" y="8" class="beyond">${m.at}</text>`}
      />
    </svg>
  `;
}

const OnStrip = ({ week, x }) => html`
  <g transform=${`translate(${x} ${TOP})`} class=${classes("week", `season-${season(week + 1) % 4}`)}>
    <rect x="2" y="2" width=${CELL - 4} height=${CELL - 4} rx="7" />
    <text
      x=${CELL / 2}
      y=${CELL - 21}
      dy=".34em"
      class=${classes("week-number", week % 4 === 0 && "marked", week > 99 && "long")}
    >
      ${week}
    </text>
  </g>
`;

/** Every week from one to another; none where it is the same. */
const straight = (from, to) =>
  from === to ? [] : upTo(Math.abs(to - from) + 1).map((i) => from + i * Math.sign(to - from));
