// How a tablet comes to trust this service, so that it may keep its screen awake and be put on the home screen.
import { html, upTo } from "../html.js";
import { say } from "../words.js";
import { alive } from "../chrome/frame.js";
import { dozes } from "../wakelock.js";

const DEVICES = { android: 4, apple: 5, windows: 4, linux: 3 };

const Steps = ({ device, count }) => html`
  <section class="card device">
    <h2>${say(`ui.certificate.${device}.title`)}</h2>
    <ol class="steps">
      ${upTo(count).map((i) => html`<li key=${i}>${say(`ui.certificate.${device}.step_${i + 1}`)}</li>`)}
    </ol>
  </section>
`;

export function start(root) {
  const state = { there: null };
  const secure = window.isSecureContext && location.protocol === "https:";
  const change = alive(
    root,
    "certificate",
    state,
    () => html`
      <p class="lead">${say("ui.certificate.why")}</p>
      <p class="notice">${say(secure ? "ui.certificate.secure" : "ui.certificate.plain")}</p>
      ${dozes() && html`<p class="notice">${say("ui.table.dozes")}</p>`}
      ${
        state.there === true &&
        html`
          <p>
            <a class="button main" href="/certificate.crt" download="digside.crt">
              ${say("ui.certificate.load")}
            </a>
          </p>
        `
      }
      ${
        state.there === false &&
        html`
          <p class="notice">
            ${say("ui.certificate.none")} <code>digside serve --https</code>
          </p>
        `
      }
      <div class="columns">
        ${Object.entries(DEVICES).map(
          ([device, count]) => html`<${Steps} key=${device} device=${device} count=${count} />`,
        )}
      </div>
      <p class="caption">${say("ui.certificate.remove")}</p>
    `,
  );
  fetch("/certificate.crt", { method: "HEAD" }).then(
    (answer) => change({ there: answer.ok }),
    () => change({ there: false }),
  );
}
