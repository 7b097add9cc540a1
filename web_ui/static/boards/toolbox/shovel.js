// The suction shovel by hand: grip and let go. The big stop beside it is the shell's.
import { html } from "../../html.js";
import { Button } from "../../chrome/press.js";

export const ShovelTool = ({ act }) => html`
  <${Button} look="quiet" can=${act.can} onPress=${() => act.move({ type: "shovel", do: "grip" })}>
    ${act.say("ui.shovel.grip")}
  <//>
  <${Button} look="quiet" can=${act.can} onPress=${() => act.move({ type: "shovel", do: "release" })}>
    ${act.say("ui.shovel.release")}
  <//>
`;
