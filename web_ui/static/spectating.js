// A table to look at, at any of its steps, with everybody's eyes and nothing to press.
import { actions, boardOf } from "./actions.js";
import { get } from "./api.js";
import { learnPrinted } from "./pieces/printed.js";
import { name, say } from "./words.js";

/** The table as everybody saw it after a step. */
export const viewAt = (table, seq) => get(`/api/tables/${table}?seat=spectator&seq=${seq}`);

/** The board of a table, and what is printed on its pieces. */
export async function loadBoard(view) {
  const [plugin] = await Promise.all([import(`./boards/${boardOf(view)}/index.js`), learnPrinted(view.box)]);
  await plugin.ready?.(view);
  return plugin;
}

/** What a board is handed where nobody plays: it may be looked through, and no move is made. */
export const spectatorActions = ({ view, before, ui }, change) =>
  actions({ view, before, ui, link: { up: true }, busy: null, refusal: null, rig: null }, { change, show: () => {} });

/** The newest line of what happened at a step; nothing where it is the first. */
export const newestLine = (view) => view.log.find((line) => line.seq === view.seq) ?? null;

/** Who made the report that an end hangs on, by name. */
export const whoSaid = ({ hinge, seats }) => (hinge.seat === null ? name("host") : seats[hinge.seat].name);

/** What was reported, in words, as the board calls it; what is for one seat alone is said to be so. */
export function reportSaid(view, plugin, report) {
  const { outcome, of } = report;
  if (outcome === null) return say("evening.hinge.unseen", { who: whoSaid(view) });
  if (of === "seats") return view.seats[outcome].name;
  return plugin.outcomeSaid?.({ ...view, ask: report }, outcome) ?? name(String(outcome));
}

/** What came up with the newest step, if something was drawn before everybody's eyes. */
export function cameUp(view, before) {
  const line = newestLine(view);
  if (line?.kind !== "outcome" || before?.seq !== view.seq - 1 || before.ask.kind !== "chance") return null;
  const values = Object.values(line.what);
  const fallen = before.ask.odds.map(([outcome]) => outcome).filter((outcome) => values.includes(outcome));
  return fallen.length > 0 ? fallen[0] : null;
}
