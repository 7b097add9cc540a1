// Every table of the house at a glance: who is to move, for how long, who calls, and what ails a shovel.
import { html, classes, Component, render } from "../html.js";
import { get, post } from "../api.js";
import { connect } from "../connection.js";
import { loadStylesheet } from "../stylesheets.js";
import { format, known, learnLater, number, person, say } from "../words.js";
import { Banner } from "../chrome/banner.js";
import { Frame, Refusal } from "../chrome/frame.js";
import { Button } from "../chrome/press.js";
import { Cover } from "../pieces/covers.js";
import { SeatSign } from "../pieces/marker.js";

const MINUTE = 60_000;
const TICK = 10_000;
const FEW = 6; // so many tables are shown with all that is known of them
const SOME = 15; // and so many with their seats

const amount = (n, unit) => format(Intl.NumberFormat, { style: "unit", unit, unitDisplay: "short" }).format(n);

/** A span in minutes, or in hours and minutes. */
function lasting(ms) {
  const minutes = Math.max(0, Math.floor(ms / MINUTE));
  if (minutes < 60) return amount(minutes, "minute");
  return `${amount(Math.floor(minutes / 60), "hour")} ${amount(minutes % 60, "minute")}`;
}

/** What a key says, or what stands for it where a newer Digside tells of what is not known here. */
const saidOr = (key, otherwise) => (known(key) ? say(key) : otherwise);
const boxSaid = (box) => saidOr(`${box}.title`, box);

/** What ails a rig, in a sentence; nothing where all is well. */
function ails(rig) {
  if (!rig) return null;
  if (rig.stale) return say("evening.hall.stale");
  if (rig.link === false) return say("evening.hall.unlinked");
  return rig.fault && say("evening.hall.fault", { what: saidOr(`shovel.fault.${rig.fault}`, rig.fault) });
}

/** The Pis that have told of themselves, this one before the others; `clock` is what each thinks that it is now. */
const pisOf = ({ here, others }, clock) => [
  { name: here.name, pi: here, base: "", away: null, clock },
  ...others.filter(({ pi }) => pi).map((other) => ofOther(other, clock)),
];

const ofOther = ({ address, away, pi, ahead }, clock) => ({
  name: pi.name,
  pi,
  base: address,
  away,
  clock: clock + ahead,
});

/** Every table with the Pi that has it: who has called longest first, then where something ails; all else stays. */
function tablesOf(pis) {
  const all = pis.flatMap((of) => of.pi.tables.map((each) => ({ ...each, of })));
  const waited = ({ call, of }) => (call === null ? Number.NEGATIVE_INFINITY : of.clock - call);
  const isWell = ({ of }) => Number(!ails(of.pi.rig));
  return all.sort((one, other) => {
    if (one.call !== null || other.call !== null) return waited(other) - waited(one) || 0;
    return isWell(one) - isWell(other);
  });
}

function turnSaid({ turn, seats, asks }) {
  if (seats[turn]) return say("evening.hall.turn", { who: seats[turn].name });
  return say(asks === "chance" ? "evening.hall.drawing" : "evening.hall.anybody");
}

const Seats = ({ now }) => html`
  <ul class="hall-seats">
    ${now.seats.map(
      (seat, i) => html`
        <li key=${i} class=${classes(now.turn === i && "turn")}>
          <${SeatSign} seat=${seat} size=${22} /> <span>${person(seat.name)}</span>
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
  <div class="hall-call">
    <p><b>${say("evening.hall.calls")}</b> ${say("evening.hall.called", { time: lasting(clock - since) })}</p>
    ${onAnswer && html`<${Button} onPress=${onAnswer}>${say("evening.hall.answered")}<//>`}
  </div>
`;

const Course = ({ now, clock }) => html`
  <p class="caption">
    ${say("evening.hall.for", { time: lasting(clock - now.laid_at) })}
    <span class="hall-more">
      ${" "}· ${say("evening.hall.quiet", { time: lasting(clock - now.played_at) })}
      ${now.week !== null && ` · ${say("evening.hall.weeks", { n: now.week })}`}
    </span>
  </p>
`;

const Table = ({ now, call, of, alone, onAnswer }) => html`
  <li class=${classes("card hall-table", call !== null && "calls", of.away !== null && "away")}>
    <span class="thumb">
      <${Cover} box=${now.box} />
    </span>
    <div class="hall-told">
      <h2 class="hall-box">
        ${!alone && html`<b>${of.name}</b>${" "}`}
        <a href=${`${of.base}/tv/${now.table}`}>${boxSaid(now.box)}</a>${" "}
        <small>${saidOr(`ui.mode.${now.mode}`, now.mode)}</small>
      </h2>
      <p class="hall-turn">
        ${now.seats[now.turn] && html`<${SeatSign} seat=${now.seats[now.turn]} size=${18} />`}
        <span>${turnSaid(now)}</span>
      </p>
      <${Seats} now=${now} />
      <${Course} now=${now} clock=${of.clock} />
    </div>
    ${call !== null && html`<${Call} since=${call} clock=${of.clock} onAnswer=${onAnswer} />`}
  </li>
