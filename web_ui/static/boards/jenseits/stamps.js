// What lies before a seat, in short: its permits with its knowledge in them, its points; its papers are fetched later.
import { html, classes } from "../../html.js";
import { Lazy } from "../../chrome/lazy.js";
import { siteSign } from "../../pieces/tokens.js";

/** Whether somebody knows nothing of a site itself: without a book or an ethnology card nobody digs there. */
export const lacksBook = ({ books, ethnology }) => books + ethnology === 0;

/** A permit: good, or used up; with what is known of its site, which `lacks` a book. */
export const Stamp = ({ site, good, known, lacks }) => html`
  <svg class=${classes("stamp", !good && "used", lacks && "lacks")} viewBox="-15 -15 30 30"
    data-sign=${good ? (lacks ? "stamp_lacks" : "stamp") : "stamp_used"} aria-hidden="true">
    <circle r="12.5" stroke=${site.colour} class="stamp-ring" />
    <path d=${siteSign(site.id)} class="stamp-sign" stroke=${site.colour} transform="scale(.72)" />
    ${!good && html`<path d="M-9 9L9-9" class="stamp-bar" />`}
    <text dy=".34em" class="stamp-number">
      ${known}
    </text>
  </svg>
`;

/** Beside a seat's name: its permits, with its knowledge in them, and its points; a touch lays all its papers out. */
export function Beside({ view, seat, act }) {
  const { map, seats, scores } = view.board;
  const holder = seats[seat];
  const stamp = ({ id }) =>
    act.say(holder.permits[id] ? "jenseits.page.stamp_good" : "jenseits.page.stamp_used", {
      site: id,
      n: holder.knowledge[id].total,
    });
  const sites = map.sites.map(stamp);
  const label = act.say("jenseits.page.papers_of", {
    name: view.seats[seat].name,
    n: scores[seat].total,
    sites,
  });
  return html`
    <button
      type="button"
      class="papers-button"
      aria-haspopup="dialog"
      onClick=${() => act.set({ papers: seat })}
    >
      <span class="unseen">${label}</span>
      <span class="stamps" aria-hidden="true">
        ${map.sites.map(
          (site) => html`
            <${Stamp}
              key=${site.id}
              site=${site}
              good=${holder.permits[site.id]}
              known=${holder.knowledge[site.id].total}
              lacks=${lacksBook(holder.knowledge[site.id])}
            />
          `,
        )}
      </span>
      <b class="score-so-far" aria-hidden="true">
        ${scores[seat].total}
      </b>
    </button>
  `;
}

export const papers = () => import("./papers.js");

export const Papers = (all) => html`<${Lazy} load=${papers} ...${all} />`;
