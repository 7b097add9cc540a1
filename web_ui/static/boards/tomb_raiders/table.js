// The middle of the table: weeks, piles, professors, the chart, and what lies open before everybody.
import { classes, html } from "../../html.js";
import { Lazy } from "../../chrome/lazy.js";
import { Button } from "../../chrome/press.js";
import { SeatSign } from "../../pieces/marker.js";
import { Bag } from "../../pieces/bags.js";
import { Back, colourOf, Face, isOurs, RegionSign } from "./cards.js";
import { HandButton } from "./hand_button.js";
import { Display, RealStorage, Storage } from "./offer.js";
import { Plan, planOf } from "./plan.js";
import { Weeks } from "./strip.js";

/** A professor: whose it is, or how many points of knowledge it waits for. */
export function Professor({ view, act, id }) {
  const { threshold, points, seat } = view.board.professors.find((each) => each.id === id);
  const holder = view.seats[seat];
  const label = holder
    ? act.say("tomb_raiders.page.professor_of", { professor: id, name: holder.name, n: points })
    : act.say("tomb_raiders.page.professor", { professor: id, n: threshold, points });
  return html`
    <span class=${classes("tr-professor", holder && "held")} role="img" aria-label=${label} data-sign="professor"
      data-piece=${`professor:${id}`}>
      <svg viewBox="-20 -20 40 40" width="30" height="30" aria-hidden="true">
        <circle r="18" fill="#fbf0d4" stroke=${colourOf(view, id)} stroke-width="4" />
        <path d="M-15-6L0-13L15-6L0 1ZM-8-2V6C-4 10 4 10 8 6V-2M13-5V6" class="tr-cap" />
      </svg>
      <span aria-hidden="true">
        ${holder ? html`<${SeatSign} seat=${holder} size=${22} />` : html`<small>${threshold}</small>`}
      </span>
    </span>
  `;
}

/** Where a real card's back has come up, a press on its pile puts it there. */
const tops = (view, act) => view.ask.kind === "chance" && ["top", "end"].includes(view.ask.question) && act.mayDeal;

function Pile({ view, act, region, onPile }) {
  const dig = view.ask.options?.digs?.[region.id];
  const putting = tops(view, act) && view.ask.odds.some(([outcome, weight]) => outcome === region.id && weight !== 0);
  const open = view.board.task?.region === region.id;
  const label = putting
    ? act.say("tomb_raiders.page.put_on", { region: region.id })
    : dig
      ? act.say("tomb_raiders.page.pile_known", { region: region.id, n: dig.knowledge.total })
      : act.say("tomb_raiders.page.pile", { region: region.id });
  return html`
    <div class="tr-pile">
      <button
        type="button"
        class=${classes("tr-pile-button", open && "open", putting && "putting")}
        aria-pressed=${putting ? undefined : act.get("region", null) === region.id}
        data-lit=${`pile:${region.id}`}
        onClick=${() => (putting ? act.canDeal && act.outcome(region.id) : onPile(region.id))}
      >
        <span class="unseen">${label}</span>
        <span class="inside" aria-hidden="true">
          <${Bag} bag=${{ bag: region.id, left: null, colour: colourOf(view, region.id) }} open=${open} />
          ${dig && html`<b class="tr-knows" data-sign="knows">${dig.knowledge.total}</b>`}
        </span>
      </button>
      <p class="tr-pile-name" aria-hidden="true">${act.name(region.id)}</p>
      <${Professor} view=${view} act=${act} id=${region.id} />
    </div>
  `;
}

/** The draw pile, which is the clock of the game, and the professor of the best knowledge. */
function Deck({ view, act }) {
  const { left, takes, most } = view.board.deck;
  const label =
    left === null
      ? act.say("tomb_raiders.page.takes", { n: takes, most })
      : act.say("tomb_raiders.page.left", { n: left });
  return html`
    <div class="tr-pile tr-deck">
      <span class="tr-deck-back" role="img" aria-label=${label} data-sign="deck">
        <${Back} view=${view} />
        <b aria-hidden="true">${left ?? `${takes}/${most}`}</b>
      </span>
      <p class="tr-pile-name" aria-hidden="true">${act.name("deck")}</p>
      <${Professor} view=${view} act=${act} id="best" />
    </div>
  `;
}

export const Piles = ({ view, act, onPile }) => html`
  <div class="tr-piles" role="group" aria-label=${act.name("piles")}>
    ${view.board.regions.map(
      (region) => html`<${Pile} key=${region.id} view=${view} act=${act} region=${region} onPile=${onPile} />`,
    )}
    <${Deck} view=${view} act=${act} />
  </div>
`;

/** The newest dig: the cards as they came up. */
export function digOf(view) {
  const { task } = view.board;
  if (task && (task.does === "dig" || task.does === "steal")) return { ...task, running: true };
  const drawn = [];
  for (const line of [...view.log].reverse().filter((each) => !each.undone)) {
    const { type } = line.what;
    if (line.kind === "outcome" && type === "find") drawn.unshift(line.what.token);
    if (line.kind !== "move") continue;
    if (drawn.length === 0 || !["dig", "play"].includes(type)) return null;
    const { card = null, region } = line.what;
    const does = type === "dig" ? "dig" : "steal";
    return { does, seat: line.seat, region: region ?? card.split("-")[1], of: drawn.length, drawn, seq: line.seq };
  }
  return null;
}

