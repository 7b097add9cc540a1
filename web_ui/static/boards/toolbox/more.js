// What lies beside the large tools: whose turn it is, the cards, and the order of a turn in the words of the table.
import { html } from "../../html.js";
import { Button } from "../../chrome/press.js";
import { Lazy } from "../../chrome/lazy.js";
import { tombsOf } from "./cards.js";

/** What opens over the table, by its name. */
export const SHEETS = {
  cards: () => import("./cards_sheet.js"),
  tombs: () => import("./tombs_sheet.js"),
  ways: () => import("./ways_sheet.js"),
};

/** Whose turn it is, or who keeps the dice; a touch passes it on. */
export function TurnLine({ view, act }) {
  const { turn } = view.board;
  return html`
    <div class="turn-line">
      <p class="ask-line">${act.say(`toolbox.page.${turn.held}`, { name: view.seats[turn.seat].name })}</p>
      <${Button} look="quiet" can=${act.can} onPress=${() => act.move({ type: "pass_on" }, { sound: "knock" })}>
        ${act.say("toolbox.page.pass")}
      <//>
    </div>
  `;
}

/** The order of a turn, as far as the game has words for it. */
export function Order({ view, act }) {
  const steps = [];
  for (let i = 1; act.knows(`${view.box}.order.${i}`); i++) steps.push(act.say(`${view.box}.order.${i}`));
  if (steps.length === 0) return null;
  const toggle = (event) => act.set({ order: event.currentTarget.open });
  return html`
    <details class="turn-order" open=${act.get("order", false)} onToggle=${toggle}>
      <summary>${act.say("toolbox.page.order")}</summary>
      <ol>
        ${steps.map((step) => html`<li key=${step}>${step}</li>`)}
      </ol>
    </details>
  `;
}

/** The tools that need no room of their own on the table: they open over it.
 * @param order whether the order of a turn is among them. */
export function MoreTools({ view, act, order = true }) {
  const close = () => act.set({ laid_open: null, card: null, tomb: null });
  const has = (tool) => view.board.tools.includes(tool);
  const open = act.get("laid_open", null);
  return html`
    <section class="tool more-tools" aria-label=${act.say("toolbox.page.tools")}>
      ${
        has("cards") &&
        html`
          <${Button} look="quiet" can=${act.ready} onPress=${() => act.set({ laid_open: "cards" })}>
            ${act.say("toolbox.page.cards")}
          <//>
        `
      }
      ${
        tombsOf(view).length > 0 &&
        html`
          <${Button} look="quiet" can=${act.ready} onPress=${() => act.set({ laid_open: "tombs" })}>
            ${act.say("toolbox.page.tombs")}
          <//>
        `
      }
      ${
        has("ways") &&
        html`
          <${Button} look="quiet" onPress=${() => act.set({ laid_open: "ways" })}>
            ${act.say("toolbox.page.ways")}
          <//>
        `
      }
      ${order && html`<${Order} view=${view} act=${act} />`}
    </section>
    ${open && html`<${Lazy} key=${open} load=${SHEETS[open]} view=${view} act=${act} onClose=${close} />`}
  `;
}
