// The Tomb Raiders, refereed: weeks, storage and piles in the middle, and for each seat a hand that nobody else sees.
import { html } from "../../html.js";
import { loadStylesheet } from "../../stylesheets.js";
import { outline } from "../../pieces/marker.js";
import { Lazy } from "../../chrome/lazy.js";
import { Back, printedOn, RegionSign } from "./cards.js";
import { HandSheet } from "./hand.js";
import { MuseumSheet } from "./offer.js";
import { done, planning, planOf } from "./plan.js";
import { Pocket } from "./pocket.js";
import { Beside, Choices, Hat, PapersSheet, Temple, Wide } from "./table.js";

await loadStylesheet("boards/tomb_raiders/style");

/** A pile is touched: on one's own screen the card to dig there is chosen, in the middle its row of the chart lit. */
const touching = (view, act) => (region) => {
  act.set({ region });
  const [permit] = view.ask.options?.permits?.[region] ?? [];
  if (!permit || view.you === null) return;
  const general = view.you.hand.some(({ id }) => id === "excavation-general")
    ? "excavation-general"
    : "general_excavation";
  const id = permit === "region" ? `excavation-${region}` : general;
  act.hold("card", { id, region });
  act.set(act.narrow ? { tab: "hand" } : { hand: act.seat });
};

function Table({ view, act }) {
  const plan = planOf(view, act);
  const papers = act.get("papers", null);
  const hand = act.get("hand", null);
  const shared = { view, act, plan, choose: planning(act, plan), onPile: touching(view, act) };
  const mayLook = hand !== null && (act.role === "host" || view.me.seat === hand);
  return html`
    ${act.narrow ? html`<${Pocket} ...${shared} />` : html`<${Wide} ...${shared} />`}
    ${act.chosen("museum") && html`<${MuseumSheet} view=${view} act=${act} />`}
    ${papers !== null && html`<${PapersSheet} view=${view} act=${act} seat=${papers} />`}
    ${mayLook && html`<${HandSheet} key=${hand} view=${view} act=${act} seat=${hand} />`}
  `;
}

const score = () => import("../../chrome/score_sheet.js");

export function board(view, act) {
  const sheet = view.settled && !act.get("table", false);
  return sheet
    ? html`<${Lazy} load=${score} view=${view} act=${act} onTable=${() => act.set({ table: true })} />`
    : html`<${Table} view=${view} act=${act} />`;
}

/** The picture to take home is on the score sheet, not in the rail. */
export const shows = { keepsake: true };

/** Beside a name: points and hand. */
export const beside = (view, seat, act) => html`<${Beside} view=${view} seat=${seat} act=${act} />`;

/** Beneath what is asked: how far the others are, one's hand, what is planned. */
export const choices = (view, act) => html`<${Choices} view=${view} act=${act} />`;

/** The space bar does what is planned. */
export function shortcut(view, act) {
  const plan = planOf(view, act);
  return plan?.answer.legal ? () => done(act, plan) : null;
}

/** No odds: they would count a pile. */
export const odds = () => false;

/** What came up, as a picture to touch. */
export function face(view, outcome) {
  const id = String(outcome);
  if (view.board.regions.some((region) => region.id === id)) return html`<${Back} view=${view} region=${id} />`;
  if (id === "green_back") return html`<${Back} view=${view} />`;
  if (!id.startsWith("artifact-") && !id.startsWith("rubble-")) return null;
  const { kind, region, worth } = printedOn(view, id);
  if (kind === "rubble")
    return html`
      <svg viewBox="-40 -30 80 64" width="38" height="30" aria-hidden="true">
        <path class="tr-sand" d="M-34 26C-24 6-16 14-8 0C-2-10 8-8 12 2C18 10 26 2 34 26Z" />
      </svg>
    `;
  return html`
    <span class="tr-reported" aria-hidden="true">
      <${RegionSign} view=${view} region=${region} size=${34} /><b>${worth}</b>
    </span>
  `;
}

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

/** What comes up, for the screen that it fills. */
export const scenes = () => import("./scenes.js");

/** What one told of the piles and the storage in many lines is one line each. */
export function folded(log) {
  return log.filter((line) => line.what.type !== "shuffled" && line.what.type !== "top");
}
