"""A rig that is there: one loop that owns the devices, commands in by queue, the state out as a value."""

import atexit
import logging
import queue
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotInTime
from typing import TypeVar

from gpiozero import GPIOZeroError
from msgspec.structs import replace

from hardware.calibration import Calibration, Reading
from hardware.cues import Buzz, Cue, Grip, Lamp, Release, Show, Stop, Turn
from hardware.events import Fault, LiftBegun, LiftDone, LiftDoubted, LiftFailed, LinkBack, LinkLost, Pressed, RigEvent
from hardware.face import Do, Poke, Rig
from hardware.faults import ShovelRefused
from hardware.lifter import Lifter
from hardware.news import Listeners, News, Vigil
from hardware.panel import Panel
from hardware.parts import Parts
from hardware.senses import PUMPING
from hardware.states import STALE_S, RigKind, RigState, gist

log = logging.getLogger(__name__)

T = TypeVar("T")

BUSY_TURN_S = 0.02
IDLE_TURN_S = 0.05
RENEW_EVERY_S = 0.2
TELL_EVERY_S = 0.1
ANSWER_WITHIN_S = 2.0
STOP_SEEN_WITHIN_S = 0.3
CALIBRATED_WITHIN_S = 6.0


class LiveRig(Rig):
    """
    The hardware beside one table.

    One thread owns the devices. It goes round every 20 ms while something moves and every 50 ms
    otherwise, and the lease of the pump is renewed from there alone: if it hangs, the board lets go.

    :param parts: what is attached
    :param start: whether to start the loop; without it :meth:`turn` is the caller's to call
    """

    def __init__(
        self, kind: RigKind, parts: Parts, *, clock: Callable[[], float] = time.monotonic, start: bool = True
    ) -> None:
        self.kind = kind
        self._parts = parts
        self._clock = clock
        self._commands: queue.SimpleQueue[Callable[[float], None]] = queue.SimpleQueue()
        self._wake = threading.Event()
        self._closing = False
        self._closed = threading.Lock()
        self._news = News()
        self._vigil = Vigil(self.silence, STALE_S, self._tell_watchers)
        self._listeners = Listeners[RigEvent]()
        self._watchers = Listeners[RigState]()
        self._shovel = self._make_shovel()
        self._newest_stop = object()
        self._connected: bool | None = None
        self._absent = kind == "serial" and parts.wire is not None and not parts.wire.state().connected
        self._renewed = self._round = clock()
        self._told_at = float("-inf")
        self._last_failure = ""
        self._state = self._told = self._snapshot(clock())
        self._thread = threading.Thread(target=self._run, name="digside-rig", daemon=True) if start else None
        atexit.register(self.make_safe)  # gpiozero's own exit only makes inputs of the pins, and comes after this
        self._news.start()
        if parts.panel:
            parts.panel.listen(self.pressed)
        if self._thread:
            self._thread.start()
            self._vigil.start()

    def state(self) -> RigState:
        """Everything, as the loop last saw it, and how long ago that was."""
        age = self.silence()
        return replace(self._state, age_s=round(age, 1), stale=age > STALE_S)

    def cue(self, cue: Cue) -> None:
        """Show, sound or do something soon; stop at once."""
        if isinstance(cue, Show):
            self._news.tell(lambda: self._show(cue))
        elif isinstance(cue, Stop):
            self._stop_shovel()
        elif isinstance(cue, Grip):
            newest_stop = self._newest_stop
            self.put(lambda now: self._grip_for(cue.order, now, newest_stop))
        else:
            self.put(lambda now: self._follow(cue, now))

    def shovel(self, do: Do, *, reading: Reading | None = None, sure: bool = False) -> RigState:
        """Do something with the shovel, and return the state after it."""
        if do == "stop":
            return self._stop()
        if do == "calibrate":
            self.calibrate(reading or self._needed_shovel().calibration.next)
            return self.state()
        shovel = self._needed_shovel()
        acts: Mapping[str, Callable[[float], None]] = {
            "grip": lambda now: self._grip(now, sure=sure),
            "release": shovel.release,
            "clear": shovel.clear,
            "confirm": shovel.confirm,
        }
        if do not in acts:
            raise ShovelRefused("not_understood")
        return self._ask(self._then_look(acts[do]))

    def listen(self, heard: Callable[[RigEvent], None]) -> Callable[[], None]:
        """Have *heard* told every event."""
        return self._listeners.add(heard)

    def watch(self, changed: Callable[[RigState], None]) -> Callable[[], None]:
        """Have *changed* given the state as it changes."""
        return self._watchers.add(changed)

    def calibrate(self, reading: Reading) -> Calibration:
        """Take one of the three guided readings."""
        shovel = self._needed_shovel()
        outcome: Future[Calibration | ShovelRefused] = Future()
        self._ask(self._then_look(lambda now: shovel.measure(reading, now, outcome.set_result)))
        try:
            taken = outcome.result(timeout=CALIBRATED_WITHIN_S)
        except NotInTime:
            raise ShovelRefused("no_answer") from None
        if isinstance(taken, ShovelRefused):
            raise taken
        if taken.complete:
            self._keep(taken)
        self._ask(self._look)  # whoever asks for the state after this sees the reading in it
        return taken

    def world(self, do: Poke, value: float | None = None) -> RigState:
        """Poke the simulated world."""
        wire = self._parts.wire
        if wire is None:
            raise ShovelRefused("no_world")
        wire.poke(do, value)
        return self._ask(self._look)

    def make_safe(self) -> None:
        """Pump off and valve open, for good; takes no lock."""
        if self._shovel:
            self._shovel.halt()

    def silence(self) -> float:
        """Seconds since the loop last came round."""
        return max(0.0, self._clock() - self._round)

    def close(self) -> None:
        """Everything safe first, then the loop ends, then the devices are given back."""
        self.make_safe()
        if not self._closed.acquire(blocking=False):
            return
        self._closing = True
        self._vigil.close()
        self._wake.set()
        if self._thread:
            self._thread.join(timeout=ANSWER_WITHIN_S)
        self._news.close()
        atexit.unregister(self.make_safe)
        parts = self._parts
        for part in (parts.air, parts.panel, parts.display, parts.wire):
            try:
                if part is not None:
                    part.close()
            except (OSError, GPIOZeroError):
                log.exception("a part of the rig could not be closed")

    def pressed(self, button: str) -> None:
        """A real button went down; called from whatever thread saw it."""
        if button == "stop":
            self._stop_shovel()
        self.put(lambda now: self._press(button, now))

    # The loop.

    def turn(self, now: float) -> None:
        """Go round once."""
        self._round = now
        self._watch_link()
        self._obey(now)
        if self._shovel:
            self._shovel.tick(now)
        if self._parts.air and now - self._renewed >= RENEW_EVERY_S:
            self._renewed = now
            self._parts.air.renew()
        if self._parts.panel:
            self._on_panel(lambda panel: panel.tick(now))
        self._look(now)
        self._publish(now)

    def _run(self) -> None:
        while not self._closing:
            now = self._clock()
            try:
                self.turn(now)
            except Exception as why:
                self._break_down(why, now)
            self._wake.wait(self._pause())
            self._wake.clear()

    def _pause(self) -> float:
        moving = self._shovel and (self._shovel.phase not in ("off", "fault") or self._shovel.measuring is not None)
        sounding = self._parts.panel and self._parts.panel.sounding
        return BUSY_TURN_S if moving or sounding else IDLE_TURN_S

    def _break_down(self, why: Exception, now: float) -> None:
        """The loop has a mistake: make the shovel safe, say so once, and go on."""
        if self._shovel:
            self._shovel.break_down(now)
        if repr(why) != self._last_failure:
            self._last_failure = repr(why)
            log.error("the rig's loop failed", exc_info=why)

    def _obey(self, now: float) -> None:
        while True:
            try:
                command = self._commands.get_nowait()
            except queue.Empty:
                return
            command(now)

    def put(self, command: Callable[[float], None]) -> None:
        """Have the loop run *command* soon, with the time; returns at once."""
        self._commands.put(command)
        self._wake.set()

    def _ask(self, question: Callable[[float], T], within: float = ANSWER_WITHIN_S) -> T:
        """Have the loop answer; where no loop was started the caller is the loop."""
        if self._closing:
            raise ShovelRefused("closed")
        if self._thread is None:
            return question(self._clock())
        answer: Future[T] = Future()

        def command(now: float) -> None:
            if not answer.set_running_or_notify_cancel():
                return
            try:
                answer.set_result(question(now))
            except Exception as refused:
                answer.set_exception(refused)

        self.put(command)
        try:
            return answer.result(timeout=within)
        except NotInTime:
            answer.cancel()
            raise ShovelRefused("no_answer") from None

    def _keep(self, calibration: Calibration) -> None:
        if self._parts.kept is None:
            return
        try:
            self._parts.kept.save(calibration)
        except OSError as why:
            log.exception("the calibration could not be kept")
            raise ShovelRefused("not_kept") from why

    def _stop_shovel(self) -> None:
        """Stop, and whatever lift was ordered before and has not begun."""
        self._newest_stop = object()
        if self._shovel:
            self._shovel.stop()
        self._wake.set()

    def _stop(self) -> RigState:
        self._stop_shovel()
        try:
            return self._ask(self._then_look(lambda now: None), within=STOP_SEEN_WITHIN_S)
        except ShovelRefused:  # it has stopped all the same
            return self.state()

    def _then_look(self, act: Callable[[float], None]) -> Callable[[float], RigState]:
        def acting(now: float) -> RigState:
            act(now)
            if self._shovel:
                self._shovel.tick(now)
            return self._look(now)

        return acting

    # What the table and the people ask.

    def _follow(self, cue: Cue, now: float) -> None:
        match cue:
            case Release():
                self._try(lambda shovel: shovel.release(now))
            case Lamp(seat, on):
                self._on_panel(lambda panel: panel.lamp(seat, on))
            case Turn(seat_to_move):
                self._on_panel(lambda panel: panel.show_turn(seat_to_move))
            case Buzz(kind):
                self._on_panel(lambda panel: panel.buzz(kind))

    def _press(self, button: str, now: float) -> None:
        self._tell(Pressed(button))
        match button:
            case "grip":
                self._try(lambda shovel: self._grip(now))
            case "release":
                self._try(lambda shovel: shovel.release(now))
            case "shovel":
                self._try(lambda shovel: self._grip(now) if shovel.phase == "off" else shovel.release(now))
            case "confirm":
                self._try(lambda shovel: shovel.confirm(now))
            case "clear":
                self._try(lambda shovel: shovel.clear(now))

    def _grip(self, now: float, *, order: int = 0, sure: bool = False) -> None:
        """Lift, and tell that a lift has begun; asked again during a lift it changes nothing."""
        shovel = self._needed_shovel()
        before = shovel.lift
        shovel.grip(now, sure=sure)
        if shovel.lift != before:
            self._tell(LiftBegun(shovel.lift, order))

    def _grip_for(self, order: int, now: float, newest_stop: object) -> None:
        """Lift for whoever gave that order: never with a lift that somebody else has begun."""
        if newest_stop is not self._newest_stop:
            self._tell(LiftFailed(0, "stopped", order))
            return
        try:
            if self._needed_shovel().phase in PUMPING:
                raise ShovelRefused("busy")
            self._grip(now, order=order)
        except ShovelRefused as refused:
            self._tell(LiftFailed(0, refused.code, order))

    def _try(self, act: Callable[[Lifter], None]) -> None:
        """Do what nobody waits for the answer of; a refusal is an event."""
        try:
            act(self._needed_shovel())
        except ShovelRefused as refused:
            self._tell(LiftFailed(0, refused.code))

    def _on_panel(self, act: Callable[[Panel], None]) -> None:
        if self._parts.panel is None:
            return
        try:
            act(self._parts.panel)
        except (OSError, GPIOZeroError) as why:  # it is lit again when the board is back
            log.debug("the panel is out of reach: %s", why)

    def _show(self, cue: Show) -> None:
        if self._parts.display:
            self._parts.display.show(cue.lines)

    # What is so, and telling it.

    def _make_shovel(self) -> Lifter | None:
        parts = self._parts
        if parts.air is None:
            return None
        calibration = parts.kept.load() if parts.kept and parts.thresholds is None else None
        return Lifter(
            parts.air,
            tell=self._tell,
            limits=parts.limits,
            calibration=calibration,
            thresholds=parts.thresholds,
        )

    def _needed_shovel(self) -> Lifter:
        if self._shovel is None:
            raise ShovelRefused("no_shovel")
        if self._absent:
            raise ShovelRefused("absent")
        return self._shovel

    def _tell(self, event: RigEvent) -> None:
        match event:
            case Fault() | LiftDoubted():
                self._on_panel(lambda panel: panel.buzz("fault" if isinstance(event, Fault) else "warn"))
            case LiftFailed():
                self._on_panel(lambda panel: panel.buzz("warn"))
            case LiftDone():
                self._on_panel(lambda panel: panel.buzz("done"))
        self._news.tell(lambda: self._listeners.tell(event))

    def _watch_link(self) -> None:
        if self._parts.wire is None:
            return
        before, self._connected = self._connected, self._parts.wire.state().connected
        self._absent = self._absent and not self._connected
        if before and not self._connected:
            self._tell(LinkLost())
        elif self._connected and not before:
            self._on_panel(Panel.refresh)
            if before is not None:
                self._tell(LinkBack())

    def _snapshot(self, now: float) -> RigState:
        panel, wire = self._parts.panel, self._parts.wire
        return RigState(
            kind=self.kind,
            at=now,
            shovel=self._shovel.state(now) if self._shovel and not self._absent else None,
            link=wire.state() if wire else None,
            lamps=panel.lamps if panel else (),
            turn=panel.turn if panel else False,
            buttons=panel.down() if panel else (),
            world=wire.world() if wire else None,
            absent=self._absent,
        )

    def _look(self, now: float) -> RigState:
        self._state = self._snapshot(now)
        return self._state

    def _publish(self, now: float) -> None:
        state = self._state
        if now - self._told_at < TELL_EVERY_S or gist(state) == gist(self._told):
            return
        self._told, self._told_at = state, now
        self._tell_watchers()

    def _tell_watchers(self) -> None:
        state = self.state()
        self._news.tell(lambda: self._watchers.tell(state))
