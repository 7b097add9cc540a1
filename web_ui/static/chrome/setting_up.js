// How the real box is set up, step by step: a plan of the table, and on it what is meant.
import { Component, html, classes } from "../html.js";
import { say } from "../words.js";
import { Dialog } from "./dialog.js";
import { Button } from "./press.js";

const LETTERS = 4.2; // hundredths of the plan that a line of it is high

/** A name in lines that fit into a width. */
function lines(text, wide) {
  const most = Math.max(8, Math.floor(wide / (LETTERS * 0.48)));
  const found = [""];
  for (const word of text.split(" ")) {
    const longer = `${found.at(-1)} ${word}`.trim();
    if (longer.length > most && found.at(-1)) found.push(word);
    else found[found.length - 1] = longer;
  }
  return found;
}

/** Where things lie on the table, seen from above; what the step is about is lit. */
export function Plan({ plan, places }) {
  const names = places.map((each) => plan[each].title);
  return html`
    <svg class="set-plan" viewBox="0 0 100 100" role="img" aria-label=${say("evening.teach.plan", { names })}>
      <rect class="set-table" x="0.5" y="0.5" width="99" height="99" rx="4" />
      ${Object.entries(plan).map(([key, { title, at }]) => {
        const [x, y, wide, high] = at;
        const rows = lines(title, wide);
        const top = y + high / 2 - ((rows.length - 1) * LETTERS) / 2;
        return html`
          <g key=${key} class=${classes("set-place", places.includes(key) && "meant")}>
            <rect x=${x} y=${y} width=${wide} height=${high} rx="2" />
            ${rows.map(
              (line, i) => html`
                <text key=${i} x=${x + wide / 2} y=${top + i * LETTERS} dy=".35em" text-anchor="middle">${line}</text>
              `,
            )}
          </g>
        `;
      })}
    </svg>
  `;
}

export class SettingUp extends Component {
  state = { at: 0 };

  render({ steps, plan, onDone }, { at }) {
    const step = steps[at];
    const last = at + 1 === steps.length;
    return html`
      <${Dialog} look="sheet wide set-up" title=${say("evening.teach.setting_up")} onClose=${onDone}>
        <${Plan} plan=${plan} places=${step.places} />
        <p class="set-said" role="status">${step.said}</p>
        <div class="tour-tools">
          ${
            at > 0
              ? html`<${Button} look="quiet" onPress=${() => this.setState({ at: at - 1 })}>
                  ${say("evening.teach.back")}
                <//>`
              : html`<${Button} look="quiet" onPress=${onDone}>${say("evening.teach.skip")}<//>`
          }
          <small>${say("evening.teach.step", { at: at + 1, of: steps.length })}</small>
          <${Button} look="main" onPress=${last ? onDone : () => this.setState({ at: at + 1 })}>
            ${say(last ? "evening.teach.play" : "evening.teach.next")}
          <//>
        </div>
      <//>
    `;
  }
}
