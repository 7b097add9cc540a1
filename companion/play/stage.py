"""Turns what happens at one live table into cues for the rig beside it, and what the rig tells into moves.

Only live steps move anything: what is read from a journal, looked at by a spectator or taken back never does; taking
back, closing and leaving make everything safe. Where the shovel is in use, a move that lifts a card waits until the
lift is verified, and then counts once.

What lies on the cup, and which move waits for it, is one state, the :class:`Cup`: a lift counts for the move it was
made for, or for none, in whatever order hands, buttons, tables and faults come.
"""

from __future__ import annotations

import threading
import uuid
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from itertools import count
from typing import Literal, Protocol

import msgspec
from msgspec.structs import replace

from companion.game import Chance, Finished, ShovelCue, Turn
from companion.play.actors import may_act
from companion.play.cup import Cup, Errand, Lift, LiftEnded, Lifting
from companion.play.entries import Closed, Fell, JournalLine, Mended, Moved, TookBack
from companion.play.table import HOST, Actor, Press, Table
from companion.refusals import Illegal, Malformed, Refusal

__all__ = ["Crew", "Heard", "Lift", "LiftEnded", "Sound", "Stage"]

Sound = Literal["turn", "done", "warn"]

OF_THE_SHOVEL = frozenset({"grip", "release", "shovel", "stop", "confirm", "clear"})
"""Buttons that the shovel obeys by itself: no table takes them for moves of the same name."""
REMEMBERED = 100


class Heard(msgspec.Struct, frozen=True):
    """What the rig tells: a button by its name, or what becomes of a lift.

    :ivar lift: the shovel's own number of it; 0 for one that was refused
    :ivar order: what it was asked for with; 0 where a hand asked
    """

    kind: Literal["pressed", "begun", "held", "doubted", "done", "failed", "other"]
    button: str = ""
    why: str = ""
    lift: int = 0
    order: int = 0


