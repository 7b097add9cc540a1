// The open screen of whoever lays: four by four squares, the layer's cards beside them, tapped or dragged into place.
import { classes, Component, html } from "../../html.js";
import { Dialog } from "../../chrome/dialog.js";
import { Refused } from "../../chrome/choosing.js";
import { Button, Twice } from "../../chrome/press.js";
import { Face, SEALS } from "./face.js";

const FAMILIES = [
  ["obelisk_base", "obelisk_middle", "obelisk_top"],
  ["snake_head", "snake_body", "snake_tail"],
];

const familyOf = (card) => FAMILIES.find((family) => family.includes(card));

export const begun = (size) => ({ cards: Array(size).fill(null), hand: null, run: [] });

/** How many of each kind are still to be laid. */
function left(draft, cards) {
  const laid = (card) => draft.cards.filter((each) => each === card).length;
  return Object.fromEntries(Object.entries(cards).map(([card, count]) => [card, count - laid(card)]));
}

/** Takes a kind into the hand; a figure that was begun goes on only with a part of its own. */
function taken(draft, card) {
  const goesOn =
    familyOf(card) &&
    draft.run.length > 0 &&
    familyOf(draft.cards[draft.run[0]]) === familyOf(card) &&
    card !== familyOf(card)[0];
  return { ...draft, hand: card, run: goesOn ? draft.run : [] };
}

/** Lays a card on a square, and takes the next part of its figure into the hand. */
function laid(draft, at, card, cards) {
  const rest = draft.cards.map((each, i) => (i === at ? card : each));
  const family = familyOf(card);
  const first = family?.[0] === card;
  const next = {
    ...draft,
    cards: rest,
    run: family ? [...(first ? [] : draft.run.filter((i) => i !== at)), at] : [],
  };
  return { ...next, ...following(next, card, cards) };
}

function following(draft, card, cards) {
  const remaining = left(draft, cards);
  const family = familyOf(card);
  if (!family) return { hand: remaining[card] > 0 ? card : null };
  const after = family.slice(family.indexOf(card) + 1).find((part) => remaining[part] > 0);
  if (after) return { hand: after };
  return { hand: remaining[family[0]] > 0 ? family[0] : null, run: [] };
}

/** Takes a card off its square again. */
const cleared = (draft, at) => ({
  ...draft,
  cards: draft.cards.map((each, i) => (i === at ? null : each)),
  hand: draft.cards[at],
  run: draft.run.filter((i) => i !== at),
});

/** Moves a card to another square; what lay there comes to where it was. */
function moved(draft, from, to) {
  const cards = [...draft.cards];
  [cards[from], cards[to]] = [cards[to], cards[from]];
  return { ...draft, cards, run: [] };
}

/** The free squares where the part in hand would go on its figure in a straight line. */
function hints(draft, side) {
  const { hand, run, cards } = draft;
  const family = hand && familyOf(hand);
  if (!family || family[0] === hand || run.length === 0) return [];
  const last = run[run.length - 1];
  const ways = run.length > 1 ? [last - run[run.length - 2]] : [-side, side, -1, 1];
  return ways.map((way) => last + way).filter((to) => cards[to] === null && neighbours(last, to, side));
}

const neighbours = (a, b, side) =>
  Math.abs((a % side) - (b % side)) + Math.abs(Math.floor(a / side) - Math.floor(b / side)) === 1;

/** Which sentence guides the hand now. */
function guide(draft) {
  if (draft.cards.every(Boolean)) return "full";
  const family = draft.hand && familyOf(draft.hand);
  if (!family) return draft.hand ? "loose" : "choose";
  return draft.hand;
}

const FAR = 10; // a finger that has gone no further than this has tapped

export class Table extends Component {
  keep(draft) {
    this.props.onDraft(draft);
  }

  get made() {
    const { view } = this.props;
    return view.board.layers[view.board.laying.layer - 1].cards;
  }

  /** A square is touched: the card in hand is laid there, or the one that lies there is taken up. */
  touch = (at) => {
    const { draft } = this.props;
    const { hand, cards } = draft;
    if (cards[at] !== null && (hand === null || hand === cards[at])) return this.keep(cleared(draft, at));
    if (hand && left(draft, this.made)[hand] > 0) return this.keep(laid(draft, at, hand, this.made));
    return cards[at] !== null && this.keep(cleared(draft, at));
  };

  take = (card) => left(this.props.draft, this.made)[card] > 0 && this.keep(taken(this.props.draft, card));

  // Dragging, by one finger or the mouse, from the cards to a square, from square to square, or back to the cards.

  grab = (event) => {
    const from = event.target.closest("[data-card], [data-at]");
    if (!from || !event.isPrimary) return;
    const at = from.dataset.at === undefined ? null : Number(from.dataset.at);
    const card = from.dataset.card ?? this.props.draft.cards[at];
    if (card && (at !== null || left(this.props.draft, this.made)[card] > 0)) {
      this.drag = { card, at, x: event.clientX, y: event.clientY, far: false, pointer: event.pointerId };
    }
  };

