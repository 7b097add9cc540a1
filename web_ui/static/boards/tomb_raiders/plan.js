// What is thought about and not done yet: a card to take, an exhibition to hold. A second touch does it.
import { html } from "../../html.js";
import { GoodFor, Planned } from "../../chrome/planned.js";
import { Button } from "../../chrome/press.js";
import { landing, Why } from "../../chrome/choosing.js";
import { kindOf, printedOn } from "./cards.js";

/** A figure to expect: no finer than it is worth. */
export const rounded = (n) => Math.round(n * 10) / 10;

/** Where the marker would come to stand, and who would play then. */
export function landSaid(view, act, answer) {
  const land = answer?.legal ? landing(view.ask.options, answer.total) : null;
  if (!land) return answer?.legal ? act.say("tomb_raiders.page.weeks", { n: answer.total }) : null;
  const then = act.say(land.again ? "tomb_raiders.page.again" : "tomb_raiders.page.then", {
    name: view.seats[land.next].name,
  });
  return `${act.say("tomb_raiders.page.lands", { n: answer.total, week: land.week })} ${then}`;
}

const FOUND = {
  take: (options, { card, place }) =>
    place === undefined ? options.take?.[card] : options.storage?.[place]?.card === card && options.storage[place],
  exhibit: (options, { card }) => options.exhibitions?.[card],
};

/** What is planned, with its answer; it holds until the table moves on. */
export function planOf(view, act) {
  const plan = act.chosen("plan");
  const options = view.ask.options ?? {};
  const answer = plan && FOUND[plan.kind](options, plan);
  if (!answer) return null;
  const { kind, card } = plan;
  return { ...plan, answer, seat: options.seat, weeks: answer.legal ? answer.total : 0, move: { type: kind, card } };
}

/** Does what is planned. */
export function done(act, plan) {
  act.hold("plan", null);
  act.move(plan.move, { sound: "knock" });
}

/** A touch plans a thing, a second one does it. */
export const planning = (act, plan) => (kind, thing) => {
  const same = plan?.kind === kind && plan.card === thing.card && plan.place === thing.place;
  if (!same) act.hold("plan", { kind, ...thing });
  else if (act.can && plan.answer.legal) done(act, plan);
};

/** The lessons about kinds of cards that have another name. */
const LESSONS = {
  excavation: "expertise",
  general: "general_knowledge",
  general_excavation: "for_any",
  tomb_raiders: "raiders",
};
const lessonOf = (view, { kind, card }) => {
  const taken = kind === "exhibit" ? "exhibition" : kindOf(printedOn(view, card));
  return LESSONS[taken] ?? taken;
};

/** What is planned, what it costs, and the button that does it. */
export const Plan = ({ view, act, plan }) => html`
  <div class="plan-sheet" role="group" aria-label=${act.say("tomb_raiders.page.plan")}>
    <${Planned} act=${act} weeks=${plan.weeks} />
    <p class="plan-what">${act.name(plan.card)}</p>
    <${GoodFor} act=${act} lesson=${lessonOf(view, plan)} />
    ${
      plan.answer.legal
        ? html`<p class="plan-lands">${landSaid(view, act, plan.answer)}</p>`
        : html`<p class="refusal"><${Why} answer=${plan.answer} act=${act} /></p>`
    }
    <div class="plan-tools">
      <${Button} look="quiet" onPress=${() => act.hold("plan", null)}>${act.say("ui.not_that")}<//>
      <${Button} look="main" class="do-it" can=${act.can && plan.answer.legal} onPress=${() => done(act, plan)}>
        ${act.say(`tomb_raiders.page.do_${plan.kind}`)}
      <//>
    </div>
  </div>
`;
