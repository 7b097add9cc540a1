// All evenings of the house: who won what, with whom.
import { html, classes } from "../html.js";
import { get } from "../api.js";
import { loadStylesheet } from "../stylesheets.js";
import { format, learnLater, number, person, say, title } from "../words.js";
import { alive, Refusal } from "../chrome/frame.js";
import { Button } from "../chrome/press.js";
import { Cover } from "../pieces/covers.js";

const AT_ONCE = 30; // a house that plays every day has hundreds
const DAWN = 5 * 3_600_000; // what is played before five in the morning belongs to the evening before

const evening = (at) => format(Intl.DateTimeFormat, { dateStyle: "full" }).format(at - DAWN);

/** The tables of each evening, the newest first. */
function byEvening(tables) {
  const found = new Map();
  for (const each of tables) {
    const when = evening(each.played_at);
    found.set(when, [...(found.get(when) ?? []), each]);
  }
  return [...found];
}

function Table({ table }) {
  const { totals, winners } = table.end;
  const who = winners.map((seat) => table.names[seat]);
  const order = table.names.map((_, seat) => seat).sort((a, b) => totals[b] - totals[a]);
  return html`
    <li class="card evening-table">
      <span class="thumb"><${Cover} box=${table.box} /></span>
      <div>
        <h3>${title(table.box)}</h3>
        <p class="winner">
          ${who.length > 0 ? say("evening.all.won", { n: who.length, names: who }) : say("evening.all.nobody")}
        </p>
        <p class="names">
          ${order.map(
            (seat) => html`
              <span key=${seat} class=${classes(winners.includes(seat) && "won")}>
                ${person(table.names[seat])} <b>${number(totals[seat])}</b>
              </span>
            `,
          )}
        </p>
      </div>
      <a class="button" href=${`/replay/${table.table}`}>${say("evening.end.replay")}</a>
      <a class="button quiet" href=${`/api/tables/${table.table}/page.html`} download=${`digside-${table.table}.html`}>
        ${say("evening.end.page")}
      </a>
    </li>
  `;
}

const Wins = ({ heading, wins, called }) => html`
  <h3>${heading}</h3>
  <ul>
    ${wins.map(
      ({ of, won, played }) => html`<li key=${of}>${say("evening.all.of", { of: called(of), won, played })}</li>`,
    )}
  </ul>
`;

const Person = ({ person }) => html`
  <li class="card person">
    <details>
      <summary>
        <b>${person.name}</b>${" "}
        <span>${say("evening.all.wins", { n: person.won })} · ${say("evening.all.sat", { n: person.played })}</span>
      </summary>
      <${Wins} heading=${say("evening.all.boxes")} wins=${person.boxes} called=${title} />
      <${Wins} heading=${say("evening.all.others")} wins=${person.others} called=${(name) => name} />
    </details>
  </li>
`;

function Evenings({ state, change }) {
  const { overview, shown, error } = state;
  return html`
    <p class="lead">${say("evening.all.lead")}</p>
    <${Refusal} error=${error} />
    ${overview?.evenings.length === 0 && !overview.more && html`<p class="notice">${say("evening.all.none")}</p>`}
    ${overview?.more && html`<p class="notice" role="status">${say("evening.all.more")}</p>`}
    ${
      overview?.people.length > 0 &&
      html`
        <section>
          <h2>${say("evening.all.people")}</h2>
          <ul class="people">
            ${overview.people.map((person) => html`<${Person} key=${person.name} person=${person} />`)}
          </ul>
        </section>
      `
    }
    ${byEvening(overview?.evenings.slice(0, shown) ?? []).map(
      ([when, tables]) => html`
        <section key=${when}>
          <h2>${when}</h2>
          <ul class="tables">
            ${tables.map((each) => html`<${Table} key=${each.table} table=${each} />`)}
          </ul>
        </section>
      `,
    )}
    ${
      (overview?.evenings.length > shown || overview?.older) &&
      html`<p><${Button} onPress=${() => older(state, change)}>${say("ui.past.older")}<//></p>`
    }
  `;
}

/** Shows older ones: those that are known here already, or the next the service tells. */
async function older({ overview, shown }, change) {
  try {
    if (overview.evenings.length <= shown + AT_ONCE && overview.older) {
      const next = await get(`/api/evenings?first=${overview.evenings.length}`);
      const known = new Set(overview.evenings.map(({ table }) => table)); // others move down when one ends
      const added = next.evenings.filter(({ table }) => !known.has(table));
      overview = { ...overview, evenings: [...overview.evenings, ...added], older: next.older };
    }
    change({ overview, shown: shown + AT_ONCE, error: null });
  } catch (error) {
    change({ error });
  }
}

export async function start(root) {
  await Promise.all([learnLater(), loadStylesheet("style/evening")]);
  const state = { overview: null, shown: AT_ONCE, error: null };
  const draw = (now, change) => html`<${Evenings} state=${now} change=${change} />`;
  const change = alive(root, "evenings", state, draw, () => say("evening.all.title"));
  // Going over old tables takes its time: what is known is shown, and the rest is asked for.
  try {
    do change({ overview: await get("/api/evenings") });
    while (state.overview.more);
  } catch (error) {
    change({ error });
  }
}
