"""The simulated board and the world round it: hose, cup and card, and everything that goes wrong with cables."""

from __future__ import annotations

import json
import logging
import os
import random
import select
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypedDict, cast
from urllib.parse import parse_qsl, urlsplit

import msgspec

from firmware_bridge import build, frames
from firmware_bridge.control import PATIENCE_S, Control

SENSOR_ZERO = 41.0
SENSOR_PER_KPA = 9.216
"""Counts of the simulated sensor (MPX5100DP): raw = zero + per_kpa x kPa."""
START_S = 10.0

_log = logging.getLogger(__name__)
_ROOT = str(Path(__file__).parent.parent)


class Faults(msgspec.Struct, frozen=True):
    """What a `sim://` address may ask for; times are seconds after the port was first opened, but for `delay`."""

    leak: float = 0.0
    card: bool = False
    blocked: bool = False
    drop: float = 0.0
    corrupt: float = 0.0
    delay: float = 0.0
    stall: float | None = None
    unplug: float | None = None
    brownout: float | None = None
    stray: float | None = None
    twin: bool = False
    native: bool = False
    uno: bool = False
    seed: int = 1


def read_address(url: str) -> Faults:
    """Read the faults of an address.

    >>> read_address("sim://?leak=0.3&drop=5").drop
    5.0

    :raises ValueError: for a fault that does not exist or a value that makes no sense.
    """
    try:
        faults = msgspec.convert(dict(parse_qsl(urlsplit(url).query)), Faults, strict=False)
        unknown = {key for key, _ in parse_qsl(urlsplit(url).query)} - set(Faults.__struct_fields__)
    except msgspec.ValidationError as error:
        raise ValueError(f"{url}: {error}") from error
    if unknown:
        raise ValueError(
            f"{url}: no such setting: {', '.join(sorted(unknown))}; there are {', '.join(Faults.__struct_fields__)}"
        )
    for name, most in (("leak", 1), ("drop", 100), ("corrupt", 100), ("delay", 1)):
        if not 0 <= getattr(faults, name) <= most:
            raise ValueError(f"{url}: {name} must be from 0 to {most}")
    return faults


class SimState(TypedDict):
    """What the simulated board says of itself on its control channel."""

    kind: str
    now_us: int
    wall_us: int
    pump: int
    valve: bool
    lamps: int
    pitch: int
    period: int
    kpa: float
    card: bool
    leak: float
    blocked: bool
    buttons: int
    resets: int
    starts: int
    backlog: int
    last_heard_us: int
    pump_changed_us: int
    valve_changed_us: int
    pump_off_wall_us: int


class Noise:
    """Spoils frames that go by: leaves a byte out of some, turns a bit in others."""

    def __init__(self, seed: int) -> None:
        self._luck = random.Random(seed)  # noqa: S311 - noise, not luck of a game
        self._spoil_at: int | None = None
        self._turn = False
        self._place = 0

    def pass_on(self, data: bytes, drop: float, corrupt: float) -> bytes:
        """Return what arrives; `drop` and `corrupt` are percents of frames."""
        if not drop and not corrupt:
            return data
        out = bytearray()
        for byte in data:
            self._place += 1
            if byte == 0:
                self._next_frame(drop, corrupt)
            elif self._place == self._spoil_at:
                if self._turn:
                    out.append(byte ^ 1 << self._luck.randrange(8))
                continue
            out.append(byte)
        return bytes(out)

    def _next_frame(self, drop: float, corrupt: float) -> None:
        self._place = 0
        dice = self._luck.random() * 100
        self._spoil_at = self._luck.randint(1, 6) if dice < drop + corrupt else None
        self._turn = dice >= drop


