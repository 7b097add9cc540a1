// The way out for good, in the menu.
import { html } from "../../html.js";
import { Twice } from "../../chrome/press.js";

export function Part({ view, act, onDone }) {
  const { retire } = view.ask.options ?? {};
  if (!retire || !act.mayMove) return null;
  const go = () => {
    onDone();
    act.move({ type: "retire" });
  };
  return html`
    <section class="menu-end">
      <p>${act.say("jenseits.page.retire_how", { name: view.seats[view.ask.seat].name })}</p>
      <${Twice} class="retire" can=${act.can} sure=${act.say("jenseits.page.retire_sure")} onPress=${go}>
        ${act.say(retire.over ? "jenseits.page.retire_ends" : "jenseits.page.retire", { n: retire.weeks })}
      <//>
    </section>
  `;
}
