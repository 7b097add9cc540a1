// The Pyramid of Horus, refereed: the plan on the table, five dice on a cloth, cards before everybody and in a hand.
import { classes, html } from "../../html.js";
import { loadStylesheet } from "../../stylesheets.js";
import { foldedRuns } from "../../chrome/log.js";
import { name, say } from "../../words.js";
import { Button } from "../../chrome/press.js";
import { die } from "../../pieces/dice.js";
import { cardSaid, Hand, hand, Tableau } from "./cards.js";
import { Face, heed, isOurs } from "./printed.js";
import { fetchPart, Lazy } from "../../chrome/lazy.js";
import { wonSaid } from "./won.js";
import { Pyramid } from "./table.js";
import { DiceTable, Throw, thrown } from "./dice.js";
import { Adventurers, Choices, Expected, handAbove, Pips, Shown, Slots, turnOf } from "./turn.js";

await loadStylesheet("boards/horus/style");

/** The hand beside the plan; on a phone whose cards lie with the choices, what is known of them. */
function HandBelow({ view, act }) {
  const above = handAbove(view, act);
  if (above && !act.narrow) return null;
  return html`
    <${Hand} view=${view} act=${act} only=${above && "known"} />
    ${above && view.board.asking === "ready" && html`<${Expected} view=${view} act=${act} />`}
  `;
}

const Beside = ({ view, act }) =>
  view.board.phase === "entering"
    ? html`<${Adventurers} view=${view} act=${act} />`
    : html`
      ${thrown(view, act).length < view.board.dice.gods.length && html`<${DiceTable} view=${view} act=${act} />`}
      ${!act.narrow && html`<${Slots} view=${view} act=${act} />`}
      <${Throw} view=${view} act=${act} />
      <div class=${classes("hor-row", act.role)}>
        <${HandBelow} view=${view} act=${act} />
        <${Shown} view=${view} act=${act} />
      </div>
      <${Tableau} view=${view} act=${act} />
    `;

const score = () => import("./sheet.js");

/** What the first picture needs: the score sheet of a table that is over, and the hand of one that has begun. */
export const ready = (view) => {
  if (view.settled) return fetchPart(score);
  return view.board.phase !== "entering" && fetchPart(hand);
};

export function board(view, act) {
  heed(view.board);
  if (view.settled && !act.get("table", false)) return html`<${Lazy} load=${score} view=${view} act=${act} />`;
  return html`
    <div class=${`hor-board ${view.board.phase}`} data-played=${view.played}>
      <${Pyramid} view=${view} act=${act} turn=${turnOf(view, act)} />
      <div class="hor-side">
        <${Beside} view=${view} act=${act} />
        ${
          view.settled &&
          html`
            <${Button} look="quiet" onPress=${() => act.set({ table: false })}>${act.say("horus.page.sheet")}<//>
          `
        }
        ${
          view.board.plan.from === "house" &&
          html`
            <p class="house-note">
              <span class="house">${act.say("ui.house")}</span> ${act.say("ui.plan.house")}
            </p>
          `
        }
      </div>
    </div>
  `;
}

/** The picture to take home is on the score sheet. */
export const shows = { keepsake: true };

/** Who has won, and by what. */
export const won = wonSaid;

/** Before a seat: its level, the actions it has left, its cards; or what became of it. */
export function beside(view, seat, act) {
  const own = view.board.seats[seat];
  if (own.fate !== "inside") {
    return html`<span class="hor-fate">${act.say(`horus.page.fate.${own.fate}`)}</span>`;
  }
  const labels = [
    act.say("horus.page.level", { n: own.level }),
    act.say("horus.page.left", { n: own.actions }),
    act.say("horus.page.cards", { n: own.cards, most: view.board.most_cards }),
    ...(view.board.keeper === seat ? [act.say("horus.page.keeper")] : []),
  ];
  return html`
    <span class="hor-standing" role="img" aria-label=${labels.join(", ")}>
      ${view.board.keeper === seat && html`<${Ankh} />`}
      <${Level} n=${own.level} />
      <${Pips} n=${own.actions} />
      <span class="hor-count">${own.cards}<small>/${view.board.most_cards}</small></span>
    </span>
  `;
}

export const Level = ({ n }) => html`
  <svg class=${classes("hor-level", isOurs(`level-${n}`) && "ours")} viewBox="-16 -18 32 36" aria-hidden="true"
    data-sign="level">
    <path d="M-13-14H13V2C13 10 6 15 0 17C-6 15-13 10-13 2Z" />
    <text y="-1" dy=".34em">
      ${n}
    </text>
  </svg>
`;

export const Ankh = () => html`
  <svg class="hor-ankh" viewBox="-12 -18 24 36" aria-hidden="true" data-sign="keeper">
    <path d="M0 0C-12-10-6-17 0-17S12-10 0 0ZM0 0V16M-9 3H9" />
  </svg>
`;

/** Beneath what is asked: the choices of the moment. */
export const choices = (view, act) => html`<${Choices} view=${view} act=${act} />`;

/** The space bar goes the way that is chosen. */
export const shortcut = (view, act) => turnOf(view, act).go ?? null;

/** Odds are shown where the table wants them. */
export const odds = (view) => view.board.odds;

/** A card as an outcome names it: ``treasure-sobek-5``, ``necklace-2``, ``snake``. */
function cardOf(outcome) {
  const [kind, ...rest] = String(outcome).split("-");
  const value = Number(rest.at(-1)) || null;
  return { card: outcome, kind, god: kind === "treasure" ? rest[0] : null, value };
}

const CARDS = ["search", "sarcophagi"];

/** What came up, as a picture to touch: a die as it lies, a card, a block. */
export function face(view, outcome) {
  const { randomizer, facts } = view.ask;
  if (CARDS.includes(randomizer)) return html`<${Face} card=${cardOf(outcome)} size=${34} />`;
  if (randomizer === "blocks") {
    return html`
      <svg viewBox="-24 -22 48 44" width="44" height="40" aria-hidden="true">
        <rect x="-22" y="-20" width="44" height="40" rx="6" fill="url(#stone)" class="loose" />
      </svg>
    `;
  }
  return html`
    <svg viewBox="-34 -34 68 76" width="44" height="48" aria-hidden="true">
      ${Number(outcome) ? die(Number(outcome), facts.colour ?? "white") : die(null, outcome)}
    </svg>
  `;
}

/** A card that is reported is called by what it is; a die and a block by their number. */
export function outcomeSaid(view, outcome) {
  if (!CARDS.includes(view.ask.randomizer)) return Number(outcome) ? String(outcome) : name(outcome);
  return cardSaid({ say, name }, cardOf(outcome));
}

/** Dice are reported beside the plan, all of a throw at once; the shell reports anything else. */
export const report = (view, act) =>
  thrown(view, act).length ? html`<p class="ask-line">${act.say("horus.page.report_dice")}</p>` : null;

/** Blocks are looked for under the area that they fall in. */
export function kindOf(view, outcome) {
  const { areas } = view.board.plan;
  return Object.keys(areas).find((area) => areas[area].includes(String(outcome)));
}

const DICE = ["die", "last_mummy_die"];

/** The dice of one throw are one line. */
export const folded = (log) =>
  foldedRuns(
    log,
    (last, line) => last.what.type === "die" && DICE.includes(line.what.type) && last.what.roll === line.what.roll,
  );

/** What is fetched once the table stands. */
export const later = [hand, score];

/** What the signs on the board mean. */
export const legend = () => import("./legend.js");

/** What comes up, for the screen that it fills. */
export const scenes = () => import("./scenes.js");
