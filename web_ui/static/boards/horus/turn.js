// The turn: what a touch on the plan means now, the dice on their cloth, and the choices, each in a place of its own.
import { html, upTo, classes } from "../../html.js";
import { Why } from "../../chrome/choosing.js";
import { Button, Twice } from "../../chrome/press.js";
import { die } from "../../pieces/dice.js";
import { Hit } from "../../pieces/hit.js";
import { percent } from "../../words.js";
import { cardSaid, Face, Hand, sign } from "./cards.js";
import { figure } from "./table.js";

const helpOf = (view) => (view.ask.kind === "move" ? view.ask.options : null) ?? {};

/** Walks a whole way, step by step; what comes in between (too many cards, an end) ends the walk. */
async function walk(act, way) {
  act.hold("to", null);
  for (const to of way) {
    const seen = await act.move({ type: "step", to }, { sound: "knock" });
    if (seen?.ask.kind !== "move" || seen.board.asking !== "act" || seen.ask.seat !== act.seat) return;
  }
}

const SQUARES = {
  enter: ({ board }) => Object.fromEntries(board.plan.entrances.map((square) => [square, { reach: true }])),
  act: ({ ask }) => ask.options.ways ?? {},
  jump: ({ ask }) => Object.fromEntries((ask.options.jumps ?? []).map((square) => [square, { reach: true }])),
};

/** What the plan offers: the squares that can be touched, which one is chosen, and what a second touch does. */
export function turnOf(view, act) {
  const { asking, seats } = view.board;
  const asked = view.ask.kind === "move" && act.mayMove;
  const squares = asked ? (SQUARES[asking]?.(view) ?? {}) : {};
  const to = asked ? act.chosen("to") : null;
  const go = {
    enter: null,
    act: squares[to]?.reach ? () => walk(act, squares[to].way) : null,
    jump: to ? () => act.move({ type: "jump", to }, { sound: "knock" }) : null,
  }[asking];
  const touch = (square) => (square === to && go && act.can ? go() : act.hold("to", square));
  return { squares, to, touch, go: act.can ? go : null, from: asked ? seats[view.ask.seat].square : null };
}

/** Whose dice are looked at: one's own on a phone, else those of whoever's part it is. */
const looked = (view) => view.me.seat ?? view.board.turn ?? view.board.keeper;

function lying(view) {
  const { dice } = view.board;
  if (dice.lock_of) return ["lock", dice.lock];
  if (dice.mummy.length) return ["mummy", dice.mummy];
  return ["action", dice.action.length ? dice.action : dice.gods.map(() => null)];
}

/** Whether a die counts for what it was rolled for. */
function counts(view, seat, roll, i, face) {
  const { dice } = view.board;
  if (face === null) return true;
  if (roll === "mummy") return face >= dice.mummies_from;
  if (roll === "action") return face >= seat.level && !seat.cursed.includes(dice.gods[i]);
  const wanted = view.board.idols.find((idol) => idol.god === dice.lock_of).lock;
  return wanted.includes(face) && dice.lock.indexOf(face) === i;
}

const CHAIN = "M-30-30C-22-30-20-22-12-22S-2-12 6-12 14-2 22-2 30 10 34 16";

/** The places of the dice that are to be rolled again. */
const again = (act) => act.chosen("again") ?? [];

function toggle(act, at) {
  const chosen = again(act);
  const more = chosen.includes(at) ? chosen.filter((each) => each !== at) : [...chosen, at].sort((a, b) => a - b);
  act.hold("again", more);
}

/** Whether the lock's dice lie before a seat of this screen, to be touched. */
const picking = (view, act) =>
  view.ask.kind === "move" && act.mayMove && view.board.asking === "act" && Boolean(view.board.dice.lock_of);

