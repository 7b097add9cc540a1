// The first page: what is in play, and where a table is laid: which box, who sits where, and who draws.
import { html, classes } from "../html.js";
import { get, post, press } from "../api.js";
import { isAnimated } from "../preferences.js";
import { name, nameIn, nearest, say, scopeOf, title } from "../words.js";
import { alive, Refusal } from "../chrome/frame.js";
import { Button, Choice } from "../chrome/press.js";
import { Cover } from "../pieces/covers.js";
import { SeatSign } from "../pieces/marker.js";
import { TableRow } from "../chrome/table_row.js";
import { InPlay, inPlay } from "./in_play.js";

const SIGNS = [
  ["#c8553d", "circle"],
  ["#2f7fae", "square"],
  ["#5f8f3a", "triangle"],
  ["#e0a526", "diamond"],
  ["#7d5ba6", "hexagon"],
  ["#3c8d86", "star"],
].map(([colour, shape]) => ({ colour, shape }));
const REMEMBERED = "digside-seats";
const WHAT_IT_DOES = { referee: "ui.start.referees", toolbox: "ui.start.lends" };
const REMINDED = 3; // past tables on the first page

function remembered() {
  try {
    return JSON.parse(localStorage.getItem(REMEMBERED) ?? "[]");
  } catch {
    return [];
  }
}

function remember(seats) {
  try {
    localStorage.setItem(REMEMBERED, JSON.stringify(seats));
  } catch {
    // A private window: the names are asked for again next time.
  }
}

/** As many seats as the box needs and takes, the known ones first. */
function seatsFor(box, old) {
  const seats = old.slice(0, box.seats.max);
  while (seats.length < Math.max(2, box.seats.min)) seats.push(fresh(seats));
  return seats;
}

/** A seat with a sign that nobody has yet. */
function fresh(seats) {
  return { name: "", ...freeSign(seats) };
}

const freeSign = (seats) => SIGNS.find((sign) => !seats.some((seat) => seat.shape === sign.shape)) ?? SIGNS[0];

/** The next sign that no other seat has. */
function nextSign(seats, i) {
  const at = SIGNS.findIndex((sign) => sign.shape === seats[i].shape);
  const round = [...SIGNS.slice(at + 1), ...SIGNS.slice(0, at + 1)];
  return round.find((sign) => !seats.some((seat, other) => other !== i && seat.shape === sign.shape));
}

function Shelf({ boxes, chosen, onChoose }) {
  return html`
    <ul class="shelf" aria-label=${say("ui.start.shelf")}>
      ${boxes.map(
        (box) => html`
          <li key=${box.id}>
            <button
              type="button"
              class="box-cover"
              aria-pressed=${chosen?.id === box.id}
              onClick=${() => onChoose(box)}
            >
              <${Cover} box=${box.id} />
              <span class="box-title">
                <b>${title(box.id)}</b>
                <small>${say("ui.start.players", { least: box.seats.min, most: box.seats.max })}</small>
                <small>${box.modes.map((mode) => say(`ui.mode.${mode}`)).join(" · ")}</small>
              </span>
            </button>
          </li>
        `,
      )}
    </ul>
  `;
}

const LEVELS = ["curious", "steady", "sharp"];
const isBot = ({ kind }) => LEVELS.includes(kind);

/** How well a bot plays. */
const Level = ({ seat, n, onChange }) => html`
  <select aria-label=${say("ui.start.kind", { n })} onChange=${(event) => onChange(event.target.value)}>
    ${LEVELS.map(
      (level) => html`
        <option key=${level} value=${level} selected=${seat.kind === level}>${say(`ui.bot.${level}`)}</option>
      `,
    )}
  </select>
`;

/** One seat more, at which a bot sits. */
const withBot = (seats) => [...seats, { ...fresh(seats), kind: "steady" }];

