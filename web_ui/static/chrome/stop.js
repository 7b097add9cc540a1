// The shovel's one big button: everybody at the table may stop it, at any time, with one touch.
import { html, classes } from "../html.js";
import { wear } from "../sheets.js";
import { BigStop, runs } from "./big_stop.js";
import { Button } from "./press.js";

wear("style/stop");

const Absent = ({ say }) => html`
  <p class="shovel-absent">${say("ui.shovel.title")}: ${say("ui.shovel.absent")}</p>
`;

/** @param children the board's own buttons for the shovel. */
export function Stop({ rig, view, act, wanted, children }) {
  if (rig?.absent) return wanted ? html`<${Absent} say=${act.say} />` : null;
  if (!rig?.shovel) return null;
  const { state, fault } = rig.shovel;
  const running = runs(rig.shovel);
  const here = rig.table === view.table;
  const alone = !wanted && !running && !fault; // it shares a row with what takes back
  return html`
    <div class=${classes("stop-place", running && "running", fault && "faulty", alone && "alone")}>
      <${BigStop} running=${running} />
      ${
        here
          ? children
          : wanted &&
            act.role === "host" &&
            (
              act.lends
                ? html`
                <${Button} look="quiet" can=${act.ready} onPress=${act.claim}>
                  ${act.say("ui.shovel.here")}
                <//>
              `
                : html`<p class="caption">${act.say("ui.shovel.owner_gives")}</p>`
            )
      }
      <p class="shovel-state">
        <span class="unseen">${act.say("ui.shovel.title")}: </span>
        ${fault && !here ? act.say(fault.sentence) : act.say(`ui.shovel.state.${state}`)}
      </p>
    </div>
  `;
}
