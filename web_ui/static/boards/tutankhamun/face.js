// A card of the tray as a small picture, and the things that lie on the table beside it.
import { html, classes } from "../../html.js";
import { card as cardSign } from "./printed.js";
import { Planks, Worth } from "../../pieces/tray.js";

/** Whether a card's worth is our own figure. */
export const isOurs = (view, card) => view.board.tray.house.includes(card);

const SMALL = 50; // so small a card needs a larger seal to be read
export const SEALS = { small: { r: 31, size: 52 }, large: { r: 20, size: 26 }, laid: { r: 26, size: 36 } };

/** A card by itself. */
export const Face = ({ card, value, size, seal = SEALS[size < SMALL ? "small" : "large"], house, label, look }) => html`
  <svg
    class=${classes("tut-face", look)}
    viewBox="-52 -52 104 104"
    width=${size}
    height=${size}
    role=${label ? "img" : undefined}
    aria-label=${label}
    aria-hidden=${label ? undefined : "true"}
  >
    <rect x="-50" y="-50" width="100" height="100" rx="12" class="tut-paper" fill="url(#papyrus)" />
    ${
      card
        ? html`<g>${cardSign(card)}</g>`
        : html`
          <text y="16" class="tut-unknown">
            ?
          </text>
        `
    }
    ${
      value !== undefined &&
      value !== 0 &&
      html`
        <g transform=${`translate(${54 - seal.r} ${54 - seal.r})`}>
          <${Worth} value=${value} house=${house} ...${seal} />
        </g>
      `
    }
  </svg>
`;

/** A scarab, laid on the table or still in the hand. */
export const Scarab = ({ size = 30, spent }) => html`
  <svg
    class=${classes("tut-scarab", spent && "spent")}
    data-sign="scarab"
    viewBox="-30 -32 60 64"
    width=${size}
    height=${size}
    aria-hidden="true"
  >
    <path d="M-16-4L-26-14M16-4L26-14M-18 6L-28 8M18 6L28 8M-15 16L-23 26M15 16L23 26" class="legs" />
    <ellipse cy="6" rx="17" ry="21" class="shell" />
    <path d="M-11-12C-11-24 11-24 11-12Z" class="shell" />
    <path d="M0-10V27M-17 0C-8-7 8-7 17 0" class="seam" />
  </svg>
`;

export const BarricadeSign = ({ size = 28 }) => html`
  <svg
    viewBox="-54 -54 108 108"
    width=${size}
    height=${size}
    aria-hidden="true"
    class="tut-barricade"
    data-sign="barricade"
  >
    <${Planks} />
  </svg>
`;
