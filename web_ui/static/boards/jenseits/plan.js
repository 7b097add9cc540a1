// What is planned and not done yet: a card to take, an exhibition to hold, cards to be opened anew. A second press
// does it.
import { html } from "../../html.js";
import { GoodFor, Planned } from "../../chrome/planned.js";
import { Button } from "../../chrome/press.js";
import { SeatSign } from "../../pieces/marker.js";
import { landing, Why } from "../../chrome/choosing.js";

/** The same with a zeppelin, where one is flown. */
export const flown = (answer, zeppelin) => (zeppelin && answer.zeppelin ? answer.zeppelin : answer);

/** Where the marker would land, which permits would be up then, and who would play, or that the game would be over. */
export function landSaid(view, act, { total, up }) {
  const land = landing(view.ask.options, total);
  if (!land) return null;
  const date = { week: land.week, year: String(land.year) };
  const down = view.board.map.sites.map(({ id }) => id).filter((site) => up && !up.includes(site));
  const then = act.say(land.again ? "jenseits.page.again" : "jenseits.page.then", { name: view.seats[land.next].name });
  return `${whenSaid(act, land, date, down)} ${land.over ? act.say("jenseits.page.ends_it") : then}`;
}

function whenSaid(act, land, date, down) {
  if (!land.new_year) return act.say("jenseits.page.lands", date);
  if (down.length === 0) return act.say("jenseits.page.lands_new_year", date);
  return act.say("jenseits.page.lands_new_year_but", { ...date, sites: down });
}

/** The weeks of a trip and of what is done at its end. */
export function sumSaid(act, answer, action, zeppelin) {
  const trip = answer.total - action;
  return act.say(zeppelin ? "jenseits.page.sum_flown" : "jenseits.page.sum", { n: answer.total, trip, action });
}

/** A plan holds for the table it was made at. */
export function planOf(view, act) {
  const plan = act.chosen("plan");
  const options = view.ask.options ?? {};
  if (!plan || options.seat === undefined) return null;
  const found = FOUND[plan.kind](options, plan);
  if (!found) return null;
  const answer = flown(found.answer, plan.zeppelin);
  return {
    ...plan,
    ...found,
    seat: options.seat,
    way: found.answer,
    answer,
    weeks: answer.legal ? answer.total : 0,
  };
}

const FOUND = {
  take(options, { card }) {
    const answer = options.open.find((each) => each?.card === card);
    return answer && { answer, action: answer.action, move: { type: "take", card } };
  },
  exhibit(options, { card }) {
    const answer = Object.values(options.exhibitions).find((each) => each?.card === card);
    return answer && { answer, action: answer.action, move: { type: "exhibit", card } };
  },
  refresh: (options) => ({
    answer: options.refresh,
    action: options.refresh.action,
    move: { type: "refresh" },
  }),
};

/** Touching a thing plans it; touching it again takes the plan back. */
export function planning(act, plan) {
  return (kind, thing = {}) => {
    const same = plan?.kind === kind && plan?.card === thing.card && plan?.place === thing.place;
    act.hold("plan", same ? null : { kind, ...thing, zeppelin: false });
  };
}

export const Zeppelin = ({ act, on, can = true, onChange }) => html`
  <${Button}
    look="segment"
    class="toggle"
    pressed=${on}
    can=${can}
    onPress=${() => onChange(!on)}
  >
    ${act.say("jenseits.page.fly")}
  <//>
`;

/** The sheet that says what the plan costs, and does it. */
function Plan({ view, act, plan }) {
  const { answer, way, action, zeppelin } = plan;
  const now = {
    kind: plan.kind,
    card: plan.card,
    place: plan.place,
    zeppelin,
  };
  const set = (more) => act.hold("plan", { ...now, ...more });
  const doIt = () => {
    act.hold("plan", null);
    act.move({ ...plan.move, ...(zeppelin ? { zeppelin } : {}) }, { sound: "knock" });
  };
  return html`
    <div class="plan-sheet" role="group" aria-label=${act.say("jenseits.page.plan")}>
      <${Planned} act=${act} weeks=${plan.weeks} />
      <p class="plan-what">${act.say(`jenseits.page.plan_${plan.kind}`, plan.facts)}</p>
      <${GoodFor} act=${act} lesson=${plan.facts.lesson} />
      <p class="plan-sum">${sumSaid(act, answer, action, zeppelin)}</p>
      ${
        answer.legal
          ? html`<p class="plan-lands">${landSaid(view, act, answer)}</p>`
          : html`<p class="refusal"><${Why} answer=${answer} act=${act} /></p>`
      }
      <div class="plan-tools">
        <${Button} look="quiet" onPress=${() => act.hold("plan", null)}>
          ${act.say("ui.not_that")}
        <//>
        ${way.zeppelin && html`<${Zeppelin} act=${act} on=${zeppelin} onChange=${(on) => set({ zeppelin: on })} />`}
        <${Button} look="main" class="do-it" can=${act.can && answer.legal} onPress=${doIt}>
          ${act.say(`jenseits.page.do_${plan.kind}`)}
        <//>
      </div>
    </div>
  `;
}

/** Whose turn it is and why: how far the others are ahead. */
function Because({ view, act }) {
  const { markers, next } = view.board.track;
  const at = Object.fromEntries(markers.map((m) => [m.seat, m]));
  const [first, ...others] = next;
  if (!at[first]) return null;
  const { week, year } = at[first];
  const shared = others.some((seat) => at[seat].at === at[first].at);
  const facts = { name: view.seats[first].name, week, year: String(year) };
  return html`
    ${
      !(act.narrow && act.mayMove) &&
      html`<p class="because">${act.say(shared ? "jenseits.page.because_on_top" : "jenseits.page.because", facts)}</p>`
    }
    <div class="ahead-row">
      <span class="ahead-said" aria-hidden="true">${act.say("jenseits.page.ahead_by")}</span>
      <ul class="ahead">
        ${others.map(
          (seat) => html`
            <${Ahead}
              key=${seat}
              act=${act}
              seat=${view.seats[seat]}
              n=${at[seat].at - at[first].at}
            />
          `,
        )}
      </ul>
    </div>
  `;
}

/** How far a seat is ahead; on the same week it lies beneath. */
const Ahead = ({ act, seat, n }) => html`
  <li>
    <span class="unseen">
      ${act.say(n === 0 ? "jenseits.page.beneath" : "jenseits.page.ahead", {
        name: seat.name,
        n,
      })}
    </span>
    <${SeatSign} seat=${seat} size=${22} />
    <b aria-hidden="true">+${n}</b>
  </li>
`;

/** Beneath what is asked: why it is this seat's turn, what is planned, and the way out. */
export function Choices({ view, act }) {
  const plan = planOf(view, act);
  const shown = plan && { ...plan, facts: factsOf(view, plan) };
  return html`
    <${Because} view=${view} act=${act} />
    ${shown && act.mayMove && html`<${Plan} view=${view} act=${act} plan=${shown} />`}
    ${
      act.mayMove &&
      !shown &&
      html`
        <p class="ask-line">${act.say("jenseits.page.choose")}</p>
      `
    }
  `;
}

function factsOf(view, plan) {
  const cards = [...view.board.open, ...Object.values(view.board.exhibitions)];
  const card = cards.find((each) => each?.id === plan.card);
  const lesson = { book: "books" }[card?.kind] ?? card?.kind ?? plan.kind;
  return card ? { face: card.face, city: card.city, lesson } : { city: view.board.map.home, lesson };
}
