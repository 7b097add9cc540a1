// The cards of the box: what is printed on each, by its id, and their pictures.
import { classes, html, upTo } from "../../html.js";
import { NextSign, nextAfter } from "../../chrome/choosing.js";
import { INK, PAPER } from "../../pieces/ink.js";
import { siteSign } from "../../pieces/tokens.js";
import { art, namedSo, onCard, PLAIN, STAR } from "./printed.js";

/** What is printed on a card, whatever it is: `{id, kind, region, worth, weeks, play_weeks}`. */
export function printedOn(view, id) {
  return view.board.cards[id] ?? { id, ...namedSo(id), weeks: null, play_weeks: null };
}

/** The colour of a region; a plain one where there is none. */
export const colourOf = (view, region) => view.board.regions.find(({ id }) => id === region)?.colour ?? PLAIN;

/** A region by its sign, on its colour. */
export const RegionSign = ({ view, region, size = 28, sign }) => html`
  <svg class="region-sign" viewBox="-24 -24 48 48" width=${size} height=${size} aria-hidden="true" data-sign=${sign}>
    <circle r="22" fill=${colourOf(view, region)} stroke=${INK} stroke-width="2" />
    <circle r="17" fill=${PAPER} />
    <path
      d=${region === "general" || region === "best" ? STAR : siteSign(region)}
      transform="scale(.72)"
      fill=${colourOf(view, region)}
      fill-opacity=".35"
      stroke=${INK}
      stroke-width="3"
      stroke-linejoin="round"
      stroke-linecap="round"
    />
  </svg>
`;

const Hourglass = () => html`<path d="M-5-8H5M-5 8H5M-4-8C-4-2 4 2 4 8M4-8C4-2-4 2-4 8" class="hourglass" />`;

/** What a card is: one for a dig anywhere is a kind of its own. */
export const kindOf = ({ kind, region }) =>
  kind === "excavation" && region === "general" ? "general_excavation" : kind;

/** What is written on a card: what it is, in one or two words. */
export const kindSaid = (act, card) => act.say(`tomb_raiders.page.kind.${kindOf(card)}`);

/** Whether what is printed on such a thing is our own figure. */
export const isOurs = (view, what) => view.board.house.includes(what);

const LONG = 11;

/**
 * A card's face.
 * @param answer what it would take from here: the weeks, and who would play then.
 * @param weeks what stands beside the hourglass; else the weeks to take it.
 */
export function Face({ view, act, id, answer, weeks }) {
  const card = printedOn(view, id);
  const colour = colourOf(view, card.region);
  const text = kindSaid(act, card);
  const shown = weeks === undefined ? card.weeks : weeks;
  const band = card.region && card.region !== "general" ? act.name(card.region) : "";
  return html`
    <svg class=${classes("tr-face", card.kind)} viewBox="0 0 120 168" aria-hidden="true">
      <rect x="2" y="3" width="116" height="164" rx="10" class="tr-shade" />
      <rect x="2" y="1" width="116" height="164" rx="10" fill="url(#papyrus)" class="tr-paper" />
      <rect
        x="6"
        y="6"
        width="108"
        height="154"
        rx="6"
        class="tr-line"
        style=${{ stroke: band ? colour : "#8a6a3c" }}
      />
      ${
        band &&
        html`
          <path d="M6 30V12A6 6 0 0 1 12 6H108A6 6 0 0 1 114 12V30Z" fill=${colour} stroke=${INK} />
          <rect x="10" y="9" width="100" height="18" rx="9" fill=${PAPER} />
          <text x="60" y="23" class="tr-band" textLength=${band.length > 12 ? 92 : undefined}
            lengthAdjust="spacingAndGlyphs">${band}</text>
        `
      }
      <g transform=${`translate(60 ${band ? 76 : 66})`}>
        ${art({ ...card, colour, ours: isOurs(view, `artifact-${card.region}`) })}
      </g>
      <text x="60" y="132" class="tr-kind" textLength=${text.length > LONG ? 102 : undefined}
        lengthAdjust="spacingAndGlyphs">${text}</text>
      ${
        shown !== null &&
        html`
          <g transform="translate(20 145)" data-sign="weeks">
            <${Hourglass} />
            <text x="9" dy=".34em" class="tr-weeks">${shown}</text>
            ${isOurs(view, card.kind) && html`<path d="M-7 12H26" class="tr-ours" data-sign="house" />`}
          </g>
        `
      }
      ${
        nextAfter(view, answer) &&
        html`
          <g transform="translate(90 138)" data-sign="next">
            <circle cx="11" cy="11" r="13.5" fill=${PAPER} stroke=${INK} stroke-width="1.2" />
            <g transform="translate(0 0)"><${NextSign} view=${view} answer=${answer} size=${22} /></g>
          </g>
        `
      }
    </svg>
  `;
}

const backOf = (view, region) => (region ? colourOf(view, region) : "#3f6b4a");

/** The back of a card: of a region's pile, or green, as all others have it. */
export const Back = ({ view, region }) => html`
  <svg class="tr-face back" viewBox="0 0 120 168" aria-hidden="true">
    <rect x="2" y="3" width="116" height="164" rx="10" class="tr-shade" />
    <rect x="2" y="1" width="116" height="164" rx="10" fill=${backOf(view, region)} stroke=${INK} />
    <rect x="9" y="9" width="102" height="148" rx="6" class="tr-back-line" />
    <circle cx="60" cy="83" r="34" fill=${PAPER} stroke=${INK} stroke-width="2" />
    <g transform="translate(60 83)">${onCard(region, backOf(view, region), 0, 0, 1.3)}</g>
  </svg>
`;

/** The artifacts that a step of an exhibition asks for, one by one; those that are missing only outlined. */
export const Wanted = ({ view, objects, missing = {} }) => html`
  <span class="tr-wanted" aria-hidden="true">
    ${Object.entries(objects).flatMap(([region, count]) =>
      upTo(count).map(
        (i) => html`
          <span key=${`${region}${i}`} class=${classes(i >= count - (missing[region] ?? 0) && "missing")}>
            <${RegionSign} view=${view} region=${region} size=${24} />
          </span>
        `,
      ),
    )}
  </span>
`;
