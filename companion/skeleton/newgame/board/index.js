// New Game on the page: what is left in the bag, what lies before everybody, and the one thing to do.
import { html } from "/static/html.js";
import { Button } from "/static/chrome/press.js";

export const board = (view, act) => html`
  <ul data-lit="bag">
    ${Object.entries(view.board.bag).map(([pebble, n]) => html`<li key=${pebble}>${act.name(pebble)} × ${n}</li>`)}
  </ul>
`;

/** What lies before a seat. */
export const beside = (view, seat, act) => html`
  <span>${view.board.seats[seat].pebbles.map((pebble) => act.name(pebble)).join(", ")}</span>
`;

/** Beneath what is asked: what can be done. */
export const choices = (view, act) =>
  view.ask.options?.reach &&
  html`
    <${Button} look="main" can=${act.can} onPress=${() => act.move({ type: "reach" })}>
      ${act.say("newgame.page.reach")}
    <//>
  `;
