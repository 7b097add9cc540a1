"""The table shows otherwise: markers, cards, artifacts and professors put right, so that none is lost or made."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product
from typing import Annotated

import msgspec
from msgspec.structs import replace

from companion.game import FieldTable
from companion.games.tomb_raiders.state import BEST, GENERAL, TombTable, permit_of
from companion.parts import SEATS, ChoiceOf, Facts, RuledCorrection, changed
from companion.pieces.cards import without_one
from companion.refusals import Illegal, Refusal

Where = str | int
SPOTS = ("pile", "storage", "display", "gone")
"""Where a card can lie, apart from before a seat."""
LAST_WEEK = 999
"""Nobody is put further on than this."""


def _seats(table: TombTable) -> range:
    return range(len(table.state.seats))


def _spots(table: TombTable) -> tuple[Where, ...]:
    return (*SPOTS, *_seats(table))


def _open_cards(table: TombTable) -> tuple[str, ...]:
    """The cards that can lie open: all that come into storage or on display."""
    return (*table.terms.cards, *table.terms.exhibitions, *table.terms.museums)


Seat = Annotated[int, ChoiceOf(_seats), SEATS]
Seated = Annotated[int, SEATS]
Spot = Annotated[Where, ChoiceOf(_spots, lambda table: {spot: (f"at_{spot}",) for spot in SPOTS}), SEATS]


class SetMarker(RuledCorrection[TombTable], frozen=True, tag="marker"):
    """A marker stands on another week, on top of the others there or below them all."""

    seat: Seated
    week: int
    on_top: bool = True

    @classmethod
    def offered_values(cls, table: TombTable) -> tuple[FieldTable, ...]:
        return (FieldTable(("seat",), tuple((seat,) for seat in _seats(table)) if not table.stacking else ()),)

    @classmethod
    def current_values(cls, table: TombTable) -> Iterator[SetMarker]:
        for seat in _seats(table) if not table.stacking else ():
            at = table.state.track.at(seat)
            yield cls(seat, at, on_top=table.state.track.stack(at)[-1] == seat)

    def why_not(self, table: TombTable) -> Refusal | None:
        if self.seat not in _seats(table):
            return _no_seat(table)
        if table.stacking:
            return Illegal("tomb_raiders.markers_first", rule="TTR-01")
        return None if 0 <= self.week <= LAST_WEEK else Illegal("tomb_raiders.no_week", rule="TTR-03", most=LAST_WEEK)

    def done(self, table: TombTable) -> TombTable:
        track = table.state.track.put(self.seat, self.week)
        return table.replace(track=track if self.on_top else track.beneath(self.seat))

    def log_facts(self, table: TombTable) -> Facts:
        return {"type": "set_marker", **_whose(table, self.seat), "week": self.week}


class Moved(RuledCorrection[TombTable], frozen=True):
    """Something lies elsewhere than it is said to."""

    card: str
    origin: Spot = msgspec.field(name="from")
    to: Spot

    @classmethod
    def cards(cls, table: TombTable) -> tuple[str, ...]:
        """What it can be said of."""
        raise NotImplementedError

    @classmethod
    def offered_values(cls, table: TombTable) -> tuple[FieldTable, ...]:
        if table.state.task is not None:
            return FieldTable(("card", "from"), ()), FieldTable(("card", "to"), ()), FieldTable(("from", "to"), ())
        found = product(cls.cards(table), _spots(table))
        lie = tuple((card, place) for card, place in found if cls(card, place, place).offered_from(table))
        goes = product(cls.cards(table), _spots(table))
        go = tuple((card, place) for card, place in goes if cls(card, place, place).put(table))
        elsewhere = tuple(permutations(_spots(table), 2))
        return FieldTable(("card", "from"), lie), FieldTable(("card", "to"), go), FieldTable(("from", "to"), elsewhere)

    def offered_from(self, table: TombTable) -> bool:
        """Whether it is offered to be moved from there."""
        return self.taken(table) is not None

    def taken(self, table: TombTable) -> TombTable | None:
        """The table without it where it lay; None where it does not lie there."""
        raise NotImplementedError

    def put(self, table: TombTable) -> TombTable | None:
        """The table with it where it goes; None where it cannot lie there."""
        raise NotImplementedError

    def why_not(self, table: TombTable) -> Refusal | None:
        if self.card not in self.cards(table):
            return Illegal("tomb_raiders.no_card", rule="TTR-11", card=self.card)
        if any(isinstance(place, int) and place not in _seats(table) for place in (self.origin, self.to)):
            return _no_seat(table)
        if table.state.task is not None:
            return Illegal("tomb_raiders.pile_first", rule="TTR-43", region=table.task.region)
        there = self.taken(table)
        if there is None:
            return Illegal("tomb_raiders.card_not_there", rule="TTR-11", card=self.card)
        if there.over and not table.over:
            return Illegal("tomb_raiders.card_not_there", rule="TTR-70", card=self.card)
        return None if self.put(there) else Illegal("tomb_raiders.card_not_to_there", rule="TTR-11", card=self.card)

    def done(self, table: TombTable) -> TombTable:
        taken = self.taken(table) or table
        return (self.put(taken) or table).with_professors()

    def log_facts(self, table: TombTable) -> Facts:
        said = [table.terms.names[at] if isinstance(at, int) else f"at_{at}" for at in (self.origin, self.to)]
        return {"type": f"set_{self.__struct_config__.tag}", "card": self.card, "from": said[0], "to": said[1]}


class SetCard(Moved, frozen=True, tag="card"):
    """An open card is elsewhere: in the draw ``pile``, in ``storage``, on ``display``, before a seat, or out of the
    game. Of hands nothing is said."""

    @classmethod
    def cards(cls, table: TombTable) -> tuple[str, ...]:
        return _open_cards(table)

    def taken(self, table: TombTable) -> TombTable | None:
        state, card = table.state, self.card
        if isinstance(self.origin, int):
            owner = table.by(self.origin)
            return owner.picked_up(card) if card in owner.mine.cards else None
        if self.origin == "pile" and card in state.deck:
            unknown = table.kind_of_unknown(card) if table.terms.is_real else None
            free = unknown is None or table.unshown(unknown) > 0
            return table.replace(deck=state.deck.without(card)) if free else None
        if self.origin == "storage" and card in state.storage:
            return table.replace(storage=changed(state.storage, state.storage.index(card), None))
        if self.origin == "display" and card in state.shown:
            return table.replace(shown=without_one(state.shown, card))
        if self.origin == "gone" and card in state.gone:
            return table.replace(gone=without_one(state.gone, card))
        return None

    def put(self, table: TombTable) -> TombTable | None:
        state, card = table.state, self.card
        for_display = card not in table.terms.cards
        if isinstance(self.to, int):
            open_cards = for_display or table.terms.cards[card].play_weeks is None
            return table.by(self.to).laid(card) if open_cards else None
        if self.to == "pile":
            return table.replace(deck=state.deck.with_(card))
        if self.to == "storage" and not for_display and None in state.storage:
            return table.replace(storage=changed(state.storage, state.storage.index(None), card))
        if self.to == "display" and for_display and not table.terms.is_real:
            return table.replace(shown=(*state.shown, card))
        return table.out_of_the_game(card) if self.to == "gone" and not for_display else None


class SetArtifact(Moved, frozen=True, tag="artifact"):
    """An artifact is elsewhere: on its ``pile``, before a seat, or out of the game. From a pile of the companion's
    nothing is taken so: whether it is there would tell what nobody may know."""

    @classmethod
    def cards(cls, table: TombTable) -> tuple[str, ...]:
        return tuple(
            card for region in table.terms.regions for card in table.cards_of(region) if card in table.terms.artifacts
        )

    def taken(self, table: TombTable) -> TombTable | None:
        region = table.terms.region_of(self.card)
        if isinstance(self.origin, int):
            owner = table.by(self.origin)
            return (
                owner.replace(seats=owner.seated(finds=without_one(owner.mine.finds, self.card)))
                if self.card in owner.mine.finds
                else None
            )
        if self.origin == "gone" and self.card in table.state.gone:
            return table.replace(gone=without_one(table.state.gone, self.card))
        pile = table.pile(region)
        if self.origin == "pile" and table.terms.real_piles and self.card in pile.faces:
            return table.with_pile(region, replace(pile, faces=pile.faces.without(self.card)))
        return None

    def put(self, table: TombTable) -> TombTable | None:
        region = table.terms.region_of(self.card)
        if isinstance(self.to, int):
            return table.by(self.to).with_artifact(self.card)
        if self.to == "gone":
            return table.out_of_the_game(self.card)
        pile = table.pile(region)
        if self.to == "pile" and table.terms.real_piles:
            return table.with_pile(region, replace(pile, faces=pile.faces.with_(self.card)))
        return table.with_pile(region, pile.with_(self.card)) if self.to == "pile" else None


AnyProfessor = Annotated[str, ChoiceOf(lambda table: (*table.terms.regions, BEST))]


class SetProfessor(RuledCorrection[TombTable], frozen=True, tag="professor"):
    """A professor is with another seat, of those who have as much as anybody."""

    professor: AnyProfessor
    seat: Seat

    @classmethod
    def current_values(cls, table: TombTable) -> Iterator[SetProfessor]:
        return (cls(name, seat) for name, seat in table.state.professors.items())

    def why_not(self, table: TombTable) -> Refusal | None:
        if self.seat not in _seats(table):
            return _no_seat(table)
        rule = "TTR-51" if self.professor == BEST else "TTR-50"
        if self.professor not in (*table.terms.regions, BEST):
            return Illegal("tomb_raiders.no_professor", rule=rule, professor=self.professor)
        there = self.done(table)
        if there.with_professors().state.professors == there.state.professors:
            return None
        return Illegal("tomb_raiders.not_the_most", rule=rule, professor=self.professor)

    def done(self, table: TombTable) -> TombTable:
        return table.replace(professors=table.state.professors | {self.professor: self.seat})

    def log_facts(self, table: TombTable) -> Facts:
        return {"type": "set_professor", **_whose(table, self.seat), "professor": self.professor}


def hand_cards(table: TombTable) -> tuple[str, ...]:
    """What a real hand may have that can be said of it: excavation cards, and unshown action cards by their weeks."""
    return (*(permit_of(region) for region in table.terms.regions), GENERAL, *table.terms.unknown)


class PileEmpty(RuledCorrection[TombTable], frozen=True, tag="empty"):
    """Where it is real: the draw pile is empty. The table is asked for it then, as after a take [TTR-70]."""

    def why_not(self, table: TombTable) -> Refusal | None:
        if table.stacking:
            return Illegal("tomb_raiders.markers_first", rule="TTR-01")
        if table.state.task is not None:
            return Illegal("tomb_raiders.pile_first", rule="TTR-43", region=table.task.region)
        is_asked = table.state.topping or table.state.taking or table.state.naming
        return Illegal("core.chance_first", rule="TTR-12") if is_asked else None

    def done(self, table: TombTable) -> TombTable:
        return table.replace(topping=True)


HandCard = Annotated[str, ChoiceOf(hand_cards)]
HowMany = Annotated[
    int, ChoiceOf(lambda table: range(1 + max(table.terms.most_in_hand(card) for card in hand_cards(table))))
]


class SetHand(RuledCorrection[TombTable], frozen=True, tag="hand"):
    """Where hands are real: so many cards of a kind are in one. Nobody says which an unshown card is [TTR-81]."""

    seat: Seat
    card: HandCard
    n: HowMany

    def why_not(self, table: TombTable) -> Refusal | None:
        if self.seat not in _seats(table):
            return _no_seat(table)
        if self.card not in hand_cards(table):
            return Illegal("tomb_raiders.no_card", rule="TTR-81", card=self.card)
        if table.state.task is not None:
            return Illegal("tomb_raiders.pile_first", rule="TTR-43", region=table.task.region)
        mine = table.state.seats[self.seat]
        unknown = self.card in table.terms.unknown
        free = table.unshown(self.card) if unknown else table.state.gone.count(self.card)
        most = free + (mine.unknown if unknown else mine.hand).count(self.card)
        if 0 <= self.n <= most:
            return None
        return Illegal("tomb_raiders.not_so_many", rule="TTR-81", card=self.card, most=most)

    def done(self, table: TombTable) -> TombTable:
        owner, card = table.by(self.seat), self.card
        mine, gone = owner.mine, table.state.gone
        if card in table.terms.unknown:
            others = tuple(each for each in mine.unknown if each != card)
            return owner.replace(seats=owner.seated(unknown=(*others, *[card] * self.n)))
        left = mine.hand.count(card) + gone.count(card) - self.n
        hand = tuple(each for each in mine.hand if each != card)
        gone = tuple(each for each in gone if each != card)
        return owner.replace(seats=owner.seated(hand=(*hand, *[card] * self.n))).replace(gone=(*gone, *[card] * left))

    def log_facts(self, table: TombTable) -> Facts:
        return {"type": "set_hand", **_whose(table, self.seat), "card": self.card, "n": self.n}


def _whose(table: TombTable, seat: int) -> Facts:
    return {"whose": table.terms.names[seat], "seat": seat}


def _no_seat(table: TombTable) -> Refusal:
    return Illegal("tomb_raiders.no_seat", rule="TTR-01", n=len(table.state.seats))
