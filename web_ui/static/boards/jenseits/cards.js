// Research cards and exhibitions: what is printed on them, and what they would cost from here.
import { classes, html } from "../../html.js";
import { nextAfter, NextSign } from "../../chrome/choosing.js";
import { closedBook, helper, INK, line, openBook, PAPER, several, shape, signOn } from "../../pieces/ink.js";
import { siteSign } from "../../pieces/tokens.js";

const ART = {
  book: ({ value, site, colour }) => several(value, closedBook(colour, siteSign(site)), [13, 5]),
  open_book: ({ value }) => several(value, openBook, [0, 15]),
  ethnology: ({ site, colour }) => html`
    <circle r="31" fill=${colour} stroke=${INK} stroke-width="2.2" />
    <circle r="25" fill=${PAPER} stroke=${INK} stroke-width="1.4" />
    ${shape("M-13-12C-13-26 13-26 13-12C13 4 7 17 0 17S-13 4-13-12Z", "#b07a48")}
    ${line("M-8-8H-3M3-8H8M0-6V3M-4 9H4M-13-14L-17-20M13-14L17-20M0-24V-29M-7-22L-9-27M7-22L9-27", 2)}
    <g transform="translate(20 19)">
      <circle r="12" fill=${PAPER} stroke=${INK} stroke-width="1.4" />
      ${signOn(siteSign(site), colour, 0, 0, 0.52)}
    </g>
  `,
  assistant: () => html`
    ${helper}
    ${line("M16 20L30 4M27 1L33 7", 3, "#6b4222")}
  `,
  shovel: () => html`
    <g transform="rotate(32)">
      ${shape("M-3-34H3V6H-3Z", "#9b6a36")}
      ${shape("M-10-36H10V-30H-10Z", "#7a4f26")}
      ${shape("M-13 4H13V20C13 29 5 34 0 37C-5 34-13 29-13 20Z", "#b9bcb8")}
      ${line("M0 8V28", 1.8, "#6d716e")}
    </g>
    ${shape("M-34 36C-26 24-12 26-6 30C4 24 14 28 20 36Z", "#c9a66b", 1.8)}
  `,
  car: () => html`
    <ellipse cy="25" rx="34" ry="5" fill="#000" opacity=".18" />
    ${shape("M-34 8C-34-2-22-4-16-4L-10-20H12L18-4H26C32-4 34 2 34 10V16H-34Z", "#8e2f22")}
    ${shape("M-8-16H1V-4H-12ZM4-16H10L15-4H4Z", "#cfe0e4", 1.6)}
    ${[-19, 19].map(
      (x) => html`
        <circle cx=${x} cy="16" r="10" fill="#3a2f27" stroke=${INK} stroke-width="1.5" />
        <circle cx=${x} cy="16" r="5" fill="#d2a03e" />
        ${line(`M${x - 8} 16H${x + 8}M${x} 8V24`, 1.2, "#d2a03e")}
      `,
    )}
    <circle cx="33" cy="4" r="3.5" fill="#ffe9ae" stroke=${INK} stroke-width="1.4" />
    ${line("M-6-20V-26H14", 2.6)}
  `,
  zeppelin: () => html`
    ${shape("M-36-8C-30-24 22-28 36-10C22 8-30 6-36-8Z", "#c9bfa6")}
    ${line("M-36-8H36M-33-13C-12-20 18-20 33-14M-33-3C-12 3 18 4 33-6", 1.5, "#7d6746")}
    ${shape("M-36-8L-44-20H-34L-28-14ZM-36-8L-44 4H-34L-28-2Z", "#8e2f22", 1.8)}
    ${shape("M-10 6H14L10 15H-6Z", "#8a5a30")}
    ${line("M-4 9H-1M3 9H6M-8 4V6M12 4V6", 2)}
    ${line("M-24 28q6-5 12 0t12 0 12 0", 2, "#8fa7b0")}
  `,
  congress: () => html`
    ${shape("M-22 34L-16 4H16L22 34Z", "#8a5a30")}
    ${shape("M-20-2H20V5H-20Z", "#6b4222")}
    ${line("M-8 14H8M-9 23H9", 2, "#d2a03e")}
    ${shape("M-12-2C-12-12-6-14 0-14S12-12 12-2Z", "#3c4a5c")}
    ${shape("M-3-14L0-6L3-14Z", PAPER, 1.4)}
    <circle cy="-22" r="8.5" fill="#e6bd92" stroke=${INK} stroke-width="2" />
    ${shape("M-8-25C-8-34 8-34 8-25C4-28-4-28-8-25Z", "#4a2f16", 1.6)}
    ${line("M17-20L28-26M19-14L31-14M17-8L27-3", 2.2, "#b3402c")}
  `,
  special_permit: () => html`
    <g transform="rotate(-5)">
      ${shape("M-24-32H16L26-22V32H-24Z", PAPER)}
      ${shape("M16-32V-22H26Z", "#d3b679", 1.6)}
      ${line("M-16-20H8M-16-12H18M-16-4H18M-16 4H6", 1.8, "#8a6a3c")}
    </g>
    <circle cx="12" cy="18" r="13" fill="#a63a2a" stroke=${INK} stroke-width="1.8" />
    ${line("M6 18L10 23L19 12", 3, "#ffe9ae")}
    ${shape("M4 28L0 38L8 35L12 40L14 31Z", "#8e2f22", 1.5)}
  `,
  exhibition: ({ points }) => html`
    ${shape("M-32-8L0-32L32-8Z", "#e3cd9a")}
    ${shape("M-28-8H28V-2H-28Z", "#cfb07a", 1.8)}
    ${[-20, -7, 7, 20].map((x) => shape(`M${x - 4}-2H${x + 4}V24H${x - 4}Z`, PAPER, 1.6))}
    ${shape("M-32 24H32V32H-32Z", "#cfb07a", 1.8)}
    <text y="-12" class="pediment">
      ${points}
    </text>
  `,
};

/** The picture of a card; `colours` tells each site's. */
const art = (card, colours) => ART[card.kind]?.({ ...card, colour: colours[card.site] }) ?? null;

const LONG = 15; // letters that fit beneath a picture
const ABOUT = new Set(["book", "ethnology"]);

const upper = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/** What is written beneath a card's picture: the site it is about, or what it is. */
const caption = (card, name) =>
  upper(name(ABOUT.has(card.kind) ? card.site : card.kind === "open_book" ? card.face : card.kind));

const Hourglass = () => html`<path d="M-5-8H5M-5 8H5M-4-8C-4-2 4 2 4 8M4-8C4-2-4 2-4 8" class="hourglass" />`;

/** The weeks from here with trip and all, and the sign of who would be furthest back then. */
const Total = ({ view, answer }) => html`
  <g transform="translate(94 144)" class="total" data-sign="total">
    <circle r="21" fill="url(#brass)" class="total-coin" />
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
