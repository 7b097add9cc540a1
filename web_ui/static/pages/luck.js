// What fell against what was to be expected, and how anybody can check that nobody meddled.
import { html } from "../html.js";
import { get } from "../api.js";
import { learnLater, name, number, say } from "../words.js";
import { alive, Refusal } from "../chrome/frame.js";
import { Lucky } from "./luck/lucky.js";

await learnLater();

const WIDE = 200;
const UNPROVED = ["taken", "unseen"]; // nothing was changed, and yet nothing is proved

/** Expected with two deviations either way, and over it what fell. */
function Bar({ outcome, most }) {
  const at = (n) => (Math.max(0, n) / most) * WIDE;
  const { fell, expected, spread } = outcome;
  return html`
    <svg class="luck-bar" viewBox=${`0 0 ${WIDE} 22`} preserveAspectRatio="none" aria-hidden="true">
      <rect
        x=${at(expected - 2 * spread)}
        y="2"
        width=${at(expected + 2 * spread) - at(expected - 2 * spread)}
        height="18"
        rx="3"
        class="usual"
      />
      <rect x="0" y="7" width=${at(fell)} height="8" rx="3" class="fell" />
      <path d=${`M${at(expected)} 1V21`} class="mean" />
    </svg>
  `;
}

const roughly = (n) => number(n < 1 ? Number(n.toPrecision(1)) : Math.round(n * 10) / 10);

// Who starts is drawn by seat; all else has a name of its own.
function outcomeSaid(view, of, outcome) {
  const seat = of === "seats" ? view?.seats[outcome] : undefined;
  return seat?.name ?? name(String(outcome));
}

function Randomizer({ counts, view }) {
  const rows = counts.outcomes.filter((each) => each.expected > 0); // not one layout of thousands
  const most = Math.max(1, ...rows.map((each) => Math.max(each.fell, each.expected + 2 * each.spread)));
  return html`
    <section class="card">
      <h2>${name(counts.randomizer)}</h2>
      <p class="caption">
        ${say("evening.seal.draws", { n: counts.draws })}
        ${counts.reported > 0 && ` ${say("evening.seal.reported", { n: counts.reported })}`}
      </p>
      <table class="luck-table">
        <thead>
          <tr>
            <th scope="col">${say("evening.seal.outcome")}</th>
            <th scope="col">${say("evening.seal.fell")}</th>
            <th scope="col">${say("evening.seal.expected")}</th>
            <td class="bar-cell"></td>
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (each) => html`
              <tr key=${each.outcome}>
                <th scope="row">${outcomeSaid(view, counts.of, each.outcome)}</th>
                <td>${number(each.fell)}</td>
                <td>${roughly(each.expected)}</td>
                <td class="bar-cell">
                  <${Bar} outcome=${each} most=${most} />
                </td>
              </tr>
            `,
          )}
        </tbody>
      </table>
    </section>
  `;
}

const called = (view, who) => (who === "host" ? say("name.host") : (view.seats[Number(who)]?.name ?? who));
const all = (view, them) => them.map((who) => called(view, who));

/** Who stirred, under which seals, with which figures: what to know of the luck beside what fell. */
function Circumstances({ luck, view }) {
  const rounds = luck.rounds.flatMap(({ told, left_out: out, late, drew }, n) => [
    (drew || n === luck.rounds.length - 1) &&
      (told.length === 1
        ? say("evening.seal.alone", { who: all(view, told) })
        : say("evening.seal.stirred", { who: all(view, told) })),
    out.length > 0 && say("evening.seal.left_out", { who: all(view, out) }),
    late.length > 0 && say("evening.seal.late", { who: all(view, late) }),
  ]);
  const circumstances = [
    ...rounds,
    luck.asked.length > 0 && say("evening.seal.asked", { who: all(view, luck.asked) }),
    luck.taken.length > 0 && say("evening.seal.taken", { who: all(view, luck.taken) }),
    ...luck.seals.slice(1).map(({ since }) => say("evening.seal.other_seal", { seq: since })),
    luck.own_box && say("evening.seal.own_box"),
    luck.dropped > 0 && say("evening.seal.dropped", { n: luck.dropped }),
  ].filter(Boolean);
  return (
    circumstances.length > 0 && html`<ul data-circumstances>${circumstances.map((each) => html`<li>${each}</li>`)}</ul>`
  );
}

/** Whether this very device stirs, and any alarm that it has raised. */
function Own({ own, view, onStir, onRead }) {
  if (view.me.role === "spectator" || view.luck.version === 1 || own === undefined) return null;
  if (own?.alarm) {
    return html`
      <p class="verdict bad" role="alert" data-alarm=${own.alarm}>${say(`evening.alarm.${own.alarm}`)}</p>
      <p>
        <button type="button" class="button quiet" onClick=${onRead}>${say("evening.alarm.read")}</button>
      </p>
    `;
  }
  if (view.over) return null;
  if (own) return html`<p class="caption" data-own="in">${say("evening.seal.own_in")}</p>`;
  return html`
    <p class="caption" data-own="out">${say("evening.seal.own_out")}</p>
    <p>
      <button type="button" class="button quiet" onClick=${onStir}>${say("evening.seal.own_stir")}</button>
    </p>
  `;
}

