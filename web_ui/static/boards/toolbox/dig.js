// The two boxes of digging: the weeks run round the table, the dial and the bags lie within.
import { html, upTo, classes } from "../../html.js";
import { Deck } from "./cards.js";
import { newest } from "./newest.js";
import { Button, Stepper } from "../../chrome/press.js";
import { Strip } from "../../pieces/strip.js";
import { Track, Years } from "../../pieces/track.js";
import { printed } from "../../pieces/printed.js";
import { Bag, Cloth } from "../../pieces/bags.js";
import { signed } from "../../words.js";

const isChart = () => printed("knowledge") === "chart";

let Knowledge = null; // the chart, or the dial, whichever lies in the box

/** Fetches what says how many weeks are worth how many tokens, and no other. */
export async function ready() {
  Knowledge = await (isChart() ? import("../../pieces/chart.js") : import("../../pieces/dial.js"));
}

const MOST_WEEKS = 12;
const FURTHEST = 60;

function Advance({ act, seats }) {
  const back = act.get("back", false);
  const weeks = act.get("weeks", null);
  const far = act.get("far", null);
  const who = seats[act.seat];
  const go = (n) => act.move({ type: "advance", seat: act.seat, weeks: back ? -n : n }, { sound: "knock" });
  const labelOf = (n) => act.say(back ? "ui.track.back_by" : "ui.track.on_by", { n, name: who.name });
  return html`
    <section class="advance tool" aria-label=${act.say("ui.track.advance", { name: who.name })}>
      <h2>${act.say(back ? "ui.track.put_back" : "ui.track.advance", { name: who.name })}</h2>
      ${
        far !== null &&
        html`
          <div class="tool-row far-row">
            <${Stepper}
              value=${far}
              least=${1}
              most=${FURTHEST}
              can=${act.ready}
              label=${act.say("toolbox.page.far")}
              less=${act.say("ui.less")}
              more=${act.say("ui.more")}
              onChange=${(n) => act.set({ far: n })}
            />
            <${Button} look="main" can=${act.can} label=${labelOf(far)} onPress=${() => go(far)}>
              ${signed(back ? -far : far)}
            <//>
          </div>
        `
      }
      <div class=${classes("weeks-row", far !== null && "far")}>
        ${upTo(MOST_WEEKS).map(
          (i) => html`
            <${Button}
              key=${i}
              look="number"
              class=${classes(weeks === i + 1 && "suggested")}
              can=${act.can}
              label=${labelOf(i + 1)}
              onPress=${() => go(i + 1)}
            >
              ${i + 1}
            <//>
          `,
        )}
        <${Button}
          look="segment"
          class="far-on"
          pressed=${far !== null}
          label=${act.say("toolbox.page.far")}
          onPress=${() => act.set({ far: far === null ? MOST_WEEKS + 1 : null })}
        >
          …
        <//>
        <${Button}
          look="segment"
          class="turn-back"
          pressed=${back}
          label=${act.say("ui.track.turn_back")}
          onPress=${() => act.set({ back: !back })}
        >
          <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
            <path d="M10 6L4 12L10 18M4 12H20" class="stroke" />
          </svg>
        <//>
      </div>
    </section>
  `;
}

const turnTo = (act) => (knowledge) => act.move({ type: "dial", knowledge });

/** The dial, or the chart where one lies in the box. */
function DialTool({ dial, act, children }) {
  const weeks = act.get("weeks", null);
  const shared = {
    weeks,
    say: act.say,
    can: act.can,
    onWeeks: (chosen, tokens) => act.set({ weeks: chosen, back: false, ...(tokens ? { count: tokens } : {}) }),
  };
  return html`
    <section class="dial-tool tool" aria-label=${act.say("ui.dial.title")}>
      ${
        isChart()
          ? html`
            <${Knowledge.Chart} rows=${dial.rows} knowledge=${dial.knowledge} weeks=${weeks ?? 0} say=${act.say} />
            <${Knowledge.ChartWeeks} tokens=${dial.tokens} ...${shared} />
          `
          : html`<${Knowledge.Dial} dial=${dial} onKnowledge=${turnTo(act)} ...${shared} />`
      }
      ${children}
    </section>
  `;
}

