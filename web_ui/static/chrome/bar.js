// The bar on top of every page: where one is, and where one can go.
import { html, classes } from "../html.js";
import { say } from "../words.js";

const GLYPHS = {
  home: "M4 11L12 4L20 11V20H14V14H10V20H4Z",
  past: "M12 5A8 8 0 1 1 4.600 10M4 4V10H10M12 8V12L15 14",
  settings: `M4 6H12M16 6H20M12 6a2 2 0 1 0 4 0a2 2 0 1 0-4 0M4 12H6M10 12H20M6 12a2 2 0 1 0 4 0a2 2 0 1 0-4 0
      M4 18H13M17 18H20M13 18a2 2 0 1 0 4 0a2 2 0 1 0-4 0`,
  rig: "M12 3V10M8 10H16L18 15H6ZM7 19C9 21 15 21 17 19",
  luck: "M5 5H19V19H5ZM9 9h.1M15 15h.1M15 9h.1M9 15h.1M12 12h.1",
  dozes: "M19 14A8 8 0 1 1 10 5A6.500 6.500 0 0 0 19 14ZM14 4H18L14 9H18",
  join: "M4 4H10V10H4ZM14 4H20V10H14ZM4 14H10V20H4ZM14 14H16V16M20 14V20H17M14 20V18",
  help: "M9 9C9 5 15 5 15 9C15 11 12 11 12 14M12 18h.1",
  turn: "M5 12A7 7 0 1 1 8 17.700M8 22V17.500H12.500",
  menu: "M4 6H20M4 12H20M4 18H20",
  pen: "M5 19L6 15L16 5L19 8L9 18ZM14 7L17 10",
  mend: "M5 19L15 9M13 5L19 11M15 9L11 5L15 3L21 9L19 13Z",
};

export const Glyph = ({ sign }) => html`
  <svg class="glyph" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
    <path d=${GLYPHS[sign]} />
  </svg>
`;

const Mark = () => html`
  <svg class="mark" viewBox="0 0 48 48" width="36" height="36" aria-hidden="true">
    <circle cx="24" cy="24" r="21" fill="url(#brass-dome)" />
    <path d="M8 34L20 15L27 26L31 20L40 34Z" class="mark-dunes" />
    <circle cx="32" cy="15" r="4.500" class="mark-sun" />
  </svg>
`;

const PLACES = [
  ["home", "/"],
  ["past", "/past"],
  ["rig", "/rig"],
  ["settings", "/settings"],
];

/** @param children what a page adds: its seats, its own buttons. */
export const Bar = ({ page, title, link, children }) => html`
  <header class="bar">
    <a class="brand" href="/" aria-label=${`Digside: ${say("ui.nav.home")}`}>
      <${Mark} />
      <span class="brand-name">Digside</span>
    </a>
    ${title ? html`<h1 class="bar-title">${title}</h1>` : html`<span class="bar-title"></span>`}
    ${children}
    <nav aria-label=${say("ui.nav.label")}>
      ${PLACES.map(
        ([place, to]) => html`
          <a
            key=${place}
            href=${to}
            class=${classes("bar-link", place === page && "here")}
            aria-current=${place === page ? "page" : undefined}
            aria-label=${say(`ui.nav.${place}`)}
            title=${say(`ui.nav.${place}`)}
          >
            <${Glyph} sign=${place} />
          </a>
        `,
      )}
    </nav>
    ${
      link &&
      html`
        <span
          class=${classes("link", link.up ? "up" : "down")}
          role="img"
          aria-label=${say(link.up ? "ui.link.up" : "ui.link.down")}
          title=${say(link.up ? "ui.link.up" : "ui.link.down")}
        ></span>
      `
    }
  </header>
`;
