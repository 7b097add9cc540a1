"""How well the wire does its work: counted as it goes, read as one value."""

from __future__ import annotations

import statistics
import threading
import time
from collections import deque

import msgspec

from firmware_bridge.messages import Bounds, Counters


class LinkQuality(msgspec.Struct, frozen=True):
    """How well the wire does its work.

    :ivar since: the clock's time of the last connection or loss
    :ivar crc_errors, frame_errors: frames of the board that arrived here damaged
    :ivar board: what the board has counted since it started, at most a second old; None while it is not known
    :ivar bounds: what the board itself puts bounds to; None while it is not known, or for a firmware that does not tell
    :ivar damaged_there: frames of ours that arrived damaged at the board, or in part, also before it started anew
    """

    connected: bool
    since: float
    rtt_ms: float | None = None
    requests: int = 0
    retries: int = 0
    crc_errors: int = 0
    frame_errors: int = 0
    lost_frames: int = 0
    losses: int = 0
    reason: str = ""
    board: Counters | None = None
    bounds: Bounds | None = None
    damaged_there: int = 0

    @property
    def damaged(self) -> int:
        """What arrived damaged, counted both ways."""
        return self.crc_errors + self.frame_errors + self.damaged_there


class Tally:
    """Counts for several threads."""

    def __init__(self, since: float) -> None:
        self._lock = threading.Lock()
        self._quality = LinkQuality(False, since, reason="not opened yet")
        self._round_trips: deque[float] = deque(maxlen=101)
        self._sent_at: dict[int, float] = {}
        self._damaged_before = 0

    def count(self, *, requests: int = 0, retries: int = 0, lost_frames: int = 0) -> None:
        with self._lock:
            quality = self._quality
            self._quality = msgspec.structs.replace(
                quality,
                requests=quality.requests + requests,
                retries=quality.retries + retries,
                lost_frames=quality.lost_frames + lost_frames,
            )

    def connected(self, at: float) -> None:
        self._note(connected=True, since=at, reason="")

    def not_connected(self, reason: str) -> None:
        self._note(reason=reason)

    def lost(self, at: float, reason: str) -> None:
        self._note(connected=False, since=at, reason=reason, losses=self._quality.losses + 1)
        self.started()

    def started(self) -> None:
        """The board counts anew, or has gone; what it had counted stays counted here."""
        self._damaged_before = self._quality.damaged_there
        self._note(board=None, bounds=None)

    def board_says(self, counters: Counters) -> None:
        self._note(board=counters, damaged_there=self._damaged_before + counters.damaged)

    def board_bounds(self, bounds: Bounds) -> None:
        self._note(bounds=bounds)

    @property
    def bounds(self) -> Bounds | None:
        return self._quality.bounds

    def _note(self, **facts: object) -> None:
        with self._lock:
            self._quality = msgspec.structs.replace(self._quality, **facts)

    def sent(self, sequence: int, *, again: bool) -> None:
        """A request goes out. When it goes out again, nobody knows which one is answered: no round trip is measured."""
        if again:
            self._sent_at.pop(sequence, None)
        else:
            self._sent_at[sequence] = time.monotonic()

    def count_answer(self, sequence: int) -> None:
        sent = self._sent_at.pop(sequence, None)
        if sent is not None:
            self._round_trips.append(time.monotonic() - sent)

    @property
    def reason(self) -> str:
        return self._quality.reason

    @property
    def round_trip_s(self) -> float | None:
        """The median of the last hundred, None before the first."""
        return statistics.median(list(self._round_trips)) if self._round_trips else None

    def read(self, crc_errors: int, frame_errors: int) -> LinkQuality:
        usual = self.round_trip_s
        return msgspec.structs.replace(
            self._quality,
            rtt_ms=None if usual is None else usual * 1000,
            crc_errors=crc_errors,
            frame_errors=frame_errors,
        )
