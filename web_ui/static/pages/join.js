// Where a phone lands from its code: it keeps the key, forgets it from the address, and goes to the table.
import { html } from "../html.js";
import { post } from "../api.js";
import { say } from "../words.js";
import { alive, Refusal } from "../chrome/frame.js";

export function start(root, { table }) {
  const [key, carried] = location.hash.slice(1).split(","); // what is carried comes from another Digside
  history.replaceState(null, "", location.pathname);
  const state = { error: null };
  const change = alive(
    root,
    "join",
    state,
    () => html`
      ${
        state.error
          ? html`<${Refusal} error=${state.error} />`
          : html`
            <p class="lead" role="status">
              ${say("ui.join.opening")}
            </p>
          `
      }
      <p>
        <a class="button" href=${`/table/${table}`}>
          ${say("ui.join.look")}
        </a>
      </p>
    `,
  );
  const there = () => location.replace(`/table/${table}`);
  if (!key) return there();
  const known = carried && import("../luck/witness.js").then(({ unpack }) => unpack(table, carried));
  const entered = post(`/api/tables/${table}/enter`, { key: decodeURIComponent(key) });
  return Promise.all([entered, known]).then(there, (error) => change({ error }));
}
