"""Buttons, seat lamps, a turn light and a buzzer, on a Pi's pins or on the board."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from gpiozero import LED, Button, Buzzer
from msgspec import Struct

from hardware.cues import Sound


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

    def close(self) -> None:
        """Dark, silent, and given back."""


class Panel:
    """
    What the table shows and hears beside the screens.

    The lamp of a seat is lit when the table lights it or when it is that seat's turn; the turn light
    is lit while anybody is asked.
    """

    def __init__(self, port: PanelPort) -> None:
        self._port = port
        self._lit = [False] * port.seats
        self._turn: int | None = None
        self._score: deque[Note] = deque()
        self._tone_ends: float | None = None
        self._next_at = 0.0

    def listen(self, pressed: Callable[[str], None]) -> None:
        """Have *pressed* told the name of each button that goes down, from any thread."""
        self._port.listen(pressed)

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

    def refresh(self) -> None:
        """Set all the lamps again, as after the board came back."""
        self._port.light(self.lamps, self.turn)

    def buzz(self, kind: Sound) -> None:
        """Play a signal; a newer one takes the place of an older."""
        self._score = deque(SOUNDS[kind])

    def tick(self, now: float) -> None:
        """Go on with the signal."""
        if self._tone_ends is not None:
            if now < self._tone_ends:
                return
            self._port.hush()
            self._tone_ends = None
        if self._score and now >= self._next_at:
            note = self._score.popleft()
            self._tone_ends = now + note.ms / 1000
            self._next_at = self._tone_ends + note.rest_ms / 1000
            self._port.tone(note)

    def down(self) -> tuple[str, ...]:
        """The buttons that are held down."""
        return self._port.down()

    def close(self) -> None:
        """Dark, silent, and given back."""
        self._port.close()


class GpioPanel:
    """
    A panel on a Pi's pins.

    The following example lights the first seat::

        panel = Panel(GpioPanel(buttons={}, lamps=[LED(19)]))
        panel.lamp(0, True)
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

    def close(self) -> None:
        """Dark, silent, and given back."""
        for device in (*self._buttons.values(), *self._lamps, self._turn, self._buzzer):
            if device is not None:
                device.close()


def _tell(pressed: Callable[[str], None], name: str) -> Callable[[], None]:
    return lambda: pressed(name)