class World:
    """The simulated board and what is round it. Every call may come from any thread."""

    def __init__(self, url: str) -> None:
        self.url = url
        faults = read_address(url)
        self.drop = faults.drop
        self.corrupt = faults.corrupt
        self.delay = faults.delay
        self.native = faults.native
        self.noise_in = Noise(faults.seed)
        self.noise_out = Noise(faults.seed + 1)
        self._script = faults
        self._lock = threading.Lock()
        self._owner = threading.Lock()
        self._plugged = True
        self._opened = False
        self._timers: list[threading.Timer] = []
        self.wire, far_wire = socket.socketpair()
        control, far_control = socket.socketpair()
        self._control = Control(control)
        self.alarm_out, self.alarm_in = os.pipe()  # wakes a reader when the cable comes out
        with far_wire, far_control:
            self._process = self._launch(faults, far_wire.fileno(), far_control.fileno())
        try:
            self._control.await_start(START_S)
        except OSError:
            self._give_back()
            raise
        self.leak = faults.leak
        self.touch(card=faults.card)
        self.blocked = faults.blocked
        self._say(f"uno {int(faults.uno)}")

    @property
    def pid(self) -> int:
        return self._process.pid

    def state(self, *, within: float = PATIENCE_S) -> SimState:
        """Ask the simulated board for everything at once.

        :raises TimeoutError: when it stands still, as a suspended process does.
        :raises ConnectionError: when it has gone.
        """
        return cast(SimState, self._say("state", within=within))

    @property
    def pressure_kpa(self) -> float:
        """Vacuum in the cup; 0 is none."""
        return self.state()["kpa"]

    @property
    def pump(self) -> int:
        return self.state()["pump"]

    @property
    def valve_closed(self) -> bool:
        return self.state()["valve"]

    @property
    def lamps(self) -> int:
        return self.state()["lamps"]

    @property
    def pitch(self) -> int:
        """What the buzzer sounds, in hertz; 0 is silence."""
        return self.state()["pitch"]

    @property
    def lights(self) -> bytes:
        """What each pixel shows: red, green and blue."""
        return bytes.fromhex(str(self._say("lights")["lights"]))

    @property
    def card(self) -> bool:
        """Whether a card lies against the cup."""
        return self.state()["card"]

    def touch(self, *, card: bool) -> None:
        """Bring the cup down on a card, or take the card away."""
        self._say(f"card {int(card)}")

    @property
    def leak(self) -> float:
        """0: as tight as cardboard gets; 1: as if there were no card."""
        return self.state()["leak"]

    @leak.setter
    def leak(self, value: float) -> None:
        self._say(f"leak {value}")

    @property
    def blocked(self) -> bool:
        """Whether the hose is blocked between the sensor and the cup, as by a kink."""
        return self.state()["blocked"]

    @blocked.setter
    def blocked(self, value: bool) -> None:
        self._say(f"blocked {int(value)}")

    def press(self, *buttons: int) -> None:
        """Hold exactly these buttons down, the first being 0; none: let go."""
        self._say(f"buttons {sum(1 << button for button in buttons)}")

    def unplug(self) -> None:
        """Pull the cable. The board has power of its own and goes on."""
        with self._lock:
            if self._plugged:
                self._plugged = False
                os.write(self.alarm_in, b"!")

    def replug(self) -> None:
        """Put the cable back."""
        with self._lock:
            if not self._plugged:
                os.read(self.alarm_out, 16)
                self._plugged = True

    @property
    def plugged(self) -> bool:
        return self._plugged

    def stall(self, seconds: float) -> None:
        """Hang the firmware's main loop; after 250 ms its watchdog resets it."""
        self._say(f"hang {int(seconds * 1e6)}")

    def brown_out(self) -> None:
        """Let the supply voltage dip: the board starts anew and says why."""
        self._say("reset brown-out")

    def stray_stop(self) -> None:
        """Let the board hear a stop byte that nobody sent, as a wire beside a motor may bring it."""
        self.wire.sendall(bytes([frames.STOP]))

    def claim(self) -> bool:
        """Take the port; only one may have it."""
        return self._owner.acquire(blocking=False)

    def release(self) -> None:
        """Give the port back."""
        self._owner.release()

    def opened(self) -> None:
        """Somebody has opened the port: a Nano is reset by that. The first time, the script of the address begins."""
        if not self.native:
            self._say("reset external")
        if self._opened:
            return
        self._opened = True
        script = self._script
        for after, happen in (
            (script.stall, lambda: self.stall(3600)),
            (script.unplug, self.unplug),
            (script.unplug + 2.0 if script.unplug is not None else None, self.replug),
            (script.brownout, self.brown_out),
            (script.stray, self.stray_stop),
        ):
            if after is not None:
                self._later(after, happen)

    def end(self) -> None:
        """Take the world away."""
        with _worlds_lock:
            _worlds.pop(self.url, None)
        for timer in self._timers:
            timer.cancel()
        with self._lock:
            self._plugged = False
        self._give_back()

    def _give_back(self) -> None:
        self._control.close()
        self._process.kill()
        self._process.wait()
        self.wire.close()
        os.close(self.alarm_in)
        os.close(self.alarm_out)

    def _later(self, seconds: float, happen: Callable[[], None]) -> None:
        timer = threading.Timer(seconds, happen)
        timer.daemon = True
        timer.start()
        self._timers.append(timer)

    def _say(self, line: str, *, within: float = PATIENCE_S) -> dict[str, object]:
        answer = json.loads(self._control.ask(line, within=within))
        if answer.get("ok", True) is not True:
            raise RuntimeError(f"the simulated board does not understand {line!r}")
        return cast(dict[str, object], answer)

    def _launch(self, faults: Faults, wire: int, control: int) -> subprocess.Popen[bytes]:
        channels = ["--wire", str(wire), "--control", str(control)]
        return subprocess.Popen(  # noqa: S603 - our own program
            [*_board_command(twin=faults.twin), *channels],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=(wire, control),
            env=os.environ | {"PYTHONPATH": os.pathsep.join([_ROOT, *filter(None, [os.environ.get("PYTHONPATH")])])},
        )


def _board_command(*, twin: bool) -> list[str]:
    if not twin:
        try:
            return [str(build.program())]
        except build.NoCompiler as error:
            _log.warning("%s: simulating the board with the Python twin of its firmware instead", error)
    return [sys.executable, "-m", "firmware_bridge.twin"]


_worlds: dict[str, World] = {}
_worlds_lock = threading.Lock()


def world_at(url: str) -> World | None:
    """Return the world at a `sim://` address, made when it is first asked for; None for a real port.

    Two boards at the same address are one board; `sim://left` and `sim://right` are two.
    """
    if urlsplit(url).scheme != "sim":
        return None
    with _worlds_lock:
        if url not in _worlds:
            _worlds[url] = World(url)
        return _worlds[url]


def receive(world: World, size: int, timeout: float | None) -> bytes:
    """Read what the simulated board said.

    :raises ConnectionError: when the cable is out.
    """
    wire, alarm = world.wire.fileno(), world.alarm_out
    ready, _, _ = select.select([wire, alarm], [], [], timeout)
    if not world.plugged or alarm in ready:
        raise ConnectionError("the cable is out")
    if not ready:
        return b""
    data = world.wire.recv(size)
    if not data:
        raise ConnectionError("the simulated board has gone")
    return data


def drain(world: World) -> None:
    """Forget what was said while nobody listened."""
    while select.select([world.wire], [], [], 0)[0]:
        if not world.wire.recv(65536):
            return
