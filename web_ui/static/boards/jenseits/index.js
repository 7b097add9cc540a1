// Jenseits von Theben, refereed: the weeks run round the map, the cards lie beneath it, and every site can be dug.
import { isNarrow } from "../../actions.js";
import { html } from "../../html.js";
import { loadStylesheet } from "../../stylesheets.js";
import { name } from "../../words.js";
import { SeatSign } from "../../pieces/marker.js";
import { Years } from "../../pieces/track.js";
import { Token } from "../../pieces/tokens.js";
import { Beside } from "./stamps.js";
import { Choices, planning, planOf } from "./plan.js";
import { NewestDig } from "./newest_dig.js";
import { faceOf } from "./cards.js";
import { Lands } from "./map.js";
import { Offer } from "./offer.js";
import { Ring } from "./ring.js";
import { fetchPart, Lazy } from "../../chrome/lazy.js";
import { whyNot } from "../../chrome/choosing.js";

await loadStylesheet("boards/jenseits/style");

/** A site in one sentence: what one knows, whether one may dig, what is in the bag, and why not. */
const siteTold = (view, act, looked) => (site) => {
  const holder = view.board.seats[looked];
  const help = view.ask.options?.sites?.[site];
  const bag = view.board.bags.find((each) => each.bag === site);
  const facts = { site, known: holder.knowledge[site].total, n: bag.left };
  const text = act.say(holder.permits[site] ? "jenseits.page.site_good" : "jenseits.page.site_used", facts);
  return [text, help && whyNot(help, act)].filter(Boolean).join(" ");
};

const goalOf = (view, plan) => {
  if (!plan) return null;
  const cards = [...view.board.open, ...Object.values(view.board.exhibitions)];
  return cards.find((card) => card?.id === plan.card)?.city ?? view.board.map.home;
};

/** The seat whose permits and knowledge are shown: one's own, or that of whoever acts. */
function lookedAt({ ask, board, me }, role) {
  if (role === "seat") return me.seat;
  return ask.options?.seat ?? board.drawing?.seat ?? board.track.next[0] ?? 0;
}

const dig = () => import("./dig.js");
const papersSheet = () => import("./papers_sheet.js");
const pocket = () => import("./pocket.js");
const openDig = (act) => (site) => act.hold("dig", { site, use: null, zeppelin: false, weeks: null });

function Table({ view, act }) {
  const plan = planOf(view, act);
  const looked = lookedAt(view, act.role);
  const whose = act.get("papers", null);
  const shared = {
    view,
    act,
    plan,
    looked,
    goal: goalOf(view, plan),
    choose: planning(act, plan),
    siteSaid: siteTold(view, act, looked),
    onSite: view.ask.options?.sites ? openDig(act) : null,
  };
  return html`
    ${act.narrow ? html`<${Lazy} load=${pocket} ...${shared} />` : html`<${Wide} ...${shared} />`}
    ${act.chosen("dig") && html`<${Lazy} load=${dig} view=${view} act=${act} />`}
    ${whose !== null && html`<${Lazy} load=${papersSheet} view=${view} act=${act} seat=${whose} />`}
  `;
}

/** On a screen for all: whose permits, knowledge and coins are shown, which change with whoever is asked. */
const LookedAt = ({ view, act, looked }) =>
  act.role !== "seat" &&
  html`
    <p class="looked-at" data-sign="looked">
      <${SeatSign} seat=${view.seats[looked]} size=${20} /> <span>${view.seats[looked].name}</span>
    </p>
  `;

const Wide = ({ view, act, plan, looked, goal, choose, siteSaid, onSite }) => html`
  <div class="jboard wide-board" data-played=${view.played}>
    <div class="ring-place">
      <${Ring} view=${view} act=${act} plan=${plan?.weeks ? plan : null} cols=${16} rows=${12} />
    </div>
    <div class="jwithin">
      <div class="map-place">
        <${Lands} view=${view} act=${act} looked=${looked} goal=${goal} siteSaid=${siteSaid} onSite=${onSite} />
        <div class="map-years">
          <${Years} years=${view.board.track.years} year=${view.board.track.year} say=${act.say} />
        </div>
        <${NewestDig} view=${view} act=${act} />
        <${LookedAt} view=${view} act=${act} looked=${looked} />
      </div>
      <${Offer} view=${view} act=${act} plan=${plan} choose=${choose} />
    </div>
  </div>
`;

export function board(view, act) {
  const sheet = view.settled && !act.get("table", false);
  return sheet
    ? html`
        <${Lazy}
          load=${score}
          view=${view}
          act=${act}
          onTable=${() => act.set({ table: true })}
        />
      `
    : html`<${Table} view=${view} act=${act} />`;
}

/** The picture to take home is on the score sheet, not in the rail. */
export const shows = { keepsake: true };

/** What lies before a seat. */
export const beside = (view, seat, act) => html`<${Beside} view=${view} seat=${seat} act=${act} />`;

const retire = () => import("./retire.js");
const score = () => import("./sheet.js");

/** What the first picture needs: the score sheet of a table that is over, the table as it is laid out on a phone. */
export const ready = (view) => Promise.all([view.settled && fetchPart(score), isNarrow() && fetchPart(pocket)]);

/** Beneath what is asked: why it is this seat's turn, what is planned, and the way out. */
export const choices = (view, act) => html`<${Choices} view=${view} act=${act} />`;

/** In the menu: the way out for good. */
export const menu = (view, act, onDone) => html`<${Lazy} load=${retire} view=${view} act=${act} onDone=${onDone} />`;

/** The space bar does what is planned. */
export function shortcut(view, act) {
  const plan = planOf(view, act);
  if (!plan?.answer.legal) return null;
  return () => {
    act.hold("plan", null);
    act.move({ ...plan.move, ...(plan.zeppelin ? { zeppelin: true } : {}) }, { sound: "knock" });
  };
}

/** Whether odds are shown while something is drawn: not where the table does without the help. */
export const odds = (view) => view.options.dig_help !== false;

const isCard = (view) => view.ask.randomizer === "cards";

/** A card that came up is looked for under its city. */
export const kindOf = (view, outcome) => faceOf(outcome, view.board.map.cities).city;

/** What came up, among those of its city. */
export const outcomeSaid = (view, outcome) =>
  isCard(view) ? name(faceOf(outcome, view.board.map.cities).face) : undefined;

/** A token to report, as a picture to touch. */
export function face(view, outcome) {
  if (view.ask.randomizer !== "tokens") return null;
  const colours = Object.fromEntries(view.board.bags.map((bag) => [bag.bag, bag.colour]));
  return html`<${Token} token=${outcome} bag=${view.ask.facts.site} colours=${colours} size=${44} label="" />`;
}

/** What is fetched once the table stands. */
export const later = [dig, papersSheet, retire, score, pocket];

/** What the signs on the board mean. */
export const legend = () => import("./legend.js");

/** What comes up, for the screen that it fills. */
export const scenes = () => import("./scenes.js");
