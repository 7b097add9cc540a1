// A warning over the page: what this device adds to the luck no longer counts. It stays until somebody has read it.
import { html, render } from "../html.js";
import { learnLater, say } from "../words.js";

let place = null;
let words = null;

const Alarm = ({ view, why }) => html`
  <p class="banner">
    <b>${say(`evening.alarm.${why}`)}</b>${" "}
    <a href=${`/luck/${view.table}`}>${say("evening.alarm.luck")}</a>
  </p>
`;

/** Show the warning. @param why the last part of its words' key. */
export async function raiseAlarm(view, why) {
  words ??= learnLater();
  await words.catch(() => {});
  if (!place) {
    place = document.body.appendChild(document.createElement("div"));
    place.className = "banner-place luck-alarm";
    place.setAttribute("role", "alert");
  }
  render(html`<${Alarm} view=${view} why=${why} />`, place);
}

/** Hide it, once it was read. */
export const hideAlarm = () => place && render(null, place);
