// What a dig may bring, for each number of weeks: the tokens, the chance of an object, the points to expect and
// their spread.
import { classes, html } from "../../html.js";
import { number, percent } from "../../words.js";
import { Button } from "../../chrome/press.js";

const HIGH = 96;
const short = (n) => number(Math.round(n * 10) / 10);
// What is almost sure is not said to be sure, nor what is almost out of the question to be so.
function chance(share) {
  if (share > 0.995 && share < 1) return `>${percent(0.99)}`;
  if (share > 0 && share < 0.005) return `<${percent(0.01)}`;
  return percent(Math.round(share * 100) / 100);
}

/** The points to expect as a bar, and how far off is still usual as a whisker. */
function Bar({ draw, most }) {
  const y = (points) => HIGH - (Math.max(0, points) / most) * (HIGH - 6);
  const [top, foot] = [y(draw.points + draw.spread), y(draw.points - draw.spread)];
  return html`
    <svg class="chance-bar" viewBox=${`0 0 40 ${HIGH}`} preserveAspectRatio="none" aria-hidden="true">
      <rect x="6" y=${y(draw.points)} width="28" height=${HIGH - y(draw.points)} rx="3" class="expected" />
      <path d=${`M20 ${top}V${foot}M13 ${top}H27M13 ${foot}H27`} class="whisker" />
    </svg>
  `;
}

function Week({ row, draw, most, chosen, why, act, onWeeks, help }) {
  const facts = { n: row.weeks, tokens: act.say("jenseits.page.in_bag", { n: row.tokens }) };
  const odds = draw && { any: chance(draw.any), points: short(draw.points), spread: short(draw.spread) };
  const text = act.say(draw ? "jenseits.page.week_odds" : "jenseits.page.week", { ...facts, ...odds });
  return html`
    <button
      type="button"
      class=${classes("week-choice", !row.tokens && "bare", why && "cannot")}
      aria-pressed=${chosen}
      onClick=${() => onWeeks(row.weeks)}
    >
      <span class="unseen">${why ? `${text} ${why}` : text}</span>
      <span class="inside" aria-hidden="true">
        <b class="of-weeks">${row.weeks}</b>
        <span class="of-tokens">${row.tokens || "–"}</span>
        ${
          help &&
          html`
            <span class="of-any">${odds?.any ?? "–"}</span>
            <span class="of-bar">${draw && html`<${Bar} draw=${draw} most=${most} />`}</span>
            <span class="of-points">${odds?.points ?? "–"}</span>
            <span class="of-spread">${odds ? `±${odds.spread}` : "–"}</span>
          `
        }
      </span>
    </button>
  `;
}

/** @param rows twelve numbers of weeks with tokens and answers; `draws` the odds by tokens, if there is `help`. */
export function Chances({ act, rows, draws, help, weeks, whyOf, onWeeks }) {
  const most = Math.max(
    1,
    ...rows
      .map((row) => draws[row.tokens])
      .filter(Boolean)
      .map((draw) => draw.points + draw.spread),
  );
  const heads = ["weeks", "tokens", ...(help ? ["any", "bar", "points", "spread"] : [])];
  return html`
    <div class=${classes("chances", !help && "plain")}>
      <div class="week-heads" aria-hidden="true">
        ${heads.map(
          (head) => html`
            <span key=${head} class=${`of-${head}`}>
              ${act.say(`jenseits.page.head_${head}`)}
            </span>
          `,
        )}
      </div>
      <div class="week-choices" role="group" aria-label=${act.say("jenseits.page.weeks_of_dig")}>
        ${rows.map(
          (row) => html`
            <${Week}
              key=${row.weeks}
              row=${row}
              draw=${draws[row.tokens]}
              most=${most}
              chosen=${row.weeks === weeks}
              why=${whyOf(row)}
              act=${act}
              onWeeks=${onWeeks}
              help=${help}
            />
          `,
        )}
      </div>
    </div>
  `;
}

/** The chances of exactly so many objects. */
export function Spread({ act, draw, tokens }) {
  const most = Math.max(...draw.objects);
  const shown = draw.objects.map((share, i) => [i, share]).filter(([, share]) => share >= 0.0005);
  return html`
    <figure class="spread">
      <figcaption>${act.say("jenseits.page.objects_of", { n: tokens })}</figcaption>
      <ol>
        ${shown.map(
          ([i, share]) => html`
            <li key=${i}>
              <span class="unseen">${act.say("jenseits.page.exactly", { n: i })} </span>
              <span class="spread-share">${chance(share)}</span>
              <svg viewBox="0 0 20 40" preserveAspectRatio="none" aria-hidden="true">
                <rect
                  x="2"
                  y=${40 - (share / most) * 40}
                  width="16"
                  height=${Math.max(0.6, (share / most) * 40)}
                  rx="1.5"
                  class="expected"
                />
              </svg>
              <b aria-hidden="true">${i}</b>
            </li>
          `,
        )}
      </ol>
    </figure>
  `;
}

/** How likely finding knowledge is, beside objects. */
export const knowledgeSaid = (act, draw) => act.say("jenseits.page.book_chance", { share: chance(draw.knowledge) });

const Point = ({ points, plus, children, look }) => html`
  <div class=${classes("point", look)}>
    <dt>${children}</dt>
    <dd>
      ${plus && points > 0 ? "+" : ""}
      ${points}
    </dd>
  </div>
`;

/** A card that can be used up: pressed, its points count. */
const Use = ({ act, use, on, toggle }) => html`
  <${Button} look="segment" class="toggle" pressed=${on} onPress=${() => toggle(use)}>
    ${act.say(`jenseits.page.use_${use}`)}
  <//>
`;

/**
 * @param known the points, `holder` whose they are, `uses` the cards that could be used up, `using` those that are;
 * @param shovels the tokens that shovels add.
 */
export const Knowledge = ({ act, known, holder, uses, using, shovels, toggle }) => html`
  <div class="knowledge">
    <dl>
      <${Point} points=${known.books}>${act.say("jenseits.page.books")}<//>
      ${
        using.includes("ethnology") &&
        html`
          <${Point} plus=${true} points=${known.ethnology}>
            ${act.name("ethnology")}
          <//>
        `
      }
      ${
        (holder.assistants > 0 || known.assistants > 0) &&
        html`
          <${Point} plus=${true} points=${known.assistants}>
            ${act.say("jenseits.page.assistants", { n: holder.assistants })}
          <//>
        `
      }
      <${Point} plus=${true} points=${known.open_books}>
        ${
          holder.open_books > known.open_books
            ? act.say("jenseits.page.open_books_of", { n: known.open_books, of: holder.open_books })
            : act.say("jenseits.page.open_books")
        }
      <//>
      <${Point} points=${known.total} look="whole">
        ${act.say(known.sum > known.total ? "jenseits.page.capped" : "jenseits.page.known", { n: known.sum })}
      <//>
      ${
        holder.shovels > 0 &&
        html`
          <${Point} plus=${true} points=${shovels} look="shovels">
            ${act.say("jenseits.page.shovels", { n: holder.shovels })}
          <//>
        `
      }
    </dl>
    ${
      uses.length > 0 &&
      html`
        <div class="uses" role="group" aria-label=${act.say("jenseits.page.use")}>
          ${uses.map(
            (use) => html`<${Use} key=${use} act=${act} use=${use} on=${using.includes(use)} toggle=${toggle} />`,
          )}
        </div>
      `
    }
  </div>
`;