/** Five dice on a cloth. What does not count is dim; a cursed one is chained; those to be rolled again are lifted. */
function Cloth({ view, act }) {
  const { dice, seats } = view.board;
  const [roll, faces] = lying(view);
  const seat = seats[looked(view)];
  const touched = picking(view, act);
  const chosen = touched ? again(act) : [];
  const shown = faces.map((face, i) => `${act.name(dice.colours[i])} ${face ?? "?"}`);
  return html`
    <svg
      class="hor-dice"
      viewBox="0 0 420 118"
      role=${touched ? "group" : "img"}
      aria-label=${act.say(`horus.page.dice.${roll}`, { dice: shown })}
    >
      <rect x="2" y="2" width="416" height="114" rx="18" class="felt" />
      ${faces.map((face, i) => {
        const chained = roll === "action" && seat.cursed.includes(dice.gods[i]);
        const good = counts(view, seat, roll, i, face);
        return html`
          <g key=${i} transform=${`translate(${50 + i * 80} ${chosen.includes(i) ? 44 : 52}) rotate(${[-6, 4, -3, 6, -4][i]})`}>
            <g
              key=${`${roll}:${view.board.round}:${face}`}
              class=${classes("hor-die", face !== null && "tumbled", !good && "dim")}
              data-sign=${chained ? "cursed" : undefined}
            >
              ${chosen.includes(i) && html`<rect x="-35" y="-35" width="70" height="74" rx="16" class="lifted" />`}
              ${die(face, dice.colours[i])}
              ${
                chained &&
                html`
                  <path d=${CHAIN} class="chain" />
                  <path d=${CHAIN} class="links" />
                `
              }
            </g>
          </g>
          <g transform=${`translate(${50 + i * 80} 101) scale(.5)`} class="hor-die-god">${sign(dice.gods[i])}</g>
        `;
      })}
      ${
        touched &&
        faces.map(
          (face, i) => html`
            <${Hit}
              key=${`hit:${i}`}
              can=${act.can}
              pressed=${chosen.includes(i)}
              class="hor-die-hit"
              label=${act.say("horus.page.again_one", { die: act.name(dice.colours[i]), face })}
              onPress=${() => toggle(act, i)}
            >
              <rect
                x=${12 + i * 80}
                y="6"
                width="76"
                height="106"
                rx="14"
                class="frame"
              />
            <//>
          `,
        )
      }
    </svg>
  `;
}

/** What the dice mean just now, in one line. */
function diceSaid(view, act) {
  const { dice, seats } = view.board;
  const [roll, faces] = lying(view);
  if (roll === "lock") {
    const facts = { god: dice.lock_of, faces: dice.missing, n: dice.missing.length };
    return act.say(dice.missing.length ? "horus.page.lock_missing" : "horus.page.lock_rolls", facts);
  }
  if (faces.includes(null)) return act.say(`horus.page.dice.${roll}_waits`);
  if (roll === "mummy") {
    return act.say("horus.page.mummies_walk", { n: faces.filter((face) => face >= dice.mummies_from).length });
  }
  const seat = seats[looked(view)];
  const { name } = view.seats[looked(view)];
  return act.say("horus.page.from_level", { name, level: seat.level, n: seat.actions });
}

/** Where a lock's dice lie: what may be supplied instead of rolling on. */
function Supplies({ view, act }) {
  const { dice, seats } = view.board;
  const missing = dice.missing.length;
  if (!picking(view, act) || !missing) return null;
  const seat = seats[view.ask.seat];
  const crowbars = seat.open.filter((card) => card.kind === "crowbar").length;
  const skilled = seat.ability === "lock_picking" && !seat.used;
  const ways = [false, true]
    .map((ability) => [ability, missing - (ability ? 1 : 0)])
    .filter(([ability, crowbar]) => (!ability || skilled) && crowbar >= 0 && crowbar <= crowbars);
  return ways.map(
    ([ability, crowbar]) => html`
      <${Button}
        key=${ability}
        look="quiet"
        can=${act.can}
        onPress=${() => act.move({ type: "pick", crowbar, ability }, { sound: "knock" })}
      >
        ${
          ability
            ? crowbar
              ? act.say("horus.page.supply_both", { n: crowbar })
              : act.say("horus.page.supply_ability")
            : act.say("horus.page.supply", { n: crowbar })
        }
      <//>
    `,
  );
}

