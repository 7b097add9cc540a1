// What a board is handed beside the view: who acts here, whether a press would be taken now, and the presses
// themselves.
import { BRIEF, get, post, press, Refused } from "./api.js";
import { keyHere, known, name, say } from "./words.js";
import { sound } from "./sound.js";

/** Whose board a table is drawn with. */
export const boardOf = (view) => (view.mode === "toolbox" ? "toolbox" : view.box);

/** A phone, and a tablet that is nearly as high as wide: boards lie otherwise there. */
export const SHAPES = {
  narrow: "(max-width: 699px), (max-width: 900px) and (max-height: 899px), (max-height: 499px)",
  tall: "(max-aspect-ratio: 29/20)",
};

export const isNarrow = () => matchMedia(SHAPES.narrow).matches;

/**
 * As whom this screen plays. A host with a seat of their own plays there as everybody does on their phone, and acts for
 * those who have no device while they are asked.
 */
function roleOf({ me, ask, seats }) {
  if (me.role !== "host" || me.seat === null) return me.role;
  const asked = ask.seats ?? (typeof ask.seat === "number" ? [ask.seat] : []);
  const others =
    asked.length > 0 &&
    !asked.includes(me.seat) &&
    asked.some((seat) => !seats[seat].taken && seats[seat].kind === "person");
  return others ? "host" : "seat";
}

/**
 * @param state what the screen holds: `view`, `before`, `link`, `busy`, `refusal`, `rig`, and `ui`, the choices made
 *   on it.
 * @param change takes new parts of that state and redraws; `show` takes a view that came as an answer, with what
 *   else has changed; `reached` gives the view with a number once it is seen.
 */
