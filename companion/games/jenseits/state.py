"""Everything that lies on the table in a game of Jenseits von Theben, and what a seat's hand can do with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from companion.game import Score, State
from companion.games.jenseits.piles import OPEN, Piles, laid_out, research_to_come
from companion.games.jenseits.terms import MOST_KNOWLEDGE, JenseitsTerms
from companion.parts import TableView, changed
from companion.pieces.bag import Bag
from companion.pieces.box_differences import BoxDifference, as_printed
from companion.pieces.cards import without_one
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
    """What a seat's cards and finds count as; computed again whenever they change."""

    books: dict[str, int]
    objects: dict[str, int]
    open_books: int
    assistants: int
    shovels: int
    cars: int
    zeppelins: int
    special_permits: int
    congresses: int
    ethnology: frozenset[str]
    points: int  # of the objects


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
    """A dig in progress: the tokens drawn so far, and `of` how many. Blanks stay beside the bag until the turn ends.

    :param specially: on a special permit, so that no permit is turned down [JVT-09].
    """

    seat: int
    site: str
    of: int
    drawn: tuple[str, ...] = ()
    specially: bool = False


NO_DIG = Digging(-1, "", 0)


class Run(msgspec.Struct, frozen=True):
    """How often a seat has refreshed the open cards in a row, without another seat playing."""

    seat: int = -1
    refreshes: int = 0


class JenseitsState(State, frozen=True):
    """One moment of the game.

    :param stack: the seats whose starting markers are placed so far, the top one first.
    :param open: the open research cards by place; `None` is an empty place.
    :param shown: the exhibitions at a, b and c.
    :param turning: whether an exhibition has come from the draw pile, and which one is still to be drawn.
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

    @property
    def opens_a_dig(self) -> bool:
        """Whether it is enough to dig at all: assistants and open books alone are not [JVT-41]."""
        return self.books + self.ethnology > 0


class JenseitsTable(TableView[JenseitsState, JenseitsTerms]):
    """The table from one seat's point of view."""

    __slots__ = ()

    @property
    def mine(self) -> Archaeologist:
        """The seat's figure, permits, cards and finds."""
        return self.state.seats[self.seat]

    @property
    def at(self) -> int:
        """Where the seat's marker is, in weeks."""
        return self.state.track.times[self.seat]

    @property
    def left(self) -> int:
        """How many weeks the seat has until the end."""
        return self.terms.end - self.at

    @property
    def to_new_year(self) -> int:
        """The weeks until the seat's marker comes to week 1."""
        return self.terms.calendar.weeks - self.at % self.terms.calendar.weeks

    @property
    def refresh_weeks(self) -> int:
        """1 week, and 1 more for each refresh of this seat since another has played [JVT-24]."""
        return 1 + (self.state.run.refreshes if self.state.run.seat == self.seat else 0)

    @property
    def stacking(self) -> bool:
        """Whether the starting markers are still being stacked [JVT-03]."""
        return len(self.state.stack) < len(self.state.seats)

    @property
    def filling(self) -> bool:
        """Whether an open place waits for a card, and there is one to come [JVT-22]."""
        return None in self.state.open and research_to_come(self.terms, self.state.piles)

    @property
    def digging(self) -> Digging:
        """The dig in progress."""
        return self.state.digging or NO_DIG

    @property
    def trips(self) -> Mapping[str, int]:
        """The weeks of the trip to each place by the shortest way; a car shortens a long one [JVT-11, JVT-12]."""
        mine = self.mine
        return (self.terms.by_car if mine.counts.cars else self.terms.legs)[mine.place]

    def new_year(self, weeks: int) -> bool:
        """Whether the seat's marker passes a new year in so many weeks; past the last week there is none [JVT-09]."""
        return self.terms.calendar.new_years(self.at, min(self.at + weeks, self.terms.last_week)) > 0

    def permit_up(self, site: str, weeks: int) -> bool:
        """Whether a permit is valid for a dig of so many weeks, judged when the dig is announced. In version 1 a new
        year within these weeks came first [JVT-09, JVT-40]."""
        return site not in (self.mine.turned if self.terms.rules > 1 else self.turned_after(weeks))

    def turned_after(self, weeks: int) -> frozenset[str]:
        """The sites whose permits are used after so many weeks: none, where a new year begins [JVT-09]."""
        return frozenset() if self.new_year(weeks) else self.mine.turned

    def travelled(self, to: str, weeks: int) -> JenseitsTable:
        """The figure travels, and the weeks of trip and action are paid together [JVT-11]."""
        run = self.state.run
        return self.replace(
            track=self.state.track.advance(self.seat, weeks),
            seats=self.seated(place=to, turned=self.turned_after(weeks)),
            run=run if run.seat == self.seat else Run(self.seat),
        )

    def taken(self, card: str) -> JenseitsTable:
        """With a card more before the seat."""
        return self.holding((*self.mine.cards, card), self.mine.finds)

    def with_find(self, site: str, token: str) -> JenseitsTable:
        """With a find more before the seat."""
        return self.holding(self.mine.cards, (*self.mine.finds, Find(site, token)))

    def used_up(self, kind: str, site: str | None = None) -> JenseitsTable:
        """A card of a kind, and of a site if given, goes from the seat to the discards [JVT-25]."""
        card = next(card for card in self.mine.cards if self.terms.counting[card][:2] == (kind, site))
        return self.holding(without_one(self.mine.cards, card), self.mine.finds).replace(
            piles=self.state.piles.discard(card)
        )

    def holding(self, cards: tuple[str, ...], finds: tuple[Find, ...]) -> JenseitsTable:
        """With these cards and finds before the seat."""
        return self.replace(seats=self.seated(cards=cards, finds=finds, counts=counts_of(self.terms, cards, finds)))

    def with_permit(self, site: str, *, up: bool) -> JenseitsTable:
        """With a permit of the seat turned to this side."""
        turned = self.mine.turned - {site} if up else self.mine.turned | {site}
        return self.replace(seats=self.seated(turned=turned))

    def begun(self, site: str, tokens: int, *, specially: bool) -> JenseitsTable:
        """A dig begins, for so many tokens or all that the bag has [JVT-44]. The first to dig at a site gets the object
        that lies there [JVT-45]."""
        table = self
        if site in self.state.first_finds:
            table = self.with_find(site, self.terms.box.first_find).replace(first_finds=self.state.first_finds - {site})
        digging = Digging(self.seat, site, min(tokens, self.state.bags[site].total), specially=specially)
        table = table.replace(digging=digging)
        return table if digging.of else table.dug()

    def dug(self) -> JenseitsTable:
        """The dig is over: rubble goes back into the bag, and the permit is turned down [JVT-44, JVT-46]."""
        site, digging = self.digging.site, self.digging
        bag = self.state.bags[site].with_(BLANK, digging.drawn.count(BLANK))
        table = self if digging.specially else self.with_permit(site, up=False)
        return table.replace(bags={**self.state.bags, site: bag}, digging=None)

    def seated(self, **changes: object) -> tuple[Archaeologist, ...]:
        """All seats, with changes at this one."""
        return changed(self.state.seats, self.seat, replace(self.mine, **changes))


