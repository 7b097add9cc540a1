// The chart beside the table, lit where whoever plays stands.
import { html } from "../../html.js";
import { Chart } from "../../pieces/chart.js";
import { RegionSign } from "./cards.js";
import { rounded } from "./plan.js";

/** The region whose row of the chart is lit: the one touched, else the one that is known best. */
function litRegion(view, act) {
  const digs = view.ask.options?.digs ?? {};
  const known = Object.entries(digs).sort(([, a], [, b]) => b.knowledge.total - a.knowledge.total);
  return act.get("region", null) ?? known[0]?.[0] ?? null;
}

/** What everybody may expect of a pile. */
const pileSaid = (act, forecast) =>
  act.say("tomb_raiders.page.forecast_pile", {
    cards: rounded(forecast.lie),
    points: rounded(forecast.cards[1] ? forecast.points[1] / forecast.cards[1] : 0),
  });

/** The chart, lit where whoever plays stands. */
export function Part({ view, act }) {
  const region = litRegion(view, act);
  const dig = view.ask.options?.digs?.[region];
  const plan = act.chosen("card");
  return html`
    <div class="tr-chart-place">
      <div class="tr-chart-head">
        <p class="tr-chart-name" aria-hidden="true">
          ${
            dig
              ? html`
                <${RegionSign} view=${view} region=${region} size=${22} />
                ${act.say("tomb_raiders.page.knowledge", { n: dig.knowledge.total })}
              `
              : act.name("chart")
          }
        </p>
        ${dig?.forecast && html`<p class="tr-forecast">${pileSaid(act, dig.forecast)}</p>`}
      </div>
      <${Chart}
        rows=${view.board.chart.rows}
        house=${view.board.chart.from === "house"}
        say=${act.say}
        knowledge=${dig?.knowledge.total}
        helped=${dig?.helped}
        weeks=${act.role === "seat" ? plan?.weeks : 0}
      />
    </div>
  `;
}
