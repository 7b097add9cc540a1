// The end of a game: the score sheet, part by part, with the winner, and the picture to take home. Its words are the
// game's own, under `page`: `sheet`, `total`, `keepsake`, `keepsake_alt`, `see_table`.
import { html, classes } from "../html.js";
import { loadStylesheet } from "../stylesheets.js";
import { Laurel } from "../pieces/laurel.js";
import { SeatSign } from "../pieces/marker.js";
import { Keep, pictureOf } from "./keepsake.js";
import { Button } from "./press.js";
import { isTight, longest } from "./seats.js";

await loadStylesheet("style/score_sheet");

/** @param beneath what stands beneath the points of a part: `(part, seat)`, or nothing. */
export function Part({ view, act, onTable, beneath }) {
  const text = (key) => act.say(`${view.box}.page.${key}`);
  const { scores, winners } = view.ask;
  const parts = Object.keys(scores[0].parts);
  const picture = pictureOf(view);
  const who = winners.map((seat) => view.seats[seat].name);
  const names = view.seats.map(({ name }) => name);
  const tight = isTight(names, innerHeight < 500 ? 0.045 : innerWidth > 900 ? 0.043 : 0.11);
  return html`
    <section class="final end-sheet" aria-label=${text("sheet")}>
      <div class="final-sheet">
        <${Laurel} />
        <h2>${act.say("ui.over.won", { n: who.length, names: who })}</h2>
        <table
          class=${classes(tight && "tight")}
          style=${{ "--seats": scores.length, "--letters": Math.max(...names.map(longest)) }}
        >
          <thead>
            <tr>
              <td></td>
              ${scores.map(
                ({ seat }) => html`
                  <th key=${seat} scope="col" class=${classes(winners.includes(seat) && "won")}>
                    <${SeatSign} seat=${view.seats[seat]} size=${30} /> <span>${names[seat]}</span>
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
                        ${beneath?.(part, score.seat)}
                      </td>
                    `,
                  )}
                </tr>
              `,
            )}
            <tr class="whole">
              <th scope="row">${text("total")}</th>
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
            alt=${text("keepsake_alt")}
          />
        </a>
        <figcaption>
          <${Keep} view=${view} look="main">${text("keepsake")}<//>
          ${
            onTable &&
            html`
              <${Button} look="quiet" onPress=${onTable}>
                ${text("see_table")}
              <//>
            `
          }
        </figcaption>
      </figure>
    </section>
  `;
}
