// Dice that are thrown, blocks that fall or are looked at, for the screen that they fill.
import { html } from "../../html.js";
import { person } from "../../words.js";
import { blockScene, draws, throwScene } from "../../chrome/scenes.js";
import { Block, Square } from "../../pieces/plan.js";

const ROLLED = ["die", "last_mummy_die"];
const SORTS = { chest: "chest", falls: "falls", looked: "looked", looked_own: "looked" };

const sortOf = ({ type, roll }) => (ROLLED.includes(type) ? roll : SORTS[type]);

/** Whose fate the newest step has settled, said. */
function fates({ board, seats }, act) {
  const was = act.before?.board.seats;
  const out = board.seats.filter(({ seat, fate }) => was && was[seat].fate === "inside" && fate !== "inside");
  return out.map(({ seat, fate }) => `${seats[seat].name}: ${act.say(`horus.page.fate.${fate}`)}`);
}

const joined = (...parts) => parts.flat().filter(Boolean).join(" · ");

const nameOf = (view, seat) => view.seats[seat]?.name ?? "";

/** The dice of the newest roll that have not fallen yet, as places in the row. */
const coming = ({ dice }, roll) =>
  dice.rolling === roll ? dice[roll].flatMap((face, i) => (face === null ? [i] : [])) : [];

/** What lies of the dice of a lock and is not rolled again: `[face, colour]`. */
function lying(found, draw, left) {
  const lies = new Map();
  for (const each of found.slice(0, found.indexOf(draw)).filter(({ sort }) => sort === "lock")) {
    if (each.move?.what.type === "pick") lies.clear();
    for (const { what } of each.lines) lies.set(what.die, what.face);
  }
  const again = [...draw.lines.map(({ what }) => what.die), ...left];
  return [...lies].filter(([colour]) => !again.includes(colour)).map(([colour, face]) => [face, colour]);
}

const MEANT = {
  action(view, act) {
    const own = view.board.seats[view.me.seat];
    if (own?.fate === "inside") {
      const { name } = view.seats[view.me.seat];
      return act.say("horus.page.from_level", { name, level: own.level, n: own.actions });
    }
    const inside = view.board.seats.filter(({ fate }) => fate === "inside");
    return act.say("evening.theatre.actions", {
      names: inside.map((each) => `${nameOf(view, each.seat)} (${each.actions})`),
    });
  },
  mummy(view, act, { lines }) {
    const { n } = lines.at(-1).what;
    return n === undefined ? null : joined(act.say("horus.page.mummies_walk", { n }), fates(view, act));
  },
  lock(view, act, { move }) {
    const { god } = move.what;
    const { dice } = view.board;
    if (dice.lock_of !== god) return act.say("evening.theatre.opens", { god });
    return act.say("horus.page.lock_missing", { god, faces: dice.missing, n: dice.missing.length });
  },
};

function thrown(view, act, draw, found) {
  const { dice, keeper } = view.board;
  const roll = draw.sort;
  const left = coming(view.board, roll).map((i) => dice.colours[i]);
  const whole = left.length === 0;
  const again = roll === "lock" && draw.move?.what.type === "pick_again";
  return throwScene({
    draw,
    act,
    seat: roll === "lock" ? draw.move.seat : (draw.move?.seat ?? keeper),
    label: act.say(`horus.page.dice.${roll}_waits`),
    of: draw.lines.length + left.length,
    faces: dice.faces,
    faceOf: ({ face }) => face,
    colourOf: (i, what) => what?.die ?? draw.lines[i]?.what.die ?? left[i - draw.lines.length],
    aside: again ? lying(found, draw, left) : [],
    caption: whole ? MEANT[roll](view, act, draw) : null,
  });
}

function chests(view, act, draw) {
  const held = draw.lines.map(({ what }) => `${person(what.whose)} ${what.face}`);
  return throwScene({
    draw,
    act,
    seat: view.ask.seat ?? view.board.keeper,
    label: act.say("evening.theatre.chests"),
    of: held.length,
    faceOf: ({ face }) => face,
    colourOf: () => null,
    caption: act.say("evening.theatre.held", { names: held }),
  });
}

function fallen(view, act, draw) {
  const { block } = draw.lines[0].what;
  const square = String(block);
  const { seats, asking } = view.board;
  const under = asking === "jump" ? seats.filter((seat) => seat.square === square) : [];
  const jumps = act.say("evening.theatre.jumps", {
    n: under.length,
    names: under.map(({ seat }) => nameOf(view, seat)),
  });
  const fate = joined(under.length > 0 && jumps, fates(view, act));
  return blockScene({
    draw,
    seat: draw.move?.seat ?? view.board.keeper,
    label: act.say("evening.theatre.block"),
    block: html`<${Block} number=${block} />`,
    ground: html`<${Square} plan=${view.board.plan} square=${square} c=${0} r=${0} />`,
    name: act.say("evening.theatre.number", { block }),
    caption: fate || act.say("evening.theatre.closed", { square }),
  });
}

function looked(view, act, draw) {
  const { seat } = draw.move;
  const { block } = draw.lines[0].what;
  return blockScene({
    draw,
    seat,
    label: act.say("evening.theatre.look", { who: nameOf(view, seat) }),
    block: html`<${Block} number=${block ?? ""} />`,
    ground: null,
    name: block ? act.say("evening.theatre.number", { block }) : act.say("evening.theatre.unseen"),
  });
}

const SCENES = { action: thrown, mummy: thrown, lock: thrown, chest: chests, falls: fallen, looked };

const OF_A_MOVE = ["lock", "looked"]; // of a long game the log may begin after it

/** What the newest lines tell: a walk of the mummies and the block after it are one press. */
export function scenes(view, act) {
  const found = draws(view, sortOf).filter(({ sort, move }) => move || !OF_A_MOVE.includes(sort));
  const newest = found.filter((draw, i) => !found.slice(i + 1).some(({ sort }) => sort === draw.sort));
  return newest.map((draw) => SCENES[draw.sort](view, act, draw, found));
}
