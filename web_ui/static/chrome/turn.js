// Turning the screen to a seat: what a table's page tells the page round it, which turns it.
import { html } from "../html.js";
import { Button, Choice } from "./press.js";

const framed = parent !== window;
const tell = (what) => parent.postMessage(what, location.origin);
let alone = false;

if (framed) {
  addEventListener("message", ({ origin, source, data }) => {
    if (origin === location.origin && source === parent && data?.turned) alone = data.turned.alone;
  });
}

/** A quarter further; a table that lies straight is turned to the other side first. */
export const turnOn = (view) => (framed ? tell({ tell: "on" }) : location.assign(`/turned/${view.table}`));

/** Tells the page round it whose turn it is; with the first, that the table has come. */
export function tellTurn(view, first) {
  if (!framed) return;
  const asked = view.ask.seats ?? (typeof view.ask.seat === "number" ? [view.ask.seat] : []);
  tell({ tell: "turn", seat: asked.length === 1 ? asked[0] : null, seats: view.seats.length, first });
}

/** In the menu: a quarter further, straight again, and whether it turns by itself. */
export const Turning = ({ view, act, onClose }) => html`
  <section class="menu-turn">
    <h3>${act.say("ui.turn.title")}</h3>
    <div class="row">
      <${Button} onPress=${() => turnOn(view)}>${act.say("ui.turn.on")}<//>
      ${framed && html`<${Button} onPress=${() => tell({ tell: "straight" })}>${act.say("ui.turn.straight")}<//>`}
    </div>
    ${
      framed &&
      html`
        <${Choice}
          label=${act.say("ui.turn.who")}
          value=${alone}
          options=${[[false, act.say("ui.turn.by_hand")], [true, act.say("ui.turn.by_turn")]]}
          onChange=${(wanted) => {
            alone = wanted;
            tell({ tell: "alone", alone: wanted });
            onClose();
          }}
        />
        <p class="hint">${act.say("ui.turn.how")}</p>
      `
    }
  </section>
`;
