// A hand, for its owner's eyes alone: the cards fan out, one is chosen by a touch, and what it asks for follows in
// place. On the tablet the hand is handed over and held open; nothing of it is on the page while it is covered.
import { classes, Component, html } from "../../html.js";
import { get } from "../../api.js";
import { Refused, Why } from "../../chrome/choosing.js";
import { Dialog } from "../../chrome/dialog.js";
import { Button } from "../../chrome/press.js";
import { Back, Face, kindSaid, printedOn, RegionSign } from "./cards.js";
import { Chart } from "../../pieces/chart.js";
import { Weeks } from "./chart.js";
import { Faces } from "./faces.js";
import { landSaid, rounded } from "./plan.js";

const USUAL = 4; // weeks that are offered at first, if they can be had
const GENERAL = ["excavation-general", "general_excavation"];

/** The hand as a row of kinds: known cards, then those that nobody has shown. */
const inHand = ({ hand, unknown }) => [...hand, ...Object.entries(unknown).map(([id, n]) => ({ id, n }))];

/** The cards that one which nobody has shown may be. */
function mayBe(view, id) {
  const { cards } = view.board;
  const options = view.ask.options ?? {};
  const playable = Object.keys(options.play ?? {}).filter((card) => cards[card].weeks === cards[id].weeks);
  const digs = Object.values(options.permits ?? {}).some((permits) => permits.includes("general"));
  return digs && cards.general_excavation.weeks === cards[id].weeks ? [...playable, "general_excavation"] : playable;
}

/** The weeks that are offered first: what is usual, or as few as turn over as many cards. */
function firstWeeks(rows, cards) {
  const may = rows.filter((row) => row.legal);
  const usual = rows[USUAL - 1]?.legal ? USUAL : (may[0]?.weeks ?? USUAL);
  return may.find(({ weeks }) => cards?.[weeks - 1] === cards?.[usual - 1])?.weeks ?? usual;
}

/** A dig with the chosen card: its region, once that is said, and its weeks. */
function digWith(view, chosen, id) {
  const general = GENERAL.includes(id);
  const region = general ? chosen.region : printedOn(view, id).region;
  const dig = region && view.ask.options?.dig?.[region];
  const rows = dig?.weeks ?? [];
  const weeks = chosen.weeks ?? firstWeeks(rows, dig?.cards);
  const move = { type: "dig", region, weeks, permit: general ? "general" : "region" };
  return { id, regions: general, region, dig, rows, weeks, answer: rows[weeks - 1], move };
}

/** What the chosen card would do as far as it is said: which choices are still to be made, and the move. */
function thought(view, chosen) {
  const id = chosen.as ?? chosen.id;
  const { kind } = printedOn(view, id);
  if (kind === "action") return { id, as: mayBe(view, id) };
  if (kind === "excavation" || kind === "general_excavation") return digWith(view, chosen, id);
  const answer = view.ask.options?.play?.[id];
  if (kind !== "scientist") return { id, answer, move: { type: "play", card: id }, plain: true };
  const { region } = chosen;
  return { id, regions: true, region, answer, move: region && { type: "play", card: id, region } };
}

/** Makes a move from the hand; on the tablet it is covered again. */
function play(act, move) {
  act.hold("card", null);
  act.hold("kept", null);
  act.set({ hand: null });
  act.move(move, { sound: move.type === "dig" ? "bag" : "knock" });
}

function Card({ view, act, id, n, i, of, chosen, onPress }) {
  const card = printedOn(view, id);
  const middle = i - (of - 1) / 2;
  const labels = [
    kindSaid(act, card),
    card.region && card.region !== "general" && act.name(card.region),
    n > 1 && `× ${n}`,
  ];
  return html`
    <button
      type="button"
      class=${classes("tr-held", chosen && "chosen")}
      style=${{ "--turn": `${middle * 2.4}deg`, "--down": `${Math.abs(middle) ** 1.6 * 2.2}px` }}
      aria-pressed=${chosen}
      onClick=${onPress}
    >
      <span class="unseen">${labels.filter(Boolean).join(", ")}</span>
      <span class="inside" aria-hidden="true">
        <${Face} view=${view} act=${act} id=${id} weeks=${card.play_weeks ?? card.weeks} />
        ${n > 1 && html`<b class="tr-times">×${n}</b>`}
      </span>
    </button>
  `;
}

/** The regions to choose from, in places that stay. */
const Regions = ({ view, act, chosen, onChoose }) => html`
  <div class="tr-regions" role="group" aria-label=${act.say("tomb_raiders.page.which_region")}>
    ${view.board.regions.map(
      ({ id }) => html`
        <${Button} key=${id} look="segment" pressed=${id === chosen} onPress=${() => onChoose(id)}>
          <${RegionSign} view=${view} region=${id} size=${30} /> ${act.name(id)}
        <//>
      `,
    )}
  </div>
`;

/** What so many cards may be expected to bring, by what everybody has seen. */
const digForetold = (act, forecast, cards) =>
  act.say("tomb_raiders.page.forecast", {
    cards: rounded(forecast.cards[cards]),
    points: rounded(forecast.points[cards]),
  });

