"""One table in play: it checks, journals, and only then shows; it deals, takes back, and puts right."""

from __future__ import annotations

import hashlib
import logging
import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import NamedTuple

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
from companion.play.actors import HOST, SPECTATOR, Actor, hand_of, host_only, is_number, may_act, seat_of
from companion.play.chain import Chain, beginning
from companion.play.dealer import SealedDealer
from companion.play.entries import (
    STIRS,
    Closed,
    Committed,
    Entry,
    Fell,
    Going,
    JournalLine,
    Keys,
    Laid,
    Mended,
    Moved,
    Opened,
    Settled,
    TookBack,
)
from companion.play.history import History
from companion.play.journal import Nowhere, Steps
from companion.play.position import Position
from companion.play.stirring import LONGEST, promise
from companion.refusals import Away, Illegal, Malformed, Over, Overtaken, Perhaps, Stale, Storage

log = logging.getLogger(__name__)

__all__ = ["HOST", "SPECTATOR", "Actor", "LogLine", "Press", "Table"]

LONGEST_RUN = 10_000  # draws that may follow one press before something is wrong with the game
LONGEST_REQUEST = 100
NOTHING = ""
"""What falls where nothing is to be drawn: the game is asked, and says why not."""

Following = tuple[Entry, Position]
"""An entry, and the position it leads to."""


class LogLine(NamedTuple):
    """A line of the log in JSON, and the number of its entry."""

    seq: int
    told: bytes


class Read(NamedTuple):
    """What some eyes have read of the log: the newest lines up to an entry, without those of who stirred."""

    seq: int
    lines: tuple[LogLine, ...]


class Press(NamedTuple):
    """What a press comes to, worked out and not yet made.

    :param seq: the number of the entry it was meant for: it can be made as long as that is the newest.
    :param asked: digest of what was asked with that request id.
    """

    seq: int
    request: str
    asked: str
    steps: tuple[Following, ...]


