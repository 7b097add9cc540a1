// What lies behind one another on a phone: a row of names, one of which is open.
import { html } from "../html.js";

/** @param over the id of what is shown under the row. */
export const Tabs = ({ act, tabs, tab, label, labelOf, over }) => html`
  <div class="tabs" role="tablist" aria-label=${label}>
    ${tabs.map(
      (each) => html`
        <button
          type="button"
          role="tab"
          key=${each}
          id=${`tab-${each}`}
          data-lit=${`tab:${each}`}
          aria-selected=${each === tab}
          aria-controls=${over}
          onClick=${() => act.set({ tab: each })}
        >
          ${labelOf(each)}
        </button>
      `,
    )}
  </div>
`;
