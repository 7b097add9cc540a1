// What is printed on the pieces of this box: the finds of a site that lies in no other, in a square of 40 round the
// origin, and the pictures of cards.
import { html } from "../../html.js";
import { closedBook, helper, INK, line, openBook, PAPER, several, shape, signOn } from "../../pieces/ink.js";
import { siteSign } from "../../pieces/tokens.js";

const FINDS = {
  palestine: `M-15 2C-15 9-9 13-1 13S13 9 16 1C11 3 9 0 6-1H-9C-13-1-15-1-15 2ZM13-1C9-7 15-9 13-16
      C20-10 19-4 16 0M-6 13-9 17H6L3 13`,
};

export const find = (site) => FINDS[site];

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
    ${points !== undefined && html`<text y="-12" class="pediment">${points}</text>`}
  `,
};

/** The picture of a card; `colours` tells each site's. */
export const art = (card, colours) => ART[card.kind]?.({ ...card, colour: colours[card.site] }) ?? null;

/** The picture of a card that is called by its name: its kind first, its site and its worth somewhere behind. */
export function face({ card, colours, size }) {
  const [kind, ...parts] = card.split("-");
  const site = parts.find((part) => part in colours);
  const drawn = art({ kind, site, value: Number(parts.at(-1)) || 1 }, colours);
  return drawn && html`<svg viewBox="-40 -42 80 84" width=${size} height=${size} aria-hidden="true">${drawn}</svg>`;
}
