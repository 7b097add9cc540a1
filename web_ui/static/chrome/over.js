// The end, where it is told beside the board: who has won, by what, and the ways on from here.
import { classes, html } from "../html.js";
import { loadStylesheet } from "../stylesheets.js";
import { Keep } from "./keepsake.js";
import { Lazy } from "./lazy.js";
import { SeatSign } from "../pieces/marker.js";

await loadStylesheet("style/over", { beneath: true });

const hinge = () => import("./final_count.js").then(({ Hinge }) => ({ Part: Hinge }));
const ending = () => import("./ending.js");

export function Part({ view, act, plugin }) {
  if (!view.settled) return html`<${Lazy} load=${hinge} view=${view} act=${act} plugin=${plugin} />`;
  const { scores, winners } = view.ask;
  const ranked = [...scores].sort((a, b) => b.total - a.total);
  const who = winners.map((seat) => view.seats[seat].name);
  return html`
    <div class="over-said">
      <p class="who">${act.say(view.closed ? "ui.over.closed" : "ui.over.over")}</p>
      ${who.length > 0 && html`<p class="winner">${act.say("ui.over.won", { n: who.length, names: who })}</p>`}
    </div>
    <div class="ways-on">
      ${
        view.mode === "referee" &&
        !plugin.shows?.keepsake &&
        html`<${Keep} view=${view} look="quiet">${act.say("ui.over.keepsake")}<//>`
      }
      <a class="button quiet" href=${`/luck/${view.table}`}>
        ${act.say("ui.over.luck")}
      </a>
      ${
        view.mode === "referee" &&
        html`<a class="button quiet" href=${`/study/${view.table}`}>${act.say("ui.over.study")}</a>`
      }
      <${Lazy} load=${ending} view=${view} act=${act} />
    </div>
    <table class="scores">
      <caption class="unseen">${act.say("ui.over.scores")}</caption>
      <tbody>
        ${ranked.map(
          (score) => html`
            <tr key=${score.seat} class=${classes(winners.includes(score.seat) && "won")}>
              <th scope="row">
                <${SeatSign} seat=${view.seats[score.seat]} /> ${view.seats[score.seat].name}
                <small>
                  ${Object.entries(score.parts)
                    .map(([part, points]) => `${act.partSaid(part)} ${points}`)
                    .join(" · ")}
                </small>
              </th>
              <td>${score.total}</td>
            </tr>
          `,
        )}
      </tbody>
    </table>
  `;
}
