// How good the wire to the board is, what the board says of itself, and whether any of it is real.
import { html, classes } from "../../html.js";
import { number, say } from "../../words.js";
import { lasting, tenths } from "./units.js";

const COUNTED = ["retries", "damaged", "lost_frames"];
const GRAVE = ["damaged", "lost_frames"];

/** What arrived damaged counts on whichever side it arrived. */
const count = (link, name) => (name === "damaged" ? link.damaged_here + link.damaged_there : link[name]);

const Figures = ({ link }) => html`
  <dl class="figures">
    <div>
      <dt>${say("ui.rig.link.rtt")}</dt>
      <dd>${link.rtt_ms === null ? "–" : say("ui.rig.link.milliseconds", { n: tenths(link.rtt_ms) })}</dd>
    </div>
    ${COUNTED.map(
      (name) => html`
        <div key=${name} class=${classes(GRAVE.includes(name) && count(link, name) > 0 && "some")}>
          <dt>${say(`ui.rig.link.${name}`)}</dt>
          <dd>${number(count(link, name))}</dd>
        </div>
      `,
    )}
    <div class="wide">
      <dt>${say("ui.rig.link.board")}</dt>
      <dd>${link.board ?? "–"}</dd>
    </div>
  </dl>
`;

/** @param now the rig's clock as it is by now: an idle rig tells nothing for minutes. */
export function Link({ rig, now }) {
  const { link, kind } = rig;
  const since =
    link &&
    link.since !== null &&
    html`
      ${" "}
      <small>${say("ui.rig.link.since", { time: lasting(now - link.since) })}</small>
    `;
  return html`
    <section class="card link-card" aria-label=${say("ui.rig.link.title")}>
      <h2>${say("ui.rig.link.title")}</h2>
      ${
        link
          ? html`
            <p class=${classes("link-state", link.connected ? "up" : "down")}>
              <span class=${classes("link", link.connected ? "up" : "down")} aria-hidden="true"></span>
              <b role="status">${say(link.connected ? "ui.rig.link.connected" : "ui.rig.link.lost")}</b>
              ${since}
            </p>
            <${Figures} link=${link} />
            ${
              link.missing?.length > 0 &&
              html`
                <p class="caption">${say("ui.rig.link.missing", { buttons: link.missing.join(", ") })}</p>
              `
            }
          `
          : html`<p>${say("ui.rig.link.none")}</p>`
      }
      ${
        kind === "sim" &&
        html`
          <p class="caption">
            ${say("ui.rig.link.simulated")}
            ${/twin/i.test(link?.board ?? "") && ` ${say("ui.rig.link.twin")}`}
          </p>
        `
      }
    </section>
  `;
}
