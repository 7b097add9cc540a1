// A seat's secret hand: its cards, with what can be used, packed and laid off.
import { classes, html } from "../../html.js";
import { PrivateLook } from "../../chrome/private_look.js";
import { Button } from "../../chrome/press.js";
import { Refused } from "../../chrome/choosing.js";
import { cardSaid } from "./cards.js";
import { Face } from "./printed.js";

// What can be used stands on the card, or on the ability, that it is used with.
const usesOf = (you, card) => you.uses.filter((use) => use.card === card);
const abilitiesOf = (you) => you.uses.filter((use) => use.ability);

function useSaid(act, use) {
  const what = use.card || use.ability;
  if (use.wound) return act.say("horus.page.use_against", { card: what, wound: use.wound });
  if (use.mummy) return act.say("horus.page.use_on", { mummy: use.mummy });
  if (use.god) return act.say("horus.page.use_for", { card: what, god: use.god });
  return act.say("horus.page.use", { card: what });
}

/** A move without its empty fields. */
const withoutEmpty = (use) =>
  Object.fromEntries(Object.entries(use).filter(([, value]) => value !== "" && value !== null));

/** The cards of a hand; those that may be laid off are touched for it, and what can be used has its button. */
function Cards({ view, act, you, seat, after }) {
  const { asking } = view.board;
  const mine = act.can && view.ask.seat === seat;
  const lays = mine && (asking === "ready" || asking === "discard");
  const chosen = act.chosen("laid") ?? [];
  const may = (card) => lays && you.may_discard.includes(card.card);
  const touch = (at) =>
    act.hold(
      "laid",
      chosen.includes(at)
        ? chosen.filter((each) => each !== at)
        : asking === "discard"
          ? [at]
          : [...chosen, at].sort((a, b) => a - b),
    );
  const use = (each) => () => {
    after();
    act.move(withoutEmpty(each), { sound: "token" });
  };
  return html`
    <ul class="hor-cards">
      ${you.cards.map(
        (card, at) => html`
          <li key=${`${card.card}:${at}`}>
            ${
              lays
                ? html`
                  <${Button}
                    look="hor-pick"
                    can=${may(card)}
                    pressed=${chosen.includes(at)}
                    label=${cardSaid(act, card)}
                    onPress=${() => touch(at)}
                  >
                    <${Face} card=${card} size=${52} />
                  <//>
                `
                : html`<span role="img" aria-label=${cardSaid(act, card)}><${Face} card=${card} size=${52} /></span>`
            }
          </li>
        `,
      )}
    </ul>
    ${!you.cards.length && html`<p class="caption">${act.say("horus.page.empty_hand")}</p>`}
    <div class="hor-deeds">
    ${lays && html`<${LayOff} view=${view} act=${act} you=${you} chosen=${chosen} after=${after} />`}
    ${
      mine &&
      html`
        <div class="hor-uses">
          ${[...new Set(you.cards.map((card) => card.card))]
            .flatMap((card) => usesOf(you, card))
            .concat(abilitiesOf(you))
            .filter((each) => each.keep === null || each.keep === undefined)
            .map(
              (each) => html`
                <${Button} key=${JSON.stringify(each)} look="quiet" can=${act.can} onPress=${use(each)}>
                  ${useSaid(act, each)}
                <//>
              `,
            )}
          ${you.may_pack.map(
            (card) => html`
              <${Button} key=${card.card} look="quiet" can=${act.can} onPress=${use({ type: "pack", card: card.card })}>
                ${act.say("horus.page.pack", { card: cardSaid(act, card) })}
              <//>
            `,
          )}
        </div>
      `
    }
    </div>
  `;
}

/** Lays off what was touched; before the level is read that is also how one is ready. */
function LayOff({ view, act, you, chosen, after }) {
  const cards = chosen.map((at) => you.cards[at].card);
  const ready = view.board.asking === "ready";
  const lay = () => {
    after();
    act.move(ready ? { type: "ready", discard: cards } : { type: "discard", card: cards[0] }, { sound: "token" });
  };
  return html`
    <${Button} look="main" class="lay-off" can=${act.can && (ready || cards.length === 1)} onPress=${lay}>
      ${
        ready
          ? cards.length
            ? act.say("horus.page.lay_off_ready", { n: cards.length })
            : act.say("horus.page.ready")
          : act.say("horus.page.lay_off")
      }
    <//>
  `;
}

/** Up to how many cards each level goes; the last step is the most that anybody carries. */
const stepsSaid = (act, levels) =>
  levels
    .flatMap((level, n) => (levels[n + 1] === level ? [] : [act.say("horus.page.level_step", { n, level })]))
    .join(" · ");

/** What only its owner knows beside the cards: their worth, a block looked at, sarcophagi read. */
const Known = ({ view, act, you }) => html`
  <ul class="hor-known">
    <li>
      ${act.say("horus.page.level_with", { n: you.count, level: you.level })}
      ${!act.narrow && html`<small class="level-steps"> (${stepsSaid(act, view.board.level_table)})</small>`}
    </li>
    <li>${act.say("horus.page.worth", { n: you.worth })}</li>
    ${you.looked && html`<li><b>${act.say("horus.page.looked", { block: you.looked })}</b></li>`}
    ${you.read.map(
      ({ god, square, card }) => html`
        <li key=${square}>
          ${
            card
              ? act.say("horus.page.read", { god, square, n: card.value })
              : act.say("horus.page.read_there", { god, square })
          }
        </li>
      `,
    )}
  </ul>
`;

/** One's own cards, on one's own screen. @param only its `cards`, or what is `known`: else both. */
const Mine = ({ view, act, only }) => html`
  <section class=${classes("hor-hand", only && "part")} aria-label=${act.say("horus.page.hand")}>
    ${!only && html`<h2>${act.say("horus.page.hand")}</h2>`}
    ${
      only !== "known" &&
      html`<${Cards} view=${view} act=${act} you=${view.you} seat=${view.me.seat} after=${() => {}} />`
    }
    ${only !== "cards" && html`<${Known} view=${view} act=${act} you=${view.you} />`}
  </section>
`;

/** The seat whose hand the shared tablet shows: the one to decide, else the one whose part of the round it is. */
const whose = (view) => view.ask.seats?.[0] ?? view.ask.seat ?? view.board.turn ?? 0;

/** On the shared tablet a hand is looked at by holding. */
const Held = ({ view, act }) => {
  const titled = (name) => act.say("horus.page.hand_of", { name });
  const { name } = view.seats[whose(view)];
  return html`
    <section class="hor-hand" aria-label=${titled(name)}>
      <${PrivateLook}
        view=${view}
        act=${act}
        seat=${whose(view)}
        label=${act.say("horus.page.hold", { name })}
        title=${titled}
        look="sheet hor-secret"
        letGo=${!act.mayMove}
        onCover=${() => act.hold("laid", null)}
      >
        ${({ you, seat, cover }) => html`
          <${Cards} view=${view} act=${act} you=${you} seat=${seat} after=${cover} />
          <${Known} view=${view} act=${act} you=${you} />
          <${Refused} act=${act} />
          <${Button} look="quiet" onPress=${cover}>${act.say("horus.page.cover")}<//>
        `}
      <//>
    </section>
  `;
};

/** The hand that this screen may look at: one's own, or, on the shared tablet, that of whoever is asked. */
export function Part({ view, act, only }) {
  if (act.role === "seat") return html`<${Mine} view=${view} act=${act} only=${only} />`;
  const playing = view.ask.kind !== "over" && view.board.phase !== "entering";
  return act.role === "host" && playing ? html`<${Held} view=${view} act=${act} />` : null;
}
