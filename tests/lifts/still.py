"""A board whose time passes only when told to: the firmware's own core, the wire to it, and hose, cup and card."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from itertools import count
from typing import Protocol

import msgspec

from firmware_bridge import build, frames, messages
from firmware_bridge.board import Board
from firmware_bridge.errors import BoardRefused, LinkLost
from firmware_bridge.messages import (
    ANSWER,
    BoardFault,
    BoardNotice,
    Command,
    Connected,
    Disconnected,
    Event,
    Hello,
    RefusalCode,
    Reset,
    Restarted,
    Status,
)
from firmware_bridge.quality import LinkQuality
from firmware_bridge.sim import Noise
from firmware_bridge.twin.core import Core
from firmware_bridge.twin.plant import Plant
from tests.firmware_bridge.benches import LibraryBench

CHUNK_MS = 5
PATIENCE_MS = 30
TOTAL_MS = 450
SILENCE_MS = 700
GREET_AFTER_MS = (200, 400, 800, 1000)
STOP_EACH_MS = 50
WATCHDOG_MS = 250
STOP = bytes([frames.STOP])


class Chip(Protocol):
    """The firmware's core."""

    def hear(self, data: bytes) -> None: ...
    def run(self, ms: int, counts: int) -> bytes: ...
    def reset(self, reason: Reset) -> None: ...
    @property
    def pump(self) -> int: ...
    @property
    def valve(self) -> bool: ...
    @property
    def pitch(self) -> int: ...
    @property
    def starts(self) -> int: ...


class CChip:
    """The core in C, as it runs on the microcontroller."""

    def __init__(self) -> None:
        self._bench = LibraryBench()

    def hear(self, data: bytes) -> None:
        self._bench.hear(data)

    def run(self, ms: int, counts: int) -> bytes:
        self._bench.senses(counts, 0)
        return self._bench.run(ms)

    def reset(self, reason: Reset) -> None:
        self._bench.reset(reason)

    @property
    def pump(self) -> int:
        return self._bench.pins().pump

    @property
    def valve(self) -> bool:
        return self._bench.pins().valve

    @property
    def pitch(self) -> int:
        return self._bench.pins().pitch

    @property
    def starts(self) -> int:
        """How often pump or valve have gone on, even for a moment."""
        return self._bench.starts


class TwinChip:
    """The core's twin, where there is no compiler."""

    def __init__(self, plant: Plant) -> None:
        self._plant = plant
        self._core = Core(plant, Reset.POWER)
        self.starts = 0
        self._on = (False, False)

    def hear(self, data: bytes) -> None:
        self._core.receive(data)
        self._count_starts()

    def run(self, ms: int, counts: int) -> bytes:
        for _ in range(ms):
            self._core.tick()
            self._count_starts()
        said = bytes(self._core.said)
        self._core.said.clear()
        return said

    def reset(self, reason: Reset) -> None:
        self._core = Core(self._plant, reason, budget_ms=self._core.budget_ms)
        self._count_starts()

    def _count_starts(self) -> None:
        before, self._on = self._on, (self._core.pins.pump > 0, self._core.pins.valve)
        self.starts += sum(now and not earlier for earlier, now in zip(before, self._on, strict=True))

    @property
    def pump(self) -> int:
        return self._core.pins.pump

    @property
    def valve(self) -> bool:
        return self._core.pins.valve

    @property
    def pitch(self) -> int:
        return self._core.pins.pitch


