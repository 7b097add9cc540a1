// The finds of a seat, large: one is touched, and put back or given away.
import { html } from "../../html.js";
import { Dialog } from "../../chrome/dialog.js";
import { Button } from "../../chrome/press.js";
import { Token } from "../../pieces/tokens.js";
import { isOurs } from "./seats.js";

export function Part({ view, seat, act, finds, colours }) {
  const chosen = finds[act.get("find", null)];
  const close = () => act.set({ finds: null, find: null });
  const give = () => {
    act.set({ find: null });
    act.move({ type: "give_away", seat, bag: chosen.bag, token: chosen.token }, { sound: "back" });
  };
  const back = () => {
    act.set({ find: null });
    act.move({ type: "return_find", seat, bag: chosen.bag, token: chosen.token }, { sound: "back" });
  };
  return html`
    <${Dialog} title=${act.say("ui.finds.of", { n: finds.length, name: view.seats[seat].name })} onClose=${close}>
      <div class="finds-large">
        ${finds.map(
          (find, i) => html`
            <${Button}
              key=${i}
              look="find"
              pressed=${act.get("find", null) === i}
              label=${act.say("ui.finds.find", { token: act.name(find.token), bag: act.name(find.bag) })}
              onPress=${() => act.set({ find: i })}
            >
              <${Token}
                token=${find.token}
                bag=${find.bag}
                colours=${colours}
                house=${isOurs(view, find)}
                size=${72}
              />
            <//>
          `,
        )}
      </div>
      <div class="lift-bar">
        ${
          chosen && act.mine(seat)
            ? html`
              <${Button} look="main" can=${act.can} onPress=${back}>
                ${act.say("ui.finds.return", { token: act.name(chosen.token), bag: act.name(chosen.bag) })}
              <//>
              ${
                view.board.looking !== undefined &&
                html`
                  <${Button} look="quiet" can=${act.can} onPress=${give}>
                    ${act.say("toolbox.page.give", { token: act.name(chosen.token) })}
                  <//>
                `
              }
            `
            : html`<p class="caption">${act.say("ui.finds.hint")}</p>`
        }
      </div>
    <//>
  `;
}