/** What a dig would be: the chart lit at what is known, and the weeks. */
function Digging({ view, act, thinks, onWeeks }) {
  const { region, rows, weeks } = thinks;
  const prospect = view.ask.options.digs?.[region];
  const known = prospect?.knowledge;
  return html`
    <div class="tr-digging">
      <${Chart}
        rows=${view.board.chart.rows}
        house=${view.board.chart.from === "house"}
        say=${act.say}
        knowledge=${known?.total}
        helped=${prospect?.helped}
        weeks=${weeks}
      />
      <div class="tr-dig-weeks">
        ${
          known &&
          html`
            <p class="tr-known">
              <b>${act.say("tomb_raiders.page.knowledge", { n: known.total })}</b>${" "}
              <small>
                ${act.say("tomb_raiders.page.knowledge_of", known)}
                ${
                  prospect.helped > known.total &&
                  html` · ${act.say("tomb_raiders.page.helped", { n: prospect.helped })}`
                }
              </small>
            </p>
          `
        }
        ${
          prospect?.forecast &&
          html`<p class="tr-forecast">${digForetold(act, prospect.forecast, prospect.cards[weeks - 1])}</p>`
        }
        <${Weeks}
          view=${view}
          act=${act}
          rows=${rows}
          cards=${prospect?.cards ?? []}
          chosen=${weeks}
          onWeeks=${onWeeks}
        />
      </div>
    </div>
  `;
}

/** What the deed is called. */
function deedSaid(view, act, { move, dig, weeks, region }) {
  if (!dig) return act.say("tomb_raiders.page.do_play");
  const cards = view.ask.options.digs?.[region]?.cards[weeks - 1];
  return cards === undefined
    ? act.say("tomb_raiders.page.do_dig_weeks", { n: move.weeks })
    : act.say("tomb_raiders.page.do_dig", { n: move.weeks, cards });
}

/** Why it cannot be done, what is still to be said, or where it would lead; and the deed. */
function Deed({ view, act, thinks, can }) {
  const { answer, move, regions, region } = thinks;
  const ready = Boolean(move && answer?.legal && (!regions || region));
  const open = thinks.as ? "which_card" : "which_region";
  return html`
    <footer class="tr-deed">
      <p class=${classes(answer?.refusal && "refusal")}>
        ${
          answer?.refusal
            ? html`<${Why} answer=${answer} act=${act} />`
            : ready
              ? landSaid(view, act, answer)
              : act.say(`tomb_raiders.page.${open}`)
        }
      </p>
      <${Button} look="main" class="do-it" can=${can && ready} onPress=${() => play(act, move)}>
        ${deedSaid(view, act, thinks)}
      <//>
    </footer>
  `;
}

/** Which card one that nobody has shown is. */
const Which = ({ view, act, of, cards, can, onChoose }) => html`
  <div class="tr-regions" role="group" aria-label=${act.say("tomb_raiders.page.which_card")}>
    ${cards.map((id) => html`<${Button} key=${id} look="segment" onPress=${() => onChoose(id)}>${act.name(id)}<//>`)}
    ${
      act.mayMove &&
      hasAnother(view, of) &&
      html`
        <${Button} look="quiet" can=${can} onPress=${() => play(act, { type: "play", card: "another_kind" })}>
          ${act.say("tomb_raiders.page.take_another")}
        <//>
      `
    }
  </div>
