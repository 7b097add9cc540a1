// Jenseits von Theben, refereed: the weeks run round the map, the cards lie beneath it, and every site can be dug.
import { html } from "../../html.js";
import { loadStylesheet } from "../../stylesheets.js";
import { name } from "../../words.js";
import { Years } from "../../pieces/track.js";
import { Token } from "../../pieces/tokens.js";
import { Beside, PapersSheet } from "./stamps.js";
import { Choices, planning, planOf } from "./plan.js";
import { digOf, DigSheet, NewestDig, openDig } from "./dig.js";
import { faceOf } from "./cards.js";
import { Lands, PURSE } from "./map.js";
import { Offer } from "./offer.js";
import { Pocket } from "./pocket.js";
import { Ring } from "./ring.js";
import { Lazy } from "../../chrome/lazy.js";
import { whyNot } from "../../chrome/choosing.js";
import { outline } from "../../pieces/marker.js";

const small = (children) => html`<svg class="legend-sign" viewBox="-16 -16 32 32">${children}</svg>`;

const coin = html`
  <circle r="14" fill="url(#brass)" class="total-coin" />
  <text y="6" class="legend-number">5</text>
`;
const hourglass = html`<path d="M-5-8H5M-5 8H5M-4-8C-4-2 4 2 4 8M4-8C4-2-4 2-4 8" class="legend-line" />`;
const book = html`
  <g class="knows">
    <path d="M-15-14H12A3 3 0 0 1 15-11V14H-12A3 3 0 0 1-15 11Z" />
    <text dy=".34em">4</text>
  </g>
`;
const purse = html`
  <g class="bag-count">
    <path d=${PURSE} fill="#8a5a2b" transform="scale(.7)" />
  </g>
`;
const tick = (good) => html`
  <g class=${`permit ${good ? "good" : "gone"}`}>
    <circle r="11" />
    <path d=${good ? "M-5 0L-1 4L5-4" : "M-4-4L4 4M4-4L-4 4"} />
  </g>
`;
const find = html`
  <g class="first-find">
    <circle r="15" fill="#8a5a2b" />
    <text dy=".34em">1</text>
  </g>
`;
const stamp = (used) => html`
  <circle r="12.5" stroke="#8a5a2b" class="stamp-ring" />
  ${used && html`<path d="M-9 9L9-9" class="stamp-bar" />`}
  <text dy=".34em" class="stamp-number">3</text>
`;
const wanted = html`<circle r="11" stroke="#8a5a2b" class="wanted-rim" />`;

/** Each sign by its key, as it is drawn, and in words. */
export function legend(view, act) {
  const [first] = view.seats;
  const seat = outline(first.shape, 10, { fill: first.colour, stroke: first.colour, "stroke-width": 1.5 });
  const drawn = {
    total: coin,
    next: seat,
    weeks: hourglass,
    wanted,
    knows: book,
    permit_good: tick(true),
    permit_gone: tick(false),
    points: html`
      <circle r="13" class="legend-points" />
      <text y="6" class="legend-number">4</text>
    `,
    bag: purse,
    first_find: find,
    stamp: stamp(false),
    stamp_used: stamp(true),
  };
  return Object.entries(drawn).map(([key, sign]) => [key, small(sign), act.say(`jenseits.page.sign.${key}`)]);
}

await loadStylesheet("boards/jenseits/style");

/** A site in one sentence: what one knows, whether one may dig, what is in the bag, and why not. */
const siteTold = (view, act, looked) => (site) => {
  const holder = view.board.seats[looked];
  const help = view.ask.options?.sites?.[site];
  const bag = view.board.bags.find((each) => each.bag === site);
  const facts = { site, known: holder.knowledge[site].total, n: bag.left };
  const told = act.say(holder.permits[site] ? "jenseits.page.site_good" : "jenseits.page.site_used", facts);
  return [told, help && whyNot(help, act)].filter(Boolean).join(" ");
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

function Table({ view, act }) {
  const plan = planOf(view, act);
  const dig = digOf(view, act);
  const looked = lookedAt(view, act.role);
  const papers = act.get("papers", null);
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
    ${act.narrow ? html`<${Pocket} ...${shared} />` : html`<${Wide} ...${shared} />`}
    ${dig && html`<${DigSheet} view=${view} act=${act} dig=${dig} />`}
    ${papers !== null && html`<${PapersSheet} view=${view} act=${act} seat=${papers} />`}
  `;
}

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
          load=${() => import("./sheet.js")}
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

/** Beneath what is asked: why it is this seat's turn, what is planned, and the way out. */
export const choices = (view, act) => html`<${Choices} view=${view} act=${act} />`;

const retire = () => import("./retire.js");

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

/** What comes up, for the screen that it fills. */
export const scenes = () => import("./scenes.js");