export function actions(state, { change, show, reached }) {
  const { view, link, busy, ui } = state;
  const { seat: own } = view.me;
  const { ask } = view;
  const hosts = view.me.role === "host";
  const role = roleOf(view);
  const ready = link.up !== false && !busy && role !== "spectator";
  const isPerson = (seat) => (view.seats[seat]?.kind ?? "person") === "person";
  const asked = ask.kind === "move" ? ask.seats.filter(isPerson) : [];
  const mine = (seat) => (role === "host" && isPerson(seat)) || (role === "seat" && own === seat);
  const mayMove = asked.some(mine);
  const anybody = ask.kind === "chance" && (ask.seat === null || !isPerson(ask.seat)); // who has no hands is helped
  const mayDeal = ask.kind === "chance" && role !== "spectator" && (anybody || mine(ask.seat));

  async function send(call, body, { sound: heard } = {}) {
    if (state.busy) return;
    try {
      // It is on its way while this screen draws that it waits.
      const made = body
        ? press(`/api/tables/${view.table}/${call}`, { seq: state.view.seq, ...body }, BRIEF).then(({ seq }) =>
            reached(seq),
          )
        : import("./luck/witness.js").then(({ stir }) => stir(state.view));
      change({ busy: call, refusal: null, liftRefusal: null });
      if (heard) sound(heard);
      const seen = await made;
      show(seen, { busy: null });
      return seen;
    } catch (error) {
      return refused(error);
    }
  }

  function refused(error) {
    const message = error instanceof Refused ? error.message : say("ui.link.unsent");
    const outcome = { busy: null, refusal: { message, rule: error.rule ?? null, facts: error.facts ?? {} } };
    if (error instanceof Refused && error.view) show(error.view, outcome);
    else change(outcome);
  }

  async function atRig(path, body) {
    try {
      change({ rig: await post(path, body), liftRefusal: null });
    } catch (error) {
      refused(error);
    }
  }

  // What the shovel refuses is said in the place of the lift.
  async function byHand(path, body) {
    try {
      change({ rig: await post(path, body), liftRefusal: null });
    } catch (error) {
      change({ liftRefusal: error instanceof Refused ? error.message : say("ui.link.unsent") });
    }
  }

  const seat =
    role === "seat"
      ? own
      : asked.length > 1
        ? firstOf(asked, ui.seat, view)
        : (asked[0] ?? ask.seats?.[0] ?? ask.seat ?? own ?? 0);

  return {
    say,
    name,
    knows: known,
    role,
    hosts,
    seat,
    before: state.before,
    ready,
    rig: state.rig,
    refusal: state.refusal,
    live: link.up !== false,
    liftRefusal: state.liftRefusal,
    owner: state.hands?.owner ?? false,
    narrow: isNarrow(),
    tall: matchMedia(SHAPES.tall).matches,
    mine,
    isPerson,
    mayMove,
    mayDeal,
    can: ready && mayMove,
    canDeal: ready && mayDeal,

    get: (key, otherwise) => ui[key] ?? otherwise,
    set: (choices) => change({ ui: { ...state.ui, ...choices } }),
    choose: (chosen) => change({ ui: { ...state.ui, seat: chosen } }),

    /** A first touch that only chooses: it holds until the table moves on. */
    chosen: (key) => (ui[key]?.played === view.played ? ui[key].choice : null),
    hold: (key, choice) => change({ ui: { ...state.ui, [key]: choice && { played: view.played, choice } } }),

    /** The rules by their headings, as soon as they are there. */
    rulebook: () => import("./rulebook.js").then(({ rulebook }) => rulebook(view)),

    /** Opens the rules at one of them. */
    showRule: (rule) => change({ ui: { ...state.ui, sheet: "help", rule } }),

    /** Makes a move; what is seen after it comes back, or nothing where it was refused. */
    move: (move, how) => send("moves", { move, ...(role === "host" ? { seat } : {}) }, how),
    outcome: (outcome) => send("outcome", { outcome }, { sound: ask.randomizer === "dice" ? "dice" : "token" }),
    /** What a seat sees: with the host's key, to whoever holds the tablet just now. */
    viewOf: (as) => get(`/api/tables/${view.table}?seat=${as}`),

    undo: (to) => send("undo", to === null ? {} : { to }, { sound: "back" }),
    stir: () => send("stir", null),
    correct: (correction) => send("correct", { correction }),
    close: () => send("close", {}),

    /** What becomes of a seat, and of the host's role; and this screen is somebody's own from now on. */
    reseat: (body) => send("seats", body),
    host: (body) => send("host", body),
    sitHere: (at) => press(`/api/tables/${view.table}/join`, { seat: at }).catch(refused),

    settle: () => send("settle", {}),
    /** Says who plays for a seat; and, for the host, how often it may ask for a hint. */
    sit: (of, kind) => send("sit", { seat: of, kind }),
    allowHints: (of, hints) => send("hints", { seat: of, hints }),
    askHint: () => send("hint", { seat }),

    /** Commands to the shovel; stop is sent whatever else is under way. */
    shovel: (doing) => byHand("/api/rig/shovel", { do: doing }),

    /** The hand in the simulated world. */
    world: (doing) => byHand("/api/rig/world", { do: doing }),

    /** Takes the rig to this table, and away from it again. */
    claim: () => atRig(`/api/tables/${view.table}/rig`, {}),
    putBy: () => atRig(`/api/tables/${view.table}/rig/leave`, {}),

    /** Whether lights beside this table show what this screen plans, which all can see; nobody waits for them. */
    shinesHere: role === "host" && state.rig?.table === view.table && state.rig.lights?.length > 0,
    planned: (weeks) => post(`/api/tables/${view.table}/rig/plan`, { weeks }).catch(() => {}),

    /** What was refused need not stand there any longer. */
    forget: () => change({ refusal: null }),

    outcomeSaid: (outcome) =>
      ask.of === "seats" ? (view.seats[outcome]?.name ?? String(outcome)) : name(String(outcome)),
    partSaid(part) {
      const key = keyHere(`score.${part}`);
      return key ? say(key) : name(part);
    },
  };
}

// In a toolbox anybody may act: the one chosen on this screen, else whose marker is furthest back.
function firstOf(asked, chosen, view) {
  if (asked.includes(chosen)) return chosen;
  return view.board.track?.next?.[0] ?? asked[0];
}
