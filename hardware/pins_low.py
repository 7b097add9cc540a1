"""Force pump and valve off once the service is gone: ``python -m hardware.pins_low`` its data folder, or a rig file."""

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from gpiozero import OutputDevice

from hardware.rig import read_rig
from hardware.rig_file import GpioPart
from hardware.run_file import RunFile


def pins_low(gpio: GpioPart) -> None:
    """
    Set both pins to off: level together with direction, so that nothing twitches.

    The pins become inputs again; the pull-down at each gate keeps them off.
    """
    with ExitStack() as each:  # one that fails keeps no other from its turn
        for pin in (gpio.valve, gpio.pump):
            each.callback(_pin_low, pin, active_high=gpio.active_high)


def _pin_low(pin: int, *, active_high: bool) -> None:
    OutputDevice(pin, active_high=active_high, initial_value=False).close()


def main(arguments: Sequence[str] = sys.argv[1:]) -> int:
    """
    Run from the service's ``ExecStopPost``: the pins that it was started with are forced off, and no others.

    A service that ended well has given its pins back, and one without pins of its own had none.
    """
    if len(arguments) != 1:
        print("usage: python -m hardware.pins_low DATA-FOLDER|RIG.TOML|PRESET", file=sys.stderr)
        return 2
    where = Path(arguments[0])
    started = RunFile(where) if where.is_dir() else None
    try:
        gpio = started.read() if started else read_rig(where).rig.gpio
        if gpio is None:
            print("no pins are left on: the service has given them back, or a board lets go by itself")
            return 0
        pins_low(gpio)
        if started:
            started.forget()
    except Exception as why:  # a library for pins raises what it likes
        print(why, file=sys.stderr)
        return 1
    print(f"GPIO {gpio.pump} and {gpio.valve} are off")
    return 0


if __name__ == "__main__":
    sys.exit(main())
