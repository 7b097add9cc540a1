"""The table shows otherwise: markers, figures, permits, tokens and cards put right, so that none is lost or made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import permutations, product
from typing import Annotated

import msgspec

from companion.game import FieldTable
from companion.games.jenseits.state import BLANK, PLACES, Find, JenseitsTable, Where
from companion.parts import SEATS, ChoiceOf, Facts, RuledCorrection, changed
from companion.pieces.cards import without_one
from companion.refusals import Illegal, Refusal

SPOTS = ("bag", "site", "pile", "aside", "discards", "open", *PLACES)
"""Where a token or a card can lie, apart from before a seat."""


def _cards(table: JenseitsTable) -> tuple[str, ...]:
    return (*table.terms.research, *table.terms.exhibitions)


def _cards_named(table: JenseitsTable) -> Mapping[str, tuple[str, ...]]:
    """A card is told by what it is and by its city; an exhibition by itself."""
    return {card: (table.terms.face(card), printed.city) for card, printed in table.terms.research.items()}


def _seats(table: JenseitsTable) -> range:
    return range(len(table.state.seats))


def _spots(table: JenseitsTable) -> tuple[Where, ...]:
    return (*SPOTS, *_seats(table))


def _weeks(table: JenseitsTable) -> range:
    return range(1, table.terms.calendar.weeks + 1)


def _years(table: JenseitsTable) -> tuple[int, ...]:
    return (*table.terms.box.time.years, table.terms.box.time.end.year)


Seat = Annotated[int, SEATS]
Week = Annotated[int, ChoiceOf(_weeks)]
Year = Annotated[int, ChoiceOf(_years)]
Place = Annotated[str, ChoiceOf(lambda table: table.terms.legs)]
AnyCard = Annotated[str, ChoiceOf(_cards, _cards_named)]
Spot = Annotated[Where, ChoiceOf(_spots, lambda table: {spot: (f"at_{spot}",) for spot in SPOTS}), SEATS]


class SetMarker(RuledCorrection[JenseitsTable], frozen=True, tag="marker"):
    """A marker stands on another week, on top of the others there or below them all."""

    seat: Seat
    week: Week
    year: Year
    on_top: bool = True

    @classmethod
    def current_values(cls, table: JenseitsTable) -> Iterator[SetMarker]:
        for seat in _seats(table) if not table.stacking else ():
            at = table.state.track.at(seat)
            yield cls(seat, *table.terms.calendar.date(at), on_top=table.state.track.stack(at)[-1] == seat)

    def why_not(self, table: JenseitsTable) -> Refusal | None:
        calendar = table.terms.calendar
        if self.seat not in _seats(table):
            return _no_seat(table)
        if table.stacking:
            return Illegal("jenseits.markers_first", rule="JVT-03")
        if not 1 <= self.week <= calendar.weeks:
            return Illegal("jenseits.no_week", rule="JVT-01", most=calendar.weeks)
        if not 0 <= calendar.time(self.week, self.year) <= table.terms.end:
            week, year = calendar.date(table.terms.end)
            return Illegal("jenseits.no_time", rule="JVT-06", year=calendar.first_year, end=week, last=year)
        return None

    def done(self, table: JenseitsTable) -> JenseitsTable:
        track = table.state.track.put(self.seat, table.terms.calendar.time(self.week, self.year))
        return table.replace(track=track if self.on_top else track.beneath(self.seat))

    def log_facts(self, table: JenseitsTable) -> Facts:
        return {"type": "set_marker", **_whose(table, self.seat), "week": self.week, "year": self.year}


class SetFigure(RuledCorrection[JenseitsTable], frozen=True, tag="figure"):
    """A figure stands in another place."""

    seat: Seat
    place: Place

    @classmethod
    def current_values(cls, table: JenseitsTable) -> Iterator[SetFigure]:
        return (cls(seat, mine.place) for seat, mine in enumerate(table.state.seats))

    def why_not(self, table: JenseitsTable) -> Refusal | None:
        if self.place not in table.terms.legs:
            return Illegal("jenseits.no_place", rule="JVT-10", place=self.place)
        return None if self.seat in _seats(table) else _no_seat(table)

    def done(self, table: JenseitsTable) -> JenseitsTable:
        there = table.by(self.seat)
        return there.replace(seats=there.seated(place=self.place))

    def log_facts(self, table: JenseitsTable) -> Facts:
        return {"type": "set_figure", **_whose(table, self.seat), "place": self.place}


class SetPermit(RuledCorrection[JenseitsTable], frozen=True, tag="permit"):
    """A permit shows its other side."""

    seat: Seat
    site: str
    up: bool

    @classmethod
    def offered_values(cls, table: JenseitsTable) -> tuple[FieldTable, ...]:
        """For each permit the side that it does not show: only that would change something."""
        return (
            FieldTable(
                ("seat", "site", "up"), tuple((now.seat, now.site, not now.up) for now in cls.current_values(table))
            ),
        )

    @classmethod
    def current_values(cls, table: JenseitsTable) -> Iterator[SetPermit]:
        every = product(enumerate(table.state.seats), table.terms.sites)
        return (cls(seat, site, up=site not in mine.turned) for (seat, mine), site in every)

    def why_not(self, table: JenseitsTable) -> Refusal | None:
        if self.seat not in _seats(table):
            return _no_seat(table)
        return None if self.site in table.terms.sites else _no_site(self.site)

    def done(self, table: JenseitsTable) -> JenseitsTable:
        return table.by(self.seat).with_permit(self.site, up=self.up)

    def log_facts(self, table: JenseitsTable) -> Facts:
        side = "set_permit_up" if self.up else "set_permit_turned"
        return {"type": side, **_whose(table, self.seat), "site": self.site}


class SetToken(RuledCorrection[JenseitsTable], frozen=True, tag="token"):
    """A token lies elsewhere: in the ``bag``, on the ``site`` for the first to dig there, or before a seat."""

    site: str
    token: str
    origin: Spot = msgspec.field(name="from")
    to: Spot

    @classmethod
    def offered_values(cls, table: JenseitsTable) -> tuple[FieldTable, ...]:
        kinds = {
            site: [token for token in dict.fromkeys((*bag, table.terms.box.first_find)) if token != BLANK]
            for site, bag in table.terms.box.bags.items()
        }
        lie = (
            (site, token, place)
            for site, place in product(kinds, ("bag", "site", *_seats(table)))
            for token in sorted(kinds[site])
            if cls(site, token, place, place).taken(table)
        )
        go = (
            (site, token, place)
            for site in kinds
            for token, place in product(kinds[site], (*_seats(table), "bag", "site"))
            if cls(site, token, place, place).put(table)
        )
        whence = FieldTable(("site", "token", "from"), tuple(lie))
        whither = FieldTable(("site", "token", "to"), tuple(go))
        return whence, whither, _elsewhere(table)

    def why_not(self, table: JenseitsTable) -> Refusal | None:
        if self.site not in table.terms.sites:
            return _no_site(self.site)
        if self.site == table.digging.site:
            return Illegal("jenseits.dig_first", rule="JVT-44", site=self.site)
        if self.token == BLANK:
            return Illegal("jenseits.blanks_stay", rule="JVT-44")
        lost = Illegal("jenseits.token_not_there", rule="JVT-45", token=self.token, site=self.site)
        misplaced = Illegal("jenseits.token_not_to_there", rule="JVT-45", token=self.token, site=self.site)
        return _not_moved(table, self, lost, misplaced)

    def done(self, table: JenseitsTable) -> JenseitsTable:
        return _moved(table, self) or table

    def log_facts(self, table: JenseitsTable) -> Facts:
        return {"type": "set_token", "site": self.site, "token": self.token, **_way(table, self)}

    def taken(self, table: JenseitsTable) -> JenseitsTable | None:
        """The table without it where it lay; None where it does not lie, or somebody digs."""
        bag, find = table.state.bags[self.site], Find(self.site, self.token)
        if self.site == table.digging.site:
            return None
        if self.origin == "bag" and self.token in bag:
            return table.replace(bags={**table.state.bags, self.site: bag.without(self.token)})
        if self.origin == "site" and self.site in table.state.first_finds and self.token == table.terms.box.first_find:
            return table.replace(first_finds=table.state.first_finds - {self.site})
        if isinstance(self.origin, int) and find in (owner := table.by(self.origin)).mine.finds:
            return owner.holding(owner.mine.cards, without_one(owner.mine.finds, find))
        return None

    def put(self, table: JenseitsTable) -> JenseitsTable | None:
        """The table with it where it goes; None where it cannot lie."""
        if self.to == "bag":
            return table.replace(bags={**table.state.bags, self.site: table.state.bags[self.site].with_(self.token)})
        if self.to == "site" and self.site not in table.state.first_finds and self.token == table.terms.box.first_find:
            return table.replace(first_finds=table.state.first_finds | {self.site})
        return table.by(self.to).with_find(self.site, self.token) if isinstance(self.to, int) else None


class SetCard(RuledCorrection[JenseitsTable], frozen=True, tag="card"):
    """A card lies elsewhere: in the ``pile``, ``aside``, on the ``discards``, ``open``, at ``a``, ``b`` or ``c``, or
    before a seat."""

    card: AnyCard
    origin: Spot = msgspec.field(name="from")
    to: Spot

    @classmethod
    def offered_values(cls, table: JenseitsTable) -> tuple[FieldTable, ...]:
        cards, seats = _cards(table), _seats(table)
        found = product(cards, ("pile", "aside", "discards", "open", *PLACES, *seats))
        goes = product(cards, (*seats, "open", *PLACES, "discards", "pile", "aside"))
        lie = ((card, place) for card, place in found if cls(card, place, place).taken(table))
        go = ((card, place) for card, place in goes if cls(card, place, place).put(table))
        return FieldTable(("card", "from"), tuple(lie)), FieldTable(("card", "to"), tuple(go)), _elsewhere(table)

    def why_not(self, table: JenseitsTable) -> Refusal | None:
        if self.card not in table.terms.research and self.card not in table.terms.exhibitions:
            return Illegal("jenseits.no_card", rule="JVT-20", card=self.card)
        face = table.terms.face(self.card)
        lost = Illegal("jenseits.card_not_there", rule="JVT-20", card=face)
        misplaced = Illegal("jenseits.card_not_to_there", rule="JVT-20", card=face)
        return _not_moved(table, self, lost, misplaced)

    def done(self, table: JenseitsTable) -> JenseitsTable:
        moved = _moved(table, self) or table
        return moved.replace(turning=moved.state.turning and bool(moved.state.piles.which()))

    def log_facts(self, table: JenseitsTable) -> Facts:
        return {"type": "set_card", "card": self.card, "face": table.terms.face(self.card), **_way(table, self)}

    def taken(self, table: JenseitsTable) -> JenseitsTable | None:
        """The table without it where it lay; None where it does not lie."""
        state, place = table.state, self.origin
        if isinstance(place, int):
            owner = table.by(place)
            mine = owner.mine
            return owner.holding(without_one(mine.cards, self.card), mine.finds) if self.card in mine.cards else None
        if place == "open" and self.card in state.open:
            return table.replace(open=changed(state.open, state.open.index(self.card), None))
        if place in PLACES and state.shown[PLACES.index(place)] == self.card:
            return table.replace(shown=changed(state.shown, PLACES.index(place), None))
        piles = state.piles.with_oneless(self.card, place)
        return None if piles is None else table.replace(piles=piles)

    def put(self, table: JenseitsTable) -> JenseitsTable | None:
        """The table with it where it goes; None where it cannot lie."""
        state, place, research = table.state, self.to, self.card in table.terms.research
        if isinstance(place, int):
            return table.by(place).taken(self.card)
        if place == "open" and research and None in state.open:
            return table.replace(open=changed(state.open, state.open.index(None), self.card))
        if place in PLACES and not research and state.shown[PLACES.index(place)] is None:
            return table.replace(shown=changed(state.shown, PLACES.index(place), self.card))
        piles = state.piles.with_one_more(self.card, place, research=research)
        return None if piles is None else table.replace(piles=piles)


def _moved(table: JenseitsTable, thing: SetToken | SetCard) -> JenseitsTable | None:
    taken = thing.taken(table)
    return None if taken is None else thing.put(taken)


def _not_moved(table: JenseitsTable, thing: SetToken | SetCard, lost: Refusal, misplaced: Refusal) -> Refusal | None:
    """Why a thing is not moved: a seat that is not there, it does not lie there, or it cannot go there."""
    if any(isinstance(place, int) and place not in _seats(table) for place in (thing.origin, thing.to)):
        return _no_seat(table)
    if thing.taken(table) is None:
        return lost
    return None if _moved(table, thing) else misplaced


def _elsewhere(table: JenseitsTable) -> FieldTable:
    return FieldTable(("from", "to"), tuple(permutations(_spots(table), 2)))


def _whose(table: JenseitsTable, seat: int) -> Facts:
    return {"whose": table.terms.names[seat], "seat": seat}


def _way(table: JenseitsTable, thing: SetToken | SetCard) -> Facts:
    """From where to where: a seat by its player's name, a place of the table by a name of the catalogue."""
    said = [table.terms.names[at] if isinstance(at, int) else f"at_{at}" for at in (thing.origin, thing.to)]
    return {"from": said[0], "to": said[1]}


def _no_seat(table: JenseitsTable) -> Refusal:
    return Illegal("jenseits.no_seat", rule="JVT-02", n=len(table.state.seats))


def _no_site(site: str) -> Refusal:
    return Illegal("jenseits.no_site", rule="JVT-42", site=site)
