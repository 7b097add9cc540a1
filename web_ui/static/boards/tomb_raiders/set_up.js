// What lies where as the box is set up: the pieces of each place on the plan, as far as it has come.
import { html, upTo } from "../../html.js";
import { Bag } from "../../pieces/bags.js";
import { SeatSign } from "../../pieces/marker.js";
import { Strip } from "../../pieces/strip.js";
import { Back, colourOf } from "./cards.js";
import { Professor } from "./table.js";

const WEEKS = 14;

/** The weeks, and once they are stacked everybody's markers on the first. */
function Weeks({ view, act, has }) {
  const { track } = view.board;
  const stacked = view.seats.map((_, seat) => ({ seat, at: 0, week: 0, height: seat }));
  const shown = { markers: has("stack") ? stacked : track.markers, next: [] };
  return html`<${Strip} track=${shown} seats=${view.seats} say=${act.say} weeks=${WEEKS} />`;
}

const backs = (view, count) => upTo(count).map((i) => html`<${Back} key=${i} view=${view} />`);

const ON_DISPLAY = 3;

/** Each place's drawing, or nothing as long as nothing lies there. */
export const drawn = {
  professors: ({ view, act, has }) =>
    has("professors") &&
    view.board.professors.map(({ id }) => html`<${Professor} key=${id} view=${view} act=${act} id=${id} />`),
  display: ({ view, has }) =>
    has("turn_up") &&
    upTo(ON_DISPLAY).map(
      (i) => html`<svg key=${i} viewBox="0 0 120 80"><rect x="4" y="4" width="112" height="72"
      rx="8" fill="url(#papyrus)" stroke=${colourOf(view)} /><path d="M32 34L60 20L88 34ZM38 36V58M52 36V58
      M68 36V58M82 36V58M32 62H88"
      fill="none" stroke="#4a3418" stroke-width="4" /></svg>`,
    ),
  piles: ({ view, has }) =>
    has("turn_up") &&
    view.board.regions.map(({ id, colour }) => html`<${Bag} key=${id} bag=${{ bag: id, left: null, colour }} />`),
  draw: ({ view, has }) => has("shuffle") && html`<${Back} view=${view} />`,
  storage: ({ view, has }) => has("turn_up") && backs(view, has("stop") ? 4 : 2),
  track: (all) => html`<${Weeks} ...${all} />`,
  mine: ({ view, has }) =>
    has("hands") &&
    view.seats.map(
      (seat, i) => html`
        <span key=${i} class="set-seat">
          <${SeatSign} seat=${seat} size=${22} />
          ${view.board.regions.slice(0, 3).map(({ id }) => html`<${Back} key=${id} view=${view} region=${id} />`)}
        </span>
      `,
    ),
};
