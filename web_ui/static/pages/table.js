// A table in play: the shell that every box's board plugs into.
import { html, render, classes } from "../html.js";
import { actions, boardOf, SHAPES } from "../actions.js";
import { loadAids } from "../aids.js";
import { get } from "../api.js";
import { connect } from "../connection.js";
import { animateMoves } from "../motion.js";
import { hasToured } from "../preferences.js";
import { loadStylesheet } from "../stylesheets.js";
import { sound } from "../sound.js";
import { learnLater, say, title } from "../words.js";
import { Ask, over } from "../chrome/ask.js";
import { Banner } from "../chrome/banner.js";
import { Bar, Glyph } from "../chrome/bar.js";
import { Button } from "../chrome/press.js";
import { fetchAhead, fetchPart, Lazy } from "../chrome/lazy.js";
import { Log } from "../chrome/log.js";
import { Seats } from "../chrome/seats.js";
import { Stop } from "../chrome/stop.js";
import { Undo } from "../chrome/undo.js";
import { bindKeys } from "../chrome/keys.js";
import { SeatSign } from "../pieces/marker.js";
import { materials } from "../pieces/materials.js";
import { learnPrinted } from "../pieces/printed.js";

const BUZZ = 180; // milliseconds, where a phone can
const PICTURE = 50; // milliseconds that the next picture is waited for: a window behind others may have none
const NOTED = 300; // milliseconds after which a view that is still the newest is remembered, and its luck stirred
const FIRST_NOTED = 1000; // the same for the first view: the page stands before more is fetched for it
const MISSED = 700; // milliseconds after a press until its view is asked for, where the stream has not brought it
const SETTLED = 1500; // milliseconds in which a table comes to rest before anything is told about it

// Fetched when one is first opened: the first picture of a table needs none of them.
const SHEETS = {
  join: () => import("../chrome/join.js").then(({ Join }) => Join),
  help: () => import("../chrome/help.js").then(({ Help }) => Help),
  mend: () => import("../chrome/correction.js").then(({ CorrectionDialog }) => CorrectionDialog),
  menu: () => import("../chrome/menu.js").then(({ Menu }) => Menu),
};
const fetched = {};

async function fetchSheet(name) {
  const [sheet] = await Promise.all([SHEETS[name](), learnLater()]);
  fetched[name] = sheet;
}

/** The sheet of a name; null until it is there. One that could not be fetched is asked for anew by the next press. */
function sheetOf(name, again) {
  if (name && !(name in fetched)) {
    fetched[name] = null;
    fetchSheet(name).then(again, () => delete fetched[name]);
  }
  return name ? fetched[name] : null;
}

/** The place of a lift, and the words for whatever may become of it. */
const lift = async () => {
  const [{ Lift }] = await Promise.all([import("../chrome/lift.js"), learnLater()]);
  return { Part: Lift };
};
/** Whether there is anything to say of a lift at this table. */
function lifts(view, { rig, liftRefusal }) {
  if (rig?.table !== view.table || !rig.shovel) return Boolean(liftRefusal);
  const { state, fault } = rig.shovel;
  return Boolean(liftRefusal || rig.waiting || rig.ended || fault) || state !== "off" || rig.link?.connected === false;
}

const turnScreen = (view) => () => import("../chrome/turn.js").then(({ turnOn }) => turnOn(view));

const SIDES = ["top", "right", "bottom", "left"];

/** The seat whose colours this screen's edge wears: its own on a phone, else whose scene fills it, or is asked. */
function edgeSeat(view, act, plays) {
  if (act.role === "seat") return act.seat;
  if (view.seats[plays]) return plays;
  return view.ask.seats?.length === 1 ? view.ask.seats[0] : (view.ask.seat ?? null);
}

/** The edge of the screen in a seat's colour, with its shape; broad while it is that seat's turn. */
function Edge({ view, act, plays }) {
  const seat = view.seats[edgeSeat(view, act, plays)];
  if (!seat || view.over) return null;
  const turn = act.role !== "seat" || act.mayMove || act.mayDeal;
  return html`
    <div class=${classes("edge", turn && "turn")} style=${{ "--seat": seat.colour }} aria-hidden="true">
      ${SIDES.map((side) => html`<span key=${side} class=${side}><${SeatSign} seat=${seat} size=${22} /></span>`)}
    </div>
  `;
}

/** Past all else, without a word more in the address. */
function toBoard(event) {
  event.preventDefault();
  document.getElementById("board").focus();
}

const botNews = ({ seats }) => seats.map(({ bot }) => bot ?? "").join();

