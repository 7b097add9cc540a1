// The shovel by hand: where the lift stands, what is wrong and what helps, and the buttons that can work now.
import { html, classes } from "../../html.js";
import { say } from "../../words.js";
import { Button } from "../../chrome/press.js";
import { BigStop, runs } from "../../chrome/big_stop.js";
import { HoldTime } from "../../chrome/lift.js";
import { Gauges } from "./gauges.js";
import { tenths } from "./units.js";

const STEPS = ["off", "priming", "holding", "releasing"];
const SIGNS = {
  off: "M8 5V19M16 5V19",
  priming: "M12 20V5M6 11L12 5L18 11",
  holding: "M5 8H19M12 8V17M7 17H17",
  releasing: "M12 4V19M6 13L12 19L18 13",
  fault: "M12 5V14M12 18.500h.1",
};

const Step = ({ step, now }) => html`
  <li class=${classes("step", step, now && "now")} aria-current=${now ? "step" : undefined}>
    <svg viewBox="0 0 24 24" width="30" height="30" aria-hidden="true">
      <path d=${SIGNS[step]} class="stroke" />
    </svg>
    <span>${say(`ui.shovel.state.${step}`)}</span>
  </li>
`;

function Steps({ state }) {
  const steps = state === "fault" ? [...STEPS.slice(0, 3), "fault"] : STEPS;
  return html`
    <ol class="lift-steps" aria-label=${say("ui.rig.hand.steps")}>
      ${steps.map((step) => html`<${Step} key=${step} step=${step} now=${step === state} />`)}
    </ol>
  `;
}

const Trouble = ({ trouble, latched, children }) => html`
  <div class=${classes("trouble", latched && "latched")} role="alert">
    <p class="trouble-code">
      ${say(latched ? "ui.rig.hand.fault" : "ui.rig.hand.outcome", { code: trouble.code })}
      ${trouble.kpa !== null && ` · ${say("ui.rig.line.now", { kpa: tenths(trouble.kpa) })}`}
    </p>
    <p class="trouble-what">${say(trouble.sentence)}</p>
    <p>${say(trouble.remedy)}</p>
    ${children}
  </div>
`;

const Refused = ({ refusal, act }) => html`
  <div class="trouble refused" role="alert">
    <p>${refusal.message}</p>
    ${
      refusal.code === "not_empty" &&
      html`
        <${Button} can=${act.can.grip} onPress=${() => act.shovel("grip", { sure: true })}>
          ${say("ui.rig.hand.empty")}
        <//>
      `
    }
  </div>
`;

/** The one thing that matters most now. */
function Notice({ shovel, refusal, act }) {
  if (shovel.fault) {
    return html`
      <${Trouble} trouble=${shovel.fault} latched=${true}>
        <${Button} class="clear-fault" can=${act.can.clear} onPress=${() => act.shovel("clear")}>
          ${say("ui.rig.hand.clear")}
        <//>
        ${!act.owner && html`<p>${say("ui.lift.owner_clears")}</p>`}
        ${refusal && html`<p class="trouble-what">${refusal.message}</p>`}
      <//>
    `;
  }
  if (refusal) return html`<${Refused} refusal=${refusal} act=${act} />`;
  if (shovel.doubt) {
    return html`
      <div class="trouble doubt" role="alert">
        <p class="trouble-what">${say("ui.rig.hand.doubt")}</p>
      </div>
    `;
  }
  if (shovel.resting && shovel.state === "off") {
    return html`
      <div class="trouble refused" role="status">
        <p>${say("ui.rig.hand.resting")}</p>
      </div>
    `;
  }
  if (shovel.outcome) return html`<${Trouble} trouble=${shovel.outcome} />`;
  return null;
}

const CONFIRM = { priming: "confirm_gripping", releasing: "confirm_releasing" };

const Buttons = ({ shovel, act }) => html`
  <div class="hand-buttons">
    <${Button} look=${act.can.release ? "" : "main"} can=${act.can.grip ?? false} onPress=${() => act.shovel("grip")}>
      ${say("ui.shovel.grip")}
    <//>
    <${Button}
      look=${act.can.release ? "main" : ""}
      can=${act.can.release ?? false}
      onPress=${() => act.shovel("release")}
    >
      ${say("ui.shovel.release")}
    <//>
    <${Button}
      class=${classes("confirm", shovel.doubt && "asked")}
      can=${act.can.confirm ?? false}
      onPress=${() => act.shovel("confirm")}
    >
      ${say(`ui.rig.hand.${CONFIRM[shovel.state] ?? "confirm_holding"}`)}
    <//>
  </div>
`;

export const Hand = ({ shovel, refusal, act, onTold }) => html`
  <section class="card hand" aria-label=${say("ui.rig.hand.label")}>
    <${Steps} state=${shovel.state} />
    <${HoldTime} shovel=${shovel} act=${{ say }} />
    <${Notice} shovel=${shovel} refusal=${refusal} act=${act} />
    <${Buttons} shovel=${shovel} act=${act} />
    <${BigStop} running=${runs(shovel)} onTold=${onTold} />
    <${Gauges} shovel=${shovel} />
  </section>
`;
