// What lies where as the box is set up: the pieces of each place on the plan, as far as it has come.
import { html, upTo } from "../../html.js";
import { Bag } from "../../pieces/bags.js";
import { standing } from "../../pieces/marker.js";
import { Years } from "../../pieces/track.js";
import { Face, Pile } from "./cards.js";
import { Lands } from "./map.js";
import { Stamp } from "./stamps.js";

function Board({ view, act, has }) {
  const { map } = view.board;
  const sites = map.sites.map((site) => ({ ...site, first_find: has("first_finds") ? site.first_find : null }));
  const shown = { ...map, sites, figures: has("figures") ? map.figures : [] };
  const board = { ...view.board, map: shown };
  return html`<${Lands} view=${{ ...view, board }} act=${act} looked=${0} siteSaid=${act.name} />`;
}

/** The markers, mixed and stacked, or still side by side. */
const Markers = ({ view, stacked }) => html`
  <svg viewBox="0 0 300 100">
    ${view.seats.map((seat, i) => {
      const at = stacked ? [150, 78 - i * 15] : [150 + (i - (view.seats.length - 1) / 2) * 50, 60];
      return html`<g key=${i} transform=${`translate(${at.join(" ")})`}>${standing(seat)}</g>`;
    })}
  </svg>
`;

const Track = ({ view, act, has }) => html`
  <${Years} years=${view.board.track.years} year=${view.board.track.year} say=${act.say} />
  <${Markers} view=${view} stacked=${has("stack")} />
`;

const pile = ({ view, act }, left) =>
  html`<${Pile} key=${left} left=${left} city=${act.name(view.board.map.home)} word="" view=${view} />`;

/** In how many piles the cards lie: equal ones, until the exhibitions are in and they are one. */
function piles(all) {
  if (all.has("open")) return [pile(all, "")];
  const count = all.has("two_piles") ? 2 : all.has("three_piles") ? 3 : 1;
  return upTo(count).map((i) => pile(all, count > 1 ? i + 1 : ""));
}

const Open = ({ view, act }) => {
  const colours = Object.fromEntries(view.board.map.sites.map((site) => [site.id, site.colour]));
  return view.board.open.map((card, i) =>
    card
      ? html`<${Face} key=${i} card=${card} colours=${colours} name=${act.name} view=${view} />`
      : html`<svg key=${i} viewBox="0 0 120 168"><rect x="6" y="6" width="108" height="156" rx="10"
          fill="url(#papyrus)" class="card-paper" /></svg>`,
  );
};

/** Each place's drawing, or nothing as long as nothing lies there. */
export const drawn = {
  board: (all) => html`<${Board} ...${all} />`,
  track: (all) => all.has("figures") && html`<${Track} ...${all} />`,
  bags: ({ view, has }) => has("bags") && view.board.bags.map((bag) => html`<${Bag} key=${bag.bag} bag=${bag} />`),
  draw: (all) => all.has("cards") && piles(all),
  open: (all) => all.has("open") && html`<${Open} ...${all} />`,
  mine: ({ view, has }) =>
    has("permits") &&
    view.board.map.sites.map((site) => html`<${Stamp} key=${site.id} site=${site} good=${true} known="" />`),
};
