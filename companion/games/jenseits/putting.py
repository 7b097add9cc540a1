"""A hand takes one token or card from somewhere and puts it somewhere else; `None` where it cannot."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.jenseits.piles import less
from companion.games.jenseits.printed import Printed
from companion.games.jenseits.state import PLACES, Find, JenseitsState, Where, seated, with_holdings


def take_token(printed: Printed, state: JenseitsState, site: str, token: str, place: Where) -> JenseitsState | None:
    """A token is taken out of the ``bag``, off the ``site``, or from a seat's finds."""
    if place == "bag" and token in state.bags[site]:
        return replace(state, bags={**state.bags, site: state.bags[site].without(token)})
    if place == "site" and site in state.first_finds and token == printed.box.first_find:
        return replace(state, first_finds=state.first_finds - {site})
    if isinstance(place, int) and Find(site, token) in state.seats[place].finds:
        return _finds(printed, state, place, less(state.seats[place].finds, Find(site, token)))
    return None


def put_token(printed: Printed, state: JenseitsState, site: str, token: str, place: Where) -> JenseitsState | None:
    """A token is put into the ``bag``, on the ``site``, or before a seat."""
    if place == "bag":
        return replace(state, bags={**state.bags, site: state.bags[site].with_(token)})
    if place == "site" and site not in state.first_finds and token == printed.box.first_find:
        return replace(state, first_finds=state.first_finds | {site})
    if isinstance(place, int):
        return _finds(printed, state, place, (*state.seats[place].finds, Find(site, token)))
    return None


def take_card(printed: Printed, state: JenseitsState, card: str, place: Where) -> JenseitsState | None:
    """A card is taken from the piles, from a place on the board, or from a seat."""
    if isinstance(place, int):
        cards = state.seats[place].cards
        return _cards(printed, state, place, less(cards, card)) if card in cards else None
    if place == "open" and card in state.open:
        return replace(state, open=_swapped(state.open, state.open.index(card), None))
    if place in PLACES and state.shown[PLACES.index(place)] == card:
        return replace(state, shown=_swapped(state.shown, PLACES.index(place), None))
    piles = state.piles.with_oneless(card, place)
    return None if piles is None else replace(state, piles=piles)


def put_card(printed: Printed, state: JenseitsState, card: str, place: Where) -> JenseitsState | None:
    """A card is put on the piles, on an empty place of the board, or before a seat."""
    if isinstance(place, int):
        return _cards(printed, state, place, (*state.seats[place].cards, card))
    research = card in printed.research
    if place == "open" and research and None in state.open:
        return replace(state, open=_swapped(state.open, state.open.index(None), card))
    if place in PLACES and not research and state.shown[PLACES.index(place)] is None:
        return replace(state, shown=_swapped(state.shown, PLACES.index(place), card))
    piles = state.piles.with_one_more(card, place, research=research)
    return None if piles is None else replace(state, piles=piles)


def _cards(printed: Printed, state: JenseitsState, seat: int, cards: tuple[str, ...]) -> JenseitsState:
    holder = state.seats[seat]
    return replace(state, seats=seated(state, seat, with_holdings(printed, holder, cards, holder.finds)))


def _finds(printed: Printed, state: JenseitsState, seat: int, finds: tuple[Find, ...]) -> JenseitsState:
    holder = state.seats[seat]
    return replace(state, seats=seated(state, seat, with_holdings(printed, holder, holder.cards, finds)))


def _swapped(places: tuple[str | None, ...], at: int, card: str | None) -> tuple[str | None, ...]:
    return (*places[:at], card, *places[at + 1 :])