/** Whether nothing is known of a table that is no step, beside what was. */
const samePlace = (view, before) =>
  view.elsewhere?.there === before.elsewhere?.there &&
  view.stale_since === before.stale_since &&
  botNews(view) === botNews(before) &&
  view.host.silent === before.host.silent &&
  view.me.role === before.me.role &&
  view.me.seat === before.me.seat;

/** Whether a phone's own seat is asked. */
const isMine = ({ me, ask }) => me.seat !== null && (ask.seats?.includes(me.seat) || ask.seat === me.seat);

const finalCount = () => import("../chrome/final_count.js");
const lessons = () => import("../chrome/lessons.js");
const news = () => import("../chrome/news.js");
/** What cannot be fetched is not said aloud; it is on the page. */
const tellNews = (how) => news().then(how, () => {});

/** The scene player, with the scenes of the board. */
const players = new WeakMap();

/** What loads the player of a game's scenes: the same each time that it is asked for. */
function scenePlayerOf(plugin) {
  const load = () =>
    Promise.all([import("../chrome/scene_player.js"), plugin.scenes()]).then(([{ Part }, { scenes }]) => ({
      Part: (props) => html`<${Part} ...${props} scenes=${scenes} />`,
    }));
  if (!players.has(plugin)) players.set(plugin, load);
  return players.get(plugin);
}

/** What fills the screen for a while: what comes up, and the end. Fetched once all stands, or as something happens. */
const Filling = ({ state, view, act, change }) => html`
  ${
    state.plugin.scenes &&
    (state.settled || view.played > state.since) &&
    html`
      <${Lazy}
        load=${scenePlayerOf(state.plugin)}
        view=${view}
        act=${act}
        since=${state.since}
        onPlaying=${(playing, plays) => change({ playing, plays })}
      />
    `
  }
  ${
    state.settled &&
    state.ui.taught &&
    html`<${Lazy} load=${lessons} key="lessons" view=${view} act=${act} waits=${state.playing} />`
  }
  ${
    state.settled &&
    html`
      <${Lazy}
        load=${finalCount}
        key="final_count"
        view=${view}
        act=${act}
        plugin=${state.plugin}
        waits=${state.playing}
      />
    `
  }
`;

/** Before the first view. */
const Waiting = ({ link, now }) => html`
  ${materials}
  <${Banner} link=${link} now=${now} />
  <main class="waiting">
    <p>${say("ui.table.waiting")}</p>
  </main>
`;

/** Board, seats, what is asked: on a tablet beside the board, on a phone in a dock under the thumb. */
function Parts({ state, act }) {
  const { view, plugin } = state;
  const ask = html`
    <${Ask} view=${view} act=${act} plugin=${plugin}>
      ${view.ask.kind === "move" && plugin.choices?.(view, act)}
    <//>
  `;
  const stop = plugin.shovel && html`<${Stop} rig=${state.rig} view=${view} act=${act}>${plugin.shovel(view, act)}<//>`;
  const foot = html`
    <div class=${classes("action-bar", plugin.shovel && "lifts")}><${Undo} view=${view} act=${act} /> ${stop}</div>
  `;
  return html`
    <div class="board" id="board" tabindex="-1" data-measure>
      ${plugin.board(view, act)}
    </div>
    <aside class="rail">
      <${Seats} view=${view} act=${act} beside=${plugin.beside} />
      ${!act.narrow && ask}
      ${!plugin.shows?.lift?.(view) && lifts(view, act) && html`<${Lazy} load=${lift} view=${view} act=${act} />`}
      ${plugin.aside?.(view, act)}
      <${Log} view=${view} act=${act} folded=${plugin.folded} />
      ${!act.narrow && foot}
    </aside>
    ${act.narrow && html`<div class=${classes("dock", view.settled && "settled")}>${ask} ${stop}</div>`}
  `;
}

/** Whether this screen may go dark by itself: said where nobody can promise otherwise. */
const dozes = () => !("wakeLock" in navigator);

const Dozes = () =>
  dozes() &&
  html`
    <a class="bar-link dozes" href="/certificate" aria-label=${say("ui.table.dozes")} title=${say("ui.table.dozes")}>
      <${Glyph} sign="dozes" />
    </a>
  `;

/** What is opened from the bar. */
function Tools({ view, act, open }) {
  const round = (sheet) => html`
    <${Button} look="bar-link" label=${say(`ui.nav.${sheet}`)} data-sheet=${sheet} onPress=${open(sheet)}>
      <${Glyph} sign=${sheet} />
    <//>
  `;
  return html`
    <div class="bar-tools">
      <${Dozes} />
      ${act.narrow && html`<${Undo} view=${view} act=${act} />`}
      ${act.role !== "spectator" && round("join")}
      ${act.hosts && round("mend")}
      ${
        !act.narrow &&
        html`
          <${Button} look="bar-link" label=${say("ui.turn.on")} data-turn onPress=${turnScreen(view)}>
            <${Glyph} sign="turn" />
          <//>
        `
      }
      ${round("help")}
      ${round("menu")}
    </div>
  `;
}

