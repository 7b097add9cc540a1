// A lift with the shovel, in its own place: how it stands and how long it may last, what became of it, what to do now.
import { Component, html, classes } from "../html.js";
import { sound } from "../sound.js";
import { runs } from "./big_stop.js";
import { Button, Steady } from "./press.js";
import { loadStylesheet } from "../stylesheets.js";

await loadStylesheet("style/lift", { beneath: true });

const SOON = 5; // seconds before the shovel lets go by itself

// What a board that is not heard cannot say of itself.
const LINK_LOST = { sentence: "shovel.fault.link_lost", remedy: "shovel.remedy.link_lost" };

// After these the card may be off its square.
const PUT_BACK = /\.(dropped|stopped|link_lost|board_\w+|brown_out|too_long|table_moved_on|taken_back|rig_taken)$/;

/** How long holding may still last: shown all the while, and in the last seconds said and heard. */
export class HoldTime extends Component {
  componentDidMount() {
    this.listen();
  }

  componentDidUpdate() {
    this.listen();
  }

  listen() {
    const { left_s: left, lift } = this.props.shovel;
    if (left === null || left > SOON || this.warned === lift) return;
    this.warned = lift;
    sound("warn");
  }

  render({ shovel, act }) {
    const { left_s: left, longest_ms: longest } = shovel;
    if (left === null) return null;
    const soon = left <= SOON;
    const n = Math.ceil(left);
    return html`
      <div class=${classes("hold-time", soon && "soon")}>
        <span class="trough" aria-hidden="true">
          <i style=${{ width: `${Math.min(100, (left * 100_000) / longest)}%` }}></i>
        </span>
        <span class="hold-left" aria-hidden=${soon ? undefined : "true"}>
          ${act.say(soon ? "ui.lift.soon" : "ui.lift.left", { n })}
        </span>
        <span class="unseen" role="alert">${soon && act.say("ui.lift.soon", { n: SOON })}</span>
      </div>
    `;
  }
}

/** What keeps the shovel from lifting at this table. */
export function troubleOf(view, { rig }) {
  if (!rig?.shovel || rig.table !== view.table) return null;
  return rig.shovel.fault ?? (rig.link?.connected === false ? LINK_LOST : null);
}

/** The newest lift of this table, where it came to nothing. */
export const endedOf = (view, { rig }) => (rig?.ended?.table === view.table ? rig.ended : null);

/** What to do about a lift that came to nothing, as far as the shovel knows. */
function remedyOf(why, act) {
  const key = why.replace(/^shovel\.fault\./, "shovel.remedy.");
  return key !== why && act.knows(key) ? act.say(key) : "";
}

/** A latched fault is the owner's to clear; everybody else is told so. */
const Clear = ({ act }) =>
  act.owner
    ? html`
      <${Steady} can=${act.live && act.rig.link?.connected !== false} onPress=${() => act.shovel("clear")}>
        ${act.say("ui.rig.hand.clear")}
      <//>
    `
    : html`<p>${act.say("ui.lift.owner_clears")}</p>`;

/** What became of the newest lift, where, and what to do now; a latched fault is cleared here with one press. */
export function LiftTold({ view, act }) {
  const trouble = troubleOf(view, act);
  const ended = endedOf(view, act);
  const refused = act.liftRefusal;
  const why = trouble?.sentence ?? ended?.why; // a board that is heard again knows better why it was not
  if (why ? !act.knows(why) : !refused) return null; // there is nothing to say, or its words are on their way
  const square = ended?.move?.square;
  const what = why && act.say(why);
  const remedy = trouble ? act.say(trouble.remedy) : why && remedyOf(why, act);
  return html`
    <div class="lift-told" role="status">
      <p>
        ${what && html`<b>${square ? act.say("ui.lift.at", { square, what }) : what}</b>`}
        ${square && PUT_BACK.test(why) && ` ${act.say("ui.lift.back", { square })}`}
        ${remedy && ` ${remedy}`}
        ${ended?.move && ` ${act.say("ui.lift.cost_nothing")}`}
        ${trouble && act.rig.lifts && ` ${act.say("ui.lift.by_hand")}`}
        ${refused && html` <b>${refused}</b>`}
      </p>
      ${act.rig?.shovel?.fault && trouble && html`<${Clear} act=${act} />`}
    </div>
  `;
}

/** The lift that is under way at this table, for a move or by hand. */
export function underWay(view, { rig }) {
  if (rig?.table !== view.table || !rig.shovel) return null;
  const waiting = rig.waiting?.table === view.table ? rig.waiting : null;
  return waiting || runs(rig.shovel) ? { waiting, shovel: rig.shovel, world: rig.world } : null;
}

/** Whether a lift has come to nothing, and only the cup has still to let go. */
const isOver = ({ waiting, shovel }, view, act) => !waiting && shovel.state === "releasing" && endedOf(view, act);

/** Whether this screen may let go: it lifts, or the table asks it. */
const mayLetGo = (waiting, act) => act.role === "host" || act.mayMove || (waiting && act.mine(waiting.seat));

/** How a lift stands, in a word: what the shovel does, and whether its sensor doubts. */
function standing({ waiting, shovel }) {
  if (shovel.doubt) return "doubted";
  if (shovel.state === "releasing") return waiting ? "clear" : "letting_go";
  if (shovel.state === "holding") return "held";
  return waiting && shovel.state === "off" ? "go" : "gripping";
}

function Hands({ lift, act }) {
  const { shovel, world } = lift;
  const how = standing(lift);
  return html`
    <div class="lift-hands">
      ${
        world &&
        act.role === "host" &&
        html`
          <${Button}
            key="cup"
            look="quiet"
            pressed=${world.card}
            onPress=${() => act.world(world.card ? "no_card" : "card")}
          >
            ${act.say("ui.lift.cup")}
          <//>
        `
      }
      ${
        (how === "held" || how === "gripping") &&
        html`
          <${Steady} key="let_go" look=${how === "held" ? "main" : "quiet"} onPress=${() => act.shovel("release")}>
            ${act.say("ui.shovel.release")}
          <//>
        `
      }
      ${
        (how === "doubted" || (how === "gripping" && !shovel.sensor)) &&
        html`
          <${Steady} key="confirm" look="main" onPress=${() => act.shovel("confirm")}>
            ${act.say(how === "doubted" ? "ui.rig.hand.confirm_holding" : "ui.shovel.confirm")}
          <//>
        `
      }
    </div>
  `;
}

/** The place of the lift where a board has none of its own. */
export function Lift({ view, act }) {
  const lift = underWay(view, act);
  if (!lift || isOver(lift, view, act)) return html`<${LiftTold} view=${view} act=${act} />`;
  const square = lift.waiting?.move.square ?? "";
  return html`
    <div class=${classes("lift", standing(lift))}>
      ${mayLetGo(lift.waiting, act) && html`<${Hands} lift=${lift} act=${act} />`}
      <p class="lift-said" role="status">
        ${square && html`<b>${square}</b> `}${act.say(`ui.shovel.lift.${standing(lift)}`, { square })}
      </p>
      <${HoldTime} shovel=${lift.shovel} act=${act} />
    </div>
  `;
}
