"""The table shows otherwise: what can be put right. Cards, blocks and figures stay as many as they were."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from msgspec.structs import replace

from companion.game import Together
from companion.games.horus.card_corrections import (
    AnyCard,
    Spot,
    all_cards,
    called,
    lifted,
    may_lie,
    not_its_place,
    with_card,
)
from companion.games.horus.cards import HIDDEN, is_wound, kind
from companion.games.horus.events import Jumping, Sealing, Touch, Walk
from companion.games.horus.pyramid import Pyramid
from companion.games.horus.state import DICE, as_it_lies
from companion.parts import SEATS, Facts, Mend, Says, changed
from companion.pieces.corridor import Walker
from companion.printed import Copy, Printed, Wall
from companion.refusals import Illegal, Malformed, Refusal
from companion.secrecy import Secret, nobody

UNDER_WAY = (Jumping, Sealing, Touch, Walk)
"""While any of these is pending, nothing is put right."""
HAS_FALLEN: Mapping[str, tuple[str, ...]] = {"fallen=true": ("has_fallen",), "fallen=false": ("is_boxed",)}
ROLLS: Mapping[str, tuple[str, ...]] = {"action": ("action_dice",), "lock": ("lock_dice",)}


def _corridor(here: Pyramid) -> tuple[str, ...]:
    """The squares of the corridor, each once."""
    return tuple(square for square in here.terms.squares if here.terms.area[square] == "corridor")


Seat = Annotated[int, Says(lambda here: here.inside), SEATS]
Outside = Annotated[int, Says(lambda here: [seat for seat in here.around() if not here.is_inside(seat)]), SEATS]
Roll = Annotated[str, Says(lambda here: ROLLS, lambda here: {f"roll={roll}": name for roll, name in ROLLS.items()})]
Colour = Annotated[str, Says(lambda here: here.colours)]
Face = Annotated[int, Says(lambda here: range(1, here.terms.faces + 1))]
Square = Annotated[str, Says(lambda here: here.terms.squares)]
CorridorSquare = Annotated[str, Says(_corridor)]
Name = Annotated[str, Says(lambda here: tuple(mummy.name for mummy in here.state.mummies))]
Number = Annotated[int, Says(lambda here: here.terms.blocks)]
Fallen = Annotated[bool, Says(lambda here: (True, False), lambda here: HAS_FALLEN)]
Actions = Annotated[int, Says(lambda here: range(DICE + 1))]
Used = Annotated[
    bool, Says(lambda here: (True, False), lambda here: {"used=true": ("used",), "used=false": ("unused",)})
]


class Put(Mend[Pyramid], frozen=True):
    """A correction, after which the round goes on by itself."""

    def done(self, here: Pyramid) -> Pyramid:
        return self.puts(here.cleared()).flowed()

    def puts(self, here: Pyramid) -> Pyramid:
        """What is put right."""
        raise NotImplementedError

    def why_not(self, here: Pyramid) -> Refusal | None:
        return busy(here) or self.amiss(here)

    def amiss(self, here: Pyramid) -> Refusal | None:
        """Why it cannot be so."""
        raise NotImplementedError


def busy(here: Pyramid) -> Refusal | None:
    """Why nothing can be put right now: something is falling, or is being drawn."""
    state = here.state
    if state.phase == "entering":
        return Illegal("horus.not_begun", rule="HOR-01")
    is_busy = not state.asking or any(isinstance(each, UNDER_WAY) for each in state.pending)
    return Illegal("horus.busy", rule="HOR-03") if is_busy else None


def no_seat(here: Pyramid, seat: int) -> Refusal | None:
    """Why there is nobody inside on a seat."""
    if not 0 <= seat < here.terms.seats:
        return Malformed("horus.no_seat", rule="HOR-01", n=here.terms.seats)
    return None if here.is_inside(seat) else Illegal("horus.not_inside", rule="HOR-60", player=here.terms.names[seat])


def no_standing(here: Pyramid, square: str) -> Refusal | None:
    """Why nobody inside can stand on a square."""
    if square not in here.terms.area:
        return Illegal("horus.no_square", rule="HOR-31", square=square)
    if square in here.lying_fallen:
        return Illegal("horus.block_there", rule="HOR-31", square=square)
    if here.terms.plan.is_trapped(square, fallen=here.lying_fallen):
        return Illegal("horus.no_way_from_there", rule="HOR-52", square=square)
    return None


class Figure(Put, frozen=True, tag="figure"):
    """A figure stands on another square; no mummy touches it for that."""

    seat: Seat
    square: Square

    @classmethod
    def stands(cls, here: Pyramid) -> Iterator[Figure]:
        return (cls(seat, here.state.adventurers[seat].square) for seat in here.inside)

    def amiss(self, here: Pyramid) -> Refusal | None:
        return no_seat(here, self.seat) or no_standing(here, self.square)

    def puts(self, here: Pyramid) -> Pyramid:
        moved = here.with_seat(self.seat, square=self.square)
        lock = here.state.lock
        stays = lock in here.terms.alcoves_at.get(self.square, ()) or self.seat != here.state.seat
        return moved if stays else moved.without_lock()


class BackInside(Put, frozen=True, tag="inside"):
    """Somebody is inside after all, who had been sealed in, turned or left by mistake."""

    seat: Outside
    square: Square

    def amiss(self, here: Pyramid) -> Refusal | None:
        if not 0 <= self.seat < here.terms.seats:
            return Malformed("horus.no_seat", rule="HOR-01", n=here.terms.seats)
        if here.is_inside(self.seat):
            return Illegal("horus.is_inside", rule="HOR-60", player=here.terms.names[self.seat])
        return no_standing(here, self.square)

    def puts(self, here: Pyramid) -> Pyramid:
        """Its part of the round is still to come, or comes in the next one; the mummy it had become is gone."""
        mummies = tuple(mummy for mummy in here.state.mummies if mummy.seat != self.seat)
        back = (
            here.with_seat(self.seat, fate="inside", square=self.square, rests="")
            .but(mummies=mummies)
            .level_read(self.seat)
        )
        dice = back.state.action_dice
        return back.with_seat(self.seat, actions=back.actions(self.seat, dice)) if dice else back


class MummyStands(Put, frozen=True, tag="mummy"):
    """A mummy stands elsewhere in its stretch, or looks the other way."""

    mummy: Name
    square: CorridorSquare
    towards: CorridorSquare

    @classmethod
    def stands(cls, here: Pyramid) -> Iterator[MummyStands]:
        return (cls(mummy.name, mummy.at, mummy.walker.towards) for mummy in here.state.mummies)

    def amiss(self, here: Pyramid) -> Refusal | None:
        mummy = next((each for each in here.state.mummies if each.name == self.mummy), None)
        if mummy is None:
            names = [each.name for each in here.state.mummies]
            return Malformed("horus.no_mummy", rule="HOR-40", mummies=names)
        stretch = mummy.walker.stretch
        if self.square not in stretch:
            return Illegal("horus.mummy_square", rule="HOR-40", mummy=self.mummy, squares=list(stretch))
        if self.towards not in (stretch[0], stretch[-1]):
            ends = [stretch[0], stretch[-1]]
            return Illegal("horus.mummy_towards", rule="HOR-40", mummy=self.mummy, squares=ends)
        return None

    def puts(self, here: Pyramid) -> Pyramid:
        def put(stretch: tuple[str, ...]) -> Walker:
            return Walker.on(stretch, at=self.square, towards=self.towards)

        mummies = here.state.mummies
        return here.but(
            mummies=tuple(
                replace(each, walker=put(each.walker.stretch)) if each.name == self.mummy else each for each in mummies
            )
        )


class BlockLies(Put, frozen=True, tag="fallen"):
    """A block has fallen, or has not; whoever has no way out then is sealed in."""

    number: Number
    fallen: Fallen

    def amiss(self, here: Pyramid) -> Refusal | None:
        if self.number not in here.terms.blocks:
            return Malformed("horus.no_block", rule="HOR-50", most=len(here.terms.blocks))
        lies = self.number in here.state.fallen
        if lies == self.fallen:
            key = "horus.block_lies" if lies else "horus.block_boxed"
            return Illegal(key, rule="HOR-50", block=self.number)
        if self.fallen and any(here.state.adventurers[seat].square == str(self.number) for seat in here.inside):
            return Illegal("horus.figure_there", rule="HOR-50", square=str(self.number))
        return None

    def puts(self, here: Pyramid) -> Pyramid:
        state = here.state
        if self.fallen:
            boxed = tuple(each for each in state.boxed if each != self.number)
            looked = 0 if self.number == state.looked else state.looked
            return here.but(boxed=boxed, fallen=(*state.fallen, self.number), looked=looked).with_next(Sealing())
        fallen = tuple(each for each in state.fallen if each != self.number)
        return here.but(boxed=tuple(sorted((*state.boxed, self.number))), fallen=fallen)

    def told(self, here: Pyramid) -> Facts:
        return {"type": "fallen", "number": self.number, "state": "has_fallen" if self.fallen else "is_boxed"}


class ActionsLeft(Put, frozen=True, tag="actions"):
    """Somebody has so many actions left."""

    seat: Seat
    n: Actions

    @classmethod
    def stands(cls, here: Pyramid) -> Iterator[ActionsLeft]:
        return (cls(seat, here.state.adventurers[seat].actions) for seat in here.inside)

    def amiss(self, here: Pyramid) -> Refusal | None:
        if refusal := no_seat(here, self.seat):
            return refusal
        if here.state.phase != "acting":
            return Illegal("horus.no_actions_yet", rule="HOR-30")
        return None if 0 <= self.n <= DICE else Malformed("horus.out_of_reach", rule="HOR-20", most=DICE)

    def puts(self, here: Pyramid) -> Pyramid:
        return here.with_seat(self.seat, actions=self.n)


class AbilityUsed(Put, frozen=True, tag="ability"):
    """Somebody's ability has been used, or has not."""

    seat: Seat
    used: Used

    @classmethod
    def stands(cls, here: Pyramid) -> Iterator[AbilityUsed]:
        return (cls(seat, here.state.adventurers[seat].used) for seat in here.inside)

    def amiss(self, here: Pyramid) -> Refusal | None:
        return no_seat(here, self.seat)

    def puts(self, here: Pyramid) -> Pyramid:
        return here.with_seat(self.seat, used=self.used)

    def told(self, here: Pyramid) -> Facts:
        return {"type": "ability", "seat": self.seat, "state": "used" if self.used else "unused"}


