// The pyramid: its plan with blocks and mummies, and beside it the dice and the block box.
import { html, upTo } from "../../html.js";
import { Decks, placed, tombsOf } from "./cards.js";
import { OwnCards } from "./face_down.js";
import { MoreTools } from "./more.js";
import { newest } from "./newest.js";
import { Button, Stepper } from "../../chrome/press.js";
import { BlockBox, Plan, Stands, stands, WIDE_RIM } from "../../pieces/plan.js";
import { Dice } from "../../pieces/dice.js";
import { Hit } from "../../pieces/hit.js";

const FURTHEST = 5;

/** The dice: those that are touched are rolled again, the others stay; all are rolled for a lock or for actions. */
function DiceTool({ view, id, act }) {
  const { dice } = view.board;
  const count = act.get("dice", dice.count);
  const touched = act.get("again", []).filter((i) => i < dice.rolled.length);
  const touch = (i) => act.set({ again: touched.includes(i) ? touched.filter((one) => one !== i) : [...touched, i] });
  const roll = (move) => {
    act.set({ again: [] });
    act.move(move, { sound: "dice" });
  };
  return html`
    <section class="tool dice-tool" aria-label=${act.say("ui.dice.title")}>
      <${Dice}
        dice=${dice}
        id=${id}
        say=${act.say}
        name=${act.name}
        chosen=${touched}
        can=${act.can}
        again=${(die, value) => act.say("toolbox.page.again_die", { die, value })}
        onDie=${dice.locks && touch}
      />
      <div class="tool-row">
        ${
          touched.length > 0
            ? html`
              <${Button} look="main" can=${act.can} onPress=${() => roll({ type: "reroll", dice: touched })}>
                ${act.say("toolbox.page.again")} (${touched.length})
              <//>
            `
            : html`
              <${Stepper}
                value=${count}
                least=${1}
                most=${dice.count}
                can=${act.ready && !view.over}
                label=${act.say("ui.dice.count")}
                less=${act.say("ui.less")}
                more=${act.say("ui.more")}
                onChange=${(n) => act.set({ dice: n })}
              />
            `
        }
        ${
          dice.locks &&
          html`
            <${Button}
              look="quiet"
              can=${act.can}
              label=${`${act.name("chest")}: ${act.say("toolbox.page.chest")}`}
              onPress=${() => act.move({ type: "chest_die", seat: act.seat }, { sound: "dice" })}
            >
              ${act.name("chest")}
            <//>
          `
        }
        <${Button} look="main" can=${act.can} onPress=${() => roll({ type: "roll", count })}>
          ${act.say("ui.dice.roll")}
        <//>
      </div>
      ${dice.locks && html`<${Locks} dice=${dice} act=${act} roll=${roll} />`}
    </section>
  `;
}

/** A lock for each god: all dice are rolled for it, and it says what is still missing. */
function Locks({ dice, act, roll }) {
  const wanted = dice.locks[dice.lock];
  return html`
    <div class="locks" role="group" aria-label=${act.say("toolbox.page.lock")}>
      ${Object.entries(dice.locks).map(
        ([lock, numbers]) => html`
          <${Button}
            key=${lock}
            look="segment"
            pressed=${dice.lock === lock}
            can=${act.can}
            label=${act.say("toolbox.page.lock_of", { lock, numbers })}
            onPress=${() => roll({ type: "pick_lock", lock })}
          >
            ${act.name(lock)}
          <//>
        `,
      )}
    </div>
    <p class="caption lock-told">
      ${
        wanted &&
        dice.rolled.length === dice.count &&
        (dice.missing.length > 0
          ? act.say("toolbox.page.missing", { numbers: dice.missing })
          : act.say("toolbox.page.opened"))
      }
    </p>
  `;
}

