// The cards of the box: what is printed on each, by its id, and their pictures.
import { classes, html, upTo } from "../../html.js";
import { NextSign, nextAfter } from "../../chrome/choosing.js";
import { closedBook, helper, INK, line, openBook, PAPER, several, shape, signOn } from "../../pieces/ink.js";
import { siteSign } from "../../pieces/tokens.js";

const PLAIN = "#8d8575"; // what is of no region

/** What is printed on a card, whatever it is: `{id, kind, region, worth, weeks, play_weeks}`. */
export function printedOn(view, id) {
  const known = view.board.cards[id];
  if (known) return known;
  const [kind, region, worth] = id.split("-");
  return { id, kind, region, worth: Number(worth ?? 0), weeks: null, play_weeks: null };
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

const STAR = "M0-20L5-5L20 0L5 5L0 20L-5 5L-20 0L-5-5Z";

/** A region's sign on a card; a star for none. */
const onCard = (region, ...how) => signOn(region ? siteSign(region) : STAR, ...how);

const spade = html`
  <g transform="rotate(28)">
    ${shape("M-3-36H3V4H-3Z", "#9b6a36")} ${shape("M-10-38H10V-32H-10Z", "#7a4f26")}
    ${shape("M-13 2H13V18C13 27 5 32 0 35C-5 32-13 27-13 18Z", "#b9bcb8")} ${line("M0 6V26", 1.8, "#6d716e")}
  </g>
`;

const pick = html`
  <g transform="rotate(-32)">
    ${shape("M-3-26H3V38H-3Z", "#9b6a36")} ${shape("M-30-14C-18-30 18-30 30-14C18-22-18-22-30-14Z", "#b9bcb8")}
  </g>
`;

const lying = (region, colour) => html`
  <g transform="translate(0 -4)">
    <circle r="29" fill=${colour} fill-opacity=".22" stroke=${colour} stroke-width="4" />
    ${onCard(region, colour, 0, 0, 1.15)}
  </g>
`;

const ART = {
  expertise: ({ worth, region, colour }) => several(worth, closedBook(colour, siteSign(region)), [13, 5]),
  general: ({ worth }) => several(worth, openBook, [0, 16]),
  congress: () => html`
    ${shape("M-30 22H30V30H-30Z", "#d3b679")} ${shape("M-34-8L0-30L34-8Z", "#e3cd9a")}
    ${several(4, shape("M-4-8H4V22H-4Z", PAPER), [16, 0])} ${line("M-12-14H12", 2)}
  `,
  thief: ({ region, colour }) => html`
    ${shape("M-26 34C-26 12-14 6 0 6S26 12 26 34Z", "#3f3a36")}
    ${shape("M-13-14C-13-14-13 8 0 9S13-14 13-14Z", "#e6bd92")}
    ${shape("M-16-14C-16-32 16-32 16-14C8-10-8-10-16-14Z", "#3f3a36")}
    ${shape("M-14-7H14V1C6 3 3-1 0-1S-6 3-14 1Z", "#231d19")}
    <circle cx="-6" cy="-3" r="1.8" fill=${PAPER} /><circle cx="6" cy="-3" r="1.8" fill=${PAPER} />
    ${shape("M10 16C2 22 2 38 18 38S36 24 26 16L30 10H8Z", "#b99257")} ${onCard(region, colour, 18, 27, 0.4)}
  `,
  tomb_raiders: ({ region, colour }) => html`
    ${pick}${spade}
    <circle cy="2" r="15" fill=${PAPER} stroke=${INK} stroke-width="2" />
    ${onCard(region, colour, 0, 2, 0.6)}
  `,
  scientist: () => html`
    ${shape("M-6 6L12 24L6 30L-12 12Z", "#9b6a36")} ${line("M-14-4L16 28", 0)}
    <circle cx="-8" cy="-8" r="21" fill="#dfeef0" stroke=${INK} stroke-width="4" />
    ${onCard(null, "#2f7fae", -8, -8, 0.6)}
    ${shape("M6 8L11 3L32 26C34 30 30 34 26 32Z", "#9b6a36")}
  `,
  assistant: () => helper,
  general_excavation: () => html`${spade}<g transform="translate(16 12)">${onCard(null, PLAIN, 0, 0, 0.9)}</g>`,
  excavation: ({ region, colour }) => html`
    ${shape("M-38 36C-28 20-12 24-4 28C8 18 24 24 36 36Z", colour, 1.8)} ${spade}
    <circle cx="18" cy="-20" r="17" fill=${PAPER} stroke=${INK} stroke-width="2" />
    ${onCard(region === "general" ? null : region, colour, 18, -20, 0.65)}
  `,
  artifact: ({ region, colour, worth, ours }) => html`
    ${lying(region, colour)}
    <circle cx="29" cy="26" r="23" fill=${INK} class=${classes("tr-worth-seal", ours && "ours")} />
    <text x="29" y="26" dy=".34em" class="tr-worth">${worth}</text>
  `,
  rubble: () => html`
    ${shape("M-34 26C-24 6-16 14-8 0C-2-10 8-8 12 2C18 10 26 2 34 26Z", "#c9a66b")}
    ${line("M-18-4H-17.9M14-14H14.1M-2-18H-1.9M24-6H24.1", 4, "#8a6a3c")}
  `,
  action: () => html`<text y="22" class="tr-unknown">?</text>`,
};

const Hourglass = () => html`<path d="M-5-8H5M-5 8H5M-4-8C-4-2 4 2 4 8M4-8C4-2-4 2-4 8" class="hourglass" />`;

/** What is written on a card: what it is, in one or two words. */
export const kindSaid = (act, { kind, region }) =>
  act.say(`tomb_raiders.page.kind.${kind === "excavation" && region === "general" ? "general_excavation" : kind}`);

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
  const said = kindSaid(act, card);
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
        ${ART[card.kind]?.({ ...card, colour, ours: isOurs(view, `artifact-${card.region}`) })}
      </g>
      <text x="60" y="132" class="tr-kind" textLength=${said.length > LONG ? 102 : undefined}
        lengthAdjust="spacingAndGlyphs">${said}</text>
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

/** A heap of cards; its height tells nothing. */
export const Heap = ({ view, region, open }) => html`
  <svg class=${classes("tr-heap", open && "open")} viewBox="-62 -88 124 176" aria-hidden="true"
    data-piece=${`bag:${region}`}>
    <ellipse cy="78" rx="56" ry="8" class="tr-shade" />
    ${[-5, 4, -2, 3, 0].map(
      (turn, i) => html`
        <g transform=${`translate(${[2, -2, 1, -1, 0][i]} ${8 - i * 4}) rotate(${turn})`}>
          <rect x="-48" y="-68" width="96" height="136" rx="9" fill=${colourOf(view, region)} stroke=${INK}
            stroke-width="1.5" />
          ${
            i === 4 &&
            html`
              <rect x="-41" y="-61" width="82" height="122" rx="6" fill="none" stroke=${PAPER} stroke-opacity=".7"
                stroke-width="2" />
              <circle r="30" fill=${PAPER} stroke=${INK} stroke-width="2" />
              ${onCard(region, colourOf(view, region), 0, 0, 1.15)}
            `
          }
        </g>
      `,
    )}
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
