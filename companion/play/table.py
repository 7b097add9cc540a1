"""A table in play: checks each request, keeps what follows from it in the journal, and only then tells of it."""

from __future__ import annotations

import hashlib
import logging
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
    Json,
    Move,
    Outcome,
    Played,
    Step,
    Turn,
)
from companion.play.actors import HOST, SPECTATOR, Actor, Bot, hand_of, host_only, is_number, may_act, seat_of
from companion.play.anytime_requests import AnytimeRequests
from companion.play.bounds import is_small, takes
from companion.play.chain import Chain, beginning
from companion.play.dealer import SealedDealer
from companion.play.entries import (
    QUIET,
    Departure,
    EndConfirmed,
    Entry,
    GameEnded,
    JournalLine,
    Keys,
    Laid,
    MovePlayed,
    OutcomeRecorded,
    StepsUndone,
    TableClosed,
    TableCorrected,
)
from companion.play.entry_checks import check_confirmation
from companion.play.journal import NoJournal, Steps
from companion.play.position import Following, Position
from companion.play.replays import check_may_replay
from companion.play.seating import Seating
from companion.play.sitting import PLAYED_FOR, BotNews
from companion.play.snapshots import Snapshot
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

LONGEST_AT_HAND = 1024  # entries whose positions are kept in memory: more than most evenings have
LONGEST_RUN = 10_000  # draws that may follow one press; more are a fault of the game
LONGEST_REQUEST = 100
UNKNOWN = "?"
"""The address of another Digside, where it was lost."""
NOTHING = ""
"""An outcome reported where nothing is to be drawn: the game refuses it, and says why."""


class CachedLogLine(NamedTuple):
    """A line of the log in JSON, and the number of its entry."""

    seq: int
    json: bytes


class LogCursor(NamedTuple):
    """The newest lines of the log up to an entry, as one viewer reads them, without those about stirring."""

    seq: int
    lines: tuple[CachedLogLine, ...]


class Press(NamedTuple):
    """A press and the entries that it leads to, not yet made.

    :param seq: the newest entry when this was worked out; it can be made as long as that is the newest.
    :param digest: of what was asked with that request id.
    """

    seq: int
    request: str
    digest: str
    steps: tuple[Following, ...]


