// Brass gauges of the pump's time, and the counter of lifts.
import { html, classes } from "../../html.js";
import { say } from "../../words.js";

const HALF = Math.PI * 40;

/** A half circle that fills; `low` colours it when it warns. */
export function Gauge({ label, ms, of, low }) {
  const share = Math.min(1, Math.max(0, ms / of));
  const seconds = Math.round(ms / 1000);
  const text = say("ui.rig.hand.seconds_of", { n: seconds, of: Math.round(of / 1000) });
  return html`
    <div
      class=${classes("gauge", low && "low")}
      role="meter"
      aria-label=${label}
      aria-valuemin="0"
      aria-valuemax=${Math.round(of / 1000)}
      aria-valuenow=${seconds}
      aria-valuetext=${text}
    >
      <svg viewBox="0 0 100 58" aria-hidden="true">
        <path d="M10 52A40 40 0 0 1 90 52" class="gauge-groove" />
        <path
          d="M10 52A40 40 0 0 1 90 52"
          class="gauge-fill"
          stroke-dasharray=${`${(share * HALF).toFixed(1)} 200`}
        />
        <text x="50" y="50" class="gauge-number">
          ${seconds}
          <tspan class="gauge-of"> / ${Math.round(of / 1000)}</tspan>
        </text>
      </svg>
      <p aria-hidden="true">${label}</p>
    </div>
  `;
}

export const Gauges = ({ shovel }) => html`
  <div class="gauges">
    <${Gauge}
      label=${say("ui.rig.hand.on_time")}
      ms=${shovel.on_ms}
      of=${shovel.longest_ms}
      low=${shovel.on_ms > shovel.longest_ms * 0.75}
    />
    <${Gauge} label=${say("ui.rig.hand.budget")} ms=${shovel.budget_ms} of=${shovel.rested_ms} low=${shovel.resting} />
    <p class="lifts">
      <b>${shovel.lift}</b> ${say("ui.rig.hand.lifts", { n: shovel.lift })}
    </p>
  </div>
`;
