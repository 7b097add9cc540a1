// The pyramid: its plan with blocks and mummies, and beside it the dice and the block box.
import { html, upTo } from "../../html.js";
import { newest } from "./newest.js";
import { Button, Stepper } from "../../chrome/press.js";
import { Plan, BlockBox } from "../../pieces/plan.js";
import { Dice } from "../../pieces/dice.js";

const FURTHEST = 5;

const DiceTool = ({ dice, id, over, act }) => {
  const count = act.get("dice", dice.count);
  return html`
    <section class="tool dice-tool" aria-label=${act.say("ui.dice.title")}>
      <${Dice} dice=${dice} id=${id} say=${act.say} name=${act.name} />
      <div class="tool-row">
        <${Stepper}
          value=${count}
          least=${1}
          most=${dice.count}
          can=${act.ready && !over}
          label=${act.say("ui.dice.count")}
          less=${act.say("ui.less")}
          more=${act.say("ui.more")}
          onChange=${(n) => act.set({ dice: n })}
        />
        <${Button} look="main" can=${act.can} onPress=${() => act.move({ type: "roll", count }, { sound: "dice" })}>
          ${act.say("ui.dice.roll")}
        <//>
      </div>
    </section>
  `;
};

const BlockTool = ({ blocks, act }) => html`
  <section class="tool block-tool" aria-label=${act.say("ui.blocks.title")}>
    <${BlockBox} blocks=${blocks} say=${act.say} />
    <div class="tool-column">
      <p class="caption">
        ${blocks.drawn ? act.say("ui.blocks.last", { block: blocks.drawn }) : act.say("ui.blocks.none")}
      </p>
      <${Button}
        look="main"
        can=${act.can && blocks.left > 0}
        onPress=${() => act.move({ type: "block" }, { sound: "stone" })}
      >
        ${act.say("ui.blocks.draw")}
      <//>
    </div>
  </section>
`;

const MummyTool = ({ act }) => html`
  <section class="tool mummy-tool" aria-label=${act.say("ui.mummies.title")}>
    <h2>${act.say("ui.mummies.title")}</h2>
    <div class="tool-row">
      <${Button} look="main" can=${act.can} onPress=${() => act.move({ type: "mummies" }, { sound: "dice" })}>
        ${act.say("ui.mummies.roll")}
      <//>
      <div class="weeks-row">
        ${upTo(FURTHEST).map(
          (i) => html`
            <${Button}
              key=${i}
              look="number"
              can=${act.can}
              label=${act.say("ui.mummies.walk", { n: i + 1 })}
              onPress=${() => act.move({ type: "mummies", steps: i + 1 }, { sound: "knock" })}
            >
              ${i + 1}
            <//>
          `,
        )}
      </div>
    </div>
  </section>
`;

export function Temple({ view, act }) {
  const { plan, blocks, mummies, dice } = view.board;
  return html`
    <div class="temple">
      <div class="plan-place">
        <${Plan} plan=${plan} blocks=${blocks} mummies=${mummies} say=${act.say} name=${act.name} />
        ${
          plan.from === "house" &&
          html`
            <p class="house-note">
              <span class="house">${act.say("ui.house")}</span> ${act.say("ui.plan.house")}
            </p>
          `
        }
      </div>
      <div class="temple-tools">
        <${DiceTool} dice=${dice} id=${newest(view, "roll", "mummies")} over=${view.over} act=${act} />
        <${MummyTool} act=${act} />
        <${BlockTool} blocks=${blocks} act=${act} />
      </div>
    </div>
  `;
}
