// What may be remembered for the players: what each layer is made of and, if the table wants it, what was lifted.
import { html } from "../../html.js";
import { Face } from "./face.js";

const Kinds = ({ cards, tray, act }) => html`
  <ul class="tut-kinds">
    ${Object.entries(cards).map(
      ([card, count]) => html`
        <li key=${card}>
          <${Face}
            card=${card}
            value=${tray.value[card]}
            house=${tray.house.includes(card)}
            size=${44}
            label=${`${count} × ${act.name(card)}`}
          />
          <b aria-hidden="true">${count}</b>
        </li>
      `,
    )}
  </ul>
`;

/** What each layer is made of: it is printed in the rules, so no secret. */
export const Layers = ({ view, act }) => html`
  <details class="tut-made">
    <summary>${act.say("tutankhamun.page.made")}</summary>
    <div>
      ${[...view.board.layers].reverse().map(
        (layer) => html`
          <section key=${layer.layer}>
            <h3>
              <i class=${`tut-chip tut-earth-${layer.layer}`}></i>
              ${act.name(`layer_${layer.layer}`)}
            </h3>
            <${Kinds} cards=${layer.cards} tray=${view.board.tray} act=${act} />
          </section>
        `,
      )}
      ${
        view.board.tray.house.length > 0 &&
        html`
          <p class="house-note">
            <span class="house">${act.say("ui.house")}</span> ${act.say("ui.tray.house")}
          </p>
        `
      }
    </div>
  </details>
`;

/** Cards that have left the tray: only with open memory. */
export function Removed({ view, act }) {
  const { removed, tray } = view.board;
  if (!removed) return null;
  const seen = removed.filter(({ card }) => card !== "earth");
  return html`
    <details class="tut-made" open=${!act.narrow}>
      <summary>${act.say("tutankhamun.page.removed", { n: seen.length })}</summary>
      <ul class="tut-kinds">
        ${seen.map(
          ({ square, layer, card }) => html`
            <li key=${`${square}${layer}`}>
              <${Face}
                card=${card}
                value=${tray.value[card]}
                house=${tray.house.includes(card)}
                size=${40}
                label=${`${square}: ${card ? act.name(card) : "?"}`}
              />
            </li>
          `,
        )}
      </ul>
    </details>
  `;
}
