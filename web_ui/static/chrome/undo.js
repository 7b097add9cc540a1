// Takes a step back where it was made, and says beforehand when and why it cannot be.
import { html } from "../html.js";
import { Button, Steady, Twice } from "./press.js";

const Arrow = ({ flip }) => html`
  <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true" class=${flip ? "flip" : ""}>
    <path d="M9 5L4 10L9 15M4 10H15A5 5 0 0 1 15 20H11" class="stroke" />
  </svg>
`;

/** Forward again; it has its place where there is nothing to go to, too, so that it moves nothing as it comes. */
const Again = ({ act, redo }) => html`
  <${Button} look="quiet" can=${act.ready && redo !== null} onPress=${() => act.undo(redo)}>
    <${Arrow} flip=${true} /> <span class="undo-word">${act.say("ui.undo.again")}</span>
  <//>
`;

/** In the middle of a lift nothing is taken back but the lift. */
const LiftBack = ({ act }) => html`
  <div class="undo" role="group" aria-label=${act.say("ui.undo.label")}>
    <${Steady} look="quiet" can=${act.ready} onPress=${() => act.undo(null)}>
      <${Arrow} /> <span class="undo-word">${act.say("ui.undo.back")}</span>
    <//>
    <${Again} act=${act} redo=${null} />
    <p class=${act.narrow ? "unseen" : "why"}>${act.say("ui.lift.take_back")}</p>
  </div>
`;

/** Why it cannot be taken back: beside it, and in the bar of a phone, where it has no room, when it is pressed. */
const Why = ({ act, why, grave }) => {
  if (!why) return null;
  const text = act.say(grave ? "ui.undo.grave" : why);
  const shown = !act.narrow || (act.chosen("undo_why") && !grave);
  return html`<p class=${shown ? "why" : "unseen"} role=${shown && act.narrow ? "status" : undefined}>${text}</p>`;
};

export function Undo({ view, act }) {
  const { why, redo, to } = view.undo;
  if (act.role === "spectator") return null;
  const lift = act.rig?.waiting;
  if (lift?.table === view.table && act.mine(lift.seat)) return html`<${LiftBack} act=${act} />`;
  const { open } = view.undo;
  const back = () => act.undo(to);
  const grave = open && why === "undo.revealed";
  const sure = html`
    <${Arrow} /> <span class="undo-word" aria-hidden="true">${act.say("ui.undo.back")}</span>
    <span class="undo-sure">${act.say("ui.undo.sure")}</span>
  `;
  const words = html`
    <${Arrow} /> <span class="undo-word">${act.say("ui.undo.back")}</span>
  `;
  return html`
    <div class="undo" role="group" aria-label=${act.say("ui.undo.label")}>
      ${
        grave
          ? html`
            <${Twice} look="quiet" can=${act.ready} sure=${sure} onPress=${back}>
              ${words}
            <//>
          `
          : html`
            <${Button}
              look="quiet"
              can=${act.ready && open}
              onPress=${back}
              onPointerDown=${() => act.narrow && !open && act.hold("undo_why", !act.chosen("undo_why"))}
            >
              ${words}
            <//>
          `
      }
      <${Again} act=${act} redo=${redo} />
      <${Why} act=${act} why=${why} grave=${grave} />
    </div>
  `;
}
