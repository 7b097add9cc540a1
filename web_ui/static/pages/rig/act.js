// What a screen may do with the rig at this moment, and the doing of it.
import { get, post, Refused } from "../../api.js";
import { say } from "../../words.js";

/** Which buttons can work now; the service has the last word. */
function open({ shovel, link, world }, { hand, owner, reading }) {
  if (!shovel) return {};
  const { state, measuring } = shovel;
  const answers = link === null || link.connected;
  const idle = state === "off" && measuring === null && answers && !shovel.resting;
  const vouched = ["priming", "releasing"].includes(state) || (state === "holding" && shovel.doubt);
  return {
    grip: hand && idle,
    release: hand && ["priming", "holding"].includes(state),
    confirm: hand && vouched && measuring === null,
    clear: owner && state === "fault" && answers,
    measure: reading && idle && shovel.gauge,
    poke: hand && world !== null,
  };
}

/**
 * @param state what the page holds: `rig`, `link`, `hands`, and `busy`, the places on the page that wait for an answer.
 * @param change takes new parts of that state and redraws; `take` takes a state of the rig that came as an answer.
 */
export function actions(state, { change, take }) {
  const live = state.link.up !== false && !state.rig.stale;
  const uses = state.hands?.uses ?? false;
  const owner = state.hands?.owner ?? false;
  const free = (where) => live && uses && !state.busy.includes(where);

  /** Does one thing; a refusal is kept with the place on the page where it was asked for. */
  async function ask(where, doing) {
    change({ busy: [...state.busy, where], refusal: null });
    try {
      return await doing();
    } catch (error) {
      const known = error instanceof Refused;
      change({
        refusal: {
          where,
          code: known ? error.code : "unsent",
          message: known ? error.message : say("ui.link.unsent"),
        },
      });
      return null;
    } finally {
      const i = state.busy.indexOf(where);
      change({ busy: state.busy.filter((_, each) => each !== i) });
    }
  }

  const send = (where, path, body) => ask(where, async () => take(await post(path, body)));

  async function measured(reading) {
    await post("/api/rig/calibrate", { reading });
    take(await get("/api/rig"));
    return true;
  }

  return {
    live,
    uses,
    owner,
    can: open(state.rig, {
      hand: free("hand"),
      owner: owner && free("hand"),
      reading: owner && free("hand") && free("calibration"),
    }),
    canLend: live && !state.busy.includes("tables"),
    shovel: (doing, more = {}) => send("hand", "/api/rig/shovel", { do: doing, ...more }),
    poke: (doing, value) => send("world", "/api/rig/world", value === undefined ? { do: doing } : { do: doing, value }),
    read: (reading) => ask("calibration", () => measured(reading)),
    give: (table) => send("tables", `/api/tables/${table}/rig`, {}),
    leave: (table) => send("tables", `/api/tables/${table}/rig/leave`, {}),
  };
}

/** What this screen may do by the keys it keeps, and the tables there are. */
export async function whoMay() {
  const [hands, { tables }] = await Promise.all([get("/api/rig/hands"), get("/api/tables")]);
  return { hands, tables };
}
