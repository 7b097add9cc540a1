// All cards of the table on one sheet: what lies where is touched, and then where it goes.
import { html, classes } from "../../html.js";
import { Dialog } from "../../chrome/dialog.js";
import { Button, Stepper } from "../../chrome/press.js";
import { printed } from "../../pieces/printed.js";
import { Decks, loadSaid, placed, spotSaid } from "./cards.js";
import { Backs, HoldToLook, Uncover } from "./face_down.js";
import { coloursOf } from "./seats.js";

const OUT = "out";
const ON_A_CHIP = 26;

/** Cards as they lie on a place or before a seat: a touch chooses one. */
function Lying({ view, act, spot, cards }) {
  const chosen = act.get("card", null);
  const { worth, house } = view.board.cards;
  const colours = coloursOf(view);
  return cards.map(
    (card, i) => html`
      <${Button}
        key=${`${card}:${i}`}
        look="card-chip"
        class=${classes(spot === OUT && "gone")}
        pressed=${chosen?.card === card && chosen?.spot === spot && chosen?.i === i}
        label=${act.say("toolbox.page.place", { card: act.name(card), place: spotSaid(view, act, spot) })}
        onPress=${() => act.set({ card: { card, spot, i } })}
      >
        ${printed("face", { card, worth: worth[card], house, colours, size: ON_A_CHIP })}${act.name(card)}
      <//>
    `,
  );
}

/** Where a chosen card can be laid: before each seat, on a place, out of the game, into its deck. */
function Whither({ view, act }) {
  const { card, spot, nth } = act.get("card", null);
  if (nth !== undefined) return html`<${Uncover} view=${view} act=${act} />`;
  const places = view.board.cards.places.filter(({ lid }) => lid === null).map(({ place }) => place);
  const named = places.filter((place) => !place.includes(":"));
  const spots = [...view.seats.keys(), ...named].filter((each) => each !== spot);
  const lay = (to) => {
    act.set({ card: null });
    act.move({ type: "lay_card", card, from: spot, to }, { sound: "token" });
  };
  return html`
    <div class="whither">
      ${spots.map(
        (to) => html`
          <${Button}
            key=${to}
            look="quiet"
            can=${act.can}
            label=${act.say("toolbox.page.lay", { place: spotSaid(view, act, to) })}
            onPress=${() => lay(to)}
          >
            ${typeof to === "number" ? view.seats[to].name : act.name(to)}
          <//>
        `,
      )}
    </div>
  `;
}

/** What a seat carries, where that is counted: cards that no deck here dealt are added by hand. */
function Load({ view, act, seat }) {
  const load = view.board.loads[seat];
  const carry = (cards) => act.move({ type: "carry", seat, cards: cards - load.cards });
  return html`
    <div class="load-row">
      <${Stepper}
        value=${load.cards}
        least=${0}
        most=${view.board.levels.length - 1}
        can=${act.can}
        label=${loadSaid(view, act, seat)}
        less=${act.say("toolbox.page.less")}
        more=${act.say("toolbox.page.more")}
        onChange=${carry}
      />
      <span class="load-level" data-sign=${load.from === "house" ? "house" : undefined}>
        ${act.say("toolbox.page.level", { level: load.level })}${load.from === "house" && "*"}
      </span>
      ${load.actions !== null && html`<b>${act.say("toolbox.page.actions", { n: load.actions })}</b>`}
      ${load.cursed.length > 0 && html`<span>${act.say("toolbox.page.cursed", { dice: load.cursed })}</span>`}
    </div>
  `;
}

/** A pile is looked through by the seat that is chosen, on its own screen. */
const LookThrough = ({ view, act, onClose }) => html`
  <div class="chips">
    ${view.board.bags.map(
      ({ bag }) => html`
        <${Button}
          key=${bag}
          look="quiet"
          can=${act.can && !view.board.looking}
          onPress=${() => {
            onClose();
            act.move({ type: "look_through", bag }, { sound: "token" });
          }}
        >
          ${act.say("toolbox.page.look", { bag })}
        <//>
      `,
    )}
  </div>
`;

