// The shovel's one big button: everybody at the table may stop it, at any time, with one touch.
import { html, classes } from "../html.js";

const RUNS = ["priming", "holding", "releasing"];

/** @param children the board's own buttons for the shovel. */
export function Stop({ rig, act, wanted, children }) {
  if (!rig || rig.kind === "none") return null;
  const { state, fault } = rig.shovel;
  const running = RUNS.includes(state);
  if (!wanted && !running && !fault) return null;
  return html`<div class=${classes("stop-place", running && "running", fault && "faulty")}>
    <button type="button" class="stop" onClick=${() => act.shovel("stop")} aria-label=${act.say("ui.shovel.stop_label")}>${act.say("ui.shovel.stop")}</button>
    ${children}
    <p class="shovel-state"><span class="unseen">${act.say("ui.shovel.title")}: </span>${fault ? act.say(fault.sentence) : act.say(`ui.shovel.state.${state}`)}</p>
  </div>`;
}
