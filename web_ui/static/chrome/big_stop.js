// The big STOP of the shovel: one touch of anybody, sent until it has arrived, and told if it has not.
import { Component, html, classes } from "../html.js";
import { post } from "../api.js";
import { say } from "../words.js";

const AGAIN = 400;
const LATE = 900;
const GIVEN_UP = 12_000; // a stop that comes much later would stop somebody else's lift
const SAID = 3000;
const ONE_PRESS = 600; // a touch is also a click; both are one press

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** Sends a stop until it has arrived; `tell` is given `late` while it has not, and `lost` when it is given up. */
async function deliver(tell) {
  const began = performance.now();
  const late = setTimeout(() => tell("late"), LATE);
  try {
    while (performance.now() - began < GIVEN_UP) {
      try {
        return await post("/api/rig/stop");
      } catch {
        tell("late");
        await pause(AGAIN);
      }
    }
    tell("lost");
    return null;
  } finally {
    clearTimeout(late);
  }
}

const RUNS = ["priming", "holding", "releasing"];

/** Whether the shovel is in the middle of a lift, so that there is something to stop. */
export const runs = (shovel) => RUNS.includes(shovel?.state);

/** @param onTold takes the rig's state as the stop left it. */
export class BigStop extends Component {
  press = () => {
    const now = performance.now();
    if (now - (this.pressed ?? -Infinity) < ONE_PRESS) return;
    this.pressed = now;
    this.send();
  };

  async send() {
    const mine = {};
    this.mine = mine;
    const tell = (delivery) => this.mine === mine && this.setState({ delivery });
    clearTimeout(this.clock);
    tell("sending");
    const rig = await deliver(tell);
    if (rig === null) return;
    this.props.onTold?.(rig);
    tell("arrived");
    this.clock = setTimeout(() => tell(null), SAID);
  }

  componentWillUnmount() {
    this.mine = null;
    clearTimeout(this.clock);
  }

  render({ running }, { delivery }) {
    return html`
      <section class=${classes("big-stop", running && "running", delivery)} aria-label=${say("ui.stop.place")}>
        <button
          type="button"
          class="stop"
          onPointerDown=${this.press}
          onClick=${this.press}
          aria-label=${`${say("ui.shovel.stop")}: ${say("ui.shovel.stop_label")}`}
        >
          ${say("ui.shovel.stop")}
        </button>
        <p class="stop-said" role="alert">
          ${delivery && say(`ui.stop.${delivery}`)}
        </p>
      </section>
    `;
  }
}