const Title = ({ view, act }) => html`
  <b>${title(view.box)}</b>${" "}
  <small>
    ${say(`ui.mode.${view.mode}`)}
    ${act.role === "spectator" && ` · ${say("ui.table.spectator")}`}
  </small>
`;

/** The whole page as it is drawn from what the screen holds. */
export function Page({ state, change, show, reached }) {
  const { view, plugin, link, now } = state;
  if (!view || !plugin) return html`<${Waiting} link=${link} now=${now} />`;
  const act = actions(state, { change, show, reached });
  const Sheet = sheetOf(state.ui.sheet, () => change({}));
  const close = () => change({ ui: { ...state.ui, sheet: null, rule: null } });
  const open = (sheet) => () => change({ ui: { ...state.ui, sheet } });
  return html`
    ${materials}
    <a class="button skip" href="#board" onClick=${toBoard}>${say("ui.nav.board")}</a>
    <${Banner} link=${link} now=${now} staleSince=${view.stale_since} />
    <main
      class=${classes("table", `box-${view.box}`, view.mode, link.up === false && "stale", state.busy && "busy")}
      aria-busy=${Boolean(state.busy)}
    >
      <${Parts} state=${state} act=${act} />
    </main>
    <${Bar} title=${html`<${Title} view=${view} act=${act} />`} link=${link}>
      <${Tools} view=${view} act=${act} open=${open} />
    <//>
    <${Edge} view=${view} act=${act} plays=${state.plays} />
    <${Filling} state=${state} view=${view} act=${act} change=${change} />
    ${Sheet && html`<${Sheet} view=${view} act=${act} plugin=${plugin} legend=${state.legend} onClose=${close} />`}
  `;
}

/** Draws the page into its root; what moved between two views glides there. */
export function draw(root, state, tools) {
  const page = () => render(html`<${Page} state=${state} ...${tools} />`, root);
  if (state.view === state.drawn) return page(); // a choice moves nothing: nothing is measured for it
  state.drawn = state.view;
  return animateMoves(root, page);
}

