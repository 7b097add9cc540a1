// A layer as it is being laid: which cards are still in hand, and where the next part of an obelisk or a snake can go.
// It is a guide; whether the layer is legal, the service says.

const FAMILIES = [
  ["obelisk_base", "obelisk_middle", "obelisk_top"],
  ["snake_head", "snake_body", "snake_tail"],
];

const familyOf = (card) => FAMILIES.find((family) => family.includes(card));

export const begun = (size) => ({ cards: Array(size).fill(null), hand: null, run: [] });

/** How many of each kind are still to be laid. */
export function left(draft, cards) {
  const laid = (card) => draft.cards.filter((each) => each === card).length;
  return Object.fromEntries(Object.entries(cards).map(([card, count]) => [card, count - laid(card)]));
}

/** Takes a kind into the hand; a figure that was begun goes on only with a part of its own. */
export function taken(draft, card) {
  const goesOn =
    familyOf(card) &&
    draft.run.length > 0 &&
    familyOf(draft.cards[draft.run[0]]) === familyOf(card) &&
    card !== familyOf(card)[0];
  return { ...draft, hand: card, run: goesOn ? draft.run : [] };
}

/** Lays a card on a square, and takes the next part of its figure into the hand. */
export function laid(draft, at, card, cards) {
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
export const cleared = (draft, at) => ({
  ...draft,
  cards: draft.cards.map((each, i) => (i === at ? null : each)),
  hand: draft.cards[at],
  run: draft.run.filter((i) => i !== at),
});

/** Moves a card to another square; what lay there comes to where it was. */
export function moved(draft, from, to) {
  const cards = [...draft.cards];
  [cards[from], cards[to]] = [cards[to], cards[from]];
  return { ...draft, cards, run: [] };
}

/** The free squares where the part in hand would go on its figure in a straight line. */
export function hints(draft, side) {
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
export function guide(draft) {
  if (draft.cards.every(Boolean)) return "full";
  const family = draft.hand && familyOf(draft.hand);
  if (!family) return draft.hand ? "loose" : "choose";
  return draft.hand;
}
