// The simulated world, to be poked: a card on the cup, a leak, the plug, a firmware that hangs, a voltage that dips.
import { Component, html } from "../../html.js";
import { percent, say } from "../../words.js";
import { Button } from "../../chrome/press.js";

const HANG_S = 1;
const SETTLED = 120;

/** A slider that follows the finger at once and the world when nobody holds it. */
class Leak extends Component {
  slide = (event) => {
    const leak = Number(event.target.value);
    this.setState({ leak });
    clearTimeout(this.clock);
    this.clock = setTimeout(() => this.send(leak), SETTLED);
  };

  async send(leak) {
    await this.props.onLeak(leak);
    if (this.state.leak === leak) this.setState({ leak: null });
  }

  componentWillUnmount() {
    clearTimeout(this.clock);
  }

  render({ world, can }, { leak = null }) {
    const shown = leak ?? world.leak;
    return html`
      <label class="leak-slide">
        <span>
          ${say("ui.rig.world.leak")} <output aria-live="off">${percent(shown)}</output>
        </span>
        <input
          type="range"
          min="0"
          max="1"
          step="0.05"
          value=${shown}
          disabled=${!can}
          aria-valuetext=${percent(shown)}
          onInput=${this.slide}
        />
      </label>
    `;
  }
}

export function World({ rig, act, refusal }) {
  const { world } = rig;
  const press = (doing, value) => html`
    <${Button} key=${doing} can=${act.can.poke ?? false} onPress=${() => act.poke(doing, value)}>
      ${say(`ui.rig.world.${doing}`)}
    <//>
  `;
  return html`
    <section class="world" aria-label=${say("ui.rig.world.title")}>
      <h2>${say("ui.rig.world.title")}</h2>
      <div class="pokes">
        ${press(world.card ? "no_card" : "card")}
        ${press(world.plugged ? "unplug" : "replug")}
        ${press("stall", HANG_S)}
        ${press("brown_out")}
        <${Leak} world=${world} can=${act.live && act.uses} onLeak=${(leak) => act.poke("leak", leak)} />
      </div>
      ${
        refusal &&
        html`
          <p class="refusal" role="alert">
            ${refusal.message}
          </p>
        `
      }
    </section>
  `;
}
