// All that lies open before a seat, and its points so far.
import { html } from "../../html.js";
import { Dialog } from "../../chrome/dialog.js";
import { Faces } from "./faces.js";

/** What lies before a seat, and its points so far. */
function Papers({ view, act, seat }) {
  const mine = view.board.seats[seat];
  const { parts, total } = view.board.scores[seat];
  const presented = [...mine.exhibitions, ...mine.museums];
  const others = mine.cards.filter((id) => !presented.includes(id));
  return html`
    <div class="tr-papers">
      <p class="tr-parts">
        ${Object.entries(parts).map(([part, n]) => html`<span key=${part}>${act.partSaid(part)} <b>${n}</b></span>`)}
        <span class="sum">${act.say("tomb_raiders.page.total")} <b>${total}</b></span>
      </p>
      <h3>${act.say("tomb_raiders.page.cards", { n: mine.cards.length })}</h3>
      <${Faces} view=${view} act=${act} ids=${[...others].sort()} />
      ${presented.length > 0 && html`<p class="tr-presented">${presented.map((id) => act.name(id)).join(", ")}</p>`}
      ${
        mine.professors.length > 0 &&
        html`
          <p class="tr-presented">
            ${act.name("professors")}: ${mine.professors.map((id) => act.name(id)).join(", ")}
          </p>
        `
      }
      <h3>${act.say("tomb_raiders.page.artifacts", { n: mine.finds.length })}</h3>
      <${Faces} view=${view} act=${act} ids=${[...mine.finds].sort()} />
    </div>
  `;
}

export const Part = ({ view, act, seat }) => html`
  <${Dialog} look="sheet wide" title=${act.say("tomb_raiders.page.before", { name: view.seats[seat].name })}
    onClose=${() => act.set({ papers: null })}>
    <${Papers} view=${view} act=${act} seat=${seat} />
  <//>
`;