/** The people of an earlier evening, with the signs that they had; as many of them as the box takes. */
const Groups = ({ box, groups, onChange }) =>
  groups.length > 0 &&
  html`
    <h3 class="groups-title">${say("ui.start.groups")}</h3>
    <div class="groups">
      ${groups.map(
        (people) => html`
          <${Button}
            key=${people.map(({ name }) => name).join()}
            look="quiet"
            can=${people.length >= box.seats.min}
            onPress=${() => onChange(people.slice(0, box.seats.max))}
          >
            ${people.map(({ name }) => name).join(" · ")}
          <//>
        `,
      )}
    </div>
  `;

/** @param bots whether bots can play the box as it is to be played. */
function Seats({ box, seats, bots, groups, onChange }) {
  const put = (i, part) => onChange(seats.map((seat, each) => (each === i ? { ...seat, ...part } : seat)));
  return html`
    <section class="card">
      <h2>${say("ui.start.seats")}</h2>
      <p class="caption names-how">${say("ui.start.names_how")}</p>
      <${Groups} box=${box} groups=${groups} onChange=${onChange} />
      <ol class="seat-rows">
        ${seats.map(
          (seat, i) => html`
            <li key=${i} class=${classes("seat-row", isBot(seat) && "bot-row")}>
              <button
                type="button"
                class="sign-button"
                aria-label=${say("ui.start.sign", { n: i + 1, shape: name(seat.shape) })}
                onClick=${() => put(i, nextSign(seats, i))}
              >
                <${SeatSign} seat=${seat} size=${34} />
              </button>
              <input
                type="text"
                maxlength="24"
                autocomplete="off"
                aria-label=${say("ui.start.name", { n: i + 1 })}
                placeholder=${sitting(seats, i)}
                value=${seat.name}
                onInput=${(event) => put(i, { name: event.target.value })}
              />
              ${isBot(seat) && html`<${Level} seat=${seat} n=${i + 1} onChange=${(kind) => put(i, { kind })} />`}
              <${Button}
                look="round"
                label=${say("ui.start.leave", { n: i + 1 })}
                can=${seats.length > box.seats.min}
                onPress=${() => onChange(seats.filter((_, each) => each !== i))}
              >
                −
              <//>
            </li>
          `,
        )}
      </ol>
      ${
        seats.length < box.seats.max &&
        html`
          <${Button} look="quiet" class="add-seat" onPress=${() => onChange([...seats, fresh(seats)])}>
            + ${say("ui.start.add")}
          <//>
          ${
            bots &&
            html`
              <${Button} look="quiet" class="add-seat" onPress=${() => onChange(withBot(seats))}>
                + ${say("ui.start.add_bot")}
              <//>
            `
          }
        `
      }
    </section>
  `;
}

function valueSaid(value, of) {
  if (typeof value === "boolean") return say(value ? "ui.yes" : "ui.no");
  const key = nearest(`value.${value}`, of);
  return key ? say(key) : nameIn(of, String(value));
}
const sitting = (seats, i) => seats[i]?.name.trim() || called(seats, i);

/** A seat without a name is called by its number, a bot by its number among the bots. */
function called(seats, i) {
  if (!isBot(seats[i] ?? {})) return say("ui.seats.nameless", { n: i + 1 });
  return say("ui.seats.bot_name", { n: seats.slice(0, i + 1).filter(isBot).length });
}

/** What can be chosen, each with its word; where these are seats, who sits there. */
function valuesOf(option, seats, of) {
  if (!option.of_seats) return option.values.map((value) => [value, valueSaid(value, of)]);
  return option.values.filter((i) => i < seats.length).map((i) => [i, sitting(seats, i)]);
}

function optionSaid(option, of) {
  const key = nearest(`option.${option}`, of);
  return key ? say(key) : nameIn(of, option);
}

/** How a box is played unless somebody says otherwise. */
const asUsual = (box) => ({ mode: box.modes[0], pace: "flow", sources: {}, options: {} });

/** The value of an option: as it was chosen, if it still can be; nobody lays a layer who has left. */
function chosenOf(option, chosen, seats, of) {
  const can = valuesOf(option, seats, of).map(([value]) => value);
  return can.includes(chosen[option.name]) ? chosen[option.name] : option.default;
}

