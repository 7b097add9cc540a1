// The rig beside the table: the shovel as it is, what it may be told, its link, its calibration, and which table has
// it.
import { html, render, classes } from "../html.js";
import { connect } from "../connection.js";
import { loadStylesheet } from "../stylesheets.js";
import { stayAwake } from "../wakelock.js";
import { say } from "../words.js";
import { Banner } from "../chrome/banner.js";
import { Bar } from "../chrome/bar.js";
import { materials } from "../pieces/materials.js";
import { actions, whoMay } from "./rig/act.js";
import { Calibration, Thresholds } from "./rig/calibration.js";
import { Flash } from "./rig/flash.js";
import { Hand } from "./rig/hand.js";
import { history } from "./rig/history.js";
import { Lights } from "./rig/lights.js";
import { Line } from "./rig/line.js";
import { Link } from "./rig/link.js";
import { Shovel } from "./rig/shovel.js";
import { Tables } from "./rig/tables.js";
import { lasting, tenths } from "./rig/units.js";
import { World } from "./rig/world.js";

const SECOND = 1000;
const NEWS_AFTER = 1200; // a lift may change its state quickly; only where it stays is said

const title = () => html`<b>${say("ui.rig.title")}</b>`;

const LookOnly = ({ hands }) =>
  hands &&
  !hands.uses &&
  html`
    <p class="notice look-only">
      <span>${say("ui.rig.look_only")}</span>
      <a class="button" href="/">
        ${say("ui.rig.lay")}
      </a>
    </p>
  `;

const missing = (rig) => {
  if (rig.absent) return say("ui.rig.absent");
  return say(rig.kind === "none" ? "ui.rig.none" : "ui.rig.no_shovel");
};

/** The rig's own loop hangs: what is shown is as old as it says, and goes on growing old while this is looked at. */
const Hangs = ({ rig, now }) =>
  rig.stale &&
  html`
    <div class="trouble latched rig-hangs" role="alert">
      <p class="trouble-what">${say("ui.rig.hangs", { time: lasting(now - rig.at) })}</p>
      <p>${say("ui.rig.hangs_remedy")}</p>
    </div>
  `;

const Nothing = ({ rig }) => html`
  <section class="card nothing">
    <p>${missing(rig)}</p>
    ${
      rig.kind === "none" &&
      html`
        <p>
          <code>digside serve --rig sim</code>
        </p>
      `
    }
  </section>
`;

function Vacuum({ shovel, source }) {
  const kpa = shovel.vacuum_kpa;
  if (!shovel.gauge) {
    return html`
      <section class="card vacuum" aria-label=${say("ui.rig.line.title")}>
        <h2>${say("ui.rig.line.title")}</h2>
        <p>${say(shovel.sensor ? "ui.rig.line.switch" : "ui.rig.line.no_sensor")}</p>
      </section>
    `;
  }
  return html`
    <section class="card vacuum" aria-label=${say("ui.rig.line.title")}>
      <header>
        <h2>${say("ui.rig.line.title")}</h2>
        <p class="kpa-now">
          ${kpa === null ? say("ui.rig.line.unknown") : say("ui.rig.line.now", { kpa: tenths(kpa) })}
        </p>
        <${Thresholds} thresholds=${shovel.thresholds} />
      </header>
      <${Line} kpa=${kpa} source=${source} />
      ${
        shovel.zero_kpa !== null &&
        html`
          <p class="caption">${say("ui.rig.line.zero", { kpa: tenths(shovel.zero_kpa) })}</p>
        `
      }
    </section>
  `;
}

const Bench = ({ rig, act, refusal }) => html`
  <section class="card bench">
    <p class="kind-mark">${say(`ui.rig.kind.${rig.kind}`)}</p>
    <${Shovel} rig=${rig} />
    ${rig.world && html`<${World} rig=${rig} act=${act} refusal=${refusal} />`}
  </section>
`;

