// How the real box is set up, step by step: a plan of the table with the pieces that lie there by now.
import { isThere } from "../addresses.js";
import { Component, html, classes } from "../html.js";
import { say } from "../words.js";
import { Dialog } from "./dialog.js";
import { Button } from "./press.js";

/** The drawings of a box's board, by the places of its plan; none where it has none. */
async function drawings(box) {
  if (!isThere(`/static/boards/${box}/set_up.js`)) return {};
  return (await import(`../boards/${box}/set_up.js`)).drawn;
}

/**
 * The table seen from above: in each place the pieces that lie there by now; what the step is about is lit.
 * @param has whether a step is done, or is the one that is read.
 */
export function Plan({ plan, places, drawn, view, act, has }) {
  const names = places.map((each) => plan[each].title);
  return html`
    <div class="set-plan" role="img" aria-label=${say("evening.teach.plan", { names })}>
      ${Object.entries(plan).map(
        ([
          key,
          {
            title,
            at: [left, top, width, height],
          },
        ]) => {
          const at = { left: `${left}%`, top: `${top}%`, width: `${width}%`, height: `${height}%` };
          return html`
          <div key=${key} class=${classes("set-place", places.includes(key) && "meant")} style=${at}>
            <div class="set-drawn" inert>${drawn[key]?.({ view, act, has })}</div>
            <span>${title}</span>
          </div>
        `;
        },
      )}
    </div>
  `;
}

export class SettingUp extends Component {
  state = { at: 0, drawn: {} };

  componentDidMount() {
    drawings(this.props.view.box).then(
      (drawn) => this.setState({ drawn }),
      () => {}, // a plan without drawings says where things go, too
    );
  }

  render({ steps, plan, view, act, onDone }, { at, drawn }) {
    const step = steps[at];
    const last = at + 1 === steps.length;
    const has = (id) => steps.slice(0, at + 1).some((each) => each.id === id);
    return html`
      <${Dialog} look="sheet wide set-up" title=${say("evening.teach.setting_up")} onClose=${onDone}>
        <${Plan} plan=${plan} places=${step.places} drawn=${drawn} view=${view} act=${act} has=${has} />
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
