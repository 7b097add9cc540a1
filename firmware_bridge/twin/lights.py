"""A strip and a ring of pixels, and what all of them may draw, as in firmware/core/lights.c."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from firmware_bridge.messages import LIGHTS, LIGHTS_MOST_MA

CHANNEL_MA = 20
IDLE_MA = 1
AT_ONCE_MS = 20
AGAIN_MS = 1000
MOST = (LIGHTS_MOST_MA - LIGHTS * IDLE_MA) * 255 // CHANNEL_MA


class PixelLights:
    """
    What was asked for, and what the pixels show.

    :ivar used: whether any was since the start
    :ivar shown: red, green and blue of each pixel, dimmed to the limit
    """

    def __init__(self) -> None:
        self.used = self._changed = False
        self.shown = bytes(3 * LIGHTS)
        self._colours = [bytes(3)] * LIGHTS
        self._wait_ms = 0

    def fill(self, first: int, count: int, colour: bytes) -> bool:
        if not count or first + count > LIGHTS:
            return False
        self._colours[first : first + count] = [colour] * count
        self.used = self._changed = True
        return True

    def dark(self) -> None:
        self._colours, self._changed = [bytes(3)] * LIGHTS, True

    def tick(self) -> None:
        """Let a millisecond pass."""
        if not self.used:
            return
        self._wait_ms += 1
        if self._wait_ms >= (AT_ONCE_MS if self._changed else AGAIN_MS):
            self._wait_ms, self._changed = 0, False
            self.shown = within_budget(self._colours)


def within_budget(colours: Iterable[bytes]) -> bytes:
    """Red, green and blue of each pixel, all dimmed alike where they would draw more than the limit."""
    channels = bytes(chain.from_iterable(colours))
    total = sum(channels)
    scale = 256 if total <= MOST else MOST * 256 // total
    return bytes(channel * scale >> 8 for channel in channels)
