"""The table shows otherwise: markers, cards, artifacts and professors put right, so that none is lost or made."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product
from typing import Annotated

import msgspec
from msgspec.structs import replace

from companion.game import Together
from companion.games.tomb_raiders.state import BEST, GENERAL, Table, less, permit_of
from companion.parts import SEATS, Facts, Mend, Says, changed
from companion.pieces.track import Track
from companion.refusals import Illegal, Refusal

Where = str | int
SPOTS = ("pile", "storage", "display", "gone")
"""Where a card can lie, apart from before a seat."""
LAST_WEEK = 999
"""Nobody is put further on than this."""


def _seats(here: Table) -> range:
    return range(len(here.state.seats))


def _spots(here: Table) -> tuple[Where, ...]:
    return (*SPOTS, *_seats(here))


def _open_cards(here: Table) -> tuple[str, ...]:
    """The cards that can lie open: all that come into storage or on display."""
    return (*here.terms.cards, *here.terms.exhibitions, *here.terms.museums)


Seat = Annotated[int, Says(_seats), SEATS]
Seated = Annotated[int, SEATS]
Spot = Annotated[Where, Says(_spots, lambda here: {spot: (f"at_{spot}",) for spot in SPOTS}), SEATS]


class SetMarker(Mend[Table], frozen=True, tag="marker"):
    """A marker stands on another week, on top of the others there or below them all."""

    seat: Seated
    week: int
    on_top: bool = True

    @classmethod
    def sayable(cls, here: Table) -> tuple[Together, ...]:
        return (Together(("seat",), tuple((seat,) for seat in _seats(here)) if not here.stacking else ()),)

    @classmethod
    def stands(cls, here: Table) -> Iterator[SetMarker]:
        for seat in _seats(here) if not here.stacking else ():
            at = here.state.track.at(seat)
            yield cls(seat, at, on_top=here.state.track.stack(at)[-1] == seat)

    def why_not(self, here: Table) -> Refusal | None:
        if self.seat not in _seats(here):
            return _no_seat(here)
        if here.stacking:
            return Illegal("tomb_raiders.markers_first", rule="TTR-01")
        return None if 0 <= self.week <= LAST_WEEK else Illegal("tomb_raiders.no_week", rule="TTR-03", most=LAST_WEEK)

    def done(self, here: Table) -> Table:
        track = here.state.track.put(self.seat, self.week)
        return here.but(track=track if self.on_top else _below(track, self.seat))

    def told(self, here: Table) -> Facts:
        return {"type": "set_marker", **_whose(here, self.seat), "week": self.week}


class Moved(Mend[Table], frozen=True):
    """Something lies elsewhere than it is said to."""

    card: str
    origin: Spot = msgspec.field(name="from")
    to: Spot

    @classmethod
    def cards(cls, here: Table) -> tuple[str, ...]:
        """What it can be said of."""
        raise NotImplementedError

    @classmethod
    def sayable(cls, here: Table) -> tuple[Together, ...]:
        if here.state.task is not None:
            return Together(("card", "from"), ()), Together(("card", "to"), ()), Together(("from", "to"), ())
        found = product(cls.cards(here), _spots(here))
        lie = tuple((card, place) for card, place in found if cls(card, place, place).offered_from(here))
        goes = product(cls.cards(here), _spots(here))
        go = tuple((card, place) for card, place in goes if cls(card, place, place).put(here))
        elsewhere = tuple(permutations(_spots(here), 2))
        return Together(("card", "from"), lie), Together(("card", "to"), go), Together(("from", "to"), elsewhere)

    def offered_from(self, here: Table) -> bool:
        """Whether it is offered to be moved from there."""
        return self.taken(here) is not None

    def taken(self, here: Table) -> Table | None:
        """The table without it where it lay; None where it does not lie there."""
        raise NotImplementedError

    def put(self, here: Table) -> Table | None:
        """The table with it where it goes; None where it cannot lie there."""
        raise NotImplementedError

    def why_not(self, here: Table) -> Refusal | None:
        if self.card not in self.cards(here):
            return Illegal("tomb_raiders.no_card", rule="TTR-11", card=self.card)
        if any(isinstance(place, int) and place not in _seats(here) for place in (self.origin, self.to)):
            return _no_seat(here)
        if here.state.task is not None:
            return Illegal("tomb_raiders.pile_first", rule="TTR-43", region=here.task.region)
        there = self.taken(here)
        if there is None:
            return Illegal("tomb_raiders.card_not_there", rule="TTR-11", card=self.card)
        if there.over and not here.over:
            return Illegal("tomb_raiders.card_not_there", rule="TTR-70", card=self.card)
        return None if self.put(there) else Illegal("tomb_raiders.card_not_to_there", rule="TTR-11", card=self.card)

    def done(self, here: Table) -> Table:
        taken = self.taken(here) or here
        return (self.put(taken) or here).with_professors()

    def told(self, here: Table) -> Facts:
        said = [here.terms.names[at] if isinstance(at, int) else f"at_{at}" for at in (self.origin, self.to)]
        return {"type": f"set_{self.__struct_config__.tag}", "card": self.card, "from": said[0], "to": said[1]}


class SetCard(Moved, frozen=True, tag="card"):
    """An open card is elsewhere: in the draw ``pile``, in ``storage``, on ``display``, before a seat, or out of the
    game. Of hands nothing is said."""

    @classmethod
    def cards(cls, here: Table) -> tuple[str, ...]:
        return _open_cards(here)

    def taken(self, here: Table) -> Table | None:
        state, card = here.state, self.card
        if isinstance(self.origin, int):
            owner = here.by(self.origin)
            return owner.picked_up(card) if card in owner.mine.cards else None
        if self.origin == "pile" and card in state.deck:
            unknown = here.kind_of_unknown(card) if here.terms.is_real else None
            free = unknown is None or here.unshown(unknown) > 0
            return here.but(deck=state.deck.without(card)) if free else None
        if self.origin == "storage" and card in state.storage:
            return here.but(storage=changed(state.storage, state.storage.index(card), None))
        if self.origin == "display" and card in state.shown:
            return here.but(shown=less(state.shown, card))
        if self.origin == "gone" and card in state.gone:
            return here.but(gone=less(state.gone, card))
        return None

    def put(self, here: Table) -> Table | None:
        state, card = here.state, self.card
        for_display = card not in here.terms.cards
        if isinstance(self.to, int):
            open_cards = for_display or here.terms.cards[card].play_weeks is None
            return here.by(self.to).laid(card) if open_cards else None
        if self.to == "pile":
            return here.but(deck=state.deck.with_(card))
        if self.to == "storage" and not for_display and None in state.storage:
            return here.but(storage=changed(state.storage, state.storage.index(None), card))
        if self.to == "display" and for_display and not here.terms.is_real:
            return here.but(shown=(*state.shown, card))
        return here.gone(card) if self.to == "gone" and not for_display else None


class SetArtifact(Moved, frozen=True, tag="artifact"):
    """An artifact is elsewhere: on its ``pile``, before a seat, or out of the game. From a pile of the companion's
    nothing is taken so: whether it is there would tell what nobody may know."""

    @classmethod
    def cards(cls, here: Table) -> tuple[str, ...]:
        return tuple(
            card for region in here.terms.regions for card in here.cards_of(region) if card in here.terms.artifacts
        )

    def taken(self, here: Table) -> Table | None:
        region = here.terms.region_of(self.card)
        if isinstance(self.origin, int):
            owner = here.by(self.origin)
            return (
                owner.but(seats=owner.seated(finds=less(owner.mine.finds, self.card)))
                if self.card in owner.mine.finds
                else None
            )
        if self.origin == "gone" and self.card in here.state.gone:
            return here.but(gone=less(here.state.gone, self.card))
        pile = here.pile(region)
        if self.origin == "pile" and here.terms.real_piles and self.card in pile.faces:
            return here.with_pile(region, replace(pile, faces=pile.faces.without(self.card)))
        return None

    def put(self, here: Table) -> Table | None:
        region = here.terms.region_of(self.card)
        if isinstance(self.to, int):
            return here.by(self.to).found(self.card)
        if self.to == "gone":
            return here.gone(self.card)
        pile = here.pile(region)
        if self.to == "pile" and here.terms.real_piles:
            return here.with_pile(region, replace(pile, faces=pile.faces.with_(self.card)))
        return here.with_pile(region, pile.with_(self.card)) if self.to == "pile" else None


AnyProfessor = Annotated[str, Says(lambda here: (*here.terms.regions, BEST))]


class SetProfessor(Mend[Table], frozen=True, tag="professor"):
    """A professor is with another seat, of those who have as much as anybody."""

    professor: AnyProfessor
    seat: Seat

    @classmethod
    def stands(cls, here: Table) -> Iterator[SetProfessor]:
        return (cls(name, seat) for name, seat in here.state.professors.items())

    def why_not(self, here: Table) -> Refusal | None:
        if self.seat not in _seats(here):
            return _no_seat(here)
        rule = "TTR-51" if self.professor == BEST else "TTR-50"
        if self.professor not in (*here.terms.regions, BEST):
            return Illegal("tomb_raiders.no_professor", rule=rule, professor=self.professor)
        there = self.done(here)
        if there.with_professors().state.professors == there.state.professors:
            return None
        return Illegal("tomb_raiders.not_the_most", rule=rule, professor=self.professor)

    def done(self, here: Table) -> Table:
        return here.but(professors=here.state.professors | {self.professor: self.seat})

    def told(self, here: Table) -> Facts:
        return {"type": "set_professor", **_whose(here, self.seat), "professor": self.professor}


def hand_cards(here: Table) -> tuple[str, ...]:
    """What a real hand may have that can be said of it: excavation cards, and unshown action cards by their weeks."""
    return (*(permit_of(region) for region in here.terms.regions), GENERAL, *here.terms.unknown)


class PileEmpty(Mend[Table], frozen=True, tag="empty"):
    """Where it is real: the draw pile is empty. The table is asked for it then, as after a take [TTR-70]."""

    def why_not(self, here: Table) -> Refusal | None:
        if here.stacking:
            return Illegal("tomb_raiders.markers_first", rule="TTR-01")
        if here.state.task is not None:
            return Illegal("tomb_raiders.pile_first", rule="TTR-43", region=here.task.region)
        is_asked = here.state.topping or here.state.taking or here.state.naming
        return Illegal("core.chance_first", rule="TTR-12") if is_asked else None

    def done(self, here: Table) -> Table:
        return here.but(topping=True)


HandCard = Annotated[str, Says(hand_cards)]
HowMany = Annotated[int, Says(lambda here: range(1 + max(here.terms.most_in_hand(card) for card in hand_cards(here))))]


class SetHand(Mend[Table], frozen=True, tag="hand"):
    """Where hands are real: so many cards of a kind are in one. Nobody says which an unshown card is [TTR-81]."""

    seat: Seat
    card: HandCard
    n: HowMany

    def why_not(self, here: Table) -> Refusal | None:
        if self.seat not in _seats(here):
            return _no_seat(here)
        if self.card not in hand_cards(here):
            return Illegal("tomb_raiders.no_card", rule="TTR-81", card=self.card)
        if here.state.task is not None:
            return Illegal("tomb_raiders.pile_first", rule="TTR-43", region=here.task.region)
        mine = here.state.seats[self.seat]
        unknown = self.card in here.terms.unknown
        free = here.unshown(self.card) if unknown else here.state.gone.count(self.card)
        most = free + (mine.unknown if unknown else mine.hand).count(self.card)
        if 0 <= self.n <= most:
            return None
        return Illegal("tomb_raiders.not_so_many", rule="TTR-81", card=self.card, most=most)

    def done(self, here: Table) -> Table:
        owner, card = here.by(self.seat), self.card
        mine, gone = owner.mine, here.state.gone
        if card in here.terms.unknown:
            others = tuple(each for each in mine.unknown if each != card)
            return owner.but(seats=owner.seated(unknown=(*others, *[card] * self.n)))
        left = mine.hand.count(card) + gone.count(card) - self.n
        hand = tuple(each for each in mine.hand if each != card)
        gone = tuple(each for each in gone if each != card)
        return owner.but(seats=owner.seated(hand=(*hand, *[card] * self.n))).but(gone=(*gone, *[card] * left))

    def told(self, here: Table) -> Facts:
        return {"type": "set_hand", **_whose(here, self.seat), "card": self.card, "n": self.n}


def _below(track: Track, seat: int) -> Track:
    """The marker slipped under the others of its stack."""
    for other in track.stack(track.at(seat)):
        if other != seat:
            track = track.put(other, track.at(other))
    return track


def _whose(here: Table, seat: int) -> Facts:
    return {"whose": here.terms.names[seat], "seat": seat}


def _no_seat(here: Table) -> Refusal:
    return Illegal("tomb_raiders.no_seat", rule="TTR-01", n=len(here.state.seats))
