// What this device adds to the luck does not count any more: said over the page until somebody has read it.
import { html, render } from "../html.js";
import { learnLater, say } from "../words.js";

let place = null;
let learnt = null;

const Alarm = ({ view, why }) => html`
  <p class="banner">
    <b>${say(`evening.alarm.${why}`)}</b>${" "}
    <a href=${`/luck/${view.table}`}>${say("evening.alarm.luck")}</a>
  </p>
`;

/** Says what has happened. */
export async function raiseAlarm(view, why) {
  learnt ??= learnLater();
  await learnt.catch(() => {});
  if (!place) {
    place = document.body.appendChild(document.createElement("div"));
    place.className = "banner-place luck-alarm";
    place.setAttribute("role", "alert");
  }
  render(html`<${Alarm} view=${view} why=${why} />`, place);
}

/** It was read. */
export const hideAlarm = () => place && render(null, place);
