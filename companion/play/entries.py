"""The lines of a table's journal. What is written here is all that a table is: the rest is replayed from it."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

import msgspec

from companion.game import HintLevel, Outcome, SeatKind, Setup
from companion.refusals import AsTyped, Elsewhere

Role = Literal["host", "seat"]
LARGEST = 1 << 53
"""No number in a record is as large: many readers of JSON do not know it as it is."""
LATEST = 253_370_764_800_000  # the year 9999: what every calendar can tell
Moment = Annotated[int, msgspec.Meta(ge=0, lt=LATEST)]
"""Milliseconds since 1970."""
Seal = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$", max_length=64)]
"""A SHA-256, in hexadecimal digits: of a secret, mostly."""
Ticket = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
"""By which a table goes from one Digside to another."""
HouseId = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
"""Names one Digside, wherever it is reached."""


class MovePlayed(msgspec.Struct, frozen=True, tag_field="kind", tag="move", omit_defaults=True, gc=False):
    """A seat made a move, by its own hand, the host's, or the bot's that sits there."""

    by: Role | Literal["bot"]
    seat: int
    move: dict[str, Any]


class OutcomeRecorded(msgspec.Struct, frozen=True, tag_field="kind", tag="outcome", omit_defaults=True, gc=False):
    """Chance answered: the companion dealt (draw number `draw`), or people reported what lay on the table."""

    by: Literal["companion", "table"]
    outcome: Outcome
    draw: int
    seat: int | None = None


class TableCorrected(msgspec.Struct, frozen=True, tag_field="kind", tag="correct", omit_defaults=True, gc=False):
    """The host put the table right."""

    correction: dict[str, Any]


class StepsUndone(msgspec.Struct, frozen=True, tag_field="kind", tag="undo", omit_defaults=True):
    """Back (or forward again) to the table as it was after entry `to`."""

    by: Role
    to: int
    seat: int | None = None
    again: bool = False


class LuckStirred(msgspec.Struct, frozen=True, tag_field="kind", tag="stir", omit_defaults=True):
    """Somebody alone threw a pinch into the luck; it counts from draw `since` on. Only older tables have these."""

    by: Role
    pinch: str
    since: int
    seat: int | None = None


class PinchCommitted(msgspec.Struct, frozen=True, tag_field="kind", tag="commit", omit_defaults=True):
    """A device promised a pinch for the luck: `commit` is all that is told of it as yet. The host's has no seat."""

    by: Role
    commit: Seal
    seat: int | None = None


class PinchOpened(msgspec.Struct, frozen=True, tag_field="kind", tag="open", omit_defaults=True):
    """A device told the pinch it had promised."""

    by: Role
    pinch: Annotated[str, msgspec.Meta(min_length=1, max_length=256)]
    seat: int | None = None


class DeviceJoined(msgspec.Struct, frozen=True, tag_field="kind", tag="join", omit_defaults=True):
    """A device stirs from now on: `tip` is the last of a chain of values of its own.

    :ivar part: where it joins once more, its next value of the chain before: it shows that it is the same device.
    """

    by: Role
    tip: Seal
    seat: int | None = None
    part: Seal | None = None


class ValueTold(msgspec.Struct, frozen=True, tag_field="kind", tag="tell", omit_defaults=True):
    """A device that stirs told its next value, as somebody had joined."""

    by: Role
    part: Seal
    seat: int | None = None


class SealRenewed(msgspec.Struct, frozen=True, tag_field="kind", tag="seal", omit_defaults=True):
    """The luck goes on under a new seal: the table came from a record that did not hold the old secret."""

    seal: Seal


class TableClosed(msgspec.Struct, frozen=True, tag_field="kind", tag="close", omit_defaults=True):
    """The host ended the table as it stood."""


class EndConfirmed(msgspec.Struct, frozen=True, tag_field="kind", tag="settle", omit_defaults=True):
    """Somebody said that the report is right on which the end hangs; from then on the end is final."""

    by: Role
    seat: int | None = None


class GameEnded(msgspec.Struct, frozen=True, tag_field="kind", tag="end", omit_defaults=True):
    """The game came to its end by itself: nothing follows. Tables whose chain is of version 1 have none."""


