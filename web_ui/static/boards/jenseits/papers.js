// All the papers of a seat: permits and knowledge for each site, cards, finds, and the points so far.
import { html } from "../../html.js";
import { siteSign, Token } from "../../pieces/tokens.js";
import { Face } from "./cards.js";
import { loadStylesheet } from "../../stylesheets.js";

await loadStylesheet("boards/jenseits/sheets");

const Row = ({ act, site, holder, books }) => {
  const known = holder.knowledge[site.id];
  return html`
    <tr>
      <th scope="row">
        <svg viewBox="-24 -24 48 48" class="row-sign" aria-hidden="true">
          <circle r="22" stroke=${site.colour} class="wanted-rim" />
          <path
            d=${siteSign(site.id)}
            transform="scale(.86)"
            stroke=${site.colour}
            fill=${site.colour}
            class="wanted-sign"
          />
        </svg>
        ${act.name(site.id)}
      </th>
      <td class=${holder.permits[site.id] ? "good" : "gone"}>
        <span aria-hidden="true">${holder.permits[site.id] ? "✓" : "✗"}</span>
        <span class="unseen">
          ${act.say(holder.permits[site.id] ? "jenseits.page.permit_good" : "jenseits.page.permit_used")}
        </span>
      </td>
      <td>
        ${known.books}
        ${
          known.ethnology > 0 &&
          html`
            ${" "}
            <small>(+${known.ethnology})</small>
          `
        }
      </td>
      <td>${known.assistants}</td>
      <td>${known.open_books}</td>
      <td>
        <b>${known.total}</b>
      </td>
      <td>${holder.objects[site.id]}</td>
      <td>${books}</td>
    </tr>
  `;
};

const HEADS = ["permit", "books", "helpers", "general", "total", "objects", "most"];

/** Site by site, what a seat may and knows and has. */
function SiteTable({ view, act, seat }) {
  const { map, seats, scores } = view.board;
  const label = act.say("jenseits.page.knowledge_of", { name: view.seats[seat].name });
  return html`
    <div class="papers-table" role="region" tabindex="0" aria-label=${label}>
      <table>
        <caption class="unseen">
          ${label}
        </caption>
        <thead>
          <tr>
            <td></td>
            ${HEADS.map(
              (head) => html`
                <th key=${head} scope="col">
                  ${act.say(`jenseits.page.col_${head}`)}
                </th>
              `,
            )}
          </tr>
        </thead>
        <tbody>
          ${map.sites.map(
            (site) => html`
              <${Row}
                key=${site.id}
                act=${act}
                site=${site}
                holder=${seats[seat]}
                books=${scores[seat].sites[site.id]}
              />
            `,
          )}
        </tbody>
      </table>
    </div>
  `;
}

/** The points so far, and what they are made of. */
const Points = ({ act, score }) => html`
  <p class="parts">
    ${Object.entries(score.parts).map(
      ([part, points]) => html`
        <span key=${part}>
          ${act.partSaid(part)} <b>${points}</b>
        </span>
      `,
    )}
    <span class="sum">
      ${act.say("jenseits.page.total")} <b>${score.total}</b>
    </span>
  </p>
`;

/** The cards in hand, face up. */
function Cards({ act, cards, colours }) {
  const name = (card) => act.say("jenseits.page.card", { face: card.face, city: card.city, n: card.weeks });
  if (cards.length === 0) return html`<p class="hint">${act.say("jenseits.page.no_cards")}</p>`;
  return html`
    <ul class="hand">
      ${cards.map(
        (card, i) => html`
          <li key=${i}>
            <span class="unseen">${name(card)}</span>
            <${Face} card=${card} colours=${colours} name=${act.name} />
          </li>
        `,
      )}
    </ul>
  `;
}

/** What has been dug up. */
function Finds({ act, finds, colours }) {
  if (finds.length === 0) return html`<p class="hint">${act.say("jenseits.page.no_finds")}</p>`;
  return html`
    <div class="finds-large">
      ${finds.map(
        (find, i) => html`
          <${Token}
            key=${i}
            token=${find.token}
            bag=${find.bag}
            colours=${colours}
            size=${52}
            label=${act.say("ui.finds.find", { token: find.token, bag: find.bag })}
          />
        `,
      )}
    </div>
  `;
}

/** All the papers of a seat. */
export function Part({ view, act, seat }) {
  const { map, seats, scores, finds } = view.board;
  const { cards } = seats[seat];
  const colours = Object.fromEntries(map.sites.map((site) => [site.id, site.colour]));
  return html`
    <div class="papers">
      <${SiteTable} view=${view} act=${act} seat=${seat} />
      <${Points} act=${act} score=${scores[seat]} />
      <h3>${act.say("jenseits.page.cards", { n: cards.length })}</h3>
      <${Cards} act=${act} cards=${cards} colours=${colours} />
      <h3>${act.say("jenseits.page.finds", { n: finds[seat].length })}</h3>
      <${Finds} act=${act} finds=${finds[seat]} colours=${colours} />
    </div>
  `;
}