class Bench:
    """The board, the cable and the world round it; they outlive the computer that talks to them.

    :ivar ms: the time
    :ivar round_trip_ms: so much later than it is said the computer reads what the board says
    :ivar looked: called after each few milliseconds
    """

    def __init__(self, seed: int, *, twin: bool = False, plant: Plant | None = None) -> None:
        self.ms = 0
        self.plant = plant or Plant()
        self.chip: Chip = TwinChip(self.plant) if twin or build.compiler() is None else CChip()
        self.plugged = True
        self.drop = self.corrupt = 0.0
        self.round_trip_ms = 0
        self._on_the_way: deque[tuple[int, bytes]] = deque()
        self.looked: Callable[[int], None] = lambda ms: None
        self._noise_in, self._noise_out = Noise(seed), Noise(seed + 1)
        self._hanging = 0

    @property
    def seconds(self) -> float:
        return self.ms / 1000

    @property
    def sucking(self) -> bool:
        """Whether the pump runs or the valve is closed."""
        return self.chip.pump > 0 or self.chip.valve

    def say(self, data: bytes) -> None:
        """Bytes on their way to the board."""
        if self.plugged and not self._hanging:
            self.chip.hear(self._noise_in.pass_on(data, self.drop, self.corrupt))

    def step(self, ms: int) -> bytes:
        """Let a few milliseconds pass; what the board said, as it arrives."""
        self.ms += ms
        self.plant.step(self.chip.pump / 255, self.chip.valve, ms / 1000)
        said = b"" if self._hangs(ms) else self.chip.run(ms, self.plant.counts())
        self.looked(ms)
        if not self.plugged:
            self._on_the_way.clear()
            return b""
        self._on_the_way.append((self.ms + self.round_trip_ms, self._noise_out.pass_on(said, self.drop, self.corrupt)))
        arrived = b""
        while self._on_the_way and self._on_the_way[0][0] <= self.ms:
            arrived += self._on_the_way.popleft()[1]
        return arrived

    def reset(self, reason: Reset) -> None:
        """The chip starts anew, whatever it was doing."""
        self._hanging = 0
        self.chip.reset(reason)

    def hang(self) -> None:
        """The firmware's loop hangs; its watchdog resets it."""
        self._hanging = WATCHDOG_MS

    def brown_out(self) -> None:
        self.reset(Reset.BROWN_OUT)

    def opened(self) -> None:
        """A computer opens the port: that resets a Nano."""
        self.reset(Reset.EXTERNAL)

    def _hangs(self, ms: int) -> bool:
        if not self._hanging:
            return False
        self._hanging = max(0, self._hanging - ms)
        if not self._hanging:
            self.chip.reset(Reset.WATCHDOG)
        return True


