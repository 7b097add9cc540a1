// What is printed on the pieces of the box: cards with their faces and backs, sarcophagi, alcoves, what mummies wear.
import { classes, html } from "../../html.js";
import { loadStylesheet } from "../../stylesheets.js";

await loadStylesheet("boards/horus/printed");

// Each is told by its crown as well as by its colour: a striped cloth, a tall crown, a flat one with its spire.
const MUMMIES = {
  initkaes: {
    linen: "#e2cf9f",
    sash: "#2b5fa3",
    crown: "M-14-5C-17-21-11-30 0-30S17-21 14-5L9-8C11-16 8-21 0-21S-11-16-9-8Z",
    trim: "M-12-14L-9-12M-11-21L-7-18M11-21L7-18M12-14L9-12M0-30V-21",
  },
  sanakht: {
    linen: "#d5ddbd",
    sash: "#3f6b2a",
    crown: "M-10-19C-11-28-6-32-5-39C-4-45 4-45 5-39C6-32 11-28 10-19C5-22-5-22-10-19Z",
    trim: "M-8-24C-3-26 3-26 8-24",
  },
  imhotep: {
    linen: "#e3bfa6",
    sash: "#a3311b",
    crown: "M-11-18V-29C-6-31 0-31 4-30L8-46H13L12-18C5-22-5-22-11-18Z",
    trim: "M-9-25H9M-1-31C-7-34-13-39-8-43C-4-45-3-39-6-39",
  },
};

export const mummy = (which) => MUMMIES[which];

/** The colour of each god: that of the die. */
export const GOD_COLOUR = {
  sobek: "#3f7a45",
  hededet: "#b57a12",
  thoth: "#2b5fa3",
  anubis: "#2b2622",
  horus: "#a3311b",
  rubble: "#7a6449",
  mummy: "#8a6d3b",
  block: "#6d675e",
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
const sortNamed = ({ kind, god }) => (god ? `${kind}-${god}` : kind);

const SMALL = 34; // pixels
const READ = 20; // pixels that are read from across the table

/** The face of a card. A necklace, a treasure and an idol show what they are worth. */
export const Face = ({ card, size = 44, ours = isOurs(sortNamed(card)) }) => html`
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
        ${ours && html`<path d="M-14 30H14" class="hor-ours" data-sign="house" />`}
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

const upright = (turn) => `rotate(${-turn})`;

/** A sarcophagus round the origin: closed, open with what lies in it, or empty. `turn` is how it stands. */
export const tomb = ({ god, open, looted, card, read, turn }) => html`
  <g class=${classes("hor-tomb", open && "open", looted && "looted")}>
    <path d="M-30 12V-8L-22-14H22L30-8V12Z" fill=${GOD_COLOUR[god]} class="coffin" />
    <path d="M-25 8V-6L-20-9H20L25-6V8Z" class=${open ? "hollow" : "lid"} />
    <g transform=${`translate(0 -1) ${upright(turn)}`}>
      ${
        card
          ? html`
            <circle r="13.5" class="gold" />
            <text dy=".34em" class="gold-worth">
              ${card.value}
            </text>
          `
          : looted
            ? html`<path d="M-5-5L5 5M5-5L-5 5" class="gone" />`
            : html`<g transform="scale(.56)">${sign(god)}</g>`
      }
    </g>
    ${read && !open && html`<circle cx="24" cy="-10" r="5" class="read" />`}
  </g>
`;

/** An alcove round the origin with its idol, until somebody has it. */
export const alcove = ({ god, there, turn }) => html`
  <g class=${classes("hor-alcove", !there && "bare")}>
    <path d="M-26 13V-4C-26-22 26-22 26-4V13Z" class="niche" />
    ${
      there &&
      html`
        <g transform=${`translate(0 -2) ${upright(turn)}`}>
          <circle r="14" fill=${GOD_COLOUR[god]} class="base" data-piece=${`idol:${god}`} />
          <g transform="scale(.7)">${sign(god)}</g>
        </g>
      `
    }
  </g>
`;

const WORTH = /^(.+)-(\d+)$/;
const GODS = ["treasure", "idol"];

/** A card by its name, as it is written in `companion`: its kind, its god, what it is worth. */
export function cardOf(name, worth = null) {
  const [, bare, value] = WORTH.exec(name) ?? [null, name, worth];
  const [kind, god] = bare.split("-");
  return { card: name, kind, god: GODS.includes(kind) ? god : null, value: value === null ? null : Number(value) };
}

/** The face of a card that is called by its name; `house` are the sorts whose worth is a figure of ours. */
export function face({ card, worth, house, size }) {
  const shown = cardOf(card, worth);
  return html`<${Face} card=${shown} ours=${house.includes(sortNamed(shown))} size=${size} />`;
}

const BACKS = { den: "rubble", sand: "hededet", pond: "sobek", touches: "mummy", stones: "block" };

/** The back of a deck's cards. */
export const back = ({ deck, size }) => html`<${Back} of=${BACKS[deck] ?? deck} size=${size} />`;