class TableLeft(msgspec.Struct, frozen=True, tag_field="kind", tag="leave", omit_defaults=True):
    """The table is sent to another Digside: `house` names that one. Until it has arrived or stays, it is closed."""

    ticket: Ticket
    house: HouseId


class TableArrived(msgspec.Struct, frozen=True, tag_field="kind", tag="arrive", omit_defaults=True):
    """The table was taken in where it had been sent, and is open there."""

    ticket: Ticket


class TableStayed(msgspec.Struct, frozen=True, tag_field="kind", tag="stay", omit_defaults=True):
    """The table did not arrive where it had been sent, and cannot any more: it is open where it left."""

    ticket: Ticket


class TableRestored(msgspec.Struct, frozen=True, tag_field="kind", tag="restore", omit_defaults=True):
    """The table was put back from a backup: what had been made after the entry before this one is not in it."""


class SeatSwitched(msgspec.Struct, frozen=True, tag_field="kind", tag="sit", omit_defaults=True):
    """Who plays for seat `of` from now on: switched by the host, or by the person of that seat."""

    by: Role
    of: int
    plays: SeatKind
    seat: int | None = None


class HintsAllowed(msgspec.Struct, frozen=True, tag_field="kind", tag="hints", omit_defaults=True):
    """The host said how often seat `of` may ask for a hint."""

    of: int
    hints: HintLevel


class HintAsked(msgspec.Struct, frozen=True, tag_field="kind", tag="hint", omit_defaults=True):
    """Somebody asked what a bot would do in the place of a seat. What it said is written nowhere."""

    by: Role
    seat: int


class SeatState(msgspec.Struct, frozen=True, omit_defaults=True):
    """A place at the table as it is now.

    :ivar key: the number of the key that opens it: of those the table was laid with, or one made later.
    :ivar taken: whether somebody sits there with a device of their own.
    """

    name: str
    colour: str
    shape: str
    key: int
    taken: bool = False


HostHolder = Annotated[int, msgspec.Meta(ge=0)] | Literal["key", "owner"]
"""Who is the host: whoever has the host's key, the owner, or whoever has the key of this number."""
SeatChange = Literal["add", "leave", "take", "free", "name", "host"]
"""A seat was added, is no more, was taken by a device, is free again, has another name; or another is the host."""


class SeatsChanged(msgspec.Struct, frozen=True, tag_field="kind", tag="seats", omit_defaults=True):
    """Who sits where, and who is the host, from then on: all of it, so that the newest says it.

    :ivar do: what was done.
    :ivar by: who did it; a guest is somebody who has the code of the room, and no key yet.
    :ivar seats: the seats as they are then.
    :ivar host: who is the host then.
    :ivar own: the number of the key of the seat at which whoever has the host's key plays.
    :ivar seat: of whoever did it, as it was before.
    :ivar of: the seat it was done to, as it is then; None for what concerns none.
    :ivar name: what a seat was called that is no more.
    """

    do: SeatChange
    by: Literal["host", "seat", "owner", "guest"]
    seats: tuple[SeatState, ...]
    host: HostHolder
    own: int | None = None
    seat: int | None = None
    of: int | None = None
    name: str | None = None


class HostWanted(msgspec.Struct, frozen=True, tag_field="kind", tag="want", omit_defaults=True):
    """Somebody who sits at the table asks the others to be the host, as the host's devices are silent."""

    by: Role
    seat: int


class HostAgreed(msgspec.Struct, frozen=True, tag_field="kind", tag="agree", omit_defaults=True):
    """Somebody who sits at the table agrees that whoever asked is the host."""

    by: Role
    seat: int


class HostStayed(msgspec.Struct, frozen=True, tag_field="kind", tag="keep", omit_defaults=True):
    """The host is there after all, or whoever asked to be it does not any more: nobody is asked."""

    by: Role
    seat: int | None = None


class MaskedEntry(msgspec.Struct, frozen=True, tag_field="kind", tag="masked", omit_defaults=True):
    """Stands in an exported record for an entry that is nobody's to see before the end."""

    seat: int | None = None


