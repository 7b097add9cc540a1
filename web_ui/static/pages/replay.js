// How a table went: step by step, by a slider, by itself; the points as they grew; and what if.
import { html, render } from "../html.js";
import { get, post } from "../api.js";
import { spectatorActions, loadBoard, viewAt } from "../spectating.js";
import { animateMoves } from "../motion.js";
import { loadStylesheet } from "../stylesheets.js";
import { day, learnLater, say, title } from "../words.js";
import { Bar } from "../chrome/bar.js";
import { Refusal } from "../chrome/frame.js";
import { lineSaid } from "../chrome/log.js";
import { Button, Choice, Twice } from "../chrome/press.js";
import { SeatSign } from "../pieces/marker.js";
import { materials } from "../pieces/materials.js";
import { Graph } from "./replay/graph.js";
import { Story } from "./replay/story.js";

const STEADY = 1400; // milliseconds from step to step
const LONGEST = 12_000; // of what was a longer pause, so much is waited
const SHORTEST = 250;
const KEPT = 120; // views at hand

const SIGNS = {
  first: "M7 5V19M19 5L9 12L19 19Z",
  back: "M17 5L7 12L17 19Z",
  play: "M7 4L20 12L7 20Z",
  pause: "M8 5V19M16 5V19",
  on: "M7 5L17 12L7 19Z",
  last: "M17 5V19M5 5L15 12L5 19Z",
};

const Sign = ({ of }) => html`
  <svg class="glyph" viewBox="0 0 24 24" width="26" height="26" aria-hidden="true"><path d=${SIGNS[of]} /></svg>
`;

/** What happened last at the step that is shown, as some steps say nothing; and who is to move after it, or has won. */
function Now({ view, course }) {
  const line = view.log[view.log.length - 1];
  const won = view.over ? view.ask.winners.map((seat) => view.seats[seat].name) : [];
  const at = course.steps[view.seq - 1]?.at ?? course.laid_at;
  const turn = view.ask.seats?.length === 1 ? view.seats[view.ask.seats[0]] : null;
  return html`
    <section class="replay-now">
      <p class="caption">
        ${say("evening.replay.step", { at: view.seq, of: course.seq })} · <time>${day(at)}</time>
      </p>
      <p class="said" role="status">${line ? lineSaid(view, line) : say("evening.replay.laid")}</p>
      ${won.length > 0 && html`<p class="turn-of won">${say("ui.over.won", { n: won.length, names: won })}</p>`}
      ${
        turn &&
        html`
          <p class="turn-of">
            <${SeatSign} seat=${turn} size=${26} /> ${turn.name}
          </p>
        `
      }
    </section>
  `;
}

function Tools({ state, to, toggle, change, whatIf }) {
  const { at, course, playing, pace, view } = state;
  const mayBranch = state.over && !view.over;
  const step = (sign, seq, can) => html`
    <${Button} look="round" label=${say(`evening.replay.${sign}`)} can=${can} onPress=${() => to(seq)}>
      <${Sign} of=${sign} />
    <//>
  `;
  const run = playing ? "pause" : "play";
  return html`
    <section class="replay-tools" aria-label=${say("evening.replay.tools")}>
      <input
        type="range"
        min="0"
        max=${course.seq}
        value=${at}
        aria-label=${say("evening.replay.slider")}
        aria-valuetext=${say("evening.replay.step", { at, of: course.seq })}
        onInput=${(event) => to(Number(event.target.value))}
      />
      <div class="replay-row">
        ${step("first", 0, at > 0)} ${step("back", at - 1, at > 0)}
        <${Button} look="main round" class="run" label=${say(`evening.replay.${run}`)} onPress=${toggle}>
          <${Sign} of=${run} />
        <//>
        ${step("on", at + 1, at < course.seq)} ${step("last", course.seq, at < course.seq)}
      </div>
      <${Choice}
        label=${say("evening.replay.pace")}
        value=${pace}
        options=${["steady", "lived"].map((each) => [each, say(`evening.replay.${each}`)])}
        onChange=${(value) => change({ pace: value })}
      />
      ${pace === "lived" && html`<p class="caption">${say("evening.replay.lived_hint")}</p>`}
      ${
        state.over &&
        html`
          <${Twice}
            look="quiet"
            class="what-if"
            can=${mayBranch && !state.busy}
            sure=${say("evening.replay.what_if_sure")}
            onPress=${whatIf}
          >
            ${say("evening.replay.what_if")}
          <//>
          <p class="caption">${say("evening.replay.what_if_how")}</p>
        `
      }
      <${Refusal} error=${state.error} />
    </section>
  `;
}

/** Whether anybody could count points: where all lie face down, there is no line to draw. */
const hasGrown = (growth) => growth?.seats.some((line) => line.some(({ points }) => points !== 0));

