// The suction shovel by hand: grip and let go. The big stop is the shell's, always in the same place.
import { html } from "../../html.js";
import { Button } from "../../chrome/press.js";

export const ShovelTool = ({ act }) => html`<section class="tool shovel-tool" aria-label=${act.say("ui.shovel.title")}>
  <h2>${act.say("ui.shovel.title")} <span class="state">${act.say(`ui.shovel.state.${act.rig.shovel.state}`)}</span></h2>
  <div class="tool-row">
    <${Button} look="main" can=${act.can} onPress=${() => act.move({ type: "shovel", do: "grip" })}>${act.say("ui.shovel.grip")}<//>
    <${Button} look="main" can=${act.can} onPress=${() => act.move({ type: "shovel", do: "release" })}>${act.say("ui.shovel.release")}<//>
  </div>
</section>`;
