// A card that comes to light, for the screen that it fills: what it is, what it is worth, and whose it is.
import { html } from "../../html.js";
import { cardScene, draws } from "../../chrome/scenes.js";
import { Face, isOurs } from "./face.js";
import { lastSaid } from "./turn.js";

const sortOf = ({ type }) => (type.startsWith("uncover") ? type : null);

/** The newest card, while the board still shows it as the last one. */
export function scenes(view, act) {
  const { last, tray } = view.board;
  const draw = draws(view, sortOf).at(-1);
  if (!draw || !last || draw.lines[0].what.square !== last.square) return [];
  const { card, seat, square, points } = last;
  const who = view.seats[seat].name;
  return [
    cardScene({
      draw,
      seat,
      label: act.say("evening.theatre.card", { who, square }),
      back: html`<${Face} size=${104} />`,
      picture: html`<${Face} card=${card} value=${tray.value[card]} house=${isOurs(view, card)} size=${104} />`,
      name: act.name(card),
      worth: points,
      caption: lastSaid(view, act),
    }),
  ];
}
