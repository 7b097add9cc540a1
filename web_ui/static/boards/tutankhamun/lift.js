// A lift with the shovel: how far it is, what the hand at the cup has to do, and the ways out of its middle.
import { classes, html } from "../../html.js";
import { runs } from "../../chrome/big_stop.js";
import { HoldTime } from "../../chrome/lift.js";
import { Button, Steady } from "../../chrome/press.js";
import { card as cardSign } from "./printed.js";

/** The lift that a move at this table waits for, and how the shovel is. */
export function liftOf(view, act) {
  const { rig } = act;
  const waiting = rig?.waiting;
  if (!waiting || waiting.table !== view.table) return null;
  const { state: stage, vacuum_kpa: kpa, thresholds, sensor } = rig.shovel ?? {};
  return {
    square: waiting.move.square,
    seat: waiting.seat,
    state: waiting.state,
    stage,
    kpa,
    enough: thresholds?.held,
    sensor,
    world: rig.world,
    shovel: rig.shovel,
  };
}

/** Whether the cup is still busy with what was before, so that a lift would be refused. */
export const isBusy = (view, act) => act.rig?.table === view.table && act.rig.lifts && runs(act.rig.shovel);

const STEPS = ["go", "pump", "held", "clear"];

/** Which of the four steps a lift is at. */
function stepOf({ state, stage }) {
  if (stage === "releasing") return 3;
  if (state !== "gripping") return 2;
  return stage === "priming" ? 1 : 0;
}

const FULL_KPA = 20;

const Gauge = ({ lift, act }) =>
  lift.kpa !== null &&
  lift.kpa !== undefined &&
  html`
    <svg
      class="tut-gauge"
      viewBox="0 0 100 14"
      role="img"
      aria-label=${act.say("tutankhamun.page.lift_bar.vacuum", { n: Math.round(lift.kpa) })}
    >
      <rect y="2" width="100" height="10" rx="5" class="trough" />
      <rect
        y="2"
        width=${Math.min(100, (Math.max(0, lift.kpa) / FULL_KPA) * 100)}
        height="10"
        rx="5"
        class="level"
      />
      ${lift.enough && html`<path d=${`M${(lift.enough / FULL_KPA) * 100} 0V14`} class="mark" />`}
    </svg>
  `;

/** The cup of the simulated world, for the host to hold. */
const Cup = ({ lift, act }) =>
  lift.world &&
  html`
    <${Button} look="quiet" pressed=${lift.world.card} onPress=${() => act.world(lift.world.card ? "no_card" : "card")}>
      ${act.say("tutankhamun.page.lift_bar.cup")}
    <//>
  `;

function Hands({ lift, act }) {
  const doubt = lift.state === "doubted";
  return html`
    <div class="tut-hands">
      <${Cup} lift=${lift} act=${act} />
      <${Steady} look="quiet" onPress=${() => act.shovel("stop")}>
        ${act.say("tutankhamun.page.lift_bar.give_up")}
      <//>
      ${
        lift.state === "gripping" &&
        !lift.sensor &&
        html`
          <${Steady} look="main" onPress=${() => act.shovel("confirm")}>
            ${act.say("ui.shovel.confirm")}
          <//>
        `
      }
      ${
        doubt &&
        html`
          <${Steady} look="main" onPress=${() => act.shovel("confirm")}>
            ${act.say("tutankhamun.page.lift_bar.still_there")}
          <//>
        `
      }
      ${
        lift.state === "held" &&
        lift.stage === "holding" &&
        html`
          <${Steady} look="main" onPress=${() => act.shovel("release")}>
            ${act.say("ui.shovel.release")}
          <//>
        `
      }
    </div>
  `;
}

/** Under the tray while a card is being lifted. */
export function LiftBar({ lift, act }) {
  const at = stepOf(lift);
  const step = lift.state === "doubted" ? "doubted" : STEPS[at];
  const mayHelp = act.role === "host" || act.mine(lift.seat);
  return html`
    <div class=${classes("tut-bar tut-lifting", lift.state)}>
      ${mayHelp && html`<${Hands} lift=${lift} act=${act} />`}
      <ol class="tut-steps" aria-hidden="true">
        ${STEPS.map(
          (step, i) => html`
            <li key=${step} class=${classes(i < at && "done", i === at && "now")}>
              ${act.say(`tutankhamun.page.step.${step}`)}
            </li>
          `,
        )}
      </ol>
      <p class="tut-lift-said" role="status">
        ${act.say(`tutankhamun.page.lift_bar.${step}`, { square: lift.square })}
      </p>
      <${Gauge} lift=${lift} act=${act} />
      <${HoldTime} shovel=${lift.shovel} act=${act} />
    </div>
  `;
}

/** Whether this table lifts with the shovel; the host says so. A simulated one is only used when it is wanted. */
export function ShovelChoice({ view, act }) {
  if (view.over || act.role !== "host" || act.rig?.table !== view.table || act.rig.waiting) return null;
  const { lifts, kind } = act.rig;
  return lifts
    ? html`
      <${Button} look="quiet" can=${act.ready} onPress=${act.putBy}>
        ${act.say("tutankhamun.page.by_hand")}
      <//>
    `
    : html`
      <${Button} look="quiet" can=${act.ready} onPress=${act.claim}>
        ${act.say(kind === "sim" ? "tutankhamun.page.by_simulated" : "tutankhamun.page.by_shovel")}
      <//>
    `;
}

export const CupOver = ({ lift, card }) => html`
  <g class=${classes("tut-cup", lift.stage, lift.state === "doubted" && "doubted")} aria-hidden="true">
    ${
      lift.state !== "gripping" &&
      card &&
      html`
        <g class="tut-held">
          <rect x="-48" y="-42" width="104" height="104" rx="8" class="tut-held-shade" />
          <rect x="-52" y="-52" width="104" height="104" rx="8" class="tut-paper" fill="url(#papyrus)" />
          ${cardSign(card)}
        </g>
      `
    }
    <circle r="64" class="tut-glow" fill="url(#glow)" />
    <circle r="27" class="tut-rubber" />
    <circle r="19" fill="url(#brass-dome)" class="tut-brass" />
    <circle r="36" class="tut-draught" />
    <circle r="46" class="tut-draught second" />
  </g>
`;
