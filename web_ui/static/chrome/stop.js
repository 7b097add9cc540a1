// The shovel's one big button: everybody at the table may stop it, at any time, with one touch.
import { html, classes } from "../html.js";
import { BigStop, runs } from "./big_stop.js";
import { Button } from "./press.js";

const Absent = ({ say }) => html`
  <p class="shovel-absent">${say("ui.shovel.title")}: ${say("ui.shovel.absent")}</p>
`;

/** In the bar, at a table where nothing is lifted. */
export const BarStop = ({ shovel }) => html`
  <div class="stop-corner"><${BigStop} running=${runs(shovel) || Boolean(shovel.fault)} /></div>
`;

/** Where something is lifted: beneath all else, where nothing moves it. @param children the board's own buttons. */
export function Stop({ rig, view, act, children }) {
  if (rig?.absent) return html`<${Absent} say=${act.say} />`;
  if (!rig?.shovel) return null;
  const { state, fault } = rig.shovel;
  const running = runs(rig.shovel);
  const here = rig.table === view.table;
  return html`
    <div class=${classes("stop-place", running && "running", fault && "faulty")}>
      <${BigStop} running=${running} />
      ${
        here
          ? children
          : act.role === "host" &&
            (
              rig.waiting
                ? html`<p class="caption">${act.say("ui.shovel.comes")}</p>`
                : html`
                <${Button} look="quiet" can=${act.ready} onPress=${act.claim}>
                  ${act.say("ui.shovel.here")}
                <//>
              `
            )
      }
      <p class="shovel-state">
        <span class="unseen">${act.say("ui.shovel.title")}: </span>
        ${fault && !here ? act.say(fault.sentence) : act.say(`ui.shovel.state.${state}`)}
      </p>
    </div>
  `;
}
