// The Tomb Raiders, refereed: weeks, storage and piles in the middle, and for each seat a hand that nobody else sees.
import { isNarrow } from "../../actions.js";
import { html } from "../../html.js";
import { loadStylesheet } from "../../stylesheets.js";
import { fetchPart, Lazy } from "../../chrome/lazy.js";
import { Back, printedOn, RegionSign } from "./cards.js";
import { done, planning, planOf } from "./plan.js";
import { Beside, chart, Choices, Wide } from "./table.js";

await loadStylesheet("boards/tomb_raiders/style");

/** A pile is touched: on one's own screen the card to dig there is chosen, in the middle its row of the chart lit. */
const touching = (view, act) => (region) => {
  act.set({ region: act.get("region", null) === region ? null : region });
  const [permit] = view.ask.options?.permits?.[region] ?? [];
  if (!permit || view.you === null) return;
  const general = view.you.hand.some(({ id }) => id === "excavation-general")
    ? "excavation-general"
    : "general_excavation";
  const id = permit === "region" ? `excavation-${region}` : general;
  act.hold("card", { id, region });
  act.set(act.narrow ? { tab: "hand" } : { hand: act.seat });
};

const handSheet = () => import("./hand.js");
const pocket = () => import("./pocket.js");
const museum = () => import("./museum.js");
const papers = () => import("./papers.js");

function Table({ view, act }) {
  const plan = planOf(view, act);
  const whose = act.get("papers", null);
  const hand = act.get("hand", null);
  const shared = { view, act, plan, choose: planning(act, plan), onPile: touching(view, act) };
  const mayLook = hand !== null && (act.role === "host" || view.me.seat === hand);
  return html`
    ${act.narrow ? html`<${Lazy} load=${pocket} ...${shared} />` : html`<${Wide} ...${shared} />`}
    ${act.chosen("museum") && html`<${Lazy} load=${museum} view=${view} act=${act} />`}
    ${whose !== null && html`<${Lazy} load=${papers} view=${view} act=${act} seat=${whose} />`}
    ${mayLook && html`<${Lazy} key=${hand} load=${handSheet} view=${view} act=${act} seat=${hand} />`}
  `;
}

const score = () => import("../../chrome/score_sheet.js");

/** What the first picture needs: the score sheet of a table that is over, the table as it is laid out on a phone. */
export const ready = (view) => Promise.all([view.settled && fetchPart(score), isNarrow() && fetchPart(pocket)]);

/** What is fetched once the table stands. */
export const later = [handSheet, chart, museum, papers, score, pocket];

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

/** What the signs on the board mean. */
export const legend = () => import("./legend.js");

/** What comes up, for the screen that it fills. */
export const scenes = () => import("./scenes.js");

/** What one told of the piles and the storage in many lines is one line each. */
export function folded(log) {
  return log.filter((line) => line.what.type !== "shuffled" && line.what.type !== "top");
}
