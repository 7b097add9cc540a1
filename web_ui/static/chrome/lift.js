// A move that waits for the shovel to lift its card: how the lift stands, and a person's word where the sensor doubts.
import { html } from "../html.js";
import { Button } from "./press.js";

export function Lift({ rig, view, act }) {
  if (rig?.table !== view.table) return null;
  const { waiting, mishap } = rig;
  if (!waiting) {
    return (
      mishap &&
      html`
        <p class="refusal" role="alert">
          ${act.say(mishap)}
        </p>
      `
    );
  }
  return html`
    <div class="lift" role="status">
      <p class="ask-line">${act.say(`ui.shovel.lift.${waiting.state}`)}</p>
      ${
        act.role === "host" &&
        html`
          <div class="tool-row">
            <${Button} look="main" onPress=${() => act.shovel("confirm")}>
              ${act.say("ui.shovel.confirm")}
            <//>
          </div>
        `
      }
    </div>
  `;
}
