"""Turns what happens at one live table into cues for the rig beside it, and what the rig tells into moves.

Only live steps move anything: what is read from a journal, looked at by a spectator or taken back never does; taking
back, closing and leaving make everything safe. Where the shovel is in use, a move that lifts a card waits until the
lift is verified, and then counts once.

What lies on the cup, and which move waits for it, is one state, the :class:`Cup`: a lift counts for the move it was
made for, or for none, in whatever order hands, buttons, tables and faults come.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from itertools import count
from typing import Literal, Protocol

import msgspec
from msgspec.structs import replace

from companion.game import Ask, Chance, Finished, ShovelCue, Turn
from companion.play.actors import may_act
from companion.play.cup import Cup, Errand, Lift, LiftEnded, Lifting
from companion.play.entries import JournalLine, MovePlayed, OutcomeRecorded, StepsUndone, TableClosed, TableCorrected
from companion.play.lights import Lights, lights_of
from companion.play.sitting import PLAYED_FOR
from companion.play.table import HOST, Actor, Press, Table
from companion.refusals import Illegal, LostRace, Malformed, Refusal

__all__ = ["Crew", "Lift", "LiftEnded", "RigReport", "Sound", "Stage"]

Sound = Literal["turn", "done", "warn"]

OF_THE_SHOVEL = frozenset({"grip", "release", "shovel", "stop", "confirm", "clear"})
"""Buttons that the shovel obeys by itself: no table takes them for moves of the same name."""
REMEMBERED = 100
REST_S = 60.0
"""So long after its last lift a table that only borrowed the rig rests: the table it was borrowed from gets it back."""


class RigReport(msgspec.Struct, frozen=True):
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

    def show_lights(self, lights: Lights) -> None:
        """Show the track of time, where there are lights for it."""

    def sound(self, sound: Sound) -> None:
        """Sound a signal."""

    def grip(self, order: int) -> None:
        """Lift; that it begins, or is refused, is heard with the same order."""

    def release(self) -> None:
        """Put down what is held."""

    def stop(self) -> None:
        """Everything off, at once; harmless to repeat. What was ordered before does not begin."""

    def listen(self, heard: Callable[[RigReport], None]) -> Callable[[], None]:
        """Have `heard` told what happens, in order; the answer ends it."""


class Stage:
    """Stands between the one rig and the one table that uses it.

    The rig goes to whichever table lifts: a move that wants the shovel borrows it from a table that does not lift just
    then, and a table that rests gives it back.

    :param crew: works the rig.
    :param changed: called when a lift begins, changes or ends.
    :param lends: whether moves that lift wait for the shovel, and borrow it, without being asked to.
    """

    def __init__(
        self,
        crew: Crew,
        changed: Callable[[], None] = lambda: None,
        *,
        lends: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._crew = crew
        self._changed = changed
        self._lends = lends
        self._clock = clock
        self._handover = threading.RLock()  # taken before a table's lock, never within it
        self._home: Table | None = None
        self._declined: set[str] = set()
        self._lifted_at = clock()
        self._lock = threading.Lock()
        self._table: Table | None = None
        self._lifts = True
        self._deaf: Callable[[], None] = lambda: None
        self._cup = Cup()
        self._ended: LiftEnded | None = None
        self._newest: dict[str, object] | None = None
        self._planned_weeks = 0
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
        lifts = cup.errand is not None and _lifts_for(table, actor, cup.errand.lift.seat)
        return lifts or (isinstance(ask, Turn) and actor.seat in ask.seats)

    @property
    def rests(self) -> bool:
        """Whether nothing is on the cup, or about to be: another table may have the rig."""
        return self._cup.free

    @property
    def put_by(self) -> bool:
        """Whether the rig was taken away from a table, and waits for one that lifts, or to be given to one."""
        return self._table is None and bool(self._declined)

    def attach(self, table: Table, *, lifts: bool = True) -> None:
        """Give the rig to a table.

        :param lifts: whether its shovel is used; without it a move that lifts a card needs no more than its press.
        """
        with self._handover:
            self._home = None
            self._declined.discard(table.id)
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
        with self._handover:
            self._deaf()
            self._deaf = lambda: None
            self._table = None
            self._planned_weeks = 0
            self._end("stage.rig_taken")
            self._crew.stop()
            self._crew.show_turn(None)
            self._crew.show_lights(Lights())
        self._changed()

    def lend(self, table: Table) -> None:
        """A step is taken at a table: it gets the rig if no table needs it that has it, and nobody has put it by."""
        if self._table is table:
            return
        with self._handover:
            has_it = self._table
            free = not self._declined if has_it is None else has_it.settled() or self._is_due_back_at(table)
            if free and table.id not in self._declined and not (table.over() or table.going):
                self.attach(table, lifts=self._lends)

    def put_rig_by(self, table: Table) -> None:
        """Take the rig away from a table, if it has it: it gets it back by itself no more, and lifts by hand."""
        with self._handover:
            if self._table is table:
                self._declined.add(table.id)
                self.detach()

    def leaves(self, table: str) -> None:
        """A table is no longer here."""
        with self._handover:
            self._declined.discard(table)
            if self._home is not None and self._home.id == table:
                self._home = None
            if self._table is not None and self._table.id == table:
                self.detach()

    def _is_due_back_at(self, table: Table) -> bool:
        return self._home is table and self.rests and self._clock() - self._lifted_at >= REST_S

    def _may_lift(self, table: Table, actor: Actor, seq: int, request: str, move: object, seat: int | None) -> bool:
        """Whether a move is to be made with the shovel: its table has that, or borrows it."""
        if self._table is table:
            return True
        if not self._lends or table.id in self._declined or not self._crew.can_lift():
            return False
        with table.lock:
            if table.answered(request) or self._is_known(table, request):
                return False
            press = table.prepare(actor, seq, request, move, seat=seat)
        return _wants_shovel(table, press)

    def _borrow(self, table: Table) -> None:
        """Have the rig at a table, where nobody else lifts."""
        if self._table is table:
            return
        if not self.rests:
            raise Illegal("shovel.refused.busy")
        home = self._home or self._table
        self.attach(table)
        self._home, self._lifted_at = home, self._clock()

    def play(
        self, table: Table, actor: Actor, seq: int, request: str, move: object, *, seat: int | None = None
    ) -> int | Lift:
        """Make a move, or begin the lift it has to wait for.

        A lift that is under way is not begun again: the same request is told how it stands.

        :returns: the number of the newest entry, or the lift that is waited for.
        """
        if not self._may_lift(table, actor, seq, request, move, seat):
            return self._play(table, actor, seq, request, move, seat, lifts=False)
        with self._handover:  # until the move is made or its lift has begun: nobody takes the rig in between
            if self._may_lift(table, actor, seq, request, move, seat):
                self._borrow(table)
            return self._play(table, actor, seq, request, move, seat, lifts=self._lifts_at(table))

    def _lifts_at(self, table: Table) -> bool:
        """Whether a table's moves wait for the shovel now. It stays so while the handover is locked."""
        return self._table is table and self._lifts and self._crew.can_lift()

    def _play(
        self, table: Table, actor: Actor, seq: int, request: str, move: object, seat: int | None = None, *, lifts: bool
    ) -> int | Lift:
        with table.lock:  # nobody moves between what is found to be legal and the lift that waits to make it
            waited = self._known(table, request, lambda: table.digest_of_move(actor, seq, request, move, seat=seat))
            if waited is not None:
                return waited
            if not lifts or table.answered(request):
                return table.play(actor, seq, request, move, seat=seat)
            press = table.prepare(actor, seq, request, move, seat=seat)
            lift = _lift_before(table, press)
            if lift is not None:
                return self._begin(lift, press)
            try:
                return table.make(press)
            except LostRace:  # another process was first; where several are asked, both count
                return table.play(actor, seq, request, move, seat=seat)

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
            if actor.role == "seat" and not _lifts_for(table, actor, lift.seat):
                raise Illegal("undo.not_yours")
            self._given_up.append((table.id, request))
            self._give_up("stage.taken_back")
            return table.seq

    # A lift from its beginning to its end.

    def _known(self, table: Table, request: str, digest: Callable[[], str]) -> Lift | None:
        """The lift that a request has begun before."""
        if (table.id, request) in self._spent:
            raise Illegal(self._spent[table.id, request])
        errand = self._cup.errand
        if errand is None or errand.press is None or errand.lift.table != table.id or errand.press.request != request:
            return None
        if errand.press.digest != digest():
            raise Malformed("core.request_reused")
        return errand.lift

    def _is_known(self, table: Table, request: str) -> bool:
        """Whether a request has begun a lift before."""
        if (table.id, request) in self._spent:
            return True
        errand = self._cup.errand
        press = errand.press if errand is not None and errand.lift.table == table.id else None
        return press is not None and press.request == request

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
        self._planned_weeks = 0
        self._crew.show_turn(lift.seat)
        if self._table is not None:
            self._show_lights(self._table, lift.seat, lift.move)
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
            self._lifted_at = self._clock()
            if order == 0:
                self._ended = None
            stray = order != 0 and not self._cup.is_for(number)
        if stray:  # nobody waits for it any longer
            self._crew.stop()
        self._changed()

    def _stands(self, number: int, state: Lifting) -> None:
        with self._lock:
            self._cup = self._cup.with_report(number, state)
        self._changed()

    def _lifted(self, number: int) -> None:
        """A card is lifted and put aside: now its move counts, under the request it was asked with, so only once."""
        table = self._table
        with table.lock if table else nullcontext():
            with self._lock:
                errand = self._cup.errand if self._cup.is_for(number) else None
                self._cup = self._cup.over(number)
                self._lifted_at = self._clock()
            if table is not None and errand is not None and errand.press is not None:
                self._count(table, errand, errand.press)
        self._changed()

    def _count(self, table: Table, errand: Errand, press: Press) -> None:
        try:
            _make(table, press)
        except Refusal as refusal:
            with self._lock:
                self._note(errand, refusal.key)
            self._crew.sound("warn")

    def _failed(self, heard: RigReport) -> None:
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
            self._show_no_plan()
        self._changed()

    def _end(self, why: str) -> bool:
        """Have nobody wait any longer; whether somebody did."""
        with self._lock:
            errand = self._cup.errand
            self._cup = replace(self._cup, errand=None)
            if errand is not None:
                self._note(errand, why)
        self._show_no_plan()
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
            if isinstance(line.entry, MovePlayed | OutcomeRecorded | TableCorrected | StepsUndone):
                self._planned_weeks = 0
            if isinstance(line.entry, MovePlayed):
                self._newest = line.entry.move
                self._forget(table, line.entry.seat)
        self._keep_up(table)
        for line in written:
            match line.entry:
                case MovePlayed() | OutcomeRecorded() | TableCorrected() as entry:
                    self._cue(table, line.seq, entry)
                case StepsUndone() if self._is_undone(table):
                    self._give_up("stage.taken_back")
                case TableClosed():
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
        if table.preview(press) != table.preview(errand.press):
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

    def _cue(self, table: Table, step: int, entry: MovePlayed | OutcomeRecorded | TableCorrected) -> None:
        cue: ShovelCue | None = table.game.cue(table.step_of(entry))
        if cue == "grip" and isinstance(entry, MovePlayed):
            self._grip_by(table, step, entry)
        elif cue == "release":
            self._crew.release()
        elif cue == "stop":
            self._crew.stop()

    def _grip_by(self, table: Table, step: int, entry: MovePlayed) -> None:
        """A step tells the shovel to grip; during a lift that changes nothing, as at every button."""
        errand = Errand(next(self._orders), Lift(table.id, entry.seat, entry.move), step=step)
        with self._lock:
            if not self._cup.free:
                return
            self._cup, self._ended = replace(self._cup, errand=errand), None
        self._order(errand)

    def _show(self, table: Table) -> None:
        ask = table.ask()
        seat = _asked_seat(ask)
        self._crew.show_turn(seat)
        self._show_lights(table, seat, self._newest if isinstance(ask, Chance) else self._plan_shown())
        if isinstance(ask, Finished) and table.settled():
            self._crew.sound("done")

    def plan(self, table: Table, weeks: int) -> None:
        """Show how far a move would reach that the table's shared screen plans, until the table moves on.

        Another table's plans, and what is planned while something is drawn or lifted, are shown nowhere.
        """
        with table.lock:
            ask = table.ask()
            if self._table is table and self._cup.free and isinstance(ask, Turn):
                self._planned_weeks = weeks
                self._show_lights(table, _asked_seat(ask), self._plan_shown())

    def _plan_shown(self) -> dict[str, object]:
        """What is about to be done: the move that is lifted, or what is planned."""
        lift = self.lift
        return {"weeks": self._planned_weeks} if lift is None else lift.move

    def _show_no_plan(self) -> None:
        table = self._table
        if table is not None:
            self._show_lights(table, _asked_seat(table.ask()), None)

    def _show_lights(self, table: Table, seat: int | None, move: dict[str, object] | None) -> None:
        """Show the track as everybody sees it, with the weeks that a move will take."""
        position = table.position()
        board = table.game.sees(position.state, None, settled=table.settled()).board
        self._crew.show_lights(lights_of(board, seat, move))

    # What the rig tells.

    def _heard(self, heard: RigReport) -> None:
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
        if button in OF_THE_SHOVEL:
            return
        actor = Actor("seat", int(button[5:])) if button.startswith("seat:") and button[5:].isdecimal() else HOST
        with self._handover:  # nobody takes the rig until the button is obeyed
            try:
                if self._table is not None:
                    self._do(self._table, actor, "deal" if actor is not HOST else button)
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
                self._play(table, actor, seq, request, move, lifts=self._lifts_at(table))

    def _named(self, table: Table, actor: Actor, name: str) -> dict[str, object] | None:
        """The last legal move of that name: for a roll, the one with all dice."""
        for move in reversed(table.moves(actor).moves):
            plain: dict[str, object] = msgspec.to_builtins(move)
            if plain["type"] == name:
                return plain
        return None


