"""Buttons, seat lamps, a turn light and a buzzer, on a Pi's pins or on the board."""

import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from typing import Protocol

from gpiozero import (
    LED,
    Button,
    Buzzer,
    Device,
    DeviceClosed,
    EventsMixin,
    Factory,
    OutputDeviceBadValue,
    SourceMixin,
)
from gpiozero.mixins import event
from msgspec import Struct

from hardware.dispatch import Listeners
from hardware.events import ShowTrack, Sound
from hardware.lights import LightTrack

BOUNCE_S = 0.02
PLAY_EVERY_S = 0.01


class Note(Struct, frozen=True):
    """One tone of a signal, and the silence after it."""

    ms: int
    pitch: int = 2000
    rest_ms: int = 80


SOUNDS: Mapping[Sound, tuple[Note, ...]] = {
    "turn": (Note(80),),
    "done": (Note(60, 1600), Note(120, 2400)),
    "warn": (Note(60), Note(60), Note(60)),
    "fault": (Note(250, 900), Note(250, 700), Note(400, 500)),
}


class PanelPort(Protocol):
    """Where a panel is connected. A call that cannot reach it raises :exc:`OSError`."""

    seats: int

    def listen(self, pressed: Callable[[str], None]) -> None:
        """Have *pressed* told the name of each button that goes down, from any thread."""

    def light(self, seats: Sequence[bool], turn: bool) -> None:
        """Set all the lamps."""

    def tone(self, note: Note) -> None:
        """Begin a tone."""

    def hush(self) -> None:
        """End it."""

    def down(self) -> tuple[str, ...]:
        """The buttons that are held down."""

    @property
    def forgot(self) -> bool:
        """Whether it no longer shows what it was told to, as a board that has started anew."""

    def close(self) -> None:
        """Dark, silent, and given back."""


