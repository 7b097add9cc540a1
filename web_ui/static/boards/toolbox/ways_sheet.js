// How far it is from one city to another.
import { html } from "../../html.js";
import { Dialog } from "../../chrome/dialog.js";

/** How many weeks it is from here to there, plain, by car and by zeppelin. */
export function Part({ view, act, onClose }) {
  const { ways } = view.board;
  const places = Object.keys(ways);
  const from = act.get("from", places[0]);
  const to = act.get("to", places[1]);
  const { plain, car } = ways[from][to];
  const choice = (which, value) => html`
    <label class="way-end">
      ${act.say(`toolbox.page.${which}`)}
      <select value=${value} onChange=${(event) => act.set({ [which]: event.currentTarget.value })}>
        ${places.map(
          (place) => html`
            <option key=${place} value=${place} selected=${place === value}>${act.name(place)}</option>
          `,
        )}
      </select>
    </label>
  `;
  return html`
    <${Dialog} look="sheet" title=${act.say("toolbox.page.ways")} onClose=${onClose}>
      <div class="ways">${choice("from", from)} ${choice("to", to)}</div>
      <p class="way-told" aria-live="polite">
        <b>${act.say("toolbox.page.by", { n: plain })}</b>
        <span>${act.say("toolbox.page.by_car", { n: car })}</span>
        <span>${act.say("toolbox.page.by_air")}</span>
      </p>
    <//>
  `;
}
