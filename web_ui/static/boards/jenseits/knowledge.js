// How much a seat knows about a site, point by point as the rulebook counts it, with the cards that could be used up
// for it.
import { html, classes } from "../../html.js";
import { Button } from "../../chrome/press.js";

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
