// The sarcophagi of the pyramid in a list: opened, read, and what lies open taken.
import { html, classes } from "../../html.js";
import { Dialog } from "../../chrome/dialog.js";
import { Button } from "../../chrome/press.js";
import { spotSaid, tombsOf } from "./cards.js";

/** What is to be seen of a sarcophagus; whoever has read what lies there sees it too. */
function tombSaid(view, act, { place, lid, cards, readers = [] }) {
  if (!lid) return cards.length > 0 ? act.say("toolbox.page.tomb_open", { cards }) : act.say("toolbox.page.empty");
  if (readers.length === 0) return act.say("toolbox.page.tomb_closed");
  const own = view.you?.read?.find((each) => each.place === place);
  const by = act.say("toolbox.page.read_by", { names: readers.map((seat) => view.seats[seat].name) });
  return own ? html`${by}<br />${act.say("toolbox.page.read_own", { card: own.card })}` : by;
}

/** What can be done with a sarcophagus: it is opened, read by the seat that is chosen, and what lies open is taken. */
function TombActs({ view, act, tomb: { place, lid, cards, readers } }) {
  const can = act.can && (!lid || view.board.decks.find(({ deck }) => deck === lid).left > 0);
  const acts = lid
    ? [
        ["toolbox.page.open", { place }, { type: "turn_up", deck: lid, to: place }],
        ...(readers && !readers.includes(act.seat)
          ? [["toolbox.page.read", { name: view.seats[act.seat].name, place }, { type: "read_tomb", place }]]
          : []),
      ]
    : cards.map((card) => [
        "toolbox.page.lay",
        { place: spotSaid(view, act, act.seat) },
        { type: "lay_card", card, from: place, to: act.seat },
      ]);
  return acts.map(
    ([key, facts, move]) => html`
      <${Button} key=${key} look="quiet" can=${can} onPress=${() => act.move(move, { sound: "stone" })}>
        ${act.say(key, facts)}
      <//>
    `,
  );
}

/** All sarcophagi in a list: a touch chooses one, and then what is done with it. */
export function Part({ view, act, onClose }) {
  const tombs = tombsOf(view);
  const chosen = tombs.find(({ place }) => place === act.get("tomb", null));
  return html`
    <${Dialog} look="sheet wide cards-sheet" title=${act.say("toolbox.page.tombs")} onClose=${onClose}>
      <div class="tombs">
        ${tombs.map(
          (tomb) => html`
            <${Button}
              key=${tomb.place}
              look="tomb-chip"
              class=${classes(!tomb.lid && "gone")}
              pressed=${tomb === chosen}
              onPress=${() => act.set({ tomb: tomb.place })}
            >
              <b>${act.name(tomb.place)}</b>
              <span>${tombSaid(view, act, tomb)}</span>
            <//>
          `,
        )}
      </div>
      <div class="lift-bar">
        ${
          chosen
            ? html`<${TombActs} view=${view} act=${act} tomb=${chosen} />`
            : html`<p class="caption">${act.say("toolbox.page.tombs_hint")}</p>`
        }
      </div>
    <//>
  `;
}