class Table(AnytimeRequests):
    """A table in play. Every request has an id and is answered once; most name the entry they were meant for, and are
    refused as stale where something else was made since.

    :param game: the rules, or the toolbox, it is played by.
    :param laid: how it was laid.
    :param journal: keeps each step before it is shown.
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
        self.went: Departure | None = None  # how it left for another Digside, beside its entry
        self.host_silent = False  # whether no device of the host's was heard lately
        self.lock = threading.RLock()
        self._journal = journal
        self._clock = clock
        self.read: dict[int | None, LogCursor] = {}  # by viewer
        self.bot_news: dict[int, BotNews] = {}  # by seat
        self.aids: dict[int | None, tuple[int, bytes]] = {}  # by viewer: the newest help, and at which entry
        self.shown: ref[SharedParts] | None = None  # the parts of the newest view that are the same for all
        self.journal_took = 0.0  # seconds, for the newest step
        self._listeners: list[Callable[[Table, Sequence[JournalLine]], None]] = []
        self._requests = {line.request: line.seq for line in written if line.request is not None}

    @property
    def behind_since(self) -> int | None:
        """Since when other processes may have made steps that are not known here; None where all are known."""
        return self._journal.behind_since()

    @property
    def kept(self) -> bool:
        """Whether it is in a journal, and not only shown."""
        return not isinstance(self._journal, NoJournal)

    @property
    def going(self) -> Departure | None:
        """How it has left for another Digside; None where it is here."""
        return self.went or (Departure(self.left.ticket, UNKNOWN, self.left.house) if self.left else None)

    def head(self, seq: int | None = None) -> bytes | None:
        """The newest link of the chain, or that of an earlier entry; None at a table from before there was a chain."""
        at = self.seq if seq is None else seq
        if at == self.base and at:
            return self._link
        return self.written[at - 1].link if at else self._beginning

    def now(self) -> tuple[int, Position]:
        """The newest entry's number and position; to compute its state, the table need not stay locked."""
        with self.lock:
            return self.seq, self.position()

    def moves(self, actor: Actor, seat: int | None = None, at: Position | None = None) -> Choices:
        """Every legal move of the seat that an actor may act for, now or in another position."""
        position = at or self.position()
        ask = position.ask
        if not isinstance(ask, Turn) or actor.role == "spectator":
            return Choices(())
        mine = actor.seat if actor.role == "seat" else seat
        for each in ask.seats:
            if mine is None or mine == each:
                return self.game.moves(position.state, each)
        return Choices(())

    def play(self, actor: Actor, seq: int, request: str, move: object, *, seat: int | None = None) -> int:
        """A seat makes a move; the draws that follow without anybody's press are made with it.

        :returns: the number of the newest entry; the one answered before, where the request was answered before.
        """
        return self._do(
            request,
            ("move", actor, seq, move, seat),
            lambda: self._check_move(actor, seq, move, seat),
            lambda: self._moved(actor, seq, move, seat),
        )

    def prepare(self, actor: Actor, seq: int, request: str, move: object, *, seat: int | None = None) -> Press:
        """Work out what `play` would do, or refuse as it would: for a move that has to wait, as for the shovel."""
        digest = self.digest_of(actor, seq, request, move, seat=seat)
        with self.lock:
            self.check_here()
            self._check_move(actor, seq, move, seat)
            return Press(self.seq, request, digest, tuple(self._moved(actor, seq, move, seat)))

    def digest_of(self, actor: Actor, seq: int, request: str, move: object, *, seat: int | None = None) -> str:
        """The digest of a request to `play`: when the same id comes again, it tells whether the move is the same."""
        return _digest(request, ("move", actor, seq, move, seat))

    def again(self, press: Press) -> Press:
        """Work out a prepared move anew, as the table is by now; refused where it has become illegal."""
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
        facts = self.game.tells(after.trail.before.state, self.step_of(entry), entry.seat)
        return facts, ask.question if isinstance(ask, Chance) else None

    def make(self, press: Press) -> int:
        """Make a prepared press, once.

        :returns: the number of the newest entry; the one answered before, where the request was answered before.
        """
        with self.lock:
            known = self._answer_to(press.request, press.digest)
            if known is not None:
                return known
            if press.seq != self.seq:
                raise Stale("core.stale")
            return self._keep(press)

    def answered(self, request: str) -> bool:
        """Whether a request has been answered before."""
        return self._known(request, anywhere=self.base > 0) is not None

    def begin(self) -> None:
        """Make the draws before the first move; not in pace "press", nor where people draw themselves."""
        ask = self.ask()
        if self.setup.pace == "flow" and isinstance(ask, Chance) and self.setup.source(ask.randomizer) == "companion":
            with suppress(Storage):  # the table is laid all the same, and waits for a press
                self.answer(HOST, self.seq, f"begin {self.id}", None)

    def answer(self, actor: Actor, seq: int, request: str, outcome: Outcome | Sequence[Outcome] | None) -> int:
        """Have the companion draw (`outcome` is None), or report what was drawn at the table.

        The outcomes of one throw may be reported together, one after another: all or none of them count.
        """
        several = [outcome] if isinstance(outcome, str) or not isinstance(outcome, Sequence) else [*outcome]
        if not several or (outcome is not None and not all(map(_is_outcome, several))):
            raise Malformed("core.not_an_outcome")
        return self._do(
            request, ("outcome", actor, seq, outcome), lambda: self.check(seq), lambda: self._drawn(actor, several)
        )

    def take_back(self, actor: Actor, seq: int, request: str, to: int | None = None) -> int:
        """Undo the last thing a person did, or redo it. The host may go back to any earlier entry."""

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

    def correct(self, actor: Actor, seq: int, request: str, correction: object) -> int:
        """The host corrects what lies on the table."""

        def steps() -> list[Following]:
            host_only(actor)
            position = self._still_open()
            made = self.read_correction(correction)
            return [self._next(position, Corrected(made), TableCorrected(_plain(made)))]

        return self._do(request, ("correct", actor, seq, correction), lambda: self.check(seq), steps)

    def end(self, actor: Actor, seq: int, request: str) -> int:
        """The host ends the game as it stands, or confirms an end that waits for that. The seal is opened."""

        def steps() -> list[Following]:
            host_only(actor)
            if self.settled():
                raise Over("core.over")
            if self.over():
                return [(EndConfirmed(actor.signs), self.position())]
            return [(TableClosed(), self.position().closed())]

        return self._do(request, ("close", actor, seq), lambda: self.check(seq), steps)

    def settle(self, actor: Actor, seq: int, request: str) -> int:
        """Confirm the reports that ended the game: then the end is final."""

        def steps() -> list[Following]:
            check_confirmation(self, actor)
            return [(EndConfirmed(actor.signs, actor.seat), self.position())]

        return self._do(request, ("settle", actor, seq), lambda: self.check(seq), steps)

    def _reseat(self, seating: Seating) -> None:
        super()._reseat(seating)
        self.read, self.aids = {}, {}  # they contain names

    def listen(self, listener: Callable[[Table, Sequence[JournalLine]], None]) -> Callable[[], None]:
        """Call `listener` with the new entries after each step, under the table's lock. Returns what ends that."""
        self._listeners.append(listener)

        def stop() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return stop

    def _tell(self, lines: Sequence[JournalLine]) -> None:
        for listener in tuple(self._listeners):
            listener(self, lines)

    def check_here(self) -> None:
        """Refuse once it has left for another Digside."""
        if (going := self.going) is not None:
            raise going.refusal(self.id)

    def _still_open(self) -> Position:
        """The newest position; refused once the game has ended for good."""
        self.not_ended()
        return self.position()

    def check(self, seq: int) -> None:
        """Refuse what was meant for an entry after which anything but quiet entries was made."""
        if not is_number(seq):
            raise Malformed("core.bad_seq")
        if seq > self.seq:
            self.catch_up()  # another process made it, and its notice has not arrived yet
        if not self.played() <= seq <= self.seq:
            raise Stale("core.stale")

    def _check_move(self, actor: Actor, seq: int, move: object, seat: int | None) -> None:
        """Refuse a stale move, unless what was made since does not matter to it."""
        try:
            self.check(seq)
        except Stale:
            if not self._counts_still(actor, seq, move, seat):
                raise

    def _counts_still(self, actor: Actor, seq: int, move: object, seat: int | None) -> bool:
        """Whether a move that was meant for an earlier entry may be made now.

        It may where several seats were to move and its own still is, only others have moved since, and what it depends
        on has not changed.
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
        """The entries of a move. For which seat it is follows from the entry it was meant for."""
        self._still_open()
        ask = self.ask(seq)
        who = seat_of(actor, seat, ask.seats if isinstance(ask, Turn) else (0,))
        made, by = self.read_move(move), self._hand_that_moves(actor)
        return self._made(MovePlayed(by, who, _plain(made)), Played(who, made))

    def _hand_that_moves(self, actor: Actor) -> Literal["host", "seat", "bot"]:
        """Who is noted as making a move. A bot makes none for a seat whose person has come back meanwhile."""
        if not isinstance(actor, Bot):
            return actor.signs
        if self.kinds[actor.seat or 0] not in PLAYED_FOR:
            raise NotYourTurn("core.not_your_seat")
        return "bot"

    def _made(self, entry: MovePlayed, step: Step) -> list[Following]:
        """A move, and the draws that follow. The game says whether it is that seat's turn."""
        return self._flow([self._next(self._still_open(), step, entry)])

    def _drawn(self, actor: Actor, outcomes: Sequence[Outcome | None]) -> list[Following]:
        """Draws: the companion's, or reported ones; and the draws that follow."""
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
        """An outcome that was drawn at the table."""
        if self.setup.source(chance.randomizer) != "table":
            raise Illegal("core.companion_draws")
        return self._next(position, Dealt(outcome), OutcomeRecorded("table", outcome, position.draws, seat), ahead)

    def _dealt(self, position: Position, chance: Chance, seat: int | None = None, ahead: int = 0) -> Following:
        """A draw by the companion, with so many entries `ahead` of it that are not made yet."""
        if self.setup.source(chance.randomizer) != "companion":
            raise Illegal("core.table_draws")
        outcome = self.dealer.deal(position.draws, chance, self.stirs)
        return self._next(position, Dealt(outcome), OutcomeRecorded("companion", outcome, position.draws, seat), ahead)

    def _flow(self, made: list[Following]) -> list[Following]:
        """Steps, and the draws that follow without anybody's press."""
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
        """An entry to be made, with so many others `ahead` of it, and the position it leads to."""
        return entry, position.stepped(step, self.seq + ahead + 1, entry)

    def _do(
        self, request: str, content: object, check: Callable[[], None] | None, steps: Callable[[], list[Following]]
    ) -> int:
        """Answer a request once: work out the entries that it leads to, and make them.

        :param content: what is asked; the same request id with other content is refused.
        :param check: refuses the request where it is stale; None where it never is.
        """
        digest = _digest(request, content)
        with self.lock:
            known = self._answer_to(request, digest, anywhere=check is None and self.base > 0)
            while known is None:
                before = self.seq
                try:
                    known = self._done(request, digest, check, steps)
                except LostRace:  # another process was first: try again with what it made
                    if self.seq == before:
                        raise
            return known

    def _done(
        self, request: str, digest: str, check: Callable[[], None] | None, steps: Callable[[], list[Following]]
    ) -> int:
        """Make the entries of a request, as far as this process knows the table."""
        self.check_here()
        try:
            if check is not None:
                check()
        except Stale:  # answered long ago perhaps, or by another process just now
            known = self._answer_to(request, digest, anywhere=True)
            if known is None:
                raise
            return known
        return self._keep(Press(self.seq, request, digest, tuple(steps())))

    def _answer_to(self, request: str, digest: str, *, anywhere: bool = False) -> int | None:
        """The answer to a request that was answered before; None where it was not.

        :param anywhere: also look in the journal, as it may be long ago, or by another process.
        """
        known = self._known(request, anywhere=anywhere)
        if known is None:
            return None
        seq, known_digest = known
        if known_digest != digest:
            raise Malformed("core.request_reused")
        return seq

    def _known(self, request: str, *, anywhere: bool) -> tuple[int, str | None] | None:
        """The entry that a request made, and the digest of what was asked."""
        seq = self._requests.get(request)
        if seq is not None:
            return seq, self.written[seq - 1].asked
        found = self._journal.answered(self.id, request) if anywhere else None
        if found is not None and found[0] > self.seq:
            self.catch_up()
        return found

    def all_written(self) -> Sequence[JournalLine]:
        """All its entries; those before a snapshot are read from the journal once.

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

    def _whole(self) -> Self:
        check_may_replay(self.id)
        with self.lock:
            return super()._whole()

    def _keep(self, press: Press) -> int:
        """Keep a press in the journal, apply it, and tell the listeners; where the journal refuses, nothing changes."""
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
            except StorageUnavailable as away:  # the number is taken, perhaps by this same press
                raise CommitOutcomeUnknown("core.database_perhaps") from away
            known = self._answer_to(press.request, press.digest, anywhere=True)
            if known is None:
                raise
            return known
        self.journal_took = time.perf_counter() - began
        self._apply(press, lines)
        self._requests[press.request] = self.seq
        self._tell(lines)
        self._journal.acknowledge(self.id, lines[-1])
        self.pack()
        if self.seq - max(self.base, self._recalled_at) > LONGEST_AT_HAND:
            self.shorten(LONGEST_AT_HAND // 2)
            self._requests = {request: seq for request, seq in self._requests.items() if seq > self.base}
        return self.seq

    def _with_its_end(self, press: Press) -> Press:
        """A press with `GameEnded` added, where it ends the game for good."""
        entry, position = press.steps[-1]
        if isinstance(entry, MovePlayed | OutcomeRecorded | TableCorrected) and self.ends_by_itself(position):
            return press._replace(steps=(*press.steps, (GameEnded(), position)))
        return press

    def note(self, entry: Entry, keep: Callable[[JournalLine], None]) -> JournalLine:
        """Add an entry that comes from nobody's press.

        :param keep: keeps it, safe from power loss when it returns; where it raises, nothing changes.
        """
        with self.lock:
            (line,) = self._linked([JournalLine(self.seq + 1, self._time(), entry)])
            keep(line)
            self.follow(line)
            self._tell([line])
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
        """Apply the entries that other processes have made.

        :raises Storage: where they cannot be read, or are not as they were written.
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
                self._tell(lines)

    def _lines(self, press: Press) -> list[JournalLine]:
        now = self._time()
        lines = [JournalLine(self.seq + n, now, entry) for n, (entry, _) in enumerate(press.steps, 1)]
        lines[-1] = msgspec.structs.replace(lines[-1], request=press.request, asked=press.digest)
        return self._linked(lines)

    def _time(self) -> int:
        """The time of the next entry: not before the newest one, even if the clock was set back."""
        return max(self._clock(), self.written[-1].at if self.written else self.laid.at)

    def _linked(self, lines: list[JournalLine]) -> list[JournalLine]:
        head = self.head()
        return lines if self._chain is None or head is None else self._chain.linked(head, lines)


def _digest(request: str, content: object) -> str:
    """A digest of what was asked with a request id."""
    if not isinstance(request, str) or not 0 < len(request) <= LONGEST_REQUEST or "\0" in request:
        raise Malformed("core.bad_request_id")
    return hashlib.sha256(msgspec.json.encode(content)).hexdigest()[:16]


def _is_outcome(outcome: object) -> bool:
    return isinstance(outcome, str) or is_number(outcome)


def _plain(made: Move | Correction) -> dict[str, Json]:
    plain: dict[str, Json] = msgspec.to_builtins(made)
    return plain
