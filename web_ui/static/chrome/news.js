// What has happened, told aloud once it can be seen: to screen readers, and by the browser's own voice where wanted.
import { preferences } from "../preferences.js";
import { lineSaid } from "./log.js";

const MOST = 4; // lines of one step
const SHOWN = 150; // milliseconds in which what comes up fills the screen

const unsaid = [];

/** A view has come after another. @param screen says whether it is filled just now: `playing`. */
export function report(view, before, screen) {
  const fresh = view.log.filter((entry) => entry.seq > before.seq);
  const news = (screen.plugin?.folded?.(fresh) ?? fresh).slice(-MOST);
  unsaid.push({ view, before, words: news.map((entry) => lineSaid(view, entry)).join(". ") });
  setTimeout(() => tellSeen(screen), SHOWN);
}

/** Nobody hears what has come up before they can see it. */
export function tellSeen({ playing }) {
  const news = playing ? [] : unsaid.splice(0);
  if (news.length === 0) return;
  const words = news
    .map((each) => each.words)
    .filter(Boolean)
    .join(". ");
  if (words) document.getElementById("said").textContent = words;
  if (preferences().voice !== "on") return;
  import("./voice.js").then(
    ({ readAloud }) => readAloud(news.at(-1).view, news[0].before, words),
    () => {}, // what cannot be fetched is not said; it is on the page
  );
}
