// The table on a TV: large, with nothing to press; it follows by itself and shows what was just drawn.
import { html, render, classes } from "../html.js";
import { loadAids } from "../aids.js";
import { connect } from "../connection.js";
import { preferences } from "../preferences.js";
import { cameUp, spectatorActions, newestLine, loadBoard, reportSaid, viewAt, whoSaid } from "../spectating.js";
import { animateMoves } from "../motion.js";
import { loadStylesheet } from "../stylesheets.js";
import { stayAwake } from "../wakelock.js";
import { learnLater, name, say, title } from "../words.js";
import { Banner } from "../chrome/banner.js";
import { followTable } from "../chrome/moved_away.js";
import { lineSaid } from "../chrome/log.js";
import { longest } from "../chrome/seats.js";
import { SeatSign } from "../pieces/marker.js";
import { materials } from "../pieces/materials.js";

const CALM = 900; // milliseconds that each step stays at least
const MOST = 12; // steps behind the newest that are shown one by one; beyond that it jumps ahead
const SHOWN = 2600; // milliseconds that a draw stays, unless more is drawn

/** Who is asked, the winners at the end. */
function Head({ view, plugin }) {
  const asked = view.ask.seats ?? (view.ask.seat === null || view.ask.seat === undefined ? [] : [view.ask.seat]);
  const who = asked.length === 1 ? view.seats[asked[0]] : null;
  const winners = view.settled ? view.ask.winners.map((seat) => view.seats[seat].name) : [];
  const won = winners.length > 0 ? say("ui.over.won", { n: winners.length, names: winners }) : "";
  if (view.hinge) return html`<${Unconfirmed} view=${view} plugin=${plugin} />`;
  const text = who ? say("evening.tv.turn", { who: who.name }) : won;
  return html`
    <header class="tv-head">
      <p class="tv-turn" style=${{ "--letters": longest(text) }}>
        ${who && html`<${SeatSign} seat=${who} size=${64} />`} <span>${text}</span>
      </p>
      <h1>${title(view.box)}</h1>
    </header>
  `;
}

/** While an end waits for confirmation: who reported what. */
const Unconfirmed = ({ view, plugin }) => html`
  <header class="tv-head">
    <p class="tv-hinge">
      ${say("evening.hinge.lead", { who: whoSaid(view) })}
      ${view.hinge.reports.map((report) => html`<b key=${report.seq}>${reportSaid(view, plugin, report)}</b>`)}
    </p>
    <h1>${title(view.box)}</h1>
  </header>
`;

/** Everybody, with what lies before them as the table shows it: points, a hand, coins. */
function SeatsRow({ view, plugin, act }) {
  const asked = view.ask.seats ?? [view.ask.seat];
  const totals =
    view.ask.kind === "over" ? new Map(view.ask.scores.map(({ seat, total }) => [seat, total])) : new Map();
  return html`
    <ul class="tv-seats" aria-label=${say("ui.seats.label")}>
      ${view.seats.map(
        (seat, i) => html`
          <li key=${i} class=${classes(asked.length === 1 && asked[0] === i && "turn")}>
            <${SeatSign} seat=${seat} size=${34} /> <span class="tv-name">${seat.name}</span>
            ${
              totals.has(i)
                ? html`<b>${totals.get(i)}</b>`
                : html`<span class="tv-beside" inert>${plugin.beside?.(view, i, act)}</span>`
            }
          </li>
        `,
      )}
    </ul>
  `;
}

/** What came up, large: as the board draws it where it does, and by its name. */
function Drawn({ drawn, plugin }) {
  const { before, outcome, sentence } = drawn;
  const seat = before.ask.of === "seats" ? before.seats[outcome] : null;
  const face = seat ? html`<${SeatSign} seat=${seat} size=${44} />` : plugin.face?.(before, outcome);
  const called = seat?.name ?? plugin.outcomeSaid?.(before, outcome) ?? name(String(outcome));
  return html`
    <section class="tv-drawn" aria-label=${say("evening.tv.drawn")}>
      ${face && html`<div class="tv-face" aria-hidden="true">${face}</div>`}
      <p class="tv-called">${called}</p>
      <p>${sentence}</p>
    </section>
  `;
}

