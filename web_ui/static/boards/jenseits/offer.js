// What lies open: four research cards, the draw pile to have others opened, and the exhibitions.
import { html, classes } from "../../html.js";
import { Face, Pile, Wanted } from "./cards.js";
import { nextAfter, NextSign, Why, whyNot } from "../../chrome/choosing.js";
import { landSaid } from "./plan.js";

const coloursOf = (view) => Object.fromEntries(view.board.map.sites.map((site) => [site.id, site.colour]));

const best = (answer) => (answer && !answer.legal && answer.zeppelin?.legal ? answer.zeppelin : answer);

const refusedOf = (answer) => (answer?.refusal ? answer : null);

/** One sentence that tells everything about a thing and what it would cost. */
function saidOf(view, act, what, answer, facts) {
  const thing = act.say(what, facts);
  if (!answer) return thing;
  const leads = whyNot(answer, act) ?? landSaid(view, act, answer) ?? "";
  return `${thing} ${act.say("jenseits.page.from_here", { n: answer.total })} ${leads}`;
}

/** A thing that can be chosen. Where it is `refused`, it says why on itself. */
function Thing({ look, label, act, refused, pressed, can, onPress, piece, from, children }) {
  return html`
    <button
      type="button"
      class=${classes("thing", look, refused && "cannot")}
      aria-pressed=${pressed}
      aria-disabled=${can ? undefined : "true"}
      data-piece=${piece}
      data-from=${from}
      onClick=${() => can && onPress()}
    >
      <span class="unseen">${label}</span>
      <span class="inside" aria-hidden="true">
        ${children}
        ${refused && html`<span class="why-not"><${Why} answer=${refused} act=${act} on=${true} /></span>`}
      </span>
    </button>
  `;
}

function Open({ card, i, answer, view, act, plan, choose, colours }) {
  if (!card) return html`<div class="thing card-place" role="img" aria-label=${act.say("jenseits.page.empty")}></div>`;
  const cost = best(answer);
  return html`
    <${Thing}
      look="jcard"
      pressed=${plan?.place === i}
      can=${Boolean(answer) && act.mayMove}
      act=${act}
      refused=${refusedOf(cost)}
      piece=${`open:${i}:${card.id}`}
      from="pile"
      label=${saidOf(view, act, "jenseits.page.card", cost, {
        face: card.face,
        city: card.city,
        n: card.weeks,
      })}
      onPress=${() => choose("take", { card: card.id, place: i })}
    >
      <${Face}
        card=${card}
        colours=${colours}
        name=${act.name}
        view=${view}
        answer=${cost}
      />
    <//>
  `;
}

function Refresh({ view, act, plan, choose }) {
  const { draw, aside, discards } = view.board.piles;
  const answer = view.ask.options?.refresh;
  const cost = best(answer);
  const refresh = saidOf(view, act, "jenseits.page.refresh", cost, { city: view.board.map.home });
  return html`
    <${Thing}
      look="jcard pile"
      pressed=${plan?.kind === "refresh"}
      can=${Boolean(answer) && act.mayMove}
      act=${act}
      refused=${refusedOf(cost)}
      label=${`${refresh} ${act.say("jenseits.page.piles", { draw, aside, discards })}`}
      onPress=${() => choose("refresh")}
    >
      <span data-piece="pile" class="pile-back">
        <${Pile}
          left=${draw}
          city=${act.name(view.board.map.home)}
          word=${act.say("jenseits.page.others")}
          view=${view}
          answer=${cost}
        />
      </span>
    <//>
  `;
}

function Exhibition({ place, card, answer, view, act, plan, choose, colours }) {
  if (!card) {
    return html`
      <div class="thing ticket empty">
        <b class="ticket-place">${place}</b>
        <span>${act.say("jenseits.page.no_exhibition")}</span>
      </div>
    `;
  }
  const cost = best(answer);
  const lacks = Object.keys(answer?.missing ?? {}).length > 0; // what is missing is seen: outlined
  const objects = Object.entries(card.objects).map(([site, count]) => `${count} × ${act.name(site)}`);
  const facts = { face: card.face, n: card.weeks, points: card.points, objects };
  return html`
    <${Thing}
      look="ticket"
      act=${act}
      refused=${lacks ? null : refusedOf(cost)}
      pressed=${plan?.card === card.id}
      can=${Boolean(answer) && act.mayMove}
      piece=${`shown:${card.id}`}
      from="pile"
      label=${saidOf(view, act, "jenseits.page.exhibition", cost, facts)}
      onPress=${() => choose("exhibit", { card: card.id })}
    >
      <b class="ticket-place points" data-sign="points">${card.points}</b>
      <span class="ticket-city">${act.name(card.city)}</span>
      <${Wanted} card=${card} missing=${answer?.missing} colours=${colours} />
      <b class="ticket-weeks">${cost?.total ?? card.weeks}</b>
      ${
        nextAfter(view, cost) &&
        html`
          <span class="ticket-next">
            <${NextSign} view=${view} answer=${cost} />
          </span>
        `
      }
    <//>
  `;
}

/** @param choose what touching a thing does: `(kind, thing)`. */
export function Offer({ view, act, plan, choose }) {
  const { open, exhibitions } = view.board;
  const options = view.ask.options ?? {};
  const colours = coloursOf(view);
  const shared = { view, act, plan, choose, colours };
  return html`
    <div class="offer">
      <div class="open-cards" role="group" aria-label=${act.say("jenseits.page.open")}>
        ${open.map(
          (card, i) => html`<${Open} key=${i} card=${card} i=${i} answer=${options.open?.[i]} ...${shared} />`,
        )}
        <${Refresh} ...${shared} />
      </div>
      <div class="exhibitions" role="group" aria-label=${act.say("jenseits.page.exhibitions")}>
        ${Object.entries(exhibitions).map(
          ([place, card]) => html`
            <${Exhibition}
              key=${place}
              place=${place}
              card=${card}
              answer=${options.exhibitions?.[place]}
              ...${shared}
            />
          `,
        )}
      </div>
    </div>
  `;
}
