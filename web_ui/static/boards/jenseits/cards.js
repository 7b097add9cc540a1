// Research cards and exhibitions: what is printed on them, and what they would cost from here.
import { classes, html } from "../../html.js";
import { nextAfter, NextSign } from "../../chrome/choosing.js";
import { siteSign } from "../../pieces/tokens.js";
import { art } from "./printed.js";

const LONG = 15; // letters that fit beneath a picture
const ABOUT = new Set(["book", "ethnology"]);

const upper = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/** What is written beneath a card's picture: the site it is about, or what it is. */
const caption = (card, name) =>
  upper(name(ABOUT.has(card.kind) ? card.site : card.kind === "open_book" ? card.face : card.kind));

const Hourglass = () => html`<path d="M-5-8H5M-5 8H5M-4-8C-4-2 4 2 4 8M4-8C4-2-4 2-4 8" class="hourglass" />`;

const edge = ({ seats, ask }) => `stroke:${seats[ask.options.seat].colour}`;

/** The weeks from here with trip and all, edged in the colour of whose they are, and who would play then. */
const Total = ({ view, answer }) => html`
  <g transform="translate(94 144)" class="total" data-sign="total">
    <circle r="21" fill="url(#brass)" class="total-coin" style=${edge(view)} />
    <text dy=".34em" class="total-number">
      ${answer.total}
    </text>
    ${
      nextAfter(view, answer) &&
      html`
        <g transform="translate(-21 9)" data-sign="next">
          <circle r="11" class="next-bed" />
          <g transform="translate(-9.75 -9.75)"><${NextSign} view=${view} answer=${answer} size=${19.5} /></g>
        </g>
      `
    }
  </g>
`;

/** A long name is drawn closer, so that it stays on its card. */
const Caption = ({ words }) => html`
  <text
    x="60"
    y="122"
    class="card-name"
    textLength=${words.length > LONG ? 102 : undefined}
    lengthAdjust="spacingAndGlyphs"
  >
    ${words}
  </text>
`;

/** A card's face; with an `answer`, what it would cost from here and who would play then. */
export const Face = ({ card, colours, name, view, answer }) => html`
  <svg class=${classes("card-face", card.kind)} viewBox="0 0 120 168" aria-hidden="true">
    <rect x="1.5" y="3" width="117" height="164" rx="10" class="card-shade" />
    <rect x="1.5" y="1" width="117" height="164" rx="10" fill="url(#papyrus)" class="card-paper" />
    <rect
      x="6"
      y="6"
      width="108"
      height="154"
      rx="6"
      class="card-line"
      style=${card.site ? `stroke:${colours[card.site]}` : undefined}
    />
    <path d="M6 30V12A6 6 0 0 1 12 6H108A6 6 0 0 1 114 12V30Z" class="card-band" />
    <text x="60" y="24" class="card-city">
      ${name(card.city)}
    </text>
    <g transform="translate(60 72)">${art(card, colours)}</g>
    <${Caption} words=${caption(card, name)} />
    <g transform="translate(20 145)" data-sign="weeks">
      <${Hourglass} />
      <text x="9" dy=".34em" class="card-weeks">
        ${card.weeks}
      </text>
    </g>
    ${answer && html`<${Total} view=${view} answer=${answer} />`}
  </svg>
`;

/** The objects an exhibition asks for, one by one; those that are missing are only outlined. */
export const Wanted = ({ card, missing, colours }) => html`
  <span class="wanted" data-sign="wanted" aria-hidden="true">
    ${Object.entries(card.objects).flatMap(([site, count]) =>
      Array.from(
        { length: count },
        (_, i) => html`
          <svg
            key=${`${site}${i}`}
            viewBox="-24 -24 48 48"
            class=${classes("wanted-one", i >= count - (missing?.[site] ?? 0) && "missing")}
          >
            <circle r="21" stroke=${colours[site]} class="wanted-rim" />
            <path
              d=${siteSign(site)}
              transform="scale(.86)"
              stroke=${colours[site]}
              fill=${colours[site]}
              class="wanted-sign"
            />
          </svg>
        `,
      ),
    )}
  </span>
`;

/**
 * The draw pile: where others are opened, how many cards are `left`, and what that would cost, as on a card's face.
 * @param word what is had there.
 */
export const Pile = ({ left, city, word, view, answer }) => html`
  <svg class="card-face back" viewBox="0 0 120 168" aria-hidden="true">
    ${[6, 3, 0].map(
      (i) => html`
        <rect
          x=${1.5 + i / 2}
          y=${1 + i / 2}
          width="115"
          height="163"
          rx="10"
          fill="url(#lapis)"
          class="card-back"
        />
      `,
    )}
    <rect x="6" y="6" width="106" height="152" rx="6" class="back-line" />
    <path d="M6 30V12A6 6 0 0 1 12 6H106A6 6 0 0 1 112 12V30Z" class="card-band" />
    <text x="59" y="24" class="card-city">
      ${city}
    </text>
    <g transform="translate(59 70)">
      <circle r="31" class="back-line" />
      <path d="M0-26L6-6L26 0L6 6L0 26L-6 6L-26 0L-6-6Z" class="back-star" />
    </g>
    <text x="59" y="121" class="card-name">
      ${word}
    </text>
    <g transform="translate(10 137)">
      <rect x="3" width="12" height="17" rx="2" class="back-line" />
      <rect y="-3" width="12" height="17" rx="2" class="card-back little" fill="url(#lapis)" />
      <text x="18" y="8" dy=".34em" class="back-left">
        ${left}
      </text>
    </g>
    ${answer && html`<${Total} view=${view} answer=${answer} />`}
  </svg>
`;

/** The id of a research card has its city in the middle of what it is; an exhibition's is told by its own name. */
export function faceOf(id, cities) {
  if (id.startsWith("exhibition")) return { face: id, city: id.split("-").at(-1) };
  const parts = id.split("-");
  const city = parts.find((part) => cities.includes(part));
  const face = parts.filter((part) => part !== city);
  return { face: face.join("-"), city };
}