/** The block box; a block may be looked at by one alone, and set aside or put back. */
function BlockTool({ view, act }) {
  const { blocks } = view.board;
  const { looker, aside } = blocks;
  const mine = looker === (view.me.seat ?? act.seat) && !aside;
  const seen = view.you?.block;
  return html`
    <section class="tool block-tool" aria-label=${act.say("ui.blocks.title")}>
      <${BlockBox} blocks=${blocks} say=${act.say} />
      <div class="tool-column">
        <p class="caption">
          ${
            aside
              ? act.say("toolbox.page.aside")
              : typeof looker === "number"
                ? act.say("toolbox.page.peeked", { name: view.seats[looker].name })
                : blocks.drawn
                  ? act.say("ui.blocks.last", { block: blocks.drawn })
                  : act.say("ui.blocks.none")
          }
          ${mine && seen && html` <b>${act.say("toolbox.page.block", { block: seen })}</b>`}
        </p>
        ${
          mine
            ? html`
              <div class="tool-row">
                ${[true, false].map(
                  (keep) => html`
                    <${Button}
                      key=${String(keep)}
                      look="quiet"
                      can=${act.can}
                      onPress=${() => act.move({ type: "keep_block", keep })}
                    >
                      ${act.say(keep ? "toolbox.page.keep" : "toolbox.page.back")}
                    <//>
                  `,
                )}
              </div>
            `
            : html`
              <div class="tool-row">
              <${Button}
                look="main"
                can=${act.can && blocks.left > 0}
                onPress=${() => act.move({ type: "block" })}
              >
                ${act.say("ui.blocks.draw")}
              <//>
              <${Button}
                look="quiet"
                can=${act.can && blocks.left > 0 && looker === null}
                onPress=${() => act.move({ type: "look_at_block" })}
              >
                ${act.say("toolbox.page.peek")}
              <//>
              </div>
            `
        }
      </div>
    </section>
  `;
}

const shoots = (act, mummy) => act.move({ type: "lay_mummy", mummy }, { sound: "knock" });

const MummyTool = ({ view, act }) => html`
  <section class="tool mummy-tool" aria-label=${act.say("ui.mummies.title")}>
    <div class="tool-row">
      <${Button}
        look="main"
        label=${`${act.say("ui.mummies.title")}: ${act.say("ui.mummies.roll")}`}
        can=${act.can}
        onPress=${() => act.move({ type: "mummies" }, { sound: "dice" })}
      >
        ${act.say("ui.mummies.title")}
      <//>
      <div class="weeks-row">
        ${upTo(FURTHEST).map(
          (i) => html`
            <${Button}
              key=${i}
              look="number"
              can=${act.can}
              label=${act.say("ui.mummies.walk", { n: i + 1 })}
              onPress=${() => act.move({ type: "mummies", steps: i + 1 }, { sound: "knock" })}
            >
              ${i + 1}
            <//>
          `,
        )}
      </div>
      ${
        act.narrow &&
        view.board.decks &&
        view.board.mummies.map(
          ({ mummy, lying }) => html`
            <${Button}
              key=${mummy}
              look="quiet"
              can=${act.can}
              pressed=${Boolean(lying)}
              label=${act.say("toolbox.page.shoot", { mummy })}
              onPress=${() => shoots(act, mummy)}
            >
              ${act.name(mummy)}
            <//>
          `,
        )
      }
    </div>
  </section>
`;

/** The decks beside the plan, and what lies face down. */
const DecksTool = ({ view, act }) => html`
  <section class="tool decks-tool" aria-label=${act.say("toolbox.page.cards")}>
    <${Decks} view=${view} act=${act} />
    <${OwnCards} view=${view} act=${act} />
  </section>
`;

/** A tomb as it stands on the plan: its lid, or what lies open in it. */
function standing({ place, lid, cards: [card], readers = [] }) {
  const [god, square] = place.split(":");
  const worth = card && { value: card.split("-").at(-1) };
  return { god, square, open: !lid, looted: !lid && !card, card: worth ?? null, read: readers.length > 0 };
}

const OUT = 38; // as far as what stands beside a square reaches
const IN_FRONT = 20; // of an alcove: the rest of its square is a tomb's

/** The square before which something stands, and its place there, as one to be touched. */
function Before({ place: [[c, r], [dc, dr]], cell, within = cell, ...hit }) {
  const [x, y] = [(c + (dc > 0 ? 1 : 0)) * cell, (r + (dr > 0 ? 1 : 0)) * cell];
  const box = {
    x: dc > 0 ? x - within : dc < 0 ? x - OUT : x,
    y: dr > 0 ? y - within : dr < 0 ? y - OUT : y,
    width: dc ? within + OUT : cell,
    height: dr ? within + OUT : cell,
  };
  return html`
    <${Hit} ...${hit}>
      <rect x=${box.x + 1} y=${box.y + 1} width=${box.width - 2} height=${box.height - 2} rx="8" />
    <//>
  `;
}

