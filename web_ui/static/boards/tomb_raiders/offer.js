// What can be had: the storage spaces, or what real ones may hold; the exhibitions and museums on display.
import { classes, html } from "../../html.js";
import { Refused, NextSign, nextAfter, Why, whyNot } from "../../chrome/choosing.js";
import { Dialog } from "../../chrome/dialog.js";
import { Button } from "../../chrome/press.js";
import { signed } from "../../words.js";
import { Face, isOurs, kindSaid, RegionSign, Wanted } from "./cards.js";
import { landSaid } from "./plan.js";

/** A thing that can be chosen. Why it cannot be had is told by its plan. */
function Thing({ look, label, act, answer, pressed, can, onPress, piece, children }) {
  return html`
    <button
      type="button"
      class=${classes(look, answer?.refusal && "cannot")}
      aria-pressed=${pressed}
      aria-disabled=${can ? undefined : "true"}
      data-piece=${piece}
      onClick=${() => can && onPress()}
    >
      <span class="unseen">
        ${[label, whyNot(answer, act), pressed && answer?.legal && act.say("tomb_raiders.page.touch_again")]
          .filter(Boolean)
          .join(" ")}
      </span>
      <span class="inside" aria-hidden="true">${children}</span>
    </button>
  `;
}

const cardSaid = (view, act, id, answer) =>
  [act.say("tomb_raiders.page.card", { card: id, n: view.board.cards[id].weeks }), landSaid(view, act, answer)]
    .filter(Boolean)
    .join(" ");

/** The four storage spaces. */
export const Storage = ({ view, act, plan, choose }) => html`
  <div class="tr-storage" role="group" aria-label=${act.name("storage")}>
    ${view.board.storage.map((card, place) => {
      const answer = view.ask.options?.storage?.[place];
      if (!card) {
        const said = act.say("tomb_raiders.page.empty");
        return html`<div key=${place} class="tr-empty" role="img" aria-label=${said}></div>`;
      }
      return html`
        <${Thing}
          key=${place}
          look="tr-card"
          act=${act}
          answer=${answer}
          pressed=${plan?.place === place}
          can=${Boolean(answer) && act.mayMove}
          piece=${`storage:${place}:${card}`}
          label=${cardSaid(view, act, card, answer)}
          onPress=${() => choose("take", { card, place })}
        >
          <${Face} view=${view} act=${act} id=${card} answer=${answer} />
        <//>
      `;
    })}
  </div>
`;

/** Where the cards are real: which one is taken, each kind by its picture. */
export const RealStorage = ({ view, act, plan, choose }) => html`
  <div class="tr-real" role="group" aria-label=${act.say("tomb_raiders.page.take_which")}>
    ${Object.values(view.board.cards)
      .filter(({ play_weeks, kind }) => play_weeks === null || kind === "action")
      .map(({ id, kind, region, worth, weeks }) => {
        const answer = view.ask.options?.take?.[id];
        return html`
          <${Thing}
            key=${id}
            look="tr-kind-of"
            act=${act}
            answer=${answer}
            pressed=${plan?.card === id}
            can=${Boolean(answer) && act.mayMove}
            label=${cardSaid(view, act, id, answer)}
            onPress=${() => choose("take", { card: id })}
          >
            ${
              region
                ? html`<${RegionSign} view=${view} region=${region} size=${26} />`
                : html`<b>${kindSaid(act, { kind })}</b>`
            }
            ${worth > 0 && html`<b class="tr-plus">+${worth}</b>`}
            <small class=${classes(isOurs(view, kind) && "tr-our")}>${weeks}</small>
            <${NextSign} view=${view} answer=${answer} size=${16} />
          <//>
        `;
      })}
  </div>
`;

const Next = ({ view, answer }) =>
  nextAfter(view, answer) &&
  html`<span class="tr-next"><${NextSign} view=${view} answer=${answer} size=${20} /></span>`;

/** An exhibition: its points, and step by step what it asks for and the weeks that leaves. */
function Exhibition({ view, act, card, plan, choose }) {
  const answer = view.ask.options?.exhibitions?.[card.id];
  const said = card.steps.map(({ objects, weeks }) =>
    act.say("tomb_raiders.page.step", {
      n: weeks,
      objects: Object.entries(objects).map(([region, n]) => `${n} × ${act.name(region)}`),
    }),
  );
  const total = answer?.legal ? answer.total : null;
  return html`
    <${Thing}
      look=${classes("tr-ticket", answer?.legal && "reached")}
      act=${act}
      answer=${answer}
      pressed=${plan?.card === card.id}
      can=${Boolean(answer) && act.mayMove}
      piece=${`shown:${card.id}`}
      label=${`${act.say("tomb_raiders.page.exhibition", { card: card.id, n: card.points })} ${said.join(" ")}
        ${landSaid(view, act, answer) ?? ""}`}
      onPress=${() => choose("exhibit", { card: card.id })}
    >
      <b class=${classes("tr-points", isOurs(view, "exhibition") && "ours")} data-sign="points">${card.points}</b>
      <span class="tr-steps">
        ${card.steps.map(({ objects, weeks }, i) => {
          const before = card.steps[i - 1]?.objects ?? {};
          const more = Object.fromEntries(
            Object.entries(objects)
              .map(([region, n]) => [region, n - (before[region] ?? 0)])
              .filter(([, n]) => n > 0),
          );
          const step = answer?.steps[i];
          return html`
            <span key=${i} class=${classes("tr-step", step?.reached && "reached", weeks === total && "now")}>
              <${Wanted} view=${view} objects=${more} missing=${step?.missing} />
              <b class=${classes(isOurs(view, card.id) && "ours")}>${weeks}</b>
            </span>
          `;
        })}
      </span>
      <${Next} view=${view} answer=${answer} />
    <//>
  `;
}

