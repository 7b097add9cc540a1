"""The table shows otherwise: markers, figures, permits, tokens and cards put right, so that none is lost or made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import permutations, product
from typing import Annotated

import msgspec

from companion.game import Together
from companion.games.jenseits.piles import less
from companion.games.jenseits.state import BLANK, PLACES, Find, Table, Where
from companion.parts import SEATS, Facts, Mend, Says, changed
from companion.pieces.track import Track
from companion.refusals import Illegal, Refusal

SPOTS = ("bag", "site", "pile", "aside", "discards", "open", *PLACES)
"""Where a token or a card can lie, apart from before a seat."""


def _cards(here: Table) -> tuple[str, ...]:
    return (*here.terms.research, *here.terms.exhibitions)


def _cards_named(here: Table) -> Mapping[str, tuple[str, ...]]:
    """A card is told by what it is and by its city; an exhibition by itself."""
    return {card: (here.terms.face(card), printed.city) for card, printed in here.terms.research.items()}


def _seats(here: Table) -> range:
    return range(len(here.state.seats))


def _spots(here: Table) -> tuple[Where, ...]:
    return (*SPOTS, *_seats(here))


def _weeks(here: Table) -> range:
    return range(1, here.terms.calendar.weeks + 1)


def _years(here: Table) -> tuple[int, ...]:
    return (*here.terms.box.time.years, here.terms.box.time.end.year)


Seat = Annotated[int, SEATS]
Week = Annotated[int, Says(_weeks)]
Year = Annotated[int, Says(_years)]
Place = Annotated[str, Says(lambda here: here.terms.legs)]
AnyCard = Annotated[str, Says(_cards, _cards_named)]
Spot = Annotated[Where, Says(_spots, lambda here: {spot: (f"at_{spot}",) for spot in SPOTS}), SEATS]


class SetMarker(Mend[Table], frozen=True, tag="marker"):
    """A marker stands on another week, on top of the others there or below them all."""

    seat: Seat
    week: Week
    year: Year
    on_top: bool = True

    @classmethod
    def stands(cls, here: Table) -> Iterator[SetMarker]:
        for seat in _seats(here) if not here.stacking else ():
            at = here.state.track.at(seat)
            yield cls(seat, *here.terms.calendar.date(at), on_top=here.state.track.stack(at)[-1] == seat)

    def why_not(self, here: Table) -> Refusal | None:
        calendar = here.terms.calendar
        if self.seat not in _seats(here):
            return _no_seat(here)
        if here.stacking:
            return Illegal("jenseits.markers_first", rule="JVT-03")
        if not 1 <= self.week <= calendar.weeks:
            return Illegal("jenseits.no_week", rule="JVT-01", most=calendar.weeks)
        if not 0 <= calendar.time(self.week, self.year) <= here.terms.end:
            week, year = calendar.date(here.terms.end)
            return Illegal("jenseits.no_time", rule="JVT-06", year=calendar.first_year, end=week, last=year)
        return None

    def done(self, here: Table) -> Table:
        track = here.state.track.put(self.seat, here.terms.calendar.time(self.week, self.year))
        return here.but(track=track if self.on_top else _below(track, self.seat))

    def told(self, here: Table) -> Facts:
        return {"type": "set_marker", **_whose(here, self.seat), "week": self.week, "year": self.year}


class SetFigure(Mend[Table], frozen=True, tag="figure"):
    """A figure stands in another place."""

    seat: Seat
    place: Place

    @classmethod
    def stands(cls, here: Table) -> Iterator[SetFigure]:
        return (cls(seat, mine.place) for seat, mine in enumerate(here.state.seats))

    def why_not(self, here: Table) -> Refusal | None:
        if self.place not in here.terms.legs:
            return Illegal("jenseits.no_place", rule="JVT-10", place=self.place)
        return None if self.seat in _seats(here) else _no_seat(here)

    def done(self, here: Table) -> Table:
        there = here.by(self.seat)
        return there.but(seats=there.seated(place=self.place))

    def told(self, here: Table) -> Facts:
        return {"type": "set_figure", **_whose(here, self.seat), "place": self.place}


class SetPermit(Mend[Table], frozen=True, tag="permit"):
    """A permit shows its other side."""

    seat: Seat
    site: str
    up: bool

    @classmethod
    def sayable(cls, here: Table) -> tuple[Together, ...]:
        """For each permit the side that it does not show: only that would change something."""
        return (Together(("seat", "site", "up"), tuple((now.seat, now.site, not now.up) for now in cls.stands(here))),)

    @classmethod
    def stands(cls, here: Table) -> Iterator[SetPermit]:
        every = product(enumerate(here.state.seats), here.terms.sites)
        return (cls(seat, site, up=site not in mine.turned) for (seat, mine), site in every)

    def why_not(self, here: Table) -> Refusal | None:
        if self.seat not in _seats(here):
            return _no_seat(here)
        return None if self.site in here.terms.sites else _no_site(self.site)

    def done(self, here: Table) -> Table:
        return here.by(self.seat).with_permit(self.site, up=self.up)

    def told(self, here: Table) -> Facts:
        side = "set_permit_up" if self.up else "set_permit_turned"
        return {"type": side, **_whose(here, self.seat), "site": self.site}


class SetToken(Mend[Table], frozen=True, tag="token"):
    """A token lies elsewhere: in the ``bag``, on the ``site`` for the first to dig there, or before a seat."""

    site: str
    token: str
    origin: Spot = msgspec.field(name="from")
    to: Spot

    @classmethod
    def sayable(cls, here: Table) -> tuple[Together, ...]:
        kinds = {
            site: [token for token in dict.fromkeys((*bag, here.terms.box.first_find)) if token != BLANK]
            for site, bag in here.terms.box.bags.items()
        }
        lie = (
            (site, token, place)
            for site, place in product(kinds, ("bag", "site", *_seats(here)))
            for token in sorted(kinds[site])
            if cls(site, token, place, place).taken(here)
        )
        go = (
            (site, token, place)
            for site in kinds
            for token, place in product(kinds[site], (*_seats(here), "bag", "site"))
            if cls(site, token, place, place).put(here)
        )
        whence = Together(("site", "token", "from"), tuple(lie))
        whither = Together(("site", "token", "to"), tuple(go))
        return whence, whither, _elsewhere(here)

    def why_not(self, here: Table) -> Refusal | None:
        if self.site not in here.terms.sites:
            return _no_site(self.site)
        if self.site == here.digging.site:
            return Illegal("jenseits.dig_first", rule="JVT-44", site=self.site)
        if self.token == BLANK:
            return Illegal("jenseits.blanks_stay", rule="JVT-44")
        lost = Illegal("jenseits.token_not_there", rule="JVT-45", token=self.token, site=self.site)
        misplaced = Illegal("jenseits.token_not_to_there", rule="JVT-45", token=self.token, site=self.site)
        return _not_moved(here, self, lost, misplaced)

    def done(self, here: Table) -> Table:
        return _moved(here, self) or here

    def told(self, here: Table) -> Facts:
        return {"type": "set_token", "site": self.site, "token": self.token, **_way(here, self)}

    def taken(self, here: Table) -> Table | None:
        """The table without it where it lay; None where it does not lie, or somebody digs."""
        bag, find = here.state.bags[self.site], Find(self.site, self.token)
        if self.site == here.digging.site:
            return None
        if self.origin == "bag" and self.token in bag:
            return here.but(bags={**here.state.bags, self.site: bag.without(self.token)})
        if self.origin == "site" and self.site in here.state.first_finds and self.token == here.terms.box.first_find:
            return here.but(first_finds=here.state.first_finds - {self.site})
        if isinstance(self.origin, int) and find in (owner := here.by(self.origin)).mine.finds:
            return owner.holding(owner.mine.cards, less(owner.mine.finds, find))
        return None

    def put(self, here: Table) -> Table | None:
        """The table with it where it goes; None where it cannot lie."""
        if self.to == "bag":
            return here.but(bags={**here.state.bags, self.site: here.state.bags[self.site].with_(self.token)})
        if self.to == "site" and self.site not in here.state.first_finds and self.token == here.terms.box.first_find:
            return here.but(first_finds=here.state.first_finds | {self.site})
        return here.by(self.to).found(self.site, self.token) if isinstance(self.to, int) else None


class SetCard(Mend[Table], frozen=True, tag="card"):
    """A card lies elsewhere: in the ``pile``, ``aside``, on the ``discards``, ``open``, at ``a``, ``b`` or ``c``, or
    before a seat."""

    card: AnyCard
    origin: Spot = msgspec.field(name="from")
    to: Spot

    @classmethod
    def sayable(cls, here: Table) -> tuple[Together, ...]:
        cards, seats = _cards(here), _seats(here)
        found = product(cards, ("pile", "aside", "discards", "open", *PLACES, *seats))
        goes = product(cards, (*seats, "open", *PLACES, "discards", "pile", "aside"))
        lie = ((card, place) for card, place in found if cls(card, place, place).taken(here))
        go = ((card, place) for card, place in goes if cls(card, place, place).put(here))
        return Together(("card", "from"), tuple(lie)), Together(("card", "to"), tuple(go)), _elsewhere(here)

    def why_not(self, here: Table) -> Refusal | None:
        if self.card not in here.terms.research and self.card not in here.terms.exhibitions:
            return Illegal("jenseits.no_card", rule="JVT-20", card=self.card)
        face = here.terms.face(self.card)
        lost = Illegal("jenseits.card_not_there", rule="JVT-20", card=face)
        misplaced = Illegal("jenseits.card_not_to_there", rule="JVT-20", card=face)
        return _not_moved(here, self, lost, misplaced)

    def done(self, here: Table) -> Table:
        moved = _moved(here, self) or here
        return moved.but(turning=moved.state.turning and bool(moved.state.piles.which()))

    def told(self, here: Table) -> Facts:
        return {"type": "set_card", "card": self.card, "face": here.terms.face(self.card), **_way(here, self)}

    def taken(self, here: Table) -> Table | None:
        """The table without it where it lay; None where it does not lie."""
        state, place = here.state, self.origin
        if isinstance(place, int):
            owner = here.by(place)
            mine = owner.mine
            return owner.holding(less(mine.cards, self.card), mine.finds) if self.card in mine.cards else None
        if place == "open" and self.card in state.open:
            return here.but(open=changed(state.open, state.open.index(self.card), None))
        if place in PLACES and state.shown[PLACES.index(place)] == self.card:
            return here.but(shown=changed(state.shown, PLACES.index(place), None))
        piles = state.piles.with_oneless(self.card, place)
        return None if piles is None else here.but(piles=piles)

    def put(self, here: Table) -> Table | None:
        """The table with it where it goes; None where it cannot lie."""
        state, place, research = here.state, self.to, self.card in here.terms.research
        if isinstance(place, int):
            return here.by(place).taken(self.card)
        if place == "open" and research and None in state.open:
            return here.but(open=changed(state.open, state.open.index(None), self.card))
        if place in PLACES and not research and state.shown[PLACES.index(place)] is None:
            return here.but(shown=changed(state.shown, PLACES.index(place), self.card))
        piles = state.piles.with_one_more(self.card, place, research=research)
        return None if piles is None else here.but(piles=piles)


def _moved(here: Table, thing: SetToken | SetCard) -> Table | None:
    taken = thing.taken(here)
    return None if taken is None else thing.put(taken)


def _not_moved(here: Table, thing: SetToken | SetCard, lost: Refusal, misplaced: Refusal) -> Refusal | None:
    """Why a thing is not moved: a seat that is not there, it does not lie there, or it cannot go there."""
    if any(isinstance(place, int) and place not in _seats(here) for place in (thing.origin, thing.to)):
        return _no_seat(here)
    if thing.taken(here) is None:
        return lost
    return None if _moved(here, thing) else misplaced


def _elsewhere(here: Table) -> Together:
    return Together(("from", "to"), tuple(permutations(_spots(here), 2)))


def _below(track: Track, seat: int) -> Track:
    """The marker slipped under the others of its stack."""
    for other in track.stack(track.at(seat)):
        if other != seat:
            track = track.put(other, track.at(other))
    return track


def _whose(here: Table, seat: int) -> Facts:
    return {"whose": here.terms.names[seat], "seat": seat}


def _way(here: Table, thing: SetToken | SetCard) -> Facts:
    """From where to where: a seat by its player's name, a place of the table by a name of the catalogue."""
    said = [here.terms.names[at] if isinstance(at, int) else f"at_{at}" for at in (thing.origin, thing.to)]
    return {"from": said[0], "to": said[1]}


def _no_seat(here: Table) -> Refusal:
    return Illegal("jenseits.no_seat", rule="JVT-02", n=len(here.state.seats))


def _no_site(site: str) -> Refusal:
    return Illegal("jenseits.no_site", rule="JVT-42", site=site)