def _make(table: Table, press: Press) -> None:
    """Make a move whose card is lifted, whatever others have made meanwhile, here or in another process."""
    try:
        table.make(press if press.seq == table.seq else table.again(press))
    except LostRace:
        table.make(table.again(press))


def _lifts_for(table: Table, actor: Actor, seat: int | None) -> bool:
    """Whether a lift for a seat is in this actor's hands. For a seat at which no person plays, anybody lifts."""
    return actor.seat == seat or (seat is not None and table.kinds[seat] in PLAYED_FOR)


def _lift_before(table: Table, press: Press) -> Lift | None:
    """The lift that has to come before a move, if one has to."""
    moved, _ = press.steps[0]
    if not isinstance(moved, MovePlayed) or not table.game.lift_wanted(table.read_move(moved.move)):
        return None
    return Lift(table.id, moved.seat, moved.move)


def _asked_seat(ask: Ask) -> int | None:
    """The one seat that is asked, or whose hand draws."""
    if isinstance(ask, Turn):
        return ask.seats[0] if len(ask.seats) == 1 else None
    return None if isinstance(ask, Finished) else ask.seat


def _wants_shovel(table: Table, press: Press) -> bool:
    """Whether a move waits for a lift, or tells the shovel to grip."""
    moved, _ = press.steps[0]
    if _lift_before(table, press) is not None:
        return True
    return isinstance(moved, MovePlayed) and table.game.cue(table.step_of(moved)) == "grip"
