// The keys that save a reach, and how the table is used.
import { html } from "../html.js";
import { Dialog } from "./dialog.js";

const KEYS = [["ui.key.space", "ui.help.space"], ["U", "ui.help.undo"], ["R", "ui.help.redo"], ["1–6", "ui.help.seat"], ["?", "ui.help.help"]];

export const Help = ({ act, onClose }) => html`
  <${Dialog} title=${act.say("ui.help.title")} onClose=${onClose}>
    <p>${act.say("ui.help.table")}</p>
    <dl class="keys">${KEYS.map(([key, does]) => html`<div key=${key}><dt><kbd>${key.includes(".") ? act.say(key) : key}</kbd></dt>
        <dd>${act.say(does)}</dd></div>`)}</dl>
    <p>${act.say("ui.help.house")}</p>
  <//>`;