class DieShows(Put, frozen=True, tag="die"):
    """A die of the actions or before a lock shows another number."""

    roll: Roll
    die: Colour
    face: Face

    @classmethod
    def stands(cls, here: Pyramid) -> Iterator[DieShows]:
        for roll in ROLLS:
            for colour, face in zip(here.colours, lying(here, roll), strict=False):
                yield cls(roll, colour, face)

    def amiss(self, here: Pyramid) -> Refusal | None:
        if self.roll not in ROLLS or self.die not in here.colours:
            return Malformed("horus.no_die", rule="HOR-20", dice=list(here.colours))
        if not 1 <= self.face <= here.terms.faces:
            return Malformed("horus.out_of_reach", rule="HOR-20", most=here.terms.faces)
        if not lying(here, self.roll) or here.state.phase != "acting":
            return Illegal("horus.no_dice_lie", rule="HOR-20")
        return here.as_seen_by(None).by(here.state.seat).no_room() if self.roll == "lock" else None

    def puts(self, here: Pyramid) -> Pyramid:
        before = lying(here, self.roll)
        after = changed(before, here.colours.index(self.die), self.face)
        if self.roll == "lock":
            return here.but(lock_dice=after).lock_rolled()
        for seat in here.inside:
            more = here.actions(seat, after) - here.actions(seat, before)
            here = here.with_seat(seat, actions=max(0, here.state.adventurers[seat].actions + more))
        return here.but(action_dice=after)

    def told(self, here: Pyramid) -> Facts:
        (called,) = ROLLS[self.roll]
        return super().told(here) | {"type": "die_put", "roll": called}