function How({ box, seats, how, change }) {
  const { mode, pace, sources, options } = how;
  const of = scopeOf(box.id, mode);
  const here = (each) => each.modes.includes(mode);
  const put = (part, key, value) => change({ [part]: { ...how[part], [key]: value } });
  const row = (label, control) => html`
    <div class="option" key=${label}>
      <h3>${label}</h3>
      ${control}
    </div>
  `;
  return html`
    <section class="card">
    ${
      box.modes.length > 1 &&
      row(
        say("ui.start.mode"),
        html`<${Choice}
          label=${say("ui.start.mode")}
          value=${mode}
          options=${box.modes.map((each) => [each, say(WHAT_IT_DOES[each])])}
          onChange=${(value) => change({ mode: value })}
        />`,
      )
    }
    <details class="how">
      <summary><h2>${say("ui.start.how")}</h2></summary>
      <div class="options">
        ${row(
          say("ui.start.pace"),
          html`<${Choice}
            label=${say("ui.start.pace")}
            value=${pace}
            options=${["flow", "press"].map((each) => [each, say(`ui.pace.${each}`)])}
            onChange=${(value) => change({ pace: value })}
          />`,
        )}
        ${
          mode === "referee" &&
          row(
            say("ui.start.hints"),
            html`<${Choice}
              label=${say("ui.start.hints")}
              value=${how.hints ?? "none"}
              options=${["none", "few", "free"].map((each) => [each, say(`ui.start.hints_${each}`)])}
              onChange=${(value) => change({ hints: value })}
            />`,
          )
        }
        ${box.sources.filter(here).map(({ randomizer }) =>
          row(
            nameIn(of, randomizer),
            html`<${Choice}
                label=${nameIn(of, randomizer)}
                value=${sources[randomizer] ?? "companion"}
                options=${["companion", "table"].map((each) => [each, say(`ui.source.${each}`)])}
                onChange=${(value) => put("sources", randomizer, value)}
              />`,
          ),
        )}
        ${box.options.filter(here).map((option) =>
          row(
            optionSaid(option.name, of),
            html`<${Choice}
                label=${optionSaid(option.name, of)}
                value=${chosenOf(option, options, seats, of)}
                options=${valuesOf(option, seats, of)}
                onChange=${(value) => put("options", option.name, value)}
              />`,
          ),
        )}
      </div>
    </details>
    </section>
  `;
}

/** A seat as it is sent: without a referee nobody but people sits there, and a bot needs no hints. */
function seated({ kind = "person", ...seat }, name, { mode, hints = "none" }) {
  const plays = mode === "referee" ? kind : "person";
  return { ...seat, name, kind: plays, hints: mode === "referee" && plays === "person" ? hints : "none" };
}

/** What is sent to have this table laid. */
function asked({ box, seats, how: { mode, sources, pace, options, hints } }) {
  const here = (list) => list.filter((each) => each.modes.includes(mode));
  const of = scopeOf(box.id, mode);
  return {
    box: box.id,
    mode,
    pace,
    wait: true, // everybody sees the seal, and may stir, before the first draw
    seats: seats.map((seat, i) => seated(seat, sitting(seats, i), { mode, hints })),
    sources: Object.fromEntries(here(box.sources).map(({ randomizer: each }) => [each, sources[each] ?? "companion"])),
    options: Object.fromEntries(here(box.options).map((each) => [each.name, chosenOf(each, options, seats, of)])),
  };
}

const valuesOfTeaching = (box) => box?.options.find(({ name: option }) => option === "teach")?.values ?? [];

/** A table to learn the game at: with lessons, and with first draws that show what there is, where its box has them. */
function taught(laying, box) {
  const { teach: chosen } = laying.options;
  const best = valuesOfTeaching(box).includes("luck") ? "luck" : "lessons";
  return { ...laying, options: { ...laying.options, teach: chosen === "no" ? best : chosen } };
}

/** What is sent to have a table laid: as it was chosen, to learn at with others, or alone. */
function layingOf(state, how) {
  if (how === "alone") return alone(state);
  return how === "teach" ? taught(asked(state), state.box) : asked(state);
}

