"""What the entries of a journal come to: each position of a table, what still counts, what can be taken back."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from typing import Any, Self, TypeVar, overload
from weakref import ref

import msgspec

from companion.game import AnyGame, Ask, Chance, Correction, Finished, HintLevel, Move, Seat, SeatKind, State, Step
from companion.play.actors import Actor, may_act
from companion.play.dealer import Stir
from companion.play.entries import (
    MOVES,
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
    TableArrived,
    TableClosed,
    TableCorrected,
    TableLeft,
    TableRestored,
    TableStayed,
    ValueTold,
)
from companion.play.laid_game import TOGETHER, seated
from companion.play.members import Members
from companion.play.position import EVERY, Position, Rules, Trail
from companion.play.seating import Seating, check_follows
from companion.play.sitting import (
    PLAYED_FOR,
    SeatEntry,
    check_plays,
    check_seat,
    is_by_itself,
    may_ask_hint,
    may_switch,
)
from companion.play.snapshots import Snapshot, cut_off, kept_position, restored_position
from companion.play.stirring import LuckStirring, Rounds, who_of
from companion.play.tail import Tail
from companion.play.written import Written
from companion.refusals import Illegal, Malformed, NotYourTurn, Over


class PendingFinalReports(msgspec.Struct, frozen=True):
    """The reports on which an end hangs, oldest first; the last of them ended the game."""

    reports: tuple[Trail, ...]

    @property
    def seat(self) -> int | None:
        """Who made the last of them; nobody in particular, where the host did for whoever it was."""
        return self.reports[-1].entry.seat if isinstance(self.reports[-1].entry, OutcomeRecorded) else None

    def may_be_confirmed_by(self, actor: Actor) -> bool:
        """Whether it is for this actor to say that they are right: for the host, or any other seat than theirs."""
        return actor.role == "host" or (actor.role == "seat" and not self.reports[-1].is_of(actor.seat))


class Redo(msgspec.Struct, frozen=True):
    """Where to go forward to again, and behind it where to from there. Each step back adds one, and shares the rest."""

    to: int
    older: Redo | None


class HostBid(msgspec.Struct, frozen=True):
    """Somebody asks to be the host: with which entry, since when, by the key of which seat, and who agrees."""

    seq: int
    at: int
    key: int
    agreed: tuple[int, ...] = ()


class TakeBackOffer(msgspec.Struct, frozen=True):
    """Whether a step may be taken back now: to which entry, by whom, and why not."""

    open: bool
    to: int | None = None
    why: str | None = None
    redo: int | None = None


T = TypeVar("T")
ENDS_ITSELF = 2
"""The first version of the chain in which an end that nobody has to confirm is an entry."""
UNTOLD = (PinchOpened, ValueTold, GameEnded, TableLeft, TableStayed)
"""Entries that are no lines of the log."""
STEPS = (MovePlayed, OutcomeRecorded, TableCorrected, StepsUndone, TableClosed)
"""Entries with which a game has begun: no seat is added any more, and none is taken away."""
CARRIED = ("seals", "stirring", "left", "kinds", "hints", "hinted", "seating", "bid", "begun")
"""What a snapshot has as it was, beside positions."""
GROWING = (
    "written",
    "seals",
    "told",
    "stirred",
    "_draws_at",
    "_reports_at",
    "_moves_at",
    "_positions",
    "_redos",
    "_played",
    "_reveals",
    "_points",
)
"""Attributes that `fork` copies, because they are changed in place."""
NUMBERS = ("told", "stirred", "_draws_at", "_reports_at", "_moves_at")
"""Of those, what is numbers of entries in their order."""
POINTS_EVERY = EVERY
POINTS = 8
"""From so many places it can be kept: one in every so many entries, the newest."""


class History:
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
        self.begun = False  # whether a step was ever made, taken back or not
        self.told: Tail[int] = Tail()  # the numbers of the entries that are lines of the log …
        self.stirred: Tail[int] = Tail()  # … and of those that only say who stirred
        self._draws_at: Tail[int] = Tail()  # the numbers of the entries that the companion drew …
        self._reports_at: Tail[int] = Tail()  # … of those that the table showed
        self._moves_at: Tail[int] = Tail()  # … and of those that are moves
        self.stirring: LuckStirring = Members() if laid.luck >= TOGETHER else Rounds()
        self._rules = Rules(game)
        self._positions: Tail[Position] = Tail()
        self._redos: Tail[Redo | None] = Tail([None])
        self._played: Tail[int] = Tail([0])  # by entry: the newest up to it that is not quiet
        self._reveals: Tail[bool | None] = Tail()  # by entry; None until somebody asks
        self._points: deque[dict[str, Any]] = deque(maxlen=POINTS)
        self._recalled_at = 0  # how far it was when all its positions were wanted last
        self._link: bytes | None = None  # of the entry before those at hand
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
        """How it was laid, but with the seats of now: what it takes to play on from a position."""
        return self.laid if self.setup is self.laid.setup else msgspec.structs.replace(self.laid, setup=self.setup)

    def played(self, seq: int | None = None) -> int:
        """The newest entry that is not quiet: what was meant for the table since then still means the same."""
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
        """The reports on which the end hangs as long as nobody has confirmed it; None where it is final, or none yet.

        An end hangs on a report where that report brought it about, or what the companion drew upon it.
        """
        at = self.seq if seq is None else seq
        ended = any(end is not None and end <= at for end in (self.closed_at, self.settled_at))
        return None if ended else self._hinge_of(self.position(at))

    def _hinge_of(self, position: Position) -> PendingFinalReports | None:
        if not self.laid.confirms or not isinstance(position.ask, Finished):
            return None
        reports = _ending_reports(position.trail)
        return PendingFinalReports(reports) if reports else None

    def ends_by_itself(self, position: Position) -> bool:
        """Whether a game is over for good where that position is reached, which is an entry of its own then."""
        over = isinstance(position.ask, Finished) and self._hinge_of(position) is None
        return over and self.laid.chain >= ENDS_ITSELF

    def settled(self, seq: int | None = None) -> bool:
        """Whether the game is over for good."""
        return self.over(seq) and self.hinge(seq) is None

    @property
    def base(self) -> int:
        """Of so many of the first entries only the entries themselves are at hand, or not even they."""
        return self._positions.base

    def snapshot(self, most: int) -> Snapshot | None:
        """What it takes to open it without its first entries; None where nothing newer can be kept.

        :param most: so many of the newest lines of the log are to be at hand then.
        """
        ended = min(self.closed_at or self.seq, self.settled_at or self.seq)
        shown = self._first_of(most)
        points = [point for point in self._points if self.base < point["seq"] < min(shown, ended)]
        if not points:
            return None
        point = max(points, key=lambda each: int(each["seq"]))
        base, back = point["seq"], self._led_back_to(point["seq"])
        return Snapshot(
            base=base,
            link=self.written[base - 1].link,
            counts={name: getattr(self, name).up_to(base) for name in NUMBERS},
            positions={at: kept_position(self._positions[at]) for at in sorted({*back, base})},
            redos=tuple(_redos(self._redos[base])),
            played=self._played[base],
            carried={name: point[name] for name in CARRIED},
        )

    def _first_of(self, most: int) -> int:
        """The number of an entry from which on there are so many lines of the log, to whoever reads it."""
        lines, hidden = 0, False
        for n in range(len(self.told) - 1, self.told.base - 1, -1):
            line = self.written[self.told[n] - 1]
            was_hidden, hidden = hidden, isinstance(line.entry, OutcomeRecorded) and not self.reveals(line.seq)
            lines += not (hidden and was_hidden)  # of a run of draws that nobody sees one line is told
            if lines == most:
                return line.seq
        return 0

    def _restore(self, snapshot: Snapshot) -> None:
        """Be as a snapshot says."""
        base = snapshot.base
        self.written = Written(base=base, whole=self._weakly(lambda here: here.all_written()))
        redo: Redo | None = None
        for to in reversed(snapshot.redos):
            redo = Redo(to, redo)
        self.__dict__.update(snapshot.carried)
        if self.seating != Seating.begun(self.laid.setup.seats):
            self._reseat(self.seating)
        self._link = snapshot.link
        kept = {at: restored_position(each, self._rules, self._finder()) for at, each in snapshot.positions.items()}
        self._begin_at(base, kept, [kept[base]], [redo], [snapshot.played])
        for name, count in snapshot.counts.items():
            self._number_from(name, count, base)

    def shorten(self, most: int) -> None:
        """Hold no more of what was than of so many entries; all else is made again where somebody looks back."""
        base = self.seq - most
        if base <= self.base:
            return
        self._link = self.written[base - 1].link
        kept = {at: self._positions[at] for at in {*self._led_back_to(base), base}}
        for position in kept.values():
            cut_off(position, self._finder())
        self._begin_at(
            base, kept, self._positions[base:], self._redos[base:], self._played[base:], self._reveals[base:]
        )
        for name in NUMBERS:
            numbers: Tail[int] = getattr(self, name)
            count = numbers.up_to(base)
            self._number_from(name, count, base, numbers[count:])

    def _number_from(self, name: str, count: int, base: int, numbers: Sequence[int] = ()) -> None:
        """Have numbers of entries at hand, of which so many are up to `base`, and elsewhere."""

        def whole(here: History) -> Tail[int]:
            numbers: Tail[int] = getattr(here._whole(), name)
            return numbers

        setattr(self, name, Tail(numbers, base=count, whole=self._weakly(whole), since=base))

    def _begin_at(
        self,
        base: int,
        kept: Mapping[int, Position],
        positions: Sequence[Position],
        redos: Sequence[Redo | None],
        played: Sequence[int],
        reveals: Sequence[bool | None] = (),
    ) -> None:
        """Have these positions, and what belongs to them, at hand; `kept` are those that one may step back to."""
        every = self._weakly(lambda here: here._whole()._positions)
        self._positions = Tail(positions, base=base, whole=lambda: _Known(kept, every))
        self._redos = Tail(redos, base=base, whole=self._weakly(lambda here: here._whole()._redos))
        self._played = Tail(played, base=base, whole=self._weakly(lambda here: here._whole()._played))
        self._reveals = Tail(reveals, base=base, whole=self._weakly(lambda here: here._whole()._reveals))

    def _led_back_to(self, base: int) -> set[int]:
        """The numbers of entries before `base` to which later ones step back."""
        later = (line.entry for line in self.written[base:])
        return {entry.to for entry in later if isinstance(entry, StepsUndone) and entry.to < base}

    def _finder(self) -> Callable[[int], Position]:
        """What finds a position by its number."""
        every = self._weakly(lambda here: here._whole()._positions)
        return lambda seq: every()[seq]

    def _weakly(self, take: Callable[[History], T]) -> Callable[[], T]:
        """What takes something of this history later, and does not hold it: no history is to hold itself."""
        me = ref(self)

        def taken() -> T:
            here = me()
            if here is None:
                raise ReferenceError("nobody has this table any more")
            return take(here)

        return taken

    def _whole(self) -> History:
        """This history with all its positions; from then on they are at hand."""
        if self.base:
            whole = History(self.game, self.laid, self.all_written()[: self.seq])
            for name in (*GROWING, "_rules"):
                self.__dict__[name] = whole.__dict__[name]
            self._recalled_at = self.seq
        return self

    def all_written(self) -> Sequence[JournalLine]:
        """All entries, wherever they are."""
        return self.written

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
        self._fits(line)
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
        if not (isinstance(line.entry, UNTOLD) or first):
            self._note_number(line)
        self.written.append(line)
        self._note_point(line.seq)

    def _seat(self, entry: SeatEntry) -> None:
        """Be as an entry about a seat says."""
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

    def check_of_seat(self, entry: SeatEntry | MovePlayed) -> None:
        """Refuse an entry about a seat that may not be made as things are, and a bot's move where none sits.

        :raises Refusal: where that seat is not there, or it is not for that hand to say, or nobody referees the table.
        """
        of = entry.seat if isinstance(entry, HintAsked | MovePlayed) else entry.of
        match entry:
            case MovePlayed(by="bot") if of not in range(len(self.kinds)) or self.kinds[of] not in PLAYED_FOR:
                raise Malformed("entry.no_bot", seq=self.seq + 1)
            case MovePlayed():
                return
        check_seat(of, len(self.kinds))
        match entry:
            case SeatSwitched(by=by, plays=kind, seat=seat):
                may_switch(Actor(by, seat), of)
                check_plays(self.setup, kind)
            case HintAsked():
                may_ask_hint(self.hints[of], self.hinted[of])

    def _seated_by(self, line: JournalLine, entry: Entry) -> Position | None:
        """Have others sit here, or be asked who is the host; the position that is the first then, if another is."""
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
        """Who plays for a seat goes with it; whoever takes one plays there."""
        before = {seat.key: at for at, seat in enumerate(self.seating.seats)}
        same = len(before) == len(entry.seats)
        was = [before.get(seat.key, at if same else None) for at, seat in enumerate(entry.seats)]
        self.kinds = tuple("person" if at is None else self.kinds[at] for at in was)
        self.hints = tuple("none" if at is None else self.hints[at] for at in was)
        self.hinted = tuple(0 if at is None else self.hinted[at] for at in was)
        if entry.do == "take" and entry.of is not None:
            self.kinds = (*self.kinds[: entry.of], "person", *self.kinds[entry.of + 1 :])

    def _reseat(self, seating: Seating) -> None:
        """Have these people at the table. In the middle of a game its rules go on with other names."""
        self.seating = seating if self.laid.was is None else seating.under_new_keys()
        self.setup, self.game = seated(self.laid, seating.plain)
        if self.begun:
            self._rules.game = self.game
        else:
            self._rules = Rules(self.game)

    def _note_number(self, line: JournalLine) -> None:
        """Remember of which kind a line of the log is."""
        (self.stirred if isinstance(line.entry, STIRS) else self.told).append(line.seq)
        if isinstance(line.entry, OutcomeRecorded):
            (self._draws_at if line.entry.by == "companion" else self._reports_at).append(line.seq)
        elif isinstance(line.entry, MovePlayed):
            self._moves_at.append(line.seq)

    def _note_point(self, seq: int) -> None:
        """Remember how things are, if a snapshot may be made from here later."""
        if seq % POINTS_EVERY == 0:
            self._points.append({"seq": seq, **{name: copy(self.__dict__[name]) for name in CARRIED}})

    def pack(self) -> None:
        """Pack what is old of the entries, if there is enough: from then on they are found in their pack alone."""
        packed = self.written.packed
        while (pack := self.written.pack()) is not None:
            for position in self._positions[packed + 1 : self.written.packed + 1]:
                if position.trail is not None and position.trail.seq > packed:
                    position.trail.packed(pack)
            packed = self.written.packed

    def _fits(self, line: JournalLine) -> None:
        """Refuses what no table writes, so that whoever holds the file cannot buy a new roll with it."""
        if line.seq != self.seq + 1:
            raise Malformed("entry.out_of_order", seq=line.seq, n=self.seq)
        if self._says_where(line):
            return
        match line.entry:
            case GameEnded() if not (self.laid.chain >= ENDS_ITSELF and self.settled()):
                raise Malformed("entry.no_end", seq=line.seq)
            case StepsUndone(to=to) if not 0 <= to < line.seq:
                raise Malformed("entry.no_way_back", seq=line.seq, n=to)
            case OutcomeRecorded(draw=draw) if draw != self.position().draws:
                raise Malformed("entry.other_draw", seq=line.seq, n=self.position().draws, draw=draw)
            case EndConfirmed(by=by, seat=seat):
                self.may_settle(Actor(by, seat))
            case entry if isinstance(entry, self._only_before_the_end) and self.settled():
                raise Over("core.over")
            case entry if isinstance(entry, STIRS):
                self.stirring.check(line.seq, entry)
            case entry:
                self._check_seats(entry)
        self.not_ended()

    def _check_seats(self, entry: Entry) -> None:
        """Refuses who cannot sit here, and whom nobody asked."""
        match entry:
            case SeatSwitched() | HintsAllowed() | HintAsked() | MovePlayed():
                self.check_of_seat(entry)
            case SeatsChanged():
                check_follows(self.seating, entry, begun=self.begun, by_agreement=self.bid is not None)
            case HostWanted(seat=seat) | HostAgreed(seat=seat):
                self.seating.check_seat(seat)
        if isinstance(entry, HostAgreed | HostStayed) and self.bid is None:
            raise Illegal("core.nobody_asked")

    @property
    def _only_before_the_end(self) -> tuple[type[Entry], ...]:
        ended = self.laid.chain >= ENDS_ITSELF
        return (StepsUndone, TableRestored, *STIRS, *SEATS, *((TableCorrected,) if ended else ()))

    def _says_where(self, line: JournalLine) -> bool:
        """Whether an entry says where the table is kept from then on: so it may also where the game is over."""
        if not self.fits_where_it_is(line.entry):
            raise Malformed("entry.has_left" if self.left else "entry.had_not_left", seq=line.seq)
        return isinstance(line.entry, MOVES)

    def fits_where_it_is(self, entry: Entry) -> bool:
        """Whether an entry may follow as to where the table is kept; a copy of it goes on under a new seal."""
        if self.left is None:
            return not isinstance(entry, TableArrived | TableStayed)
        return isinstance(entry, SealRenewed) or (
            isinstance(entry, TableArrived | TableStayed) and entry.ticket == self.left.ticket
        )

    def not_ended(self) -> None:
        """Refuses what comes after the host has ended the table, or after its end has been written down."""
        if self.closed_at is not None or self.settled_at is not None:
            raise Over("core.over")

    def may_settle(self, actor: Actor) -> None:
        """Refuses a confirmation where there is no end to confirm, or from whoever made the report it hangs on."""
        if not self.over():
            raise Illegal("core.before_the_end")
        hinge = self.hinge()
        if hinge is None:
            raise Over("core.over")
        may_act(actor)
        if not hinge.may_be_confirmed_by(actor):
            raise NotYourTurn("core.own_report")

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
        """The position in which an entry was made."""
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
        """What kind of move was made last, of those that still count."""
        trail = self.position().trail
        while trail is not None and not isinstance(trail.entry, MovePlayed):
            trail = trail.before.trail
        return str(trail.entry.move["type"]) if trail is not None and isinstance(trail.entry, MovePlayed) else None

    @property
    def drawn(self) -> int:
        """How many draws anybody has ever seen, taken back or not."""
        return self.stirring.drawn

    @property
    def stirs(self) -> Sequence[Stir]:
        """What the draws to come are stirred with."""
        return self.stirring.stirs

    def offer(self, actor: Actor, seq: int | None = None) -> TakeBackOffer:
        """What may be taken back at an entry, by this actor: the newest thing that a person did."""
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
        """Whether an entry showed somebody what had fallen, or what another seat had decided in secret, or what nobody
        had seen. What was found out stays: nothing has to be made again."""
        reveals = self._reveals[seq - 1]
        if reveals is None:
            reveals = self._reveals[seq - 1] = self._shows_anything(seq)
        return reveals

    def _shows_anything(self, seq: int) -> bool:
        """The same, worked out."""
        before, entry = self.before(seq), self.written[seq - 1].entry
        match entry:
            case OutcomeRecorded():
                return not (isinstance(before.ask, Chance) and before.ask.hidden)
            case MovePlayed():
                return self.game.reveals(before.state, self._positions[seq].state, entry.seat)
        return False

    def _revealed_since(self, made: Trail | None, at: int) -> bool:
        """Whether anything has been revealed since an entry was made, taken back or not.

        What the table reports does not close the reports before it: whoever made them may put all of them right.
        """
        if made is not None and isinstance(made.entry, MovePlayed) and self.reveals(made.seq):
            return True
        own = made is not None and isinstance(made.entry, OutcomeRecorded)
        closing = (self._draws_at, self._moves_at) if own else (self._draws_at, self._reports_at, self._moves_at)
        since, at_hand = made.seq if made else 0, self.base
        return any(self._one_revealed(numbers, since, at, at_hand) for numbers in closing)

    def _one_revealed(self, numbers: Tail[int], since: int, at: int, at_hand: int) -> bool:
        """Whether one of these entries after one, up to another, was a reveal; those after `at_hand` are at hand."""
        for n in range(numbers.up_to(at) - 1, -1, -1):
            if n < numbers.base and since >= at_hand:
                return False
            if numbers[n] <= since:
                return False
            if self.reveals(numbers[n]):
                return True
        return False

    def _redo(self, actor: Actor, seq: int | None) -> int | None:
        """The entry to go forward to again: for the host always, for a seat after its own step back."""
        at = self.seq if seq is None else seq
        redo = self._redos[at]
        if redo is None:
            return None
        newest = self.written[self.played(at) - 1].entry
        own = isinstance(newest, StepsUndone) and newest.by == "seat" and newest.seat == actor.seat
        return redo.to if actor.role == "host" or (actor.role == "seat" and own) else None


class _Known(Sequence[Position]):
    """Positions of which a few are at hand, by their numbers."""

    def __init__(self, kept: Mapping[int, Position], whole: Callable[[], Sequence[Position]]) -> None:
        self._kept = kept
        self._whole = whole

    def __len__(self) -> int:
        return len(self._whole())

    @overload
    def __getitem__(self, at: int) -> Position: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Position]: ...
    def __getitem__(self, at: int | slice) -> Position | Sequence[Position]:
        known = self._kept.get(at) if isinstance(at, int) else None
        return known or self._whole()[at]


def _redos(redo: Redo | None) -> Iterator[int]:
    """Where to go forward to again, nearest first."""
    while redo is not None:
        yield redo.to
        redo = redo.older


def _ending_reports(trail: Trail | None) -> tuple[Trail, ...]:
    """The reports, one after another by the same hand from the same place, that brought a game to its end."""
    while trail is not None and isinstance(trail.entry, OutcomeRecorded) and trail.entry.by == "companion":
        trail = trail.before.trail
    reports: list[Trail] = []
    while trail is not None and _by_one_hand(trail, reports[-1] if reports else trail):
        reports.append(trail)
        trail = trail.before.trail
    return tuple(reversed(reports))


def _by_one_hand(trail: Trail, newer: Trail) -> bool:
    """Whether an entry and a newer one are reports of the same seat, drawn from the same place."""
    hands = [
        (each.entry.seat, each.before.ask.randomizer)
        for each in (trail, newer)
        if isinstance(each.entry, OutcomeRecorded) and each.entry.by == "table" and isinstance(each.before.ask, Chance)
    ]
    return len(hands) == 2 and hands[0] == hands[1]
