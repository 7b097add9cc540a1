"""A history that grows: each request is answered once, and its entries are in the journal before anybody sees them."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple, Self

import msgspec

from companion.game import AnyGame
from companion.play.actors import is_number
from companion.play.bounds import is_small, takes
from companion.play.chain import Chain, beginning
from companion.play.entries import (
    Departure,
    Entry,
    GameEnded,
    JournalLine,
    Laid,
    MovePlayed,
    OutcomeRecorded,
    TableCorrected,
)
from companion.play.history import History
from companion.play.journal import NoJournal, Steps
from companion.play.position import Following
from companion.play.replays import check_may_replay
from companion.play.snapshots import Snapshot
from companion.play.written import Written
from companion.refusals import (
    AsTyped,
    CommitOutcomeUnknown,
    Illegal,
    LostRace,
    Malformed,
    Stale,
    Storage,
    StorageUnavailable,
)

LONGEST_AT_HAND = 1024  # entries whose positions are kept in memory: more than most evenings have
LONGEST_REQUEST = 100
UNKNOWN = "?"
"""The address of another Digside, where it was lost."""


class Press(NamedTuple):
    """A press and the entries that it leads to, not yet made.

    :param seq: the newest entry when this was worked out; it can be made as long as that is the newest.
    :param digest: of what was asked with that request id.
    """

    seq: int
    request: str
    digest: str
    steps: tuple[Following, ...]


class LiveHistory(History):
    """The history of a table in play.

    :param secret: the secret of its luck, which also makes the chain of its entries.
    :param journal: keeps each step before it is shown.
    :param clock: gives milliseconds since 1970, for the log only.
    """

    _listeners: list[Callable[[Self, Sequence[JournalLine]], None]]

    def __init__(
        self,
        game: AnyGame,
        laid: Laid,
        secret: bytes,
        *,
        journal: Steps,
        clock: Callable[[], int],
        written: Sequence[JournalLine] = (),
        snapshot: Snapshot | None = None,
    ) -> None:
        super().__init__(game, laid, written, snapshot)
        self._chain = Chain(secret) if laid.chain else None
        self._beginning = beginning(laid) if laid.chain else None
        self.went: Departure | None = None  # how it left for another Digside, beside its entry
        self.lock = threading.RLock()
        self.journal_took = 0.0  # seconds, for the newest step
        self._journal = journal
        self._clock = clock
        self._listeners = []
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

    def listen(self, listener: Callable[[Self, Sequence[JournalLine]], None]) -> Callable[[], None]:
        """Call `listener` with the new entries after each step, under the table's lock. Returns what ends that."""
        self._listeners.append(listener)

        def stop() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return stop

    def _tell(self: Self, lines: Sequence[JournalLine]) -> None:
        for listener in tuple(self._listeners):
            listener(self, lines)

    def check_here(self) -> None:
        """Refuse once it has left for another Digside."""
        if (going := self.going) is not None:
            raise going.refusal(self.id)

    def check(self, seq: int) -> None:
        """Refuse what was meant for an entry after which anything but quiet entries was made."""
        if not is_number(seq):
            raise Malformed("core.bad_seq")
        if seq > self.seq:
            self.catch_up()  # another process made it, and its notice has not arrived yet
        if not self.played() <= seq <= self.seq:
            raise Stale("core.stale")

    def _do(
        self, request: str, content: object, check: Callable[[], None] | None, steps: Callable[[], list[Following]]
    ) -> int:
        """Answer a request once: work out the entries that it leads to, and make them.

        :param content: what is asked; the same request id with other content is refused.
        :param check: refuses the request where it is stale; None where it never is.
        """
        digest = digest_of(request, content)
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


def digest_of(request: str, content: object) -> str:
    """A digest of what was asked with a request id."""
    if not isinstance(request, str) or not 0 < len(request) <= LONGEST_REQUEST or "\0" in request:
        raise Malformed("core.bad_request_id")
    return hashlib.sha256(msgspec.json.encode(content)).hexdigest()[:16]
