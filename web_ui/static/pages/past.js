// Tables that were laid before: go on, take a record away, bring one back.
import { html } from "../html.js";
import { get, post, Refused } from "../api.js";
import { say } from "../words.js";
import { alive, Refusal } from "../chrome/frame.js";
import { Button, Twice } from "../chrome/press.js";
import { TableRow } from "../chrome/table_row.js";

const AT_ONCE = 30; // a house that plays every day has hundreds

const Row = ({ table, onDelete }) => html`
  <${TableRow}
    table=${table}
    more=${`${say("ui.past.steps", { n: table.seq })} · ${say(table.over ? "ui.past.over" : "ui.past.open")}`}
  >
    <a class="button" href=${`/replay/${table.table}`}>
      ${say("ui.nav.replay")}
    </a>
    <a class="button" href=${`/luck/${table.table}`}>
      ${say("ui.nav.luck")}
    </a>
    <a class="button" href=${`/api/tables/${table.table}/record`} download=${`digside-${table.table}.json`}>
      ${say("ui.past.export")}
    </a>
    <a class="button main" href=${`/table/${table.table}`}>
      ${say(table.over ? "ui.past.look" : table.me ? "ui.past.resume" : "ui.join.look")}
    </a>
    ${
      onDelete &&
      html`
        <${Twice} look="quiet" sure=${say("ui.past.delete_sure")} onPress=${() => onDelete(table.table)}>
          ${say("ui.past.delete")}
        <//>
      `
    }
  <//>
`;

/** Sends a record's own bytes; the service says what is wrong with it. */
async function bring(file) {
  const answer = await fetch("/api/tables/import", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: file,
  });
  const told = await answer.json();
  if (!answer.ok) throw new Refused(answer.status, told.error);
  return told;
}

async function take(event, change) {
  const [file] = event.target.files;
  event.target.value = "";
  if (!file) return;
  try {
    const laid = await bring(file);
    if (laid.host) await post(`/api/tables/${laid.table}/enter`, { key: laid.host });
    location.assign(`/table/${laid.table}`);
  } catch (error) {
    change({ error });
  }
}

export function start(root) {
  const state = { tables: null, more: false, error: null, shown: AT_ONCE, owner: false, told: "" };

  /** A house that has many is told of them page by page. */
  async function older() {
    const shown = state.shown + AT_ONCE;
    change({ shown });
    if (!state.more || state.tables.length >= shown) return;
    try {
      const { tables, more = false } = await get(`/api/tables?first=${state.tables.length}`);
      const known = new Set(state.tables.map(({ table }) => table));
      change({ tables: [...state.tables, ...tables.filter(({ table }) => !known.has(table))], more });
    } catch (error) {
      change({ error });
    }
  }

  async function drop(table) {
    try {
      await post("/api/owner/delete", { table });
      change({
        tables: state.tables.filter((each) => each.table !== table),
        error: null,
        told: say("ui.past.deleted"),
      });
    } catch (error) {
      change({ error });
    }
  }
  const change = alive(
    root,
    "past",
    state,
    () => html`
      <p class="lead">${say("ui.past.lead")}</p>
      <p>
        ${
          state.owner &&
          html`
            <label class="button file">
              ${say("ui.past.import")}
              <input type="file" accept="application/json,.json" onChange=${(event) => take(event, change)} />
            </label>
          `
        }${" "}
        <a class="button" href="/evenings">
          ${say("ui.nav.evenings")}
        </a>
      </p>
      <${Refusal} error=${state.error} />
      <p class="unseen" role="status">${state.told}</p>
      ${state.tables?.length === 0 && html`<p class="notice">${say("ui.past.none")}</p>`}
      <ul class="tables">
        ${state.tables
          ?.slice(0, state.shown)
          .map((table) => html`<${Row} key=${table.table} table=${table} onDelete=${state.owner && drop} />`)}
      </ul>
      ${
        (state.tables?.length > state.shown || state.more) &&
        html`
          <p>
            <${Button} onPress=${older}>${say("ui.past.older")}<//>
          </p>
        `
      }
    `,
  );
  Promise.all([get("/api/tables"), get("/api/owner")]).then(
    ([{ tables, more = false }, { owner }]) => change({ tables, more, owner }),
    (error) => change({ error }),
  );
}
