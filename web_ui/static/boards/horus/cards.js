// Cards: their faces and backs, what lies before everybody, and the hand of one, which only its owner looks at.
import { html, classes } from "../../html.js";
import { Lazy } from "../../chrome/lazy.js";
import { SeatSign } from "../../pieces/marker.js";
import { Back, Face } from "./printed.js";

/** What a card is, in words. */
export function cardSaid(act, { kind, god, value }) {
  if (kind === "treasure" || kind === "idol") return act.say(`horus.page.card.${kind}`, { god, n: value });
  return kind === "necklace" ? act.say("horus.page.card.necklace", { n: value }) : act.name(kind);
}

const grouped = (things, keyOf) => {
  const found = new Map();
  for (const each of things) found.set(keyOf(each), [...(found.get(keyOf(each)) ?? []), each]);
  return [...found.values()];
};

/** What lies open, and the backs of what does not: all of it in little, several of one kind as one with a number. */
const Lying = ({ seat, act, size = 24 }) => html`
  <span class="hor-lying">
    ${grouped(seat.open, (card) => card.card).map(
      (same) => html`
        <span key=${same[0].card} class="some" title=${cardSaid(act, same[0])}>
          <${Face} card=${same[0]} size=${size} />
          ${same.length > 1 && html`<b>${same.length}</b>`}
        </span>
      `,
    )}
    ${grouped(seat.backs, (back) => back).map(
      (same) => html`
        <span key=${`back:${same[0]}`} class="some" title=${act.say("horus.page.back", { god: same[0] })}>
          <${Back} of=${same[0]} size=${size} />
          ${same.length > 1 && html`<b>${same.length}</b>`}
        </span>
      `,
    )}
  </span>
`;

function lyingSaid(seat, act) {
  const open = grouped(seat.open, (card) => card.card).map((same) =>
    same.length > 1 ? `${same.length} × ${cardSaid(act, same[0])}` : cardSaid(act, same[0]),
  );
  const hidden = seat.backs.length ? [act.say("horus.page.face_down", { n: seat.backs.length })] : [];
  const packed = seat.packed ? [act.say("horus.page.packed", { n: seat.packed })] : [];
  return [...open, ...hidden, ...packed].join(", ");
}

/** What lies before everybody: who they are, their open cards, the backs of the others. */
export const Tableau = ({ view, act }) => html`
  <section class="hor-tableau" aria-label=${act.say("horus.page.tableau")}>
    ${view.board.seats.map(
      (seat) => html`
        <div key=${seat.seat} class=${classes("hor-before", seat.seat === view.ask.seat && "turn", seat.fate)}>
          <${SeatSign} seat=${view.seats[seat.seat]} size=${24} />
          <p>
            <b>${seat.adventurer ? act.name(seat.adventurer) : view.seats[seat.seat].name}</b>
            <small class=${classes(seat.used && "used")}>${seat.ability && act.name(seat.ability)}</small>
          </p>
          ${seat.used && html`<span class="unseen">${act.say("horus.page.used")}</span>`}
          <${Lying} seat=${seat} act=${act} />
          <span class="unseen">${lyingSaid(seat, act)}</span>
        </div>
      `,
    )}
  </section>
`;

/** The hand that this screen may look at, once somebody has one. */
export const hand = () => import("./hand.js");
export const Hand = (props) => html`<${Lazy} load=${hand} ...${props} />`;
