// What comes up from the tools of a box, for the screen that it fills: tokens, dice, blocks, the cards of the tray.
import { classes, html } from "../../html.js";
import { afterMove, begins, bagScene, blockScene, cardScene, draws, played, throwScene } from "../../chrome/scenes.js";
import { Block, Square } from "../../pieces/plan.js";
import { printed } from "../../pieces/printed.js";
import { Bag } from "../../pieces/bags.js";
import { Token, worthOf } from "../../pieces/tokens.js";
import { signed } from "../../words.js";

const SORTS = {
  die: "dice",
  last_die: "dice",
  chest: "chest",
  falls: "falls",
  looked: "looked",
  comes_to_light: "card",
  drawn: "bag",
};
const sortOf = (what) => SORTS[what.type];

const DICE = ["roll", "reroll", "pick_lock", "mummies"];

/** What a whole throw means: the lock, the mummies' steps, the actions of each; nothing where dice just lie. */
function diceSaid({ board, seats }, act, move, last) {
  const { dice, loads = [] } = board;
  if (last?.type === "last_die") return act.say("evening.theatre.mummies", { n: last.n });
  if (dice.lock) {
    return dice.missing.length
      ? act.say("toolbox.page.missing", { numbers: dice.missing })
      : act.say("toolbox.page.opened");
  }
  const counted = loads.flatMap(({ actions }, i) => (actions === null ? [] : [`${seats[i].name} (${actions})`]));
  const all = move.type === "roll" && move.count === dice.count;
  return all && counted.length ? act.say("evening.theatre.actions", { names: counted }) : null;
}

function thrown(view, act, draw) {
  const { dice } = view.board;
  const { move, lines } = draw;
  const rolled = move.what.type === "reroll" ? move.what.dice : null;
  const of = rolled?.length ?? (move.what.type === "roll" ? move.what.count : dice.count);
  const who = view.seats[move.seat].name;
  return throwScene({
    draw,
    act,
    seat: move.seat,
    label:
      move.what.type === "pick_lock"
        ? act.say("evening.theatre.lock", { who, god: move.what.lock })
        : act.say("evening.theatre.dice", { who }),
    of,
    faces: dice.faces,
    faceOf: ({ face }) => face,
    colourOf: (i) => dice.colours[rolled?.[i] ?? i],
    aside: dice.rolled.flatMap((face, i) => (rolled && !rolled.includes(i) ? [[face, dice.colours[i]]] : [])),
    caption: diceSaid(view, act, move.what, lines.at(-1)?.what),
  });
}

function chest(_view, act, draw) {
  const [{ what }] = draw.lines;
  return throwScene({
    draw,
    act,
    seat: draw.move.seat,
    label: act.say("evening.theatre.chest", { whose: what.whose }),
    of: 1,
    faceOf: ({ n }) => n,
    colourOf: () => null,
    caption: act.say("evening.theatre.points", { whose: what.whose, n: what.n }),
  });
}

function fallen(view, act, draw) {
  const { block } = draw.lines[0].what;
  return blockScene({
    draw,
    seat: draw.move.seat,
    label: act.say("evening.theatre.block"),
    block: html`<${Block} number=${block} />`,
    ground: html`<${Square} plan=${view.board.plan} square=${String(block)} c=${0} r=${0} />`,
    name: act.say("evening.theatre.number", { block }),
    caption: act.say("evening.theatre.closed", { square: String(block) }),
  });
}

function looked(view, act, draw) {
  const block = view.you?.block;
  return blockScene({
    draw,
    seat: draw.move.seat,
    label: act.say("evening.theatre.look", { who: view.seats[draw.move.seat].name }),
    block: html`<${Block} number=${block ?? ""} />`,
    ground: null,
    name: block ? act.say("evening.theatre.number", { block }) : act.say("evening.theatre.unseen"),
  });
}

/** A card of the tray; without a kind its back. */
const TrayCard = ({ card, value, ours }) => html`
  <svg viewBox="-52 -52 104 104" aria-hidden="true">
    <rect x="-50" y="-50" width="100" height="100" rx="9" class="card-edge" fill="#7d4c22" />
    <rect x="-45" y="-45" width="90" height="90" rx="6" class="card-paper" fill="url(#${card ? "papyrus" : "sand"})" />
    ${card && html`<g>${printed("card", card)}</g>`}
    ${
      value
        ? html`
          <g
            transform="translate(33 33)"
            class=${classes("card-value", value < 0 ? "bad" : "good", ours && "ours")}
          >
            <circle r="16" />
            <text y="6.5">${signed(value)}</text>
          </g>
        `
        : null
    }
  </svg>
`;

function lifted(view, act, draw) {
  const { tray } = view.board;
  const { square } = draw.lines[0].what;
  const card = tray.squares.find((each) => each.square === square).top;
  if (!card) return null;
  const worth = tray.value[card];
  const ours = tray.house.includes(card);
  return cardScene({
    draw,
    seat: draw.move.seat,
    label: act.say("evening.theatre.card", { who: view.seats[draw.move.seat].name, square }),
    back: html`<${TrayCard} />`,
    picture: html`<${TrayCard} card=${card} value=${worth} ours=${ours} />`,
    name: act.name(card),
    worth,
    caption: worth ? `${signed(worth)}${ours ? "*" : ""}` : act.say("evening.theatre.nothing"),
  });
}

/** The newest draw from a bag, as the board has it. */
function dug(view, act, draw) {
  const { drawing, last_draw: laid, bags } = view.board;
  const dig = drawing ?? laid;
  return dig && bagScene({ view, act, bags, draw, dig });
}

/** The card that somebody keeps of a pile, as far as the log names it. */
function kept(view, act, { move, id }) {
  const { token, bag: name } = move.what;
  const { bags } = view.board;
  const bag = bags.find((each) => each.bag === name);
  const colours = Object.fromEntries(bags.map((each) => [each.bag, each.colour]));
  const who = view.seats[move.seat].name;
  return cardScene({
    draw: { id, by: "companion", lines: [move] },
    seat: move.seat,
    label: act.say("evening.theatre.keeps", { who, site: name }),
    back: html`<${Bag} bag=${bag} />`,
    picture: html`<${Token} token=${token} bag=${name} colours=${colours} label="" />`,
    name: act.name(token),
    worth: worthOf(token),
    caption: act.say("evening.theatre.takes", { who }),
  });
}

const SCENES = { dice: thrown, chest, falls: fallen, looked, card: lifted, bag: dug, kept };

/** What a move alone tells: a hand that has begun with nothing out yet, a card that was certain, one that is kept. */
function begun(view) {
  const move = played(view).at(-1);
  if (move?.kind !== "move") return [];
  const { type, square, token } = move.what;
  const draw = { move, id: move.seq + 0.5, by: "companion", lines: [] };
  if (type === "keep_one" && token) return [{ ...draw, sort: "kept" }];
  if (type === "uncover" && view.ask.kind !== "chance") {
    return [{ ...draw, sort: "card", lines: [{ seq: move.seq, what: { square } }] }];
  }
  if (!begins(view)) return [];
  const sort = type === "draw" ? "bag" : DICE.includes(type) ? "dice" : null;
  return sort ? [{ ...draw, id: afterMove(move), sort }] : [];
}

/** What the newest lines tell; of each sort the newest, as the board has it. */
export function scenes(view, act) {
  const found = [...draws(view, sortOf), ...begun(view)];
  const newest = found.filter((draw, i) => draw.move && !found.slice(i + 1).some(({ sort }) => sort === draw.sort));
  return newest.map((draw) => SCENES[draw.sort](view, act, draw)).filter(Boolean);
}
