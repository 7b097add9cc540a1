"""Benches: a board under test whose time passes only when told to. The same tests run on all of them."""

from __future__ import annotations

import atexit
import ctypes
import fcntl
import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Protocol, cast

from firmware_bridge import build, frames
from firmware_bridge.messages import ANSWER, BUDGET_MS, BoardNotice, Command, RefusalCode, Reset
from firmware_bridge.sim import SENSOR_PER_KPA, SENSOR_ZERO, SimState
from tests.needs import needs_file, needs_program

FIRMWARE = build.SOURCES
OUT = FIRMWARE / "out"
PROGRAMS = Path(__file__).parent / "programs"
KINDS = ("library", "host", "simavr", "pico", "twin")
EMULATOR = Path(__file__).parents[1] / "node_modules" / "rp2040js" / "package.json"
BUDGET_AT = 8
"""Where the budget lies in the core's state of the suction."""
STOP = bytes([frames.STOP])


@dataclass(frozen=True)
class Pins:
    """What the board drives."""

    pump: int
    valve: bool
    lamps: int
    pitch: int

    @property
    def safe(self) -> bool:
        return self.pump == 0 and not self.valve


class Bench(Protocol):
    """A board on the bench."""

    kind: str

    def hear(self, data: bytes) -> None:
        """Let bytes arrive."""

    def run(self, ms: int) -> bytes:
        """Let time pass; return what the board said."""

    def pins(self) -> Pins: ...
    def press(self, buttons: int) -> None: ...
    def reset(self, reason: Reset) -> None: ...
    def close(self) -> None: ...


class _Pins(ctypes.Structure):
    _fields_ = (
        ("pump", ctypes.c_uint8),
        ("valve", ctypes.c_uint8),
        ("lamps", ctypes.c_uint8),
        ("unused", ctypes.c_uint8),
        ("pitch", ctypes.c_uint16),
        ("starts", ctypes.c_uint16),
    )


class LibraryBench:
    """The core in this very process, through ctypes: the fastest."""

    kind = "library"

    def __init__(self, library: Path | None = None) -> None:
        self.core = ctypes.CDLL(str(library or build.library()))
        self.core.library_pins.restype = ctypes.POINTER(_Pins)
        self._said = (ctypes.c_uint8 * 65536)()
        self.senses(41, 0)
        self.core.port_keep(ctypes.c_uint16(BUDGET_MS))  # nobody has run its pump for a while
        self.core.board_init(int(Reset.POWER))
        self.run(1)

    def hear(self, data: bytes) -> None:
        self.core.library_hear(data, len(data))

    def run(self, ms: int) -> bytes:
        self.core.library_run(ms)
        return bytes(self._said[: self.core.library_said(self._said, len(self._said))])

    def pins(self) -> Pins:
        pins = self.core.library_pins().contents
        return Pins(pins.pump, bool(pins.valve), pins.lamps, pins.pitch)

    @property
    def starts(self) -> int:
        """How often pump or valve have gone on."""
        return int(self.core.library_pins().contents.starts)

    def senses(self, vacuum: int, buttons: int) -> None:
        self.core.library_senses(ctypes.c_uint16(vacuum), ctypes.c_uint8(buttons))

    def press(self, buttons: int) -> None:
        self.senses(41, buttons)

    def reset(self, reason: Reset) -> None:
        if reason is Reset.POWER:
            self.core.library_lose_power()
        self.core.board_init(int(reason))

    def close(self) -> None:
        """Nothing to give back."""