/** Turns the dial by one: beneath it, where they cover none of its names. */
function Knobs({ dial, act }) {
  const turn = turnTo(act);
  return html`
    <div class="knobs">
      <${Button}
        look="round"
        label=${act.say("ui.dial.less")}
        can=${act.can && dial.knowledge > 0}
        onPress=${() => turn(dial.knowledge - 1)}
      >
        −
      <//>
      <p class="caption">
        ${act.say("ui.dial.knowledge")}
        ${
          dial.from === "house" &&
          html`
            ${" "}
            <span class="house">${act.say("ui.house")}</span>
          `
        }
      </p>
      <${Button}
        look="round"
        label=${act.say("ui.dial.more")}
        can=${act.can && dial.knowledge < 12}
        onPress=${() => turn(dial.knowledge + 1)}
      >
        +
      <//>
    </div>
  `;
}

function BagsTool({ view, act }) {
  const { bags, drawing } = view.board;
  const laid = drawing ?? view.board.last_draw;
  const id = newest(view, "draw");
  const colours = Object.fromEntries(bags.map((bag) => [bag.bag, bag.colour]));
  const count = act.get("count", 1);
  const draw = (bag) => act.move({ type: "draw", bag: bag.bag, count, seat: act.seat }, { sound: "bag" });
  const house = bags.find((bag) => bag.bag === laid?.bag)?.from === "house";
  const left = (bag) => (bag.left === null ? "" : act.say("ui.bags.left", { n: bag.left }));
  return html`
    <section class=${classes("bags-tool tool", drawing && "drawing")} aria-label=${act.say("ui.bags.title")}>
      <div class="draw-count">
        <h2>${act.say("ui.bags.draw_for", { name: view.seats[act.seat].name })}</h2>
        <${Stepper}
          value=${count}
          least=${1}
          most=${12}
          can=${act.ready && !view.over}
          label=${act.say("ui.bags.count")}
          less=${act.say("ui.less")}
          more=${act.say("ui.more")}
          onChange=${(n) => act.set({ count: n })}
        />
      </div>
      <div class="bags" data-count=${bags.length}>
        ${bags.map(
          (bag) => html`
            <button
              type="button"
              key=${bag.bag}
              class=${classes("bag-button", drawing?.bag === bag.bag && "now", bag.empty && "empty")}
              aria-disabled=${act.can && bag.left !== 0 && !bag.empty ? undefined : "true"}
              onClick=${() => act.can && bag.left !== 0 && !bag.empty && draw(bag)}
            >
              <${Bag} bag=${bag} open=${drawing?.bag === bag.bag} />
              <span class="bag-name">${act.name(bag.bag)}</span>
              <span class="unseen">${act.say("ui.bags.draw", { n: count, left: left(bag) })}</span>
              ${
                bag.left !== null &&
                html`
                  <span class="bag-left" aria-hidden="true">
                    ${bag.left}
                  </span>
                `
              }
            </button>
          `,
        )}
      </div>
      ${view.board.looking !== undefined && html`<${DrawPile} view=${view} act=${act} />`}
      <div class="cloth-place">
        ${
          laid
            ? html`
              <${Cloth}
                drawing=${laid}
                id=${id}
                colours=${colours}
                house=${house}
                say=${act.say}
                name=${act.name}
              />
            `
            : html`<p class="hint">${act.say("ui.bags.hint")}</p>`
        }
      </div>
    </section>
  `;
}