class Crew(Protocol):
    """Who works the rig as the stage calls for it: all that the companion knows of hardware. No call may wait."""

    def can_lift(self) -> bool:
        """Whether a shovel is there to lift with."""

    def why_not_now(self) -> str | None:
        """Why it would refuse to lift at this moment, as the key of a sentence."""

    def show_turn(self, seat: int | None) -> None:
        """Light the lamp of the seat that is asked, and no other."""

    def sound(self, sound: Sound) -> None:
        """Sound a signal."""

    def grip(self, order: int) -> None:
        """Lift; that it begins, or is refused, is heard with the same order."""

    def release(self) -> None:
        """Put down what is held."""

    def stop(self) -> None:
        """Everything off, at once; harmless to repeat. What was ordered before does not begin."""

    def listen(self, heard: Callable[[Heard], None]) -> Callable[[], None]:
        """Have `heard` told what happens, in order; the answer ends it."""


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
        self._cup = Cup()
        self._ended: LiftEnded | None = None
        self._orders = count(1)
        self._spent: dict[tuple[str, str], str] = {}  # presses whose lifts came to nothing, and why
        self._given_up: deque[tuple[str, str]] = deque(maxlen=REMEMBERED)  # presses that ended a lift
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
        errand = self._cup.errand
        return errand.lift if errand and errand.press else None

    @property
    def ended(self) -> LiftEnded | None:
        """The newest lift, where it came to nothing."""
        return self._ended

    @property
    def mishap(self) -> str | None:
        """Why the newest lift that a move waited for came to nothing."""
        return self._ended.why if self._ended and self._ended.move else None

    def may_let_go(self, actor: Actor) -> bool:
        """Whether a seat may put down what is on the cup: it lifts that, or the table asks it."""
        table, cup = self._table, self._cup
        if table is None or cup.free or actor.role != "seat":
            return False
        ask = table.ask()
        lifts = cup.errand is not None and cup.errand.lift.seat == actor.seat
        return lifts or (isinstance(ask, Turn) and actor.seat in ask.seats)

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
        self._end("stage.rig_taken")
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
        with table.lock:  # nobody moves between what is found to be legal and the lift that waits to make it
            waited = self._known(table, request, lambda: table.asked(actor, seq, request, move, seat=seat))
            if waited is not None:
                return waited
            lifts = table is self._table and self._lifts and self._crew.can_lift()
            if not lifts or table.answered(request):
                return table.play(actor, seq, request, move, seat=seat)
            press = table.prepare(actor, seq, request, move, seat=seat)
            lift = _lift_before(table, press)
            return table.make(press) if lift is None else self._begin(lift, press)

    def take_back(self, table: Table, actor: Actor, seq: int, request: str, to: int | None = None) -> int:
        """Take a step back; in the middle of a lift that ends the lift, and takes back nothing.

        :returns: the number of the newest entry.
        """
        with table.lock:
            if (table.id, request) in self._given_up:
                return table.seq
            lift = self.lift
            if lift is None or lift.table != table.id:
                return table.take_back(actor, seq, request, to)
            may_act(actor)
            table.check(seq)
            if actor.role == "seat" and actor.seat != lift.seat:
                raise Illegal("undo.not_yours")
            self._given_up.append((table.id, request))
            self._give_up("stage.taken_back")
            return table.seq

    # A lift from its beginning to its end.

    def _known(self, table: Table, request: str, asked: Callable[[], str]) -> Lift | None:
        """The lift that a request has begun before."""
        if (table.id, request) in self._spent:
            raise Illegal(self._spent[table.id, request])
        errand = self._cup.errand
        if errand is None or errand.press is None or errand.lift.table != table.id or errand.press.request != request:
            return None
        if errand.press.asked != asked():
            raise Malformed("core.request_reused")
        return errand.lift

    def _begin(self, lift: Lift, press: Press) -> Lift:
        errand = Errand(next(self._orders), lift, press)
        with self._lock:
            if self.lift is not None:
                raise Illegal("stage.lift_under_way")
            if not self._cup.free:
                raise Illegal("stage.cup_taken")
            if (why_not := self._crew.why_not_now()) is not None:
                raise Illegal(why_not)
            self._cup, self._ended = replace(self._cup, errand=errand), None
        self._crew.show_turn(lift.seat)
        self._order(errand)
        return lift

    def _order(self, errand: Errand) -> None:
        self._crew.grip(errand.order)
        now = self._cup.errand
        if now is None or now.order != errand.order:  # stopped, or the rig taken away, in the same moment
            self._crew.stop()
        self._changed()

    def _begun(self, number: int, order: int) -> None:
        with self._lock:
            self._cup = self._cup.begun(number, order)
            if order == 0:
                self._ended = None
            stray = order != 0 and not self._cup.is_for(number)
        if stray:  # nobody waits for it any longer
            self._crew.stop()
        self._changed()

    def _stands(self, number: int, state: Lifting) -> None:
        with self._lock:
            self._cup = self._cup.told(number, state)
        self._changed()

    def _lifted(self, number: int) -> None:
        """A card is lifted and put aside: now its move counts, under the request it was asked with, so only once."""
        table = self._table
        with table.lock if table else nullcontext():
            with self._lock:
                errand = self._cup.errand if self._cup.is_for(number) else None
                self._cup = self._cup.over(number)
            if table is not None and errand is not None and errand.press is not None:
                self._count(table, errand, errand.press)
        self._changed()

    def _count(self, table: Table, errand: Errand, press: Press) -> None:
        try:
            table.make(press if press.seq == table.seq else table.again(press))
        except Refusal as refusal:
            with self._lock:
                self._note(errand, refusal.key)
            self._crew.sound("warn")

    def _failed(self, heard: Heard) -> None:
        table = self._table
        with self._lock:
            cup, errand = self._cup, self._cup.errand
            refused = heard.lift == 0 and errand is not None and errand.order == heard.order
            mine = refused or cup.is_for(heard.lift)
            by_hand = cup.by_hand and cup.on == heard.lift
            self._cup = replace(cup, errand=None) if refused else cup.over(heard.lift)
            if mine and errand is not None:
                self._note(errand, heard.why)
            elif by_hand and not self.mishap:  # whose move has come to nothing meanwhile is told that first
                self._ended = LiftEnded(heard.why, table.id if table else None)
        if mine:
            self._crew.sound("warn")
        self._changed()

    def _end(self, why: str) -> bool:
        """Have nobody wait any longer; whether somebody did."""
        with self._lock:
            errand = self._cup.errand
            self._cup = replace(self._cup, errand=None)
            if errand is not None:
                self._note(errand, why)
        return errand is not None

    def _give_up(self, why: str) -> None:
        if self._end(why):
            self._crew.stop()
            self._changed()

    def _note(self, errand: Errand, why: str) -> None:
        lift, press = errand.lift, errand.press
        self._ended = LiftEnded(why, lift.table, lift.seat, lift.move if press else None)
        if press is not None:
            self._spent[lift.table, press.request] = why
            if len(self._spent) > REMEMBERED:
                del self._spent[next(iter(self._spent))]

    # What happens at the table.

    def _stepped(self, table: Table, written: Sequence[JournalLine]) -> None:
        """After each live step, under the table's lock: nothing here may wait."""
        for line in written:
            if isinstance(line.entry, Moved):
                self._forget(table, line.entry.seat)
        self._keep_up(table)
        for line in written:
            match line.entry:
                case Moved() | Fell() | Mended() as entry:
                    self._cue(table, line.seq, entry)
                case TookBack() if self._is_undone(table):
                    self._give_up("stage.taken_back")
                case Closed():
                    self._crew.stop()
        self._show(table)

    def _forget(self, table: Table, seat: int) -> None:
        """Whose lift had come to nothing has moved on."""
        ended = self._ended
        if ended is not None and ended.table == table.id and ended.seat in {None, seat}:
            self._ended = None
            self._changed()

    def _keep_up(self, table: Table) -> None:
        """A step that has nothing to do with a lift leaves it alone; one that its move does not survive ends it.

        While something is drawn, no move is legal, and nothing is decided.
        """
        errand = self._cup.errand
        if errand is None or errand.press is None or isinstance(table.ask(), Chance):
            return
        try:
            press = table.again(errand.press)
        except Refusal:
            self._give_up("stage.table_moved_on")
            return
        if table.means(press) != table.means(errand.press):
            self._give_up("stage.table_moved_on")
            return
        with self._lock:
            now = self._cup.errand
            if now is not None and now.order == errand.order:
                self._cup = replace(self._cup, errand=replace(now, press=press))

    def _is_undone(self, table: Table) -> bool:
        """Whether the step that told the shovel to grip counts no longer."""
        errand = self._cup.errand
        if errand is None or errand.press is not None or errand.lift.table != table.id:
            return False
        return errand.step not in table.survivors(down_to=errand.step - 1)

    def _cue(self, table: Table, step: int, entry: Moved | Fell | Mended) -> None:
        cue: ShovelCue | None = table.game.cue(table.step_of(entry))
        if cue == "grip" and isinstance(entry, Moved):
            self._grip_by(table, step, entry)
        elif cue == "release":
            self._crew.release()
        elif cue == "stop":
            self._crew.stop()

    def _grip_by(self, table: Table, step: int, entry: Moved) -> None:
        """A step tells the shovel to grip; during a lift that changes nothing, as at every button."""
        errand = Errand(next(self._orders), Lift(table.id, entry.seat, entry.move), step=step)
        with self._lock:
            if not self._cup.free:
                return
            self._cup, self._ended = replace(self._cup, errand=errand), None
        self._order(errand)

    def _show(self, table: Table) -> None:
        ask = table.ask()
        if isinstance(ask, Finished):
            self._crew.show_turn(None)
            if table.settled():
                self._crew.sound("done")
        elif isinstance(ask, Turn):
            self._crew.show_turn(ask.seats[0] if len(ask.seats) == 1 else None)
        else:
            self._crew.show_turn(ask.seat)

    # What the rig tells.

    def _heard(self, heard: Heard) -> None:
        match heard.kind:
            case "pressed":
                self._pressed(heard.button)
            case "begun":
                self._begun(heard.lift, heard.order)
            case "held" | "doubted":
                self._stands(heard.lift, "held" if heard.kind == "held" else "doubted")
            case "failed":
                self._failed(heard)
            case "done":
                self._lifted(heard.lift)

    def _pressed(self, button: str) -> None:
        """A real button: ``deal`` (or ``seat:N``, for a seat) draws, ``undo`` takes back, any other is a move's name.

        While something is drawn, the button of the move that began it draws too. The shovel's own are not the table's.
        """
        table = self._table
        if table is None or button in OF_THE_SHOVEL:
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
                self.take_back(table, actor, seq, request)
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
