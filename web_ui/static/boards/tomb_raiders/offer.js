// What can be had: the storage spaces, or what real ones may hold; the exhibitions and museums on display.
import { classes, html } from "../../html.js";
import { NextSign, nextAfter, whyNot } from "../../chrome/choosing.js";
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
        const label = act.say("tomb_raiders.page.empty");
        return html`<div key=${place} class="tr-empty" role="img" aria-label=${label}></div>`;
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
  const steps = card.steps.map(({ objects, weeks }) =>
    act.say("tomb_raiders.page.step", {
      n: weeks,
      objects: Object.entries(objects).map(([region, n]) => `${n} × ${act.name(region)}`),
    }),
  );
  const total = answer?.legal ? answer.total : null;
  return html`
    <${Thing}
      look=${classes("tr-ticket", answer?.legal && "reached tr-can-hold")}
      act=${act}
      answer=${answer}
      pressed=${plan?.card === card.id}
      can=${Boolean(answer) && act.mayMove}
      piece=${`shown:${card.id}`}
      label=${`${act.say("tomb_raiders.page.exhibition", { card: card.id, n: card.points })} ${steps.join(" ")}
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

export const museumSaid = (act, { id, artifacts, points, weeks }) =>
  act.say("tomb_raiders.page.museum", { card: id, n: artifacts, points, weeks });

/** A museum: how many artifacts it takes for ever, and what it is worth. */
function Museum({ view, act, card }) {
  const answer = view.ask.options?.museums?.[card.id];
  const costs = answer?.costs ?? null;
  return html`
    <${Thing}
      look=${classes("tr-ticket museum", answer?.legal && "reached tr-can-give")}
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
