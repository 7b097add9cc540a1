// The suction shovel by hand: grip and let go. The big stop beside it is the shell's.
import { html } from "../../html.js";
import { runs } from "../../chrome/big_stop.js";
import { Button } from "../../chrome/press.js";

export function ShovelTool({ act }) {
  const { shovel } = act.rig;
  const idle = shovel.state === "off" && !act.rig.waiting;
  const letsGo = runs(shovel) && shovel.state !== "releasing";
  return html`
    <${Button} look="quiet" can=${act.can && idle} onPress=${() => act.move({ type: "shovel", do: "grip" })}>
      ${act.say("ui.shovel.grip")}
    <//>
    <${Button} look="quiet" can=${act.ready && letsGo} onPress=${() => act.shovel("release")}>
      ${act.say("ui.shovel.release")}
    <//>
  `;
}
