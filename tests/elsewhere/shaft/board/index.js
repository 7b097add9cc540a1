// The shaft: what is left in the bag, what this turn has brought up, and whether to go on.
import { html } from "/static/html.js";
import { Why } from "/static/chrome/choosing.js";
import { Button } from "/static/chrome/press.js";
import { percent } from "/static/words.js";

const Stones = ({ stones, act }) => html`<span>${stones.map((stone) => act.name(stone)).join(", ") || "–"}</span>`;

export const board = (view, act) => html`
  <div class="shaft">
    <h2>${act.name("bag")}</h2>
    <ul>
      ${Object.entries(view.board.bag).map(([stone, n]) => html`<li key=${stone}>${act.name(stone)} × ${n}</li>`)}
    </ul>
    <h2>${act.name("haul")}</h2>
    <p><${Stones} stones=${view.board.haul} act=${act} /></p>
  </div>
`;

/** What lies before a seat. */
export const beside = (view, seat, act) => html`<${Stones} stones=${view.board.seats[seat].stones} act=${act} />`;

/** Dig on, or climb out; and why not. */
export function choices(view, act) {
  const { dig, climb } = view.ask.options;
  if (!dig) return null;
  const may = (answer) => act.can && answer.legal;
  return html`
    <p class="hint">${act.say("shaft.page.risk", { share: percent(dig.risk) })}</p>
    <${Button} look="main" can=${may(dig)} onPress=${() => act.move({ type: "dig" })}>${act.say("shaft.page.dig")}<//>
    <${Button} look="quiet" can=${may(climb)} onPress=${() => act.move({ type: "climb" })}>
      ${act.say("shaft.page.climb", { n: climb.n })}
    <//>
    <p class="hint"><${Why} answer=${climb} act=${act} /></p>
  `;
}
