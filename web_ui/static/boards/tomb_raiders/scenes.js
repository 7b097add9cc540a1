// A dig, a thief's draw and a card that is kept of a pile, for the screen that they fill.
import { html } from "../../html.js";
import { afterMove, begins, bagScene, cardScene, draws } from "../../chrome/scenes.js";
import { Back, Face, printedOn } from "./cards.js";
import { digOf } from "./table.js";

const asToken = (id) => (id.startsWith("rubble") ? "blank" : `object:${id.split("-")[2]}`);

function dug({ view, act, dig, draw }) {
  const bags = view.board.regions.map(({ id, colour }) => ({ bag: id, colour, left: null }));
  const { seat, of, region, drawn } = dig;
  return bagScene({ view, act, draw, bags, dig: { seat, of, bag: region, drawn: drawn.map(asToken), names: drawn } });
}

/** One card of a pile, which everybody sees: a thief's, or one that was chosen. */
function taken({ view, act, seat, region, card, draw, label }) {
  const who = view.seats[seat].name;
  const { worth } = card ? printedOn(view, card) : {};
  return cardScene({
    draw,
    seat,
    label,
    back: html`<${Back} view=${view} region=${region} />`,
    picture: card && html`<${Face} view=${view} act=${act} id=${card} />`,
    name: card && act.name(card),
    worth: worth ?? -1,
    caption: act.say(worth ? "evening.theatre.takes" : "evening.theatre.goes_back", { who }),
  });
}

function stolen({ view, act, dig, draw }) {
  const { seat, region, drawn } = dig;
  const label = act.say("tomb_raiders.page.steals", { name: view.seats[seat].name, region });
  return taken({ view, act, seat, region, card: drawn[0], draw, label });
}

/** The newest move, where it drew from a pile or kept a card of one. */
export function scenes(view, act) {
  const move = view.log.filter((line) => !line.undone && line.kind === "move").at(-1);
  if (move?.what.type === "keep" && move.what.token) {
    const { seat, what } = move;
    const { region } = printedOn(view, what.token);
    const label = act.say("evening.theatre.keeps", { who: view.seats[seat].name, site: region });
    const draw = { id: move.seq, by: "companion", lines: [move] };
    return [taken({ view, act, seat, region, card: what.token, draw, label })];
  }
  const dig = digOf(view);
  if (!dig) return [];
  const [drawn] = draws(view, ({ type }) => type === "find").filter((each) => each.move === move);
  if (!drawn && !begins(view)) return [];
  const draw = drawn ?? { id: afterMove(move), by: "companion", lines: [] };
  return [(dig.does === "dig" ? dug : stolen)({ view, act, dig, draw })];
}
