// The shovel's one big button: everybody at the table may stop it, at any time, with one touch.
import { html, classes } from "../html.js";
import { BigStop, runs } from "./big_stop.js";
import { Button } from "./press.js";
import { say } from "../words.js";

const Absent = ({ say }) => html`
  <p class="shovel-absent">${say("ui.shovel.title")}: ${say("ui.shovel.absent")}</p>
`;

/** Whether the shovel stands at this table: what is lifted is lifted here, and stopped here. */
export const isHere = (rig, view) => Boolean(rig?.shovel) && rig.table === view.table;

/** Takes the shovel to this table, once it is free. */
const Claim = ({ rig, act, onDone }) =>
  rig.waiting
    ? html`<p class="caption">${act.say("ui.shovel.comes")}</p>`
    : html`
      <${Button}
        look="quiet"
        can=${act.ready}
        onPress=${() => {
          act.claim();
          onDone?.();
        }}
      >
        ${act.say("ui.shovel.here")}
      <//>
    `;

/** Where one can stop it from elsewhere: in the menu. */
export const StopInMenu = ({ running, children }) => html`
  <section class="menu-end menu-stop" aria-label=${say("ui.shovel.title")}>
    <p>${say("ui.shovel.stop_label")}</p>
    <${BigStop} running=${running} />
    ${children}
  </section>
`;

/** The same at a table that has not the shovel, or no place for it; on a phone it is taken there, too. */
export const MenuStop = ({ rig, view, act, lifts, onDone }) =>
  rig?.shovel &&
  !(lifts && isHere(rig, view)) &&
  html`
    <${StopInMenu} running=${runs(rig.shovel) || Boolean(rig.shovel.fault)}>
      ${lifts && act.narrow && act.role === "host" && html`<${Claim} rig=${rig} act=${act} onDone=${onDone} />`}
    <//>
  `;

/** Where something is lifted: beneath all else, where nothing moves it. @param children the board's own buttons. */
export function Stop({ rig, view, act, children }) {
  if (rig?.absent) return html`<${Absent} say=${act.say} />`;
  if (!rig?.shovel) return null;
  const { state, fault } = rig.shovel;
  const running = runs(rig.shovel);
  const here = isHere(rig, view);
  if (act.narrow && !here) return null; // it is in the menu
  return html`
    <div class=${classes("stop-place", running && "running", fault && "faulty")}>
      ${here && html`<${BigStop} running=${running} />`}
      ${here ? children : act.role === "host" && html`<${Claim} rig=${rig} act=${act} />`}
      <p class="shovel-state">
        <span class="unseen">${act.say("ui.shovel.title")}: </span>
        ${fault && !here && act.knows(fault.sentence) ? act.say(fault.sentence) : act.say(`ui.shovel.state.${state}`)}
      </p>
    </div>
  `;
}
