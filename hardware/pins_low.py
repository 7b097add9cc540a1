"""Force pump and valve off after the service is gone: ``python -m hardware.pins_low rig.toml``, or its data folder."""

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from gpiozero import OutputDevice

from hardware.rig import default_rig, read_rig
from hardware.rig_file import GpioPart


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
    """Run from the service's ``ExecStopPost``; a rig without pins of its own needs nothing."""
    if len(arguments) != 1:
        print("usage: python -m hardware.pins_low RIG.TOML|PRESET|DATA-FOLDER", file=sys.stderr)
        return 2
    try:
        where = Path(arguments[0])
        gpio = read_rig(default_rig(where) if where.is_dir() else where).rig.gpio
        if gpio is None:
            print("no pins of this machine drive a pump: a board lets go by itself")
            return 0
        pins_low(gpio)
    except Exception as why:  # a library for pins raises what it likes
        print(why, file=sys.stderr)
        return 1
    print(f"GPIO {gpio.pump} and {gpio.valve} are off")
    return 0


if __name__ == "__main__":
    sys.exit(main())
