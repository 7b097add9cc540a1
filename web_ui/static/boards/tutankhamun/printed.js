// What is printed on the cards of the tray: treasures, pieces of obelisks and snakes, and what bites.
import { html } from "../../html.js";

const GOLD = "#c98f1f";
const LAPIS = "#2b5fa3";
const RED = "#b3402c";
const GREEN = "#4f8a4a";
const BONE = "#f6ead0";
const INK = "#3a2513";
const STONE = "#9c8463";

const line = (d, width = 3.5, colour = INK) => html`
  <path
    d=${d}
    fill="none"
    stroke=${colour}
    stroke-width=${width}
    stroke-linecap="round"
    stroke-linejoin="round"
  />
`;
const shape = (d, fill, width = 2.4) =>
  html`<path d=${d} fill=${fill} stroke=${INK} stroke-width=${width} stroke-linejoin="round" />`;

const VASE = "M-11-30H11L8-22C22-12 24 8 14 26H-14C-24 8-22-12-8-22Z";

const SIGNS = {
  mosquito: () => html`
    ${shape("M-2-6C-30-28-34-4-4 0ZM2-6C30-28 34-4 4 0Z", BONE, 1.8)}
    ${line("M-3 4C-16 6-22 14-24 26M3 4C16 6 22 14 24 26M-3 8C-10 14-12 22-12 32M3 8C10 14 12 22 12 32", 2.2)}
    ${shape("M0-12C7-12 6 20 0 28C-6 20-7-12 0-12Z", "#6b4a2a")}
    <circle cy="-15" r="6.5" fill=${RED} stroke=${INK} stroke-width="2" />
    ${line("M0-21V-33", 2.4)}
  `,
  snake_head: () => html`
    ${shape("M-12 34C-14 14-30 6-24-12C-18-32 18-32 24-12C30 6 14 14 12 34Z", GREEN)}
    ${shape("M-12-14C-8-28 8-28 12-14C12-4 5 2 0 2S-12-4-12-14Z", "#7fae63")}
    <circle cx="-6" cy="-14" r="3" fill=${INK} />
    <circle cx="6" cy="-14" r="3" fill=${INK} />
    ${line("M0 2V10M0 10L-5 16M0 10L5 16", 2.2, RED)}
  `,
  snake_body: () => html`
    ${shape("M-36-12C-24-26-8-26 2-10S24 10 36-2V14C24 28 8 26-4 10S-24-8-36 6Z", GREEN)}
    ${line("M-26-8L-20 0M-8-14L-10-4M10 2L4 10M24 6L22 16", 2.4, "#2f5d33")}
  `,
  snake_tail: () => html`
    ${shape("M-36-14C-18-24-4-10 8-4S28-2 34 18C22 12 12 14 0 8S-22-2-36 6Z", GREEN)}
    ${line("M-24-12L-20-2M-6-6L-10 4M12 2L8 10", 2.4, "#2f5d33")}
  `,
  scorpion: () => html`
    ${shape("M0 6C12 6 13 20 0 24C-13 20-12 6 0 6Z", "#7b4a22")}
    ${shape("M0-8C8-8 9 6 0 8C-9 6-8-8 0-8Z", "#7b4a22")}
    ${line("M0-8C2-24 20-28 20-14C20-8 14-8 13-12", 4, "#7b4a22")}
    ${line("M-9 12L-22 8M-9 18L-22 22M9 12L22 8M9 18L22 22", 2.6)}
    ${line("M-7 22C-16 28-18 34-10 35M7 22C16 28 18 34 10 35", 3.4, "#7b4a22")}
    <circle cx="13" cy="-12" r="2.6" fill=${RED} />
  `,
  mask: () => html`
    ${shape("M-26 34C-34 4-30-32 0-34C30-32 34 4 26 34H14L10 22H-10L-14 34Z", GOLD)}
    ${line("M-27 0H-16M-28 10H-15M-27 20H-14M27 0H16M28 10H15M27 20H14M-25-12H-16M25-12H16", 3, LAPIS)}
    ${shape("M-15-14C-14-24 14-24 15-14C16 6 8 18 0 18S-16 6-15-14Z", "#e9b949")}
    ${line("M-10-8C-8-11-4-11-2-8M2-8C4-11 8-11 10-8M-4 8H4", 2.4)}
    ${shape("M-4 18H4L3 32H-3Z", LAPIS, 1.8)}
    ${line("M0-24V-32", 3.4, RED)}
  `,
  obelisk_base: () => html`
    ${shape("M-17-36H17L20 20H-20Z", STONE)}
    ${shape("M-28 20H28V34H-28Z", "#7c6546")}
    ${line("M-8-22H8M-8-10H0M-8 2H8M3-10H8", 2.4)}
  `,
  obelisk_middle: () => html`
    ${shape("M-15-37H15L18 37H-18Z", STONE)}
    <circle cy="-18" r="6" fill="none" stroke=${INK} stroke-width="2.4" />
    ${line("M0-12V0M-6-6H6M-8 12C-4 6 4 6 8 12M-8 24H8", 2.4)}
  `,
  obelisk_top: () => html`
    ${shape("M-13-14H13L17 37H-17Z", STONE)}
    ${shape("M-13-14L0-37L13-14Z", GOLD)}
    ${line("M-7 2H7M-7 14H1M-7 26H7", 2.4)}
  `,
  vase_alabaster: () => html`
    ${shape(VASE, "#efe0bb")}
    ${line("M-13-8C-4-4 4-14 14-8M-16 6C-6 12 4 2 16 8", 2.2, "#b99a63")}
    ${shape("M-14 26H14V33H-14Z", "#cfae74")}
  `,
  vase_faience: () => html`
    ${shape(VASE, "#4aa39b")}
    ${line("M-16-6L-8-12L0-6L8-12L16-6M-17 8H17", 2.4, "#1e5a62")}
    ${shape("M-14 26H14V33H-14Z", "#2f7d78")}
  `,
  bracelet: () => html`
    <ellipse rx="28" ry="24" fill="none" stroke=${INK} stroke-width="15" />
    <ellipse rx="28" ry="24" fill="none" stroke=${GOLD} stroke-width="10.5" />
    ${line("M-28-6V6M28-6V6M-17-20L-21-14M17-20L21-14M-17 20L-21 14M17 20L21 14", 4.5, LAPIS)}
    <circle cy="24" r="8" fill=${RED} stroke=${INK} stroke-width="2.2" />
  `,
  chain: () => html`
    ${line("M-30-26C-30 14-14 24 0 24S30 14 30-26", 9)}
    ${line("M-30-26C-30 14-14 24 0 24S30 14 30-26", 5, GOLD)}
    ${[
      [-28, -6],
      [-20, 12],
      [20, 12],
      [28, -6],
    ].map(([x, y]) => html`<circle cx=${x} cy=${y} r="5.5" fill=${LAPIS} stroke=${INK} stroke-width="2" />`)}
    ${shape("M0 16L9 26L0 37L-9 26Z", "#4aa39b")}
  `,
  pectoral: () => html`
    ${shape("M-34-24H34L26 26H-26Z", GOLD)}
    ${shape("M-26-17H26L20 19H-20Z", LAPIS, 1.8)}
    ${shape("M0-10C8-10 8 8 0 12C-8 8-8-10 0-10Z", "#2f7d78", 1.8)}
    ${line("M-5-4C-16-14-22-4-20 8M5-4C16-14 22-4 20 8", 3.4, "#e9b949")}
    <circle cy="-12" r="5" fill=${RED} stroke=${INK} stroke-width="1.8" />
  `,
  falcon: () => html`
    ${shape("M-6-34C8-36 14-26 12-18C24-6 20 18 8 30H-8C-20 12-18-10-10-18L-20-20C-18-28-12-33-6-34Z", "#3f6fae")}
    ${shape("M10-12C22 0 18 16 8 28C4 14 2 0 10-12Z", GOLD, 2)}
    <circle cx="-4" cy="-25" r="3.2" fill=${BONE} stroke=${INK} stroke-width="2" />
    ${line("M-4-20C-2-14-8-12-6-8M-8 30V37M6 30V37", 2.6)}
  `,
  earth: () => html`
    ${line("M-28 18C-18 8-12 14-4 2C2-6 8-2 12 4C18 12 24 10 30 18Z", 3, "#7d5a2c")}
    ${line("M-14-12H-13.9M10-18H10.1M22-4H22.1M-24 0H-23.9M-2-24H-1.9", 5, "#7d5a2c")}
  `,
};

/** A card that lies in no box but its owner's: a blank seal with the first letter of its name. */
const ownKind = (kind) => html`
  ${shape("M-26-30H26V30H-26Z", BONE)}
  <text y="13" text-anchor="middle" font-size="38" fill=${INK}>${kind.slice(0, 1).toUpperCase()}</text>
`;

/** The sign of a card round the origin, 40 units in radius. */
export const card = (kind) => SIGNS[kind]?.() ?? ownKind(kind);