/** The card that everybody sees for a moment. */
const Shown = ({ view, act }) => {
  const { shown } = view.board;
  return html`
    <div class="hor-shown" aria-live="polite">
      ${
        shown &&
        html`
          <${Face} card=${shown.card} size=${44} />
          <p>
            <b>${cardSaid(act, shown.card)}</b>
            <small>${act.say("horus.page.shown", { name: view.seats[shown.seat].name })}</small>
          </p>
        `
      }
    </div>
  `;
};

/** The dice, what they mean, and the card that was just turned over. */
export const DiceTable = ({ view, act }) => html`
  <section class="hor-cloth" aria-label=${act.say("horus.page.cloth")}>
    <${Cloth} view=${view} act=${act} />
    <p class="hor-dice-said" role="status">${diceSaid(view, act)}</p>
    <div class="hor-supplies">
      <${Supplies} view=${view} act=${act} />
    </div>
    <${Shown} view=${view} act=${act} />
  </section>
`;

/** A choice with its name, and beneath it what it costs or why it cannot be done. */
const Slot = ({ act, can, label, answer, note, onPress, look = "" }) => html`
  <${Button} look=${classes("hor-slot", look)} can=${can} onPress=${onPress}>
    <b>${label}</b>
    <small>${answer?.refusal ? html`<${Why} answer=${answer} act=${act} on=${true} />` : note}</small>
  <//>
`;

/** Where there are several things of a kind beside one square, the god says which. */
const godsOf = (answer) => (answer?.refusal?.key === "horus.which_god" ? answer.refusal.facts.gods : [""]);

function Things({ view, act, what, note, sound }) {
  const answer = helpOf(view).actions?.[what];
  const gods = godsOf(answer);
  const several = gods[0] !== "";
  return gods.map(
    (god) => html`
      <${Slot}
        key=${god}
        act=${act}
        answer=${several ? null : answer}
        can=${act.can && (several || answer?.legal)}
        label=${act.say(`horus.page.${what}`)}
        note=${several ? act.name(god) : note}
        onPress=${() => act.move(several ? { type: what, god } : { type: what }, { sound })}
      />
    `,
  );
}

/** What is known of a lock's chances, where the table wants the help. */
function lockNote(view, act) {
  const { odds } = helpOf(view).actions?.pick ?? {};
  return odds === undefined || odds === null ? null : act.say("horus.page.lock_odds", { share: percent(odds) });
}

function PickSlot({ view, act }) {
  const { dice } = view.board;
  const answer = helpOf(view).actions?.pick;
  if (!dice.lock_of) {
    return html`<${Things} view=${view} act=${act} what="pick" sound="dice" note=${lockNote(view, act)} />`;
  }
  const chosen = again(act);
  const can = act.can && chosen.length > 0 && helpOf(view).left > 0;
  return html`
    <${Slot}
      act=${act}
      can=${can}
      answer=${null}
      label=${chosen.length ? act.say("horus.page.pick_again", { n: chosen.length }) : act.say("horus.page.pick")}
      note=${
        answer?.refusal && answer.refusal.key !== "horus.choose_dice"
          ? html`<${Why} answer=${answer} act=${act} on=${true} />`
          : chosen.length
            ? lockNote(view, act)
            : act.say("horus.page.touch_dice")
      }
      onPress=${() => act.move({ type: "pick", reroll: chosen }, { sound: "dice" })}
    />
  `;
}

function wayNote(act, aid, left) {
  const parts = [act.say("horus.page.way", { n: aid.cost })];
  if (aid.touches) parts.push(act.say("horus.page.touches", { n: aid.touches }));
  if (!aid.reach) parts.push(act.say("horus.page.too_far", { n: left }));
  return parts.join(" · ");
}

