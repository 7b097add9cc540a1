"""What a host can correct. The numbers of cards, blocks and figures stay as they were."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from msgspec.structs import replace

from companion.game import FieldTable
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
from companion.parts import SEATS, ChoiceOf, Facts, RuledCorrection, changed
from companion.pieces.corridor import Walker
from companion.printed import Copy, FigurePrinted, Wall
from companion.refusals import Illegal, Malformed, Refusal
from companion.secrecy import Secret, nobody

UNDER_WAY = (Jumping, Sealing, Touch, Walk)
"""While any of these is pending, nothing is corrected."""
HAS_FALLEN: Mapping[str, tuple[str, ...]] = {"fallen=true": ("has_fallen",), "fallen=false": ("is_boxed",)}
ROLLS: Mapping[str, tuple[str, ...]] = {"action": ("action_dice",), "lock": ("lock_dice",)}


def _corridor(table: Pyramid) -> tuple[str, ...]:
    """The squares of the corridor, each once."""
    return tuple(square for square in table.terms.squares if table.terms.area[square] == "corridor")


Seat = Annotated[int, ChoiceOf(lambda table: table.inside), SEATS]
Outside = Annotated[int, ChoiceOf(lambda table: [seat for seat in table.around() if not table.is_inside(seat)]), SEATS]
Roll = Annotated[
    str, ChoiceOf(lambda table: ROLLS, lambda table: {f"roll={roll}": name for roll, name in ROLLS.items()})
]
Colour = Annotated[str, ChoiceOf(lambda table: table.colours)]
Face = Annotated[int, ChoiceOf(lambda table: range(1, table.terms.faces + 1))]
Square = Annotated[str, ChoiceOf(lambda table: table.terms.squares)]
CorridorSquare = Annotated[str, ChoiceOf(_corridor)]
Name = Annotated[str, ChoiceOf(lambda table: tuple(mummy.name for mummy in table.state.mummies))]
Number = Annotated[int, ChoiceOf(lambda table: table.terms.blocks)]
Fallen = Annotated[bool, ChoiceOf(lambda table: (True, False), lambda table: HAS_FALLEN)]
Actions = Annotated[int, ChoiceOf(lambda table: range(DICE + 1))]
Used = Annotated[
    bool, ChoiceOf(lambda table: (True, False), lambda table: {"used=true": ("used",), "used=false": ("unused",)})
]


class HorusCorrection(RuledCorrection[Pyramid], frozen=True):
    """A correction; afterwards the round goes on by itself."""

    def done(self, table: Pyramid) -> Pyramid:
        return self.applied(table.cleared()).flowed()

    def applied(self, table: Pyramid) -> Pyramid:
        """The corrected table, before the round goes on."""
        raise NotImplementedError

    def why_not(self, table: Pyramid) -> Refusal | None:
        return busy(table) or self.why_impossible(table)

    def why_impossible(self, table: Pyramid) -> Refusal | None:
        """Why the table cannot be as the correction says."""
        raise NotImplementedError


def busy(table: Pyramid) -> Refusal | None:
    """Why nothing can be corrected now: something is falling, or is being drawn."""
    state = table.state
    if state.phase == "entering":
        return Illegal("horus.not_begun", rule="HOR-01")
    is_busy = not state.asking or any(isinstance(each, UNDER_WAY) for each in state.pending)
    return Illegal("horus.busy", rule="HOR-03") if is_busy else None


def no_seat(table: Pyramid, seat: int) -> Refusal | None:
    """Why a seat has nobody inside."""
    if not 0 <= seat < table.terms.seats:
        return Malformed("horus.no_seat", rule="HOR-01", n=table.terms.seats)
    return None if table.is_inside(seat) else Illegal("horus.not_inside", rule="HOR-60", player=table.terms.names[seat])


def no_standing(table: Pyramid, square: str) -> Refusal | None:
    """Why nobody inside can stand on a square."""
    if square not in table.terms.area:
        return Illegal("horus.no_square", rule="HOR-31", square=square)
    if square in table.lying_fallen:
        return Illegal("horus.block_there", rule="HOR-31", square=square)
    if table.terms.plan.is_trapped(square, fallen=table.lying_fallen):
        return Illegal("horus.no_way_from_there", rule="HOR-52", square=square)
    return None


class SetFigure(HorusCorrection, frozen=True, tag="figure"):
    """A figure stands on another square; no mummy there touches it."""

    seat: Seat
    square: Square

    @classmethod
    def current_values(cls, table: Pyramid) -> Iterator[SetFigure]:
        return (cls(seat, table.state.adventurers[seat].square) for seat in table.inside)

    def why_impossible(self, table: Pyramid) -> Refusal | None:
        return no_seat(table, self.seat) or no_standing(table, self.square)

    def applied(self, table: Pyramid) -> Pyramid:
        moved = table.with_seat(self.seat, square=self.square)
        lock = table.state.lock
        stays = lock in table.terms.alcoves_at.get(self.square, ()) or self.seat != table.state.seat
        return moved if stays else moved.without_lock()


class BackInside(HorusCorrection, frozen=True, tag="inside"):
    """Somebody is inside after all, who had been sealed in, turned or left by mistake."""

    seat: Outside
    square: Square

    def why_impossible(self, table: Pyramid) -> Refusal | None:
        if not 0 <= self.seat < table.terms.seats:
            return Malformed("horus.no_seat", rule="HOR-01", n=table.terms.seats)
        if table.is_inside(self.seat):
            return Illegal("horus.is_inside", rule="HOR-60", player=table.terms.names[self.seat])
        return no_standing(table, self.square)

    def applied(self, table: Pyramid) -> Pyramid:
        """The seat acts later in this round, or in the next; the mummy it had become is removed."""
        mummies = tuple(mummy for mummy in table.state.mummies if mummy.seat != self.seat)
        back = (
            table.with_seat(self.seat, fate="inside", square=self.square, rests="")
            .replace(mummies=mummies)
            .level_read(self.seat)
        )
        dice = back.state.action_dice
        return back.with_seat(self.seat, actions=back.actions(self.seat, dice)) if dice else back


class SetMummy(HorusCorrection, frozen=True, tag="mummy"):
    """A mummy stands elsewhere in its stretch, or looks the other way."""

    mummy: Name
    square: CorridorSquare
    towards: CorridorSquare

    @classmethod
    def current_values(cls, table: Pyramid) -> Iterator[SetMummy]:
        return (cls(mummy.name, mummy.at, mummy.walker.towards) for mummy in table.state.mummies)

    def why_impossible(self, table: Pyramid) -> Refusal | None:
        mummy = next((each for each in table.state.mummies if each.name == self.mummy), None)
        if mummy is None:
            names = [each.name for each in table.state.mummies]
            return Malformed("horus.no_mummy", rule="HOR-40", mummies=names)
        stretch = mummy.walker.stretch
        if self.square not in stretch:
            return Illegal("horus.mummy_square", rule="HOR-40", mummy=self.mummy, squares=list(stretch))
        if self.towards not in (stretch[0], stretch[-1]):
            ends = [stretch[0], stretch[-1]]
            return Illegal("horus.mummy_towards", rule="HOR-40", mummy=self.mummy, squares=ends)
        return None

    def applied(self, table: Pyramid) -> Pyramid:
        def put(stretch: tuple[str, ...]) -> Walker:
            return Walker.on(stretch, at=self.square, towards=self.towards)

        mummies = table.state.mummies
        return table.replace(
            mummies=tuple(
                replace(each, walker=put(each.walker.stretch)) if each.name == self.mummy else each for each in mummies
            )
        )


class SetBlock(HorusCorrection, frozen=True, tag="fallen"):
    """A block has fallen, or has not; whoever has no way out then is sealed in."""

    number: Number
    fallen: Fallen

    def why_impossible(self, table: Pyramid) -> Refusal | None:
        if self.number not in table.terms.blocks:
            return Malformed("horus.no_block", rule="HOR-50", most=len(table.terms.blocks))
        lies = self.number in table.state.fallen
        if lies == self.fallen:
            key = "horus.block_lies" if lies else "horus.block_boxed"
            return Illegal(key, rule="HOR-50", block=self.number)
        if self.fallen and any(table.state.adventurers[seat].square == str(self.number) for seat in table.inside):
            return Illegal("horus.figure_there", rule="HOR-50", square=str(self.number))
        return None

    def applied(self, table: Pyramid) -> Pyramid:
        state = table.state
        if self.fallen:
            boxed = tuple(each for each in state.boxed if each != self.number)
            looked = 0 if self.number == state.looked else state.looked
            return table.replace(boxed=boxed, fallen=(*state.fallen, self.number), looked=looked).with_next(Sealing())
        fallen = tuple(each for each in state.fallen if each != self.number)
        return table.replace(boxed=tuple(sorted((*state.boxed, self.number))), fallen=fallen)

    def log_facts(self, table: Pyramid) -> Facts:
        return {"type": "fallen", "number": self.number, "state": "has_fallen" if self.fallen else "is_boxed"}


class SetActions(HorusCorrection, frozen=True, tag="actions"):
    """Somebody has so many actions left."""

    seat: Seat
    n: Actions

    @classmethod
    def current_values(cls, table: Pyramid) -> Iterator[SetActions]:
        return (cls(seat, table.state.adventurers[seat].actions) for seat in table.inside)

    def why_impossible(self, table: Pyramid) -> Refusal | None:
        if refusal := no_seat(table, self.seat):
            return refusal
        if table.state.phase != "acting":
            return Illegal("horus.no_actions_yet", rule="HOR-30")
        return None if 0 <= self.n <= DICE else Malformed("horus.out_of_reach", rule="HOR-20", most=DICE)

    def applied(self, table: Pyramid) -> Pyramid:
        return table.with_seat(self.seat, actions=self.n)


class SetAbility(HorusCorrection, frozen=True, tag="ability"):
    """Somebody's ability has been used, or has not."""

    seat: Seat
    used: Used

    @classmethod
    def current_values(cls, table: Pyramid) -> Iterator[SetAbility]:
        return (cls(seat, table.state.adventurers[seat].used) for seat in table.inside)

    def why_impossible(self, table: Pyramid) -> Refusal | None:
        return no_seat(table, self.seat)

    def applied(self, table: Pyramid) -> Pyramid:
        return table.with_seat(self.seat, used=self.used)

    def log_facts(self, table: Pyramid) -> Facts:
        return {"type": "ability", "seat": self.seat, "state": "used" if self.used else "unused"}


