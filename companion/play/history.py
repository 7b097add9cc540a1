"""A table computed from the entries of its journal: every position, what still counts, what can be taken back."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from copy import copy
from typing import Any, Self

import msgspec

from companion.game import AnyGame, Ask, Chance, Correction, Finished, HintLevel, Move, Seat, SeatKind, State, Step
from companion.play.actors import Actor
from companion.play.dealer import Stir
from companion.play.entries import (
    QUIET,
    SEATINGS,
    SEATS,
    STIRS,
    DeviceJoined,
    EndConfirmed,
    Entry,
    GameEnded,
    HintAsked,
    HintsAllowed,
    HostAgreed,
    HostStayed,
    HostWanted,
    JournalLine,
    Laid,
    MovePlayed,
    OutcomeRecorded,
    PinchOpened,
    SealRenewed,
    SeatsChanged,
    SeatSwitched,
    StepsUndone,
    TableClosed,
    TableCorrected,
    TableLeft,
    TableStayed,
    ValueTold,
)
from companion.play.entry_checks import ENDS_ITSELF, check_entry
from companion.play.final_reports import PendingFinalReports, ending_reports
from companion.play.laid_game import TOGETHER, seated
from companion.play.members import Members
from companion.play.partial_history import CARRIED, GROWING, PartialHistory, Redo
from companion.play.position import EVERY, Position, Rules, Trail
from companion.play.seating import Seating
from companion.play.sitting import SeatEntry, is_by_itself
from companion.play.snapshots import Snapshot
from companion.play.stirring import LuckStirring, Rounds, who_of
from companion.play.tail import Tail
from companion.play.written import Written
from companion.refusals import Over


class HostBid(msgspec.Struct, frozen=True):
    """A pending request to become the host.

    :ivar seq: the entry that made it, and `at` when
    :ivar key: of the seat that asks
    :ivar agreed: the keys of the seats that agree
    """

    seq: int
    at: int
    key: int
    agreed: tuple[int, ...] = ()


class TakeBackOffer(msgspec.Struct, frozen=True):
    """Whether an actor may take a step back now.

    :ivar to: the entry it would lead back to
    :ivar why: the key of the refusal, where a seat may not
    :ivar redo: the entry that "forward" would lead to
    """

    open: bool
    to: int | None = None
    why: str | None = None
    redo: int | None = None


NOT_LOGGED = (PinchOpened, ValueTold, GameEnded, TableLeft, TableStayed)
"""Entries that are no lines of the log."""
POINTS_EVERY = EVERY
"""A snapshot can be made at one in so many entries …"""
POINTS = 8
"""… of which the newest so many are remembered."""
STEPS = (MovePlayed, OutcomeRecorded, TableCorrected, StepsUndone, TableClosed)
"""Entries with which a game has begun: seats are neither added nor removed any more."""


class History(PartialHistory):
    """A table as its entries tell it. It only grows.

    :param game: the rules, or the toolbox, it is played by.
    :param laid: how it was laid.
    :param written: its entries; where there is a snapshot, those after it.
    """

    def __init__(
        self, game: AnyGame, laid: Laid, written: Sequence[JournalLine] = (), snapshot: Snapshot | None = None
    ) -> None:
        self.game = game
        self.laid = laid
        self.setup = laid.setup
        self.written = Written()
        self.closed_at: int | None = None
        self.settled_at: int | None = None  # the entry that confirmed an end which hung on a report
        self.left: TableLeft | None = None  # how it left for another Digside, as long as that is the newest entry
        self.seals = [laid.seal]
        self.kinds: tuple[SeatKind, ...] = tuple(seat.kind for seat in laid.setup.seats)  # who plays for each seat
        self.hints: tuple[HintLevel, ...] = tuple(seat.hints for seat in laid.setup.seats)
        self.hinted: tuple[int, ...] = (0,) * len(laid.setup.seats)  # how many hints each seat has had
        self.seating = Seating.begun(laid.setup.seats)
        self.bid: HostBid | None = None  # who asks to be the host, as long as nobody has become it
        self.begun = False  # whether a step was ever made, even if it was taken back
        self.logged: Tail[int] = Tail()  # the numbers of the entries that are lines of the log …
        self.logged_stirs: Tail[int] = Tail()  # … of those that only log who stirred
        self._draws_at: Tail[int] = Tail()  # … of the companion's draws
        self._reports_at: Tail[int] = Tail()  # … of the outcomes that people reported
        self._moves_at: Tail[int] = Tail()  # … and of the moves
        self.stirring: LuckStirring = Members() if laid.luck >= TOGETHER else Rounds()
        self._rules = Rules(game)
        self._positions: Tail[Position] = Tail()
        self._redos: Tail[Redo | None] = Tail([None])
        self._played: Tail[int] = Tail([0])  # by entry: the newest up to it that is not quiet
        self._reveals: Tail[bool | None] = Tail()  # by entry; None until somebody asks
        self._points: deque[dict[str, Any]] = deque(maxlen=POINTS)
        self._recalled_at = 0  # how many entries there were when everything was last read into memory
        self._link: bytes | None = None  # of entry `base`
        if snapshot is None:
            self._positions.append(Position(self._rules, game.start()))
        else:
            self._restore(snapshot)
        for line in written:
            self.follow(line)

    @property
    def id(self) -> str:
        return self.laid.table

    @property
    def seq(self) -> int:
        """How many entries the journal has; it only grows."""
        return len(self.written)

    @property
    def laid_now(self) -> Laid:
        """How it was laid, with the seats of now: enough to play on from a position."""
        return self.laid if self.setup is self.laid.setup else msgspec.structs.replace(self.laid, setup=self.setup)

    def played(self, seq: int | None = None) -> int:
        """The newest entry, up to `seq`, that is not quiet: a press meant for it or a later one is not stale."""
        return self._played[-1 if seq is None else seq]

    @property
    def state(self) -> State:
        return self._positions[-1].state

    def position(self, seq: int | None = None) -> Position:
        return self._positions[-1 if seq is None else seq]

    def ask(self, seq: int | None = None) -> Ask:
        """What the table waits for."""
        return self.position(seq).ask

    def over(self, seq: int | None = None) -> bool:
        return isinstance(self.ask(seq), Finished)

    def hinge(self, seq: int | None = None) -> PendingFinalReports | None:
        """The reports that ended the game, while nobody has confirmed them; None where nothing is to be confirmed."""
        at = self.seq if seq is None else seq
        ended = any(end is not None and end <= at for end in (self.closed_at, self.settled_at))
        return None if ended else self._hinge_of(self.position(at))

    def _hinge_of(self, position: Position) -> PendingFinalReports | None:
        if not self.laid.confirms or not isinstance(position.ask, Finished):
            return None
        reports = ending_reports(position.trail)
        return PendingFinalReports(reports) if reports else None

    def ends_by_itself(self, position: Position) -> bool:
        """Whether reaching a position ends the game for good, so that a `GameEnded` follows."""
        over = isinstance(position.ask, Finished) and self._hinge_of(position) is None
        return over and self.laid.chain >= ENDS_ITSELF

    def settled(self, seq: int | None = None) -> bool:
        """Whether the game is over and nobody has to confirm that any more."""
        return self.over(seq) and self.hinge(seq) is None

    @property
    def base(self) -> int:
        """The first entry whose position is in memory."""
        return self._positions.base

    def snapshot(self, most: int) -> Snapshot | None:
        """What it takes to open the table without its first entries; None where nothing newer can be made.

        :param most: so many lines of the log are in memory when it is opened from the snapshot.
        """
        ended = min(self.closed_at or self.seq, self.settled_at or self.seq)
        return self._snapshot_before(min(self._first_of(most), ended))

    def _restore(self, snapshot: Snapshot) -> None:
        self.__dict__.update(snapshot.carried)
        if self.seating != Seating.begun(self.laid.setup.seats):
            self._reseat(self.seating)
        self._restore_positions(snapshot)

    def _first_of(self, most: int) -> int:
        """The entry from which on the log has so many lines; 0 where it has fewer."""
        lines, hidden = 0, False
        for n in range(len(self.logged) - 1, self.logged.base - 1, -1):
            line = self.written[self.logged[n] - 1]
            was_hidden, hidden = hidden, isinstance(line.entry, OutcomeRecorded) and not self.reveals(line.seq)
            lines += not (hidden and was_hidden)  # a run of hidden draws is one line
            if lines == most:
                return line.seq
        return 0

    def _whole(self) -> Self:
        """This history with everything in memory, read from the journal where it was not."""
        if self.base:
            whole = History(self.game, self.laid, self.all_written()[: self.seq])
            for name in (*GROWING, "_rules"):
                self.__dict__[name] = whole.__dict__[name]
            self._recalled_at = self.seq
        return self

    def fork(self) -> Self:
        """Return an independent copy."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        for grows in GROWING:
            twin.__dict__[grows] = self.__dict__[grows].copy()
        return twin

    def follow(self, line: JournalLine) -> None:
        """Replay one entry of a journal or a record.

        :raises Malformed: where no table can have written it.
        """
        check_entry(self, line)
        self._advance(line, self._leads_to(line))
        self.pack()

    def _leads_to(self, line: JournalLine) -> Position:
        """The position that an entry leads to."""
        position = self.position()
        match line.entry:
            case StepsUndone(to=to):
                return self._positions[to]
            case TableClosed():
                return position.closed()
            case MovePlayed() | OutcomeRecorded() | TableCorrected() as entry:
                return position.stepped(self.step_of(entry), line.seq, entry)
            case _:
                return position

    def _advance(self, line: JournalLine, position: Position) -> None:
        """Append an entry and its already computed position."""
        redos, first, seats = self._redos[-1], False, len(self.setup.seats)
        self.left = line.entry if isinstance(line.entry, TableLeft) else None
        match line.entry:
            case StepsUndone(again=again):
                redos = (redos and redos.older) if again else Redo(self.seq, redos)
            case TableClosed():
                self.closed_at = line.seq
            case EndConfirmed() | GameEnded():
                self.settled_at = line.seq
            case entry if isinstance(entry, (*SEATS, *SEATINGS)):
                position = self._seated_by(line, entry) or position
            case MovePlayed() | OutcomeRecorded() | TableCorrected() as entry:
                redos = None
                if isinstance(entry, OutcomeRecorded):
                    self.stirring = self.stirring.fell(position.draws)
            case entry:
                if isinstance(entry, SealRenewed):
                    self.seals.append(entry.seal)
                if isinstance(entry, DeviceJoined):
                    first = who_of(entry) not in self.stirring.names
                self.stirring = self.stirring.followed(entry)
        self._positions.append(position)
        self._redos.append(redos)
        self._played.append(
            self.played() if isinstance(line.entry, QUIET) and seats == len(self.setup.seats) else line.seq
        )
        self.begun = self.begun or isinstance(line.entry, STEPS)
        self._reveals.append(None)
        if not (isinstance(line.entry, NOT_LOGGED) or first):
            self._note_number(line)
        self.written.append(line)
        self._note_point(line.seq)

    def _seat(self, entry: SeatEntry) -> None:
        """Apply an entry about who plays for a seat, or its hints."""
        match entry:
            case SeatSwitched(of=of, plays=kind):
                self.kinds = (*self.kinds[:of], kind, *self.kinds[of + 1 :])
            case HintsAllowed(of=of, hints=level):
                self.hints = (*self.hints[:of], level, *self.hints[of + 1 :])
            case HintAsked(seat=of):
                self.hinted = (*self.hinted[:of], self.hinted[of] + 1, *self.hinted[of + 1 :])

    def seats_now(self) -> tuple[Seat, ...]:
        """The seats, with who plays for each by now, and how often each may ask for a hint."""
        each = zip(self.setup.seats, self.kinds, self.hints, strict=True)
        return tuple(msgspec.structs.replace(seat, kind=kind, hints=hints) for seat, kind, hints in each)

    def _seated_by(self, line: JournalLine, entry: Entry) -> Position | None:
        """Apply an entry about seats or the host.

        :returns: the new first position, where seats change before the game has begun.
        """
        self.stirring = self.stirring.followed(entry)
        match entry:
            case SeatSwitched() | HintsAllowed() | HintAsked():
                self._seat(entry)
            case HostWanted(seat=seat):
                key = self.seating.seats[seat].key
                self.bid = HostBid(line.seq, line.at, key, (key,))
            case HostAgreed(seat=seat) if self.bid is not None:
                agreed = {*self.bid.agreed, self.seating.seats[seat].key}
                self.bid = msgspec.structs.replace(self.bid, agreed=tuple(sorted(agreed)))
            case HostStayed():
                self.bid = None
            case SeatsChanged(host=host):
                self.bid = None if host != self.seating.host else self.bid
                self._change_kinds(entry)
                self._reseat(self.seating.followed(entry))
                if not self.begun:
                    first = Position(self._rules, self.game.start())
                    for at in range(self._positions.base, len(self._positions)):
                        self._positions[at] = first
                    return first
        return None

    def _change_kinds(self, entry: SeatsChanged) -> None:
        """Move the kind of player and the hints along with each seat; a person plays where one was taken."""
        before = {seat.key: at for at, seat in enumerate(self.seating.seats)}
        same = len(before) == len(entry.seats)
        was = [before.get(seat.key, at if same else None) for at, seat in enumerate(entry.seats)]
        self.kinds = tuple("person" if at is None else self.kinds[at] for at in was)
        self.hints = tuple("none" if at is None else self.hints[at] for at in was)
        self.hinted = tuple(0 if at is None else self.hinted[at] for at in was)
        if entry.do == "take" and entry.of is not None:
            self.kinds = (*self.kinds[: entry.of], "person", *self.kinds[entry.of + 1 :])

    def _reseat(self, seating: Seating) -> None:
        """Set who sits at the table. A game that has begun keeps its state and goes on with the new names."""
        self.seating = seating if self.laid.was is None else seating.under_new_keys()
        self.setup, self.game = seated(self.laid, seating.plain)
        if self.begun:
            self._rules.game = self.game
        else:
            self._rules = Rules(self.game)

    def _note_number(self, line: JournalLine) -> None:
        """Add an entry to the numbers of its kind."""
        (self.logged_stirs if isinstance(line.entry, STIRS) else self.logged).append(line.seq)
        if isinstance(line.entry, OutcomeRecorded):
            (self._draws_at if line.entry.by == "companion" else self._reports_at).append(line.seq)
        elif isinstance(line.entry, MovePlayed):
            self._moves_at.append(line.seq)

    def _note_point(self, seq: int) -> None:
        """Keep what a snapshot of this entry would need."""
        if seq % POINTS_EVERY == 0:
            self._points.append({"seq": seq, **{name: copy(self.__dict__[name]) for name in CARRIED}})

    def pack(self) -> None:
        """Compress older entries, where there are enough; positions then find theirs in the pack."""
        packed = self.written.packed
        while (pack := self.written.pack()) is not None:
            for position in self._positions[packed + 1 : self.written.packed + 1]:
                if position.trail is not None and position.trail.seq > packed:
                    position.trail.packed(pack)
            packed = self.written.packed

    def not_ended(self) -> None:
        """Refuse anything more once the host has ended the table, or its end is an entry."""
        if self.closed_at is not None or self.settled_at is not None:
            raise Over("core.over")

    def step_of(self, entry: MovePlayed | OutcomeRecorded | TableCorrected) -> Step:
        """The step of the game that an entry stands for."""
        return self._rules.step_of(entry)

    def read_move(self, move: object) -> Move:
        """A move from its JSON."""
        return self._rules.read_move(move)

    def read_correction(self, correction: object) -> Correction:
        """A correction from its JSON."""
        return self._rules.read_correction(correction)

    def before(self, seq: int) -> Position:
        """The position before an entry."""
        return self._positions[seq - 1]

    def survivors(self, seq: int | None = None, down_to: int = 0) -> set[int]:
        """The numbers of the entries that still count, from `seq` down to `down_to`."""
        alive = set()
        position = self.position(seq)
        while position.seq > down_to and position.trail is not None:
            alive.add(position.seq)
            position = position.trail.before
        return alive

    def newest_move(self) -> str | None:
        """The type of the newest move that still counts."""
        trail = self.position().trail
        while trail is not None and not isinstance(trail.entry, MovePlayed):
            trail = trail.before.trail
        return str(trail.entry.move["type"]) if trail is not None and isinstance(trail.entry, MovePlayed) else None

    @property
    def drawn(self) -> int:
        """How many draws were ever seen, even if they were taken back."""
        return self.stirring.drawn

    @property
    def stirs(self) -> Sequence[Stir]:
        """What the draws to come are stirred with."""
        return self.stirring.stirs

    def offer(self, actor: Actor, seq: int | None = None) -> TakeBackOffer:
        """What an actor may take back at an entry: the newest thing that a person did."""
        if self.settled(seq):
            return TakeBackOffer(False, why="undo.over")
        newest, redo = self.newest_by_hand(seq), self._redo(actor, seq)
        if newest is None and (actor.role != "host" or self.position(seq).trail is None):
            return TakeBackOffer(False, why="undo.nothing", redo=redo)
        if newest is not None and actor.role != "host" and not newest.is_of(actor.seat):
            return TakeBackOffer(False, why="undo.not_yours", redo=redo)
        why = "undo.revealed" if self._revealed_since(newest, self.seq if seq is None else seq) else None
        if why is not None and actor.role != "host":
            return TakeBackOffer(False, why=why, redo=redo)
        return TakeBackOffer(True, newest.before.seq if newest else 0, why, redo)

    def newest_by_hand(self, seq: int | None = None) -> Trail | None:
        """The newest entry that a person made, of those that still count: a move, a report or a correction."""
        trail = self.position(seq).trail
        while trail is not None and is_by_itself(trail.entry):
            trail = trail.before.trail
        return trail

    def reveals(self, seq: int) -> bool:
        """Whether an entry showed somebody an outcome, or something that was secret before. Computed once."""
        reveals = self._reveals[seq - 1]
        if reveals is None:
            reveals = self._reveals[seq - 1] = self._shows_anything(seq)
        return reveals

    def _shows_anything(self, seq: int) -> bool:
        before, entry = self.before(seq), self.written[seq - 1].entry
        match entry:
            case OutcomeRecorded():
                return not (isinstance(before.ask, Chance) and before.ask.hidden)
            case MovePlayed():
                return self.game.reveals(before.state, self._positions[seq].state, entry.seat)
        return False

    def _revealed_since(self, made: Trail | None, at: int) -> bool:
        """Whether anything has been revealed since an entry was made, even if it was taken back.

        A report does not count against the reports before it: whoever made them may take all of them back.
        """
        if made is not None and isinstance(made.entry, MovePlayed) and self.reveals(made.seq):
            return True
        own = made is not None and isinstance(made.entry, OutcomeRecorded)
        closing = (self._draws_at, self._moves_at) if own else (self._draws_at, self._reports_at, self._moves_at)
        since, at_hand = made.seq if made else 0, self.base
        return any(self._one_revealed(numbers, since, at, at_hand) for numbers in closing)

    def _one_revealed(self, numbers: Tail[int], since: int, at: int, at_hand: int) -> bool:
        """Whether any of these entries, after `since` and up to `at`, was a reveal.

        :param at_hand: only entries after this one are in memory.
        """
        for n in range(numbers.up_to(at) - 1, -1, -1):
            if n < numbers.base and since >= at_hand:
                return False
            if numbers[n] <= since:
                return False
            if self.reveals(numbers[n]):
                return True
        return False

    def _redo(self, actor: Actor, seq: int | None) -> int | None:
        """The entry that "forward" leads to: for the host always, for a seat right after its own step back."""
        at = self.seq if seq is None else seq
        redo = self._redos[at]
        if redo is None:
            return None
        newest = self.written[self.played(at) - 1].entry
        own = isinstance(newest, StepsUndone) and newest.by == "seat" and newest.seat == actor.seat
        return redo.to if actor.role == "host" or (actor.role == "seat" and own) else None
