// What the signs on the board mean.
import { html } from "../../html.js";
import { outline } from "../../pieces/marker.js";
import { Back, RegionSign } from "./cards.js";
import { Hat, Temple } from "./table.js";

const small = (drawing) => html`<svg class="legend-sign" viewBox="-16 -16 32 32">${drawing}</svg>`;

/** Each sign by its key, as it is drawn, and in words. */
export function legend(view, act) {
  const [first] = view.seats;
  const [{ id: region }] = view.board.regions;
  const seat = outline(first.shape, 10, { fill: first.colour, stroke: first.colour, "stroke-width": 1.5 });
  const drawn = {
    weeks: small(html`<path d="M-5-8H5M-5 8H5M-4-8C-4-2 4 2 4 8M4-8C4-2-4 2-4 8" class="hourglass lined" />`),
    next: small(seat),
    points: html`<b class="tr-points">6</b>`,
    step: html`<span class="tr-step reached"><b>5</b></span>`,
    gift: html`<b class="tr-gift">−2</b>`,
    knows: html`<b class="tr-knows still">4</b>`,
    professor: small(
      html`
        <circle r="13" class="tr-legend-bed" />
        <path d="M-10-4L0-9L10-4L0 1ZM-5-1V4C-3 7 3 7 5 4V-1" class="tr-cap" />
      `,
    ),
    expertise: html`<${RegionSign} view=${view} region=${region} />`,
    general: html`<${RegionSign} view=${view} region="general" />`,
    assistant: html`<${Hat} />`,
    congress: html`<${Temple} />`,
    won: html`<b class="tr-won">★</b>`,
    deck: html`<span class="tr-legend-deck"><${Back} view=${view} /></span>`,
    helped: small(html`<rect x="-14" y="-7" width="28" height="14" rx="4" class="chart-helped" />`),
    ...(view.board.house.length > 0 ? { house: html`<b class="tr-our">3</b>` } : {}),
  };
  return Object.entries(drawn).map(([key, sign]) => [
    key,
    sign,
    act.say(key === "house" ? "ui.house_sign" : `tomb_raiders.page.sign.${key}`),
  ]);
}