def first_state(terms: JenseitsTerms) -> JenseitsState:
    """The table as it is laid, before the starting markers are stacked and the first card is opened."""
    seats = len(terms.names)
    figure = Archaeologist(terms.home, (), (), frozenset(), counts_of(terms, (), ()))
    return JenseitsState(
        track=starting_track(terms, tuple(range(seats))),
        seats=(figure,) * seats,
        bags={site: Bag.of(tokens) for site, tokens in terms.box.bags.items()},
        piles=laid_out(terms, seats),
        first_finds=frozenset(terms.sites),
    )


def starting_track(terms: JenseitsTerms, stack: tuple[int, ...]) -> Track:
    """All markers on the starting week, the first of the stack on top [JVT-02, JVT-03]."""
    return Track.stacked(stack, time=terms.begin, end=terms.end)


def counts_of(terms: JenseitsTerms, cards: tuple[str, ...], finds: tuple[Find, ...]) -> Counts:
    """Count cards and finds."""
    books = dict.fromkeys(terms.sites, 0)
    kinds = dict.fromkeys(KINDS, 0)
    ethnology = []
    for kind, site, worth in map(terms.counting.__getitem__, cards):
        if site is None:
            kinds[kind] += worth
        elif kind == "book":
            books[site] += worth
        else:
            ethnology.append(site)
    objects = dict.fromkeys(terms.sites, 0)
    points = 0
    for origin, token in finds:
        kind, site, worth = terms.counting[token]
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


def together(alike: int) -> int:
    """What assistants or shovels are worth: a pair 1, a trio 2 [JVT-30, JVT-43].

    >>> [together(n) for n in range(8)]
    [0, 0, 1, 2, 2, 3, 4, 4]
    """
    return 2 * alike // 3


def knowledge(counts: Counts, site: str, use: tuple[str, ...] = ()) -> Knowledge:
    """How much a seat knows about a site, with the cards it uses [JVT-30 to JVT-33]."""
    return _knowledge(counts.books[site], counts.assistants, counts.open_books, use)


@lru_cache(maxsize=4096)
def _knowledge(books: int, helpers: int, open_books: int, use: tuple[str, ...]) -> Knowledge:
    ethnology = ETHNOLOGY if "ethnology" in use else 0
    assistants = 1 if "assistant" in use else together(helpers)
    specific = books + ethnology + assistants
    general = min(open_books, specific)
    return Knowledge(books, ethnology, assistants, general, min(specific + general, MOST_KNOWLEDGE))


def counted_in_all(state: JenseitsState, first_find: str) -> dict[str, int]:
    """How many of every token and card there are, in all places together; no step changes that."""
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
    for each in state.otherwise:
        census = Counter(
            as_printed(census, (each,), f"{site_of(each)} {{}}" if each.where.startswith("sites.") else "{}")
        )
    return dict(census)


def site_of(each: BoxDifference) -> str:
    """The site whose bag differs."""
    return each.where.split(".")[1]


def score_of(table: JenseitsTable) -> Score:
    """What a seat has: objects, exhibitions, congresses, and the most books about a site [JVT-60, JVT-61]."""
    mine, terms = table.mine, table.terms
    parts = {
        "objects": mine.counts.points,
        "exhibitions": sum(terms.exhibitions[card].points for card in mine.cards if card in terms.exhibitions),
        "congresses": congresses(terms, mine.counts.congresses),
        "majorities": sum(majority(table, site) for site in terms.sites),
    }
    return Score(table.seat, sum(parts.values()), parts)


def congresses(terms: JenseitsTerms, attended: int) -> int:
    """What so many congresses are worth; more than 7 are worth no more than 7 [JVT-60]."""
    row = terms.box.score.congresses
    return row[min(attended, len(row) - 1)]


def majority(table: JenseitsTable, site: str) -> int:
    """What a seat scores for its books about a site: 5 if it has the most, 3 if another has as many [JVT-61]."""
    books = [other.counts.books[site] for other in table.state.seats]
    mine = table.mine.counts.books[site]
    if not mine or mine < max(books):
        return 0
    return table.terms.box.score.majority if books.count(mine) == 1 else table.terms.box.score.majority_tied