`;

/** Whether one that nobody has shown may be one more than the box says. */
const hasAnother = ({ ask, board: { cards } }, id) =>
  (ask.options?.another ?? []).some((card) => cards[card].weeks === cards[id].weeks);

const aboutOf = (view, { kind }) =>
  ({ thief: `thief_${view.board.thief}`, general_excavation: "excavation" })[kind] ?? kind;

/** What the chosen card does, the choices it asks for, and the deed; the deed is always at the bottom. */
function Chosen({ view, act, chosen, can }) {
  const set = (more) => act.hold("card", { ...chosen, ...more });
  const thinks = thought(view, chosen);
  const about = aboutOf(view, printedOn(view, thinks.id));
  return html`
    <div class="tr-chosen">
      <p class="tr-does"><b>${act.name(thinks.id)}</b> ${act.say(`tomb_raiders.page.does.${about}`)}</p>
      ${
        thinks.as &&
        html`
          <${Which}
            view=${view}
            act=${act}
            of=${chosen.id}
            cards=${thinks.as}
            can=${can}
            onChoose=${(id) => set({ as: id })}
          />
        `
      }
      ${
        thinks.regions &&
        html`<${Regions} view=${view} act=${act} chosen=${thinks.region} onChoose=${(region) => set({ region })} />`
      }
      ${
        thinks.dig && html`<${Digging} view=${view} act=${act} thinks=${thinks} onWeeks=${(weeks) => set({ weeks })} />`
      }
      ${act.mayMove && view.ask.options?.play && html`<${Deed} view=${view} act=${act} thinks=${thinks} can=${can} />`}
    </div>
  `;
}

/** What was seen in a pile, until one's next move. */
const Seen = ({ view, act }) => {
  const { region, artifacts, rubble } = view.you.look;
  return html`
    <section class="tr-seen" aria-label=${act.say("tomb_raiders.page.seen", { region })}>
      <p>${act.say(artifacts.length ? "tomb_raiders.page.seen" : "tomb_raiders.page.seen_nothing", { region })}</p>
      <${Faces} view=${view} act=${act} ids=${rubble ? [...artifacts, `rubble-${region}`] : artifacts} />
    </section>
  `;
};

/** With the pile open: which artifact is kept. */
function Keeping({ view, act, can }) {
  const { card, region, artifacts } = view.ask.options.keep;
  const kept = act.chosen("kept");
  return html`
    <section class="tr-seen" aria-label=${act.say("tomb_raiders.page.keep", { region })}>
      <p>${act.say("tomb_raiders.page.keep", { region })}</p>
      <ul class="tr-faces">
        ${artifacts.map(
          (id) => html`
            <li key=${id}>
              <button type="button" class="tr-pick" aria-pressed=${id === kept} onClick=${() => act.hold("kept", id)}>
                <span class="unseen">${act.name(id)}</span>
                <span class="inside" aria-hidden="true"><${Face} view=${view} act=${act} id=${id} /></span>
              </button>
            </li>
          `,
        )}
      </ul>
      <footer class="tr-deed">
        <p>${kept ? act.name(kept) : act.say("tomb_raiders.page.choose_kept")}</p>
        <${Button}
          look="main"
          class="do-it"
          can=${can && kept !== null}
          onPress=${() => play(act, { type: "play", card, artifact: kept })}
        >
          ${act.say("tomb_raiders.page.do_keep")}
        <//>
      </footer>
    </section>
  `;
}

/** @param view the table as the owner of the hand sees it. */
export function Hand({ view, act, can = act.can }) {
  const cards = inHand(view.you);
  const chosen = act.chosen("card");
  const there = chosen && cards.some(({ id }) => id === chosen.id) ? chosen : null;
  const press = (id) => {
    const thinks = there?.id === id ? thought(view, there) : null;
    if (thinks?.plain && thinks.answer?.legal && can) return play(act, thinks.move);
    return act.hold("card", { id });
  };
  return html`
    <div class="tr-hand">
      ${view.you.look && !view.ask.options?.keep && html`<${Seen} view=${view} act=${act} />`}
      ${view.ask.options?.keep && html`<${Keeping} view=${view} act=${act} can=${can} />`}
      <div class="tr-fan" role="group" aria-label=${act.say("tomb_raiders.page.hand", { n: cards.length })}>
        ${cards.map(
          ({ id, n }, i) => html`
            <${Card}
              key=${id}
              view=${view}
              act=${act}
              id=${id}
              n=${n}
              i=${i}
              of=${cards.length}
              chosen=${there?.id === id}
              onPress=${() => press(id)}
            />
          `,
        )}
        ${cards.length === 0 && html`<p class="hint">${act.say("tomb_raiders.page.no_hand")}</p>`}
      </div>
      ${
        there
          ? html`<${Chosen} view=${view} act=${act} chosen=${there} can=${can} />`
          : cards.length > 0 &&
            !view.ask.options?.keep &&
            html`<p class="hint tr-touch">${act.say("tomb_raiders.page.touch_card")}</p>`
      }
    </div>
  `;
}

/** A seat's hand over the page: fetched when it is opened, gone when it is covered. */
export class Part extends Component {
  componentDidMount() {
    document.addEventListener("visibilitychange", this.hide);
    this.look();
  }

  componentDidUpdate({ view }) {
    if (view.played !== this.props.view.played) this.look();
  }

  componentWillUnmount() {
    document.removeEventListener("visibilitychange", this.hide);
    this.gone = true;
  }

  hide = () => document.hidden && this.cover();

  cover = () => {
    const { act } = this.props;
    act.hold("card", null);
    act.hold("kept", null);
    act.set({ hand: null });
  };

  async look() {
    const { view, seat } = this.props;
    if (view.me.seat === seat) return;
    try {
      const seen = await get(`/api/tables/${view.table}?seat=${seat}`);
      if (!this.gone) this.setState({ seen });
    } catch {
      // The banner says that the service is away; the hand stays covered.
    }
  }

  render({ view, act, seat }, { seen }) {
    const eyes = view.me.seat === seat ? view : seen;
    const { name } = view.seats[seat];
    return html`
      <${Dialog}
        look="sheet wide tr-hand-sheet"
        title=${act.say("tomb_raiders.page.hand_of", { name })}
        onClose=${this.cover}
      >
        ${
          eyes
            ? html`<${Hand} view=${eyes} act=${act} can=${act.can && eyes.played === view.played} />`
            : html`<p class="hint tr-covered"><${Back} view=${view} /></p>`
        }
        <${Refused} act=${act} />
      <//>
    `;
  }
}