/** The draw pile from which piles grow: the companion's gives a card, of a real one the backs are told. */
function DrawPile({ view, act }) {
  const { bags, looking, decks } = view.board;
  const real = (view.sources.decks ?? view.sources.default) === "table";
  const pile = decks.find((deck) => bags.length > 0 && !deck.lidded);
  const own = view.you?.look;
  const add = (bag) => act.move({ type: "add_back", bag }, { sound: "token" });
  return html`
    <div class="draw-pile">
      ${
        real
          ? bags.map(
              ({ bag }) => html`
                <${Button}
                  key=${bag}
                  look="quiet"
                  can=${act.can}
                  label=${act.say("toolbox.page.back_from", { bag })}
                  onPress=${() => add(bag)}
                >
                  +1 ${act.name(bag)}
                <//>
              `,
            )
          : pile && html`<${Deck} deck=${pile} act=${act} />`
      }
      ${view.board.cards.over && html`<p class="clock-over">${act.say("toolbox.page.over")}</p>`}
      ${
        looking &&
        html`
          <p class="caption">
            ${act.say("toolbox.page.looking", { name: view.seats[looking.seat].name, bag: looking.bag })}
          </p>
        `
      }
      ${looking && act.mine(looking.seat) && html`<${Looking} view=${view} own=${own} looking=${looking} act=${act} />`}
    </div>
  `;
}

/** What whoever looks through a pile sees, to keep one card of it or none. */
function Looking({ view, own, looking, act }) {
  const keep = (token) => {
    act.choose(looking.seat);
    act.move(token === undefined ? { type: "keep_one" } : { type: "keep_one", token }, { sound: "token" });
  };
  const can = act.can && act.seat === looking.seat;
  return html`
    <div class="chips">
      <${Button}
        look="quiet"
        can=${act.can}
        onPress=${() => (act.seat === looking.seat ? keep() : act.choose(looking.seat))}
      >
        ${act.say("toolbox.page.close")} (${view.seats[looking.seat].name})
      <//>
      ${Object.entries(own?.cards ?? {}).map(
        ([token, n]) => html`
          <${Button}
            key=${token}
            look="card-chip"
            can=${can && token !== "blank"}
            label=${act.say("toolbox.page.keep_card", { token: act.name(token) })}
            onPress=${() => keep(token)}
          >
            ${act.name(token)} × ${n}
          <//>
        `,
      )}
    </div>
  `;
}

/** The weeks: round the table where they are those of a year, else in a row. */
function Weeks({ view, act, straight }) {
  const shared = {
    track: view.board.track,
    before: act.before?.board.track,
    seats: view.seats,
    say: act.say,
    chosen: act.seat,
    onSeat: act.choose,
  };
  if (straight) return html`<${Strip} ...${shared} weeks=${act.narrow ? 10 : 22} />`;
  const ring = act.narrow || act.tall ? { cols: 14, rows: 14 } : { cols: 16, rows: 12 };
  return html`<${Track} ...${shared} ...${ring} />`;
}

export function DigSite({ view, act }) {
  const { track, dial } = view.board;
  const straight = !track?.years.length;
  const knobs = dial && html`<${Knobs} dial=${dial} act=${act} />`;
  const turned = dial && html`<${DialTool} dial=${dial} act=${act}>${!act.narrow && knobs}<//>`;
  return html`
    <div class=${classes("dig-site", act.narrow ? "narrow" : act.tall && "tall", straight && "straight")}>
      ${
        track &&
        html`
          <div class="ring-place">
            <${Weeks} view=${view} act=${act} straight=${straight} />
            ${act.narrow && !straight && turned}
          </div>
        `
      }
      ${act.narrow && straight && turned}
      ${act.narrow && knobs}
      <div class="within">
        ${
          track?.year &&
          html`
            <div class="years-place">
              <${Years} years=${track.years} year=${track.year} say=${act.say} />
            </div>
          `
        }
        ${!act.narrow && turned}
        <${BagsTool} view=${view} act=${act} />
        <${Advance} act=${act} seats=${view.seats} />
      </div>
    </div>
  `;
}
