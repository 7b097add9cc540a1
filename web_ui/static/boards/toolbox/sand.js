// The tray of sand: a card is chosen first and lifted by a second press, for what is uncovered cannot be covered again.
import { html } from "../../html.js";
import { Lift, LiftTold, underWay } from "../../chrome/lift.js";
import { Button } from "../../chrome/press.js";
import { Tray } from "../../pieces/tray.js";

/** The square that is chosen, above it what became of the lift before. */
function Choice({ view, act, square, lift }) {
  const what = square?.top ? act.name(square.top) : act.say("ui.tray.covered");
  return html`
    <${LiftTold} view=${view} act=${act} />
    ${
      square
        ? html`
          <p class="caption">
            ${act.say("ui.tray.chosen", { square: square.square, n: square.depth, what })}
          </p>
          <${Button} look="quiet" onPress=${() => act.set({ square: null })}>
            ${act.say("ui.not_that")}
          <//>
          <${Button} look="main" can=${act.can} onPress=${lift}>
            ${act.say("ui.tray.lift")}
          <//>
        `
        : html`<p class="caption">${act.say("ui.tray.hint")}</p>`
    }
  `;
}

export function Sand({ view, act }) {
  const { tray } = view.board;
  const chosen = act.get("square", null);
  const square = tray.squares.find((each) => each.square === chosen && each.depth > 0);
  const lifting = underWay(view, act);
  const lift = () => {
    act.set({ square: null });
    act.move({ type: "uncover", square: chosen }, { sound: "token" });
  };
  const press = (name) => (name === chosen ? lift() : act.set({ square: name }));
  const can = act.can && !lifting;
  return html`
    <div class="sand-board">
      <div class="tray-place">
        <${Tray}
          tray=${tray}
          say=${act.say}
          name=${act.name}
          can=${can}
          chosen=${lifting?.waiting?.move.square ?? square?.square}
          onSquare=${press}
        />
        ${
          tray.house.length > 0 &&
          html`
            <p class="house-note">
              <span class="house">${act.say("ui.house")}</span> ${act.say("ui.tray.house")}
            </p>
          `
        }
      </div>
      <div class="lift-bar">
        ${lifting ? html`<${Lift} view=${view} act=${act} />` : html`<${Choice} ...${{ view, act, square, lift }} />`}
      </div>
    </div>
  `;
}
