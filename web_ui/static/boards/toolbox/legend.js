// What the signs on the board mean.
import { html } from "../../html.js";

const dashed = html`
  <svg class="legend-sign card-value good ours" viewBox="-22 -22 44 44">
    <circle r="17" />
    <text y="7">4</text>
  </svg>
`;

/** What marks a figure that is ours, where a tool has one. */
export function legend({ board }, act) {
  const { tray, bags = [], dice, dial, plan, decks = [], loads = [] } = board;
  const from = [dial, plan, ...bags, ...decks, ...loads].map((tool) => tool?.from).concat(dice?.from ?? []);
  const ours = from.includes("house") || tray?.house.length > 0;
  return ours ? [["house", dashed, act.say("ui.house_sign")]] : [];
}
