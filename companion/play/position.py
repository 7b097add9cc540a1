"""The state of a table after an entry, and how entries lead from one position to the next."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from functools import cache, reduce
from operator import or_
from typing import Any
from weakref import ref

import msgspec

from companion.game import AnyGame, Ask, Corrected, Correction, Dealt, Move, Played, State, Step
from companion.play.entries import Entry, MovePlayed, OutcomeRecorded, TableCorrected
from companion.play.written import unpacked
from companion.refusals import Malformed

AT_HAND = 16
"""Positions of a table whose state is in memory: those that were computed last."""
EVERY = 32
"""Of the others, one in so many keeps its state; the rest compute it again, step by step from there."""

Made = MovePlayed | OutcomeRecorded | TableCorrected
"""An entry that is a step of the game."""


class Trail:
    """The surviving history, newest first: an entry, its number, and the position before it."""

    __slots__ = ("_entry", "before", "seq")

    def __init__(self, seq: int, entry: Made, before: Position) -> None:
        self.seq = seq
        self.before = before
        self._entry: Made | bytes = entry

    @property
    def entry(self) -> Made:
        """The entry, unpacked where it is in a pack."""
        entry = self._entry
        if isinstance(entry, bytes):
            lines = unpacked(entry)
            made = lines[self.seq - lines[0].seq].entry
            if not isinstance(made, Made):
                raise TypeError(f"entry {self.seq} is no step")
            return made
        return entry

    def packed(self, pack: bytes) -> None:
        """Keep, instead of the entry, the pack it is in."""
        self._entry = pack

    def is_of(self, seat: int | None) -> bool:
        """Whether it was made for a seat, by its own hand or the host's."""
        entry = self.entry
        return seat is not None and not isinstance(entry, TableCorrected) and entry.seat == seat


class Rules:
    """The game of a table: reads moves and corrections from JSON, and keeps the newest states in memory."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self._moves = _held(game.move_types)
        self._corrections = _held(game.correction_types)
        self._at_hand: deque[ref[Position]] = deque()  # the table holds them

    def step_of(self, entry: Made) -> Step:
        """The step of the game that an entry stands for."""
        match entry:
            case MovePlayed(seat=seat, move=move):
                return Played(seat, self.read_move(move))
            case OutcomeRecorded(outcome=outcome):
                return Dealt(outcome)
            case TableCorrected(correction=correction):
                return Corrected(self.read_correction(correction))

    def read_move(self, move: object) -> Move:
        """A move from its JSON."""
        made: Move = _read(move, self._moves, "core.not_a_move")
        return made

    def read_correction(self, correction: object) -> Correction:
        """A correction from its JSON."""
        if self._corrections is None:
            raise Malformed("core.not_a_correction", reason="-")
        made: Correction = _read(correction, self._corrections, "core.not_a_correction")
        return made

    def cache(self, position: Position) -> None:
        """Keep a state that was just computed in memory; the one that was there longest is evicted."""
        self._at_hand.append(ref(position))
        if len(self._at_hand) > AT_HAND and (longest := self._at_hand.popleft()()) is not None:
            longest.evict()


class Position:
    """A table after an entry: its state, how many draws led to it, and the trail that did.

    :param ask: what the table waits for, where the game is not to be asked.
    :param since: how many steps ago a position keeps its state; 0 where this one does.
    """

    __slots__ = ("__weakref__", "_ask", "_rules", "_since", "_state", "draws", "trail")

    def __init__(
        self,
        rules: Rules,
        state: State,
        draws: int = 0,
        trail: Trail | None = None,
        *,
        ask: Ask | None = None,
        since: int = 0,
    ) -> None:
        self.draws = draws
        self.trail = trail
        self._rules = rules
        self._state: State | None = state
        self._ask = ask
        self._since = since
        if since:
            rules.cache(self)

    @property
    def seq(self) -> int:
        """The number of the entry that first led here."""
        return self.trail.seq if self.trail else 0

    @property
    def state(self) -> State:
        """What lies on the table; computed from the position before, where it was evicted."""
        state = self._state
        if state is None:
            if self.trail is None:
                raise TypeError("the first position keeps its state")
            step = self._rules.step_of(self.trail.entry)
            state = self._state = self._rules.game.after(self.trail.before.state, step)
            self._rules.cache(self)
        return state

    @property
    def ask(self) -> Ask:
        """What the table waits for; computed once, as long as the state is in memory."""
        ask = self._ask
        if ask is None:
            ask = self._ask = self._rules.game.ask(self.state)
        return ask

    def evict(self) -> None:
        """Drop what can be computed again."""
        if self._since:
            self._state = self._ask = None

    def cut_off(self, trail: Trail | None) -> None:
        """Keep the state for good, and take this trail, which may lead less far back."""
        self._state, self._since = self.state, 0
        self.trail = trail

    def stepped(self, step: Step, seq: int, entry: Made) -> Position:
        """The position after a step that the journal has, or will have, as this entry.

        :raises Refusal: if the game does not allow it.
        """
        after, draws = self._rules.game.after(self.state, step), self.draws + isinstance(entry, OutcomeRecorded)
        return Position(self._rules, after, draws, Trail(seq, entry, self), since=(self._since + 1) % EVERY)

    def closed(self) -> Position:
        """The position once the host has ended the table as it stands."""
        ended = self._rules.game.closed(self.state)
        return Position(self._rules, ended, self.draws, self.trail, ask=self._rules.game.tally(ended))


Following = tuple[Entry, Position]
"""An entry, and the position it leads to."""


class Past(Position):
    """A position that is not in memory: its number, perhaps the trail to it, and `find`, which computes it."""

    __slots__ = ("_find", "_seq", "_trail")

    def __init__(self, seq: int, find: Callable[[], Position], trail: Trail | None = None) -> None:
        self._seq = seq
        self._find = find
        self._trail = trail

    @property
    def seq(self) -> int:
        return self._seq

    @property
    def trail(self) -> Trail | None:  # type: ignore[override]
        return self._trail or (self._find().trail if self._seq else None)

    @property
    def draws(self) -> int:  # type: ignore[override]
        return self._find().draws

    @property
    def state(self) -> State:
        return self._find().state

    @property
    def ask(self) -> Ask:
        return self._find().ask


def _read(given: object, wanted: Any, key: str) -> Any:
    try:
        return msgspec.convert({"it": given}, wanted).it
    except msgspec.ValidationError as error:
        raise Malformed(key, reason=str(error).replace("`$.it", "`$")) from None


def _held(types: tuple[type[Any], ...]) -> Any:
    """A struct type with a field `it` of one of some types. Made once, as msgspec takes long to prepare it."""
    with _preparing:
        return _prepared(types)


@cache
def _prepared(types: tuple[type[Any], ...]) -> Any:
    held = msgspec.defstruct("Held", [("it", reduce(or_, types))]) if types else None
    if held is not None:
        msgspec.json.Decoder(held)  # prepares it
    return held


_preparing = threading.Lock()
"""msgspec crashes the process where two threads prepare the same type at once."""
