// Cards: their faces and backs, what lies before everybody, and the hand of one, which only its owner looks at.
import { html, classes } from "../../html.js";
import { Looked } from "../../chrome/looked.js";
import { Button } from "../../chrome/press.js";
import { Refused } from "../../chrome/choosing.js";
import { SeatSign } from "../../pieces/marker.js";

/** The colour of each god: that of the die. */
export const GOD_COLOUR = {
  sobek: "#3f7a45",
  hededet: "#b57a12",
  thoth: "#2b5fa3",
  anubis: "#2b2622",
  horus: "#a3311b",
  rubble: "#7a6449",
};

// Round the origin, some thirty units across.
const SIGNS = {
  sobek: "M-16 2L-6-6L10-7L16-3L9 0L16 4L8 8L-4 7L-10 12L-11 6Z",
  hededet: "M-12 12L-4 4L6 6C14 6 15-4 8-8L2-13L11-15C19-9 20 10 8 13L0 14L-8 16Z",
  thoth: "M-14-3A14 14 0 0 0 14-3A11 9 0 0 1-14-3ZM-6-9A6 6 0 1 1 6-9A6 6 0 1 1-6-9Z",
  anubis: "M-8 15L-7 2L-11-15L-3-7H3L11-15L7 2L8 15L2 11H-2Z",
  horus: "M-16-2C-8-11 8-11 16-2C8 6-8 6-16-2ZM-1 5L-4 15L-7 5ZM4 5C6 13 14 14 15 8L11 9C9 9 8 7 8 4Z",
  rubble: "M-15 12L-9-2L-2 3L3-10L10-4L15 12Z",
  chest: "M-15-2C-15-14 15-14 15-2V13H-15ZM-15 0H15M-3-3H3V5H-3Z",
  necklace: "M-13-12C-13 8 13 8 13-12M-5 4L0 15L5 4Z",
  antidote: "M-4-15H4V-7L10 3V14H-10V3L-4-7ZM-8 5H8",
  medical_kit: "M-15-9H15V13H-15ZM-5-9V-14H5V-9M-2-4H2V0H6V4H2V8H-2V4H-6V0H-2Z",
  crowbar: "M-12 14L6-8C0-14 8-18 13-12M-12 14L-15 9",
  udjat: "M-16-2C-8-11 8-11 16-2C8 6-8 6-16-2ZM-4-2A4 4 0 1 0 4-2A4 4 0 1 0-4-2ZM-2 5L-6 14M5 5C8 13 14 12 14 7",
  satchel: "M-14-4H14V14H-14ZM-10-4C-10-17 10-17 10-4M-14 4H14M-3 2H3V8H-3Z",
  snake: "M-14 12C-2 16 10 14 8 6S-10 4-9-4S8-8 7-14M7-14L12-16M7-14L10-10",
  scorpion: "M-12 12L-4 4L6 6C14 6 15-4 8-8L2-13L11-15C19-9 20 10 8 13L0 14L-8 16Z",
  crocodile: "M-16 2L-6-6L10-7L16-3L9 0L16 4L8 8L-4 7L-10 12L-11 6Z",
  mummy: "M-9 15C-14-2-9-9-8-11C-9-19 9-19 8-11C9-9 14-2 9 15ZM-7-9H7M-10 0L10-3M-9 8L9 5",
  block: "M-13-8L9-11L14 9L-10 13ZM-2-10L2 0L-4 5M2 0L10 2",
};
const OPEN = new Set(["necklace", "crowbar", "snake"]); // drawn as a line

const WOUNDS = new Set(["snake", "scorpion", "crocodile", "mummy", "block"]);
const sortOf = (kind) => (WOUNDS.has(kind) ? "wound" : kind);

/** The sign of a god, of a piece of equipment or of a wound, round the origin. */
export const sign = (what, more = {}) =>
  html`<path d=${SIGNS[what]} class=${classes("hor-sign", OPEN.has(what) && "line")} ...${more} />`;

const signOf = ({ kind, god }) => (kind === "treasure" || kind === "idol" ? god : kind);

// What bears a figure of our own never changes while a table is played.
let ours = new Set();
export const heed = (board) => {
  ours = new Set(board.house ?? []);
};
export const isOurs = (what) => ours.has(what);
const worthIsOurs = ({ kind, god }) => isOurs(god ? `${kind}-${god}` : kind);