async function lay(state, change, how) {
  if (state.busy || !state.lays) return;
  change({ busy: true, error: null });
  try {
    remember(state.seats);
    const laid = await post("/api/tables", layingOf(state, how));
    await post(`/api/tables/${laid.table}/enter`, { key: laid.host });
    if (how === "alone") await press(`/api/tables/${laid.table}/join`, { name: sitting(state.seats, 0), seat: 0 });
    location.assign(`/table/${laid.table}`);
  } catch (error) {
    change({ busy: false, error });
  }
}

const BOTS = ["Lara", "Howard"];

/** A small game against bots, for one who learns the box alone. */
function alone({ box, seats }) {
  const bots = BOTS.slice(0, box.seats.max - 1).map((bot) => ({ name: bot, kind: "curious" }));
  const people = [{ name: sitting(seats, 0) }, ...bots];
  return {
    box: box.id,
    mode: "referee",
    seats: people.map((seat, i) => ({ ...SIGNS[i], ...seat })),
    options: { teach: "alone" },
  };
}

/** Each box keeps how it is played to itself; who sits there goes from one to the next. */
function choose(box, state, change) {
  change({
    box,
    how: state.hows[box.id] ?? asUsual(box),
    seats: seatsFor(box, state.seats),
    error: null,
  });
  // At once: what is pressed next is not to move away from under the finger.
  document.getElementById("lay")?.scrollIntoView({ block: "start", behavior: isAnimated() ? "smooth" : "auto" });
}

const Laying = ({ state, change }) => html`
  <form
    id="lay"
    class="lay"
    onSubmit=${(event) => {
      event.preventDefault();
      lay(state, change);
    }}
  >
    <${Seats}
      box=${state.box}
      seats=${state.seats}
      groups=${state.groups}
      bots=${state.how.mode === "referee"}
      onChange=${(seats) => change({ seats })}
    />
    <${How}
      box=${state.box}
      seats=${state.seats}
      how=${state.how}
      change=${(part) => {
        const how = { ...state.how, ...part };
        change({ how, hows: { ...state.hows, [state.box.id]: how } });
      }}
    />
    <p class="caption">${say("ui.start.seal")}</p>
    <div class="lay-foot">
      <p class="lay-box">${title(state.box.id)}</p>
      <${Refusal} error=${state.error} />
      ${!state.lays && html`<p class="notice" role="status">${say("ui.start.owner_lays")}</p>`}
      ${
        state.how.mode === "referee" &&
        valuesOfTeaching(state.box).length > 0 &&
        html`
          <${Button} can=${!state.busy && state.lays} onPress=${() => lay(state, change, "teach")}>
            ${say("ui.start.teach")}
          <//>
        `
      }
      <button type="submit" class="button main" aria-disabled=${state.busy || !state.lays ? "true" : undefined}>
        ${say("ui.start.lay")}
      </button>
    </div>
  </form>
`;

const Past = ({ tables }) => html`
  <section class="past" aria-label=${say("ui.past.title")}>
    <h2>${say("ui.past.title")}</h2>
    <ul class="tables">
      ${tables.slice(0, REMINDED).map(
        (table) => html`
          <${TableRow} key=${table.table} table=${table}>
            <a class="button" href=${`/table/${table.table}`}>
              ${say("ui.past.look")}
            </a>
          <//>
        `,
      )}
    </ul>
    <p>
      <a class="button quiet" href="/past">
        ${say("ui.start.all_past")}
      </a>${" "}
      <a class="button quiet" href="/help">
        ${say("ui.nav.manual")}
      </a>${" "}
      <a class="button quiet" href="/evenings">
        ${say("ui.nav.evenings")}
      </a>
    </p>
  </section>
`;

const HERE_ONLY = /^(localhost|127\..*|\[::1\])$/;

