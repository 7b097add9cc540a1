// The button that opens a hand: on the tablet in the middle it is held, where others sit who must not see.
import { html } from "../../html.js";
import { Button, Hold } from "../../chrome/press.js";

/** Whether a hand, or what was seen in a pile, is to be kept from the others who sit round this screen. */
const isSecret = (view, act, seat) =>
  act.role === "host" && (view.board.way === "companion" || (view.board.way === "mixed" && looked(view, seat)));

/** Whether a seat has seen a pile which it has not left behind: told by the log, that everybody reads. */
function looked(view, seat) {
  const own = view.log.filter(
    (line) => !line.undone && line.what.type && (line.seat === seat || line.what.seat === seat),
  );
  const last = own.map((line) => line.what.type).lastIndexOf("look");
  return last >= 0 && own.slice(last + 1).every((line) => line.kind !== "move" || line.what.type === "keep");
}

/** What stands on the button that opens a hand. */
function opensSaid(view, act, seat, secret) {
  if (view.board.phase === "choosing" && view.ask.seat === seat) return "open_pile";
  return act.role === "seat" ? "my_hand" : secret ? "hold_of" : "hand_of";
}

/** Opens a seat's hand: by a press where only its owner looks, by a hold on the tablet in the middle. */
export function HandButton({ view, act, seat, small }) {
  const open = () => act.set({ hand: seat });
  // Whoever is not asked has nothing to do with a hand but to look.
  const close = act.mayMove && view.ask.seat === seat ? undefined : () => act.set({ hand: null });
  const secret = isSecret(view, act, seat);
  const how = { look: small ? "quiet" : "main", class: small ? "tr-small-hand" : "tr-open-hand" };
  const label = act.say(`tomb_raiders.page.${opensSaid(view, act, seat, secret)}`, { name: view.seats[seat].name });
  const words = small
    ? html`<span class="unseen">${label}. </span><${Cards} /> <b>${view.board.seats[seat].hand}</b>`
    : label;
  return secret
    ? html`<${Hold} ...${how} onOpen=${open} onLetGo=${close}>${words}<//>`
    : html`<${Button} ...${how} onPress=${open}>${words}<//>`;
}

/** A little fan, the sign of a hand. */
const Cards = () => html`
  <svg viewBox="-16 -16 32 32" width="24" height="24" aria-hidden="true" class="tr-little-fan">
    ${[-24, 0, 24].map(
      (turn) => html`<rect x="-6" y="-12" width="12" height="18" rx="2" transform=${`rotate(${turn} 0 12)`} />`,
    )}
  </svg>
`;
