"""One table in play: it checks, journals, and only then shows; it deals, takes back, and puts right."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Sequence
from functools import reduce
from operator import or_
from typing import Any, Literal

import msgspec

from companion.dealer import SealedDealer, Stir
from companion.entries import (
    Closed,
    Entry,
    Fell,
    Keys,
    Laid,
    Mended,
    Moved,
    Role,
    Sealed,
    Stirred,
    TookBack,
    Written,
)
from companion.game import (
    Ask,
    Chance,
    Choices,
    Corrected,
    Correction,
    Dealt,
    Finished,
    Game,
    Json,
    Move,
    Outcome,
    Played,
    State,
    Step,
    Turn,
    can_fall,
)
from companion.journal import Journal
from companion.refusals import Illegal, Malformed, NotYourTurn, Over, Stale

LOG_LINES = 60
LONGEST_RUN = 10_000  # draws that may follow one press before something is wrong with the game
LONGEST_REQUEST = 100

Seated = Game[Any]
"""Any game: which state it keeps is its own affair."""


class Actor(msgspec.Struct, frozen=True):
    """Who asks: the host (the shared tablet), a seat (a phone), or a spectator."""

    role: Literal["host", "seat", "spectator"]
    seat: int | None = None


HOST = Actor("host")
SPECTATOR = Actor("spectator")


class Trail(msgspec.Struct, frozen=True):
    """The surviving history, newest first: an entry, its number, and the position before it."""

    seq: int
    entry: Entry
    before: Position


class Position(msgspec.Struct, frozen=True):
    """A table at one moment: the state, how many draws led to it, and the trail that did."""

    state: State
    draws: int = 0
    trail: Trail | None = None

    @property
    def seq(self) -> int:
        """The number of the entry that first led here."""
        return self.trail.seq if self.trail else 0


class Offer(msgspec.Struct, frozen=True):
    """Whether a step may be taken back now: to which entry, by whom, and why not."""

    open: bool
    to: int | None = None
    why: str | None = None
    redo: int | None = None


class Table:
    """A table in play. Every call that changes it takes the number of the entry it was meant for, and a request id.

    :param game: the rules, or the toolbox, it is played by.
    :param laid: how it was laid.
    :param journal: where each step is kept before it is shown.
    :param clock: gives milliseconds since 1970, for the log only.
    """

    def __init__(
        self,
        game: Seated,
        laid: Laid,
        secret: bytes,
        keys: Keys,
        *,
        journal: Journal,
        clock: Callable[[], int],
        written: Sequence[Written] = (),
    ) -> None:
        self.game = game
        self.laid = laid
        self.setup = laid.setup
        self.dealer = SealedDealer(secret)
        self.keys = keys
        self.lock = threading.RLock()
        self._journal = journal
        self._clock = clock
        self._moves: Any = reduce(or_, game.move_types)
        self._corrections: Any = reduce(or_, game.correction_types) if game.correction_types else None
        self._listeners: list[Callable[[Table, Sequence[Written]], None]] = []
        self._positions = [Position(game.start())]
        self._redos: list[tuple[int, ...]] = [()]
        self.written: list[Written] = []
        self._requests: dict[str, tuple[str | None, int]] = {}
        self._stirs: list[Stir] = []
        self._furthest = 0
        self.closed_at: int | None = None
        self.seals = [laid.seal]
        for line in written:
            self.follow(line)

    # -- what it is ------------------------------------------------------------------------------------------------

    @property
    def id(self) -> str:
        return self.laid.table

    @property
    def seq(self) -> int:
        """How many entries the journal has; it only grows."""
        return len(self.written)

    @property
    def state(self) -> State:
        return self._positions[-1].state

    def position(self, seq: int | None = None) -> Position:
        return self._positions[-1 if seq is None else seq]

    def ask(self, seq: int | None = None) -> Ask:
        """What the table waits for."""
        position = self.position(seq)
        if self.closed_at is not None and (seq is None or seq >= self.closed_at):
            return self.game.tally(position.state)
        return self.game.ask(position.state)

    def over(self, seq: int | None = None) -> bool:
        return isinstance(self.ask(seq), Finished)

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

    # -- what may be done ------------------------------------------------------------------------------------------

    def play(self, actor: Actor, seq: int, request: str, move: object, *, seat: int | None = None) -> int:
        """A seat makes a move; whatever the companion then deals by itself follows in the same breath.

        :returns: the number of the newest entry; the one answered before, where the request was answered before.
        """
        return self._do(request, ("move", actor, seq, move, seat), seq, lambda: self._moved(actor, move, seat))

    def rehearse(self, actor: Actor, seq: int, move: object, *, seat: int | None = None) -> Move:
        """Refuse what `play` would refuse, and do nothing else: for a move that a lift must come before."""
        with self.lock:
            self._fresh(seq)
            self._moved(actor, move, seat)
            return self.read_move(move)

    def answered(self, request: str) -> bool:
        """Whether a request has been answered before."""
        return request in self._requests

    def answer(self, actor: Actor, seq: int, request: str, outcome: Outcome | None) -> int:
        """Somebody presses for the companion's draw (`outcome` is None), or reports what the table shows."""

        def entries() -> list[Entry]:
            ask = self._open_ask()
            if not isinstance(ask, Chance):
                raise Illegal("core.no_draw")
            who = _hand_of(actor, ask)
            if outcome is None:
                return self._flow(*self._dealt(self.position(), ask, who))
            if self.setup.source(ask.randomizer) != "table":
                raise Illegal("core.companion_draws")
            if not can_fall(ask, outcome):
                raise Illegal("core.cannot_fall", outcome=outcome)
            after = self.game.after(self.state, Dealt(outcome))
            return self._flow(Fell("table", outcome, self.position().draws, who), after)

        if outcome is not None and not _is_outcome(outcome):
            raise Malformed("core.not_an_outcome")
        return self._do(request, ("outcome", actor, seq, outcome), seq, entries)

    def take_back(self, actor: Actor, seq: int, request: str, to: int | None = None) -> int:
        """Go back to before the last thing a person did; the host, to any earlier entry. Or forward again."""

        def entries() -> list[Entry]:
            _may_act(actor)
            offer = self.offer(actor)
            target = offer.to if to is None else to
            role: Role = "host" if actor.role == "host" else "seat"
            if target is not None and target == offer.redo:
                return [TookBack(role, target, actor.seat, again=True)]
            if target is None or not offer.open:
                raise Illegal(offer.why or "undo.nothing")
            if not _is_number(target) or not 0 <= target < self.seq:
                raise Malformed("undo.no_such_step")
            if actor.role != "host" and target != offer.to:
                raise Illegal("undo.host_only")
            return [TookBack(role, target, actor.seat)]

        return self._do(request, ("undo", actor, seq, to), seq, entries)

    def stir(self, actor: Actor, seq: int, request: str, pinch: str) -> int:
        """Throw a pinch into the luck of every draw nobody has seen yet."""

        def entries() -> list[Entry]:
            if self.over():
                raise Over("core.over")
            _may_act(actor)
            role: Role = "host" if actor.role == "host" else "seat"
            return [Stirred(role, pinch, self._furthest, actor.seat)]

        if not isinstance(pinch, str) or not 0 < len(pinch) <= 256:
            raise Malformed("core.bad_pinch")
        return self._do(request, ("stir", actor, seq, pinch), seq, entries)

    def correct(self, actor: Actor, seq: int, request: str, correction: object) -> int:
        """The host says that the table shows otherwise."""

        def entries() -> list[Entry]:
            _host_only(actor)
            self._open_ask()
            mended = self.read_correction(correction)
            self.game.after(self.state, Corrected(mended))
            return [Mended(_plain(mended))]

        return self._do(request, ("correct", actor, seq, correction), seq, entries)

    def close(self, actor: Actor, seq: int, request: str) -> int:
        """The host ends the table as it stands, and the seal is opened."""

        def entries() -> list[Entry]:
            _host_only(actor)
            self._open_ask()
            return [Closed()]

        return self._do(request, ("close", actor, seq), seq, entries)

    def offer(self, actor: Actor, seq: int | None = None) -> Offer:
        """What may be taken back at an entry, by this actor."""
        if self.over(seq):
            return Offer(False, why="undo.over")
        revealed, redo = False, self._redo(actor, seq)
        position = self.position(seq)
        while (trail := position.trail) is not None:
            entry, position = trail.entry, trail.before
            if isinstance(entry, Fell) and entry.by == "companion":
                revealed = revealed or not self._is_hidden(position)
            elif isinstance(entry, Moved | Fell | Mended):
                return _offer_of(actor, entry, position.seq, revealed, redo)
        if position is self.position(seq) or actor.role != "host":
            return Offer(False, why="undo.nothing", redo=redo)
        return Offer(True, 0, "undo.revealed" if revealed else None, redo)

    def _redo(self, actor: Actor, seq: int | None) -> int | None:
        """The entry to go forward to again: for the host always, for a seat after its own step back."""
        at = self.seq if seq is None else seq
        redos = self._redos[at]
        if not redos:
            return None
        newest = self.written[at - 1].entry
        own = isinstance(newest, TookBack) and newest.by == "seat" and newest.seat == actor.seat
        return redos[-1] if actor.role == "host" or (actor.role == "seat" and own) else None

    # -- what others hear ------------------------------------------------------------------------------------------

    def listen(self, heard: Callable[[Table, Sequence[Written]], None]) -> Callable[[], None]:
        """Call `heard` with the new entries after each step, under the table's lock; the answer ends it."""
        self._listeners.append(heard)

        def deaf() -> None:
            if heard in self._listeners:
                self._listeners.remove(heard)

        return deaf

    def step_of(self, entry: Moved | Fell | Mended) -> Step:
        """The step of the game that an entry stands for."""
        match entry:
            case Moved(seat=seat, move=move):
                return Played(seat, self.read_move(move))
            case Fell(outcome=outcome):
                return Dealt(outcome)
            case Mended(correction=correction):
                return Corrected(self.read_correction(correction))

    def read_move(self, move: object) -> Move:
        """A move from its JSON."""
        made: Move = _read(move, self._moves, "core.not_a_move")
        return made

    def read_correction(self, correction: object) -> Correction:
        """A correction from its JSON."""
        if self._corrections is None:
            raise Malformed("core.not_a_correction", reason="-")
        mended: Correction = _read(correction, self._corrections, "core.not_a_correction")
        return mended

    def before(self, seq: int) -> Position:
        """The position in which an entry was made."""
        return self._positions[seq - 1]

    def survivors(self, seq: int | None = None, down_to: int = 0) -> set[int]:
        """The numbers of the entries that still count, from `seq` down to `down_to`."""
        alive = set()
        trail = self.position(seq).trail
        while trail is not None and trail.seq > down_to:
            alive.add(trail.seq)
            trail = trail.before.trail
        return alive

    def newest_move(self) -> str | None:
        """What kind of move was made last, of those that still count."""
        trail = self.position().trail
        while trail is not None and not isinstance(trail.entry, Moved):
            trail = trail.before.trail
        return str(trail.entry.move["type"]) if trail is not None and isinstance(trail.entry, Moved) else None

    @property
    def stirs(self) -> tuple[Stir, ...]:
        return tuple(self._stirs)

    # -- inside ----------------------------------------------------------------------------------------------------

    def _open_ask(self) -> Ask:
        ask = self.ask()
        if isinstance(ask, Finished):
            raise Over("core.over")
        return ask

    def _fresh(self, seq: int) -> None:
        if not _is_number(seq):
            raise Malformed("core.bad_seq")
        if seq != self.seq:
            raise Stale("core.stale")

    def _moved(self, actor: Actor, move: object, seat: int | None) -> list[Entry]:
        ask = self._open_ask()
        if not isinstance(ask, Turn):
            raise Illegal("core.chance_first")
        who = _seat_of(actor, seat, ask.seats)
        made = self.read_move(move)
        after = self.game.after(self.state, Played(who, made))
        role: Role = "host" if actor.role == "host" else "seat"
        return self._flow(Moved(role, who, _plain(made)), after)

    def _is_hidden(self, position: Position) -> bool:
        ask = self.game.ask(position.state)
        return isinstance(ask, Chance) and ask.hidden

    def _dealt(self, position: Position, chance: Chance, seat: int | None = None) -> tuple[Fell, State]:
        if self.setup.source(chance.randomizer) != "companion":
            raise Illegal("core.table_draws")
        outcome = self.dealer.deal(position.draws, chance, self._stirs)
        after = self.game.after(position.state, Dealt(outcome))
        return Fell("companion", outcome, position.draws, seat), after

    def _flow(self, first: Moved | Fell, state: State) -> list[Entry]:
        """A step and all that follows from it without anybody's hand."""
        entries: list[Entry] = [first]
        draws = self.position().draws + isinstance(first, Fell)
        while len(entries) < LONGEST_RUN:
            ask = self.game.ask(state)
            if not isinstance(ask, Chance) or self.setup.source(ask.randomizer) != "companion":
                return entries
            if ask.pressed and self.setup.pace == "press":
                return entries
            fell, state = self._dealt(Position(state, draws), ask)
            entries.append(fell)
            draws += 1
        raise RuntimeError(f"{self.setup.box}: a run of draws does not end")

    def _do(self, request: str, asked: object, seq: int, entries: Callable[[], list[Entry]]) -> int:
        """Answer a request once: check, journal, follow, tell."""
        if not isinstance(request, str) or not 0 < len(request) <= LONGEST_REQUEST:
            raise Malformed("core.bad_request_id")
        digest = hashlib.sha256(msgspec.json.encode(asked)).hexdigest()[:16]
        with self.lock:
            known = self._requests.get(request)
            if known is not None:
                if known[0] != digest:
                    raise Malformed("core.request_reused")
                return known[1]
            self._fresh(seq)
            lines = self._lines(entries(), request, digest)
            self._journal.append(self.id, lines)
            for line in lines:
                self.follow(line)
            for heard in tuple(self._listeners):
                heard(self, lines)
            return self.seq

    def _lines(self, entries: Sequence[Entry], request: str, digest: str) -> list[Written]:
        now, last = self._clock(), len(entries) - 1
        return [
            Written(self.seq + n + 1, now, entry, request if n == last else None, digest if n == last else None)
            for n, entry in enumerate(entries)
        ]

    def follow(self, line: Written) -> None:
        """Be as the entry says; the same whether it was made just now or is read from the journal."""
        if line.seq != self.seq + 1:
            raise ValueError(f"entry {line.seq} follows entry {self.seq}")
        position, redos = self._positions[-1], self._redos[-1]
        match line.entry:
            case TookBack(to=to, again=again):
                redos = redos[:-1] if again else (*redos, self.seq)
                position = self._positions[to]
            case Stirred(since=since, pinch=pinch):
                self._stirs.append(Stir(since, pinch))
            case Sealed(seal=seal):
                self.seals.append(seal)
            case Closed():
                self.closed_at = line.seq
            case entry:
                position, redos = self._stepped(position, line.seq, entry), ()
                self._furthest = max(self._furthest, position.draws)
        self._positions.append(position)
        self._redos.append(redos)
        self.written.append(line)
        if line.request is not None:
            self._requests[line.request] = (line.asked, line.seq)

    def _stepped(self, position: Position, seq: int, entry: Moved | Fell | Mended) -> Position:
        after = self.game.after(position.state, self.step_of(entry))
        return Position(after, position.draws + isinstance(entry, Fell), Trail(seq, entry, position))


