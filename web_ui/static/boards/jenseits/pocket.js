// The board on a phone: map, cards, digs and one's own papers, each under a tab; what is planned rises from below.
import { html, classes } from "../../html.js";
import { Years } from "../../pieces/track.js";
import { Lands } from "./map.js";
import { Ring } from "./ring.js";
import { Offer } from "./offer.js";
import { Papers } from "./stamps.js";
import { NewestDig } from "./newest_dig.js";
import { SeatSign } from "../../pieces/marker.js";
import { siteSign } from "../../pieces/tokens.js";
import { Tabs } from "../../chrome/tabs.js";
import { Why } from "../../chrome/choosing.js";

const TABS = ["map", "cards", "dig", "me"];

/** The sites in a list: what one knows there, whether one may dig, and what is in the bag. */
function Sites({ view, act, looked, siteSaid, onSite }) {
  const { map, bags, seats } = view.board;
  const options = view.ask.options ?? {};
  return html`
    <ul class="site-list">
      ${map.sites.map((site) => {
        const help = options.sites?.[site.id];
        const bag = bags.find((each) => each.bag === site.id);
        const permit = act.say(
          seats[looked].permits[site.id] ? "jenseits.page.permit_good" : "jenseits.page.permit_used",
        );
        return html`
          <li key=${site.id}>
            <button
              type="button"
              class=${classes("site-row", help?.refusal && "cannot")}
              data-lit=${`site:${site.id}`}
              aria-disabled=${onSite ? undefined : "true"}
              onClick=${() => onSite?.(site.id)}
            >
              <span class="unseen">${siteSaid(site.id)}</span>
              <span class="inside" aria-hidden="true">
                <svg viewBox="-30 -30 60 60" class="row-sign">
                  <circle r="28" fill=${site.colour} />
                  <circle r="21" fill="url(#papyrus)" />
                  <path
                    d=${siteSign(site.id)}
                    transform="scale(.86)"
                    stroke=${site.colour}
                    fill=${site.colour}
                    class="wanted-sign"
                  />
                </svg>
                <span class="site-words">
                  <b>${act.name(site.id)}</b>${" "}
                  <small>
                    ${permit} · ${act.say("jenseits.page.in_bag", { n: bag.left })}
                  </small>
                  ${help?.refusal && html`<em><${Why} answer=${help} act=${act} on=${true} /></em>`}
                </span>
                <span class="site-known">
                  <b>${seats[looked].knowledge[site.id].total}</b>
                  <small>${act.say("jenseits.page.col_total")}</small>
                </span>
              </span>
            </button>
          </li>
        `;
      })}
    </ul>
  `;
}

/** Who plays first, and where each marker stands. */
const InOrder = ({ view, act }) => html`
  <ol class="in-order">
    ${view.board.track.next.map((seat) => {
      const { week, year } = view.board.track.markers.find((m) => m.seat === seat);
      const date = act.say("jenseits.page.date", { week, year: String(year) });
      return html`
        <li key=${seat}>
          <${SeatSign} seat=${view.seats[seat]} /> <b>${view.seats[seat].name}</b>${" "}
          <small>${date}</small>
        </li>
      `;
    })}
  </ol>
`;

export function Part({ view, act, plan, looked, goal, choose, siteSaid, onSite }) {
  const tab = act.get("tab", "cards");
  const { track } = view.board;
  return html`
    <div class="jboard pocket" data-played=${view.played}>
      <${Tabs}
        act=${act}
        tabs=${TABS}
        tab=${tab}
        label=${act.say("jenseits.page.tabs")}
        labelOf=${(each) => act.say(`jenseits.page.tab_${each}`)}
        over="pocket"
      />
      <${NewestDig} view=${view} act=${act} />
      <div
        id="pocket"
        role="tabpanel"
        aria-labelledby=${`tab-${tab}`}
        tabindex="0"
        class=${`pocket-${tab}`}
      >
        ${
          tab === "map" &&
          html`
            <${Lands} view=${view} act=${act} looked=${looked} goal=${goal} siteSaid=${siteSaid} />
            <div class="pocket-ring">
              <${Ring}
                view=${view}
                act=${act}
                plan=${plan?.weeks ? plan : null}
                cols=${14}
                rows=${14}
              />
              <div class="pocket-year">
                <${Years} years=${track.years} year=${track.year} say=${act.say} />
                <${InOrder} view=${view} act=${act} />
              </div>
            </div>
          `
        }
        ${tab === "cards" && html`<${Offer} view=${view} act=${act} plan=${plan} choose=${choose} />`}
        ${
          tab === "dig" &&
          html`
            <${Sites}
              view=${view}
              act=${act}
              looked=${looked}
              siteSaid=${siteSaid}
              onSite=${onSite}
            />
          `
        }
        ${
          tab === "me" &&
          html`
            <h2>${act.say("jenseits.page.papers", { name: view.seats[looked].name })}</h2>
            <${Papers} view=${view} act=${act} seat=${looked} />
          `
        }
      </div>
    </div>
  `;
}
