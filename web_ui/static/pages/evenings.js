// All evenings of the house: who won what, with whom.
import { html, classes } from "../html.js";
import { get } from "../api.js";
import { loadStylesheet } from "../stylesheets.js";
import { format, learnLater, number, say, title } from "../words.js";
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

function Table({ told }) {
  const { totals, winners } = told.end;
  const who = winners.map((seat) => told.names[seat]);
  const order = told.names.map((_, seat) => seat).sort((a, b) => totals[b] - totals[a]);
  return html`
    <li class="card evening-table">
      <span class="thumb"><${Cover} box=${told.box} /></span>
      <div>
        <h3>${title(told.box)}</h3>
        <p class="winner">
          ${who.length > 0 ? say("evening.all.won", { n: who.length, names: who }) : say("evening.all.nobody")}
        </p>
        <p class="names">
          ${order.map(
            (seat) => html`
              <span key=${seat} class=${classes(winners.includes(seat) && "won")}>
                ${told.names[seat]} <b>${number(totals[seat])}</b>
              </span>
            `,
          )}
        </p>
      </div>
      <a class="button" href=${`/replay/${told.table}`}>${say("evening.end.replay")}</a>
      <a class="button quiet" href=${`/api/tables/${told.table}/page.html`} download=${`digside-${told.table}.html`}>
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

const Person = ({ told }) => html`
  <li class="card person">
    <details>
      <summary>
        <b>${told.name}</b>${" "}
        <span>${say("evening.all.wins", { n: told.won })} · ${say("evening.all.sat", { n: told.played })}</span>
      </summary>
      <${Wins} heading=${say("evening.all.boxes")} wins=${told.boxes} called=${title} />
      <${Wins} heading=${say("evening.all.others")} wins=${told.others} called=${(name) => name} />
    </details>
  </li>
`;

function Evenings({ state, change }) {
  const { told, shown, error } = state;
  return html`
    <p class="lead">${say("evening.all.lead")}</p>
    <${Refusal} error=${error} />
    ${told && told.evenings.length === 0 && !told.more && html`<p class="notice">${say("evening.all.none")}</p>`}
    ${told?.more && html`<p class="notice" role="status">${say("evening.all.more")}</p>`}
    ${
      told?.people.length > 0 &&
      html`
        <section>
          <h2>${say("evening.all.people")}</h2>
          <ul class="people">
            ${told.people.map((person) => html`<${Person} key=${person.name} told=${person} />`)}
          </ul>
        </section>
      `
    }
    ${byEvening(told?.evenings.slice(0, shown) ?? []).map(
      ([when, tables]) => html`
        <section key=${when}>
          <h2>${when}</h2>
          <ul class="tables">
            ${tables.map((each) => html`<${Table} key=${each.table} told=${each} />`)}
          </ul>
        </section>
      `,
    )}
    ${
      (told?.evenings.length > shown || told?.older) &&
      html`<p><${Button} onPress=${() => older(state, change)}>${say("ui.past.older")}<//></p>`
    }
  `;
}

/** Shows older ones: those that are known here already, or the next the service tells. */
async function older({ told, shown }, change) {
  try {
    if (told.evenings.length <= shown + AT_ONCE && told.older) {
      const next = await get(`/api/evenings?first=${told.evenings.length}`);
      const known = new Set(told.evenings.map(({ table }) => table)); // one has ended meanwhile: the others moved down
      const added = next.evenings.filter(({ table }) => !known.has(table));
      told = { ...told, evenings: [...told.evenings, ...added], older: next.older };
    }
    change({ told, shown: shown + AT_ONCE, error: null });
  } catch (error) {
    change({ error });
  }
}

export async function start(root) {
  await Promise.all([learnLater(), loadStylesheet("style/evening")]);
  const state = { told: null, shown: AT_ONCE, error: null };
  const draw = (now, change) => html`<${Evenings} state=${now} change=${change} />`;
  const change = alive(root, "evenings", state, draw, () => say("evening.all.title"));
  // Going over old tables takes its time: what is known is shown, and the rest is asked for.
  try {
    do change({ told: await get("/api/evenings") });
    while (state.told.more);
  } catch (error) {
    change({ error });
  }
}