  pull = (event) => {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.pointer) return;
    if (!drag.far && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FAR) return;
    drag.far = true;
    this.setState({ ghost: { card: drag.card, x: event.clientX, y: event.clientY } });
  };

  drop = (event) => {
    const { drag } = this;
    this.drag = null;
    if (!drag?.far) return;
    this.justDragged = true;
    setTimeout(() => {
      this.justDragged = false;
    });
    this.setState({ ghost: null });
    const square = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-at]");
    this.put(drag, square ? Number(square.dataset.at) : null);
  };

  put({ card, at }, to) {
    const { draft } = this.props;
    if (at !== null) return this.keep(to === null ? { ...cleared(draft, at), hand: null } : moved(draft, at, to));
    return to !== null && left(draft, this.made)[card] > 0 && this.keep(laid(taken(draft, card), to, card, this.made));
  }

  pressed = (doing) => () => !this.justDragged && doing();

  lay = () => this.props.act.move({ type: "lay", cards: this.props.draft.cards }, { sound: "stone" });

  render({ view, act, draft, onCover, onDeal }, { ghost }) {
    const { laying, tray } = view.board;
    const { name } = view.seats[laying.seat];
    const full = draft.cards.every(Boolean);
    return html`
      <${Dialog}
        title=${act.say("tutankhamun.page.lay.title", { name, n: laying.layer })}
        onClose=${onCover}
        look="sheet tut-secret"
      >
        <div
          class="tut-lay"
          onPointerDown=${this.grab}
          onPointerMove=${this.pull}
          onPointerUp=${this.drop}
          onPointerCancel=${this.drop}
        >
          <p class="tut-guide" role="status">
            ${act.say(`tutankhamun.page.guide.${guide(draft)}`)}
          </p>
          <${Squares}
            draft=${draft}
            tray=${tray}
            act=${act}
            wrong=${act.refusal?.facts.square}
            pressed=${this.pressed}
            onTouch=${this.touch}
          />
          <${Hand}
            draft=${draft}
            made=${this.made}
            tray=${tray}
            act=${act}
            pressed=${this.pressed}
            onTake=${this.take}
          />
          <${Refused} act=${act} class="tut-wrong" />
          <div class="tut-lay-hands">
            <${Twice}
              look="quiet"
              sure=${act.say("tutankhamun.page.lay.sure")}
              can=${act.can}
              onPress=${() => this.keep(begun(draft.cards.length))}
            >
              ${act.say("tutankhamun.page.lay.clear")}
            <//>
            <${Twice} look="quiet" sure=${act.say("tutankhamun.page.lay.sure")} can=${act.can} onPress=${onDeal}>
              ${act.say("tutankhamun.page.lay.deal")}
            <//>
            <${Button} look="quiet" onPress=${onCover}>
              ${act.say("tutankhamun.page.lay.cover")}
            <//>
            <${Button} look="main" can=${act.can && full} onPress=${this.lay}>
              ${act.say("tutankhamun.page.lay.done")}
            <//>
          </div>
        </div>
        ${
          ghost &&
          html`
            <div class="tut-ghost" style=${{ left: `${ghost.x}px`, top: `${ghost.y}px` }}>
              <${Face}
                card=${ghost.card}
                value=${tray.value[ghost.card]}
                house=${tray.house.includes(ghost.card)}
                size=${84}
              />
            </div>
          `
        }
      <//>
    `;
  }
}

const Squares = ({ draft, tray, act, wrong, pressed, onTouch }) => {
  const suggested = hints(draft, tray.side);
  return html`
    <div class="tut-squares" role="group" aria-label=${act.say("tutankhamun.page.tray")}>
      ${draft.cards.map((card, at) => {
        const { square } = tray.squares[at];
        const fits = suggested.includes(at);
        const what = card ? act.name(card) : act.say(fits ? "tutankhamun.page.lay.fits" : "tutankhamun.page.lay.free");
        return html`
          <div
            key=${square}
            class=${classes("tut-cell", card && "full", fits && "hint", wrong === square && "wrong")}
          >
            ${
              card
                ? html`<${Face} card=${card} value=${tray.value[card]} house=${tray.house.includes(card)} />`
                : html`<span aria-hidden="true">${square}</span>`
            }
            <button
              type="button"
              data-at=${at}
              class="tut-over"
              aria-label=${`${square}: ${what}`}
              onClick=${pressed(() => onTouch(at))}
            ></button>
          </div>
        `;
      })}
    </div>
  `;
};

const Hand = ({ draft, made, tray, act, pressed, onTake }) => {
  const remaining = left(draft, made);
  return html`
    <div class="tut-hand" role="group" aria-label=${act.say("tutankhamun.page.lay.hand")}>
      ${Object.keys(made).map(
        (card) => html`
          <div key=${card} class=${classes("tut-pick", draft.hand === card && "now", !remaining[card] && "none")}>
            <${Face} card=${card} value=${tray.value[card]} house=${tray.house.includes(card)} seal=${SEALS.laid} />
            <b aria-hidden="true">${remaining[card]}</b>
            <button
              type="button"
              data-card=${card}
              class="tut-over"
              aria-pressed=${draft.hand === card}
              aria-disabled=${remaining[card] > 0 ? undefined : "true"}
              aria-label=${act.say("tutankhamun.page.lay.left", { what: act.name(card), n: remaining[card] })}
              title=${act.name(card)}
              onClick=${pressed(() => onTake(card))}
            ></button>
          </div>
        `,
      )}
    </div>
  `;
};