Lookout = Callable[["Table", Callable[[], "Table"]], Callable[[bool], object]]
"""Is told that a step is on its way to the disk, with what makes the table as it will be, and must wait for nothing.

It may have that made by another thread until what it answers is called, with whether the step was kept. Whoever listens
is told of it after that, and nobody is to be told before.
"""


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
    ) -> None:
        super().__init__(game, laid, written)
        self.dealer = SealedDealer(secret)
        self._chain = Chain(secret) if laid.chain else None
        self._beginning = beginning(laid) if laid.chain else None
        self.keys = keys
        self.next: str | None = None  # the table at which the same people play on
        self.going: Going | None = None  # once it has left for another Digside
        self.lock = threading.RLock()
        self._journal = journal
        self._clock = clock
        self.read: dict[int | None, Read] = {}  # by eyes
        self.journal_took = 0.0  # seconds, of the newest step
        self._listeners: list[Callable[[Table, Sequence[JournalLine]], None]] = []
        self._lookouts: list[Lookout] = []
        self._requests = {line.request: line.seq for line in written if line.request is not None}

    @property
    def kept(self) -> bool:
        """Whether it is kept anywhere, and not only shown."""
        return not isinstance(self._journal, Nowhere)

    def head(self, seq: int | None = None) -> bytes | None:
        """The newest link of the chain, or that of an earlier entry; none at a table from before there was a chain."""
        at = self.seq if seq is None else seq
        return self.written[at - 1].link if at else self._beginning

    def moves(self, actor: Actor, seat: int | None = None) -> Choices:
        """Every legal move of those this actor may act for."""
        ask = self.ask()
        if not isinstance(ask, Turn) or actor.role == "spectator":
            return Choices(())
        mine = actor.seat if actor.role == "seat" else seat
        for asked in ask.seats:
            if mine is None or mine == asked:
                return self.game.moves(self.state, asked)
        return Choices(())

    def play(self, actor: Actor, seq: int, request: str, move: object, *, seat: int | None = None) -> int:
        """A seat makes a move; whatever the companion then deals by itself follows in the same breath.

        :returns: the number of the newest entry; the one answered before, where the request was answered before.
        """
        return self._do(request, ("move", actor, seq, move, seat), seq, lambda: self._moved(actor, move, seat))

    def prepare(self, actor: Actor, seq: int, request: str, move: object, *, seat: int | None = None) -> Press:
        """What `play` would come to, and refused as it would be: for a move that something else must come before."""
        asked = self.asked(actor, seq, request, move, seat=seat)
        with self.lock:
            self.check_here()
            self.check(seq)
            return Press(self.seq, request, asked, tuple(self._moved(actor, move, seat)))

    def asked(self, actor: Actor, seq: int, request: str, move: object, *, seat: int | None = None) -> str:
        """What marks a press of `play`, by which the same request is known when it comes again."""
        return _digest(request, ("move", actor, seq, move, seat))

    def again(self, press: Press) -> Press:
        """A move that was prepared, worked out anew as the table is by now; refused where it has become illegal."""
        with self.lock:
            entry, _ = press.steps[0]
            if not isinstance(entry, Moved):
                raise TypeError("only a move is prepared")
            return press._replace(seq=self.seq, steps=tuple(self._made(entry, self.step_of(entry))))

    def means(self, press: Press) -> tuple[object, ...]:
        """What a prepared move says of itself and what it asks: while this stays the same, so does the move."""
        entry, after = press.steps[0]
        if not isinstance(entry, Moved) or after.trail is None:
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
        return request in self._requests

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
        return self._do(request, ("outcome", actor, seq, outcome), seq, lambda: self._fallen(actor, several))

    def take_back(self, actor: Actor, seq: int, request: str, to: int | None = None) -> int:
        """Go back to before the last thing a person did; the host, to any earlier entry. Or forward again."""

        def steps() -> list[Following]:
            may_act(actor)
            offer = self.offer(actor)
            target = offer.to if to is None else to
            if target is not None and target == offer.redo:
                return [(TookBack(actor.signs, target, actor.seat, again=True), self.position(target))]
            if target is None or not offer.open:
                raise Illegal(offer.why or "undo.nothing")
            if not is_number(target) or not 0 <= target < self.seq:
                raise Malformed("undo.no_such_step")
            if actor.role != "host" and target != offer.to:
                raise Illegal("undo.host_only")
            return [(TookBack(actor.signs, target, actor.seat), self.position(target))]

        return self._do(request, ("undo", actor, seq, to), seq, steps)

    def commit(self, actor: Actor, seq: int, request: str, commit: str) -> int:
        """Promise a pinch for the luck of every draw nobody has seen yet; what is told of it is its `promise`.

        It is never too late for that, whatever has been made since.
        """
        if not isinstance(commit, str) or not re.fullmatch("[0-9a-f]{64}", commit):
            raise Malformed("core.bad_pinch")
        entry = Committed(actor.signs, commit, actor.seat)
        return self._do(
            request, ("commit", actor, seq, commit), seq, lambda: self._stirred_with(actor, entry), late=True
        )

    def open(self, actor: Actor, seq: int, request: str, pinch: str) -> int:
        """Tell the pinch that was promised. From the first that is told on, nobody else joins."""
        if not isinstance(pinch, str) or not 0 < len(pinch) <= LONGEST:
            raise Malformed("core.bad_pinch")
        entry = Opened(actor.signs, pinch, actor.seat)
        return self._do(request, ("open", actor, seq, pinch), seq, lambda: self._stirred_with(actor, entry), late=True)

    def stir(self, actor: Actor, seq: int, request: str, pinch: str) -> int:
        """Stir alone: promise a pinch and tell it at once."""
        who = "host" if actor.seat is None else str(actor.seat)
        self.commit(actor, seq, f"{request} promised", promise(who, str(pinch)))
        return self.open(actor, seq, request, pinch)

    def correct(self, actor: Actor, seq: int, request: str, correction: object) -> int:
        """The host says that the table shows otherwise."""

        def steps() -> list[Following]:
            host_only(actor)
            position = self._still_open()
            mended = self.read_correction(correction)
            return [self._next(position, Corrected(mended), Mended(_plain(mended)))]

        return self._do(request, ("correct", actor, seq, correction), seq, steps)

    def close(self, actor: Actor, seq: int, request: str) -> int:
        """The host ends the table as it stands, and the seal is opened. An end that hangs on a report is confirmed."""

        def steps() -> list[Following]:
            host_only(actor)
            if self.settled():
                raise Over("core.over")
            if self.over():
                return [(Settled(actor.signs), self.position())]
            return [(Closed(), self.position().closed())]

        return self._do(request, ("close", actor, seq), seq, steps)

    def settle(self, actor: Actor, seq: int, request: str) -> int:
        """Say that the report is right on which the end hangs: then the end is final."""

        def steps() -> list[Following]:
            self.may_settle(actor)
            return [(Settled(actor.signs, actor.seat), self.position())]

        return self._do(request, ("settle", actor, seq), seq, steps)

    def listen(self, heard: Callable[[Table, Sequence[JournalLine]], None]) -> Callable[[], None]:
        """Call `heard` with the new entries after each step, under the table's lock; the answer ends it."""
        self._listeners.append(heard)

        def deaf() -> None:
            if heard in self._listeners:
                self._listeners.remove(heard)

        return deaf

    def look_ahead(self, look: Lookout) -> None:
        """Call `look` with each step that is being kept."""
        self._lookouts.append(look)

    def check_here(self) -> None:
        """Refuse once it has left for another Digside."""
        if self.going is not None:
            raise self.going.refusal(self.id)

    def _still_open(self) -> Position:
        """Where the table stands, unless it has ended for good: then no game is asked any more."""
        self.not_ended()
        return self.position()

    def check(self, seq: int) -> None:
        """Refuse what was meant for the table as it was: nothing has been made since, but that somebody stirred."""
        if not is_number(seq):
            raise Malformed("core.bad_seq")
        if seq > self.seq:
            self.catch_up()  # another process made it, whose notice is under way
        if not 0 <= seq <= self.seq:
            raise Stale("core.stale")
        for at in range(self.seq, seq, -1):
            if not isinstance(self.written[at - 1].entry, STIRS):
                raise Stale("core.stale")

    def _stirred_with(self, actor: Actor, entry: Committed | Opened) -> list[Following]:
        if self.settled():
            raise Over("core.over")
        may_act(actor)
        if isinstance(entry, Committed):
            self.may_stir(entry)
        else:
            self.round.opened(entry)
        return [(entry, self.position())]

    def _moved(self, actor: Actor, move: object, seat: int | None) -> list[Following]:
        ask = self._still_open().ask
        who = seat_of(actor, seat, ask.seats if isinstance(ask, Turn) else (0,))
        made = self.read_move(move)
        return self._made(Moved(actor.signs, who, _plain(made)), Played(who, made))

    def _made(self, entry: Moved, step: Step) -> list[Following]:
        """A move, and what follows from it. Whether it is a seat's turn, and by which rule, is the game's to say."""
        return self._flow([self._next(self._still_open(), step, entry)])

    def _fallen(self, actor: Actor, outcomes: Sequence[Outcome | None]) -> list[Following]:
        position = self._still_open()
        ask = position.ask
        if not isinstance(ask, Chance):
            may_act(actor)
            return [self._next(position, Dealt(NOTHING), Fell("table", NOTHING, position.draws))]
        if outcomes[0] is None:
            return self._flow([self._dealt(position, ask, hand_of(actor, ask))])
        randomizer, steps = ask.randomizer, list[Following]()
        for outcome in outcomes:
            ask = position.ask
            if outcome is None or not isinstance(ask, Chance) or ask.randomizer != randomizer:
                raise Illegal("core.too_many_outcomes", n=len(steps))
            steps.append(self._reported(position, ask, hand_of(actor, ask), outcome, ahead=len(steps)))
            _, position = steps[-1]
        return self._flow(steps)

    def _reported(
        self, position: Position, chance: Chance, seat: int | None, outcome: Outcome, ahead: int
    ) -> Following:
        """What the table shows."""
        if self.setup.source(chance.randomizer) != "table":
            raise Illegal("core.companion_draws")
        return self._next(position, Dealt(outcome), Fell("table", outcome, position.draws, seat), ahead)

    def _dealt(self, position: Position, chance: Chance, seat: int | None = None, ahead: int = 0) -> Following:
        """A draw of the companion's, with so many entries `ahead` of it that are not made yet."""
        if self.setup.source(chance.randomizer) != "companion":
            raise Illegal("core.table_draws")
        outcome = self.dealer.deal(position.draws, chance, self.stirs)
        return self._next(position, Dealt(outcome), Fell("companion", outcome, position.draws, seat), ahead)

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

    def _next(self, position: Position, step: Step, entry: Moved | Fell | Mended, ahead: int = 0) -> Following:
        """An entry to be made, and where it leads; with so many others `ahead` of it."""
        return entry, position.stepped(step, self.seq + ahead + 1, entry)

    def _do(
        self, request: str, asked: object, seq: int, steps: Callable[[], list[Following]], *, late: bool = False
    ) -> int:
        """Answer a request once: work out what it comes to, and make it; `late` where it is never too late for that."""
        digest = _digest(request, asked)
        with self.lock:
            known = self._answer_to(request, digest)
            if known is not None:
                return known
            self.check_here()
            if not late:
                self.check(seq)
            return self._keep(Press(self.seq, request, digest, tuple(steps())))

    def _answer_to(self, request: str, digest: str) -> int | None:
        """What was answered to a request before."""
        seq = self._requests.get(request)
        if seq is not None and self.written[seq - 1].asked != digest:
            raise Malformed("core.request_reused")
        return seq

    def _keep(self, press: Press) -> int:
        """Journal, then be so, then tell: a journal that refuses leaves everything as it was."""
        self.check_here()
        lines = self._lines(press)
        began = time.perf_counter()
        try:
            with self._looked_ahead(press, lines) as meanwhile:
                self._journal.append(self.id, lines, meanwhile)
        except Overtaken:
            try:
                self.catch_up()
            except Away as away:  # the number is taken, perhaps by this very press
                raise Perhaps("core.database_perhaps") from away
            known = self._answer_to(press.request, press.asked)
            if known is None:
                raise
            return known
        self.journal_took = time.perf_counter() - began
        self._be_after(press, lines)
        self._requests[press.request] = self.seq
        for heard in tuple(self._listeners):
            heard(self, lines)
        self._journal.told(self.id, lines[-1])  # nobody waits any more
        self.pack()
        return self.seq

    def _be_after(self, press: Press, lines: Sequence[JournalLine]) -> None:
        for line, (_, position) in zip(lines, press.steps, strict=True):
            self._advance(line, position)

    @contextmanager
    def _looked_ahead(self, press: Press, lines: Sequence[JournalLine]) -> Iterator[Callable[[], None]]:
        """What tells whoever looks ahead; at the end they have looked."""
        ends: list[Callable[[bool], object]] = []
        kept = False

        def look() -> None:
            for each in self._lookouts:
                try:
                    ends.append(each(self, lambda: self._twin_after(press, lines)))
                except Exception:  # it is the journal that calls: the step is not lost by it
                    log.exception("nobody looks ahead at table %s", self.id)

        try:
            yield look
            kept = True
        finally:
            for end in ends:
                end(kept)

    def _twin_after(self, press: Press, lines: Sequence[JournalLine]) -> Table:
        """This table as it will be."""
        twin = self.twin()
        twin.lock, twin.read = threading.RLock(), self.read.copy()
        twin._be_after(press, lines)
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
        entries = [entry for entry, _ in press.steps]
        now = max(self._clock(), self.written[-1].at if self.written else self.laid.at)  # a clock may be put back
        lines = [JournalLine(self.seq + n, now, entry) for n, entry in enumerate(entries, 1)]
        lines[-1] = msgspec.structs.replace(lines[-1], request=press.request, asked=press.asked)
        head = self.head()
        return lines if self._chain is None or head is None else self._chain.linked(head, lines)


def _digest(request: str, asked: object) -> str:
    """What was asked with a request id, in short."""
    if not isinstance(request, str) or not 0 < len(request) <= LONGEST_REQUEST or "\0" in request:
        raise Malformed("core.bad_request_id")
    return hashlib.sha256(msgspec.json.encode(asked)).hexdigest()[:16]


def _is_outcome(outcome: object) -> bool:
    return isinstance(outcome, str) or is_number(outcome)


def _plain(made: Move | Correction) -> dict[str, Json]:
    plain: dict[str, Json] = msgspec.to_builtins(made)
    return plain
