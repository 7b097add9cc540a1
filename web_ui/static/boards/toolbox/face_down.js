// Cards that lie face down before a seat: their owner reads them, everybody counts them.
import { html } from "../../html.js";
import { PrivateLook } from "../../chrome/private_look.js";
import { Button } from "../../chrome/press.js";
import { printed } from "../../pieces/printed.js";

const backsOf = (view, seat) => view.board.hidden?.before[seat] ?? [];

/** What is read of a card that lies face down: by its owner what it is, by others which deck it is from. */
const cardSaid = (act, card, deck, nth) =>
  card ? `${act.name(card)} (${act.name(deck)})` : act.say("toolbox.page.back_of", { deck, n: nth + 1 });

const SIZE = 26; // pixels

/** The card as its viewer sees it: its owner from the front, others from behind. */
function Seen({ view, card, deck }) {
  const { worth, house } = view.board.cards;
  return card
    ? printed("face", { card, worth: worth[card], house, size: SIZE })
    : printed("back", { deck, size: SIZE });
}

/** The cards that lie face down before a seat; whoever acts for it touches one, and then what becomes of it. */
export function Backs({ view, act, seat, you = view.me.seat === seat ? view.you : null, onChoose }) {
  const chosen = act.get("card", null);
  const choose = (nth) => {
    if (act.role === "host") act.choose(seat);
    act.set({ card: { nth, spot: seat } });
    onChoose?.();
  };
  return backsOf(view, seat).map(
    (deck, nth) => html`
      <${Button}
        key=${`${seat}:${nth}`}
        look="card-chip"
        class="back"
        can=${act.mine(seat)}
        pressed=${chosen?.nth === nth && chosen?.spot === seat}
        onPress=${() => choose(nth)}
      >
        <${Seen} view=${view} card=${you?.hidden?.[nth]?.card} deck=${deck} />
        ${cardSaid(act, you?.hidden?.[nth]?.card, deck, nth)}
      <//>
    `,
  );
}

/** What can become of the card that was touched. */
export function Uncover({ view, act }) {
  const { nth, spot } = act.get("card", null);
  const can = act.can && spot === act.seat && nth < backsOf(view, spot).length;
  const go = (move) => {
    act.set({ card: null });
    act.move(move, { sound: "token" });
  };
  const ways = [
    ["toolbox.page.show", { type: "show_cards", nth }],
    ["toolbox.page.lay_off", { type: "lay_off", nth }],
    ["toolbox.page.show_all", { type: "show_cards" }],
  ];
  return html`
    <div class="whither">
      ${ways.map(
        ([key, move]) => html`
          <${Button} key=${key} look="quiet" can=${can} onPress=${() => go(move)}>${act.say(key)}<//>
        `,
      )}
    </div>
  `;
}

/** On a phone one's own cards lie under the decks; a touch opens the sheet of all cards with it. */
export function OwnCards({ view, act }) {
  const { seat } = view.me;
  const n = backsOf(view, seat).length;
  if (act.role !== "seat" || !act.narrow || n === 0) return null;
  return html`
    <div class="chips own-cards" role="group" aria-label=${act.say("toolbox.page.own_cards", { n })}>
      <${Backs} view=${view} act=${act} seat=${seat} onChoose=${() => act.set({ laid_open: "cards" })} />
    </div>
  `;
}

/** On the screen that all share, the cards of a seat are looked at by holding. */
export const HoldToLook = ({ view, act, seat }) =>
  act.role === "host" &&
  backsOf(view, seat).length > 0 &&
  html`
    <${PrivateLook}
      view=${view}
      act=${act}
      seat=${seat}
      label=${act.say("toolbox.page.hold", { name: view.seats[seat].name })}
      title=${(name) => act.say("toolbox.page.cards_of", { name })}
      look="sheet"
    >
      ${({ you, seat: whose, cover }) => html`
        <div class="chips own-cards">
          <${Backs} view=${view} act=${act} seat=${whose} you=${you} onChoose=${cover} />
        </div>
      `}
    <//>
  `;
