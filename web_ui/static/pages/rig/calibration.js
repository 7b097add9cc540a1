// Guided calibration: three readings, each with a picture and a sentence; what was read, and what follows from it.
import { Component, html, classes } from "../../html.js";
import { known, say } from "../../words.js";
import { Button } from "../../chrome/press.js";
import { tenths } from "./units.js";

const READINGS = ["ambient", "open", "sealed"];
const BEFORE = { open: "no_card", sealed: "card" }; // what the simulated world has to do first

const CUP = "M-8-62H8V-22H-8ZM-9-22H9C13-8 30-4 34 8H-34C-30-4-13-8-9-22Z";
const AIR = "M-52 14C-40 10-36 22-24 18M52 14C40 10 36 22 24 18";

/** Each reading as one glance: no air moves, air comes in, the cup is shut by the tile. */
const Picture = ({ reading }) => html`
  <svg class="guide-picture" viewBox="-80 -74 160 128" aria-hidden="true">
    <path d="M-80 44H80V54H-80Z" fill="url(#wood)" />
    ${reading === "sealed" && html`<path d="M-60 30H60V44H-60Z" class="tile" />`}
    <g transform=${`translate(0 ${reading === "sealed" ? 22 : reading === "open" ? -6 : 6})`}>
      <path d=${CUP} class="guide-cup" />
      ${reading === "open" && html`<path d=${AIR} class="guide-air" />`}
    </g>
    <circle cx="58" cy="-50" r="15" class=${classes("guide-pump", reading !== "ambient" && "on")} />
    <path
      d=${reading === "ambient" ? "M53-56V-44M63-56V-44" : "M54-57L65-50L54-43Z"}
      class="guide-sign"
    />
  </svg>
`;

const Done = ({ reading, kpa, now }) => html`
  <li
    class=${classes("reading", kpa !== null && "read", now && "now")}
    aria-current=${now ? "step" : undefined}
  >
    <${Picture} reading=${reading} />
    <span>
      <b>${say(`ui.rig.reading.${reading}`)}</b>
      <span class="read-kpa">
        ${kpa === null ? say("ui.rig.calibration.untaken") : say("ui.rig.calibration.read", { kpa: tenths(kpa) })}
      </span>
    </span>
  </li>
`;

export const Thresholds = ({ thresholds }) => html`
  <ul class="thresholds">
    <li class="held">${say("ui.rig.line.held_from", { kpa: tenths(thresholds.held) })}</li>
    <li class="lost">${say("ui.rig.line.lost_below", { kpa: tenths(thresholds.lost) })}</li>
    <li class="clear">${say("ui.rig.line.clear_to", { kpa: tenths(thresholds.clear) })}</li>
  </ul>
`;

function Refusal({ refusal }) {
  const remedy = `ui.rig.remedy.${refusal.code}`;
  return html`
    <div class="refusal" role="alert">
      <p>${refusal.message}</p>
      ${known(remedy) && html`<p>${say(remedy)}</p>`}
    </div>
  `;
}

/** In the simulated world the cup and the card are moved from here. */
function Prepare({ reading, world, act }) {
  const before = BEFORE[reading];
  if (!world || !before || world.card === (before === "card")) return null;
  return html`
    <p class="prepare">
      ${say("ui.rig.calibration.world_hint")}${" "}
      <${Button} can=${act.can.poke ?? false} onPress=${() => act.poke(before)}>
        ${say(`ui.rig.calibration.${before === "card" ? "world_on" : "world_off"}`)}
      <//>
    </p>
  `;
}

/** A calibration that was begun and not ended goes on where it was, on every screen. */
const underWay = (readings) => readings.ambient !== null && readings.sealed === null;

export class Calibration extends Component {
  begin = () => this.setState({ guided: true, anew: true });

  finish = () => this.setState({ guided: false });

  take = async (reading) => {
    if (await this.props.act.read(reading)) this.setState({ guided: true, anew: false });
  };

  rest({ shovel, act }) {
    return html`
      <p>${say(shovel.calibrated ? "ui.rig.calibration.done" : "ui.rig.calibration.never")}</p>
      ${!act.owner && html`<p class="caption">${say("ui.rig.calibration.owner")}</p>`}
      <div class="tool-row">
        <${Button}
          look=${shovel.calibrated ? "" : "main"}
          can=${act.can.measure ?? false}
          onPress=${this.begin}
        >
          ${say(shovel.calibrated ? "ui.rig.calibration.anew" : "ui.rig.calibration.begin")}
        <//>
      </div>
    `;
  }

  guide({ rig, act, refusal, busy }, taken) {
    const next = READINGS.find((reading) => (taken[reading] ?? null) === null);
    const taking = busy.includes("calibration") || rig.shovel.measuring !== null;
    return html`
      <ol class="readings" aria-label=${say("ui.rig.calibration.steps")}>
        ${READINGS.map(
          (reading) => html`
            <${Done}
              key=${reading}
              reading=${reading}
              kpa=${taken[reading] ?? null}
              now=${reading === next}
            />
          `,
        )}
      </ol>
      ${
        next
          ? html`
            <p class="guide-how" role="status">
              ${taking ? say("ui.rig.calibration.taking") : say(`ui.rig.guide.${next}`)}
            </p>
            ${!taking && html`<${Prepare} reading=${next} world=${rig.world} act=${act} />`}
          `
          : html`
            <p role="status">${say("ui.rig.calibration.result")}</p>
            <${Thresholds} thresholds=${rig.shovel.thresholds} />
          `
      }
      ${refusal && html`<${Refusal} refusal=${refusal} />`}
      <div class="tool-row">
        ${
          next
            ? html`
              <${Button} look="main" can=${act.can.measure ?? false} onPress=${() => this.take(next)}>
                ${say("ui.rig.calibration.take")}
              <//>
            `
            : html`
              <${Button} look="main" onPress=${this.finish}>
                ${say("ui.rig.calibration.finish")}
              <//>
            `
        }
        <${Button} look="quiet" can=${!taking} onPress=${this.begin}>
          ${say("ui.rig.calibration.again")}
        <//>
      </div>
    `;
  }

  render(props, { guided = false, anew = false }) {
    const { readings } = props.rig.shovel;
    return html`
      <section class="card calibration" aria-label=${say("ui.rig.calibration.title")}>
        <h2>${say("ui.rig.calibration.title")}</h2>
        ${
          guided || underWay(readings)
            ? this.guide(props, anew ? {} : readings)
            : this.rest({ shovel: props.rig.shovel, act: props.act })
        }
      </section>
    `;
  }
}
