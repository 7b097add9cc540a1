"""A rig that is there: one loop that owns the devices, commands in by queue, the state out as a value."""

import atexit
import logging
import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from contextlib import contextmanager
from functools import partial
from typing import Protocol, TypeVar

from gpiozero import GPIOZeroError
from msgspec.structs import replace

from hardware.air import Air
from hardware.calibration import Calibration, CalibrationFile, Reading
from hardware.dispatch import Dispatcher, Listeners, StallDetector
from hardware.display import Display
from hardware.events import (
    STALE_S,
    Buzz,
    Cue,
    Fault,
    Grip,
    Lamp,
    LiftBegun,
    LiftDone,
    LiftDoubted,
    LiftFailed,
    LinkDown,
    LinkState,
    LinkUp,
    Pressed,
    Release,
    RigEvent,
    RigKind,
    RigState,
    ShovelState,
    ShowText,
    ShowTrack,
    ShowTurn,
    StopShovel,
    WorldState,
    gist,
)
from hardware.face import Do, Poke, Rig
from hardware.faults import ShovelRefused
from hardware.lifter import Lifter, LiftLimits
from hardware.lights import as_hex
from hardware.panel import Panel
from hardware.senses import PUMPING

log = logging.getLogger(__name__)

T = TypeVar("T")
Command = Callable[[float], None]

BUSY_INTERVAL_S = 0.02
IDLE_INTERVAL_S = 0.05
RENEW_INTERVAL_S = 0.2
PUBLISH_INTERVAL_S = 0.1
ANSWER_WITHIN_S = 2.0
STOP_SEEN_WITHIN_S = 0.3
CALIBRATED_WITHIN_S = 6.0


class BoardConnection(Protocol):
    """The link to a board, and the simulated world behind it if there is one."""

    def state(self) -> LinkState:
        """How good the link is."""

    def world(self) -> WorldState | None:
        """The simulated world; ``None`` for a real board."""

    def poke(self, do: Poke, value: float | None) -> None:
        """Do something to the simulated world."""

    def close(self) -> None:
        """Leave everything safe and give the port back."""