function WalkSlot({ view, act, turn }) {
  const aid = turn.to && turn.squares[turn.to];
  return html`
    <${Slot}
      act=${act}
      can=${Boolean(turn.go)}
      look=${aid ? "main" : ""}
      label=${aid ? act.say("horus.page.walk", { square: turn.to }) : act.say("horus.page.walk_to")}
      note=${aid ? wayNote(act, aid, helpOf(view).left) : act.say("horus.page.touch_square")}
      onPress=${() => turn.go()}
    />
  `;
}

function LeaveSlot({ view, act }) {
  const help = helpOf(view);
  const aid = help.ways?.outside;
  const note = aid ? wayNote(act, aid, help.left) : act.say("horus.page.no_way_out");
  return html`
    <${Twice}
      look="hor-slot"
      can=${act.can && Boolean(aid?.reach)}
      sure=${html`<b>${act.say("horus.page.leave_sure")}</b><small>${note}</small>`}
      onPress=${() => walk(act, aid.way)}
    >
      <b>${act.say("horus.page.leave")}</b>
      <small>${note}</small>
    <//>
  `;
}

/** What dangers there are, where the table wants them told. */
function Dangers({ view, act }) {
  const { cut_off: cut, touched } = helpOf(view);
  const parts = [];
  if (cut !== undefined && cut !== null) parts.push(act.say("horus.page.cut_off", { share: percent(cut) }));
  if (touched !== undefined && touched !== null) parts.push(act.say("horus.page.met", { share: percent(touched) }));
  return parts.length ? html`<p class="hor-dangers">${parts.join(" · ")}</p>` : null;
}

function Acting({ view, act }) {
  const turn = turnOf(view, act);
  const { left } = helpOf(view);
  return html`
    <p class="hor-left">
      <${Pips} n=${left ?? 0} /> ${act.say("horus.page.left", { n: left ?? 0 })}
    </p>
    <div class="hor-slots">
      <${WalkSlot} view=${view} act=${act} turn=${turn} />
      <${Things} view=${view} act=${act} what="search" sound="token" />
      <${Things} view=${view} act=${act} what="open" sound="stone" />
      <${Things} view=${view} act=${act} what="loot" sound="token" />
      <${PickSlot} view=${view} act=${act} />
      <${LeaveSlot} view=${view} act=${act} />
      <${Slot}
        act=${act}
        look="wide"
        can=${act.can}
        label=${act.say("horus.page.end")}
        note=${left ? act.say("horus.page.end_early", { n: left }) : null}
        onPress=${() => act.move({ type: "end" })}
      />
    </div>
    <${Dangers} view=${view} act=${act} />
  `;
}

function Entering({ act }) {
  const who = act.chosen("who");
  const square = act.chosen("to");
  const begin = () => act.move({ type: "enter", adventurer: who, square }, { sound: "knock" });
  return html`
    <p class="ask-line">
      ${
        !who
          ? act.say("horus.page.choose_who")
          : !square
            ? act.say("horus.page.choose_entrance", { adventurer: who })
            : act.say("horus.page.begins", { adventurer: who, square })
      }
    </p>
    <div class="hor-slots">
      <${Button} look="main wide" can=${act.can && Boolean(who && square)} onPress=${begin}>
        ${act.say("horus.page.begin")}
      <//>
    </div>
  `;
}

function Readying({ view, act }) {
  return html`
    <p class="ask-line">${act.say("horus.page.readying")}</p>
    ${
      act.role === "seat"
        ? html`<${Hand} view=${view} act=${act} />`
        : html`
          <div class="hor-slots">
            <${Button} look="main wide" can=${act.can} onPress=${() => act.move({ type: "ready" }, { sound: "token" })}>
              ${act.say("horus.page.ready")}
            <//>
          </div>
        `
    }
  `;
}

