// Digging: a square is chosen, what is known of it is said, and a second press lifts its card, by hand or by shovel.
import { html, classes } from "../../html.js";
import { Why, whyNot } from "../../chrome/choosing.js";
import { Lift, LiftTold, endedOf, troubleOf, underWay } from "../../chrome/lift.js";
import { Button } from "../../chrome/press.js";
import { percent, signed } from "../../words.js";
import { Tray } from "../../pieces/tray.js";
import { isOurs } from "./face.js";
import { CupOver, LiftBar, isBusy, liftOf } from "./lift.js";
import { Layers, Removed } from "./unearthed.js";
import { Balance, Last } from "./turn.js";

/** The square that is chosen on this screen, and what pressing it would do; a choice holds until the table moves on. */
export function digOf(view, act) {
  const name = act.chosen("square");
  if (!name || view.ask.kind !== "move" || !act.mayMove) return null;
  const closing = view.board.phase === "closing";
  const aid = view.ask.options?.squares?.[name];
  const asked = aid?.[closing ? "barricade" : "dig"];
  if (!asked) return null;
  const square = view.board.tray.squares.find((each) => each.square === name);
  const does = () =>
    act.move(closing ? { type: "barricade", square: name } : { type: "dig", square: name }, {
      sound: closing ? "stone" : "knock",
    });
  return {
    name,
    square,
    closing,
    asked,
    odds: aid.odds,
    lift: asked.legal && act.can && !liftOf(view, act) && (closing || !isBusy(view, act)) ? does : null,
  };
}

const SHARES = ["good", "nothing", "bad"];

/** What the card below may be, counted from what nobody has seen yet. */
function Odds({ odds, act }) {
  return html`
    <div class="tut-odds" role="group" aria-label=${act.say("tutankhamun.page.odds.title", { n: odds.unseen })}>
      <div class="shares" aria-hidden="true">
        ${SHARES.map(
          (share) => odds[share] > 0 && html`<i key=${share} class=${share} style=${{ flexGrow: odds[share] }}></i>`,
        )}
      </div>
      <p>
        ${SHARES.map(
          (share) => html`
            <span key=${share} class=${share}>
              ${act.say(`tutankhamun.page.odds.${share}`)} <b>${percent(odds[share])}</b>
            </span>
          `,
        )}
        <span>
          ${act.say("tutankhamun.page.odds.gain")} <b>${signed(Math.round(odds.gain * 10) / 10)}</b>
        </span>
        ${
          odds.ruin > 0 &&
          html`
            <span class="bad">
              ${act.say("tutankhamun.page.odds.ruin")} <b>${percent(odds.ruin)}</b>
            </span>
          `
        }
      </p>
    </div>
  `;
}

/** What is to be done, or what others do. */
export function Hint({ view, act }) {
  const { phase, turn } = view.board;
  const name = view.seats[turn?.seat ?? 0].name;
  if (phase === "uncovering") return act.say("tutankhamun.page.uncovering", { square: turn.uncovering });
  if (!act.mayMove)
    return act.say(phase === "closing" ? "tutankhamun.page.they_close" : "tutankhamun.page.they_dig", { name });
  return act.say(phase === "closing" ? "tutankhamun.page.choose_barricade" : "tutankhamun.page.choose");
}

/** Whether the shovel lifts here, and whether its newest lift came to nothing. */
function shovelFor({ view, act, dig }) {
  const here = act.rig?.table === view.table && act.rig.lifts && !dig.closing;
  if (!here || troubleOf(view, act)) return { lifts: false };
  return { lifts: true, mishap: endedOf(view, act)?.move };
}

/** What stands on the button that does it. */
function pressSaid(act, dig, { lifts, mishap }) {
  if (dig.closing) return act.say("tutankhamun.page.set_barricade", { square: dig.name });
  if (mishap) return act.say("tutankhamun.page.again");
  return act.say(lifts ? "tutankhamun.page.lift_with" : "tutankhamun.page.lift");
}

const Waiting = ({ view, act }) => html`
  <div class="tut-bar">
    ${act.narrow && html`<${LiftTold} view=${view} act=${act} />`}
    ${!act.mayMove && html`<p class="caption"><${Hint} view=${view} act=${act} /></p>`}
  </div>
`;

