"""The twin as a program, with the channels and commands of firmware/host/main.c.

python -m firmware_bridge.twin [--wire FD] [--control FD] [--paused]
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import select
import signal
import sys
import time

from firmware_bridge.frames import STOP
from firmware_bridge.messages import Reset
from firmware_bridge.sim import SimState
from firmware_bridge.twin.core import Core
from firmware_bridge.twin.plant import Plant
from firmware_bridge.twin.suction import WATCHDOG_MS

REST_S = 0.02
BUSY_S = 0.002
LATE_MS = 300
_PR_SET_PDEATHSIG = 1
_REASONS = {"power": Reset.POWER, "external": Reset.EXTERNAL, "brown-out": Reset.BROWN_OUT, "watchdog": Reset.WATCHDOG}


class TwinMachine:
    """The core with a plant, a watchdog and a clock of milliseconds."""

    def __init__(self) -> None:
        self.plant = Plant()
        self.core = Core(self.plant, Reset.POWER)
        self.now_ms = self.resets = self.starts = self.hung_ms = self.deaf_ms = 0
        self.pump_changed_ms = self.valve_changed_ms = self.heard_ms = 0
        self._waiting = bytearray()
        self._were_on = (False, False)

    def hear(self, data: bytes) -> None:
        """Take bytes from the wire; a hung main loop leaves them lying, but for a stop and what is older."""
        _, stop, newer = data.rpartition(bytes([STOP]))
        if stop:
            self._waiting.clear()
            self.core.stop()
            self._note()
        self._waiting += newer

    def run(self, ms: int) -> None:
        for _ in range(ms):
            self._step()
            self._note()

    def _note(self) -> None:
        before, after = self._were_on, (self.core.pins.pump > 0, self.core.pins.valve)
        self.pump_changed_ms = self.now_ms if before[0] != after[0] else self.pump_changed_ms
        self.valve_changed_ms = self.now_ms if before[1] != after[1] else self.valve_changed_ms
        self.starts += (after[0] and not before[0]) + (after[1] and not before[1])
        self._were_on = after

    def _step(self) -> None:
        self.now_ms += 1
        if self.hung_ms > 0:
            self.hung_ms -= 1
            self.deaf_ms += 1
            if self.deaf_ms >= WATCHDOG_MS:
                self.reset(Reset.WATCHDOG)
        else:
            self._live()
        self.plant.step(self.core.pins.pump / 255, self.core.pins.valve, 0.001)

    def _live(self) -> None:
        self.deaf_ms = 0
        if self._waiting:
            self.heard_ms = self.now_ms
            self.core.receive(bytes(self._waiting))
            self._waiting.clear()
        self.core.tick()

    def reset(self, reason: Reset) -> None:
        self.hung_ms = self.deaf_ms = 0
        self._waiting.clear()
        self.resets += 1
        self.core = Core(self.plant, reason, budget_ms=0 if reason is Reset.POWER else self.core.budget_ms)

    def said(self) -> bytes:
        data = bytes(self.core.said)
        self.core.said.clear()
        return data

    @property
    def at_rest(self) -> bool:
        pins = self.core.pins
        return not (pins.pump or pins.valve or self._waiting or self.hung_ms) and self.plant.at_rest

    def state(self) -> SimState:
        pins, plant = self.core.pins, self.plant
        return SimState(
            kind="twin",
            now_us=self.now_ms * 1000,
            wall_us=time.monotonic_ns() // 1000,
            pump=pins.pump,
            valve=pins.valve,
            lamps=pins.lamps,
            pitch=pins.pitch,
            period=0,
            kpa=round(plant.kpa, 3),
            card=plant.card,
            leak=plant.leak,
            blocked=plant.blocked,
            buttons=plant.buttons,
            resets=self.resets,
            starts=self.starts,
            backlog=0,
            last_heard_us=self.heard_ms * 1000,
            pump_changed_us=self.pump_changed_ms * 1000,
            valve_changed_us=self.valve_changed_ms * 1000,
            pump_off_wall_us=0,
        )


def obey_plant(plant: Plant, word: str, rest: str) -> bool:
    """Change the world round the board; return whether that was meant."""
    match word:
        case "card" | "blocked" | "uno":
            setattr(plant, word, rest != "0")
        case "leak":
            plant.leak = min(1.0, max(0.0, float(rest)))
        case "buttons":
            plant.buttons = int(rest)
        case _:
            return False
    return True


def obey(machine: TwinMachine, line: str) -> object:
    """Do one line of the control channel and return the answer."""
    word, _, rest = line.partition(" ")
    match word:
        case "state":
            return machine.state()
        case "lights":
            return {"lights": machine.core.lights.shown.hex()}
        case "run":
            machine.run(int(rest) // 1000)
            return {"said": machine.said().hex()}
        case "hear":
            machine.hear(bytes.fromhex(rest))
        case "hang":
            machine.hung_ms = int(rest) // 1000
        case "reset" if rest in _REASONS:
            machine.reset(_REASONS[rest])
        case _:
            return {"ok": obey_plant(machine.plant, word, rest)}
    return {"ok": True}


class Program:
    """Serves the wire and the control channel, in real time or in steps."""

    def __init__(self, wire: int | None, control_in: int, control_out: int, paused: bool) -> None:
        self._machine = TwinMachine()
        self._wire, self._control_in, self._control_out, self._paused = wire, control_in, control_out, paused
        self._lines = b""
        self._ahead = time.monotonic()
        if wire is not None:
            os.set_blocking(wire, False)
        self._answer(self._machine.state())

    def _answer(self, answer: object) -> None:
        os.write(self._control_out, json.dumps(answer).encode() + b"\n")

    def serve(self) -> None:
        """Wait for something and do it."""
        patience = None if self._paused else REST_S if self._machine.at_rest else BUSY_S
        channels = [self._control_in] + ([] if self._wire is None else [self._wire])
        ready, _, _ = select.select(channels, [], [], patience)
        if not self._paused:
            self._catch_up()
        if self._wire is not None and self._wire in ready:
            self._read_wire(self._wire)
        if self._control_in in ready:
            self._read_control()
        if not self._paused:
            self._write_wire()

    def _catch_up(self) -> None:
        behind = int((time.monotonic() - self._ahead) * 1000)
        if behind > LATE_MS:
            self._ahead = time.monotonic()
            return
        self._machine.run(behind)
        self._ahead += behind / 1000

    def _read_wire(self, wire: int) -> None:
        data = os.read(wire, 4096)
        if not data:
            sys.exit(0)
        self._machine.hear(data)
        self._machine.run(1)
        self._ahead += 0.001

    def _write_wire(self) -> None:
        data = self._machine.said()
        if self._wire is None or not data:
            return
        try:
            os.write(self._wire, data)
        except BlockingIOError:
            return  # nobody listens

    def _read_control(self) -> None:
        data = os.read(self._control_in, 8192)
        if not data:
            sys.exit(0)
        *whole, self._lines = (self._lines + data).split(b"\n")
        for line in whole:
            self._answer(obey(self._machine, line.decode()))


def die_with(parent: int) -> None:
    """Ask Linux for a signal when the parent goes; one that only says that a thread of it went is ignored."""

    def leave(_number: int, _frame: object) -> None:
        if os.getppid() != parent:
            os._exit(0)

    signal.signal(signal.SIGHUP, leave)
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGHUP)


def main() -> None:
    parser = argparse.ArgumentParser(prog="firmware_bridge.twin", description="A simulated board in Python.")
    parser.add_argument("--wire", type=int)
    parser.add_argument("--control", type=int)
    parser.add_argument("--paused", action="store_true")
    given = parser.parse_args()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with(os.getppid())
    control_in, control_out = (0, 1) if given.control is None else (given.control, given.control)
    program = Program(given.wire, control_in, control_out, given.paused)
    while True:
        program.serve()


if __name__ == "__main__":
    main()
