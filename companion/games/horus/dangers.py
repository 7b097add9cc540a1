"""The risks and prospects that a reader of a table can compute: a blocked way out, a mummy, what a search brings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from fractions import Fraction

import msgspec

from companion.games.horus.cards import EQUIPMENT, HIDDEN, is_treasure, is_wound, kind, value
from companion.games.horus.pyramid import Pyramid
from companion.games.horus.state import AREAS, DICE, HorusTerms, as_it_lies
from companion.pieces.dice import chances

REMEMBERED = 512  # layouts of blocks whose dangers are cached

CutOff = dict[str, tuple[int, ...]]


def cut_off_by(table: Pyramid) -> CutOff:
    """For each square with a way out, the blocks of which each alone would leave none.

    Whoever stands where a block falls jumps: that block cuts them off only if no square beside it has a way out then.
    """
    fallen, known = table.lying_fallen, table.terms.cut_off_cache
    if fallen not in known:
        if len(known) >= REMEMBERED:
            known.clear()
        known[fallen] = _cut_off_by(table.terms, fallen)
    return known[fallen]


def _cut_off_by(terms: HorusTerms, fallen: frozenset[str]) -> CutOff:
    plan = terms.plan
    reachable = plan.open_squares(fallen)
    cut: dict[str, list[int]] = {square: [] for square in terms.squares if square in reachable}
    for number in terms.blocks:
        name = str(number)
        if name in fallen or name not in reachable:
            continue
        left = plan.open_squares(fallen | {name})
        for square in reachable - left:
            if square != name or not left.intersection(plan.neighbours.get(name, ())):
                cut[square].append(number)
    return {square: tuple(numbers) for square, numbers in cut.items()}


def next_blocks(table: Pyramid) -> tuple[int, ...]:
    """The blocks that may fall next, with equal chances: any in the box, or the one that is known to be kept."""
    state = table.state
    return (state.looked,) if state.kept and state.looked in state.boxed else state.boxed


def chance_cut_off(table: Pyramid, square: str) -> Fraction:
    """The chance that the next block leaves no way out from a square."""
    return chance_of(table, cut_off_by(table).get(square, ()))


def chance_of(table: Pyramid, blocks: Collection[int]) -> Fraction:
    """The chance that the next block is one of these."""
    may_fall = next_blocks(table)
    return Fraction(sum(each in blocks for each in may_fall), len(may_fall)) if may_fall else Fraction(0)


class MummyReach(msgspec.Struct, frozen=True):
    """Where a mummy may be after its next walk.

    :param stands: the chance of each square to be the last of the walk.
    :param enters: the chance of each square to be touched on the way.
    """

    mummy: str
    stands: dict[str, float]
    enters: dict[str, float]


def steps_odds(terms: HorusTerms) -> tuple[Fraction, ...]:
    """The chances that the mummies walk 0, 1, 2 … squares [HOR-40]."""
    return chances(DICE, terms.mummies_from, faces=terms.faces)


def walks(table: Pyramid) -> Iterator[tuple[Fraction, list[tuple[str, ...]]]]:
    """Each length of the next walk with its chance, and the squares each mummy enters; one that lies only gets up."""
    for steps, chance in enumerate(steps_odds(table.terms)):
        if chance:
            yield (
                chance,
                [(each.at,) if each.lying else each.walker.walk(steps)[1] for each in table.state.mummies],
            )


def reach(table: Pyramid) -> list[MummyReach]:
    """Where each mummy may be after its next walk."""
    found = []
    for at, mummy in enumerate(table.state.mummies):
        stands: dict[str, float] = {}
        enters: dict[str, float] = {}
        for chance, entered in walks(table):
            last = entered[at][-1] if entered[at] else mummy.at
            stands[last] = stands.get(last, 0.0) + float(chance)
            for square in set(entered[at]):
                enters[square] = enters.get(square, 0.0) + float(chance)
        found.append(MummyReach(mummy.name, stands, enters))
    return found


def touched(table: Pyramid) -> dict[str, tuple[float, float]]:
    """For each square that a mummy may enter: the chance of a touch there, and the expected number of touches."""
    found: dict[str, tuple[float, float]] = {}
    for chance, entered in walks(table):
        for square, count in Counter(square for squares in entered for square in squares).items():
            any_touch, touches = found.get(square, (0.0, 0.0))
            found[square] = (any_touch + float(chance), touches + float(chance) * count)
    return found


class SearchProspect(msgspec.Struct, frozen=True):
    """What the top card of a deck may be, in shares of one, and what it is worth on average."""

    left: int
    treasure: float
    equipment: float
    wound: float
    worth: float


def searches(table: Pyramid) -> dict[str, SearchProspect]:
    """What a search is worth in each area, judged by the cards that the reader sees now, not by earlier ones."""
    return {area: _search(table, deck) for deck, area in enumerate(AREAS)}


def _search(table: Pyramid, deck: int) -> SearchProspect:
    terms, left = table.terms, table.state.decks[deck].total
    gone = Counter(_cards_seen(table))
    pool = {card: count - gone[terms.card_from(deck, card)] for card, count in terms.decks[deck].counts.items()}
    hideable = {card for card in pool if kind(as_it_lies(table, terms.card_from(deck, card))) == HIDDEN}
    unseen = sum(pool[card] for card in hideable)
    hidden = sum(pool.values()) - left  # how many face-down cards are gone
    share = Fraction(unseen - hidden, unseen) if unseen else Fraction(0)

    def weight(card: str) -> Fraction:
        return pool[card] * share if card in hideable else Fraction(pool[card])

    def part(of: Iterator[str]) -> float:
        return float(sum(map(weight, of)) / left) if left else 0.0

    average = Fraction(1 + terms.faces, 2)
    worth = sum(weight(card) * (average if card == "chest" else value(card)) for card in pool)
    return SearchProspect(
        left=left,
        treasure=part(card for card in pool if is_treasure(card)),
        equipment=part(card for card in pool if card in EQUIPMENT),
        wound=part(card for card in pool if is_wound(card)),
        worth=float(worth / left) if left else 0.0,
    )


def _cards_seen(table: Pyramid) -> Iterator[str]:
    """The cards of all seats and beside the board, as far as the reader sees them."""
    for adventurer in table.state.adventurers:
        yield from adventurer.cards
    yield from table.state.cast_off


def tomb_worth(table: Pyramid, at: int) -> float:
    """The worth of a sarcophagus: of its card, if the reader sees it; else the average of the cards of its god that the
    reader does not see elsewhere."""
    slot, tomb = table.terms.slots[at], table.state.sarcophagi[at]
    if tomb.card:
        return value(tomb.card)
    rows = zip(table.terms.slots, table.state.sarcophagi, strict=True)
    seen = Counter(each.card for other, each in rows if other.god == slot.god)
    unseen = {card: count - seen[card] for card, count in table.tomb_cards(slot.god).items()}
    total = sum(unseen.values())
    return sum(value(card) * count for card, count in unseen.items()) / total if total else 0.0


def expected_actions(table: Pyramid, seat: int, level: int) -> float:
    """The average number of actions from a roll at a level, without the cursed dice."""
    faces, dice = table.terms.faces, DICE - len(table.cursed(seat))
    return dice * max(0, min(faces, faces + 1 - level)) / faces