class Panel(SourceMixin, EventsMixin, Device):  # type: ignore[misc]  # gpiozero is not typed
    """
    Extends :class:`gpiozero.Device`: what the table shows and hears beside the screens.

    The lamp of a seat is lit when the table lights it or when it is that seat's turn; the turn light
    is lit while anybody is asked. The value is what the seat lamps show, and may be set.

    The following example lights the first seat when its button goes down::

        from signal import pause
        from hardware.panel import Panel
        with Panel(buttons={"seat:0": 5}, lamps=[19, 26], buzzer=12) as panel:
            panel.when_pressed = lambda: panel.lamp(0, True)
            pause()

    :param port: where the panel is connected, in place of pins
    :param buttons: the pin of each button, by its name
    :param lamps: the pins of the seat lamps, in the order of the seats
    :param turn: the pin of the turn light
    :param buzzer: the pin of an active buzzer
    :param pull_up: whether a button connects to ground
    :param active_high: whether a high pin lights a lamp
    :param pin_factory: see gpiozero; with a *port* only its clock is used
    """

    _port: PanelPort | None = None
    track: LightTrack | None = None
    """The time track of light, where there is one."""

    def __init__(
        self,
        port: PanelPort | None = None,
        *,
        buttons: Mapping[str, int | str] | None = None,
        lamps: Sequence[int | str] = (),
        turn: int | str | None = None,
        buzzer: int | str | None = None,
        pull_up: bool = True,
        active_high: bool = True,
        pin_factory: Factory | None = None,
    ) -> None:
        super().__init__(pin_factory=pin_factory)
        self._port = port or GpioPanel.on_pins(
            buttons or {},
            lamps,
            turn=turn,
            buzzer=buzzer,
            pull_up=pull_up,
            active_high=active_high,
            pin_factory=pin_factory,
        )
        self._lit = [False] * self._port.seats
        self._turn: int | None = None
        self._score: deque[Note] = deque()
        self._tone_ends: float | None = None
        self._next_at = 0.0
        self._listeners = Listeners[str]()
        self._press = threading.Event()
        self.pressed: str | None = None
        self._port.listen(_forgetful(self))
        self._fire_events(self.pin_factory.ticks(), False)

    when_pressed = event(
        """
        The function to run when a button goes down. It may take the panel as its parameter, whose ``pressed`` is the
        name of that button.
        """
    )

    def listen(self, pressed: Callable[[str], None]) -> None:
        """Have *pressed* told the name of each button that goes down, from any thread."""
        self._listeners.add(pressed)

    def wait_for_press(self, timeout: float | None = None) -> bool:
        """Pause the script until a button goes down, or the time is over; whether one did."""
        self._press.clear()
        return self._press.wait(timeout)

    @property
    def value(self) -> tuple[int, ...]:
        """What the seat lamps show, in the order of the seats: 1 for each that is lit. It may be set."""
        self._open_port()
        return tuple(map(int, self.lamps))

    @value.setter
    def value(self, wanted: Sequence[float]) -> None:
        if len(wanted) != len(self._lit):
            raise OutputDeviceBadValue(f"{len(self._lit)} seat lamps cannot show {len(wanted)} values")
        self._lit = [bool(lit) for lit in wanted]
        self.refresh()

    @property
    def is_active(self) -> bool:
        """Whether any seat lamp is lit."""
        return any(self.value)

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self._port is None

    @property
    def lamps(self) -> tuple[bool, ...]:
        """What the seat lamps show."""
        return tuple(lit or seat == self._turn for seat, lit in enumerate(self._lit))

    @property
    def turn(self) -> bool:
        """What the turn light shows."""
        return self._turn is not None

    @property
    def sounding(self) -> bool:
        """Whether a signal is under way."""
        return bool(self._score) or self._tone_ends is not None

    def lamp(self, seat: int, on: bool) -> None:
        """Light or darken a seat; a seat without a lamp is no mistake of the table."""
        if 0 <= seat < len(self._lit):
            self._lit[seat] = on
            self.refresh()

    def show_turn(self, seat: int | None) -> None:
        """Show whose turn it is."""
        self._turn = seat
        self.refresh()

    def show_lights(self, lights: ShowTrack) -> None:
        """Show the markers of a track of time; without one, nobody sees it."""
        if self.track:
            self.track.show(lights)

    def refresh(self) -> None:
        """Set all the lamps again, as after the board came back."""
        if self.track:
            self.track.refresh()
        self._open_port().light(self.lamps, self.turn)
        self._fire_events(self.pin_factory.ticks(), any(self.lamps))

    def buzz(self, kind: Sound) -> None:
        """Begin a signal, which :meth:`tick` goes on with; a newer one takes the place of an older."""
        self._open_port()
        self._score = deque(SOUNDS[kind])

    def play(self, kind: Sound) -> None:
        """Sound a signal, and wait until it is over: for scripts without a loop that ticks."""
        self.buzz(kind)
        while self.sounding:
            self.tick(time.monotonic())
            time.sleep(PLAY_EVERY_S)

    def tick(self, now: float) -> None:
        """Go on with the signal, and with the lights; after a board has started anew all are set again."""
        if self._open_port().forgot:
            self.refresh()
        self._play_on(now)
        if self.track:
            self.track.tick()

    def _play_on(self, now: float) -> None:
        if self._tone_ends is not None:
            if now < self._tone_ends:
                return
            self._open_port().hush()
            self._tone_ends = None
        if self._score and now >= self._next_at:
            note = self._score.popleft()
            self._tone_ends = now + note.ms / 1000
            self._next_at = self._tone_ends + note.rest_ms / 1000
            self._open_port().tone(note)

    def down(self) -> tuple[str, ...]:
        """The buttons that are held down."""
        return self._open_port().down()

    def close(self) -> None:
        """Dark, silent, and given back; harmless to repeat."""
        super().close()
        track, self.track = self.track, None
        port, self._port = self._port, None
        if track is not None:
            track.close()
        if port is not None:
            port.close()

    def __del__(self) -> None:
        with suppress(OSError):  # nobody is there any more to be told
            super().__del__()

    def __repr__(self) -> str:
        if self.closed:
            return f"<hardware.{type(self).__name__} object closed>"
        return f"<hardware.{type(self).__name__} object with {len(self._lit)} seat lamps, is_active={self.is_active}>"

    def _open_port(self) -> PanelPort:
        port = self._port
        if port is None:
            raise DeviceClosed(f"{type(self).__name__} is closed or uninitialized")
        return port

    def _went_down(self, name: str) -> None:
        self.pressed = name
        self._press.set()
        self._listeners.notify(name)
        if self.when_pressed:
            self.when_pressed()