class ProcessBench:
    """A board in a program of its own, driven in steps over its control channel."""

    def __init__(self, kind: str, program: Sequence[str], *, paused: bool = True) -> None:
        self.kind = kind
        self._process = subprocess.Popen(
            [*program, *(["--paused"] if paused else [])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        self._read()
        if paused:
            self.run(20)

    def _read(self) -> dict[str, object]:
        assert self._process.stdout is not None
        return cast(dict[str, object], json.loads(self._process.stdout.readline()))

    def obey(self, line: str) -> dict[str, object]:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        answer = self._read()
        assert answer.get("ok", True), line
        return answer

    def hear(self, data: bytes) -> None:
        for i in range(0, len(data), 2000):
            self.obey(f"hear {data[i : i + 2000].hex()}")

    def run(self, ms: int) -> bytes:
        return bytes.fromhex(str(self.obey(f"run {ms * 1000}")["said"]))

    def state(self) -> SimState:
        return cast(SimState, self.obey("state"))

    def pins(self) -> Pins:
        state = self.state()
        return Pins(state["pump"], state["valve"], state["lamps"], state["pitch"])

    def press(self, buttons: int) -> None:
        self.obey(f"buttons {buttons}")

    def reset(self, reason: Reset) -> None:
        self.obey(f"reset {reason.name.lower().replace('_', '-')}")

    def hang(self, ms: int) -> None:
        self.obey(f"hang {ms * 1000}")

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()


class PicoBench(ProcessBench):
    """A Pico in an emulator, which is started once for all tests and makes each a board of its own."""

    _running: ClassVar[PicoBench | None] = None
    _budget_at = ""

    @classmethod
    def fresh(cls) -> PicoBench:
        """Return a Pico that has just been switched on, and whose pump is rested."""
        if cls._running is None:
            cls._running = cls("pico", command("pico"))
            atexit.register(ProcessBench.close, cls._running)
        cls._running.obey("fresh")
        cls._running.run(20)
        cls._running.rest()
        return cls._running

    def rest(self) -> None:
        """Have the pump rested at once: to wait for it would take a second of each test."""
        if not self._budget_at:
            list_symbols = ["arm-none-eabi-nm", str(OUT / "digside_pico.elf")]
            symbols = subprocess.run(list_symbols, capture_output=True, text=True, check=True).stdout.splitlines()
            suction = next(int(line.split()[0], 16) for line in symbols if line.endswith(" now"))
            self._budget_at = f"{suction + BUDGET_AT:x}"
        self.obey(f"poke {self._budget_at} {BUDGET_MS.to_bytes(2, 'little').hex()}")

    def close(self) -> None:
        """It goes on, for the next test."""


class LiveBoard(ProcessBench):
    """A board in real time behind a pseudo-terminal, for hosts in processes of their own."""

    def __init__(self, kind: str, program: Sequence[str], link: Path) -> None:
        self.link = link
        super().__init__(kind, [*program, "--link", str(link)], paused=False)
        self._wire: int | None = None

    @property
    def wire(self) -> int:
        """This end of the pseudo-terminal, opened when it is first wanted: bytes go to one who listens."""
        if self._wire is None:
            self._wire = os.open(self.link, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        return self._wire

    def hear(self, data: bytes) -> None:
        os.write(self.wire, data)

    def run(self, ms: int) -> bytes:
        end = time.monotonic() + ms / 1000
        said = b""
        while (left := end - time.monotonic()) > 0:
            if select.select([self.wire], [], [], left)[0]:
                said += os.read(self.wire, 4096)
        return said

    def close(self) -> None:
        """Its name goes first: whoever still looks for it must not find the next board that has the same wire."""
        self.link.unlink(missing_ok=True)
        if self._wire is not None:
            os.close(self._wire)
        super().close()


def make(target: str, folder: Path = PROGRAMS) -> None:
    """Build a test program or a part of the firmware, one test run at a time."""
    OUT.mkdir(exist_ok=True)
    with (OUT / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = subprocess.run(["make", "-C", str(folder), target], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "warning" not in done.stderr, done.stderr


def command(kind: str) -> list[str]:
    """Return the program that is a board of this kind; skip the test when it cannot be built here."""
    if kind == "twin":
        return [sys.executable, "-m", "firmware_bridge.twin"]
    if kind == "host":
        needs_program("cc", apt="gcc libc6-dev")
        return [str(build.program())]
    if kind == "pico":
        return [needs_program("node", apt="nodejs"), str(PROGRAMS / "machine_rp2040.mjs"), str(pico_firmware())]
    needs_program("make", apt="make")
    needs_program("avr-gcc", apt="gcc-avr avr-libc binutils-avr")
    needs_file("/usr/include/simavr/sim_avr.h", apt="libsimavr-dev")
    make("simavr")
    return [str(OUT / "board_simavr"), "--firmware", str(OUT / "digside_board.elf")]


def live_command(kind: str) -> list[str]:
    """Return the program that is a board of this kind in real time."""
    if kind != "pico":
        return command(kind)
    command(kind)  # built, or skipped, here
    return [sys.executable, "-m", "tests.firmware_bridge.live_pico"]


def pico_firmware() -> Path:
    """Build the Pico's firmware; skip the test when it, or the emulator, cannot be had here."""
    needs_program("arm-none-eabi-gcc", apt="gcc-arm-none-eabi")
    needs_file(str(EMULATOR), apt="nodejs npm, and npm ci --prefix tests")
    make("pico", FIRMWARE)
    return OUT / "digside_pico.uf2"


def bench(kind: str) -> Bench:
    """Set a board of this kind up on the bench: library, host, simavr, pico or twin."""
    if kind == "library":
        needs_program("cc", apt="gcc libc6-dev")
        return LibraryBench()
    return PicoBench.fresh() if kind == "pico" else ProcessBench(kind, command(kind))


class Host:
    """The other end of the wire: counts sequences, asks and sorts what comes back."""

    def __init__(self, board: Bench, *, patience_ms: int = 12) -> None:
        self.board = board
        self._patience_ms = patience_ms
        self.told: list[tuple[BoardNotice, bytes]] = []
        self._answers: list[tuple[int, int, bytes]] = []
        self._sequence = 0
        self._reader = frames.Reader()
        self.last = b""
        self.elapsed_ms = 0

    def frame(self, say: int, *body: int) -> bytes:
        self._sequence = (self._sequence + 1) & 0xFF
        return frames.frame(bytes([say, self._sequence, *body]))

    def run(self, ms: int) -> None:
        self.elapsed_ms += ms
        for content in self._reader.read(self.board.run(ms)):
            if content[0] in (BoardNotice.BOOT, BoardNotice.STATUS, BoardNotice.BUTTON, BoardNotice.FAULT):
                self.told.append((BoardNotice(content[0]), content[2:]))
            else:
                self._answers.append((content[0], content[1], content[2:]))

    def ask(self, say: int, *body: int) -> bytes | RefusalCode | None:
        """Return the body of the answer, the refusal, or None for silence."""
        self.last = self.frame(say, *body)
        return self.again()

    def again(self) -> bytes | RefusalCode | None:
        """Send the last request once more, as after an answer that was lost."""
        sequence, say = self._sequence, frames.unframe(self.last.strip(b"\0"))[0]
        self._answers.clear()
        self.board.hear(self.last)
        for _ in range(self._patience_ms):
            self.run(1)
            for kind, number, body in self._answers:
                if number == sequence and kind == say | ANSWER:
                    return body
                if number == sequence and kind == BoardNotice.REFUSAL and body[0] == say:
                    return RefusalCode(body[1])
        return None

    def ready(self) -> None:
        """Greet, clear and renew: the state in which the pump may run."""
        self.run(1)
        assert isinstance(self.ask(Command.HELLO), bytes)
        assert isinstance(self.ask(Command.CLEAR), bytes)
        assert isinstance(self.ask(Command.RENEW), bytes)

    def on(self, level: int = 200) -> None:
        """Be ready, shut the valve and run the pump."""
        self.ready()
        assert isinstance(self.ask(Command.VALVE, 1), bytes)
        assert isinstance(self.ask(Command.PUMP, level), bytes)

    def run_renewing(self, ms: int) -> None:
        """Let time pass with a renewal each 200 ms."""
        end = self.elapsed_ms + ms
        while self.elapsed_ms < end:
            self.ask(Command.RENEW)
            self.run(min(190, max(0, end - self.elapsed_ms)))


def raw(kpa: float) -> int:
    """Return what the simulated sensor shows for a vacuum."""
    return round(SENSOR_ZERO + SENSOR_PER_KPA * kpa)
