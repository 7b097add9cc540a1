// Decks and places: a card is turned up with one touch; one that lies open is touched, and then where it goes.
import { html, classes } from "../../html.js";
import { Dialog } from "../../chrome/dialog.js";
import { Button, Stepper } from "../../chrome/press.js";
import { printed } from "../../pieces/printed.js";
import { Backs, HoldToLook, Uncover } from "./face_down.js";
import { coloursOf } from "./seats.js";

const OUT = "out";
const IN_A_ROW = 15; // pixels
const ON_A_CHIP = 26;

export const placed = (view, name) => view.board.cards?.places.find((each) => each.place === name);

/** The place or seat where something lies, as it is called. */
const spotSaid = (view, act, spot) =>
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

/** What a seat carries, in one sentence. */
export function loadSaid(view, act, seat) {
  const { cards, level, actions } = view.board.loads[seat];
  const said = actions === null ? "toolbox.page.load" : "toolbox.page.load_actions";
  return act.say(said, { name: view.seats[seat].name, n: cards, level, actions });
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

/** How many weeks it is from here to there, plain, by car and by zeppelin. */
export function WaysSheet({ view, act, onClose }) {
  const { ways } = view.board;
  const places = Object.keys(ways);
  const from = act.get("from", places[0]);
  const to = act.get("to", places[1]);
  const { plain, car } = ways[from][to];
  const choice = (which, value) => html`
    <label class="way-end">
      ${act.say(`toolbox.page.${which}`)}
      <select value=${value} onChange=${(event) => act.set({ [which]: event.currentTarget.value })}>
        ${places.map(
          (place) => html`
            <option key=${place} value=${place} selected=${place === value}>${act.name(place)}</option>
          `,
        )}
      </select>
    </label>
  `;
  return html`
    <${Dialog} look="sheet" title=${act.say("toolbox.page.ways")} onClose=${onClose}>
      <div class="ways">${choice("from", from)} ${choice("to", to)}</div>
      <p class="way-told" aria-live="polite">
        <b>${act.say("toolbox.page.by", { n: plain })}</b>
        <span>${act.say("toolbox.page.by_car", { n: car })}</span>
        <span>${act.say("toolbox.page.by_air")}</span>
      </p>
    <//>
  `;
}

/** The places that have, or had, a lid: whose it was, and on which square it stands. */
export const tombsOf = (view) => (view.board.cards?.places ?? []).filter(({ place }) => place.includes(":"));

/** What is to be seen of a sarcophagus; whoever has read what lies there sees it too. */
function tombSaid(view, act, { place, lid, cards, readers = [] }) {
  if (!lid) return cards.length > 0 ? act.say("toolbox.page.tomb_open", { cards }) : act.say("toolbox.page.empty");
  if (readers.length === 0) return act.say("toolbox.page.tomb_closed");
  const own = view.you?.read?.find((each) => each.place === place);
  const by = act.say("toolbox.page.read_by", { names: readers.map((seat) => view.seats[seat].name) });
  return own ? html`${by}<br />${act.say("toolbox.page.read_own", { card: own.card })}` : by;
}

/** What can be done with a sarcophagus: it is opened, read by the seat that is chosen, and what lies open is taken. */
function TombActs({ view, act, tomb: { place, lid, cards, readers } }) {
  const can = act.can && (!lid || view.board.decks.find(({ deck }) => deck === lid).left > 0);
  const acts = lid
    ? [
        ["toolbox.page.open", { place }, { type: "turn_up", deck: lid, to: place }],
        ...(readers && !readers.includes(act.seat)
          ? [["toolbox.page.read", { name: view.seats[act.seat].name, place }, { type: "read_tomb", place }]]
          : []),
      ]
    : cards.map((card) => [
        "toolbox.page.lay",
        { place: spotSaid(view, act, act.seat) },
        { type: "lay_card", card, from: place, to: act.seat },
      ]);
  return acts.map(
    ([key, facts, move]) => html`
      <${Button} key=${key} look="quiet" can=${can} onPress=${() => act.move(move, { sound: "stone" })}>
        ${act.say(key, facts)}
      <//>
    `,
  );
}

/** All sarcophagi in a list: a touch chooses one, and then what is done with it. */
export function TombsSheet({ view, act, onClose }) {
  const tombs = tombsOf(view);
  const chosen = tombs.find(({ place }) => place === act.get("tomb", null));
  return html`
    <${Dialog} look="sheet wide cards-sheet" title=${act.say("toolbox.page.tombs")} onClose=${onClose}>
      <div class="tombs">
        ${tombs.map(
          (tomb) => html`
            <${Button}
              key=${tomb.place}
              look="tomb-chip"
              class=${classes(!tomb.lid && "gone")}
              pressed=${tomb === chosen}
              onPress=${() => act.set({ tomb: tomb.place })}
            >
              <b>${act.name(tomb.place)}</b>
              <span>${tombSaid(view, act, tomb)}</span>
            <//>
          `,
        )}
      </div>
      <div class="lift-bar">
        ${
          chosen
            ? html`<${TombActs} view=${view} act=${act} tomb=${chosen} />`
            : html`<p class="caption">${act.say("toolbox.page.tombs_hint")}</p>`
        }
      </div>
    <//>
  `;
}

/** All cards of the table on one sheet. */
export function CardsSheet({ view, act, onClose }) {
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
