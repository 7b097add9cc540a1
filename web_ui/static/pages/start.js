// Where a table is laid: which box, who sits where, and who draws, the companion or the table.
import { html, classes } from "../html.js";
import { get, post } from "../api.js";
import { moving } from "../likes.js";
import { name, nameIn, nearest, say, scopeOf, title } from "../words.js";
import { alive, Refusal } from "../chrome/frame.js";
import { Button, Choice } from "../chrome/press.js";
import { Cover } from "../pieces/covers.js";
import { SeatSign } from "../pieces/marker.js";

const SIGNS = [
  ["#c8553d", "circle"],
  ["#2f7fae", "square"],
  ["#5f8f3a", "triangle"],
  ["#e0a526", "diamond"],
  ["#7d5ba6", "hexagon"],
  ["#3c8d86", "star"],
].map(([colour, shape]) => ({ colour, shape }));
const REMEMBERED = "digside-seats";

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

function Seats({ box, seats, onChange }) {
  const put = (i, part) => onChange(seats.map((seat, each) => (each === i ? { ...seat, ...part } : seat)));
  return html`
    <section class="card">
      <h2>${say("ui.start.seats")}</h2>
      <ol class="seat-rows">
        ${seats.map(
          (seat, i) => html`
            <li key=${i} class="seat-row">
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
                placeholder=${say("ui.start.nameless", { n: i + 1 })}
                value=${seat.name}
                onInput=${(event) => put(i, { name: event.target.value })}
              />
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
// Options whose values are seats are said by who sits there.
const OF_SEATS = ["first_layer"];
const sitting = (seats, i) => seats[i]?.name.trim() || say("ui.start.nameless", { n: i + 1 });

function valuesOf(option, seats, of) {
  if (!OF_SEATS.includes(option.name)) return option.values.map((value) => [value, valueSaid(value, of)]);
  return option.values.filter((i) => i < seats.length).map((i) => [i, sitting(seats, i)]);
}

function optionSaid(option, of) {
  const key = nearest(`option.${option}`, of);
  return key ? say(key) : nameIn(of, option);
}

function How({ box, state, change }) {
  const { mode, pace, sources, options } = state;
  const of = scopeOf(box.id, mode);
  const here = (each) => each.modes.includes(mode);
  const put = (part, key, value) => change({ [part]: { ...state[part], [key]: value } });
  const row = (label, control) => html`
    <div class="option" key=${label}>
      <h3>${label}</h3>
      ${control}
    </div>
  `;
  return html`
    <section class="card">
      <h2>${say("ui.start.how")}</h2>
      <div class="options">
        ${
          box.modes.length > 1 &&
          row(
            say("ui.start.mode"),
            html`<${Choice}
              label=${say("ui.start.mode")}
              value=${mode}
              options=${box.modes.map((each) => [each, say(`ui.mode.${each}`)])}
              onChange=${(value) => change({ mode: value })}
            />`,
          )
        }
        ${row(
          say("ui.start.pace"),
          html`<${Choice}
            label=${say("ui.start.pace")}
            value=${pace}
            options=${["flow", "press"].map((each) => [each, say(`ui.pace.${each}`)])}
            onChange=${(value) => change({ pace: value })}
          />`,
        )}
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
                value=${options[option.name] ?? option.default}
                options=${valuesOf(option, state.seats, of)}
                onChange=${(value) => put("options", option.name, value)}
              />`,
          ),
        )}
      </div>
    </section>
  `;
}

/** What is sent to have this table laid. */
function asked({ box, seats, mode, sources, pace, options }) {
  const here = (list, key) => new Set(list.filter((each) => each.modes.includes(mode)).map((each) => each[key]));
  const kept = (chosen, known) => Object.fromEntries(Object.entries(chosen).filter(([key]) => known.has(key)));
  return {
    box: box.id,
    mode,
    pace,
    wait: true, // everybody sees the seal, and may stir, before the first draw
    seats: seats.map((seat, i) => ({ ...seat, name: sitting(seats, i) })),
    sources: kept(sources, here(box.sources, "randomizer")),
    options: kept(options, here(box.options, "name")),
  };
}

async function lay(state, change) {
  if (state.busy) return;
  change({ busy: true, error: null });
  try {
    remember(state.seats);
    const laid = await post("/api/tables", asked(state));
    await post(`/api/tables/${laid.table}/enter`, { key: laid.host });
    location.assign(`/table/${laid.table}`);
  } catch (error) {
    change({ busy: false, error });
  }
}

function choose(box, state, change) {
  change({
    box,
    mode: box.modes.includes(state.mode) ? state.mode : box.modes[0],
    seats: seatsFor(box, state.seats),
  });
  requestAnimationFrame(() =>
    document.getElementById("lay")?.scrollIntoView({ block: "nearest", behavior: moving() ? "smooth" : "auto" }),
  );
}

export function start(root) {
  const state = {
    boxes: [],
    unread: [],
    box: null,
    seats: remembered(),
    mode: "referee",
    pace: "flow",
    sources: {},
    options: {},
    busy: false,
    error: null,
  };
  const change = alive(
    root,
    "start",
    state,
    () => html`
      <p class="lead">${say("ui.start.lead")}</p>
      <${Shelf} boxes=${state.boxes} chosen=${state.box} onChoose=${(box) => choose(box, state, change)} />
      ${state.unread.map(
        ({ id, message }) => html`
          <p key=${id} class="refusal" role="status">
            <b>${title(id)}</b> ${message}
          </p>
        `,
      )}
      ${
        state.box &&
        html`
          <form
            id="lay"
            class=${classes("lay")}
            onSubmit=${(event) => {
              event.preventDefault();
              lay(state, change);
            }}
          >
            <${Seats} box=${state.box} seats=${state.seats} onChange=${(seats) => change({ seats })} />
            <${How} box=${state.box} state=${state} change=${change} />
            <div class="lay-foot">
              <p class="caption">${say("ui.start.seal")}</p>
              <button type="submit" class="button main" aria-disabled=${state.busy ? "true" : undefined}>
                ${say("ui.start.lay")}
              </button>
            </div>
            <${Refusal} error=${state.error} />
          </form>
        `
      }
      ${!state.box && html`<${Refusal} error=${state.error} />`}
    `,
  );
  get("/api/boxes").then(
    ({ boxes, unread }) => change({ boxes, unread }),
    (error) => change({ error }),
  );
}
