// Help for a move is no part of the views that a stream tells: it is asked for by the screen that shows it.
import { get } from "./api.js";

const LATER = 900; // milliseconds: whoever only looks on asks once the table rests
const AGAIN = 500;

const lacks = ({ ask }) => ask.kind === "move" && !ask.options;
const mayMove = ({ ask, me }) => me.role === "host" || (me.role === "seat" && ask.seats.includes(me.seat));
const withHelp = (view, options) => ({ ...view, ask: { ...view.ask, options } });

/**
 * Gives views to `show` once the help for whoever is asked is there; to those who only look on at once, and with the
 * help a little later. `eager`: all of them are shown with it. What has become old meanwhile is not shown.
 */
export function loadAids(show, { eager = false, query = "" } = {}) {
  let newest = null;
  let timer = 0;

  async function ask(view) {
    try {
      const { seq, options } = await get(`/api/tables/${view.table}/aids${query}`);
      if (view !== newest || seq > view.seq) return;
      if (seq === view.seq) return show(withHelp(view, options));
    } catch {
      // It is asked for again.
    }
    if (view === newest) timer = setTimeout(ask, AGAIN, view);
  }

  return (view) => {
    clearTimeout(timer);
    newest = view;
    if (!lacks(view)) return show(view);
    if (eager || mayMove(view)) return ask(view);
    timer = setTimeout(ask, LATER, view);
    show(withHelp(view, {}));
  };
}
