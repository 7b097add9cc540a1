// What boards make scenes of for the scene player: draws that the log tells, and pictures of things that come.
import { html } from "../html.js";
import { say } from "../words.js";
import { Bag } from "../pieces/bags.js";
import { die } from "../pieces/dice.js";
import { Token, worthOf } from "../pieces/tokens.js";

const ABOUT_TABLE = ["stir", "seal", "arrive", "restore"];
const ABOUT_PEOPLE = ["seating", "want", "agree", "keep", "sit", "hints", "hint"];
const QUIET = [...ABOUT_TABLE, ...ABOUT_PEOPLE];

/** The lines of the log that are about the game; who sits there, who stirred the luck, and where it is kept, is not. */
export const played = ({ log }) => log.filter((line) => !line.undone && !QUIET.includes(line.kind));

/** The id of what is drawn first after a move, also before it is drawn: whatever devices stir in between. */
export const afterMove = (move) => (move?.seq ?? 0) + 1;

/**
 * The draws that the log tells, oldest first: each with the move before it, and the lines of what came up.
 * @param sortOf says of a line which sort of draw it belongs to; nothing where it belongs to none.
 */
export function draws(view, sortOf) {
  const found = [];
  let move = null;
  let last = null;
  let before = null;
  for (const line of played(view)) {
    if (line.kind === "move") move = line;
    const sort = line.kind === "outcome" ? sortOf(line.what) : null;
    if (!sort) {
      last = null;
    } else if (last?.sort === sort) {
      last.lines.push(line);
    } else {
      const id = move && before === move ? afterMove(move) : line.seq;
      last = { sort, move, id, by: line.by, lines: [line] };
      found.push(last);
    }
    before = line;
  }
  return found;
}

/** Whether the companion is about to draw. */
export const begins = ({ ask }) => ask.kind === "chance" && ask.source === "companion";

/** The newest line of a scene: by it a screen knows what it need not show twice. */
const lastOf = ({ lines, id }) => lines.at(-1)?.seq ?? id;

const named = (view, seat) => view.seats[seat]?.name ?? "";

/** A die as it lies. */
export const dieOf = (face, colour, faces, name) => ({
  picture: html`<svg viewBox="-36 -36 72 78" aria-hidden="true">${die(face, colour, faces)}</svg>`,
  name: colour ? `${name(colour)}: ${face}` : String(face),
  sound: "die",
});

/**
 * A throw of dice.
 * @param draw as `draws` found it; its lines tell a face each. @param of how many are thrown.
 * @param colourOf the colour of the die that comes to rest as the i-th
 * @param aside `[face, colour]` of those that stay
 * @param said what it means, once all lie.
 */
export function throwScene({ draw, act, seat, label, of, faces = 6, faceOf, colourOf, aside = [], caption }) {
  const { id, by, lines } = draw;
  return {
    id,
    by,
    seat,
    last: lastOf(draw),
    how: "throw",
    label,
    of: Math.max(of, lines.length),
    things: lines.map((line, i) => dieOf(faceOf(line.what), colourOf(i, line.what), faces, act.name)),
    waiting: (i) => html`
      <svg viewBox="-36 -36 72 78" aria-hidden="true">${die(null, colourOf(i, null), faces)}</svg>
    `,
    aside: aside.map(([face, colour]) => dieOf(face, colour, faces, act.name)),
    caption,
  };
}

/** Tokens out of a bag. `dig` is `{bag, seat, of, drawn}`, with `said` where what is drawn has other names. */
export function bagScene({ view, act, draw, dig, bags }) {
  const bag = bags.find((each) => each.bag === dig.bag);
  const colours = Object.fromEntries(bags.map((each) => [each.bag, each.colour]));
  const drawn = (token) => html`<${Token} token=${token} bag=${dig.bag} colours=${colours} label="" />`;
  return {
    id: draw.id,
    by: draw.by,
    seat: dig.seat,
    last: lastOf(draw),
    how: "bag",
    label: say("evening.dig.label", { who: named(view, dig.seat), site: dig.bag }),
    of: dig.of,
    things: dig.drawn.map((token, i) => ({
      picture: drawn(token),
      name: act.name((dig.names ?? dig.drawn)[i]),
      worth: worthOf(token),
      sound: worthOf(token) < 0 ? "rubble" : "token",
    })),
    from: (come) => html`<${Bag} bag=${bag} open=${come < dig.of} />`,
  };
}

/** A block: it falls on its square, or is looked at. `block` and `ground` are drawings, 76 wide. */
export function blockScene({ draw, seat, label, block, ground, name, caption }) {
  const thing = { picture: block, name, sound: ground ? "stone" : "die" };
  const { id, by } = draw;
  return { id, by, seat, last: lastOf(draw), how: "fall", label, of: 1, things: [thing], ground, caption };
}

/** A card: it comes up with its back and turns. `sound` is heard beside the card's own where it brings something. */
export function cardScene({ draw, seat, label, back, picture, name, worth = 0, caption }) {
  const things = picture ? [{ picture, name, worth, sound: worth > 0 ? "coin" : "card" }] : [];
  const { id, by } = draw;
  return { id, by, seat, last: lastOf(draw), how: "turn", label, of: 1, things, back, caption };
}
