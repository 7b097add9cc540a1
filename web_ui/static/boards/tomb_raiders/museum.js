// What a museum is given: artifacts are touched, and the deed is done.
import { classes, html } from "../../html.js";
import { Refused, Why } from "../../chrome/choosing.js";
import { Dialog } from "../../chrome/dialog.js";
import { Button } from "../../chrome/press.js";
import { Face } from "./cards.js";
import { museumSaid } from "./offer.js";
import { landSaid } from "./plan.js";

/** Which artifacts a museum gets, and what they cost in points. */
export function Part({ view, act }) {
  const chosen = act.chosen("museum");
  const answer = view.ask.options?.museums?.[chosen?.card];
  const card = view.board.museums.find(({ id }) => id === chosen?.card);
  if (!answer || !card) return null;
  const { finds } = view.board.seats[view.ask.options.seat];
  const worth = Object.assign({}, ...view.board.regions.map(({ artifacts }) => artifacts));
  const sorted = [...finds].sort();
  const { gift } = chosen;
  const close = () => act.hold("museum", null);
  // Of artifacts that are alike the first ones are given.
  const given = (i) =>
    sorted.slice(0, i + 1).filter((id) => id === sorted[i]).length <= gift.filter((id) => id === sorted[i]).length;
  const toggle = (i) => {
    const at = gift.indexOf(sorted[i]);
    const less = gift.filter((_, k) => k !== at);
    act.hold("museum", { ...chosen, gift: given(i) ? less : [...gift, sorted[i]] });
  };
  const costs = gift.reduce((sum, id) => sum + worth[id].value, 0);
  const whole = gift.length === card.artifacts;
  const give = () => {
    close();
    act.move({ type: "museum", card: card.id, artifacts: gift }, { sound: "knock" });
  };
  return html`
    <${Dialog} look="sheet wide" title=${act.name(card.id)} onClose=${close}>
      <p class="ask-line">
        ${museumSaid(act, card)}
      </p>
      <ul class="tr-faces tr-giving">
        ${sorted.map(
          (id, i) => html`
            <li key=${i}>
              <button
                type="button"
                class="tr-pick"
                aria-pressed=${given(i)}
                aria-disabled=${act.mayMove ? undefined : "true"}
                onClick=${() => act.mayMove && toggle(i)}
              >
                <span class="unseen">${act.name(id)}</span>
                <span class="inside" aria-hidden="true"><${Face} view=${view} act=${act} id=${id} /></span>
              </button>
            </li>
          `,
        )}
      </ul>
      <footer class="tr-deed">
        <p class=${classes(answer.refusal && "refusal")}>
          ${
            answer.refusal
              ? html`<${Why} answer=${answer} act=${act} />`
              : html`
                <b>
                  ${act.say("tomb_raiders.page.giving", {
                    n: gift.length,
                    of: card.artifacts,
                    costs,
                    points: card.points,
                  })}
                </b>
                ${" "}${landSaid(view, act, answer)}
              `
          }
        </p>
        ${
          act.mayMove &&
          html`
            <${Button} look="main" class="do-it" can=${act.can && answer.legal && whole} onPress=${give}>
              ${act.say("tomb_raiders.page.do_museum")}
            <//>
          `
        }
      </footer>
      <${Refused} act=${act} />
    <//>
  `;
}
