"""The table shows otherwise: what can be put right. Cards, blocks and figures stay as many as they were."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated

from msgspec.structs import replace

from companion.games.horus.cards import WOUNDS
from companion.games.horus.pyramid import Pyramid
from companion.games.horus.state import DICE
from companion.pieces.corridor import Walker
from companion.referee import SEATS, Facts, Mend, Says
from companion.refusals import Illegal, Malformed, Refusal

BESIDE = "beside_the_board"
HAS_FALLEN: Mapping[str, tuple[str, ...]] = {"fallen=true": ("has_fallen",), "fallen=false": ("is_boxed",)}
ROLLS = ("action_dice", "lock_dice")


def _corridor(here: Pyramid) -> tuple[str, ...]:
    """The squares of the corridor, each once."""
    return tuple(square for square in here.terms.squares if here.terms.area[square] == "corridor")


Seat = Annotated[int, Says(lambda here: here.inside), SEATS]
AnySeat = Annotated[int, Says(lambda here: range(here.terms.seats)), SEATS]
Square = Annotated[str, Says(lambda here: here.terms.squares)]
CorridorSquare = Annotated[str, Says(_corridor)]
Name = Annotated[str, Says(lambda here: tuple(mummy.name for mummy in here.state.mummies))]
Number = Annotated[int, Says(lambda here: here.terms.blocks)]
Fallen = Annotated[bool, Says(lambda here: (True, False), lambda here: HAS_FALLEN)]
Actions = Annotated[int, Says(lambda here: range(DICE + 1))]
Wound = Annotated[str, Says(lambda here: WOUNDS)]
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
    is_busy = bool(state.due or state.jumping or state.settling)
    return Illegal("horus.busy", rule="HOR-03") if is_busy else None


def no_seat(here: Pyramid, seat: int) -> Refusal | None:
    """Why there is nobody inside on a seat."""
    if not 0 <= seat < here.terms.seats:
        return Malformed("horus.no_seat", rule="HOR-01", n=here.terms.seats)
    return None if here.is_inside(seat) else Illegal("horus.not_inside", rule="HOR-60", player=here.terms.names[seat])


class Figure(Put, frozen=True, tag="figure"):
    """A figure stands on another square; no mummy touches it for that."""

    seat: Seat
    square: Square

    @classmethod
    def stands(cls, here: Pyramid) -> Iterator[Figure]:
        return (cls(seat, here.state.adventurers[seat].square) for seat in here.inside)

    def amiss(self, here: Pyramid) -> Refusal | None:
        if refusal := no_seat(here, self.seat):
            return refusal
        if self.square not in here.terms.area:
            return Illegal("horus.no_square", rule="HOR-31", square=self.square)
        if self.square in here.lying_fallen:
            return Illegal("horus.block_there", rule="HOR-31", square=self.square)
        if here.terms.plan.is_trapped(self.square, fallen=here.lying_fallen):
            return Illegal("horus.no_way_from_there", rule="HOR-52", square=self.square)
        return None

    def puts(self, here: Pyramid) -> Pyramid:
        moved = here.with_seat(self.seat, square=self.square)
        lock = here.state.lock
        stays = lock in here.terms.alcoves_at.get(self.square, ()) or self.seat != here.state.seat
        return moved if stays else moved.without_lock()


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
            return here.but(boxed=boxed, fallen=(*state.fallen, self.number), settling=True)
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


MENDS = (Figure, MummyStands, BlockLies, ActionsLeft)
