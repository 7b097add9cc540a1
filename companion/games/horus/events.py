"""What is pending in the pyramid: the parts of a round, and what a move or a draw sets off, each in its order.

The first of them is what the table waits for: it asks a seat, or chance, or happens by itself and makes room for more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from msgspec import Struct

if TYPE_CHECKING:
    from companion.games.horus.pyramid import Pyramid

Phase = Literal["entering", "ready", "rolling", "acting", "walking", "falling", "chests", "over"]
Asking = Literal["", "enter", "ready", "act", "jump", "discard", "decide"]


class Event(Struct, frozen=True):
    """Something that is pending."""

    phase: ClassVar[Phase | None] = None
    """The phase of the round that it is a part of; None where it comes in any."""
    asking: ClassVar[Asking] = ""
    """What it asks its seat for; nothing, where it asks nobody."""

    def waits(self, table: Pyramid) -> bool:
        """Whether somebody has to decide, or something to be drawn, before the table goes on."""
        return False

    def happens(self, table: Pyramid) -> Pyramid:
        """What follows from it by itself; `table` is the table on which it is no longer pending."""
        return table


class OfSeat(Event, frozen=True):
    """A decision of one seat."""

    seat: int


class EnteringEvent(OfSeat, frozen=True):
    """A seat chooses its adventurer, and where to begin [HOR-01]."""

    phase = "entering"
    asking = "enter"

    def waits(self, table: Pyramid) -> bool:
        return table.state.adventurers[self.seat].fate == "waiting"


class GettingReady(OfSeat, frozen=True):
    """A seat may lay off cards; then its level is read [HOR-10, HOR-11]."""

    phase = "ready"
    asking = "ready"

    def waits(self, table: Pyramid) -> bool:
        return table.may_get_ready(self.seat)

    def happens(self, table: Pyramid) -> Pyramid:
        return table.level_read(self.seat)


class Acting(OfSeat, frozen=True):
    """A seat's part of the actions, as long as there is anything to decide [HOR-30]."""

    phase = "acting"
    asking = "act"

    def waits(self, table: Pyramid) -> bool:
        return table.is_inside(self.seat) and table.may_act(self.seat)

    def happens(self, table: Pyramid) -> Pyramid:
        return table.without_lock().replace(fresh="")


class Jumping(OfSeat, frozen=True):
    """A seat jumps out from under a block; with nowhere to go it is sealed in [HOR-50].

    :param dodged: it takes no wound [HOR-72].
    """

    dodged: bool = False

    asking = "jump"

    def waits(self, table: Pyramid) -> bool:
        return bool(table.steps(table.state.adventurers[self.seat].square))

    def happens(self, table: Pyramid) -> Pyramid:
        return table.without_figure(self.seat, "sealed")


class Discarding(OfSeat, frozen=True):
    """A seat has more cards than anybody may hold, and makes room [HOR-12, HOR-43]."""

    asking = "discard"

    def waits(self, table: Pyramid) -> bool:
        return table.is_crowded(self.seat)


class Deciding(OfSeat, frozen=True):
    """Whoever has looked at a block says whether it is to fall [HOR-51]."""

    asking = "decide"

    def waits(self, table: Pyramid) -> bool:
        return table.state.kept is None


class Drawing(Event, frozen=True):
    """Something to be drawn."""

    def waits(self, table: Pyramid) -> bool:
        return True


class Rolling(Drawing, frozen=True):
    """Dice that are still to fall, one after another."""

    roll: ClassVar[str]


class RollingForActions(Rolling, frozen=True):
    """The roll that serves all [HOR-20]."""

    phase = "rolling"
    roll = "action"


class RollingForMummies(Rolling, frozen=True):
    """How far the mummies walk [HOR-40]."""

    phase = "walking"
    roll = "mummy"


class RollingForLock(Rolling, frozen=True):
    """Dice for a lock, all of them or some [HOR-34]."""

    roll = "lock"


class RollingForChest(Rolling, frozen=True):
    """What a chest is worth that a seat has brought out [HOR-62]."""

    seat: int

    phase = "chests"
    roll = "chest"


class Searching(Drawing, frozen=True):
    """The top card of a deck is turned over [HOR-32]."""

    deck: int


class Opening(Drawing, frozen=True):
    """What lies in a sarcophagus comes to light [HOR-33]."""

    tomb: int


class Reading(Drawing, frozen=True):
    """What lies in a sarcophagus is read by one alone [HOR-74]."""

    tomb: int


class Looking(Drawing, frozen=True):
    """A block is looked at by one alone [HOR-51]."""


class Falling(Event, frozen=True):
    """The round's block falls, if one is left [HOR-50]."""

    phase: ClassVar[Phase | None] = "falling"

    def waits(self, table: Pyramid) -> bool:
        return bool(table.state.boxed)


class FallingForIdol(Falling, frozen=True):
    """A block falls as the idol of Horus is taken, if one is left [HOR-36]."""

    phase = None


class Sealing(Event, frozen=True):
    """Whoever has no way out any more is sealed in [HOR-52]."""

    def happens(self, table: Pyramid) -> Pyramid:
        return table.sealed_in()


class Touch(Event, frozen=True):
    """A mummy touches an adventurer on its square [HOR-42]."""

    seat: int
    mummy: int

    def happens(self, table: Pyramid) -> Pyramid:
        return table.touched(self.seat, self.mummy)


class Walk(Event, frozen=True):
    """A mummy walks so many steps more: whoever is on a square that it enters is touched before it goes on [HOR-42]."""

    mummy: int
    steps: int

    phase = "walking"

    def happens(self, table: Pyramid) -> Pyramid:
        return table.walked(self.mummy, self.steps)


class PassingOn(Event, frozen=True):
    """The dice go on to the left, to the next who is still inside, and a round begins [HOR-01].

    :param keeper: the seat that they come from.
    """

    keeper: int

    phase = "falling"

    def happens(self, table: Pyramid) -> Pyramid:
        return table.new_round(self.keeper)


def parts_of_a_round(seats: tuple[int, ...]) -> tuple[Event, ...]:
    """All that happens in a round in any case, with these seats from the keeper of the dice on [HOR-03]."""
    return (
        *map(GettingReady, seats),
        RollingForActions(),
        *map(Acting, seats),
        RollingForMummies(),
        Falling(),
        PassingOn(seats[0]),
    )
