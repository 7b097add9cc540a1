// The end: where the points for books come from, on the score sheet that all games share.
import { html } from "../../html.js";
import { siteSign } from "../../pieces/tokens.js";
import { Part as Sheet } from "../../chrome/score_sheet.js";

/** Where the points for books come from: each site by its sign. */
const Books = ({ view, act, sites }) => html`
  <ul class="books-of">
    ${view.board.map.sites
      .filter((site) => sites[site.id] > 0)
      .map(
        (site) => html`
          <li key=${site.id} title=${act.name(site.id)}>
            <span class="unseen">${act.name(site.id)} </span>
            <svg viewBox="-24 -24 48 48" class="wanted-one" aria-hidden="true">
              <circle r="19" stroke=${site.colour} class="wanted-rim" />
              <path
                d=${siteSign(site.id)}
                transform="scale(.75)"
                stroke=${site.colour}
                fill=${site.colour}
                class="wanted-sign"
              />
            </svg>
            ${sites[site.id]}
          </li>
        `,
      )}
  </ul>
`;

const beneath = (view, act) => (part, seat) =>
  part === "majorities" && html`<${Books} view=${view} act=${act} sites=${view.board.scores[seat].sites} />`;

export const Part = ({ view, act, onTable }) =>
  html`<${Sheet} view=${view} act=${act} onTable=${onTable} beneath=${beneath(view, act)} />`;