function Rig({ state, change, take, source }) {
  const { rig } = state;
  const { shovel } = rig;
  const act = actions(state, { change, take });
  const refusal = (where) => (state.refusal?.where === where ? state.refusal : null);
  return html`
    <main class=${classes("rig", (!act.live || rig.stale) && "stale", !shovel && "bare")}>
      <${Hangs} rig=${rig} now=${source().now} />
      ${shovel && html`<${LookOnly} hands=${state.hands} />`}
      <div class="rig-sights">
        ${
          shovel
            ? html`
              <${Bench} rig=${rig} act=${act} refusal=${refusal("world")} />
              <${Vacuum} shovel=${shovel} source=${source} />
            `
            : html`<${Nothing} rig=${rig} />`
        }
        ${
          shovel?.gauge &&
          html`
            <${Calibration}
              rig=${rig}
              act=${act}
              refusal=${refusal("calibration")}
              busy=${state.busy}
            />
          `
        }
        ${rig.lights.length > 0 && html`<${Lights} rig=${rig} />`}
        ${rig.kind !== "none" && html`<${Link} rig=${rig} now=${source().now} />`}
        ${state.hands?.owner && html`<${Flash} live=${act.live} />`}
      </div>
      <div class="rig-hands">
        ${shovel && html`<${Hand} shovel=${shovel} refusal=${refusal("hand")} act=${act} onTold=${take} />`}
        ${
          rig.kind !== "none" &&
          html`
            <${Tables}
              rig=${rig}
              tables=${state.tables}
              hands=${state.hands}
              act=${act}
              refusal=${refusal("tables")}
            />
          `
        }
      </div>
    </main>
  `;
}

/** The whole page as it is drawn from what the screen holds. */
const Page = (props) => html`
  ${materials}
  <${Bar} page="rig" title=${title()} link=${props.state.link} />
  <${Banner} link=${props.state.link} now=${props.state.now} />
  ${
    props.state.rig
      ? html`<${Rig} ...${props} />`
      : html`
        <main class="waiting">
          <p>${say("ui.rig.waiting")}</p>
        </main>
      `
  }
`;

/** Says a new state aloud to whoever does not see it, once it stays. */
function teller() {
  let clock = 0;
  let announced = null;
  return ({ shovel }) => {
    if (!shovel || shovel.state === announced) return;
    const first = announced === null;
    announced = shovel.state;
    clearTimeout(clock);
    if (first) return;
    clock = setTimeout(() => {
      document.getElementById("said").textContent = say("ui.rig.said", {
        state: say(`ui.shovel.state.${announced}`),
      });
    }, NEWS_AFTER);
  };
}

/** Brings the rig to life on this page. */
export async function start(root) {
  await Promise.all([loadStylesheet("style/rig"), loadStylesheet("style/stop")]);
  const state = {
    rig: null,
    link: { up: null, since: performance.now() },
    now: performance.now(),
    hands: null,
    tables: [],
    busy: [],
    refusal: null,
  };
  const seen = history();
  const tell = teller();
  let heard = 0;

  const change = (part) => {
    Object.assign(state, part);
    render(html`<${Page} state=${state} change=${change} take=${answered} source=${source} />`, root);
  };
  function look(rig) {
    const moved = state.rig?.table !== rig.table;
    heard = performance.now();
    if (rig.shovel) seen.add(rig.at, rig.shovel.vacuum_kpa);
    tell(rig);
    const overtaken = state.refusal?.where === "hand" && state.rig.shovel.state !== rig.shovel?.state;
    change({ rig, refusal: overtaken ? null : state.refusal });
    if (moved) know();
  }
  const answered = (rig) => (rig.at < (state.rig?.at ?? 0) ? undefined : look(rig)); // the stream was quicker
  const know = () => whoMay().then(change, () => {});

  /** The rig's clock goes on between two tellings; while nobody tells, nothing is drawn as known. */
  function source() {
    const ahead = state.rig.at + state.rig.age_s - heard / 1000;
    const until = state.link.up === false ? state.link.since : performance.now();
    return {
      history: seen,
      thresholds: state.rig.shovel?.thresholds,
      now: ahead + performance.now() / 1000,
      until: state.rig.stale ? state.rig.at : ahead + until / 1000,
    };
  }

  connect("/api/rig/stream", {
    onView: look,
    onLink: (link) => change({ link, now: performance.now() }),
  });
  setInterval(() => change({ now: performance.now() }), SECOND);
  // A table may have been laid meanwhile.
  document.addEventListener("visibilitychange", () => !document.hidden && know());
  document.title = `${say("ui.rig.title")} · Digside`;
  know();
  stayAwake();
  change({});
}
