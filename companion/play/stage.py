"""Turns what happens at one live table into cues for the rig beside it, and what the rig tells into moves.

Only live steps move anything: what is read from a journal, looked at by a spectator or taken back never does; taking
back, closing and leaving make everything safe. Where the shovel is in use, a move that lifts a card waits until the
lift is verified, and then counts once.
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Sequence
from typing import Literal, Protocol

import msgspec

from companion.game import Chance, Finished, Turn
from companion.play.entries import Closed, Fell, JournalLine, Mended, Moved, TookBack
from companion.play.table import HOST, Actor, Press, Table
from companion.refusals import Illegal, Refusal

Sound = Literal["turn", "done", "warn"]
Lifting = Literal["gripping", "held", "doubted"]


class Heard(msgspec.Struct, frozen=True):
    """What the rig tells: a button by its name, or what becomes of the lift it was asked for."""

    kind: Literal["pressed", "held", "doubted", "done", "failed", "other"]
    button: str = ""
    why: str = ""


class Crew(Protocol):
    """Who works the rig as the stage calls for it: all that the companion knows of hardware. No call may wait."""

    def can_lift(self) -> bool:
        """Whether a shovel is there to lift with."""

    def show_turn(self, seat: int | None) -> None:
        """Light the lamp of the seat that is asked, and no other."""

    def sound(self, sound: Sound) -> None:
        """Sound a signal."""

    def grip(self) -> None:
        """Lift; what becomes of it is heard."""

    def release(self) -> None:
        """Put down what is held."""

    def stop(self) -> None:
        """Everything off, at once; harmless to repeat."""

    def listen(self, heard: Callable[[Heard], None]) -> Callable[[], None]:
        """Have `heard` told what happens, in order; the answer ends it."""


class Lift(msgspec.Struct, frozen=True):
    """A move that waits for its lift."""

    table: str
    seat: int
    move: dict[str, object]
    state: Lifting = "gripping"


class Waiting(msgspec.Struct, frozen=True):
    """A lift, and the move that is made once the card is lifted."""

    lift: Lift
    press: Press


class Stage:
    """Stands between the one rig and the one table that uses it.

    :param crew: works the rig.
    :param changed: called when a lift begins, changes or ends.
    """

    def __init__(self, crew: Crew, changed: Callable[[], None] = lambda: None) -> None:
        self._crew = crew
        self._changed = changed
        self._lock = threading.Lock()
        self._table: Table | None = None
        self._lifts = True
        self._deaf: Callable[[], None] = lambda: None
        self._waiting: Waiting | None = None
        self._playing = False
        self._mishap: str | None = None
        crew.listen(self._heard)

    @property
    def table(self) -> Table | None:
        """The table that has the rig."""
        return self._table

    @property
    def lifts(self) -> bool:
        """Whether moves that lift a card wait for the shovel."""
        return self._table is not None and self._lifts

    @property
    def lift(self) -> Lift | None:
        """The lift that a move waits for."""
        waiting = self._waiting
        return waiting.lift if waiting else None

    @property
    def mishap(self) -> str | None:
        """Why the newest lift came to nothing, until the next begins."""
        return self._mishap

    def attach(self, table: Table, *, lifts: bool = True) -> None:
        """Give the rig to a table.

        :param lifts: whether its shovel is used; without it a move that lifts a card needs no more than its press.
        """
        if self._table is table and self._lifts == lifts:
            return
        self.detach()
        with table.lock:
            self._table, self._lifts = table, lifts
            self._deaf = table.listen(self._stepped)
        self._show(table)
        self._changed()

    def detach(self) -> None:
        """Take the rig away from its table; everything is made safe."""
        self._deaf()
        self._deaf = lambda: None
        self._table = None
        self._drop(None)
        self._crew.stop()
        self._crew.show_turn(None)
        self._changed()

    def play(
        self, table: Table, actor: Actor, seq: int, request: str, move: object, *, seat: int | None = None
    ) -> int | Lift:
        """Make a move, or begin the lift it has to wait for.

        A lift that is under way is not begun again: the same request is told how it stands.

        :returns: the number of the newest entry, or the lift that is waited for.
        """
        if table is not self._table or not self._lifts or not self._crew.can_lift():
            return table.play(actor, seq, request, move, seat=seat)
        with table.lock:  # nobody moves between what is found to be legal and the lift that waits to make it
            if table.answered(request):
                return table.play(actor, seq, request, move, seat=seat)
            press = table.prepare(actor, seq, request, move, seat=seat)
            lift = _lift_before(table, press)
            return table.make(press) if lift is None else self._begin(Waiting(lift, press))

    def _begin(self, waiting: Waiting) -> Lift:
        with self._lock:
            under_way = self._waiting
            if under_way is not None and under_way.press.request != waiting.press.request:
                raise Illegal("stage.lift_under_way")
            if under_way is not None:
                return under_way.lift
            self._waiting, self._mishap = waiting, None
        self._crew.show_turn(waiting.lift.seat)
        self._crew.grip()
        if self.lift is None:  # stopped, or the rig taken away, in the same moment
            self._crew.stop()
        self._changed()
        return waiting.lift

    def _drop(self, mishap: str | None) -> bool:
        """Forget the lift that is under way, if one is."""
        with self._lock:
            had = self._waiting is not None
            self._waiting = None
            if had:
                self._mishap = mishap
            return had

    def _stepped(self, table: Table, written: Sequence[JournalLine]) -> None:
        """After each live step, under the table's lock: nothing here may wait."""
        if not self._playing and self._drop("stage.table_moved_on"):
            self._crew.stop()
            self._changed()
        for line in written:
            match line.entry:
                case Moved() | Fell() | Mended() as entry:
                    self._cue(table, entry)
                case TookBack() | Closed():
                    self._crew.stop()
        self._show(table)

    def _cue(self, table: Table, entry: Moved | Fell | Mended) -> None:
        match table.game.cue(table.step_of(entry)):
            case "grip":
                self._crew.grip()
            case "release":
                self._crew.release()
            case "stop":
                self._crew.stop()

    def _show(self, table: Table) -> None:
        ask = table.ask()
        if isinstance(ask, Finished):
            self._crew.show_turn(None)
            self._crew.sound("done")
        elif isinstance(ask, Turn):
            self._crew.show_turn(ask.seats[0] if len(ask.seats) == 1 else None)
        else:
            self._crew.show_turn(ask.seat)

    def _heard(self, heard: Heard) -> None:
        match heard.kind:
            case "pressed":
                self._pressed(heard.button)
            case "held" | "doubted":
                self._becomes("held" if heard.kind == "held" else "doubted")
            case "failed":
                if self._drop(heard.why):
                    self._crew.sound("warn")
                    self._changed()
            case "done":
                self._lifted()

    def _becomes(self, state: Lifting) -> None:
        with self._lock:
            waiting = self._waiting
            if waiting is None:
                return
            lift = msgspec.structs.replace(waiting.lift, state=state)
            self._waiting = msgspec.structs.replace(waiting, lift=lift)
        self._changed()

    def _lifted(self) -> None:
        """The card is lifted and put aside: now the move counts, under the request it was asked with, so only once."""
        table = self._table
        with self._lock:
            waiting = self._waiting
            if table is None or waiting is None or waiting.lift.state == "gripping":
                return  # an earlier lift, that nobody's move waited for
            self._waiting = None
        with table.lock:
            self._playing = True
            try:
                table.make(waiting.press)
            except Refusal as refusal:
                self._mishap = refusal.key
                self._crew.sound("warn")
            finally:
                self._playing = False
        self._changed()

    def _pressed(self, button: str) -> None:
        """A real button: ``deal`` (or ``seat:N``, for a seat) draws, ``undo`` takes back, any other is a move's name.

        While something is drawn, the button of the move that began it draws too.
        """
        table = self._table
        if table is None:
            return
        actor = Actor("seat", int(button[5:])) if button.startswith("seat:") and button[5:].isdecimal() else HOST
        try:
            self._do(table, actor, "deal" if actor is not HOST else button)
        except Refusal:
            self._crew.sound("warn")

    def _do(self, table: Table, actor: Actor, button: str) -> None:
        with table.lock:
            seq, request = table.seq, f"button {uuid.uuid4().hex}"
            if button == "undo":
                table.take_back(actor, seq, request)
            elif isinstance(table.ask(), Chance):
                if button in {"deal", table.newest_move()}:
                    table.answer(actor, seq, request, None)
            elif (move := self._named(table, actor, button)) is not None:
                self.play(table, actor, seq, request, move)

    def _named(self, table: Table, actor: Actor, name: str) -> dict[str, object] | None:
        """The last legal move of that name: for a roll, the one with all dice."""
        for move in reversed(table.moves(actor).moves):
            plain: dict[str, object] = msgspec.to_builtins(move)
            if plain["type"] == name:
                return plain
        return None


def _lift_before(table: Table, press: Press) -> Lift | None:
    """The lift that has to come before a move, if one has to."""
    moved, _ = press.steps[0]
    if not isinstance(moved, Moved) or not table.game.lift_wanted(table.read_move(moved.move)):
        return None
    return Lift(table.id, moved.seat, moved.move)
