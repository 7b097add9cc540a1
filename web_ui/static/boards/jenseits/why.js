// Sentences about what a move would cost and where it would lead, from what the service answers for it.
import { landing } from "../../chrome/choosing.js";

/** The same with a zeppelin, where one is flown. */
export const flown = (answer, zeppelin) => (zeppelin && answer.zeppelin ? answer.zeppelin : answer);

/** Where the marker would land, which permits would be up then, and who would play, or that the game would be over. */
export function landSaid(view, act, { total, up }) {
  const land = landing(view.ask.options, total);
  if (!land) return null;
  const date = { week: land.week, year: String(land.year) };
  const down = view.board.map.sites.map(({ id }) => id).filter((site) => up && !up.includes(site));
  const then = act.say(land.again ? "jenseits.page.again" : "jenseits.page.then", { name: view.seats[land.next].name });
  return `${whenSaid(act, land, date, down)} ${land.over ? act.say("jenseits.page.ends_it") : then}`;
}

function whenSaid(act, land, date, down) {
  if (!land.new_year) return act.say("jenseits.page.lands", date);
  if (down.length === 0) return act.say("jenseits.page.lands_new_year", date);
  return act.say("jenseits.page.lands_new_year_but", { ...date, sites: down });
}

/** The weeks of a trip and of what is done at its end. */
export function sumSaid(act, answer, action, zeppelin) {
  const trip = answer.total - action;
  return act.say(zeppelin ? "jenseits.page.sum_flown" : "jenseits.page.sum", { n: answer.total, trip, action });
}
