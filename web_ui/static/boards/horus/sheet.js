// The end: what everybody brought out, part by part and chest by chest, or that the mummies have won; and the picture.
import { html, classes } from "../../html.js";
import { Keep, pictureOf } from "../../chrome/keepsake.js";
import { Button } from "../../chrome/press.js";
import { isTight } from "../../chrome/seats.js";
import { SeatSign } from "../../pieces/marker.js";
import { die } from "../../pieces/dice.js";
import { mummy } from "../../pieces/plan.js";
import { cardSaid } from "./cards.js";
import { Face } from "./printed.js";
import { loadStylesheet } from "../../stylesheets.js";
import { learnLater, say } from "../../words.js";
import { wonSaid } from "./won.js";

await Promise.all([learnLater(), loadStylesheet("boards/horus/sheet", { beneath: true })]);

/** What is said only here comes with the sheet. */
const late = (key) => say(`horus.evening.${key}`);

const PARTS = ["treasures", "idols", "chests", "diversity"];
const isIn = { treasures: ["treasure", "necklace"], idols: ["idol"] };

/** What makes a part: its cards, or the dice of the chests. */
function Made({ part, seat, act }) {
  if (part === "chests") {
    return html`
      <span class="made" aria-hidden="true">
        ${seat.chests?.map(
          (face, i) => html`<svg key=${i} viewBox="-34 -34 68 76" width="26" height="28">${die(face, "white")}</svg>`,
        )}
      </span>
    `;
  }
  const cards = seat.open.filter((card) => isIn[part]?.includes(card.kind));
  return html`
    <span class="made">
      ${cards.map(
        (card, i) => html`
          <span key=${i} role="img" aria-label=${cardSaid(act, card)}><${Face} card=${card} size=${22} /></span>
        `,
      )}
    </span>
  `;
}

const Lost = () => html`
  <svg class="hor-won" viewBox="-120 -50 240 92" aria-hidden="true">
    <g transform="translate(-74 0) scale(.9)">${mummy("initkaes", [1, 0])}</g>
    <g>${mummy("sanakht", [0, 1])}</g>
    <g transform="translate(74 0) scale(.9)">${mummy("imhotep", [-1, 0])}</g>
  </svg>
`;

export function Part({ view, act }) {
  const { scores, winners } = view.ask;
  const picture = pictureOf(view);
  const names = view.seats.map(({ name }) => name);
  const tight = isTight(names, innerWidth > 900 ? 0.053 : 0.105);
  return html`
    <section class="hor-final end-sheet" aria-label=${act.say("horus.page.sheet")}>
      <div class="hor-sheet" role="group" tabindex="0" aria-label=${late("total")}>
        ${!winners.length && html`<${Lost} />`}
        <h2>${wonSaid(view, act)}</h2>
        <table class=${classes(tight && "tight")}>
          <thead>
            <tr>
              <td></td>
              ${scores.map(
                ({ seat }) => html`
                  <th
                    key=${seat}
                    scope="col"
                    class=${classes(winners.includes(seat) && "won")}
                  >
                    <${SeatSign} seat=${view.seats[seat]} size=${28} />
                    <span>${names[seat]}</span>
                    <small>${act.say(`horus.page.fate.${view.board.seats[seat].fate}`)}</small>
                  </th>
                `,
              )}
            </tr>
          </thead>
          <tbody>
            ${PARTS.map(
              (part) => html`
                <tr key=${part}>
                  <th scope="row">${act.partSaid(part)}</th>
                  ${scores.map(
                    (score) => html`
                      <td key=${score.seat}>
                        ${score.parts[part] ?? 0}
                        ${
                          view.board.seats[score.seat].fate === "left" &&
                          html`<${Made} part=${part} seat=${view.board.seats[score.seat]} act=${act} />`
                        }
                      </td>
                    `,
                  )}
                </tr>
              `,
            )}
            <tr class="whole">
              <th scope="row">${late("total")}</th>
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
      <figure class="hor-keepsake">
        <a href=${picture} target="_blank">
          <img src=${picture} width="1240" height="874" alt=${late("keepsake_alt")} />
        </a>
        <figcaption>
          <${Keep} view=${view} look="main">${act.say("ui.over.keepsake")}<//>
          <${Button} look="quiet" onPress=${() => act.set({ table: true })}>${late("see_table")}<//>
        </figcaption>
      </figure>
    </section>
  `;
}