/** What came of recomputing the game on this device: one green sentence, or the first thing that differs. */
function Proved({ proof, view }) {
  if (!proof) return html`<p class="caption">${say("evening.seal.checking")}</p>`;
  const { fault, draws, arranged } = proof;
  if (fault && UNPROVED.includes(fault.why)) {
    return html`<p class="notice" data-proof=${fault.why}>${say(`evening.seal.fault_${fault.why}`)}</p>`;
  }
  if (fault) {
    const outcome = fault.outcome === undefined ? "" : outcomeSaid(view, fault.of, fault.outcome);
    const text = say(`evening.seal.fault_${fault.why}`, { ...fault, outcome });
    return html`<p class="verdict bad" role="alert" data-proof="bad">${text}</p>`;
  }
  const also = proof.moments > 0 ? say("evening.seal.saw", { n: proof.moments }) : say("evening.seal.saw_not");
  if (draws === 0) return html`<p class="notice" data-proof="nothing">${say("evening.seal.nothing")}</p>`;
  return html`
    <p class="verdict good" role="status" data-proof="good">${say("evening.seal.proved", { n: draws })}</p>
    ${arranged > 0 && html`<p class="caption">${say("evening.seal.proved_arranged", { n: arranged })}</p>`}
    <p class="caption">${also}</p>
  `;
}

async function checked(view) {
  const [{ prove }, { seen }, record, { draws }] = await Promise.all([
    import("../luck/proof.js"),
    import("../luck/witness.js"),
    get(`/api/tables/${view.table}/record`),
    get(`/api/tables/${view.table}/draws`),
  ]);
  return prove(record, draws, seen(view));
}

export function start(root, { table }) {
  const state = { luck: null, story: null, view: null, error: null, proof: null, own: undefined };
  const onRead = () => onWitness(({ calm }) => calm(state.view));
  const onStir = () => onWitness(({ stir }) => stir(state.view));
  const onWitness = (act) =>
    import("../luck/witness.js")
      .then(async (witness) => {
        await act(witness);
        change({ own: witness.own(state.view) });
      })
      .catch((error) => change({ error }));
  const change = alive(
    root,
    "luck",
    state,
    () => html`
      ${state.view && html`<${Lucky} story=${state.story} seats=${state.view.seats} over=${state.view.settled} />`}
      <p>
        <a class="button" href=${`/table/${table}`}>
          ${say("evening.seal.back")}
        </a>
      </p>
      <${Refusal} error=${state.error} />
      ${state.luck?.randomizers.length > 0 && html`<p class="lead">${say("evening.seal.lead")}</p>`}
      ${state.luck?.randomizers.length === 0 && html`<p class="notice">${say("evening.seal.none")}</p>`}
      <div class="columns">
        ${state.luck?.randomizers.map(
          (counts) => html`<${Randomizer} key=${counts.randomizer} counts=${counts} view=${state.view} />`,
        )}
      </div>
      ${
        state.view &&
        html`
          <section class="card">
            <h2>${say("evening.seal.seal")}</h2>
            <p>${say("evening.seal.seal_why")}</p>
            ${
              ["luck", "alone"].includes(state.view.options.teach) &&
              html`<p class="notice" data-arranged>${say("evening.seal.arranged")}</p>`
            }
            <p class="seal" data-seal>
              ${state.view.seal}
            </p>
            ${
              state.view.head &&
              html`
                <h3>${say("evening.seal.head", { n: state.view.seq })}</h3>
                <p>${say("evening.seal.head_why")}</p>
                <p class="seal" data-head>
                  ${state.view.head}
                </p>
              `
            }
            ${state.luck && html`<${Circumstances} luck=${state.luck} view=${state.view} />`}
            <${Own} own=${state.own} view=${state.view} onStir=${onStir} onRead=${onRead} />
            ${
              state.view.secret
                ? html`
                  <${Proved} proof=${state.proof} view=${state.view} />
                  <p>${say("evening.seal.secret")}</p>
                  <p class="seal" data-secret>
                    ${state.view.secret}
                  </p>
                  <ol class="steps">
                    <li>
                      ${say("evening.seal.verify_1")}${" "}
                      <a href=${`/api/tables/${table}/record`} download=${`digside-${table}.json`}>
                        ${say("ui.past.export")}
                      </a>
                    </li>
                    <li>
                      ${say("evening.seal.verify_2")} <code>digside verify digside-${table}.json</code>
                    </li>
                  </ol>
                `
                : html`<p class="caption">${say(state.view.hinge ? "evening.seal.hangs" : "evening.seal.sealed")}</p>`
            }
          </section>
        `
      }
    `,
    () => say("evening.seal.title"),
  );
  get(`/api/tables/${table}`).then(
    (view) => {
      change({ view });
      import("../luck/witness.js").then(({ own }) => change({ own: own(view) }));
      if (view.settled)
        get(`/api/tables/${table}/story`).then(
          (story) => change({ story }),
          (error) => change({ error }),
        );
      if (!view.secret) return;
      checked(view).then(
        (proof) => change({ proof }),
        (error) => change({ error }),
      );
    },
    (error) => change({ error }),
  );
  get(`/api/tables/${table}/luck`).then(
    (luck) => change({ luck }),
    (error) => change({ error }),
  );
}
