"""One table in play: it checks, journals, and only then shows; it deals, takes back, and puts right."""

from __future__ import annotations

import hashlib
import logging
import re
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Literal, NamedTuple, Self
from weakref import ref

import msgspec

from companion.game import (
    AnyGame,
    Chance,
    Choices,
    Corrected,
    Correction,
    Dealt,
    HintLevel,
    Json,
    Move,
    Outcome,
    Played,
    SeatKind,
    Step,
    Turn,
)
from companion.play.actors import HOST, SPECTATOR, Actor, Bot, hand_of, host_only, is_number, may_act, seat_of
from companion.play.bounds import is_small, takes
from companion.play.chain import Chain, beginning
from companion.play.dealer import SealedDealer
from companion.play.entries import (
    QUIET,
    Departure,
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
    Keys,
    Laid,
    MovePlayed,
    OutcomeRecorded,
    PinchCommitted,
    PinchOpened,
    SeatsChanged,
    SeatSwitched,
    StepsUndone,
    TableClosed,
    TableCorrected,
    ValueTold,
)
from companion.play.history import History
from companion.play.journal import NoJournal, Steps, nothing
from companion.play.laid_game import TOGETHER, seated
from companion.play.members import Members, after
from companion.play.position import Position
from companion.play.replays import check_may_replay
from companion.play.seating import Seating
from companion.play.sitting import PLAYED_FOR, BotNews, SeatEntry, may_allow_hints
from companion.play.snapshots import Snapshot
from companion.play.stirring import LONGEST, promise, who_of
from companion.play.written import Written
from companion.refusals import (
    AsTyped,
    CommitOutcomeUnknown,
    Illegal,
    LostRace,
    Malformed,
    NotYourTurn,
    Over,
    Stale,
    Storage,
    StorageUnavailable,
)

if TYPE_CHECKING:
    from companion.play.view import SharedParts

log = logging.getLogger(__name__)

__all__ = ["HOST", "SPECTATOR", "Actor", "CachedLogLine", "Press", "Table"]

LONGEST_AT_HAND = 1024  # entries of which all is kept that they led to: more than most evenings have
LONGEST_RUN = 10_000  # draws that may follow one press before something is wrong with the game
LONGEST_REQUEST = 100
UNKNOWN = "?"
"""The address of another Digside, where that was lost."""
NOTHING = ""
"""What falls where nothing is to be drawn: the game is asked, and says why not."""

SeatingEntry = SeatsChanged | HostWanted | HostAgreed | HostStayed
Following = tuple[Entry, Position]
"""An entry, and the position it leads to."""


class CachedLogLine(NamedTuple):
    """A line of the log in JSON, and the number of its entry."""

    seq: int
    told: bytes


class LogCursor(NamedTuple):
    """What some eyes have read of the log: the newest lines up to an entry, without those of who stirred."""

    seq: int
    lines: tuple[CachedLogLine, ...]


class Press(NamedTuple):
    """What a press comes to, worked out and not yet made.

    :param seq: the number of the entry it was meant for: it can be made as long as that is the newest.
    :param asked: digest of what was asked with that request id.
    """

    seq: int
    request: str
    asked: str
    steps: tuple[Following, ...]


