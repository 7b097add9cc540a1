// Eight people whom one can tell apart: hat, hair, face and what each is known for; drawn in a box of 60 by 64.
import { html } from "../../html.js";

const INK = "#2a1606";
const shape = (d, fill) => html`<path d=${d} fill=${fill} stroke=${INK} stroke-width="1.6" stroke-linejoin="round" />`;
const line = (d, stroke = INK, width = 1.8) =>
  html`<path d=${d} fill="none" stroke=${stroke} stroke-width=${width} stroke-linecap="round" />`;

/** Shoulders, neck and face; `hair` lies behind them. */
const head = (skin, coat, hair) => html`
  ${hair}
  ${shape("M-24 32C-24 17-14 12 0 12S24 17 24 32Z", coat)}
  ${shape("M-6 6H6V15C3 18-3 18-6 15Z", skin)}
  ${shape("M-13-6C-13-18 13-18 13-6C13 6 6 12 0 12S-13 6-13-6Z", skin)}
  <circle cx="-5" cy="-4" r="1.5" fill=${INK} />
  <circle cx="5" cy="-4" r="1.5" fill=${INK} />
`;

const PEOPLE = {
  // shooting: a wide hat and a moustache
  gore: html`
    ${head("#e8bd92", "#6b4a2a")}
    ${shape("M-27-13C-12-19 12-19 27-13C14-8-14-8-27-13Z", "#8a5a2c")}
    ${shape("M-13-15C-13-31 13-31 13-15Z", "#8a5a2c")}
    ${line("M-13-16H13", "#3a2513", 3)} ${line("M-8 4C-4 1-2 3 0 3S4 1 8 4", "#5a3417", 3)}
  `,
  // dodge: red curls, a scarf that flies
  sarti: html`
    ${head(
      "#f2cfae",
      "#3c7a68",
      shape("M-19 8C-25-8-18-26 0-26S25-8 19 8C12 12 14-6 10-10H-10C-14-6-12 12-19 8Z", "#b5441f"),
    )}
    ${shape("M-14-9C-14-24 14-24 14-9C8-14-8-14-14-9Z", "#b5441f")}
    ${shape("M-12 13C-4 18 4 18 12 13L14 18C4 24-4 24-14 18Z", "#e2a93a")}
    ${shape("M12 14L28 20L25 26L11 19Z", "#e2a93a")} ${line("M-4 6C-1 8 2 8 4 6")}
  `,
  // endurance: bald, a full beard
  chartier: html`
    ${head("#d9a878", "#4a5a86")}
    ${shape("M-13-2C-13 18-6 22 0 22S13 18 13-2C9 3 6 2 0 2S-9 3-13-2Z", "#6d6a66")}
    ${line("M-5 7H5")} ${line("M-10-9L-3-8M10-9L3-8", "#6d6a66", 2.6)}
  `,
  // linguistics: a headscarf and round glasses
  wahab: html`
    ${shape("M-19 20C-24-24-8-29 0-29S24-24 19 20C12 26-12 26-19 20Z", "#2f6f93")}
    ${head("#b97f4f", "#2f6f93")}
    ${shape("M-14-5C-15-22 15-22 14-5C9-15-9-15-14-5Z", "#3f8bb3")}
    <circle cx="-5" cy="-4" r="5" fill="#ffffff66" stroke=${INK} stroke-width="1.4" />
    <circle cx="5" cy="-4" r="5" fill="#ffffff66" stroke=${INK} stroke-width="1.4" />
    ${line("M-3 6C-1 7 1 7 3 6")}
  `,
  // prescience: long black hair, parted, a long beard
  rasputin: html`
    ${head("#ecd3b6", "#231d19", shape("M-18 22C-22-4-18-26 0-26S22-4 18 22H8L10-8H-10L-8 22Z", "#231d19"))}
    ${shape("M0-22C-10-22-14-12-13-2L-8-13L0-20L8-13L13-2C14-12 10-22 0-22Z", "#231d19")}
    ${shape("M-8 4C-8 20-3 28 0 31C3 28 8 20 8 4C4 7-4 7-8 4Z", "#231d19")}
    <circle cy="-12" r="2.2" fill="#e3b04b" stroke=${INK} stroke-width="1" />
  `,
  // reflexes: a bob, a band round the brow
  watanabe: html`
    ${head("#f0d2a4", "#a3311b", shape("M-18 8C-20-26-8-27 0-27S20-26 18 8H11V-10H-11V8Z", "#17130f"))}
    ${shape("M-14-7C-14-24 14-24 14-7L9-11H-9Z", "#17130f")}
    ${shape("M-14-14C-6-17 6-17 14-14V-10C6-13-6-13-14-10Z", "#d8412f")} ${line("M-4 6H4")}
  `,
  // lock picking: a flat cap, one eyebrow up, a key round the neck
  ardila: html`
    ${head("#c98f5d", "#7a4f8a", shape("M-15 4C-19-14-12-20 0-20S19-14 15 4Z", "#3a2313"))}
    ${shape("M-17-13C-17-27 12-28 17-16L25-12C14-10-6-12-17-13Z", "#5d5548")}
    ${line("M-9-9L-3-8M3-10L9-12", INK, 2)} ${line("M-4 6C0 9 4 8 5 5")}
    <circle cy="20" r="3" fill="none" stroke="#e3b04b" stroke-width="2" />
    ${line("M0 23V30M0 27H4M0 30H4", "#e3b04b", 2)}
  `,
  // swimming: goggles on a cap
  rice: html`
    ${head("#8d5a36", "#1f7f8f")}
    ${shape("M-14-7C-15-27 15-27 14-7C8-11-8-11-14-7Z", "#f3e7cd")}
    ${line("M-14-14C-6-11 6-11 14-14", INK, 2.4)}
    <ellipse cx="-6" cy="-14" rx="5.500" ry="4" fill="#8fd0e0" stroke=${INK} stroke-width="1.6" />
    <ellipse cx="6" cy="-14" rx="5.500" ry="4" fill="#8fd0e0" stroke=${INK} stroke-width="1.6" />
    ${line("M-5 5C-2 9 2 9 5 5")}
  `,
};

/** Whoever it is; nobody in particular, where the owner of a box has put in somebody of their own. */
export const portrait = (who) => html`
  <g class="hor-portrait" data-who=${who}>
    ${PEOPLE[who] ?? head("#d9b48a", "#8c7a5c")}
  </g>
`;
