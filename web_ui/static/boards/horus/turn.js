// The turn: what a touch on the plan means now, and the choices, each in a place of its own.
import { html, upTo, classes } from "../../html.js";
import { Button, Twice } from "../../chrome/press.js";
import { percent } from "../../words.js";
import { cardSaid, Hand } from "./cards.js";
import { Face } from "./printed.js";
import { again, helpOf, openingOf } from "./dice.js";
import { portrait } from "./portraits.js";
import { figure } from "./table.js";

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
  act: ({ ask }) => ask.options.ways,
  jump: ({ ask }) =>
    Object.fromEntries(
      Object.entries(ask.options.to)
        .filter(([, answer]) => answer.legal)
        .map(([square, answer]) => [square, { reach: true, ...answer }]),
    ),
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

/** The card that everybody sees for a moment. */
export const Shown = ({ view, act }) => {
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

/** Why something cannot be done, as short as it stands on a button. */
function inShort(act, { refusal }) {
  const key = `horus.page.no.${refusal.key.split(".").pop()}`;
  return act.knows(key) ? act.say(key, refusal.facts) : act.say(refusal.key, refusal.facts);
}

/** A choice with its name, and beneath it what it costs or why it cannot be done. */
const Slot = ({ act, can, label, answer, note, onPress, look = "", lit }) => html`
  <${Button} look=${classes("hor-slot", look)} data-lit=${lit} can=${can} onPress=${onPress}>
    <b>${label}</b>
    <small>${answer?.refusal ? inShort(act, answer) : note}</small>
  <//>
`;

/** What lies beside the square for a choice: several are told apart by their god. */
const THINGS = {
  search: () => [],
  open: ({ tombs }) => tombs.filter((tomb) => !tomb.open),
  loot: ({ tombs }) => tombs.filter((tomb) => tomb.open),
  pick: ({ locks }) => locks,
};

const worthNote = (act, worth) =>
  worth === null || worth === undefined ? null : act.say("horus.page.on_average", { n: rounded(worth) });
const rounded = (n) => Math.round(n * 10) / 10;

/** What a choice is worth, as far as the table wants it told. */
const NOTES = {
  search(view, act) {
    const { square } = view.board.seats[view.ask.seat];
    const area = Object.entries(view.board.plan.areas).find(([, squares]) => squares.includes(square))?.[0];
    const found = helpOf(view).dangers?.search[area];
    return found && act.say("horus.page.search_odds", { n: rounded(found.worth), share: percent(found.wound) });
  },
  open: (_, act, tomb) => worthNote(act, tomb?.worth),
  loot: (_, act, tomb) => tomb && act.say("horus.page.worth_this", { n: tomb.worth }),
  pick(view, act, lock) {
    return lock?.opens ? act.say("horus.page.lock_odds", { share: percent(lock.opens[helpOf(view).left]) }) : null;
  },
};

function Things({ view, act, what, sound }) {
  const help = helpOf(view);
  const answer = help.actions[what];
  const found = THINGS[what](help);
  const named = found.filter((thing) => thing.named);
  return (named.length ? named : [found[0]]).map((thing) => {
    const god = thing?.named;
    const note = [god && act.name(god), NOTES[what](view, act, thing)].filter(Boolean).join(" · ");
    return html`
      <${Slot}
        key=${god ?? ""}
        act=${act}
        lit=${what}
        answer=${answer}
        can=${act.can && answer.legal}
        label=${act.say(`horus.page.${what}`)}
        note=${note}
        onPress=${() => act.move(god ? { type: what, god } : { type: what }, { sound })}
      />
    `;
  });
}

function PickSlot({ view, act }) {
  const lock = openingOf(view);
  if (!lock) return html`<${Things} view=${view} act=${act} what="pick" sound="dice" />`;
  const answer = helpOf(view).actions.pick;
  const chosen = again(view, act);
  const move = { type: "pick", reroll: chosen, ...(lock.named ? { god: lock.named } : {}) };
  return html`
    <${Slot}
      act=${act}
      can=${act.can && answer.legal && chosen.length > 0}
      answer=${answer}
      label=${act.say("horus.page.pick_again", { n: chosen.length })}
      note=${chosen.length ? NOTES.pick(view, act, lock) : act.say("horus.page.touch_dice")}
      onPress=${() => act.move(move, { sound: "dice" })}
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
      lit="walk"
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

/** What may befall one here, or on the square that is chosen, where the table wants it told. */
function Dangers({ view, act, turn }) {
  const { dangers } = helpOf(view);
  const here = dangers?.squares[turn.to ?? turn.from];
  if (!here) return null;
  const parts = [];
  if (here.cut_off) parts.push(act.say("horus.page.cut_off", { share: percent(here.cut_off) }));
  if (here.block) parts.push(act.say("horus.page.hit", { share: percent(here.block) }));
  if (here.touch) parts.push(act.say("horus.page.met", { share: percent(here.touch) }));
  return html`
    <p class=${classes("hor-dangers", parts.length > 0 && "bad")}>
      <b>${act.say("horus.page.at", { square: turn.to ?? turn.from })}</b>${" "}
      ${parts.length ? parts.join(" · ") : act.say("horus.page.safe")}
    </p>
  `;
}

/** How many actions the dice give on average, at each level that one can have this round. */
export function Expected({ view, act }) {
  const { level, expected } = helpOf(view);
  if (!expected) return null;
  return html`
    <p class="hor-expected">
      ${Object.entries(expected)
        .filter(([each]) => Number(each) <= level)
        .map(([each, n]) => act.say("horus.page.expected", { level: Number(each), n: rounded(n) }))
        .join(" · ")}
    </p>
  `;
}

/** What a lock still lacks, a crowbar or the ability of picking locks may supply, as the table's rules go. */
function Supplies({ view, act }) {
  const lock = openingOf(view);
  const seat = view.board.seats[view.ask.seat];
  const missing = lock?.missing.length ?? 0;
  const crowbars = seat.open.filter((card) => card.kind === "crowbar").length;
  const skilled = seat.ability === "lock_picking" && !seat.used;
  return [false, true].map((ability) => {
    const crowbar = missing - (ability ? 1 : 0);
    if (!missing || missing > lock.helpers || crowbar < 0 || crowbar > crowbars || (ability && !skilled)) {
      return html`<span key=${ability} class="hor-no-slot"></span>`;
    }
    const key = ability ? (crowbar ? "supply_both" : "supply_ability") : "supply";
    const move = { type: "pick", crowbar, ability, ...(lock.named ? { god: lock.named } : {}) };
    return html`
      <${Slot}
        key=${ability}
        act=${act}
        can=${act.can}
        label=${act.say(`horus.page.${key}`, { n: crowbar })}
        note=${act.say("horus.page.opens_now")}
        onPress=${() => act.move(move, { sound: "knock" })}
      />
    `;
  });
}

/** What takes an action, each in its place; nothing, while nobody acts. */
export function Slots({ view, act }) {
  if (view.board.asking !== "act" || !act.mayMove) return null;
  const turn = turnOf(view, act);
  const { left } = helpOf(view);
  return html`
    <section class="hor-slots acting" aria-label=${act.say("horus.page.actions")}>
      <${WalkSlot} view=${view} act=${act} turn=${turn} />
      <${Things} view=${view} act=${act} what="search" sound="token" />
      <${Things} view=${view} act=${act} what="open" sound="stone" />
      <${LeaveSlot} view=${view} act=${act} />
      <${PickSlot} view=${view} act=${act} />
      <${Things} view=${view} act=${act} what="loot" sound="token" />
      <${Slot}
        act=${act}
        can=${act.can}
        label=${act.say("horus.page.end")}
        note=${left ? act.say("horus.page.end_early", { n: left }) : null}
        onPress=${() => act.move({ type: "end" })}
      />
      <${Supplies} view=${view} act=${act} />
    </section>
  `;
}

function Acting({ view, act }) {
  const { left } = helpOf(view);
  return html`
    <p class="hor-left">
      <${Pips} n=${left} /> ${act.say("horus.page.left", { n: left })}
    </p>
    <${Dangers} view=${view} act=${act} turn=${turnOf(view, act)} />
    ${act.narrow && html`<${Slots} view=${view} act=${act} />`}
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
      <${Button} look="main wide" data-lit="begin" can=${act.can && Boolean(who && square)} onPress=${begin}>
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
        ? html`<${Hand} view=${view} act=${act} only=${act.narrow && "cards"} />`
        : html`
          <div class="hor-slots">
            <${Button} look="main wide" can=${act.can} onPress=${() => act.move({ type: "ready" }, { sound: "token" })}>
              ${act.say("horus.page.ready")}
            <//>
          </div>
        `
    }
    ${!act.narrow && html`<${Expected} view=${view} act=${act} />`}
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
    <${Dangers} view=${view} act=${act} turn=${turn} />
  `;
}

function Deciding({ view, act }) {
  const { by } = view.board.blocks.aside;
  const named = by === "udjat" ? { card: by } : { ability: by };
  const decide = (keep) => () => act.move({ type: "use", ...named, keep });
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
  ${act.role === "seat" && html`<${Hand} view=${view} act=${act} only=${act.narrow && "cards"} />`}
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
    ${upTo(of).map((i) => html`<path d=${`M${i * 14 + 7} 1l6 6l-6 6l-6-6Z`} class=${classes(i < n && "full")} />`)}
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
            data-lit=${`who:${who}`}
            can=${act.can && !(who in taken)}
            pressed=${chosen === who}
            onPress=${() => act.hold("who", who)}
          >
            <svg viewBox="-30 -32 60 66" width="44" height="48" aria-hidden="true">
              ${portrait(who)}
              ${
                (who in taken || chosen === who) &&
                html`<g transform="translate(19 22) scale(.5)">${figure(view.seats[taken[who]] ?? seat)}</g>`
              }
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
