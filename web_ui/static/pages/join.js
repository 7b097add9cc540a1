// Where a phone lands from its code: with a seat's key it goes to the table; with the room's, somebody types a name and
// takes a free seat, or looks on.
import { html } from "../html.js";
import { get, post, press } from "../api.js";
import { learnLater, say } from "../words.js";
import { alive, Line, Refusal } from "../chrome/frame.js";
import { Button } from "../chrome/press.js";
import { SeatSign } from "../pieces/marker.js";

const ROOM = "room=";
const NAMED = "digside-name";

function remembered() {
  try {
    return localStorage.getItem(NAMED) ?? "";
  } catch {
    return "";
  }
}

function remember(name) {
  try {
    localStorage.setItem(NAMED, name);
  } catch {
    // A private window: the name is typed again next time.
  }
}

/** Nobody has taken it, and no bot plays there. */
const isFree = ({ taken, kind }) => !taken && kind === "person";

const Look = ({ table }) => html`
  <p>
    <a class="button quiet" href=${`/table/${table}`}>${say("ui.join.look")}</a>
  </p>
`;

/** Who may still sit here: at a seat that nobody has taken, or before the first step at one more. */
function Free({ state, sit }) {
  const { view, most, name } = state;
  const free = view.seats.map((seat, at) => ({ seat, at })).filter(({ seat }) => isFree(seat));
  const more = !view.begun && view.seats.length < most;
  if (view.settled || (free.length === 0 && !more)) return html`<p class="lead">${say("ui.join.full")}</p>`;
  return html`
    <h2>${say("ui.join.choose")}</h2>
    <ul class="free-seats">
      ${free.map(
        ({ seat, at }) => html`
          <li key=${at}>
            <${Button} class="free-seat" can=${!state.busy} onPress=${() => sit(at)}>
              <${SeatSign} seat=${seat} size=${34} />
              <span>${name.trim() ? seat.name : say("ui.join.sit_as", { name: seat.name })}</span>
            <//>
          </li>
        `,
      )}
      ${
        more &&
        html`
          <li>
            <${Button} class="free-seat" can=${!state.busy && name.trim() !== ""} onPress=${() => sit(null)}>
              + ${say("ui.join.sit_new")}
            <//>
          </li>
        `
      }
    </ul>
  `;
}

const Room = ({ state, change, sit }) => html`
  <form
    class="card sit-down"
    onSubmit=${(event) => {
      event.preventDefault();
      sit(undefined);
    }}
  >
    <${Line}
      id="name"
      label=${say("ui.join.your_name")}
      maxlength="24"
      autocomplete="given-name"
      value=${state.name}
      onInput=${(event) => change({ name: event.target.value })}
    />
    <${Free} state=${state} sit=${sit} />
    <${Refusal} error=${state.error} />
  </form>
`;

export async function start(root, { table }) {
  const hash = location.hash.slice(1);
  await learnLater().catch(() => {});
  const state = { error: null, view: null, most: 0, name: remembered(), busy: false };
  const there = () => location.replace(`/table/${table}`);
  const code = hash.startsWith(ROOM) ? hash.slice(ROOM.length) : null;
  const change = alive(
    root,
    "join",
    state,
    (_, again) => html`
      ${
        state.view
          ? html`<${Room} state=${state} change=${again} sit=${sit} />`
          : state.error
            ? html`<${Refusal} error=${state.error} />`
            : html`<p class="lead" role="status">${say("ui.join.opening")}</p>`
      }
      <${Look} table=${table} />
    `,
  );

  async function sit(at) {
    if (state.busy) return;
    change({ busy: true, error: null });
    const seat = at === undefined ? state.view.seats.findIndex(isFree) : at;
    const name = state.name.trim();
    try {
      await press(`/api/tables/${table}/join`, {
        code,
        ...(name && { name }),
        ...(seat !== null && seat >= 0 && { seat }),
      });
      if (name) remember(name);
      there();
    } catch (error) {
      change({ busy: false, error, view: await get(`/api/tables/${table}`).catch(() => state.view) });
    }
  }

  // A key is forgotten from the address; the room's code may stand there: who loads the page anew needs it.
  if (code === null) {
    const [key, carried] = hash.split(","); // what is carried comes from another Digside
    history.replaceState(null, "", location.pathname);
    if (!key) return there();
    const known = carried && import("../luck/witness.js").then(({ unpack }) => unpack(table, carried));
    const entered = post(`/api/tables/${table}/enter`, { key: decodeURIComponent(key) });
    return Promise.all([entered, known]).then(there, (error) => change({ error }));
  }
  try {
    const [view, { boxes }] = await Promise.all([get(`/api/tables/${table}`), get("/api/boxes")]);
    if (view.me.role !== "spectator") return there();
    change({ view, most: boxes.find(({ id }) => id === view.box)?.seats.max ?? 0 });
  } catch (error) {
    change({ error });
  }
}
