// What lies where as the box is set up: the pieces of each place on the plan, as far as it has come.
import { html, upTo } from "../../html.js";
import { Coins } from "../../pieces/coins.js";
import { Tray } from "../../pieces/tray.js";
import { Purse } from "./turn.js";

const QUARTER = 90; // degrees
const BANK = 24; // silver that is drawn

/** So many layers lie by now, of so many. */
function laid({ view, has }) {
  const all = view.board.tray.layers;
  if (has("top_layer")) return all;
  if (has("middle_layers")) return all - 1;
  return has("first_layer") ? 1 : 0;
}

function Filled(all) {
  const { view, has } = all;
  const { tray } = view.board;
  const depth = laid(all);
  const blank = tray.squares[0].top ?? "earth";
  const squares = tray.squares.map(({ square }) => ({
    square,
    depth,
    top: depth === tray.layers ? blank : null,
    barricade: null,
  }));
  return html`
    <div class="set-turned" style=${has("turn_tray") ? `rotate:${QUARTER}deg` : ""}>
      <${Tray} tray=${{ ...tray, squares }} seats=${view.seats} named="" nameOf=${() => ""} can=${() => false} />
    </div>
  `;
}

/** The layers that still lie beside the tray: the darkest lowest. */
const Layers = (all) => html`
  <svg viewBox="0 0 120 140">
    ${upTo(all.view.board.tray.layers - laid(all)).map((i) => {
      const layer = laid(all) + i + 1;
      const [x, y] = [8 + (i % 3) * 38, 12 + Math.floor(i / 3) * 64];
      return html`<rect key=${layer} x=${x} y=${y} width="32" height="50" rx="5" class=${`earth-${layer}`} />`;
    })}
  </svg>
`;

/** Each place's drawing, or nothing as long as nothing lies there. */
export const drawn = {
  tray: (all) => html`<${Filled} ...${all} />`,
  layers: (all) => all.has("sort") && html`<${Layers} ...${all} />`,
  bank: ({ view }) => html`<${Coins} amount=${BANK} gold=${view.board.gold_in_silver ?? 5} label="" />`,
  mine: ({ view, act, has }) =>
    has("purses") && html`<span class="set-seat"><${Purse} view=${view} seat=${0} act=${act} /></span>`,
};
