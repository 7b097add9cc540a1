"""What the corrections can say at a table: which tokens and cards lie where, and where they could be put."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from companion.game import Mending, Together
from companion.games.jenseits.printed import Printed
from companion.games.jenseits.referee import Jenseits
from companion.games.jenseits.state import BLANK, PLACES, JenseitsState, Where

SPOTS = ("bag", "site", "pile", "aside", "discards", "open", *PLACES)
Row = tuple[str | int | bool, ...]


def choices(game: Jenseits, state: JenseitsState) -> Mending:
    """What can be said, as the table stands."""
    printed, seats = game.printed, tuple(range(len(state.seats)))
    places: tuple[Where, ...] = (*SPOTS, *seats)
    elsewhere = Together(("from", "to"), tuple(permutations(places, 2)))
    sides = tuple((seat, site, site in state.seats[seat].turned) for seat in seats for site in printed.sites)
    return Mending(
        tables={
            "marker": (Together(("week", "year"), tuple(_dates(printed, state))),),
            "figure": (Together(("place",), tuple((place,) for place in printed.legs)),),
            "permit": (Together(("seat", "site", "up"), sides),),
            "token": (
                Together(("site", "token", "from"), tuple(_tokens(printed, state))),
                Together(("site", "token", "to"), tuple(_tokens_to(printed, state))),
                elsewhere,
            ),
            "card": (
                Together(("card", "from"), tuple(_cards(printed, state))),
                Together(("card", "to"), tuple(_cards_to(printed, state))),
                elsewhere,
            ),
        },
        names={spot: (f"at_{spot}",) for spot in SPOTS} | _names(printed),
    )


def _dates(printed: Printed, state: JenseitsState) -> Iterator[Row]:
    """Every week of the track, once the markers are stacked; of the year after the last only the first."""
    stacked = len(state.stack) == len(state.seats)
    for at in range(printed.end + 1 if stacked else 0):
        week, year = printed.calendar.date(at)
        yield (week, year)


def _tokens(printed: Printed, state: JenseitsState) -> Iterator[Row]:
    """Every token that can be taken, and where it lies; a bag in which somebody digs has to wait."""
    digging = state.digging.site if state.digging is not None else None
    for site in printed.sites:
        if site == digging:
            continue
        in_bag = {token for token, count in state.bags[site].counts.items() if count and token != BLANK}
        yield from ((site, token, "bag") for token in sorted(in_bag))
        if site in state.first_finds:
            yield (site, printed.box.first_find, "site")
        for seat, holder in enumerate(state.seats):
            mine = {find.token for find in holder.finds if find.site == site}
            yield from ((site, token, seat) for token in sorted(mine))


def _tokens_to(printed: Printed, state: JenseitsState) -> Iterator[Row]:
    """Where every token could go: on its site only if that lies bare."""
    seats, first_find = range(len(state.seats)), printed.box.first_find
    for site, bag in printed.box.bags.items():
        for token in dict.fromkeys((*bag, first_find)):
            if token != BLANK:
                bare = ("site",) if token == first_find and site not in state.first_finds else ()
                yield from ((site, token, place) for place in (*seats, "bag", *bare))


def _cards(printed: Printed, state: JenseitsState) -> Iterator[Row]:
    """Every card that can be taken, and where it lies; one that lies face down may be in either pile."""
    piles = state.piles
    for card in (*printed.research, *printed.exhibitions):
        for spot, stack in (("pile", piles.draw), ("aside", (piles.aside,))):
            hidden = card in piles.hidden and any(pile.research for pile in stack)
            if hidden or any(card in pile.exhibitions for pile in stack):
                yield (card, spot)
        if card in piles.discards:
            yield (card, "discards")
        if card in state.open:
            yield (card, "open")
        yield from ((card, place) for place, shown in zip(PLACES, state.shown, strict=True) if shown == card)
        yield from ((card, seat) for seat, holder in enumerate(state.seats) if card in holder.cards)


def _cards_to(printed: Printed, state: JenseitsState) -> Iterator[Row]:
    seats = range(len(state.seats))
    free = tuple(place for place, shown in zip(PLACES, state.shown, strict=True) if shown is None)
    opened = ("open",) if None in state.open else ()
    for card in (*printed.research, *printed.exhibitions):
        for place in (*seats, *(free if card in printed.exhibitions else opened), "discards", "pile", "aside"):
            yield (card, place)


def _names(printed: Printed) -> dict[str, tuple[str, ...]]:
    """A card is told by what it is and by its city; an exhibition by itself."""
    return {card: (printed.face(card), research.city) for card, research in printed.research.items()}