class SetDie(HorusCorrection, frozen=True, tag="die"):
    """A die of the actions or before a lock shows another number."""

    roll: Roll
    die: Colour
    face: Face

    @classmethod
    def current_values(cls, table: Pyramid) -> Iterator[SetDie]:
        for roll in ROLLS:
            for colour, face in zip(table.colours, lying(table, roll), strict=False):
                yield cls(roll, colour, face)

    def why_impossible(self, table: Pyramid) -> Refusal | None:
        if self.roll not in ROLLS or self.die not in table.colours:
            return Malformed("horus.no_die", rule="HOR-20", dice=list(table.colours))
        if not 1 <= self.face <= table.terms.faces:
            return Malformed("horus.out_of_reach", rule="HOR-20", most=table.terms.faces)
        if not lying(table, self.roll) or table.state.phase != "acting":
            return Illegal("horus.no_dice_lie", rule="HOR-20")
        return table.as_seen_by(None).by(table.state.seat).no_room() if self.roll == "lock" else None

    def applied(self, table: Pyramid) -> Pyramid:
        before = lying(table, self.roll)
        after = changed(before, table.colours.index(self.die), self.face)
        if self.roll == "lock":
            return table.replace(lock_dice=after).lock_rolled()
        for seat in table.inside:
            more = table.actions(seat, after) - table.actions(seat, before)
            table = table.with_seat(seat, actions=max(0, table.state.adventurers[seat].actions + more))
        return table.replace(action_dice=after)

    def log_facts(self, table: Pyramid) -> Facts:
        (called,) = ROLLS[self.roll]
        return super().log_facts(table) | {"type": "die_put", "roll": called}