export function NewestDig({ view, act }) {
  const dig = digOf(view);
  if (!dig || (!dig.running && act.get("put_away", null) === dig.seq)) return null;
  const label = act.say(`tomb_raiders.page.${dig.does === "dig" ? "digs" : "steals"}`, {
    name: view.seats[dig.seat].name,
    region: dig.region,
  });
  return html`
    <section class="tr-newest" aria-label=${label}>
      <p>${label} <b>${dig.running ? `${dig.drawn.length} / ${dig.of}` : ""}</b></p>
      <ul class="tr-faces">
        ${dig.drawn.map(
          (id, i) => html`
            <li key=${i} data-piece=${`drawn:${i}`} data-from=${`bag:${dig.region}`}>
              <span class="unseen">${act.name(id)}</span>
              <${Face} view=${view} act=${act} id=${id} />
            </li>
          `,
        )}
      </ul>
      ${
        !dig.running &&
        html`
          <${Button}
            look="round"
            class="put-away"
            label=${act.say("ui.close")}
            onPress=${() => act.set({ put_away: dig.seq })}
          >
            ×
          <//>
        `
      }
    </section>
  `;
}

const Chip = ({ n, sign, children }) => html`<span class="tr-chip" data-sign=${sign}>${children}<b>${n}</b></span>`;

const Known = ({ view, region, n }) => html`
  <${Chip} n=${n} sign=${region === "general" ? "general" : "expertise"}>
    <${RegionSign} view=${view} region=${region} size=${24} />
  <//>
`;

/** What a seat knows, its assistants and congresses, as small signs. */
const Knows = ({ view, mine }) => html`
  <span class="tr-chips">
    ${Object.entries({ ...mine.expertise, general: mine.general })
      .filter(([, n]) => n > 0)
      .map(([region, n]) => html`<${Known} key=${region} view=${view} region=${region} n=${n} />`)}
    ${mine.assistants > 0 && html`<${Chip} n=${mine.assistants} sign="assistant"><${Hat} /><//>`}
    ${mine.congresses > 0 && html`<${Chip} n=${mine.congresses} sign="congress"><${Temple} /><//>`}
  </span>
`;

/** The sign of an assistant. */
export const Hat = () => html`
  <svg viewBox="-28 -34 56 36" width="26" height="20" aria-hidden="true">
    <path d="M-15-13C-15-33 15-33 15-13Z" class="tr-hat" />
    <path d="M-26-9C-18-18 18-18 26-9C18-5-18-5-26-9Z" class="tr-hat" />
  </svg>
`;

/** The sign of a congress. */
export const Temple = () => html`
  <svg viewBox="-18 -18 36 36" width="24" height="24" aria-hidden="true">
    <path d="M-15-4L0-14L15-4ZM-12-3V9M-4-3V9M4-3V9M12-3V9M-15 10H15" class="tr-temple" />
  </svg>
`;

/** The artifacts of a seat, region by region: the region's sign, and beside it what each is worth. */
const Artifacts = ({ view, finds }) =>
  view.board.regions
    .map(({ id }) => [id, finds.filter((find) => find.split("-")[1] === id)])
    .filter(([, from]) => from.length > 0)
    .map(
      ([region, from]) => html`
        <span key=${region} class="tr-artifacts">
          <${RegionSign} view=${view} region=${region} size=${24} />
          ${from.map(
            (find, i) => html`
              <b key=${i} class=${classes(isOurs(view, `artifact-${region}`) && "tr-our")}>${find.split("-")[2]}</b>
            `,
          )}
        </span>
      `,
    );

const seatText = (view, act, seat) => {
  const mine = view.board.seats[seat];
  const known = Object.entries({ ...mine.expertise, general: mine.general }).filter(([, n]) => n > 0);
  return [
    act.say("tomb_raiders.page.open_cards", { name: view.seats[seat].name, n: view.board.scores[seat].total }),
    ...known.map(([what, n]) => `${act.name(what)} ${n}`),
    mine.assistants > 0 && `${act.name("assistant")} ${mine.assistants}`,
    mine.congresses > 0 && `${act.name("congress")} ${mine.congresses}`,
    ...mine.finds.map((id) => act.name(id)),
    ...[...mine.exhibitions, ...mine.museums].map((id) => act.name(id)),
  ]
    .filter(Boolean)
    .join(", ");
};

const Shown = ({ mine }) =>
  [...mine.exhibitions, ...mine.museums].map(
    (id) =>
      html`<span key=${id} class=${classes("tr-won", id.startsWith("museum") && "museum")} data-sign="won">★</span>`,
  );

/** Everybody's open cards, a row for each; a touch lays them all out. */
export const OpenCards = ({ view, act }) => html`
  <div class="tr-everybody" role="group" aria-label=${act.say("tomb_raiders.page.everybody")}>
    ${view.seats.map((seat, i) => {
      const mine = view.board.seats[i];
      return html`
        <button type="button" key=${i} class="tr-row-of" aria-haspopup="dialog" data-piece=${`before:${i}`}
          onClick=${() => act.set({ papers: i })}>
          <span class="unseen">${seatText(view, act, i)}</span>
          <span class="inside" aria-hidden="true">
            <${SeatSign} seat=${seat} size=${26} />
            <${Knows} view=${view} mine=${mine} />
            <span class="tr-chips tr-finds">
              <${Artifacts} view=${view} finds=${[...mine.finds].sort()} />
              <${Shown} mine=${mine} />
            </span>
          </span>
        </button>
      `;
    })}
  </div>
