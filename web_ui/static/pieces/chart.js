// The chart as it is printed: a row for each point of knowledge, a column for each week, lit where one stands.
import { classes, html, upTo } from "../html.js";
import { loadStylesheet } from "../stylesheets.js";

await loadStylesheet("style/chart");

const [WIDE, HIGH, LEFT, TOP] = [34, 24, 40, 26];

/**
 * @param rows tokens for each point of knowledge and each week; `knowledge` the row that is lit, `weeks` the column.
 * @param helped the row with an assistant more, which is only outlined.
 */
export function Chart({ rows, house, knowledge = 0, helped = 0, weeks = 0, say }) {
  const [wide, high] = [LEFT + rows[0].length * WIDE, TOP + rows.length * HIGH];
  const row = rows[knowledge - 1] ?? [];
  const labels = row.map((n, i) => `${say("ui.dial.weeks", { n: i + 1 })}: ${say("ui.dial.tokens", { n })}`);
  const lit = (n, look, sign) => html`
    <rect x="3" y=${TOP + (n - 1) * HIGH} width=${wide - 3} height=${HIGH} rx="5" class=${look} data-sign=${sign} />
  `;
  return html`
    <figure class="chart">
      <svg
        viewBox=${`0 0 ${wide + 4} ${high + 4}`}
        role="img"
        aria-label=${`${say("ui.dial.label", { knowledge })}. ${labels.join(", ")}`}
      >
        <rect x="1" y="1" width=${wide + 2} height=${high + 2} rx="8" fill="url(#papyrus)" class="chart-paper" />
        <path d="M12 7H20M12 19H20M13 7C13 12 19 14 19 19M19 7C19 12 13 14 13 19" class="hourglass" />
        ${rows[0].map(
          (_, i) => html`<text key=${i} x=${LEFT + (i + 0.5) * WIDE} y="14" dy=".34em"
          class=${classes("chart-head", i + 1 === weeks && "lit")}>${i + 1}</text>`,
        )}
        ${knowledge > 0 && lit(knowledge, "chart-lit")}
        ${helped > knowledge && knowledge > 0 && lit(helped, "chart-helped", "helped")}
        ${
          weeks > 0 &&
          html`<rect x=${LEFT + (weeks - 1) * WIDE} y="3" width=${WIDE} height=${high - 3} rx="5"
            class="chart-lit column" />`
        }
        ${rows.map(
          (cells, k) => html`
            <g key=${k} class=${classes(k + 1 === knowledge && "chart-row")}>
              <text x=${LEFT / 2} y=${TOP + (k + 0.5) * HIGH} dy=".34em" class="chart-head">${k + 1}</text>
              ${cells.map(
                (n, w) => html`
                  <text
                    key=${w}
                    x=${LEFT + (w + 0.5) * WIDE}
                    y=${TOP + (k + 0.5) * HIGH}
                    dy=".34em"
                    class=${classes("chart-cell", n === 0 && "none", k + 1 === knowledge && w + 1 === weeks && "now")}
                  >
                    ${n || "·"}
                  </text>
                `,
              )}
            </g>
          `,
        )}
      </svg>
      ${house && html`<figcaption class="house chart-house">${say("ui.house")}</figcaption>`}
    </figure>
  `;
}

/** The row of the chart that is lit, to press: so many weeks, and what they bring. */
export const ChartWeeks = ({ tokens, weeks, say, can, onWeeks }) => html`
  <div class="chart-weeks" role="group" aria-label=${say("ui.dial.ring_weeks")}>
    ${upTo(tokens.length - 1).map(
      (i) => html`
        <button
          type="button"
          key=${i}
          class="chart-week"
          aria-pressed=${weeks === i + 1}
          aria-disabled=${can ? undefined : "true"}
          onClick=${() => can && onWeeks(i + 1, tokens[i + 1])}
        >
          <span class="unseen">
            ${`${say("ui.dial.weeks", { n: i + 1 })}: ${say("ui.dial.tokens", { n: tokens[i + 1] })}`}
          </span>
          <span class="inside" aria-hidden="true"><small>${i + 1}</small><b>${tokens[i + 1] || "–"}</b></span>
        </button>
      `,
    )}
  </div>
`;