/** The permits of a seat: a touch turns one over. */
const PermitsOf = ({ view, act, seat }) => html`
  <div class="chips">
    ${Object.entries(view.board.permits[seat]).map(
      ([site, up]) => html`
        <${Button}
          key=${site}
          look="card-chip"
          class=${classes("permit", !up && "gone")}
          pressed=${up}
          can=${act.can}
          label=${act.say(up ? "toolbox.page.permit_up" : "toolbox.page.permit_down", { site })}
          onPress=${() => act.move({ type: "permit", seat, site }, { sound: "knock" })}
        >
          ${act.name(site)}
        <//>
      `,
    )}
  </div>
`;

/** What lies open on the sites for the first to dig there, and a deck that has run out. */
const BesideDecks = ({ view, act }) => html`
  <div class="chips">
    ${view.board.bags
      ?.filter(({ first }) => first)
      .map(
        ({ bag, first }) => html`
          <${Button}
            key=${bag}
            look="quiet"
            can=${act.can}
            label=${`${act.name(bag)}: ${act.say("toolbox.page.first", { token: first })}`}
            onPress=${() => act.move({ type: "first_find", bag, seat: act.seat }, { sound: "token" })}
          >
            ${act.name(bag)}
          <//>
        `,
      )}
    ${
      placed(view, "discards") &&
      view.board.decks
        .filter(({ left }) => left === 0)
        .map(
          ({ deck }) => html`
            <${Button}
              key=${deck}
              look="quiet"
              can=${act.can}
              onPress=${() => act.move({ type: "shuffle", deck }, { sound: "token" })}
            >
              ${act.say("toolbox.page.shuffle")}
            <//>
          `,
        )
    }
  </div>
`;

/** All cards of the table on one sheet. */
export function Part({ view, act, onClose }) {
  const { places, before, over } = view.board.cards;
  const isBare = (spot, cards) => cards.length === 0 && !view.board.hidden?.before[spot]?.length;
  const rows = [...before.map((cards, seat) => [seat, cards]), ...places.map(({ place, cards }) => [place, cards])];
  return html`
    <${Dialog} look="sheet wide cards-sheet" title=${act.say("toolbox.page.cards")} onClose=${onClose}>
      ${over && html`<p class="clock-over">${act.say("toolbox.page.over")}</p>`}
      <${Decks} view=${view} act=${act} />
      <${BesideDecks} view=${view} act=${act} />
      ${view.board.looking !== undefined && html`<${LookThrough} view=${view} act=${act} onClose=${onClose} />`}
      ${rows
        .filter(([spot, cards]) => cards.length > 0 || typeof spot === "number")
        .map(
          ([spot, cards]) => html`
            <section class="spot" key=${spot}>
              <h3>${spotSaid(view, act, spot)}</h3>
              ${typeof spot === "number" && view.board.loads && html`<${Load} ...${{ view, act, seat: spot }} />`}
              ${
                typeof spot === "number" && view.board.permits && html`<${PermitsOf} ...${{ view, act, seat: spot }} />`
              }
              <div class="chips">
                ${isBare(spot, cards) && html`<span class="hint">${act.say("toolbox.page.empty")}</span>`}
                <${Lying} view=${view} act=${act} spot=${spot} cards=${cards} />
                ${
                  typeof spot === "number" &&
                  html`
                    <${Backs} view=${view} act=${act} seat=${spot} />
                    <${HoldToLook} view=${view} act=${act} seat=${spot} />
                  `
                }
              </div>
            </section>
          `,
        )}
      <div class="lift-bar">
        ${
          act.get("card", null)
            ? html`<${Whither} view=${view} act=${act} />`
            : html`<p class="caption">${act.say("toolbox.page.hint")}</p>`
        }
      </div>
    <//>
  `;
}