def _offer_of(actor: Actor, entry: Moved | Fell | Mended, to: int, revealed: bool, redo: int | None) -> Offer:
    """The offer to take back one thing that a person did."""
    if actor.role == "host":
        return Offer(True, to, "undo.revealed" if revealed else None, redo)
    mine = actor.role == "seat" and getattr(entry, "seat", None) == actor.seat
    if not mine:
        return Offer(False, why="undo.not_yours")
    if revealed:
        return Offer(False, why="undo.revealed")
    return Offer(True, to, None, redo)


def _seat_of(actor: Actor, seat: int | None, asked: tuple[int, ...]) -> int:
    """For whom an actor moves."""
    _may_act(actor)
    if seat is not None and not _is_number(seat):
        raise Malformed("core.bad_seat")
    if actor.role == "seat" and seat not in {None, actor.seat}:
        raise NotYourTurn("core.not_your_seat")
    if actor.role == "seat":
        seat = actor.seat
    if seat is None:
        return asked[0]
    if seat not in asked:
        raise NotYourTurn("core.not_your_turn")
    return seat


def _hand_of(actor: Actor, chance: Chance) -> int | None:
    """Whose hand draws."""
    _may_act(actor)
    if actor.role == "seat" and chance.seat is not None and chance.seat != actor.seat:
        raise NotYourTurn("core.not_your_draw")
    return actor.seat if actor.role == "seat" else chance.seat


def _may_act(actor: Actor) -> None:
    if actor.role == "spectator":
        raise NotYourTurn("core.spectator")


def _host_only(actor: Actor) -> None:
    if actor.role != "host":
        raise NotYourTurn("core.host_only")


def _is_outcome(outcome: object) -> bool:
    return isinstance(outcome, str) or _is_number(outcome)


def _is_number(given: object) -> bool:
    return isinstance(given, int) and not isinstance(given, bool)


def _plain(made: Move | Correction) -> dict[str, Json]:
    plain: dict[str, Json] = msgspec.to_builtins(made)
    return plain


def _read(given: object, wanted: Any, key: str) -> Any:
    try:
        return msgspec.convert(given, wanted)
    except msgspec.ValidationError as error:
        raise Malformed(key, reason=str(error)) from None