Entry = (
    MovePlayed
    | OutcomeRecorded
    | TableCorrected
    | StepsUndone
    | LuckStirred
    | PinchCommitted
    | PinchOpened
    | DeviceJoined
    | ValueTold
    | SealRenewed
    | TableClosed
    | EndConfirmed
    | GameEnded
    | TableLeft
    | TableArrived
    | TableStayed
    | TableRestored
    | SeatSwitched
    | HintsAllowed
    | HintAsked
    | SeatsChanged
    | HostWanted
    | HostAgreed
    | HostStayed
)
SEATINGS = (SeatsChanged, HostWanted, HostAgreed, HostStayed)
"""Entries that say who sits where and who is the host."""
STIRS = (LuckStirred, PinchCommitted, PinchOpened, DeviceJoined, ValueTold)
"""Entries that concern nothing but the luck of draws to come."""
MOVES = (TableLeft, TableArrived, TableStayed)
"""Entries that say where the table is kept: they may follow an end."""
SEATS = (SeatSwitched, HintsAllowed, HintAsked)
"""Entries that say who plays, and who was helped."""
QUIET = (*STIRS, *MOVES, *SEATS, *SEATINGS, TableRestored)
"""Entries after which a press still means what it meant before, unless seats were added or left."""
ENDS = (TableClosed, EndConfirmed, GameEnded)
"""Entries that nothing follows, but where the table is kept."""
Exported = Entry | MaskedEntry


class JournalLine(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """An entry as it stands on disk: its number, when (milliseconds since 1970), and for which request.

    :ivar link: its link of the table's chain; none at a table from before there was one.
    """

    seq: int
    at: int
    entry: Entry
    request: str | None = None
    asked: str | None = None  # digest of what was asked with that request id
    link: bytes | None = None


class Laid(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table as it was laid: with the box's own figures, so that it replays after the box file has changed.

    All of it but `after` is in the first link of the chain. So a field that comes later has a default that says what
    was so before, and is left out where it does: the chains of older tables hold.

    :param after: the table that the same people played before, where this is the next.
    :param chain: the version of the chain of its entries; 0 for none, as tables had before.
    :param was: by which name it was laid, where this is a copy of a table that was played to its end.
    :param confirms: whether an end that hangs on a report is final only once somebody has confirmed it.
    :param luck: the version of how its devices stir.
    """

    table: str
    at: Moment
    setup: Setup
    box: dict[str, Any]
    box_digest: str
    rules: int
    seal: Seal
    digside: str
    after: str | None = None
    chain: int = 0
    was: str | None = None
    confirms: bool = False
    luck: int = 1


class TableBrief(msgspec.Struct, frozen=True):
    """A table as it was laid, in brief: what a list of tables needs, read without the box.

    :ivar seal: of its luck; a database of 0.3.0 tells none.
    """

    table: str
    at: Moment
    setup: Setup
    after: str | None = None
    seal: str = ""


class EndFound(msgspec.Struct, frozen=True):
    """How a table ended, for the list of tables: the points of each seat, and who won."""

    totals: tuple[int, ...]
    winners: tuple[int, ...]


class TableSummary(NamedTuple):
    """A table in the list of tables: how it was laid, how many entries it has, when the last, and how it ended.

    :ivar end: once it is over; None, too, where that has not been noted yet.
    """

    brief: TableBrief
    seq: int
    played_at: int | None
    over: bool
    end: EndFound | None


class Keys(msgspec.Struct, frozen=True):
    """Who may act: the host's key, and one for each seat."""

    host: str
    seats: tuple[str, ...]


class Departure(msgspec.Struct, frozen=True):
    """That a table has left for another Digside: from the first moment on no step is made at it here.

    :ivar ticket: what the other knows this one move by
    :ivar house: which Digside the other is, wherever it is reached
    :ivar there: whether it is known to be open there; until then it may be, or not
    """

    ticket: str
    address: str
    house: str
    there: bool = False

    def refusal(self, table: str) -> Elsewhere:
        """Why nothing is done at the table here."""
        key = "core.moved" if self.there else "core.leaving"
        return Elsewhere(key, table=AsTyped(table), address=AsTyped(self.address))


class Arrival(NamedTuple):
    """A table that came by a ticket: up to which entry, and the link of that."""

    table: str
    seq: int
    head: str | None