class Table(History):
    """A table in play. Every call that changes it takes the number of the entry it was meant for, and a request id.

    :param game: the rules, or the toolbox, it is played by.
    :param laid: how it was laid.
    :param journal: where each step is kept before it is shown.
    :param clock: gives milliseconds since 1970, for the log only.
    """

    def __init__(
        self,
        game: AnyGame,
        laid: Laid,
        secret: bytes,
        keys: Keys,
        *,
        journal: Steps,
        clock: Callable[[], int],
        written: Sequence[JournalLine] = (),
        snapshot: Snapshot | None = None,
    ) -> None:
        super().__init__(game, laid, written, snapshot)
        self.dealer = SealedDealer(secret)
        self._chain = Chain(secret) if laid.chain else None
        self._beginning = beginning(laid) if laid.chain else None
        self.keys = keys
        self.next: str | None = None  # the table at which the same people play on
        self.went: Departure | None = None  # what is known of how it left for another Digside, beside its entry
        self.host_silent = False  # whether no device of the host's was heard of late
        self.lock = threading.RLock()
        self._journal = journal
        self._clock = clock
        self.read: dict[int | None, LogCursor] = {}  # by eyes
        self.bot_news: dict[int, BotNews] = {}  # what is to be said of the bots just now, by seat
        self.aids: dict[int | None, tuple[int, bytes]] = {}  # the help that was made last, and at which entry; by eyes
        self.shown: ref[SharedParts] | None = None  # what all are told of the newest entry, while somebody holds it
        self.journal_took = 0.0  # seconds, of the newest step
        self._listeners: list[Callable[[Table, Sequence[JournalLine]], None]] = []
        self._requests = {line.request: line.seq for line in written if line.request is not None}

    @property
    def behind_since(self) -> int | None:
        """Since when it may be further than is known here, as another process may have gone on with it."""
        return self._journal.behind_since()

    @property
    def kept(self) -> bool:
        """Whether it is kept anywhere, and not only shown."""
        return not isinstance(self._journal, NoJournal)

    @property
    def going(self) -> Departure | None:
        """How it has left for another Digside; None where it is here."""
        return self.went or (Departure(self.left.ticket, UNKNOWN, self.left.house) if self.left else None)

    def head(self, seq: int | None = None) -> bytes | None:
        """The newest link of the chain, or that of an earlier entry; none at a table from before there was a chain."""
        at = self.seq if seq is None else seq
        if at == self.base and at:
            return self._link
        return self.written[at - 1].link if at else self._beginning

    def now(self) -> tuple[int, Position]:
        """The number of the newest entry, and the position it led to: whoever works it out holds up no press."""
        with self.lock:
            return self.seq, self.position()

    def moves(self, actor: Actor, seat: int | None = None, at: Position | None = None) -> Choices:
        """Every legal move of those this actor may act for, now or in another position."""
        position = at or self.position()
        ask = position.ask
        if not isinstance(ask, Turn) or actor.role == "spectator":
            return Choices(())
        mine = actor.seat if actor.role == "seat" else seat
        for asked in ask.seats:
            if mine is None or mine == asked:
                return self.game.moves(position.state, asked)
        return Choices(())

    def play(self, actor: Actor, seq: int, request: str, move: object, *, seat: int | None = None) -> int:
        """A seat makes a move; whatever the companion then deals by itself follows in the same breath.

        :returns: the number of the newest entry; the one answered before, where the request was answered before.
        """
        return self._do(
            request,
            ("move", actor, seq, move, seat),
            lambda: self._check_move(actor, seq, move, seat),
            lambda: self._moved(actor, seq, move, seat),
        )

    def prepare(self, actor: Actor, seq: int, request: str, move: object, *, seat: int | None = None) -> Press:
        """What `play` would come to, and refused as it would be: for a move that something else must come before."""
        asked = self.asked(actor, seq, request, move, seat=seat)
        with self.lock:
            self.check_here()
            self._check_move(actor, seq, move, seat)
            return Press(self.seq, request, asked, tuple(self._moved(actor, seq, move, seat)))

    def asked(self, actor: Actor, seq: int, request: str, move: object, *, seat: int | None = None) -> str:
        """What marks a press of `play`, by which the same request is known when it comes again."""
        return _digest(request, ("move", actor, seq, move, seat))

    def again(self, press: Press) -> Press:
        """A move that was prepared, worked out anew as the table is by now; refused where it has become illegal."""
        with self.lock:
            entry, _ = press.steps[0]
            if not isinstance(entry, MovePlayed):
                raise TypeError("only a move is prepared")
            return press._replace(seq=self.seq, steps=tuple(self._made(entry, self.step_of(entry))))

    def preview(self, press: Press) -> tuple[object, ...]:
        """A fingerprint of a prepared move: a pending lift is cancelled when it changes."""
        entry, after = press.steps[0]
        if not isinstance(entry, MovePlayed) or after.trail is None:
            raise TypeError("only a move is prepared")
        ask = after.ask
        told = self.game.tells(after.trail.before.state, self.step_of(entry), entry.seat)
        return told, ask.question if isinstance(ask, Chance) else None

    def make(self, press: Press) -> int:
        """Make what was prepared, once.

        :returns: the number of the newest entry; the one answered before, where the request was answered before.
        """
        with self.lock:
            known = self._answer_to(press.request, press.asked)
            if known is not None:
                return known
            if press.seq != self.seq:
                raise Stale("core.stale")
            return self._keep(press)

    def answered(self, request: str) -> bool:
        """Whether a request has been answered before."""
        return self._known(request, anywhere=self.base > 0) is not None

    def begin(self) -> None:
        """Deal what comes before the first move; in pace "press", and where the table draws, it waits for a hand."""
        ask = self.ask()
        if self.setup.pace == "flow" and isinstance(ask, Chance) and self.setup.source(ask.randomizer) == "companion":
            with suppress(Storage):  # the table is laid, and waits for a press instead
                self.answer(HOST, self.seq, f"begin {self.id}", None)

    def answer(self, actor: Actor, seq: int, request: str, outcome: Outcome | Sequence[Outcome] | None) -> int:
        """Somebody presses for the companion's draw (`outcome` is None), or reports what the table shows.

        What falls in one throw may be reported at once: one outcome after another, all or none.
        """
        several = [outcome] if isinstance(outcome, str) or not isinstance(outcome, Sequence) else [*outcome]
        if not several or (outcome is not None and not all(map(_is_outcome, several))):
            raise Malformed("core.not_an_outcome")
        return self._do(
            request, ("outcome", actor, seq, outcome), lambda: self.check(seq), lambda: self._fallen(actor, several)
        )

    def take_back(self, actor: Actor, seq: int, request: str, to: int | None = None) -> int:
        """Go back to before the last thing a person did; the host, to any earlier entry. Or forward again."""

        def steps() -> list[Following]:
            may_act(actor)
            offer = self.offer(actor)
            target = offer.to if to is None else to
            if target is not None and target == offer.redo:
                return [(StepsUndone(actor.signs, target, actor.seat, again=True), self.position(target))]
            if target is None or not offer.open:
                raise Illegal(offer.why or "undo.nothing")
            if not is_number(target) or not 0 <= target < self.seq:
                raise Malformed("undo.no_such_step")
            if actor.role != "host" and target != offer.to:
                raise Illegal("undo.host_only")
            return [(StepsUndone(actor.signs, target, actor.seat), self.position(target))]

        return self._do(request, ("undo", actor, seq, to), lambda: self.check(seq), steps)

    def commit(self, actor: Actor, seq: int, request: str, commit: str) -> int:
        """Promise a pinch for the luck of an older table; what is told of it is its `promise`."""
        return self._stir(
            actor, seq, request, ("commit", commit), PinchCommitted(actor.signs, _digits(commit), actor.stirs_as)
        )

    def open(self, actor: Actor, seq: int, request: str, pinch: str) -> int:
        """Tell the pinch that was promised at an older table. From the first that is told on, nobody else joins."""
        if not isinstance(pinch, str) or not 0 < len(pinch) <= LONGEST:
            raise Malformed("core.bad_pinch")
        return self._stir(actor, seq, request, ("open", pinch), PinchOpened(actor.signs, pinch, actor.stirs_as))

    def join(
        self, actor: Actor, seq: int, request: str, tip: str, *, part: str | None = None, instead: bool = False
    ) -> int:
        """A device stirs from now on; with its next value where it does already.

        :param instead: whether it takes the place of another of the same name that does.
        """
        entry = DeviceJoined(actor.signs, _digits(tip), actor.stirs_as, None if part is None else _digits(part))

        def check() -> None:
            members = self.stirring
            if isinstance(members, Members) and members.member(who_of(entry)) and not (instead or part):
                raise Illegal("stir.taken")

        return self._stir(actor, seq, request, ("join", tip, part, instead), entry, check)

    def tell(self, actor: Actor, seq: int, request: str, part: str) -> int:
        """A device that stirs tells its next value, as somebody has joined."""
        return self._stir(actor, seq, request, ("tell", part), ValueTold(actor.signs, _digits(part), actor.stirs_as))

    def stir(self, actor: Actor, seq: int, request: str, pinch: str) -> int:
        """Stir by hand, with whatever somebody thinks of: in the place of a device of theirs that did."""
        if self.laid.luck >= TOGETHER:
            return self.join(actor, seq, request, after(str(pinch)), instead=True)
        who = "host" if actor.stirs_as is None else str(actor.stirs_as)
        self.commit(actor, seq, f"{request} promised", promise(who, str(pinch)))
        return self.open(actor, seq, request, pinch)

    def _stir(
        self,
        actor: Actor,
        seq: int,
        request: str,
        asked: tuple[object, ...],
        entry: PinchCommitted | PinchOpened | DeviceJoined | ValueTold,
        check: Callable[[], None] = nothing,
    ) -> int:
        """Stir. It is never too late for that, whatever has been made since."""

        def steps() -> list[Following]:
            if self.settled():
                raise Over("core.over")
            may_act(actor)
            check()
            self.stirring.check(self.seq + 1, entry)
            return [(entry, self.position())]

        kind, *said = asked
        return self._do(request, (kind, actor, seq, *said), None, steps)

    def correct(self, actor: Actor, seq: int, request: str, correction: object) -> int:
        """The host says that the table shows otherwise."""

        def steps() -> list[Following]:
            host_only(actor)
            position = self._still_open()
            mended = self.read_correction(correction)
            return [self._next(position, Corrected(mended), TableCorrected(_plain(mended)))]

        return self._do(request, ("correct", actor, seq, correction), lambda: self.check(seq), steps)

    def close(self, actor: Actor, seq: int, request: str) -> int:
        """The host ends the table as it stands, and the seal is opened. An end that hangs on a report is confirmed."""

        def steps() -> list[Following]:
            host_only(actor)
            if self.settled():
                raise Over("core.over")
            if self.over():
                return [(EndConfirmed(actor.signs), self.position())]
            return [(TableClosed(), self.position().closed())]

        return self._do(request, ("close", actor, seq), lambda: self.check(seq), steps)

    def settle(self, actor: Actor, seq: int, request: str) -> int:
        """Say that the report is right on which the end hangs: then the end is final."""

        def steps() -> list[Following]:
            self.may_settle(actor)
            return [(EndConfirmed(actor.signs, actor.seat), self.position())]

        return self._do(request, ("settle", actor, seq), lambda: self.check(seq), steps)

    def switch(self, actor: Actor, request: str, of: int, to: SeatKind) -> int:
        """Say who plays for a seat from now on. It is never too late for that, whatever has been made since."""
        return self._sit(actor, request, SeatSwitched(actor.signs, of, to, actor.seat))

    def allow_hints(self, actor: Actor, request: str, of: int, hints: HintLevel) -> int:
        """The host says how often a seat may ask for a hint."""
        may_allow_hints(actor)
        return self._sit(actor, request, HintsAllowed(of, hints))

    def ask_hint(self, actor: Actor, seq: int, request: str, seat: int) -> int:
        """Note that a seat that is asked wants to know what a bot would do.

        :raises NotYourTurn: where it is not asked.
        """

        def check() -> None:
            self.check(seq)
            ask = self.ask()
            if not isinstance(ask, Turn) or seat_of(actor, seat, ask.seats) not in ask.seats:
                raise NotYourTurn("hint.not_your_turn")

        return self._sit(actor, request, HintAsked(actor.signs, seat), check)

    def _sit(self, actor: Actor, request: str, entry: SeatEntry, check: Callable[[], None] | None = None) -> int:
        """Make an entry about a seat."""

        def steps() -> list[Following]:
            if self.settled():
                raise Over("core.over")
            self.check_of_seat(entry)
            return [(entry, self.position())]

        return self._do(request, ("sit", actor, entry), check, steps)

    def seat(self, request: str, asked: object, entry: Callable[[], SeatingEntry]) -> int:
        """Have others sit here, or another be the host. What was pressed meanwhile still means the same.

        :param entry: works out what becomes of the seats as they are then; what it raises changes nothing.
        """

        def steps() -> list[Following]:
            if self.settled():
                raise Over("core.over")
            made = entry()
            self._check_seats(made)
            if isinstance(made, SeatsChanged):
                seated(self.laid, self.seating.followed(made).plain)
            return [(made, self.position())]

        return self._do(request, asked, None, steps)

    def _reseat(self, seating: Seating) -> None:
        super()._reseat(seating)
        self.read, self.aids = {}, {}  # they call people by their names

    def listen(self, heard: Callable[[Table, Sequence[JournalLine]], None]) -> Callable[[], None]:
        """Call `heard` with the new entries after each step, under the table's lock; the answer ends it."""
        self._listeners.append(heard)

        def deaf() -> None:
            if heard in self._listeners:
                self._listeners.remove(heard)

        return deaf

    def check_here(self) -> None:
        """Refuse once it has left for another Digside."""
        if (going := self.going) is not None:
            raise going.refusal(self.id)

    def _still_open(self) -> Position:
        """Where the table stands, unless it has ended for good: then no game is asked any more."""
        self.not_ended()
        return self.position()

    def check(self, seq: int) -> None:
        """Refuse what was meant for the table as it was: nothing has been made since, but what is quiet."""
        if not is_number(seq):
            raise Malformed("core.bad_seq")
        if seq > self.seq:
            self.catch_up()  # another process made it, whose notice is under way
        if not self.played() <= seq <= self.seq:
            raise Stale("core.stale")

    def _check_move(self, actor: Actor, seq: int, move: object, seat: int | None) -> None:
        """Refuse a move that was meant for the table as it was, unless it means the same at the table as it is."""
        try:
            self.check(seq)
        except Stale:
            if not self._counts_still(actor, seq, move, seat):
                raise

    def _counts_still(self, actor: Actor, seq: int, move: object, seat: int | None) -> bool:
        """Whether a move that was meant for an earlier entry may be made now.

        Several seats were asked, and its own still is; since then only others have moved, and what it depends on is as
        it was.
        """
        if not self.base <= seq < self.seq:
            return False
        then, now = self.position(seq), self.position()
        if not isinstance(then.ask, Turn) or not isinstance(now.ask, Turn) or len(then.ask.seats) < 2:
            return False
        if not self.begun:  # seats were added, or left
            return False
        who = seat_of(actor, seat, then.ask.seats)
        if who not in then.ask.seats or who not in now.ask.seats:
            return False
        since = (line.entry for line in self.written[seq:])
        if not all(
            isinstance(each, (*QUIET, OutcomeRecorded)) or (isinstance(each, MovePlayed) and each.seat != who)
            for each in since
        ):
            return False
        made, depends_on = self.read_move(move), self.game.depends_on
        return depends_on(then.state, who, made) == depends_on(now.state, who, made)

    def _moved(self, actor: Actor, seq: int, move: object, seat: int | None) -> list[Following]:
        """A move that was meant for an entry: for whom is clear from what was asked then."""
        self._still_open()
        ask = self.ask(seq)
        who = seat_of(actor, seat, ask.seats if isinstance(ask, Turn) else (0,))
        made, by = self.read_move(move), self._hand_that_moves(actor)
        return self._made(MovePlayed(by, who, _plain(made)), Played(who, made))

    def _hand_that_moves(self, actor: Actor) -> Literal["host", "seat", "bot"]:
        """By whose hand a move is made. A bot makes none at a seat whose person has come back meanwhile."""
        if not isinstance(actor, Bot):
            return actor.signs
        if self.kinds[actor.seat or 0] not in PLAYED_FOR:
            raise NotYourTurn("core.not_your_seat")
        return "bot"

    def _made(self, entry: MovePlayed, step: Step) -> list[Following]:
        """A move, and what follows from it. Whether it is a seat's turn, and by which rule, is the game's to say."""
        return self._flow([self._next(self._still_open(), step, entry)])

    def _fallen(self, actor: Actor, outcomes: Sequence[Outcome | None]) -> list[Following]:
        position = self._still_open()
        ask = position.ask
        if not isinstance(ask, Chance):
            may_act(actor)
            return [self._next(position, Dealt(NOTHING), OutcomeRecorded("table", NOTHING, position.draws))]
        if outcomes[0] is None:
            return self._flow([self._dealt(position, ask, hand_of(actor, ask, self.kinds))])
        randomizer, steps = ask.randomizer, list[Following]()
        for outcome in outcomes:
            ask = position.ask
            if outcome is None or not isinstance(ask, Chance) or ask.randomizer != randomizer:
                raise Illegal("core.too_many_outcomes", n=len(steps))
            steps.append(self._reported(position, ask, hand_of(actor, ask, self.kinds), outcome, ahead=len(steps)))
            _, position = steps[-1]
        return self._flow(steps)

    def _reported(
        self, position: Position, chance: Chance, seat: int | None, outcome: Outcome, ahead: int
    ) -> Following:
        """What the table shows."""
        if self.setup.source(chance.randomizer) != "table":
            raise Illegal("core.companion_draws")
        return self._next(position, Dealt(outcome), OutcomeRecorded("table", outcome, position.draws, seat), ahead)

    def _dealt(self, position: Position, chance: Chance, seat: int | None = None, ahead: int = 0) -> Following:
        """A draw of the companion's, with so many entries `ahead` of it that are not made yet."""
        if self.setup.source(chance.randomizer) != "companion":
            raise Illegal("core.table_draws")
        outcome = self.dealer.deal(position.draws, chance, self.stirs)
        return self._next(position, Dealt(outcome), OutcomeRecorded("companion", outcome, position.draws, seat), ahead)

    def _flow(self, made: list[Following]) -> list[Following]:
        """Steps and all that follows from them without anybody's hand."""
        steps = [*made]
        while len(steps) < LONGEST_RUN:
            _, position = steps[-1]
            ask = position.ask
            if not isinstance(ask, Chance) or self.setup.source(ask.randomizer) != "companion":
                return steps
            if ask.pressed and self.setup.pace == "press":
                return steps
            steps.append(self._dealt(position, ask, ahead=len(steps)))
        raise RuntimeError(f"{self.setup.box}: a run of draws does not end")

    def _next(
        self, position: Position, step: Step, entry: MovePlayed | OutcomeRecorded | TableCorrected, ahead: int = 0
    ) -> Following:
        """An entry to be made, and where it leads; with so many others `ahead` of it."""
        return entry, position.stepped(step, self.seq + ahead + 1, entry)

    def _do(
        self, request: str, asked: object, check: Callable[[], None] | None, steps: Callable[[], list[Following]]
    ) -> int:
        """Answer a request once: work out what it comes to, and make it.

        :param check: refuses where it is too late for it; None where it never is.
        """
        digest = _digest(request, asked)
        with self.lock:
            known = self._answer_to(request, digest, anywhere=check is None and self.base > 0)
            while known is None:
                before = self.seq
                try:
                    known = self._done(request, digest, check, steps)
                except LostRace:  # another process was first: now it is looked again
                    if self.seq == before:
                        raise
            return known

    def _done(
        self, request: str, digest: str, check: Callable[[], None] | None, steps: Callable[[], list[Following]]
    ) -> int:
        """Make what a request comes to, as the table is known here."""
        self.check_here()
        try:
            if check is not None:
                check()
        except Stale:  # it may have been answered long ago, or by another process just now
            known = self._answer_to(request, digest, anywhere=True)
            if known is None:
                raise
            return known
        return self._keep(Press(self.seq, request, digest, tuple(steps())))

    def _answer_to(self, request: str, digest: str, *, anywhere: bool = False) -> int | None:
        """What was answered to a request before.

        :param anywhere: it may have been long ago, or by another process; the journal knows.
        """
        known = self._known(request, anywhere=anywhere)
        if known is None:
            return None
        seq, asked = known
        if asked != digest:
            raise Malformed("core.request_reused")
        return seq

    def _known(self, request: str, *, anywhere: bool) -> tuple[int, str | None] | None:
        """The entry that a request made, and what was asked with it."""
        seq = self._requests.get(request)
        if seq is not None:
            return seq, self.written[seq - 1].asked
        found = self._journal.answered(self.id, request) if anywhere else None
        if found is not None and found[0] > self.seq:
            self.catch_up()
        return found

    def all_written(self) -> Sequence[JournalLine]:
        """All its entries; those before a snapshot are read, and from then on at hand.

        :raises Storage: where one of them is damaged.
        """
        if not self.written.base:
            return self.written
        check_may_replay(self.id)
        with self.lock:
            lines = self._journal.entries(self.id)[: self.seq]
            sound = len(lines) if self._chain is None else self._chain.sound(self.laid, lines)
            if sound < self.seq:
                raise Storage("core.table_damaged", table=self.id).because(Malformed("entry.other_link", seq=sound + 1))
            written = Written()
            for line in lines:
                written.append(line)
            while written.pack() is not None:
                pass
            self.written = written
            return written

    def _whole(self) -> History:
        check_may_replay(self.id)
        with self.lock:
            return super()._whole()

    def _keep(self, press: Press) -> int:
        """Journal, then be so, then tell: a journal that refuses leaves everything as it was."""
        self.check_here()
        press = self._with_its_end(press)
        lines = self._lines(press)
        for line in lines:
            if not takes(line.seq, line.entry):
                raise Illegal("core.table_full", table=AsTyped(self.id), n=self.seq)
            if not is_small(line.entry):
                raise Malformed("core.record_too_much")
        began = time.perf_counter()
        try:
            self._journal.append(self.id, lines)
        except LostRace:
            try:
                self.catch_up()
            except StorageUnavailable as away:  # the number is taken, perhaps by this very press
                raise CommitOutcomeUnknown("core.database_perhaps") from away
            known = self._answer_to(press.request, press.asked, anywhere=True)
            if known is None:
                raise
            return known
        self.journal_took = time.perf_counter() - began
        self._apply(press, lines)
        self._requests[press.request] = self.seq
        for heard in tuple(self._listeners):
            heard(self, lines)
        self._journal.acknowledge(self.id, lines[-1])  # nobody waits any more
        self.pack()
        if self.seq - max(self.base, self._recalled_at) > LONGEST_AT_HAND:
            self.shorten(LONGEST_AT_HAND // 2)
            self._requests = {request: seq for request, seq in self._requests.items() if seq > self.base}
        return self.seq

    def _with_its_end(self, press: Press) -> Press:
        """A press with the entry that says that the game is over for good, where it is by that."""
        entry, position = press.steps[-1]
        if isinstance(entry, MovePlayed | OutcomeRecorded | TableCorrected) and self.ends_by_itself(position):
            return press._replace(steps=(*press.steps, (GameEnded(), position)))
        return press

    def note(self, entry: Entry, keep: Callable[[JournalLine], None]) -> JournalLine:
        """Add an entry that comes from nobody's press, and tell of it.

        :param keep: keeps it, safe from power loss when it returns; what it raises leaves the table as it was.
        """
        with self.lock:
            (line,) = self._linked([JournalLine(self.seq + 1, self._time(), entry)])
            keep(line)
            self.follow(line)
            for heard in tuple(self._listeners):
                heard(self, [line])
            self._journal.acknowledge(self.id, line)
            return line

    def _apply(self, press: Press, lines: Sequence[JournalLine]) -> None:
        for line, (_, position) in zip(lines, press.steps, strict=True):
            self._advance(line, position)

    def fork(self) -> Self:
        twin = super().fork()
        twin.read, twin.aids, twin.shown = self.read.copy(), {}, None
        return twin

    def catch_up(self) -> None:
        """Follow what another process has made here, and tell of it whoever listens.

        :raises Storage: where that cannot be read, or is not as it was written.
        """
        with self.lock:
            lines = self._journal.entries(self.id, after=self.seq)
            for line in lines:
                before = self.head()
                if self._chain is not None and before is not None and self._chain.link(before, line) != line.link:
                    raise Storage("core.table_damaged", table=self.id).because(
                        Malformed("entry.other_link", seq=line.seq)
                    )
                self.follow(line)
                if line.request is not None:
                    self._requests[line.request] = line.seq
            if lines:
                for heard in tuple(self._listeners):
                    heard(self, lines)

    def _lines(self, press: Press) -> list[JournalLine]:
        now = self._time()
        lines = [JournalLine(self.seq + n, now, entry) for n, (entry, _) in enumerate(press.steps, 1)]
        lines[-1] = msgspec.structs.replace(lines[-1], request=press.request, asked=press.asked)
        return self._linked(lines)

    def _time(self) -> int:
        """When the next entry is made: never before the one that it follows, though a clock may be put back."""
        return max(self._clock(), self.written[-1].at if self.written else self.laid.at)

    def _linked(self, lines: list[JournalLine]) -> list[JournalLine]:
        head = self.head()
        return lines if self._chain is None or head is None else self._chain.linked(head, lines)


def _digest(request: str, asked: object) -> str:
    """What was asked with a request id, in short."""
    if not isinstance(request, str) or not 0 < len(request) <= LONGEST_REQUEST or "\0" in request:
        raise Malformed("core.bad_request_id")
    return hashlib.sha256(msgspec.json.encode(asked)).hexdigest()[:16]


def _digits(given: object) -> str:
    """A SHA-256 in hexadecimal digits."""
    if not isinstance(given, str) or not re.fullmatch("[0-9a-f]{64}", given):
        raise Malformed("core.bad_pinch")
    return given


def _is_outcome(outcome: object) -> bool:
    return isinstance(outcome, str) or is_number(outcome)


def _plain(made: Move | Correction) -> dict[str, Json]:
    plain: dict[str, Json] = msgspec.to_builtins(made)
    return plain