const SMALL = 34; // pixels
const READ = 20; // pixels that are read from across the table

/** The face of a card. A necklace, a treasure and an idol show what they are worth. */
export const Face = ({ card, size = 44 }) => html`
  <svg
    class=${classes("hor-card", sortOf(card.kind))}
    viewBox="-24 -34 48 68"
    width=${size}
    height=${(size * 68) / 48}
    aria-hidden="true"
    data-sign=${card.kind === "idol" ? "idol" : undefined}
  >
    <rect x="-23" y="-33" width="46" height="66" rx="6" class="sheet" />
    ${
      card.god &&
      html`<rect x="-23" y="-33" width="46" height="9" rx="4" fill=${GOD_COLOUR[card.god]} />
        <rect x="-23" y="24" width="46" height="9" rx="4" fill=${GOD_COLOUR[card.god]} />`
    }
    <g transform=${card.value ? `translate(0 -12) scale(${size < SMALL ? 0.65 : 0.8})` : "scale(1.15)"}>
      ${sign(signOf(card), card.god ? { fill: GOD_COLOUR[card.god] } : {})}
    </g>
    ${
      card.value > 0 &&
      html`
        <text y="13" dy=".34em" class="hor-worth" style=${`--worth:${Math.max(24, Math.ceil((READ * 48) / size))}`}>
          ${card.value}
        </text>
        ${worthIsOurs(card) && html`<path d="M-14 30H14" class="hor-ours" data-sign="house" />`}
      `
    }
  </svg>
`;

/** The back of a card: it tells the pile it is from, and nothing else. */
export const Back = ({ of, size = 44 }) => html`
  <svg
    class="hor-card back"
    viewBox="-24 -34 48 68"
    width=${size}
    height=${(size * 68) / 48}
    aria-hidden="true"
  >
    <rect x="-23" y="-33" width="46" height="66" rx="6" fill=${GOD_COLOUR[of]} />
    <rect x="-18" y="-28" width="36" height="56" rx="4" class="inset" />
    <g transform="scale(.9)">${sign(of)}</g>
  </svg>
`;

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
  return [...open, ...hidden].join(", ");
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

// What can be used stands on the card, or on the ability, that it is used with.
const usesOf = (you, card) => you.uses.filter((use) => use.card === card);
const abilitiesOf = (you) => you.uses.filter((use) => use.ability);

function useSaid(act, use) {
  const what = use.card || use.ability;
  if (use.wound) return act.say("horus.page.use_against", { card: what, wound: use.wound });
  if (use.mummy) return act.say("horus.page.use_on", { mummy: use.mummy });
  if (use.god) return act.say("horus.page.use_for", { card: what, god: use.god });
  return act.say("horus.page.use", { card: what });
}

/** What is not said with a move is left out of it. */
const said = (use) => Object.fromEntries(Object.entries(use).filter(([, value]) => value !== "" && value !== null));

/** The cards of a hand; those that may be laid off are touched for it, and what can be used has its button. */
function Cards({ view, act, you, seat, after }) {
  const { asking } = view.board;
  const mine = act.can && view.ask.seat === seat;
  const lays = mine && (asking === "ready" || asking === "discard");
  const chosen = act.chosen("laid") ?? [];
  const may = (card) => lays && you.may_discard.includes(card.card);
  const touch = (at) =>
    act.hold(
      "laid",
      chosen.includes(at)
        ? chosen.filter((each) => each !== at)
        : asking === "discard"
          ? [at]
          : [...chosen, at].sort((a, b) => a - b),
    );
  const use = (each) => () => {
    after();
    act.move(said(each), { sound: "token" });
  };
  return html`
    <ul class="hor-cards">
      ${you.cards.map(
        (card, at) => html`
          <li key=${`${card.card}:${at}`}>
            ${
              lays
                ? html`
                  <${Button}
                    look="hor-pick"
                    can=${may(card)}
                    pressed=${chosen.includes(at)}
                    label=${cardSaid(act, card)}
                    onPress=${() => touch(at)}
                  >
                    <${Face} card=${card} size=${52} />
                  <//>
                `
                : html`<span role="img" aria-label=${cardSaid(act, card)}><${Face} card=${card} size=${52} /></span>`
            }
          </li>
        `,
      )}
    </ul>
    ${!you.cards.length && html`<p class="caption">${act.say("horus.page.empty_hand")}</p>`}
    ${
      mine &&
      html`
        <div class="hor-uses">
          ${[...new Set(you.cards.map((card) => card.card))]
            .flatMap((card) => usesOf(you, card))
            .concat(abilitiesOf(you))
            .filter((each) => each.keep === null || each.keep === undefined)
            .map(
              (each) => html`
                <${Button} key=${JSON.stringify(each)} look="quiet" can=${act.can} onPress=${use(each)}>
                  ${useSaid(act, each)}
                <//>
              `,
            )}
        </div>
      `
    }
    ${lays && html`<${LayOff} view=${view} act=${act} you=${you} chosen=${chosen} after=${after} />`}
  `;
}

