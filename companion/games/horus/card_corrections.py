"""Corrections of where a card lies. Whether one can be right is judged by what everybody sees; otherwise somebody who
tries one card after another would learn what lies face down."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated

from companion.games.horus.box import DICE_OF
from companion.games.horus.cards import HIDDEN, IDOL, back, god, kind, seen_as, value
from companion.games.horus.pyramid import Pyramid
from companion.games.horus.state import AREAS, as_it_lies
from companion.parts import SEATS, ChoiceOf, changed
from companion.pieces.bag import Bag
from companion.pieces.box_differences import VariablePart
from companion.pieces.cards import without_one
from companion.refusals import Illegal, Refusal

BESIDE = "beside_the_board"
SUPPLY = "supply"
ALCOVES = "alcoves"
Place = str | int


def all_cards(table: Pyramid) -> tuple[str, ...]:
    """Every card that somebody can hold, once."""
    terms = table.terms
    searched = (terms.card_from(deck, card) for deck, cards in enumerate(terms.decks) for card in cards)
    tombs = (card for bag in terms.tombs.values() for card in bag)
    shown = (card for part in _loose_decks(table) for card in part.kinds)
    return tuple(dict.fromkeys((*searched, *tombs, *shown, *(f"idol-{god}" for god in terms.idols), "mummy", "block")))


def _loose_decks(table: Pyramid) -> tuple[VariablePart, ...]:
    """The decks and sarcophagi that are otherwise than the box says, with all that may lie there."""
    shown, parts = {each.where for each in table.state.otherwise}, table.terms.box.loose.items()
    return tuple(part for name, part in parts if part.where in shown and not name.startswith(DICE_OF))


def _named(table: Pyramid) -> Mapping[str, tuple[str, ...]]:
    """A card is told by what it is, its god, and what is printed on it."""
    named = ((card, (kind(card), back(card) if kind(card) == "chest" else god(card))) for card in all_cards(table))
    return {card: (*filter(None, words), *([str(value(card))] if value(card) else [])) for card, words in named}


AnyCard = Annotated[str, ChoiceOf(all_cards, _named)]
Spot = Annotated[Place, ChoiceOf(lambda table: (*table.inside, *AREAS, ALCOVES, SUPPLY, BESIDE)), SEATS]


def called(table: Pyramid, place: Place) -> str:
    """What a place is called."""
    return table.terms.names[place] if isinstance(place, int) else place


def not_its_place(table: Pyramid, card: str, place: Place) -> Refusal | None:
    """Why a card cannot lie at a place, apart from before a seat."""
    if isinstance(place, int) or place in _places_of(table, card):
        return None
    return Illegal("horus.not_its_place", rule="HOR-02", card=kind(card), place=place)


def _places_of(table: Pyramid, card: str) -> tuple[str, ...]:
    """Where a card can lie, apart from before a seat."""
    if card in ("mummy", "block"):
        return (SUPPLY,)
    if kind(card) == IDOL:
        return (ALCOVES, BESIDE)
    decks = (area for area, deck in zip(AREAS, table.terms.decks, strict=True) if _is_of(table, area, deck, card))
    own = (area for area in decks if table.terms.card_from(AREAS.index(area), seen_as(card)) == card)
    return (*own, BESIDE)


def _is_of(table: Pyramid, area: str, deck: Bag, card: str) -> bool:
    return seen_as(card) in deck or (bool(table.state.otherwise) and card in table.terms.box.loose_at(area).kinds)


def may_lie(seen: Pyramid, card: str, place: Place) -> bool:
    """Whether a card lies at a place, as far as everybody sees the table."""
    if place in AREAS:
        return seen.state.decks[AREAS.index(str(place))].total > 0 and _is_unseen(seen, card)
    how = as_it_lies(seen, card)
    return how in _lying_at(seen, place) and (how == card or _is_unseen(seen, card))


def _is_unseen(seen: Pyramid, card: str) -> bool:
    """Whether somewhere a card of this kind may lie that nobody sees."""
    terms, state = seen.terms, seen.state
    printed = sum(
        deck[seen_as(card)] for at, deck in enumerate(terms.decks) if terms.card_from(at, seen_as(card)) == card
    )
    printed += sum(bag[card] for bag in terms.tombs.values())
    shown = sum(each.cards.count(card) for each in state.adventurers) + state.cast_off.count(card)
    shown += sum(tomb.card == card for tomb in state.sarcophagi if not tomb.looted)
    return printed > shown or any(card in part.kinds for part in _loose_decks(seen))


def _lying_at(table: Pyramid, place: Place) -> tuple[str, ...]:
    """The cards at a place."""
    state = table.state
    match place:
        case int(seat):
            return state.adventurers[seat].cards
        case "beside_the_board":
            return state.cast_off
        case "alcoves":
            return tuple(f"idol-{god}" for god in state.idols)
        case "supply":
            return ("mummy", "block")
    deck = AREAS.index(place)
    return tuple(table.terms.card_from(deck, card) for card in state.decks[deck])


def lifted(table: Pyramid, card: str, place: Place) -> Pyramid | None:
    """The table without this card at a place. If another lies there face down that nobody can tell from it, the two are
    swapped first, for the people at the table know which is which. None if neither is possible."""
    if card in _lying_at(table, place):
        return _without(table, card, place)
    how = as_it_lies(table, card)
    for other in _lying_at(table, place):
        if kind(how) == HIDDEN and as_it_lies(table, other) == how:
            there = next(_hiding(table, card), None)
            return (
                None if there is None else with_card(_without(_without(table, card, there), other, place), other, there)
            )
    return None


def _hiding(table: Pyramid, card: str) -> Iterator[Place]:
    """Where a card lies that nobody sees, or its owner alone: what nobody knows comes first."""
    places: tuple[Place, ...] = (*AREAS, *table.state.tombs, BESIDE, *range(table.terms.seats))
    return (place for place in places if card in (table.state.tombs.get(str(place)) or _lying_at(table, place)))


def _without(table: Pyramid, card: str, place: Place) -> Pyramid:
    state = table.state
    match place:
        case int(seat):
            return table.with_cards(seat, without_one(state.adventurers[seat].cards, card))
        case "beside_the_board":
            return table.replace(cast_off=without_one(state.cast_off, card))
        case "alcoves":
            left = table.replace(idols=tuple(god for god in state.idols if f"idol-{god}" != card))
            return left.without_lock() if state.lock and f"idol-{state.lock}" == card else left
        case "supply":
            return table
    if place in state.tombs:
        return table.replace(tombs={**state.tombs, place: state.tombs[place].without(card)})
    deck = AREAS.index(place)
    return table.replace(decks=changed(state.decks, deck, state.decks[deck].without(seen_as(card))))


def with_card(table: Pyramid, card: str, place: Place) -> Pyramid:
    """With a card more at a place."""
    state = table.state
    match place:
        case int(seat):
            return table.taken(seat, card)
        case "beside_the_board":
            return table.replace(cast_off=(*state.cast_off, card))
        case "alcoves":
            return table.replace(idols=(*state.idols, card.removeprefix("idol-")))
        case "supply":
            return table
    if place in state.tombs:
        return table.replace(tombs={**state.tombs, place: state.tombs[place].with_(card)})
    deck = AREAS.index(place)
    return table.replace(decks=changed(state.decks, deck, state.decks[deck].with_(seen_as(card))))