const museumSaid = (act, { id, artifacts, points, weeks }) =>
  act.say("tomb_raiders.page.museum", { card: id, n: artifacts, points, weeks });

/** A museum: how many artifacts it takes for ever, and what it is worth. */
function Museum({ view, act, card }) {
  const answer = view.ask.options?.museums?.[card.id];
  const costs = answer?.costs ?? null;
  return html`
    <${Thing}
      look=${classes("tr-ticket museum", answer?.legal && "reached")}
      act=${act}
      answer=${answer}
      pressed=${undefined}
      can=${Boolean(answer)}
      piece=${`shown:${card.id}`}
      label=${[
        museumSaid(act, card),
        costs !== null && act.say("tomb_raiders.page.costs", { n: costs }),
        landSaid(view, act, answer),
      ]
        .filter(Boolean)
        .join(" ")}
      onPress=${() => act.hold("museum", { card: card.id, gift: answer.gift ?? [] })}
    >
      <b class=${classes("tr-points", isOurs(view, "museum") && "ours")} data-sign="points">${card.points}</b>
      <span class="tr-steps">
        <span class="tr-gift" data-sign="gift">
          <svg viewBox="-20 -20 40 40" width="26" height="26"><path d=${TEMPLE} class="tr-temple" /></svg>
          <b>−${card.artifacts}</b>
          ${
            costs !== null && html`<small>(${act.say("tomb_raiders.page.short_points", { n: signed(-costs) })})</small>`
          }
        </span>
        <span class="tr-step now">
          <b class=${classes(isOurs(view, "museum") && "ours")}>${card.weeks}</b>
        </span>
      </span>
      <${Next} view=${view} answer=${answer} />
    <//>
  `;
}

const TEMPLE = "M-17-5L0-16L17-5ZM-14-4V10M-5-4V10M5-4V10M14-4V10M-17 11H17V15H-17Z";

/** What is on display. */
export const Display = ({ view, act, plan, choose }) => html`
  <div
    class=${classes("tr-display", view.board.exhibitions.length + view.board.museums.length > 8 && "many")}
    role="group"
    aria-label=${act.say("tomb_raiders.page.display")}
  >
    ${view.board.exhibitions.map(
      (card) =>
        html`<${Exhibition} key=${card.id} view=${view} act=${act} card=${card} plan=${plan} choose=${choose} />`,
    )}
    ${view.board.museums.map((card) => html`<${Museum} key=${card.id} view=${view} act=${act} card=${card} />`)}
    ${
      view.board.exhibitions.length + view.board.museums.length === 0 &&
      html`<p class="hint">${act.say("tomb_raiders.page.no_display")}</p>`
    }
  </div>
`;

/** Which artifacts a museum gets, and what they cost in points. */
export function MuseumSheet({ view, act }) {
  const chosen = act.chosen("museum");
  const answer = view.ask.options?.museums?.[chosen?.card];
  const card = view.board.museums.find(({ id }) => id === chosen?.card);
  if (!answer || !card) return null;
  const { finds } = view.board.seats[view.ask.options.seat];
  const worth = Object.assign({}, ...view.board.regions.map(({ artifacts }) => artifacts));
  const sorted = [...finds].sort();
  const { gift } = chosen;
  const close = () => act.hold("museum", null);
  // Of artifacts that are alike the first ones are given.
  const given = (i) =>
    sorted.slice(0, i + 1).filter((id) => id === sorted[i]).length <= gift.filter((id) => id === sorted[i]).length;
  const toggle = (i) => {
    const at = gift.indexOf(sorted[i]);
    const less = gift.filter((_, k) => k !== at);
    act.hold("museum", { ...chosen, gift: given(i) ? less : [...gift, sorted[i]] });
  };
  const costs = gift.reduce((sum, id) => sum + worth[id].value, 0);
  const whole = gift.length === card.artifacts;
  const give = () => {
    close();
    act.move({ type: "museum", card: card.id, artifacts: gift }, { sound: "knock" });
  };
  return html`
    <${Dialog} look="sheet wide" title=${act.name(card.id)} onClose=${close}>
      <p class="ask-line">
        ${museumSaid(act, card)}
      </p>
      <ul class="tr-faces tr-giving">
        ${sorted.map(
          (id, i) => html`
            <li key=${i}>
              <button
                type="button"
                class="tr-pick"
                aria-pressed=${given(i)}
                aria-disabled=${act.mayMove ? undefined : "true"}
                onClick=${() => act.mayMove && toggle(i)}
              >
                <span class="unseen">${act.name(id)}</span>
                <span class="inside" aria-hidden="true"><${Face} view=${view} act=${act} id=${id} /></span>
              </button>
            </li>
          `,
        )}
      </ul>
      <footer class="tr-deed">
        <p class=${classes(answer.refusal && "refusal")}>
          ${
            answer.refusal
              ? html`<${Why} answer=${answer} act=${act} />`
              : html`
                <b>
                  ${act.say("tomb_raiders.page.giving", {
                    n: gift.length,
                    of: card.artifacts,
                    costs,
                    points: card.points,
                  })}
                </b>
                ${" "}${landSaid(view, act, answer)}
              `
          }
        </p>
        ${
          act.mayMove &&
          html`
            <${Button} look="main" class="do-it" can=${act.can && answer.legal && whole} onPress=${give}>
              ${act.say("tomb_raiders.page.do_museum")}
            <//>
          `
        }
      </footer>
      <${Refused} act=${act} />
    <//>
  `;
}