/** Sarcophagi and idols along the corridor, and mummies to lay down: what can be touched on the plan, where its squares
 * hold a finger. On a phone they do not: there a list of the sarcophagi and a button for each mummy stand beside it. */
function Touched({ view, act, at, cell, tombs, idols }) {
  const { plan, mummies, decks } = view.board;
  const places = stands(plan, at, tombs.map(standing));
  const opens = (place, deck) => act.move({ type: "turn_up", deck, to: place }, { sound: "stone" });
  const takes = (place, card) => act.move({ type: "lay_card", card, from: place, to: act.seat }, { sound: "token" });
  const mine = act.say("toolbox.page.lay", {
    place: act.say("toolbox.page.before", { name: view.seats[act.seat].name }),
  });
  const taken = (place, card) => ({
    label: `${act.name(card)} (${act.name(place)}): ${mine}`,
    onPress: () => takes(place, card),
  });
  const left = Object.fromEntries(decks.map((deck) => [deck.deck, deck.left]));
  const { can } = act;
  return html`
    ${tombs.map(({ place, lid, cards: [card] }, i) => {
      if (lid ? left[lid] === 0 : !card) return null;
      const opened = {
        label: act.say("toolbox.page.open", { place: act.name(place) }),
        onPress: () => opens(place, lid),
      };
      const does = lid ? opened : taken(place, card);
      return html`<${Before} key=${place} place=${places.tombs[i]} cell=${cell} can=${can} ...${does} />`;
    })}
    ${places.alcoves.map(([god, ...place]) => {
      const idol = `idol-${god}`;
      if (!idols.includes(idol)) return null;
      const does = taken("alcoves", idol);
      return html`<${Before} key=${idol} place=${place} cell=${cell} within=${IN_FRONT} can=${can} ...${does} />`;
    })}
    ${mummies.map((m) => {
      const [c, r] = at.get(m.square);
      return html`
        <g key=${m.mummy} transform=${`translate(${(c + 0.5) * cell} ${(r + 0.5) * cell})`}>
          <${Hit}
            can=${can}
            pressed=${Boolean(m.lying)}
            data-walks
            label=${act.say("toolbox.page.shoot", { mummy: act.name(m.mummy) })}
            onPress=${() => shoots(act, m.mummy)}
          >
            <rect x="-27" y="-27" width="54" height="56" rx="14" />
          <//>
        </g>
      `;
    })}
  `;
}

export function Temple({ view, act }) {
  const { plan, blocks, mummies, decks } = view.board;
  const tombs = tombsOf(view);
  const idols = placed(view, "alcoves")?.cards ?? [];
  const full = idols.map((idol) => idol.replace("idol-", ""));
  const beside = (at, cell) =>
    html`<${Stands} plan=${plan} at=${at} cell=${cell} tombs=${tombs.map(standing)} full=${full} />`;
  const touched = (at, cell) =>
    html`<${Touched} view=${view} act=${act} at=${at} cell=${cell} tombs=${tombs} idols=${idols} />`;
  return html`
    <div class="temple">
      <div class="plan-place">
        <${Plan}
          plan=${plan}
          blocks=${blocks}
          mummies=${mummies}
          say=${act.say}
          name=${act.name}
          rim=${decks && WIDE_RIM}
          under=${decks && beside}
          over=${decks && !act.narrow ? touched : undefined}
        />
        ${
          plan.from === "house" &&
          html`
            <p class="house-note">
              <span class="house">${act.say("ui.house")}</span> ${act.say("ui.plan.house")}
            </p>
          `
        }
      </div>
      <div class="temple-tools">
        <${DiceTool} view=${view} id=${newest(view, "roll", "mummies", "pick_lock", "reroll")} act=${act} />
        <${MummyTool} view=${view} act=${act} />
        <${BlockTool} view=${view} act=${act} />
        ${decks && html`<${DecksTool} view=${view} act=${act} />`}
        <${MoreTools} view=${view} act=${act} order=${false} />
      </div>
    </div>
  `;
}