class GpioPanel:
    """
    A panel on a Pi's pins.

    :param buttons: by their names
    :param lamps: of the seats, in their order
    """

    def __init__(
        self,
        *,
        buttons: Mapping[str, Button],
        lamps: Sequence[LED],
        turn: LED | None = None,
        buzzer: Buzzer | None = None,
    ) -> None:
        self.seats = len(lamps)
        self._buttons = dict(buttons)
        self._lamps = list(lamps)
        self._turn = turn
        self._buzzer = buzzer

    @classmethod
    def on_pins(
        cls,
        buttons: Mapping[str, int | str],
        lamps: Sequence[int | str],
        *,
        turn: int | str | None,
        buzzer: int | str | None,
        pull_up: bool,
        active_high: bool,
        pin_factory: Factory | None = None,
    ) -> "GpioPanel":
        """The devices on these pins; where one cannot be had, none is taken."""
        with ExitStack() as undo:

            def lamp(pin: int | str) -> LED:
                return undo.enter_context(LED(pin, active_high=active_high, pin_factory=pin_factory))

            how = {"pull_up": pull_up, "bounce_time": BOUNCE_S, "pin_factory": pin_factory}
            made = cls(
                buttons={name: undo.enter_context(Button(pin, **how)) for name, pin in buttons.items()},
                lamps=[lamp(pin) for pin in lamps],
                turn=None if turn is None else lamp(turn),
                buzzer=None if buzzer is None else undo.enter_context(Buzzer(buzzer, pin_factory=pin_factory)),
            )
            undo.pop_all()
        return made

    def listen(self, pressed: Callable[[str], None]) -> None:
        """Have *pressed* told of the buttons, from gpiozero's thread."""
        for name, button in self._buttons.items():
            button.when_pressed = _tell(pressed, name)

    def light(self, seats: Sequence[bool], turn: bool) -> None:
        """Set all the lamps."""
        for lamp, lit in zip(self._lamps, seats, strict=True):
            lamp.value = lit
        if self._turn:
            self._turn.value = turn

    def tone(self, note: Note) -> None:
        """Begin a tone; an active buzzer has one pitch."""
        if self._buzzer:
            self._buzzer.on()

    def hush(self) -> None:
        """End it."""
        if self._buzzer:
            self._buzzer.off()

    def down(self) -> tuple[str, ...]:
        """The buttons that are held down."""
        return tuple(name for name, button in self._buttons.items() if button.is_pressed)

    @property
    def forgot(self) -> bool:
        """Pins show what they are told to."""
        return False

    def close(self) -> None:
        """Dark, silent, and given back."""
        for device in (*self._buttons.values(), *self._lamps, self._turn, self._buzzer):
            if device is not None:
                device.close()


def _tell(pressed: Callable[[str], None], name: str) -> Callable[[], None]:
    return lambda: pressed(name)


def _forgetful(panel: Panel) -> Callable[[str], None]:
    """Tells a panel of its buttons, and holds no reference to it: one that is forgotten is closed."""
    forgotten = weakref.ref(panel)

    def pressed(name: str) -> None:
        there = forgotten()
        if there is not None:
            there._went_down(name)

    return pressed
