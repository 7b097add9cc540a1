// Decks and places: a card is turned up with one touch; one that lies open is touched, and then where it goes.
import { html, classes } from "../../html.js";
import { Button } from "../../chrome/press.js";
import { printed } from "../../pieces/printed.js";

const IN_A_ROW = 15; // pixels

export const placed = (view, name) => view.board.cards?.places.find((each) => each.place === name);

/** The place or seat where something lies, as it is called. */
export const spotSaid = (view, act, spot) =>
  typeof spot === "number" ? act.say("toolbox.page.before", { name: view.seats[spot].name }) : act.name(spot);

/** A deck: touched, its top card is turned up for the seat that is chosen, or looked at by it in secret. */
export const Deck = ({ deck, act }) => html`
  <${Button}
    look="deck"
    class=${classes(deck.from === "house" && "ours")}
    can=${act.can && deck.left > 0}
    onPress=${() => act.move({ type: deck.searched ? "search" : "turn_up", deck: deck.deck }, { sound: "token" })}
  >
    <span class="unseen">
      ${act.say(`toolbox.page.${deck.searched ? "search" : "deck"}`, { deck: act.name(deck.deck), n: deck.left })}
    </span>
    <span class="deck-name" aria-hidden="true">${act.name(deck.deck)}</span>
    <span class="deck-left" aria-hidden="true">
      ${printed("back", { deck: deck.deck, size: IN_A_ROW })}<b>${deck.left}</b>
    </span>
  <//>
`;

/** The decks that are drawn from; what lies under lids is opened where it lies. */
export const Decks = ({ view, act }) => html`
  <div class="decks">
    ${view.board.decks
      .filter((deck) => !deck.lidded)
      .map((deck) => html`<${Deck} key=${deck.deck} deck=${deck} act=${act} />`)}
  </div>
`;

/** What a seat carries, in one sentence. */
export function loadSaid(view, act, seat) {
  const { cards, level, actions } = view.board.loads[seat];
  const key = actions === null ? "toolbox.page.load" : "toolbox.page.load_actions";
  return act.say(key, { name: view.seats[seat].name, n: cards, level, actions });
}

/** In a seat's row: cards, level, actions. */
export function LoadSign({ view, act, seat }) {
  const load = view.board.loads?.[seat];
  if (!load) return null;
  return html`
    <span class="load-sign" role="img" aria-label=${loadSaid(view, act, seat)}>
      <i>${load.cards}</i>
      <svg viewBox="0 0 14 20" width="14" height="20" aria-hidden="true">
        <rect x="1.5" y="1.5" width="11" height="17" rx="2" />
      </svg>
      <i class="load-of">${load.level}+</i>
      ${load.actions !== null && html`<b>▸ ${load.actions}</b>`}
    </span>
  `;
}

/** The places that have, or had, a lid: whose it was, and on which square it stands. */
export const tombsOf = (view) => (view.board.cards?.places ?? []).filter(({ place }) => place.includes(":"));
