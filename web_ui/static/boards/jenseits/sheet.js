// The end: the score sheet, part by part, with the winner, and the picture to take home.
import { html, classes } from "../../html.js";
import { SeatSign } from "../../pieces/marker.js";
import { siteSign } from "../../pieces/tokens.js";
import { Keep, pictureOf } from "../../chrome/keepsake.js";
import { Button } from "../../chrome/press.js";
import { isLong } from "../../chrome/seats.js";

const Laurel = () => html`
  <svg class="laurel" viewBox="0 0 120 60" aria-hidden="true">
    <path d="M60 54C34 52 18 36 18 10M60 54C86 52 102 36 102 10" class="twig" />
    ${[0, 1, 2, 3, 4].map(
      (i) => html`
        <g>
          <path
            d="M0 0C6-8 16-8 20 0C14 6 6 6 0 0Z"
            class="leaf"
            transform=${`translate(${20 + i * 6} ${16 + i * 8}) rotate(${200 + i * 16})`}
          />
          <path
            d="M0 0C6-8 16-8 20 0C14 6 6 6 0 0Z"
            class="leaf"
            transform=${`translate(${100 - i * 6} ${16 + i * 8}) rotate(${-20 - i * 16})`}
          />
        </g>
      `,
    )}
  </svg>
`;

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

export function Part({ view, act, onTable }) {
  const { scores, winners } = view.ask;
  const parts = Object.keys(scores[0].parts);
  const picture = pictureOf(view);
  const who = winners.map((seat) => view.seats[seat].name);
  return html`
    <section class="final" aria-label=${act.say("jenseits.page.sheet")}>
      <div class="final-sheet">
        <${Laurel} />
        <h2>${act.say("ui.over.won", { n: who.length, names: who })}</h2>
        <table>
          <thead>
            <tr>
              <td></td>
              ${scores.map(
                ({ seat }) => html`
                  <th
                    key=${seat}
                    scope="col"
                    class=${classes(winners.includes(seat) && "won", isLong(view.seats[seat].name) && "long")}
                  >
                    <${SeatSign} seat=${view.seats[seat]} size=${30} /> ${view.seats[seat].name}
                  </th>
                `,
              )}
            </tr>
          </thead>
          <tbody>
            ${parts.map(
              (part) => html`
                <tr key=${part}>
                  <th scope="row">${act.partSaid(part)}</th>
                  ${scores.map(
                    (score) => html`
                      <td key=${score.seat}>
                        ${score.parts[part]}
                        ${
                          part === "majorities" &&
                          html`
                            <${Books}
                              view=${view}
                              act=${act}
                              sites=${view.board.scores[score.seat].sites}
                            />
                          `
                        }
                      </td>
                    `,
                  )}
                </tr>
              `,
            )}
            <tr class="whole">
              <th scope="row">${act.say("jenseits.page.total")}</th>
              ${scores.map(
                (score) => html`
                  <td key=${score.seat} class=${classes(winners.includes(score.seat) && "won")}>
                    ${score.total}
                  </td>
                `,
              )}
            </tr>
          </tbody>
        </table>
      </div>
      <figure class="keepsake">
        <a href=${picture} target="_blank">
          <img
            src=${picture}
            width="1240"
            height="874"
            alt=${act.say("jenseits.page.keepsake_alt")}
          />
        </a>
        <figcaption>
          <${Keep} view=${view} look="main">${act.say("jenseits.page.keepsake")}<//>
          ${
            onTable &&
            html`
              <${Button} look="quiet" onPress=${onTable}>
                ${act.say("jenseits.page.see_table")}
              <//>
            `
          }
        </figcaption>
      </figure>
    </section>
  `;
}