def lying(here: Pyramid, roll: str) -> tuple[int, ...]:
    """The dice of a roll, where they lie; none while some are still to fall."""
    dice = here.state.lock_dice if roll == "lock" else here.state.action_dice
    return () if 0 in dice else dice


class CardLies(Put, frozen=True, tag="card", rename={"giver": "from", "taker": "to"}):
    """A card lies elsewhere: before a seat, in its deck or alcove, with the wounds, or beside the board."""

    card: Annotated[AnyCard, Secret(as_it_lies, to=nobody)]
    giver: Spot
    taker: Spot

    def amiss(self, here: Pyramid) -> Refusal | None:
        if self.card not in all_cards(here):
            return Malformed("horus.unknown_card", rule="HOR-02", card=self.card)
        for place in (self.giver, self.taker):
            if refusal := no_seat(here, place) if isinstance(place, int) else not_its_place(here, self.card, place):
                return refusal
        if self.giver == self.taker:
            return Illegal("horus.lies_there", rule="HOR-02", card=kind(self.card))
        seen = here if here.masked else here.as_seen_by(None)
        more = isinstance(self.taker, int) and is_wound(self.card) and here.terms.rules > 1
        if more and not seen.can_take(int(self.taker)):
            return Illegal("horus.no_room", rule="HOR-12", most=here.terms.most_cards)
        there = may_lie(seen, self.card, self.giver) and (
            here.masked or lifted(here, self.card, self.giver) is not None
        )
        return None if there else Illegal("horus.none_unseen", rule="HOR-12", card=kind(self.card))

    def puts(self, here: Pyramid) -> Pyramid:
        return with_card(lifted(here, self.card, self.giver) or here, self.card, self.taker)

    def told(self, here: Pyramid) -> Facts:
        places = {"giver": called(here, self.giver), "taker": called(here, self.taker)}
        if kind(self.card) == HIDDEN:
            return {"type": "card_unseen", **places}
        return {"type": "card", "card": kind(self.card), **places}


class WallStands(Wall, frozen=True, tag="wall"):
    """Between two squares is a wall, or none; whoever has no way out then is sealed in."""

    @classmethod
    def sayable(cls, here: Copy) -> tuple[Together, ...]:
        return tuple(replace(each, rows=()) if _busy(here) else each for each in super().sayable(here))

    def why_not(self, here: Copy) -> Refusal | None:
        return _busy(here) or super().why_not(here)


def _busy(here: Copy) -> Refusal | None:
    pyramid: Any = here
    return busy(pyramid)


MENDS = (Figure, BackInside, MummyStands, BlockLies, CardLies, DieShows, ActionsLeft, AbilityUsed, Printed, WallStands)
