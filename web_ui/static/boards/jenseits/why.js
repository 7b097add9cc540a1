// Sentences about what a move would cost and where it would lead, from what the service answers for it.
import { landing } from "../../chrome/choosing.js";

/** The same with a zeppelin, where one is flown. */
export const flown = (answer, zeppelin) => (zeppelin && answer.zeppelin ? answer.zeppelin : answer);

/** Where the marker would land and who would play then. */
export function landSaid(view, act, weeks) {
  const land = landing(view.ask.options, weeks);
  if (!land) return null;
  const date = { week: land.week, year: String(land.year) };
  const where = act.say(land.new_year ? "jenseits.page.lands_new_year" : "jenseits.page.lands", date);
  const then = act.say(land.again ? "jenseits.page.again" : "jenseits.page.then", { name: view.seats[land.next].name });
  return `${where} ${then}`;
}

/** The weeks of a trip and of what is done at its end. */
export function sumSaid(act, answer, action, zeppelin) {
  const trip = answer.total - action;
  return act.say(zeppelin ? "jenseits.page.sum_flown" : "jenseits.page.sum", { n: answer.total, trip, action });
}
