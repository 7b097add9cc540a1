// The time track of light as it shines beside the table: a strip of weeks bent round the ring of the dial.
import { html } from "../../html.js";
import { say } from "../../words.js";

const MIDDLE = 120;
const STRIP = 104;
const RING = 52;
const FAINT = 3; // a pixel dazzles long before it is a bright colour on a screen

const seen = (hex) => {
  const parts = [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  return `rgb(${parts.map((part) => Math.round(255 * part ** (1 / FAINT))).join(" ")})`;
};

const pixels = (colours, radius, size) =>
  colours.map((hex, i) => {
    const turn = (2 * Math.PI * i) / colours.length - Math.PI / 2;
    const [x, y] = [MIDDLE + radius * Math.cos(turn), MIDDLE + radius * Math.sin(turn)];
    return html`<circle key=${i} cx=${x} cy=${y} r=${size} fill=${seen(hex)} class="pixel" />`;
  });

export const Lights = ({ rig }) => html`
  <section class="card lights" aria-label=${say("ui.rig.lights.title")}>
    <h2>${say("ui.rig.lights.title")}</h2>
    <svg viewBox="0 0 240 240" role="img" aria-label=${say("ui.rig.lights.picture")}>
      <circle cx=${MIDDLE} cy=${MIDDLE} r="118" class="lights-board" />
      ${pixels(rig.lights.slice(0, rig.weeks), STRIP, 4.6)} ${pixels(rig.lights.slice(rig.weeks), RING, 7)}
    </svg>
    <p class="caption">${say("ui.rig.lights.caption")}</p>
  </section>
`;