/** Lays off what was touched; before the level is read that is also how one is ready. */
function LayOff({ view, act, you, chosen, after }) {
  const cards = chosen.map((at) => you.cards[at].card);
  const ready = view.board.asking === "ready";
  const lay = () => {
    after();
    act.move(ready ? { type: "ready", discard: cards } : { type: "discard", card: cards[0] }, { sound: "token" });
  };
  return html`
    <${Button} look="main" can=${act.can && (ready || cards.length === 1)} onPress=${lay}>
      ${
        ready
          ? cards.length
            ? act.say("horus.page.lay_off_ready", { n: cards.length })
            : act.say("horus.page.ready")
          : act.say("horus.page.lay_off")
      }
    <//>
  `;
}

/** What only its owner knows besides the cards: what they are worth, a block looked at, sarcophagi read. */
const Known = ({ act, you }) => html`
  <ul class="hor-known">
    <li>${act.say("horus.page.level_with", { n: you.count, level: you.level })}</li>
    <li>${act.say("horus.page.worth", { n: you.worth })}</li>
    ${you.looked && html`<li><b>${act.say("horus.page.looked", { block: you.looked })}</b></li>`}
    ${you.read.map(
      ({ god, square, card }) => html`
        <li key=${square}>
          ${
            card
              ? act.say("horus.page.read", { god, square, n: card.value })
              : act.say("horus.page.read_there", { god, square })
          }
        </li>
      `,
    )}
  </ul>
`;

/** One's own cards, on one's own screen. */
const Mine = ({ view, act }) => html`
  <section class="hor-hand" aria-label=${act.say("horus.page.hand")}>
    <h2>${act.say("horus.page.hand")}</h2>
    <${Cards} view=${view} act=${act} you=${view.you} seat=${view.me.seat} after=${() => {}} />
    <${Known} act=${act} you=${view.you} />
  </section>
`;

/** Whose hand the shared tablet would show: that of whoever is asked, else of whoever's part it is. */
const whose = (view) => view.ask.seats?.[0] ?? view.ask.seat ?? view.board.turn ?? 0;

/** On the shared tablet a hand is looked at by holding. */
const Held = ({ view, act }) => {
  const titled = (name) => act.say("horus.page.hand_of", { name });
  const { name } = view.seats[whose(view)];
  return html`
    <section class="hor-hand" aria-label=${titled(name)}>
      <${Looked}
        view=${view}
        act=${act}
        seat=${whose(view)}
        said=${act.say("horus.page.hold", { name })}
        title=${titled}
        look="sheet hor-secret"
        letGo=${!act.mayMove}
        onCover=${() => act.hold("laid", null)}
      >
        ${({ you, seat, cover }) => html`
          <${Cards} view=${view} act=${act} you=${you} seat=${seat} after=${cover} />
          <${Known} act=${act} you=${you} />
          <${Refused} act=${act} />
          <${Button} look="quiet" onPress=${cover}>${act.say("horus.page.cover")}<//>
        `}
      <//>
    </section>
  `;
};

/** The hand that this screen may look at: one's own, or, on the shared tablet, that of whoever is asked. */
export function Hand({ view, act }) {
  if (act.role === "seat") return html`<${Mine} view=${view} act=${act} />`;
  const playing = view.ask.kind !== "over" && view.board.phase !== "entering";
  return act.role === "host" && playing ? html`<${Held} view=${view} act=${act} />` : null;
}