/** Brings a table to life on this page. */
export function start(root, { table }) {
  const state = {
    view: null,
    drawn: null, // the view that is seen
    before: null,
    plugin: null,
    settled: false,
    legend: null,
    ahead: false,
    since: null,
    playing: false,
    link: { up: null, since: performance.now() },
    busy: null,
    refusal: null,
    rig: null,
    hands: null,
    ui: {},
    now: performance.now(),
  };
  let line = null;
  let coming = null; // a view that the next picture will show

  // Without any part it is drawn anew; parts that are as they were are not.
  const change = (part) => {
    const parts = Object.entries(part);
    if (parts.length > 0 && parts.every(([name, value]) => state[name] === value)) return;
    Object.assign(state, part);
    draw(root, state, tools);
    if (part.playing === false) tellNews(({ tellSeen }) => tellSeen(state));
  };
  // The answer to a press and the stream bring the same view: whichever comes first is drawn.
  function take(view, also = {}) {
    if (view.seq === state.view?.seq && view.next === state.view.next && samePlace(view, state.view)) {
      const help = view.ask.options !== state.view.ask.options && Object.keys(view.ask.options ?? {}).length > 0;
      return change({ ...(help && { view }), ...also });
    }
    tell(view);
    plugIn(view);
    setTimeout(() => state.view === view && noted(view), state.view ? NOTED : FIRST_NOTED);
    const shown = [...presses].filter(({ seq }) => seq <= view.seq);
    change({ view, before: state.view, refusal: null, ...(shown.length > 0 && { busy: null }), ...also });
    if (state.plugin) tellTurn(false);
    for (const each of shown) each.seen(view);
  }
  // What turns a table to a seat: the page round it.
  const tellTurn = (first) =>
    parent !== window &&
    import("../chrome/turn.js").then(
      (turning) => turning.tellTurn(state.view, first),
      () => {}, // what cannot be told turns nothing
    );
  // A service that is just starting anew has no script; what it shows next is noted.
  const noted = (view) =>
    import("../luck/witness.js").then(
      ({ witness }) => witness(view),
      () => {},
    );
  // What the stream brings is drawn with the next picture: the answer to a press, which comes then too, draws it once.
  function soon(view) {
    if (document.hidden || presses.size > 0) return take(view); // of a page nobody sees there is no next picture
    const sooner = coming;
    coming = view;
    if (sooner) return take(sooner); // what came up in between is shown as well
    requestAnimationFrame(come);
    setTimeout(come, PICTURE);
  }
  function come() {
    const view = coming;
    coming = null;
    if (view) take(view);
  }
  function show(view, also) {
    if (!line.took(view)) return change(also);
    if (coming?.seq < view.seq) come();
    take(view, also);
    come();
  }
  // The view after a press, which the stream brings; where it does not, it is asked for.
  const presses = new Set();
  function reached(seq) {
    if (state.view.seq >= seq) return Promise.resolve(state.view);
    return new Promise((done) => {
      const press = { seq, seen };
      let late = setTimeout(look, MISSED);
      presses.add(press);
      function seen(view) {
        clearTimeout(late);
        presses.delete(press);
        done(view);
      }
      function look() {
        late = setTimeout(look, MISSED);
        get(`/api/tables/${table}`).then(show, () => {}); // the banner says that the service is away
      }
    });
  }
  const tools = { change, show, reached };

  async function plugIn(view) {
    if (state.plugin || state.loadingPlugin) return;
    state.loadingPlugin = true;
    const worn = [learnPrinted(view.box), loadStylesheet("style/stop")];
    const [plugin] = await Promise.all([import(`../boards/${boardOf(view)}/index.js`), ...worn]);
    await Promise.all([plugin.ready?.(view), tellTurn(true), view.ask.kind === "over" && fetchPart(over)]);
    change({ plugin, since: view.seq });
    setTimeout(settled, SETTLED);
  }

  const legend = () => state.legend?.(state.view, actions(state, tools)) ?? [];

  /** What the first picture needs not is fetched once it stands. */
  function settled() {
    change({ settled: true });
    Promise.all([import("../chrome/signs.js"), state.plugin.legend?.(), learnLater()]).then(
      ([{ signs }, drawn]) => {
        change({ legend: drawn?.legend });
        signs(legend);
      },
      () => {}, // without them, what a sign means is said in the help
    );
    import("../wakelock.js").then(
      ({ stayAwake }) => stayAwake(),
      () => {}, // without it the screen goes dark as it is used to
    );
    if (!hasToured()) import("../chrome/tour.js").then((tour) => tour.begin(state.view));
    import("../chrome/taught.js").then(
      ({ speaks }) => speaks(state.view) && change({ ui: { ...state.ui, taught: true } }),
      () => {}, // without it nobody is taught; the rules are in the help
    );
    ahead();
  }

  /** What a press may open is fetched before it is pressed, so that it opens without the service too. */
  function ahead() {
    if (!state.settled || state.ahead) return;
    state.ahead = true;
    const sheets = Object.keys(SHEETS).filter((name) => !fetched[name]);
    const parts = [lift, over, news, ...(state.plugin.later ?? [])];
    const fetches = [...parts.map((load) => () => fetchPart(load)), ...sheets.map((name) => () => fetchSheet(name))];
    fetchAhead(fetches).then(
      () => {
        document.documentElement.dataset.whole = "";
        change({}); // what has happened meanwhile has its words
      },
      () => {
        state.ahead = false; // once the link is back
      },
    );
  }

  function tell(view) {
    if (state.view && isMine(view) && !isMine(state.view)) {
      sound("turn");
      navigator.vibrate?.(BUZZ);
    }
    const before = state.view;
    if (before) tellNews(({ report }) => report(view, before, state));
    document.title = `${title(view.box)} · Digside`;
    if (view.elsewhere || state.view?.elsewhere) {
      import("../chrome/moved_away.js").then(({ followTable }) => followTable(view));
    }
  }

  function tellRig(rig) {
    const lent = !state.rig || state.rig.table !== rig.table || state.rig.put_by !== rig.put_by;
    change({ rig });
    if (lent && rig.shovel && (coming ?? state.view)?.me.role !== "spectator")
      get("/api/rig/hands").then(
        (hands) => change({ hands }),
        () => {},
      );
  }
  // The first view comes as an answer, which is packed; from then on the stream tells what has changed.
  get(`/api/tables/${table}`)
    .catch(() => null)
    .then((first) => {
      const onLink = (link) => {
        change({ link, now: performance.now() });
        if (link.up) ahead();
      };
      const url = `/api/tables/${table}/stream?rig=1`;
      line = connect(url, { changes: true, first, onView: loadAids(soon), onRig: tellRig, onLink });
    });
  setInterval(() => state.link.up === false && change({ now: performance.now() }), 1000);
  bindKeys(() => (state.view && state.plugin ? { state, act: actions(state, tools), change } : null));
  for (const shape of Object.values(SHAPES)) matchMedia(shape).addEventListener("change", () => change({}));
  change({});
  return { state, take, change };
}
