// Every table of the house at a glance: who is to move, for how long, who calls, and what ails a shovel.
import { html, classes, render } from "../html.js";
import { get, post } from "../api.js";
import { connect } from "../connection.js";
import { wear } from "../sheets.js";
import { format, known, learnLater, number, say, title } from "../words.js";
import { Banner } from "../chrome/banner.js";
import { Frame, Refusal } from "../chrome/frame.js";
import { Button } from "../chrome/press.js";
import { Cover } from "../pieces/covers.js";
import { SeatSign } from "../pieces/marker.js";

const MINUTE = 60_000;
const TICK = 10_000;

const amount = (n, unit) => format(Intl.NumberFormat, { style: "unit", unit, unitDisplay: "short" }).format(n);

/** A span in minutes, or in hours and minutes. */
function lasting(ms) {
  const minutes = Math.max(0, Math.floor(ms / MINUTE));
  if (minutes < 60) return amount(minutes, "minute");
  return `${amount(Math.floor(minutes / 60), "hour")} ${amount(minutes % 60, "minute")}`;
}

function turnSaid({ turn, seats, asks }) {
  if (turn !== null) return say("evening.hall.turn", { who: seats[turn].name });
  return say(asks === "chance" ? "evening.hall.drawing" : "evening.hall.anybody");
}

const Seats = ({ now }) => html`
  <ul class="hall-seats">
    ${now.seats.map(
      (seat, i) => html`
        <li key=${i} class=${classes(now.turn === i && "turn")}>
          <${SeatSign} seat=${seat} size=${22} /> <span>${seat.name}</span>
          ${
            seat.points !== null &&
            html`
              <b aria-label=${say("evening.hall.points", { n: seat.points })}>
                ${number(seat.points)}
              </b>
            `
          }
        </li>
      `,
    )}
  </ul>
`;

/** @param onAnswer for the owner of the machine that has the table. */
const Call = ({ since, clock, onAnswer }) => html`
  <div class="hall-call" role="status">
    <p><b>${say("evening.hall.calls")}</b> ${say("evening.hall.called", { time: lasting(clock - since) })}</p>
    ${onAnswer && html`<${Button} onPress=${onAnswer}>${say("evening.hall.answered")}<//>`}
  </div>
`;

const Table = ({ told: { now, call }, clock, base, heading, onAnswer }) => html`
  <li class=${classes("card hall-table", call !== null && "calls")}>
    <span class="thumb">
      <${Cover} box=${now.box} />
    </span>
    <div>
      <${heading} class="hall-box">${title(now.box)} <small>${say(`ui.mode.${now.mode}`)}</small><//>
      <p class="hall-turn">${turnSaid(now)}</p>
      <${Seats} now=${now} />
      <p class="caption">
        ${now.week !== null && `${say("evening.hall.weeks", { n: now.week })} · `}
        ${say("evening.hall.for", { time: lasting(clock - now.laid_at) })} ·${" "}
        ${say("evening.hall.quiet", { time: lasting(clock - now.played_at) })}
      </p>
      ${call !== null && html`<${Call} since=${call} clock=${clock} onAnswer=${onAnswer} />`}
    </div>
    <a class="button quiet" href=${`${base}/tv/${now.table}`}>
      ${say("evening.hall.look")}
    </a>
  </li>
`;

/** What ails a rig, in a sentence; nothing where all is well. */
function ails(rig) {
  if (!rig) return null;
  if (rig.stale) return say("evening.hall.stale");
  if (rig.link === false) return say("evening.hall.unlinked");
  if (rig.fault === null) return null;
  const sentence = `shovel.fault.${rig.fault}`;
  return say("evening.hall.fault", { what: known(sentence) ? say(sentence) : rig.fault });
}

/** Those who call first, the longest waiting before the others; then whoever was quiet longest. */
const sorted = (tables) =>
  [...tables].sort(
    (a, b) =>
      (a.call ?? Number.POSITIVE_INFINITY) - (b.call ?? Number.POSITIVE_INFINITY) || a.now.played_at - b.now.played_at,
  );

const Pi = ({ pi, clock, heading, base = "", notice, onAnswer }) => html`
  <section class="hall-pi">
    ${heading && html`<h2>${heading}</h2>`}
    ${notice && html`<p class="notice" role="status">${notice}</p>`}
    ${pi && ails(pi.rig) && html`<p class="refusal" role="status">${ails(pi.rig)}</p>`}
    ${pi?.tables.length === 0 && html`<p class="notice">${say("evening.hall.none")}</p>`}
    <ul class="hall-tables">
      ${
        pi &&
        sorted(pi.tables).map(
          (told) => html`
            <${Table}
              key=${told.now.table}
              told=${told}
              clock=${clock}
              base=${base}
              heading=${heading ? "h3" : "h2"}
              onAnswer=${onAnswer && (() => onAnswer(told.now.table))}
            />
          `,
        )
      }
    </ul>
  </section>
`;

function Other({ other: { address, away, pi }, clock }) {
  const name = pi?.name ?? address;
  const notice = away !== null && say(`evening.hall.${pi ? "away" : "never"}`, { name, time: lasting(clock - away) });
  const heading = pi ? `${name} · ${address}` : address;
  return html`<${Pi} pi=${pi} clock=${clock} heading=${heading} base=${address} notice=${notice} />`;
}

function Hall({ state, onAnswer }) {
  const { told, link, now, owner, error } = state;
  const clock = Date.now() + state.ahead;
  const alone = told?.others.length === 0;
  return html`
    <${Banner} link=${link} now=${now} />
    <${Frame} page="hall" title=${say("evening.hall.title")}>
      <p class="lead">${say("evening.hall.lead")}</p>
      <${Refusal} error=${error} />
      ${
        told &&
        html`
          <${Pi}
            pi=${told.here}
            clock=${clock}
            heading=${!alone && `${told.here.name} · ${say("evening.hall.here")}`}
            onAnswer=${owner && onAnswer}
          />
          ${told.others.map((other) => html`<${Other} key=${other.address} other=${other} clock=${clock} />`)}
        `
      }
    <//>
  `;
}

export async function start(root) {
  await Promise.all([learnLater(), wear("style/house")]);
  const state = { told: null, owner: false, error: null, ahead: 0, now: performance.now() };
  state.link = { up: null, since: state.now };

  function change(part) {
    Object.assign(state, part);
    render(html`<${Hall} state=${state} onAnswer=${answer} />`, root);
  }

  async function answer(table) {
    try {
      await post(`/api/tables/${table}/call`, { wanted: false });
      change({ error: null });
    } catch (error) {
      change({ error });
    }
  }

  document.title = `${say("evening.hall.title")} · Digside`;
  change({});
  get("/api/owner").then(
    ({ owner }) => change({ owner }),
    () => {}, // whoever is no owner sees the same
  );
  connect("/api/house/stream", {
    onView: (told) => change({ told, ahead: told.clock - Date.now() }),
    onLink: (link) => change({ link, now: performance.now() }),
  });
  setInterval(() => change({ now: performance.now() }), TICK);
}
