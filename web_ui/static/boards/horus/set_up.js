// What lies where as the box is set up: the pieces of each place on the plan, as far as it has come.
import { html, upTo } from "../../html.js";
import { die } from "../../pieces/dice.js";
import { BlockBox, Plan, Stands, WIDE_RIM } from "../../pieces/plan.js";
import { Ankh } from "./index.js";
import { Back } from "./printed.js";
import { figure } from "./table.js";

function Board({ view, act, has }) {
  const { plan, mummies, sarcophagi, idols } = view.board;
  const tombs = sarcophagi.map((tomb) => ({ ...tomb, read: false, looted: !has("tombs") }));
  const full = has("idols") ? idols.map(({ god }) => god) : [];
  const under = (at, cell) => html`<${Stands} plan=${plan} at=${at} cell=${cell} tombs=${tombs} full=${full} />`;
  return html`
    <${Plan} plan=${plan} blocks=${{ fallen: [] }} mummies=${has("mummies") ? mummies : []} say=${act.say}
      name=${act.name} rim=${WIDE_RIM} under=${under} />
  `;
}

/** Each place's drawing, or nothing as long as nothing lies there. */
export const drawn = {
  board: (all) => html`<${Board} ...${all} />`,
  decks: ({ has }) => has("decks") && ["rubble", "hededet", "sobek"].map((of) => html`<${Back} key=${of} of=${of} />`),
  blocks: ({ view, act, has }) => has("blocks") && html`<${BlockBox} blocks=${view.board.blocks} say=${act.say} />`,
  dice: ({ view, has }) =>
    has("dice") &&
    html`
      <svg viewBox="-34 -34 332 76">
        ${view.board.dice.colours.map(
          (colour, i) => html`<g key=${colour} transform=${`translate(${i * 66} 0)`}>${die(i + 1, colour)}</g>`,
        )}
      </svg>
      <${Ankh} />
    `,
  mine: ({ view, has }) =>
    has("figures") &&
    upTo(view.seats.length).map((i) => html`<svg key=${i} viewBox="-24 -34 48 68">${figure(view.seats[i])}</svg>`),
};
