// The excavation chart: knowledge against weeks, lit where one stands; and the weeks of a dig to choose from.
import { classes, html, upTo } from "../../html.js";
import { NextSign, whyNot } from "../../chrome/choosing.js";

const [WIDE, HIGH, LEFT, TOP] = [34, 24, 40, 26];

/**
 * The whole chart as it is printed, with a row lit, and a column.
 * @param helped the row with an assistant more, which is only outlined.
 */
export function Chart({ view, act, knowledge = 0, helped = 0, weeks = 0 }) {
  const { rows, from } = view.board.chart;
  const row = rows[knowledge - 1] ?? [];
  const said = row.map((n, i) => act.say("tomb_raiders.page.chart_cell", { n: i + 1, cards: n }));
  return html`
    <figure class="tr-chart">
      <svg
        viewBox=${`0 0 ${LEFT + 12 * WIDE + 4} ${TOP + 12 * HIGH + 4}`}
        role="img"
        aria-label=${`${act.say("ui.dial.label", { knowledge })}. ${said.join(", ")}`}
      >
        <rect x="1" y="1" width=${LEFT + 12 * WIDE + 2} height=${TOP + 12 * HIGH + 2} rx="8" fill="url(#papyrus)"
          class="tr-paper" />
        <path d="M12 7H20M12 19H20M13 7C13 12 19 14 19 19M19 7C19 12 13 14 13 19" class="hourglass" />
        ${upTo(12).map(
          (i) => html`<text key=${i} x=${LEFT + (i + 0.5) * WIDE} y="14" dy=".34em"
          class=${classes("tr-head", i + 1 === weeks && "lit")}>${i + 1}</text>`,
        )}
        ${
          knowledge > 0 &&
          html`<rect x="3" y=${TOP + (knowledge - 1) * HIGH} width=${LEFT + 12 * WIDE - 3} height=${HIGH} rx="5"
            class="tr-lit" />`
        }
        ${
          helped > knowledge &&
          knowledge > 0 &&
          html`<rect x="3" y=${TOP + (helped - 1) * HIGH} width=${LEFT + 12 * WIDE - 3} height=${HIGH} rx="5"
            class="tr-helped" data-sign="helped" />`
        }
        ${
          weeks > 0 &&
          html`<rect x=${LEFT + (weeks - 1) * WIDE} y="3" width=${WIDE} height=${TOP + 12 * HIGH - 3} rx="5"
            class="tr-lit column" />`
        }
        ${rows.map(
          (cells, k) => html`
            <g key=${k} class=${classes(k + 1 === knowledge && "tr-row")}>
              <text x=${LEFT / 2} y=${TOP + (k + 0.5) * HIGH} dy=".34em" class="tr-head">${k + 1}</text>
              ${cells.map(
                (n, w) => html`
                  <text
                    key=${w}
                    x=${LEFT + (w + 0.5) * WIDE}
                    y=${TOP + (k + 0.5) * HIGH}
                    dy=".34em"
                    class=${classes("tr-cell", n === 0 && "none", k + 1 === knowledge && w + 1 === weeks && "now")}
                  >
                    ${n || "·"}
                  </text>
                `,
              )}
            </g>
          `,
        )}
      </svg>
      ${from === "house" && html`<figcaption class="house tr-house">${act.say("ui.house")}</figcaption>`}
    </figure>
  `;
}

/** The weeks of a dig, from 1 to 12: what the chart shows for each, and who would play then. */
export const Weeks = ({ view, act, rows, cards, chosen, onWeeks }) => html`
  <div class="tr-weeks-choice" role="group" aria-label=${act.say("tomb_raiders.page.weeks_of_dig")}>
    ${rows.map((answer) => {
      const n = cards[answer.weeks - 1];
      const told = act.say("tomb_raiders.page.week_of_dig", { n: answer.weeks, cards: n });
      return html`
        <button
          type="button"
          key=${answer.weeks}
          class=${classes("tr-week", !answer.legal && "cannot")}
          aria-pressed=${answer.weeks === chosen}
          onClick=${() => onWeeks(answer.weeks)}
        >
          <span class="unseen">${[told, whyNot(answer, act)].filter(Boolean).join(" ")}</span>
          <span class="inside" aria-hidden="true">
            <small>${answer.weeks}</small>
            <b>${n || "–"}</b>
            <${NextSign} view=${view} answer=${answer} size=${18} />
          </span>
        </button>
      `;
    })}
  </div>
`;