/** What comes next where nobody has played yet: a screen to play on, and what stands beside the table. */
const Next = ({ rig }) => html`
  <section class="card next" aria-label=${say("ui.start.next")}>
    <h2>${say("ui.start.next")}</h2>
    ${
      HERE_ONLY.test(location.hostname) &&
      html`
        <figure class="owner-code">
          <img src="/qr.svg?path=/" alt=${say("ui.machine.address")} width="160" height="160" />
          <figcaption>${say("ui.start.next_open")}</figcaption>
        </figure>
      `
    }
    ${
      rig === "none" &&
      html`
        <p>
          ${say("ui.start.next_rig")} <code>digside rig</code>${" "}
          <a class="button quiet" href="/rig">
            ${say("ui.start.to_rig")}
          </a>
        </p>
      `
    }
  </section>
`;

/** The shelf, and beneath it how the chosen box is played. */
const NewTable = ({ state, change, first }) => html`
  <section class="new-table" aria-label=${say("ui.start.title")}>
    ${!first && html`<h2>${say("ui.start.title")}</h2>`}
    ${first && html`<p class="lead">${say("ui.start.lead")} <a href="/help">${say("ui.nav.manual")}</a></p>`}
    <${Shelf} boxes=${state.boxes} chosen=${state.box} onChoose=${(box) => choose(box, state, change)} />
    ${
      (state.owner || state.box?.bots) &&
      html`
        <p>
          ${
            state.box?.bots &&
            html`<a class="button quiet" href=${`/watch/${state.box.id}`}>${say("ui.nav.watch")}</a> `
          }
          ${
            state.lays &&
            valuesOfTeaching(state.box).includes("alone") &&
            html`
              <${Button} look="quiet" can=${!state.busy} onPress=${() => lay(state, change, "alone")}>
                ${say("ui.start.alone")}
              <//>${" "}
            `
          }
          ${
            state.owner &&
            html`<a class="button quiet" href=${`/boxes#${state.box?.id ?? ""}`}>${say("ui.boxes.title")}</a>`
          }
        </p>
      `
    }
    ${state.unread.map(
      ({ id, message }) => html`
        <p key=${id} class="refusal" role="status">
          <b>${title(id)}</b> ${message}
        </p>
      `,
    )}
    ${state.box ? html`<${Laying} state=${state} change=${change} />` : html`<${Refusal} error=${state.error} />`}
  </section>
`;

export function start(root) {
  const state = {
    tables: null,
    boxes: [],
    unread: [],
    box: null,
    seats: remembered(),
    how: null,
    hows: {},
    busy: false,
    error: null,
    lays: true,
    owner: false,
    rig: null,
    groups: [],
    notices: [],
  };
  const change = alive(
    root,
    "start",
    state,
    (_, again) => {
      if (!state.tables && !state.error) return null; // all at once: nothing that is read, or pressed, moves
      const open = inPlay(state.tables ?? []);
      const over = (state.tables ?? []).filter((table) => table.over);
      return html`
        ${state.notices.map(
          ({ key, message }) => html`
            <p key=${key} class="refusal" role="status">
              ${message}
            </p>
          `,
        )}
        ${open.length > 0 && html`<${InPlay} tables=${open} />`}
        <${NewTable} state=${state} change=${again} first=${open.length === 0} />
        ${
          state.tables?.length === 0 &&
          (state.rig === "none" || HERE_ONLY.test(location.hostname)) &&
          html`<${Next} rig=${state.rig} />`
        }
        ${over.length > 0 && html`<${Past} tables=${over} />`}
      `;
    },
    () => say(state.tables?.some((table) => !table.over) ? "ui.start.in_play" : "ui.start.title"),
  );
  // At once: what is in play, and what is to be noticed, stands above the shelf, and would push it from under a finger.
  const beside = Promise.all([get("/api/rig"), get("/api/notices"), get("/api/groups")]).then(
    ([{ kind: rig }, { notices }, { groups }]) => ({ rig, notices, groups }),
    () => ({}), // the page is of use without them
  );
  Promise.all([get("/api/boxes"), get("/api/tables"), get("/api/owner"), beside]).then(
    ([{ boxes, unread }, { tables }, { owner, guests_lay: guests }, more]) =>
      change({ boxes, unread, tables, owner, lays: owner || guests, ...more }),
    (error) => change({ error }),
  );
}