function Jumping({ view, act }) {
  const turn = turnOf(view, act);
  return html`
    <p class="ask-line">${act.say("horus.page.jumping")}</p>
    <div class="hor-slots">
      <${Button} look="main wide" can=${Boolean(turn.to && turn.go)} onPress=${() => turn.go()}>
        ${turn.to ? act.say("horus.page.jump", { square: turn.to }) : act.say("horus.page.jump_where")}
      <//>
    </div>
  `;
}

function Deciding({ view, act }) {
  const { by } = view.board.blocks.aside;
  const named = by === "udjat" ? { card: by } : { ability: by };
  const decide = (keep) => () => act.move({ type: "use", ...named, keep }, { sound: "stone" });
  return html`
    <p class="ask-line">${act.say("horus.page.deciding")}</p>
    ${view.you?.looked && html`<p class="hor-looked">${act.say("horus.page.looked", { block: view.you.looked })}</p>`}
    <div class="hor-slots">
      <${Button} look="main" can=${act.can} onPress=${decide(true)}>${act.say("horus.page.keep")}<//>
      <${Button} look="" can=${act.can} onPress=${decide(false)}>${act.say("horus.page.swap")}<//>
    </div>
  `;
}

const Discarding = ({ view, act }) => html`
  <p class="ask-line">${act.say("horus.page.discarding", { n: view.board.most_cards })}</p>
  ${act.role === "seat" && html`<${Hand} view=${view} act=${act} />`}
`;

const CHOICES = {
  enter: Entering,
  ready: Readying,
  act: Acting,
  jump: Jumping,
  decide: Deciding,
  discard: Discarding,
};

/** Beneath what is asked: the choices of the moment. */
export function Choices({ view, act }) {
  const Said = CHOICES[view.board.asking];
  if (!act.mayMove || !Said) {
    const { asking, turn } = view.board;
    return asking && turn !== null
      ? html`<p class="ask-line">${act.say(`horus.page.waits.${asking}`, { name: view.seats[turn].name })}</p>`
      : null;
  }
  return html`<div class=${`hor-choices ${view.board.asking}`}><${Said} view=${view} act=${act} /></div>`;
}

/** Whether the hand stands with the choices, and not beside the plan. */
export const handAbove = (view, act) =>
  act.role === "seat" && act.mayMove && ["ready", "discard"].includes(view.board.asking);

/** Actions as they are counted out: full ones are left. */
export const Pips = ({ n, of = 5 }) => html`
  <svg class="hor-pips" viewBox=${`0 0 ${of * 14} 14`} aria-hidden="true">
    ${upTo(of).map((i) => html`<path d=${`M${i * 14 + 7} 1L${i * 14 + 13} 7L${i * 14 + 7} 13L${i * 14 + 1} 7Z`} class=${classes(i < n && "full")} />`)}
  </svg>
`;

/** The eight adventurers, to choose from. */
export function Adventurers({ view, act }) {
  const { adventurers, seats } = view.board;
  const taken = Object.fromEntries(seats.filter((seat) => seat.adventurer).map((seat) => [seat.adventurer, seat.seat]));
  const chosen = act.chosen("who");
  const seat = view.seats[view.board.turn ?? 0];
  return html`
    <section class="hor-who" aria-label=${act.say("horus.page.adventurers")}>
      ${Object.entries(adventurers).map(
        ([who, ability]) => html`
          <${Button}
            key=${who}
            look="hor-adventurer"
            can=${act.can && !(who in taken)}
            pressed=${chosen === who}
            onPress=${() => act.hold("who", who)}
          >
            <svg viewBox="-26 -32 52 64" width="40" height="50" aria-hidden="true">
              ${who in taken || chosen === who ? figure(view.seats[taken[who]] ?? seat) : html`<g class="plain">${figure({ colour: "#8c7a5c", shape: "circle" })}</g>`}
            </svg>
            <span>
              <b>${act.name(who)}</b>
              <small>
                ${who in taken ? view.seats[taken[who]].name : act.say(`horus.page.does.${ability}`)}
              </small>
            </span>
          <//>
        `,
      )}
    </section>
  `;
}
