"""The time track of light: what each pixel of a strip of weeks and of a ring shows, and what is sent of it."""

from collections.abc import Sequence
from typing import Protocol

from firmware_bridge.messages import LIGHTS
from firmware_bridge.twin.lights import within_budget
from hardware.events import ShowTrack
from hardware.rig_file import LightsPart

Colour = tuple[int, int, int]

DARK: Colour = (0, 0, 0)
SEATS: Sequence[Colour] = (
    (255, 30, 20),
    (30, 80, 255),
    (20, 220, 40),
    (255, 170, 0),
    (190, 40, 255),
    (220, 220, 220),
)
"""Told apart by people who do not tell red from green, too: by their brightness, and by whose turn it is."""
WAITING = 0.35
PLANNED = 0.15
RING_AT_REST = 0.1

SPI_RATE = 2_400_000
"""Three of its bits are one of a pixel's, which takes 1.25 µs: high for one of them is 0, for two is 1."""
LATCH = bytes(24)
"""80 µs of silence: pixels begin anew after 50."""
SIGNS = tuple(int("".join("110" if byte >> bit & 1 else "100" for bit in range(7, -1, -1)), 2) for byte in range(256))


class LightsPort(Protocol):
    """Where pixels hang. A call that cannot reach them raises :exc:`OSError`."""

    def fill(self, first: int, count: int, colour: Colour) -> None:
        """Have some in a row show a colour."""

    def close(self) -> None:
        """Dark, and given back."""


class Spi(Protocol):
    """What is used of a :class:`gpiozero.SPI`."""

    def transfer(self, data: Sequence[int]) -> object: ...
    def close(self) -> None: ...


class SpiLights:
    """
    Pixels at a Pi's SPI, all of which are sent at each change; they draw no more than a board would let them.

    :param spi: sends at :data:`SPI_RATE`
    """

    def __init__(self, spi: Spi) -> None:
        self._spi = spi
        self._colours = [bytes(DARK)] * LIGHTS
        self._send()

    def fill(self, first: int, count: int, colour: Colour) -> None:
        """Have some in a row show a colour."""
        self._colours[first : first + count] = [bytes(colour)] * count
        self._send()

    def close(self) -> None:
        """Dark, and given back."""
        self.fill(0, LIGHTS, DARK)
        self._spi.close()

    def _send(self) -> None:
        shown = within_budget(self._colours)
        data = (b for at in range(0, len(shown), 3) for b in (shown[at + 1], shown[at], shown[at + 2]))
        self._spi.transfer([*LATCH, *(b for byte in data for b in SIGNS[byte].to_bytes(3)), *LATCH])


class LightTrack:
    """
    A strip with a pixel for each week, and a ring after it on the same wire, either of which may be missing.

    A marker shines at its week: brightly on its seat's turn. Of a stack one sees the topmost. The weeks that a dig will
    take glow ahead of its marker, and so many pixels of the ring; else the ring glows for whoever's turn it is.

    :ivar wanted: the colour of each pixel
    :ivar weeks: how many of them are the strip
    """

    def __init__(self, port: LightsPort, part: LightsPart) -> None:
        self.wanted: tuple[Colour, ...] = (DARK,) * (part.weeks + part.ring)
        self.weeks = part.weeks
        self._port, self._part = port, part
        self._sent: list[Colour] | None = None

    def show(self, lights: ShowTrack) -> None:
        """Show this from now on."""
        self.wanted = tuple(_strip(self._part, lights) + _ring(self._part, lights))

    def close(self) -> None:
        """Dark, and given back."""
        self._port.close()

    def refresh(self) -> None:
        """Whatever hangs there shows nothing any more, as after the board came back."""
        self._sent = None

    def tick(self) -> None:
        """Send one change, as the rig's loop has a lease to renew; after one that did not arrive, all of it anew."""
        try:
            self._send()
        except OSError:
            self._sent = None
            raise

    def _send(self) -> None:
        if self._sent is None:
            self._port.fill(0, len(self.wanted), DARK)
            self._sent = [DARK] * len(self.wanted)
            return
        first = next((i for i, (old, new) in enumerate(zip(self._sent, self.wanted, strict=True)) if old != new), None)
        if first is None:
            return
        colour, end = self.wanted[first], first + 1
        while end < len(self.wanted) and self.wanted[end] == colour and self._sent[end] != colour:
            end += 1
        self._port.fill(first, end - first, colour)
        self._sent[first:end] = [colour] * (end - first)


def _strip(part: LightsPart, lights: ShowTrack) -> list[Colour]:
    pixels = [DARK] * part.weeks
    if not pixels:
        return pixels
    for place, seat in lights.markers:
        if seat == lights.turn:
            for week in range(1, lights.planned + 1):
                pixels[_at(part, place + week)] = _dimmed(part, seat, PLANNED)
    for place, seat in reversed(lights.markers):
        pixels[_at(part, place)] = _dimmed(part, seat, 1.0 if seat == lights.turn else WAITING)
    return pixels


def _ring(part: LightsPart, lights: ShowTrack) -> list[Colour]:
    if lights.turn is None:
        return [DARK] * part.ring
    rest = DARK if lights.planned else _dimmed(part, lights.turn, RING_AT_REST)
    lit = min(lights.planned, part.ring)
    return [_dimmed(part, lights.turn, 1.0)] * lit + [rest] * (part.ring - lit)


def _at(part: LightsPart, place: int) -> int:
    return (place + part.first) % part.weeks


def _dimmed(part: LightsPart, seat: int, share: float) -> Colour:
    red, green, blue = SEATS[seat % len(SEATS)]
    by = part.brightness * share
    return round(red * by), round(green * by), round(blue * by)


def as_hex(colours: Sequence[Colour]) -> tuple[str, ...]:
    """
    Colours as a page draws them.

    >>> as_hex([(255, 30, 0)])
    ('ff1e00',)
    """
    return tuple(bytes(colour).hex() for colour in colours)
