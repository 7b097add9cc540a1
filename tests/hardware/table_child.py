"""A process with a shovel on pretended pins, for tests that end it: ``… -m tests.hardware.table_child HOW RECORD``."""

import signal
import sys
import threading
import time
from pathlib import Path

from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPin

from hardware.live import LiveRig
from hardware.process import make_safe_on_signals
from hardware.rig import open_rig

RIG = """
kind = "gpio"
[gpio]
pump = {pump}
valve = {valve}
active_high = {active_high}
[shovel]
prime_s = 0.05
longest_s = {longest_s}
"""


class Recorded(MockPin):  # type: ignore[misc]  # gpiozero is not typed
    """A pin that writes down each change, so that it can be read when the process is gone."""

    record: Path

    def _change_state(self, value: bool) -> bool:
        changed = bool(super()._change_state(value))
        with self.record.open("a") as file:
            file.write(f"{self.info.name} {int(value)} {time.monotonic():.3f}\n")
        return changed


def wait_for(rig: LiveRig, phase: str) -> None:
    while (shovel := rig.state().shovel) and shovel.state != phase:
        time.sleep(0.01)


def hang(now: float) -> None:
    threading.Event().wait()


def pretend_pins(record: Path) -> None:
    """Have gpiozero's devices drive pins that write themselves down."""
    Recorded.record = record
    Device.pin_factory = MockFactory(pin_class=Recorded)


def heed_signals() -> None:
    """Take signals as in a terminal: under nohup, or behind an &, it is handed on that some are ignored."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)


def levels(record: Path) -> dict[str, bool]:
    """The level of each pin when its process wrote it last."""
    lines = [line.split() for line in record.read_text().splitlines()]
    return {pin: level == "1" for pin, level, _ in lines}


def main(how: str, record: Path) -> None:
    heed_signals()
    pretend_pins(record)
    file = record.with_suffix(".toml")
    longest_s = "0.4" if how == "too-long" else "15"
    low = how == "active-low"
    pump, valve = (5, 6) if low else (17, 27)
    file.write_text(RIG.format(pump=pump, valve=valve, active_high=str(not low).lower(), longest_s=longest_s))
    rig = open_rig(file, data=record.parent)
    assert isinstance(rig, LiveRig)
    if how != "unhandled":
        make_safe_on_signals(rig.make_safe)
    rig.shovel("grip")
    wait_for(rig, "holding")
    print("holding", flush=True)
    match how:
        case "exception":
            raise RuntimeError("a mistake in the service")
        case "hang":
            rig.put(hang)
        case "too-long":
            wait_for(rig, "off")
            print("let go", flush=True)
    signal.pause()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
