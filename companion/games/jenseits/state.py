"""Everything that lies on the table in a game of Jenseits von Theben."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from companion.game import State
from companion.games.jenseits.piles import OPEN, Piles, laid_out
from companion.games.jenseits.printed import MOST_KNOWLEDGE, Printed
from companion.pieces.bag import Bag
from companion.pieces.track import Track

ETHNOLOGY = 2
"""Points of an ethnology card, if used."""

BLANK = "blank"
PLACES = ("a", "b", "c")
"""Where exhibitions lie."""


Where = str | int
"""A place on the table by its name, or a seat."""


class Find(NamedTuple):
    """A token that stays with a seat, and the site it comes from."""

    site: str
    token: str


class Counts(msgspec.Struct, frozen=True):
    """What a seat's cards and finds come to; counted anew whenever one comes or goes."""

    books: dict[str, int]
    objects: dict[str, int]
    open_books: int = 0
    assistants: int = 0
    shovels: int = 0
    cars: int = 0
    zeppelins: int = 0
    special_permits: int = 0
    congresses: int = 0
    ethnology: frozenset[str] = frozenset()
    points: int = 0  # of the objects


class Archaeologist(msgspec.Struct, frozen=True):
    """A seat's figure, permits, cards and finds.

    :param turned: the sites whose permits show the used side.
    """

    place: str
    cards: tuple[str, ...]
    finds: tuple[Find, ...]
    turned: frozenset[str]
    counts: Counts


class Digging(msgspec.Struct, frozen=True):
    """A dig in progress: the tokens drawn so far, of how many; blanks lie beside the bag until the turn ends."""

    seat: int
    site: str
    of: int
    drawn: tuple[str, ...] = ()


class Run(msgspec.Struct, frozen=True):
    """How often a seat has refreshed the open cards since another one played."""

    seat: int = -1
    refreshes: int = 0


class JenseitsState(State, frozen=True):
    """One moment of the game.

    :param stack: the seats whose starting markers are placed, the top one first, until all are.
    :param open: the open research cards by place; `None` is an empty place.
    :param shown: the exhibitions at a, b and c.
    :param turning: an exhibition has come from the draw pile, and which one is still to be told.
    :param first_finds: the sites nobody has dug at, where an object waits for the first to dig.
    """

    track: Track
    seats: tuple[Archaeologist, ...]
    bags: dict[str, Bag]
    piles: Piles
    stack: tuple[int, ...] = ()
    open: tuple[str | None, ...] = (None,) * OPEN
    shown: tuple[str | None, ...] = (None,) * len(PLACES)
    turning: bool = False
    first_finds: frozenset[str] = frozenset()
    digging: Digging | None = None
    run: Run = Run()


class Knowledge(NamedTuple):
    """How much a seat knows about a site, as the rulebook counts it."""

    books: int
    ethnology: int
    assistants: int
    open_books: int  # as many as count
    total: int  # for the dial

    @property
    def specific(self) -> int:
        return self.books + self.ethnology + self.assistants


def first_state(printed: Printed, seats: int) -> JenseitsState:
    """The table as it is laid, before the first card is opened."""
    nothing = counted(printed, (), ())
    figure = Archaeologist(printed.home, (), (), frozenset(), nothing)
    return JenseitsState(
        track=starting_track(printed, tuple(range(seats))),
        seats=(figure,) * seats,
        bags={site: Bag.of(tokens) for site, tokens in printed.box.bags.items()},
        piles=laid_out(printed, seats),
        first_finds=frozenset(printed.sites),
    )


def starting_track(printed: Printed, stack: tuple[int, ...]) -> Track:
    """All markers on the week in which so many players start, the first of the stack on top [JVT-02, JVT-03]."""
    return Track.stacked(stack, time=printed.start[len(stack)], end=printed.end)


def counted(printed: Printed, cards: tuple[str, ...], finds: tuple[Find, ...]) -> Counts:
    """What cards and finds come to."""
    books = dict.fromkeys(printed.sites, 0)
    kinds = dict.fromkeys(KINDS, 0)
    ethnology = []
    for kind, site, worth in map(printed.counting.__getitem__, cards):
        if site is None:
            kinds[kind] += worth
        elif kind == "book":
            books[site] += worth
        else:
            ethnology.append(site)
    objects = dict.fromkeys(printed.sites, 0)
    points = 0
    for origin, token in finds:
        kind, site, worth = printed.counting[token]
        if kind == "object":
            objects[origin] += 1
            points += worth
        elif site is not None:
            books[site] += worth
        else:
            kinds[kind] += worth
    return Counts(
        books=books,
        objects=objects,
        points=points,
        ethnology=frozenset(ethnology),
        open_books=kinds["open_book"],
        assistants=kinds["assistant"],
        shovels=kinds["shovel"],
        cars=kinds["car"],
        zeppelins=kinds["zeppelin"],
        special_permits=kinds["special_permit"],
        congresses=kinds["congress"],
    )


KINDS: tuple[str, ...] = (
    "open_book", "assistant", "shovel", "car", "zeppelin", "special_permit", "congress", "exhibition"
)  # fmt: skip
"""The kinds of cards that are only counted."""


def with_holdings(
    printed: Printed, seat: Archaeologist, cards: tuple[str, ...], finds: tuple[Find, ...]
) -> Archaeologist:
    """A seat with other cards and finds before it."""
    return replace(seat, cards=cards, finds=finds, counts=counted(printed, cards, finds))


def seated(state: JenseitsState, seat: int, archaeologist: Archaeologist) -> tuple[Archaeologist, ...]:
    """All seats, one of them changed."""
    return (*state.seats[:seat], archaeologist, *state.seats[seat + 1 :])


def together(alike: int) -> int:
    """What assistants or shovels are worth: a pair 1, a trio 2 [JVT-30, JVT-43].

    >>> [together(n) for n in range(8)]
    [0, 0, 1, 2, 2, 3, 4, 4]
    """
    return 2 * alike // 3


def knowledge(counts: Counts, site: str, use: tuple[str, ...] = ()) -> Knowledge:
    """How much a seat knows about a site, with the cards it uses [JVT-30 to JVT-33]."""
    books = counts.books[site]
    ethnology = ETHNOLOGY if "ethnology" in use else 0
    assistants = 1 if "assistant" in use else together(counts.assistants)
    specific = books + ethnology + assistants
    general = min(counts.open_books, specific)
    return Knowledge(books, ethnology, assistants, general, min(specific + general, MOST_KNOWLEDGE))


def counted_in_all(state: JenseitsState, first_find: str) -> dict[str, int]:
    """How many there are of every token and card, in all places together; no step changes it."""
    census: Counter[str] = Counter()
    for site, bag in state.bags.items():
        census.update({f"{site} {token}": count for token, count in bag.counts.items()})
    census.update(f"{find.site} {find.token}" for seat in state.seats for find in seat.finds)
    census.update(f"{site} {first_find}" for site in state.first_finds)
    if state.digging is not None:
        census[f"{state.digging.site} {BLANK}"] += state.digging.drawn.count(BLANK)
    census.update(state.piles.hidden.counts)
    census.update(card for pile in (*state.piles.draw, state.piles.aside) for card in pile.exhibitions)
    census.update(state.piles.discards)
    census.update(card for card in (*state.open, *state.shown) if card is not None)
    census.update(card for seat in state.seats for card in seat.cards)
    return dict(census)