function DigBar({ view, act, dig }) {
  if (!dig) return html`<${Waiting} view=${view} act=${act} />`;
  const shovel = shovelFor({ view, act, dig });
  const what = dig.square.top
    ? act.name(dig.square.top)
    : act.say(dig.square.depth ? "ui.tray.covered" : "ui.tray.bare");
  return html`
    <div class="tut-bar chosen">
      ${act.narrow && html`<${LiftTold} view=${view} act=${act} />`}
      <div class="tut-chosen">
        <p>
          <b>${dig.name}</b> ${act.say("tutankhamun.page.chosen", { what, n: dig.square.depth })}
        </p>
        ${
          dig.asked.refusal
            ? html`<p class="why-not"><${Why} answer=${dig.asked} act=${act} /></p>`
            : dig.odds && !dig.closing && html`<${Odds} odds=${dig.odds} act=${act} />`
        }
      </div>
      <${Button} look="quiet" onPress=${() => act.hold("square", null)}>
        ${act.say("ui.not_that")}
      <//>
      <${Button} look="main" class="tut-lift" can=${Boolean(dig.lift)} onPress=${() => dig.lift()}>
        ${pressSaid(act, dig, shovel)}
      <//>
    </div>
  `;
}

/** Whether what is done with a square stands under the thumb, with what is asked. */
const isInDock = (view, act) => act.narrow && view.ask.kind === "move";

/** On a phone, with what is asked: what pressing the chosen square would do. */
export function DockBar({ view, act }) {
  if (!isInDock(view, act) || !view.board.turn) return null;
  const lift = liftOf(view, act);
  const dig = lift ? null : digOf(view, act);
  return lift || dig || underWay(view, act)
    ? html`<${Bar} view=${view} act=${act} dig=${dig} lift=${lift} />`
    : html`<${LiftTold} view=${view} act=${act} />`;
}

/** Under the tray: the lift that is under way, for a dig or by hand, or what pressing the chosen square would do. */
function Bar({ view, act, dig, lift }) {
  if (lift) return html`<${LiftBar} lift=${lift} act=${act} />`;
  if (view.over) return null;
  if (!underWay(view, act)) return html`<${DigBar} view=${view} act=${act} dig=${dig} />`;
  return html`
    <div class="tut-bar">
      <${Lift} view=${view} act=${act} />
    </div>
  `;
}

function labelled(view, act, square, note) {
  const value = view.board.tray.value[square.top];
  const what = square.top ? act.name(square.top) : act.say(square.depth ? "ui.tray.covered" : "ui.tray.bare");
  const parts = [act.say("tutankhamun.page.square", { square: square.square, what, n: square.depth })];
  if (value) parts.push(act.say("tutankhamun.page.worth", { n: value }));
  if (value && isOurs(view, square.top)) parts.push(act.say("ui.house"));
  if (square.barricade !== null)
    parts.push(act.say("tutankhamun.page.barricade_of", { name: view.seats[square.barricade].name }));
  if (note) parts.push(note);
  return parts.join(". ");
}

/** The tray, what is to be done under it, and beside it the balance of the turn. */
export function Dig({ view, act }) {
  const { board } = view;
  const lift = liftOf(view, act);
  const dig = lift ? null : digOf(view, act);
  const mine = act.can && view.ask.kind === "move" && !lift;
  const note = (square) => {
    const asked = view.ask.options?.squares?.[square.square]?.[board.phase === "closing" ? "barricade" : "dig"];
    return mine ? whyNot(asked, act) : null;
  };
  const press = (name) => (dig?.name === name && dig.lift ? dig.lift() : act.hold("square", name));
  return html`
    <div class=${classes("tut-dig", board.phase)}>
      <div class="tut-tray">
        <${Tray}
          tray=${board.tray}
          seats=${view.seats}
          named=${act.say("tutankhamun.page.tray")}
          nameOf=${(square) => labelled(view, act, square, note(square))}
          before=${act.before?.board.tray?.squares}
          chosen=${lift?.square ?? dig?.name}
          can=${() => mine}
          last=${board.last && { square: board.last.square, bit: board.last.points < 0 }}
          opening=${board.turn?.uncovering}
          over=${({ square, top }) => lift?.square === square && html`<${CupOver} lift=${lift} card=${top} />`}
          onSquare=${press}
        />
      </div>
      ${!isInDock(view, act) && html`<${Bar} view=${view} act=${act} dig=${dig} lift=${lift} />`}
      <div class="tut-side">
        <${Layers} view=${view} act=${act} />
        ${!act.narrow && !view.over && !lift && !underWay(view, act) && html`<${LiftTold} view=${view} act=${act} />`}
        ${board.turn && html`<${Balance} view=${view} act=${act} />`}
        <${Last} view=${view} act=${act} />
        <${Removed} view=${view} act=${act} />
      </div>
    </div>
  `;
}