function Page({ state, change }) {
  const { view, plugin, link, now, drawn } = state;
  if (!view || !plugin) {
    return html`
      ${materials}
      <${Banner} link=${link} now=${now} />
      <main class="waiting"><p>${say("ui.table.waiting")}</p></main>
    `;
  }
  const line = view.log[view.log.length - 1];
  const act = spectatorActions(state, change);
  return html`
    ${materials}
    <${Banner} link=${link} now=${now} staleSince=${state.staleSince} />
    <main
      aria-label=${say("evening.tv.label")}
      class=${classes("table tv", `box-${view.box}`, view.mode, link.up === false && "stale")}
    >
      <${Head} view=${view} plugin=${plugin} />
      <div class="board" inert=${!act.narrow}>${plugin.board(view, act)}</div>
      <footer class="tv-foot">
        <p class="tv-line" role="status">${line ? lineSaid(view, line) : ""}</p>
        <${SeatsRow} view=${view} plugin=${plugin} act=${act} />
      </footer>
      ${drawn && html`<${Drawn} drawn=${drawn} plugin=${plugin} />`}
    </main>
    ${
      state.ScenePlayer &&
      html`
        <${state.ScenePlayer}
          view=${view}
          act=${act}
          scenes=${state.scenes}
          since=${state.since}
          watching=${true}
        />
      `
    }
  `;
}

export async function start(root, { table }) {
  await Promise.all([learnLater(), loadStylesheet("style/evening")]);
  const state = { view: null, before: null, plugin: null, scenes: null, drawn: null, ui: {}, now: performance.now() };
  state.link = { up: null, since: state.now };
  let newest = null;
  let walking = false;
  let fading = 0;

  const change = (part) => {
    Object.assign(state, part);
    animateMoves(root, () => render(html`<${Page} state=${state} change=${change} />`, root));
  };

  function show(view) {
    const before = state.view;
    const outcome = cameUp(view, before);
    const line = newestLine(view);
    document.title = `${title(view.box)} · Digside`;
    if (outcome === null || fills(view, before)) return change({ view, before });
    clearTimeout(fading);
    fading = setTimeout(() => change({ drawn: null }), SHOWN);
    return change({ view, before, drawn: { before, outcome, sentence: lineSaid(view, line) } });
  }

  /** Whether the newest step fills the screen by itself. */
  const fills = (view, before) =>
    state.scenes !== null &&
    preferences().theatre !== "off" &&
    state.scenes(view, spectatorActions({ ...state, view, before }, change)).some(({ last }) => last === view.seq);

  /** The step to show next: the one after what is shown, unless too many wait behind it. */
  function nextSeq() {
    const behind = newest.seq - (state.view?.seq ?? newest.seq);
    return behind > 0 && behind <= MOST ? state.view.seq + 1 : newest.seq;
  }

  async function stepOn() {
    const seq = nextSeq();
    show(seq === newest.seq ? newest : await viewAt(table, seq));
  }

  // Several steps may arrive at once: they are shown one after the other, unless there are too many.
  async function walk() {
    if (walking) return;
    walking = true;
    while (newest.seq !== state.view?.seq) {
      await stepOn().catch(() => show(newest)); // a step that cannot be loaded is skipped
      await new Promise((done) => setTimeout(done, CALM));
    }
    walking = false;
  }

  async function take(view) {
    if (newest?.next === null && view.next !== null) return location.replace(`/tv/${view.next}`);
    if (view.elsewhere || newest?.elsewhere) followTable(view, (address) => `${address}/tv/${table}`);
    newest = view;
    if (view.stale_since !== state.staleSince) change({ staleSince: view.stale_since });
    if (state.plugin === null) change({ plugin: await loadBoard(view), since: view.seq });
    if (state.scenes === null && state.plugin.scenes) await fill();
    return walk();
  }

  /** Load the scenes after the first picture; without them draws are only shown by `Drawn`. */
  const fill = () =>
    Promise.all([import("../chrome/scene_player.js"), state.plugin.scenes()]).then(
      ([{ Part }, { scenes }]) => change({ ScenePlayer: Part, scenes }),
      () => {},
    );

  connect(`/api/tables/${table}/stream?seat=spectator`, {
    changes: true,
    onView: loadAids(take, { eager: true, query: "?seat=spectator" }),
    onLink: (link) => change({ link, now: performance.now() }),
  });
  setInterval(() => state.link.up === false && change({ now: performance.now() }), 1000);
  stayAwake();
  change({});
}
