// The weeks of a dig to choose from.
import { classes, html } from "../../html.js";
import { NextSign, whyNot } from "../../chrome/choosing.js";

/** The weeks of a dig, from 1 to 12: what the chart shows for each, and who would play then. */
export const Weeks = ({ view, act, rows, cards, chosen, onWeeks }) => html`
  <div class="tr-weeks-choice" role="group" aria-label=${act.say("tomb_raiders.page.weeks_of_dig")}>
    ${rows.map((answer) => {
      const n = cards[answer.weeks - 1];
      const text = act.say("tomb_raiders.page.week_of_dig", { n: answer.weeks, cards: n });
      return html`
        <button
          type="button"
          key=${answer.weeks}
          class=${classes("tr-week", !answer.legal && "cannot")}
          aria-pressed=${answer.weeks === chosen}
          onClick=${() => onWeeks(answer.weeks)}
        >
          <span class="unseen">${[text, whyNot(answer, act)].filter(Boolean).join(" ")}</span>
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