def lying(table: Pyramid, roll: str) -> tuple[int, ...]:
    """The dice of a roll, where they lie; none while some are still to fall."""
    dice = table.state.lock_dice if roll == "lock" else table.state.action_dice
    return () if 0 in dice else dice


class PlaceCard(HorusCorrection, frozen=True, tag="card", rename={"giver": "from", "taker": "to"}):
    """A card lies elsewhere: before a seat, in its deck or alcove, with the wounds, or beside the board."""

    card: Annotated[AnyCard, Secret(as_it_lies, to=nobody)]
    giver: Spot
    taker: Spot

    def why_impossible(self, table: Pyramid) -> Refusal | None:
        if self.card not in all_cards(table):
            return Malformed("horus.unknown_card", rule="HOR-02", card=self.card)
        for place in (self.giver, self.taker):
            if refusal := no_seat(table, place) if isinstance(place, int) else not_its_place(table, self.card, place):
                return refusal
        if self.giver == self.taker:
            return Illegal("horus.lies_there", rule="HOR-02", card=kind(self.card))
        seen = table if table.masked else table.as_seen_by(None)
        more = isinstance(self.taker, int) and is_wound(self.card) and table.terms.rules > 1
        if more and not seen.can_take(int(self.taker)):
            return Illegal("horus.no_room", rule="HOR-12", most=table.terms.most_cards)
        there = may_lie(seen, self.card, self.giver) and (
            table.masked or lifted(table, self.card, self.giver) is not None
        )
        return None if there else Illegal("horus.none_unseen", rule="HOR-12", card=kind(self.card))

    def applied(self, table: Pyramid) -> Pyramid:
        return with_card(lifted(table, self.card, self.giver) or table, self.card, self.taker)

    def log_facts(self, table: Pyramid) -> Facts:
        places = {"giver": called(table, self.giver), "taker": called(table, self.taker)}
        if kind(self.card) == HIDDEN:
            return {"type": "card_unseen", **places}
        return {"type": "card", "card": kind(self.card), **places}


class WallStands(Wall, frozen=True, tag="wall"):
    """Between two squares is a wall, or none; whoever has no way out then is sealed in."""

    @classmethod
    def offered_values(cls, table: Copy) -> tuple[FieldTable, ...]:
        return tuple(replace(each, rows=()) if _busy(table) else each for each in super().offered_values(table))

    def why_not(self, table: Copy) -> Refusal | None:
        return _busy(table) or super().why_not(table)


def _busy(table: Copy) -> Refusal | None:
    pyramid: Any = table
    return busy(pyramid)


CORRECTIONS = (
    SetFigure,
    BackInside,
    SetMummy,
    SetBlock,
    PlaceCard,
    SetDie,
    SetActions,
    SetAbility,
    FigurePrinted,
    WallStands,
)