function Page({ state, change, ...tools }) {
  const { view, plugin, course, story } = state;
  if (!view || !plugin || !course) {
    return html`
      ${materials}
      <${Bar} page="replay" title=${say("evening.replay.title")} />
      <main class="waiting">
        <p>${say("evening.replay.opening")}</p>
        <${Refusal} error=${state.error} />
      </main>
    `;
  }
  const act = spectatorActions(state, change);
  return html`
    ${materials}
    <${Bar} page="replay" title=${html`<b>${title(view.box)}</b> <small>${say("evening.replay.title")}</small>`}>
      <a class="button quiet to-table" href=${`/table/${view.table}`}>${say("evening.replay.table")}</a>
    <//>
    <main class=${`table replay box-${view.box} ${view.mode}`}>
      <div class="board" id="board">
        ${plugin.board(view, act)}
      </div>
      <aside class="rail">
        <${Now} view=${view} course=${course} />
        <${Tools} state=${state} change=${change} ...${tools} />
        ${
          hasGrown(course.growth) &&
          html`
            <section>
              <${Graph} growth=${course.growth} seats=${view.seats} seq=${view.seq} />
            </section>
          `
        }
        ${story && html`<${Story} story=${story} seats=${view.seats} />`}
      </aside>
    </main>
  `;
}

/** Views that were fetched before are at hand. */
function shelf(table) {
  const kept = new Map();
  return (seq) => {
    if (!kept.has(seq)) {
      if (kept.size >= KEPT) kept.delete(kept.keys().next().value);
      const coming = viewAt(table, seq);
      kept.set(seq, coming);
      coming.catch(() => kept.delete(seq));
    }
    return kept.get(seq);
  };
}

export async function start(root, { table }) {
  await Promise.all([learnLater(), loadStylesheet("style/evening")]);
  const at = Number(new URLSearchParams(location.search).get("seq") ?? 0);
  const state = { at, view: null, before: null, plugin: null, course: null, story: null, over: false, ui: {} };
  Object.assign(state, { playing: false, pace: "steady", busy: false, error: null });
  const viewOf = shelf(table);
  let clockwork = 0;
  let fetching = false;

  const change = (part) => {
    Object.assign(state, part);
    const all = { state, change, to: stopAt, toggle, whatIf };
    animateMoves(root, () => render(html`<${Page} ...${all} />`, root));
  };

  // A slider is faster than any service: of all the steps it passes only the newest is fetched.
  async function to(seq) {
    change({ at: Math.max(0, Math.min(seq, state.course.seq)), error: null });
    if (fetching) return;
    fetching = true;
    try {
      while (state.view?.seq !== state.at) {
        const view = await viewOf(state.at);
        change({ view, before: state.view?.seq === view.seq - 1 ? state.view : null });
      }
      if (state.at < state.course.seq) viewOf(state.at + 1).catch(() => {});
    } catch (error) {
      change({ error, playing: false, at: state.view?.seq ?? 0 });
    } finally {
      fetching = false;
    }
  }

  const pauseAfter = (seq) => {
    if (state.pace === "steady") return STEADY;
    const { steps, laid_at: laid } = state.course;
    return Math.max(SHORTEST, Math.min(LONGEST, steps[seq].at - (steps[seq - 1]?.at ?? laid)));
  };

  function run() {
    clearTimeout(clockwork);
    if (!state.playing) return;
    if (state.at >= state.course.seq) {
      change({ playing: false });
      return;
    }
    clockwork = setTimeout(async () => {
      await to(state.at + 1);
      run();
    }, pauseAfter(state.at));
  }

  function toggle() {
    const again = !state.playing && state.at === state.course.seq;
    change({ playing: !state.playing });
    if (again) to(0).then(run);
    else run();
  }

  function stopAt(seq) {
    if (state.playing) change({ playing: false });
    clearTimeout(clockwork);
    to(seq);
  }

  async function whatIf() {
    change({ busy: true, error: null });
    try {
      const laid = await post(`/api/tables/${table}/branch`, { seq: state.view.seq });
      location.assign(`/table/${laid.table}`);
    } catch (error) {
      change({ busy: false, error });
    }
  }

  document.title = `${say("evening.replay.title")} · Digside`;
  change({});
  try {
    const [newest, course] = await Promise.all([
      get(`/api/tables/${table}?seat=spectator`),
      get(`/api/tables/${table}/course`),
    ]);
    const plugin = await loadBoard(newest);
    Object.assign(state, { plugin, course, over: newest.settled });
    await to(state.at);
    if (newest.settled) change({ story: await get(`/api/tables/${table}/story`) });
  } catch (error) {
    change({ error });
  }
}
