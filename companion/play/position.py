"""A table at one moment, and how its entries lead from one moment to the next."""

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
from companion.play.entries import MovePlayed, OutcomeRecorded, TableCorrected
from companion.play.written import unpacked
from companion.refusals import Malformed

AT_HAND = 16
"""Positions of a table that have their state at hand: those that were made last."""
EVERY = 32
"""Of the others, one in so many keeps it; the rest make it again, step by step from there."""

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
        """The entry, wherever it is."""
        entry = self._entry
        if isinstance(entry, bytes):
            lines = unpacked(entry)
            made = lines[self.seq - lines[0].seq].entry
            if not isinstance(made, Made):
                raise TypeError(f"entry {self.seq} is no step")
            return made
        return entry

    def packed(self, pack: bytes) -> None:
        """Have the entry in this pack from now on."""
        self._entry = pack

    def is_of(self, seat: int | None) -> bool:
        """Whether it was made for a seat, by its own hand or the host's."""
        entry = self.entry
        return seat is not None and not isinstance(entry, TableCorrected) and entry.seat == seat


class Rules:
    """The game that a table is played by, as its entries have it, and whose states are at hand."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self._moves = _held(game.move_types)
        self._corrections = _held(game.correction_types)
        self._at_hand: deque[ref[Position]] = deque()  # it is the table that holds them

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
        mended: Correction = _read(correction, self._corrections, "core.not_a_correction")
        return mended

    def cache(self, position: Position) -> None:
        """Have a state at hand that was just made; the one that was there longest is put away."""
        self._at_hand.append(ref(position))
        if len(self._at_hand) > AT_HAND and (longest := self._at_hand.popleft()()) is not None:
            longest.evict()


class Position:
    """A table at one moment: the state, how many draws led to it, and the trail that did.

    :param ask: what the table waits for, where that is not the game's to say.
    :param since: how many steps ago a position was that keeps its state; 0 for one that does.
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
        """What lies on the table; made again from the position before, where it was put away."""
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
        """What the table waits for; the game is asked once, as long as the state is at hand."""
        ask = self._ask
        if ask is None:
            ask = self._ask = self._rules.game.ask(self.state)
        return ask

    def evict(self) -> None:
        """Keep nothing that can be made again."""
        if self._since:
            self._state = self._ask = None

    def cut_off(self, trail: Trail | None) -> None:
        """Keep the state from now on, and this trail, which may lead less far back."""
        self._state, self._since = self.state, 0
        self.trail = trail

    def stepped(self, step: Step, seq: int, entry: Made) -> Position:
        """The position after a step, which the journal has or will have as this entry.

        :raises Refusal: if the game does not allow it.
        """
        after, draws = self._rules.game.after(self.state, step), self.draws + isinstance(entry, OutcomeRecorded)
        return Position(self._rules, after, draws, Trail(seq, entry, self), since=(self._since + 1) % EVERY)

    def closed(self) -> Position:
        """The position once the host has ended the table as it stands."""
        ended = self._rules.game.closed(self.state)
        return Position(self._rules, ended, self.draws, self.trail, ask=self._rules.game.tally(ended))


class Past(Position):
    """A position of which no more is at hand than its number, and perhaps the trail to it.

    :param find: finds it, where more of it is wanted.
    """

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
    """What holds one of some types: how to read it is worked out once, and not anew for each that is read."""
    with _working_out:
        return _worked_out(types)


@cache
def _worked_out(types: tuple[type[Any], ...]) -> Any:
    held = msgspec.defstruct("Held", [("it", reduce(or_, types))]) if types else None
    if held is not None:
        msgspec.json.Decoder(held)  # works it out
    return held


_working_out = threading.Lock()
"""By one thread at a time: msgspec breaks down, and the service with it, where two begin to read a type at once."""
