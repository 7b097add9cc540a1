// Says plainly when the service is not heard and how old the picture is that one is looking at, or why there is none.
import { html } from "../html.js";
import { clock, say } from "../words.js";

const LATE = 4000; // milliseconds in which a service that is only busy mostly beats again

/** Softly first: the picture is a little old, and nothing is wrong yet. */
const Late = ({ old }) => html`
  <div class="banner-place" role="status">
    <p class="banner late">
      ${say("ui.link.late")} <span aria-hidden="true">${old}</span>
    </p>
  </div>
`;

/** `staleSince` is when the service last knew that nobody had gone on with the table elsewhere, if that is long ago. */
export function Banner({ link, now, staleSince }) {
  if (link?.up !== false) {
    return html`
      <div class="banner-place" role="alert">
        ${staleSince && html`<p class="banner">${say("ui.link.behind", { time: clock(new Date(staleSince)) })}</p>`}
      </div>
    `;
  }
  if (link.why) {
    return html`
      <div class="banner-place" role="alert">
        <p class="banner">
          <b>${link.why}</b> <a href="/">${say("ui.nav.home")}</a>
        </p>
      </div>
    `;
  }
  const seconds = Math.max(1, Math.round((now - link.since) / 1000));
  const old =
    seconds < 120 ? say("ui.link.old", { n: seconds }) : say("ui.link.old_minutes", { n: Math.round(seconds / 60) });
  if (now - link.since < LATE && navigator.onLine) return html`<${Late} old=${old} />`;
  return html`
    <div class="banner-place" role="alert">
      <p class="banner">
        <b>${say("ui.link.lost")}</b> <span aria-hidden="true">${old}</span>
      </p>
    </div>
  `;
}
