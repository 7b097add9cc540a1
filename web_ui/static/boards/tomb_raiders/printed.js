// What is printed on the pieces of this box, wherever they lie: the pictures of cards.
import { classes, html } from "../../html.js";
import { closedBook, helper, INK, line, openBook, PAPER, several, shape, signOn } from "../../pieces/ink.js";
import { siteSign } from "../../pieces/tokens.js";

/** What knowledge and weeks are good for lies in the box as a chart, not as a dial. */
export const knowledge = () => "chart";

export const PLAIN = "#8d8575"; // what is of no region
export const STAR = "M0-20L5-5L20 0L5 5L0 20L-5 5L-20 0L-5-5Z";

/** A region's sign on a card; a star for none. */
export const onCard = (region, ...how) => signOn(region ? siteSign(region) : STAR, ...how);

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

/** What a card's name tells of it. */
export function namedSo(id) {
  const [kind, region, worth] = id.split("-");
  return { kind, region, worth: Number(worth ?? 0) };
}

/** The picture of a card, in its region's colour; nothing for what is told by words. */
export const art = (card) => ART[card.kind]?.(card) ?? null;

/** The picture of a card that is called by its name. */
export function face({ card, colours, size }) {
  const named = namedSo(card);
  const drawn = art({ ...named, colour: colours[named.region] ?? PLAIN });
  return drawn && html`<svg viewBox="-40 -42 80 84" width=${size} height=${size} aria-hidden="true">${drawn}</svg>`;
}
