// Codes to point a phone at: one for each seat, and one for whoever only wants to look on.
import { html } from "../html.js";
import { Dialog } from "./dialog.js";
import { SeatSign } from "../pieces/marker.js";

export function Join({ view, act, onClose }) {
  const code = (who, label) => html`<img class="code" src=${`/api/tables/${view.table}/qr/${who}.svg`} alt=${label} width="180"
      height="180" loading="lazy" />`;
  return html`<${Dialog} title=${act.say("ui.join.title")} onClose=${onClose} look="sheet wide">
    <p>${act.say("ui.join.how")}</p>
    <ul class="codes">
      ${view.seats.map((seat, i) => html`<li key=${i}>${code(i, act.say("ui.join.code", { name: seat.name }))}<p><${SeatSign}
          seat=${seat} /> ${seat.name}</p></li>`)}
      <li>${code("spectator", act.say("ui.join.code_look"))}<p>${act.say("ui.join.look")}</p></li>
    </ul>
    <p class="address">${location.origin}/table/${view.table}</p>
  <//>`;
}
