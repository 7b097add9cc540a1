// The table on a phone: my hand, the cards to be had, the piles with the chart, and everybody, each under a tab.
import { Tabs } from "../../chrome/tabs.js";
import { html } from "../../html.js";
import { Part as ChartPlace } from "./chart_place.js";
import { NewestDig, OpenCards, Piles, Stored } from "./table.js";
import { Display } from "./offer.js";
import { Hand } from "./hand.js";
import { Weeks } from "./strip.js";

/** The tab that is open: the one chosen, else the hand, where there is one to see. */
export function tabOf(view, act) {
  const first = view.you ? "hand" : "cards";
  if (view.ask.options?.keep) return "hand";
  return act.get("tab", first);
}

export function Part({ view, act, plan, choose, onPile }) {
  const tabs = [...(view.you ? ["hand"] : []), "cards", "piles", "all"];
  const tab = tabOf(view, act);
  return html`
    <div class="tr-board tr-pocket" data-played=${view.played}>
      <${Weeks} view=${view} act=${act} plan=${plan} weeks=${14} />
      <${Tabs}
        act=${act}
        tabs=${tabs}
        tab=${tab}
        label=${act.say("tomb_raiders.page.tabs")}
        labelOf=${(each) => act.say(`tomb_raiders.page.tab.${each}`)}
        over="pocket"
      />
      <div id="pocket" role="tabpanel" aria-labelledby=${`tab-${tab}`} tabindex="0" class=${`tr-tab-${tab}`}>
        ${tab === "hand" && html`<${Hand} view=${view} act=${act} />`}
        ${
          tab === "cards" &&
          html`
            <${Stored} view=${view} act=${act} plan=${plan} choose=${choose} />
            <${Display} view=${view} act=${act} plan=${plan} choose=${choose} />
          `
        }
        ${
          tab === "piles" &&
          html`
            <${NewestDig} view=${view} act=${act} />
            <${Piles} view=${view} act=${act} onPile=${onPile} />
            <${ChartPlace} view=${view} act=${act} />
          `
        }
        ${tab === "all" && html`<${OpenCards} view=${view} act=${act} />`}
      </div>
    </div>
  `;
}
