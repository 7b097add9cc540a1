// A finished game gone through: chances, what luck gave and took, what decisions cost, and where it turned.
import { html } from "../html.js";
import { get, post } from "../api.js";
import { loadStylesheet } from "../stylesheets.js";
import { learnLater, number, percent, say } from "../words.js";
import { alive, Refusal } from "../chrome/frame.js";
import { lineSaid } from "../chrome/log.js";
import { Button, Twice } from "../chrome/press.js";
import { SeatSign } from "../pieces/marker.js";
import { Chances } from "./study/chances.js";

await Promise.all([learnLater(), loadStylesheet("style/evening")]);

const LOOK = 1000; // milliseconds until it is looked again how far it is

const points = (share) => {
  const n = Math.round(share * 100);
  return n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0";
};

const moveSaid = (view, seat, what) => lineSaid(view, { kind: "move", by: "seat", seat, what });

/** Rounded so that start, luck and decisions still add up to the end. */
function rounded(study, seat) {
  const [start, luck, end] = ["start", "luck", "end"].map((part) => Math.round(study[part][seat] * 100));
  return { start, luck, decisions: end - start - luck, end };
}

function Sum({ study, view }) {
  const heads = ["start", "luck", "decisions", "end", "corrected"];
  const minus = (n) => (n < 0 ? `−${-n}` : `${n}`);
  const signed = (n) => (n > 0 ? `+${n}` : minus(n));
  return html`
    <section class="card">
      <div class="wide-table" tabindex="0">
        <table class="study-sum">
          <thead>
            <tr>
              <th scope="col">${say("evening.study.who")}</th>
              ${heads.map((head) => html`<th key=${head} scope="col">${say(`evening.study.${head}`)}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${view.seats.map((seat, i) => {
              const row = rounded(study, i);
              const within = Math.max(1, Math.round(study.error[i] * 200));
              return html`
                <tr key=${i}>
                  <th scope="row"><${SeatSign} seat=${seat} /> ${seat.name}</th>
                  <td>${row.start}</td>
                  <td>${signed(row.luck)}</td>
                  <td>${signed(row.decisions)}</td>
                  <td>${row.end}</td>
                  <td>${minus(row.end - row.luck)} ± ${within}</td>
                </tr>
              `;
            })}
          </tbody>
        </table>
      </div>
      <p class="caption">${say("evening.study.sum")}</p>
      <p class="caption">${say("evening.study.unsure", { n: Math.round(study.courses) })}</p>
    </section>
  `;
}

/** What was probably better, where something was. */
const Better = ({ moment, view }) =>
  moment.best &&
  html`
    <p>
      ${say("evening.study.better", { cost: `${Math.round(moment.cost * 100)} ± ${Math.round(moment.error * 200)}` })}
      ${" "}<i>${moveSaid(view, moment.seat, moment.best)}</i>
    </p>
  `;

function Turn({ moment, view, playOn, busy }) {
  const { seat, seq } = moment;
  const before = moment.chances[seat];
  const [decision, luck] = [moment.decision[seat], moment.luck[seat]];
  const facts = { who: view.seats[seat].name, before: percent(before), after: percent(before + decision + luck) };
  return html`
    <li class="card">
      <p class="caption">${say("evening.study.step", { n: seq })}</p>
      <p class="said">${moveSaid(view, seat, moment.move)}</p>
      <p>
        ${say("evening.study.moment", facts)}:
        ${" "}${say("evening.study.by_luck", { luck: points(luck), decision: points(decision) })}
      </p>
      <${Better} moment=${moment} view=${view} />
      <p class="row">
        <a class="button" href=${`/replay/${view.table}?seq=${seq - 1}`}>${say("evening.study.look")}</a>
        <${Twice} look="quiet" can=${!busy} sure=${say("evening.study.play_on_sure")} onPress=${() => playOn(seq - 1)}>
          ${say("evening.study.play_on")}
        <//>
      </p>
    </li>
  `;
}

const Every = ({ study, view }) => html`
  <details class="card">
    <summary>${say("evening.study.all")}</summary>
    <ol class="study-all">
      ${study.moments.map(
        (moment) => html`
          <li key=${moment.seq}>
            <a href=${`/replay/${view.table}?seq=${moment.seq}`}>${moveSaid(view, moment.seat, moment.move)}</a>
            <span>
              ${say("evening.study.by_luck", {
                luck: points(moment.luck[moment.seat]),
                decision: points(moment.decision[moment.seat]),
              })}
            </span>
          </li>
        `,
      )}
    </ol>
  </details>
`;

const Found = ({ study, view, playOn, busy }) => html`
  <section class="card"><${Chances} study=${study} seats=${view.seats} /></section>
  <${Sum} study=${study} view=${view} />
  <section>
    <h2>${say("evening.study.turns")}</h2>
    <ol class="study-turns">
      ${study.turns.map((seq) => {
        const moment = study.moments.find((each) => each.seq === seq);
        return html`<${Turn} key=${seq} moment=${moment} view=${view} playOn=${playOn} busy=${busy} />`;
      })}
    </ol>
  </section>
  <${Every} study=${study} view=${view} />
`;

/** How far it is, with the way to stop it. */
const Making = ({ making, stop }) => html`
  <section class="card" role="status">
    <p>
      ${
        making.waits
          ? say("evening.study.waits")
          : say("evening.study.progress", { done: number(making.done), of: number(making.of) })
      }
    </p>
    <progress max=${Math.max(1, making.of)} value=${making.done} aria-label=${say("evening.study.begin")}></progress>
    <${Button} look="quiet" onPress=${stop}>${say("evening.study.stop")}<//>
  </section>
`;

const Begin = ({ begin, busy }) => html`
  <section class="card">
    <p>${say("evening.study.takes")}</p>
    <${Button} look="main" can=${!busy} onPress=${begin}>${say("evening.study.begin")}<//>
  </section>
`;

function Body({ state, ...does }) {
  const { view, progress, busy } = state;
  if (!view || !progress) return null;
  if (progress.study) return html`<${Found} study=${progress.study} view=${view} busy=${busy} ...${does} />`;
  if (progress.making) return html`<${Making} making=${progress.making} ...${does} />`;
  return progress.can
    ? html`<${Begin} busy=${busy} ...${does} />`
    : html`<p class="notice">${say("evening.study.none")}</p>`;
}

export function start(root, { table }) {
  const state = { view: null, progress: null, busy: false, error: null };
  const here = `/api/tables/${table}/study`;
  let clock = 0;

  const taken = (progress) => {
    clearTimeout(clock);
    change({ progress, busy: false, error: null });
    if (progress.making) clock = setTimeout(look, LOOK);
  };
  const failed = (error) => change({ error, busy: false });
  const look = () =>
    get(here).then(taken, (error) => {
      failed(error);
      clock = setTimeout(look, LOOK);
    });
  const ask = (doing) => () => {
    change({ busy: true });
    post(here, { do: doing }).then(taken, failed);
  };
  async function playOn(seq) {
    change({ busy: true });
    try {
      const laid = await post(`/api/tables/${table}/branch`, { seq });
      location.assign(`/table/${laid.table}`);
    } catch (error) {
      failed(error);
    }
  }

  const does = { begin: ask("begin"), stop: ask("stop"), playOn };
  const change = alive(
    root,
    "study",
    state,
    () => html`
      <p class="lead">${say("evening.study.lead")}</p>
      <${Refusal} error=${state.error} />
      <${Body} state=${state} ...${does} />
      <p>
        <a class="button quiet" href=${`/table/${table}`}>${say("evening.replay.table")}</a>${" "}
        <a class="button quiet" href=${`/replay/${table}`}>${say("ui.nav.replay")}</a>
      </p>
    `,
    () => say("evening.study.title"),
  );
  Promise.all([get(`/api/tables/${table}?seat=spectator`), get(here)]).then(([view, progress]) => {
    state.view = view;
    taken(progress);
  }, failed);
}