class StillBoard(Board):
    """The computer's end of the wire, without threads: what :class:`Board` does, done while a request waits.

    :ivar events_late_ms: so long a starved thread takes to tell of an event; ``None``: it never does
    """

    def __init__(self, bench: Bench) -> None:
        super().__init__("still://")
        self.events_late_ms: int | None = 0
        self._bench = bench
        self._events: deque[tuple[int, Event]] = deque()
        self._reader = frames.Reader()
        self._numbers = count(1)
        self._answers: dict[int, bytes | RefusalCode] = {}
        self._hello: Hello | None = None
        self._session: int | None = None
        self._sessions = 0
        self._status: Status | None = None
        self._statuses: tuple[Status, ...] = ()
        self._greeting: int | None = None
        self._patience = GREET_AFTER_MS[0]
        self._open = False
        self._stopped = True
        self._stops = 0
        self._heard = self._greeted = self._wrote_stop = bench.ms
        self.lost = self.retries = 0

    @property
    def hello(self) -> Hello | None:
        return self._hello

    @property
    def session(self) -> int | None:
        return self._session

    @property
    def was_greeted(self) -> bool:
        return self._sessions > 0

    @property
    def status(self) -> Status | None:
        return self._status

    @property
    def statuses(self) -> tuple[Status, ...]:
        return self._statuses

    @property
    def full_count(self) -> int | None:
        return 1023

    @property
    def link(self) -> LinkQuality:
        return LinkQuality(self._hello is not None, 0.0, retries=self.retries, crc_errors=self._reader.crc_errors)

    def start(self) -> None:
        """Nothing starts by itself here."""

    def close(self) -> None:
        if self._hello is not None:
            self._try(Command.BYE)

    def advance(self, ms: int) -> None:
        """Let time pass, listen, and keep the link."""
        end = self._bench.ms + ms
        while self._bench.ms < end:
            data = self._bench.step(min(CHUNK_MS, end - self._bench.ms))
            for content in self._reader.read(data):
                self._heard = self._bench.ms
                self._understand(content[0], content[1], content[2:])
            self._keep()
            self._deliver()

    def _tell(self, event: Event) -> None:
        if self.events_late_ms is not None:
            self._events.append((self._bench.ms + self.events_late_ms, event))

    def _deliver(self) -> None:
        while self._events and self._events[0][0] <= self._bench.ms:
            event = self._events.popleft()[1]
            if self.on_event is not None:
                self.on_event(event)

    def renew(self) -> None:
        self._request(Command.RENEW)

    def pump(self, level: int, *, session: int | None = None) -> None:
        self._request(Command.PUMP, messages.byte(level), session=session)

    def valve(self, closed: bool, *, session: int | None = None) -> None:
        self._request(Command.VALVE, messages.byte(closed), session=session)

    def limits(self, *, pump_most: int = 255, vacuum_most: int = 0) -> None:
        self._request(Command.LIMITS, messages.limits(pump_most, vacuum_most))

    def lamps(self, bits: int) -> None:
        self._request(Command.LAMPS, messages.byte(bits))

    def buzz(self, ms: int, pitch: int = 2000) -> None:
        self._request(Command.BUZZ, messages.words(ms, pitch))

    def stop(self) -> None:
        self._stopped = False
        self._stops += 1
        self._write_stop()

    def clear_fault(self) -> None:
        stops = self._stops
        self._await_stop()
        self._request(Command.CLEAR, as_long_as=lambda: self._stops == stops)
        if self._stops != stops:
            self.stop()
            raise LinkLost("stopped meanwhile")

    def _await_stop(self) -> None:
        waited = 0
        while not self._stopped:
            if waited >= TOTAL_MS or self._hello is None:
                raise LinkLost("the board has not confirmed the last stop yet")
            self.advance(CHUNK_MS)
            waited += CHUNK_MS

    def _try(self, say: Command) -> None:
        try:
            self._request(say)
        except (LinkLost, BoardRefused):
            self.stop()

    def _request(
        self,
        say: Command,
        body: bytes = b"",
        *,
        session: int | None = None,
        as_long_as: Callable[[], bool] = lambda: True,
    ) -> None:
        number = next(self._numbers) & 0xFF
        frame = frames.frame(bytes([say, number]) + body)
        self._answers.pop(number, None)
        for attempt in range(TOTAL_MS // PATIENCE_MS):
            if self._hello is None or not as_long_as():
                break
            if session not in (None, self._session):
                raise BoardRefused(RefusalCode.NO_SESSION)
            self.retries += attempt > 0
            self._bench.say(frame)
            for _ in range(PATIENCE_MS):
                self.advance(1)
                answer = self._answers.pop(number, None)
                if isinstance(answer, RefusalCode):
                    raise BoardRefused(answer)
                if answer is not None:
                    return
        raise LinkLost(f"no answer to {say.name.lower()}")

    def _write_stop(self) -> None:
        self._wrote_stop = self._bench.ms
        if self._open:
            self._bench.say(STOP)

    def _keep(self) -> None:
        now = self._bench.ms
        if not self._bench.plugged:
            self._lose()
            self._open = False
            return
        if not self._open:
            self._open = True
            self._bench.opened()
            self._patience = GREET_AFTER_MS[0]
            self._greet()
        elif self._hello is not None and now - self._heard > SILENCE_MS:
            self._lose()
        elif (self._hello is None or self._greeting is not None) and now - self._greeted >= self._patience:
            self._patience = next((ms for ms in GREET_AFTER_MS if ms > self._patience), self._patience)
            self._greet()
        if not self._stopped and now - self._wrote_stop >= STOP_EACH_MS:
            self._write_stop()

    def _greet(self) -> None:
        if not self._stopped:
            self._write_stop()
        self._greeted = self._bench.ms
        self._session = None
        self._greeting = next(self._numbers) & 0xFF
        self._bench.say(frames.frame(bytes([Command.HELLO, self._greeting])))

    def _lose(self) -> None:
        if self._hello is not None:
            self.lost += 1
            self._hello = self._status = self._session = None
            self._tell(Disconnected("silence"))

    def _understand(self, kind: int, number: int, body: bytes) -> None:
        if kind == BoardNotice.BOOT:
            self._status = None
            self._patience = GREET_AFTER_MS[0]
            self._greet()
        elif kind == Command.HELLO | ANSWER:
            self._welcome(number, body)
        elif kind == BoardNotice.REFUSAL:
            self._refused(number, messages.read_refusal(body))
        elif kind == BoardNotice.STATUS and self._greeting is None:
            self._take_reading(body)
        elif kind == BoardNotice.FAULT and self._status is not None and self._greeting is None:
            fault = messages.read_fault(body)
            self._take(msgspec.structs.replace(self._status, pump=0, valve_closed=False, fault=fault))
        elif kind & ANSWER and kind < BoardNotice.BOOT:
            self._answered(kind, number, body)

    def _welcome(self, number: int, body: bytes) -> None:
        if number != self._greeting:
            return
        again, self._hello, self._greeting = self._hello is not None, messages.read_hello(body), None
        self._sessions += 1
        self._session = self._sessions
        self._heard = self._bench.ms
        self._tell(Restarted(self._hello) if again else Connected(self._hello))

    def _refused(self, number: int, code: RefusalCode) -> None:
        self._answers[number] = code
        if code is RefusalCode.NO_SESSION and self._greeting is None:
            self._greet()

    def _answered(self, kind: int, number: int, body: bytes) -> None:
        if kind not in (Command.PING | ANSWER, Command.COUNTERS | ANSWER):
            self._take_reading(body)
        self._answers[number] = body

    def _take_reading(self, body: bytes) -> None:
        status = messages.read_status(body, self._bench.seconds)
        self._statuses = (*self._statuses[-31:], status)
        self._take(status)

    def _take(self, status: Status) -> None:
        self._status = status
        if status.fault is not BoardFault.NONE:
            self._stopped = True