`;

/** Beside a name: the points so far and the hand. */
export function Beside({ view, seat, act }) {
  const { total } = view.board.scores[seat];
  const { hand } = view.board.seats[seat];
  const own = view.me.seat === seat;
  const opens = !view.over && (act.role === "host" || (own && !act.narrow));
  return html`
    <span class="tr-beside">
      <b class="tr-score" role="img" aria-label=${act.say("tomb_raiders.page.points", { n: total })}>${total}</b>
      ${
        opens
          ? html`<${HandButton} view=${view} act=${act} seat=${seat} small=${true} />`
          : !own &&
            !view.over &&
            html`
            <span class="tr-hand-size" role="img" aria-label=${act.say("tomb_raiders.page.hand", { n: hand })}>
              ${hand}
            </span>
          `
      }
    </span>
  `;
}

/** The chart, which is laid out when a dig is thought about. */
export const chart = () => import("./chart_place.js");

/** Storage, as it is here: the companion's spaces, or what a real one may hold. */
export const Stored = (all) =>
  all.view.board.way === "companion" ? html`<${Storage} ...${all} />` : html`<${RealStorage} ...${all} />`;

/** Left what is taken and dug, right what is shown and who has what; a pile that is touched brings the chart. */
export const Wide = ({ view, act, plan, choose, onPile }) => html`
  <div class="tr-board" data-played=${view.played}>
    <${Weeks} view=${view} act=${act} plan=${plan} weeks=${22} />
    <div class="tr-left">
      <${Stored} view=${view} act=${act} plan=${plan} choose=${choose} />
      <div class="tr-digs">
        <${Piles} view=${view} act=${act} onPile=${onPile} />
        <${NewestDig} view=${view} act=${act} />
      </div>
    </div>
    <div class="tr-right">
      ${
        act.get("region", null)
          ? html`<${Lazy} key="chart" load=${chart} view=${view} act=${act} />`
          : html`<${Display} view=${view} act=${act} plan=${plan} choose=${choose} />`
      }
      <${OpenCards} view=${view} act=${act} />
    </div>
  </div>
`;

/** How far the others are ahead of whoever plays; on the same week they lie beneath. */
function Ahead({ view, act }) {
  const { markers, next } = view.board.track;
  const at = Object.fromEntries(markers.map((m) => [m.seat, m.at]));
  const [first, ...others] = next;
  return html`
    <div class="tr-ahead-row">
      <span class="tr-ahead-said" aria-hidden="true">${act.say("tomb_raiders.page.ahead_by")}</span>
      <ul class="tr-ahead">
        ${others.map(
          (seat) => html`
            <li key=${seat}>
              <span class="unseen">
                ${act.say(at[seat] === at[first] ? "tomb_raiders.page.beneath" : "tomb_raiders.page.ahead", {
                  name: view.seats[seat].name,
                  n: at[seat] - at[first],
                })}
              </span>
              <${SeatSign} seat=${view.seats[seat]} size=${22} />
              <b aria-hidden="true">+${at[seat] - at[first]}</b>
            </li>
          `,
        )}
      </ul>
    </div>
  `;
}

/** Beneath what is asked: how far the others are, one's hand, and what is planned. */
export function Choices({ view, act }) {
  const plan = planOf(view, act);
  const choosing = view.board.phase === "choosing";
  const opens = act.mayMove && (act.role === "host" || !act.narrow);
  return html`
    ${view.board.track.next[0] === view.ask.seat && html`<${Ahead} view=${view} act=${act} />`}
    ${opens && html`<${HandButton} view=${view} act=${act} seat=${view.ask.seat} />`}
    ${act.mayMove && plan && html`<${Plan} view=${view} act=${act} plan=${plan} />`}
    ${
      act.mayMove &&
      !plan &&
      html`<p class="ask-line">${act.say(`tomb_raiders.page.${choosing ? "choose_kept" : "choose"}`)}</p>`
    }
    ${
      act.mayMove &&
      !plan &&
      !choosing &&
      view.board.way !== "companion" &&
      html`
        <${Button} look="quiet" can=${act.can} onPress=${() => act.move({ type: "take", card: "another_kind" })}>
          ${act.say("tomb_raiders.page.take_another")}
        <//>
      `
    }
  `;
}
