// Tables that were laid before: go on, take a record away, bring one back.
import { html } from "../html.js";
import { get, post, Refused } from "../api.js";
import { loadStylesheet } from "../stylesheets.js";
import { learnLater, say } from "../words.js";
import { alive, Refusal } from "../chrome/frame.js";
import { Button, Twice } from "../chrome/press.js";
import { TableRow } from "../chrome/table_row.js";
import { Move } from "./past/move.js";

const AT_ONCE = 30; // a house that plays every day has hundreds

/** Whether it is finished, in play, or where it has gone. */
const stands = ({ over, elsewhere }) =>
  elsewhere
    ? say(elsewhere.there ? "evening.move.there" : "evening.move.leaving", elsewhere)
    : say(over ? "ui.past.over" : "ui.past.open");

const Row = ({ table, onDelete, onMove }) => html`
  <${TableRow}
    table=${table}
    more=${`${say("ui.past.steps", { n: table.seq })} · ${stands(table)}`}
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
      onMove &&
      !table.elsewhere?.there &&
      html`
        <${Button} look="quiet" onPress=${() => onMove(table.table)}>
          ${say("evening.move.open")}
        <//>
      `
    }
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
  const json = await answer.json();
  if (!answer.ok) throw new Refused(answer.status, json.error);
  return json;
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
  const state = { tables: null, more: false, error: null, shown: AT_ONCE, owner: false, notice: "", moving: null };

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
        notice: say("ui.past.deleted"),
      });
    } catch (error) {
      change({ error });
    }
  }
  async function move(moving) {
    await loadStylesheet("style/house");
    change({ moving, notice: "" });
  }

  /** A table has moved, or it was tried: the list tells how it stands now. */
  async function moved(notice) {
    try {
      const { tables } = await get("/api/tables");
      const now = new Map(tables.map((each) => [each.table, each]));
      change({ tables: state.tables.map((each) => now.get(each.table) ?? each) });
    } catch (error) {
      change({ error });
    }
    if (notice) change({ moving: null, notice });
  }
  const moving = () => state.tables.find(({ table }) => table === state.moving);
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
      <p class="unseen" role="status">${state.notice}</p>
      ${state.moving && html`<${Move} table=${moving()} onDone=${moved} onClose=${() => move(null)} />`}
      ${state.tables?.length === 0 && html`<p class="notice">${say("ui.past.none")}</p>`}
      <ul class="tables">
        ${state.tables?.slice(0, state.shown).map(
          (table) => html`
            <${Row}
              key=${table.table}
              table=${table}
              onDelete=${state.owner && drop}
              onMove=${state.owner && move}
            />
          `,
        )}
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
  Promise.all([get("/api/tables"), get("/api/owner"), learnLater().catch(() => {})]).then(
    ([{ tables, more = false }, { owner }]) => change({ tables, more, owner }),
    (error) => change({ error }),
  );
}
