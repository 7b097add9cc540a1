// The copies that a hub keeps, for its owner: how many, and which may go, as their tables were deleted.
import { html } from "../../html.js";
import { day, say, title } from "../../words.js";
import { Twice } from "../../chrome/press.js";
import { TableRow } from "../../chrome/table_row.js";

const Row = ({ copy, onRemove }) => html`
  <${TableRow}
    table=${copy}
    more=${`${say("ui.past.steps", { n: copy.seq })} · ${say("evening.copies.when", { when: day(copy.deleted_at) })}`}
  >
    <${Twice}
      look="quiet"
      sure=${say("ui.past.delete_sure")}
      label=${say("evening.copies.remove_of", { box: title(copy.box), when: day(copy.played_at) })}
      onPress=${() => onRemove([copy.table])}
    >
      ${say("evening.copies.remove")}
    <//>
  <//>
`;

/** @param said how many were removed just now. */
export const Copies = ({ copies: { tables, deleted }, removed, onRemove }) => html`
  <section class="card copies">
    <h2>${say("evening.copies.title")}</h2>
    <p>${say("evening.copies.kept", { n: tables })}</p>
    ${
      deleted.length > 0 &&
      html`
        <p>${say("evening.copies.hint")}</p>
        <ul class="tables">
          ${deleted.map((copy) => html`<${Row} key=${copy.table} copy=${copy} onRemove=${onRemove} />`)}
        </ul>
      `
    }
    ${
      deleted.length > 1 &&
      html`
        <${Twice}
          look="quiet"
          sure=${say("ui.past.delete_sure")}
          onPress=${() => onRemove(deleted.map(({ table }) => table))}
        >
          ${say("evening.copies.remove_all")}
        <//>
      `
    }
    <p role="status">${removed > 0 && say("evening.copies.removed", { n: removed })}</p>
  </section>
`;
