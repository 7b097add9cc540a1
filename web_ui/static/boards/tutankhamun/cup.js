// The shovel's cup over the square it lifts from: waiting, drawing air, holding, in doubt, letting go.
import { html, classes } from "../../html.js";
import { card as cardSign } from "./printed.js";

export const CupOver = ({ lift, card }) => html`
  <g class=${classes("tut-cup", lift.stage, lift.state === "doubted" && "doubted")} aria-hidden="true">
    ${
      lift.state !== "gripping" &&
      card &&
      html`
        <g class="tut-held">
          <rect x="-48" y="-42" width="104" height="104" rx="8" class="tut-held-shade" />
          <rect x="-52" y="-52" width="104" height="104" rx="8" class="tut-paper" fill="url(#papyrus)" />
          ${cardSign(card)}
        </g>
      `
    }
    <circle r="64" class="tut-glow" fill="url(#glow)" />
    <circle r="27" class="tut-rubber" />
    <circle r="19" fill="url(#brass-dome)" class="tut-brass" />
    <circle r="36" class="tut-draught" />
    <circle r="46" class="tut-draught second" />
  </g>
`;
