// The tray of sand: a card is chosen first and lifted by a second press, for what is uncovered cannot be covered again.
import { html, upTo } from "../../html.js";
import { Lift, LiftTold, underWay } from "../../chrome/lift.js";
import { Button } from "../../chrome/press.js";
import { Tray } from "../../pieces/tray.js";
import { signed } from "../../words.js";

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

/** What a turn has brought: set aside, kept, lost, or nothing but the fee; and the scarab that doubles it. */
function TakingsTool({ view, act }) {
  const { takings, turn } = view.board;
  const go = (move) => act.move(move, { sound: "token" });
  const scarabs = takings.scarabs[turn.seat];
  return html`
    <section class="tool takings-tool" aria-label=${act.name("takings")}>
      <p class="caption">
        <b>${act.say("toolbox.page.aside_n", { n: takings.aside })}</b>
        ${takings.doubled && html` · ${act.say("toolbox.page.doubled")}`}
      </p>
      <div class="chips">
        ${upTo(4).map(
          (i) => html`
            <${Button} key=${i} look="number" can=${act.can} onPress=${() => go({ type: "set_aside", points: i + 1 })}>
              ${signed(i + 1)}
            <//>
          `,
        )}
        <${Button} look="main" can=${act.can && takings.aside > 0} onPress=${() => go({ type: "pocket" })}>
          ${act.say("toolbox.page.stop")}
        <//>
      </div>
      <div class="chips">
        ${takings.dangers.map(
          (points) => html`
            <${Button}
              key=${points}
              look="number"
              can=${act.can}
              label=${`${signed(-points)}: ${act.say("toolbox.page.danger", { n: points })}`}
              onPress=${() => go({ type: "lose", points })}
            >
              ${signed(-points)}
            <//>
          `,
        )}
        <${Button} look="quiet" can=${act.can} onPress=${() => go({ type: "pay_fee" })}>
          ${act.say("toolbox.page.fee", { n: takings.fee })}
        <//>
        <${Button}
          look="quiet"
          can=${act.can && scarabs > 0 && !takings.doubled}
          onPress=${() => go({ type: "scarab" })}
        >
          ${act.say("toolbox.page.scarab", { n: scarabs })}
        <//>
      </div>
    </section>
  `;
}

/** On the chosen square a barricade may be laid; the tray shows whose lie where. */
function Barricades({ view, act, square }) {
  const { barred, barricades } = view.board.takings;
  if (!square || square.square in barred || barricades[act.seat] === 0) return null;
  return html`
    <${Button}
      look="quiet"
      can=${act.can}
      onPress=${() => act.move({ type: "barricade", seat: act.seat, square: square.square }, { sound: "knock" })}
    >
      ${act.say("toolbox.page.barricade", { square: square.square })}
    <//>
  `;
}

/** What is said of a square: what lies there, and whose barricade. */
function labelled(view, act, { square, depth, top, barricade }) {
  const what = top ? act.name(top) : act.say(depth ? "ui.tray.covered" : "ui.tray.bare");
  const parts = [act.say("ui.tray.square", { square, n: depth, what })];
  if (barricade !== null) parts.push(act.say("toolbox.page.barred", { name: view.seats[barricade].name, square }));
  return parts.join(". ");
}

export function Sand({ view, act }) {
  const { takings } = view.board;
  const squares = view.board.tray.squares.map((each) => ({ ...each, barricade: takings?.barred[each.square] ?? null }));
  const tray = { ...view.board.tray, squares };
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
          seats=${view.seats}
          named=${act.say("ui.tray.label")}
          nameOf=${(each) => labelled(view, act, each)}
          before=${act.before?.board.tray?.squares}
          chosen=${lifting?.waiting?.move.square ?? square?.square}
          can=${({ depth }) => can && depth > 0}
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
        ${takings && html`<${Barricades} view=${view} act=${act} square=${square} />`}
        ${lifting ? html`<${Lift} view=${view} act=${act} />` : html`<${Choice} ...${{ view, act, square, lift }} />`}
      </div>
      ${takings && html`<${TakingsTool} view=${view} act=${act} />`}
    </div>
  `;
}