class LiveRig(Rig):
    """
    The hardware beside one table.

    One thread owns the devices. It goes round every 20 ms while something moves and every 50 ms otherwise, and the
    lease of the pump is renewed from there alone: if it hangs, the board lets go. Any part may be missing.

    :param limits: the times and pressures of a lift
    :param calibration: where the calibration of a gauge is kept
    """

    def __init__(
        self,
        kind: RigKind,
        *,
        air: Air | None = None,
        panel: Panel | None = None,
        display: Display | None = None,
        wire: BoardConnection | None = None,
        limits: LiftLimits | None = None,
        calibration: CalibrationFile | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.kind = kind
        self._air, self._panel, self._display, self._wire = air, panel, display, wire
        self._calibration = calibration
        self._clock = clock
        self._commands: queue.SimpleQueue[Command] = queue.SimpleQueue()
        self._wake = threading.Event()
        self._closing = False
        self._closed = threading.Lock()
        self._dispatcher = Dispatcher()
        self._stall_detector = StallDetector(self.silence, STALE_S, self._notify_watchers)
        self._listeners = Listeners[RigEvent]()
        self._watchers = Listeners[RigState]()
        known = calibration.load() if calibration and air and air.thresholds is None else None
        self._shovel = Lifter(air, emit=self._emit, limits=limits, calibration=known) if air else None
        self._newest_stop = object()
        self._connected: bool | None = None
        self._absent = kind == "serial" and wire is not None and not wire.state().connected
        self._renewed_at = self._ran_at = clock()
        self._published_at = float("-inf")
        self._pending_events: list[RigEvent] = []
        self._last_failure = ""
        self._state = self._published = self._snapshot(clock())
        self._thread: threading.Thread | None = None
        atexit.register(self.make_safe)  # gpiozero's own exit only makes inputs of the pins, and comes after this
        self._dispatcher.start()
        if panel:
            panel.listen(self.pressed)

    def start(self) -> None:
        """Start the loop; without it :meth:`run_once` is the caller's to call."""
        self._thread = threading.Thread(target=self._run, name="digside-rig", daemon=True)
        self._thread.start()
        self._stall_detector.start()

    def state(self) -> RigState:
        """Everything, as the loop last saw it, and how long ago that was."""
        age = self.silence()
        return replace(self._state, age_s=round(age, 1), stale=age > STALE_S)

    def cue(self, cue: Cue) -> None:
        """Show, sound or do something soon; stop at once."""
        newest_stop = self._newest_stop
        match cue:
            case StopShovel():
                self._stop_shovel()
            case ShowText(lines):
                if self._display:
                    self._dispatcher.submit(partial(self._display.show, lines))
            case Grip(order):
                self.put(lambda now: self._grip_for(order, now, newest_stop))
            case Release():
                self.put(lambda now: self._try(lambda shovel: shovel.release(now)))
            case Lamp(seat, on):
                self.put(lambda now: self._on_panel(lambda panel: panel.lamp(seat, on)))
            case ShowTurn(seat_to_move):
                self.put(lambda now: self._on_panel(lambda panel: panel.show_turn(seat_to_move)))
            case ShowTrack():
                self.put(lambda now: self._on_panel(lambda panel: panel.show_lights(cue)))
            case Buzz(kind):
                self.put(lambda now: self._on_panel(lambda panel: panel.buzz(kind)))

    def shovel(self, do: Do, *, reading: Reading | None = None, sure: bool = False) -> RigState:
        """Do something with the shovel, and return the state after it."""
        if do == "stop":
            return self._stop()
        shovel, newest_stop = self._needed_shovel(), self._newest_stop
        if do == "calibrate":
            self.calibrate(reading or shovel.calibration.next)
            return self.state()
        acts: Mapping[str, Command] = {
            "grip": lambda now: self._grip(now, newest_stop, sure=sure),
            "release": shovel.release,
            "clear": shovel.clear,
            "confirm": shovel.confirm,
        }
        if do not in acts:
            raise ShovelRefused("not_understood")
        return self._do(acts[do])

    def listen(self, heard: Callable[[RigEvent], None]) -> Callable[[], None]:
        """Have *heard* told every event."""
        return self._listeners.add(heard)

    def watch(self, changed: Callable[[RigState], None]) -> Callable[[], None]:
        """Have *changed* given the state as it changes."""
        return self._watchers.add(changed)

    def calibrate(self, reading: Reading) -> Calibration:
        """Take one of the three guided readings."""
        shovel, newest_stop = self._needed_shovel(), self._newest_stop
        outcome: Future[Calibration | ShovelRefused] = Future()

        def measure(now: float) -> None:
            with self._unless_stopped_since(newest_stop):
                shovel.measure(reading, now, outcome.set_result)

        self._do(measure)
        try:
            taken = outcome.result(timeout=CALIBRATED_WITHIN_S)
        except FutureTimeoutError:
            raise ShovelRefused("no_answer") from None
        if isinstance(taken, ShovelRefused):
            raise taken
        if taken.complete:
            self._keep(taken)
        self._ask(self._look)  # whoever asks for the state after this sees the reading in it
        return taken

    def world(self, do: Poke, value: float | None = None) -> RigState:
        """Poke the simulated world."""
        if self._wire is None:
            raise ShovelRefused("no_world")
        self._wire.poke(do, value)
        return self._ask(self._look)

    def make_safe(self) -> None:
        """Pump off and valve open, for good; takes no lock."""
        if self._shovel:
            self._shovel.halt()

    def silence(self) -> float:
        """Seconds since the loop last came round."""
        return max(0.0, self._clock() - self._ran_at)

    def close(self) -> None:
        """Everything safe first, then the loop ends, then the devices are given back."""
        self.make_safe()
        if not self._closed.acquire(blocking=False):
            return
        self._closing = True
        self._stall_detector.close()
        self._wake.set()
        if self._thread:
            self._thread.join(timeout=ANSWER_WITHIN_S)
        self._dispatcher.close()
        atexit.unregister(self.make_safe)
        for part in (self._air, self._panel, self._display, self._wire):
            try:
                if part is not None:
                    part.close()
            except (OSError, GPIOZeroError):
                log.exception("a part of the rig could not be closed")

    def pressed(self, button: str) -> None:
        """A real button went down; called from whatever thread saw it."""
        if button == "stop":
            self._stop_shovel()
        newest_stop = self._newest_stop
        self.put(lambda now: self._press(button, now, newest_stop))

    # The loop.

    def run_once(self, now: float) -> None:
        """Go round once."""
        self._ran_at = now
        self._watch_link()
        self._run_commands(now)
        if self._shovel:
            self._shovel.tick(now)
        if self._air and now - self._renewed_at >= RENEW_INTERVAL_S:
            self._renewed_at = now
            self._air.renew()
        self._on_panel(lambda panel: panel.tick(now))
        self._look(now)
        self._publish(now)

    def _run(self) -> None:
        while not self._closing:
            now = self._clock()
            try:
                self.run_once(now)
            except Exception as why:
                self._break_down(why, now)
            self._wake.wait(self._interval())
            self._wake.clear()

    def _interval(self) -> float:
        moving = self._shovel and (self._shovel.phase not in ("off", "fault") or self._shovel.measuring is not None)
        sounding = self._panel and self._panel.sounding
        return BUSY_INTERVAL_S if moving or sounding else IDLE_INTERVAL_S

    def _break_down(self, why: Exception, now: float) -> None:
        """The loop has a mistake: make the shovel safe, say so once, and go on."""
        if self._shovel:
            self._shovel.break_down(now)
        if repr(why) != self._last_failure:
            self._last_failure = repr(why)
            log.error("the rig's loop failed", exc_info=why)
        self._state = replace(self._state, at=now, shovel=self._seen_shovel(now))  # else it would be told as it was
        self._send_events()
        self._publish(now)

    def _run_commands(self, now: float) -> None:
        while True:
            try:
                command = self._commands.get_nowait()
            except queue.Empty:
                return
            command(now)

    def put(self, command: Command) -> None:
        """Have the loop run *command* soon, with the time; returns at once."""
        self._commands.put(command)
        self._wake.set()

    def _do(self, act: Command, within: float = ANSWER_WITHIN_S) -> RigState:
        """Have the loop do something at once, and return the state after it."""

        def acting(now: float) -> RigState:
            act(now)
            if self._shovel:
                self._shovel.tick(now)
            return self._look(now)

        return self._ask(acting, within)

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
        except FutureTimeoutError:
            answer.cancel()
            raise ShovelRefused("no_answer") from None

    def _keep(self, calibration: Calibration) -> None:
        if self._calibration is None:
            return
        try:
            self._calibration.save(calibration)
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
            return self._do(lambda now: None, within=STOP_SEEN_WITHIN_S)
        except ShovelRefused:  # it has stopped all the same
            return self.state()

    # What the table and the people ask.

    def _press(self, button: str, now: float, newest_stop: object) -> None:
        self._emit(Pressed(button))
        acts: Mapping[str, Callable[[Lifter], None]] = {
            "grip": lambda shovel: self._grip(now, newest_stop),
            "release": lambda shovel: shovel.release(now),
            "confirm": lambda shovel: shovel.confirm(now),
            "clear": lambda shovel: shovel.clear(now),
        }
        if button == "shovel":
            button = "grip" if self._shovel and self._shovel.phase == "off" else "release"
        if button in acts:
            self._try(acts[button])

    def _grip(self, now: float, newest_stop: object, *, order: int = 0, sure: bool = False) -> None:
        """Lift, and tell that a lift has begun; asked again during a lift it changes nothing."""
        shovel = self._needed_shovel()
        before = shovel.lift
        with self._unless_stopped_since(newest_stop):
            shovel.grip(now, sure=sure)
        if shovel.lift != before:
            self._emit(LiftBegun(shovel.lift, order))

    def _grip_for(self, order: int, now: float, newest_stop: object) -> None:
        """Lift for whoever gave that order: never with a lift that somebody else has begun."""
        try:
            if self._needed_shovel().phase in PUMPING and newest_stop is self._newest_stop:
                raise ShovelRefused("busy")
            self._grip(now, newest_stop, order=order)
        except ShovelRefused as refused:
            why = "stopped" if refused.code == "stop_pressed" else refused.code
            self._emit(LiftFailed(0, why, order))

    @contextmanager
    def _unless_stopped_since(self, newest_stop: object) -> Iterator[None]:
        """What was asked for before somebody pressed stop does not begin after it, nor go on."""
        if newest_stop is not self._newest_stop:
            raise ShovelRefused("stop_pressed")
        yield
        if self._shovel and newest_stop is not self._newest_stop:  # in between, where it passed for an older one
            self._shovel.stop()

    def _try(self, act: Callable[[Lifter], None]) -> None:
        """Do what nobody waits for the answer of; a refusal is an event."""
        try:
            act(self._needed_shovel())
        except ShovelRefused as refused:
            self._emit(LiftFailed(0, refused.code))

    def _on_panel(self, act: Callable[[Panel], None]) -> None:
        if self._panel is None:
            return
        try:
            act(self._panel)
        except (OSError, GPIOZeroError) as why:  # it is lit again when the board is back
            log.debug("the panel is out of reach: %s", why)

    # What is so, and telling it.

    def _needed_shovel(self) -> Lifter:
        if self._shovel is None:
            raise ShovelRefused("no_shovel")
        if self._absent:
            raise ShovelRefused("absent")
        return self._shovel

    def _emit(self, event: RigEvent) -> None:
        match event:
            case Fault() | LiftDoubted():
                self._on_panel(lambda panel: panel.buzz("fault" if isinstance(event, Fault) else "warn"))
            case LiftFailed():
                self._on_panel(lambda panel: panel.buzz("warn"))
            case LiftDone():
                self._on_panel(lambda panel: panel.buzz("done"))
        self._pending_events.append(event)

    def _send_events(self) -> None:
        """Tell what has happened; only now, so that whoever hears of it finds things as they are after it."""
        events, self._pending_events = self._pending_events, []
        for event in events:
            self._dispatcher.submit(partial(self._listeners.notify, event))

    def _watch_link(self) -> None:
        if self._wire is None:
            return
        before, self._connected = self._connected, self._wire.state().connected
        self._absent = self._absent and not self._connected
        if before and not self._connected:
            self._emit(LinkDown())
        elif self._connected and before is False:
            self._emit(LinkUp())

    def _seen_shovel(self, now: float) -> ShovelState | None:
        return self._shovel.state(now) if self._shovel and not self._absent else None

    def _snapshot(self, now: float) -> RigState:
        panel, wire = self._panel, self._wire
        track = panel.track if panel else None
        return RigState(
            kind=self.kind,
            at=now,
            shovel=self._seen_shovel(now),
            link=wire.state() if wire else None,
            lamps=panel.lamps if panel else (),
            turn=panel.turn if panel else False,
            buttons=panel.down() if panel else (),
            world=wire.world() if wire else None,
            absent=self._absent,
            lights=as_hex(track.wanted) if track else (),
            weeks=track.weeks if track else 0,
        )

    def _look(self, now: float) -> RigState:
        self._state = self._snapshot(now)
        self._send_events()
        return self._state

    def _publish(self, now: float) -> None:
        state = self._state
        if now - self._published_at < PUBLISH_INTERVAL_S or gist(state) == gist(self._published):
            return
        self._published, self._published_at = state, now
        self._notify_watchers()

    def _notify_watchers(self) -> None:
        self._dispatcher.submit(partial(self._watchers.notify, self.state()))
