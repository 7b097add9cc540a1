// All the papers of a seat, over the table.
import { html } from "../../html.js";
import { Dialog } from "../../chrome/dialog.js";
import { Part as Papers } from "./papers.js";

export const Part = ({ view, act, seat }) => html`
  <${Dialog}
    look="sheet wide"
    title=${act.say("jenseits.page.papers", { name: view.seats[seat].name })}
    onClose=${() => act.set({ papers: null })}
  >
    <${Papers} view=${view} act=${act} seat=${seat} />
  <//>
`;