`;

/** What cannot be drawn is said to be so, and keeps nothing else from being drawn. */
class Apart extends Component {
  static getDerivedStateFromError() {
    return { failed: true };
  }

  render({ name, children }, { failed }) {
    return failed ? html`<li class="card">${say("evening.hall.unread", { name })}</li>` : children;
  }
}

/** How many call, and where: it stays in sight, and is read out when it changes. */
const Callers = ({ tables, alone }) => html`
  <p class="hall-callers" role="status">
    ${
      tables.length > 0 &&
      html`
        <b>${say("evening.hall.calling", { n: tables.length })}</b>
        ${tables.map(({ now, of }) => html` <span>${alone ? "" : `${of.name} · `}${boxSaid(now.box)}</span>`)}
      `
    }
  </p>
`;

/** What ails anything in the house: a shovel, or a Pi that does not answer. What is added is read out. */
function Ailing({ pis, others, clock, alone }) {
  const shovels = pis.map(({ name, pi }) => [name, ails(pi.rig)]).filter(([, ail]) => ail);
  const away = others.filter((other) => other.away !== null);
  return html`
    <ul class="hall-ailing" aria-live="polite" aria-relevant="additions">
      ${shovels.map(
        ([name, ail]) => html`
          <li key=${`${name} shovel`} class="refusal">
            ${!alone && html`<b>${name}</b>`} ${ail}
          </li>
        `,
      )}
      ${away.map(
        ({ address, away, pi }) => html`
          <li key=${address} class="notice">
            ${say(`evening.hall.${pi ? "away" : "never"}`, { name: pi?.name ?? address, time: lasting(clock - away) })}
          </li>
        `,
      )}
    </ul>
  `;
}

const isMany = (n) => (n > SOME ? "many" : n > FEW ? "some" : "few");

function House({ house, clock, onAnswer }) {
  const pis = pisOf(house, clock);
  const tables = tablesOf(pis);
  const alone = house.others.length === 0;
  const idle = pis.filter(({ pi, away }) => away === null && pi.tables.length === 0).map(({ name }) => name);
  return html`<div class=${classes("hall", isMany(tables.length))}>
    <${Callers} tables=${tables.filter(({ call }) => call !== null)} alone=${alone} />
    <${Ailing} pis=${pis} others=${house.others} clock=${clock} alone=${alone} />
    <ul class="hall-tables">
      ${tables.map(
        (each) => html`
          <${Apart} key=${`${each.of.base}/${each.now.table}`} name=${each.of.name}>
            <${Table}
              ...${each}
              alone=${alone}
              onAnswer=${onAnswer && each.of.base === "" && (() => onAnswer(each.now.table))}
            />
          <//>
        `,
      )}
    </ul>
    ${tables.length === 0 && html`<p class="notice">${say("evening.hall.none")}</p>`}
    ${tables.length > 0 && idle.length > 0 && html`<p class="caption">${say("evening.hall.idle", { names: idle })}</p>`}
  </div>`;
}

function Hall({ state, onAnswer }) {
  const { house, link, now, owner, error } = state;
  return html`
    <${Banner} link=${link} now=${now} />
    <${Frame} page="hall" title=${say("evening.hall.title")}>
      <p class="lead">${say("evening.hall.lead")}</p>
      <${Refusal} error=${error} />
      ${house && html`<${House} house=${house} clock=${Date.now() + state.ahead} onAnswer=${owner && onAnswer} />`}
    <//>
  `;
}

/** How many tables call, in all of the house. */
const callsOf = ({ here, others }) =>
  [here, ...others.map(({ pi }) => pi)].flatMap((pi) => pi?.tables ?? []).filter(({ call }) => call !== null).length;

function named(house) {
  const calls = house ? callsOf(house) : 0;
  return `${calls ? `(${number(calls)}) ` : ""}${say("evening.hall.title")} · Digside`;
}

export async function start(root) {
  await Promise.all([learnLater(), loadStylesheet("style/house")]);
  const state = { house: null, owner: false, error: null, ahead: 0, now: performance.now() };
  state.link = { up: null, since: state.now };

  function change(part) {
    Object.assign(state, part);
    document.title = named(state.house);
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

  change({});
  get("/api/owner").then(
    ({ owner }) => change({ owner }),
    () => {}, // whoever is no owner sees the same
  );
  connect("/api/house/stream", {
    onView: (house) => change({ house, ahead: house.clock - Date.now() }),
    onLink: (link) => change({ link, now: performance.now() }),
  });
  setInterval(() => change({ now: performance.now() }), TICK);
}
