"""Force pump and valve off after the service is gone: ``python -m hardware.pins_low rig.toml``, or its data folder."""

import sys
from collections.abc import Sequence
from pathlib import Path

from gpiozero import GPIOZeroError, OutputDevice

from hardware.refusals import RigProblem
from hardware.rig import default_rig, read_rig
from hardware.rig_file import GpioPart


def pins_low(gpio: GpioPart) -> None:
    """
    Set both pins to off: level together with direction, so that nothing twitches.

    The pins become inputs again; the pull-down at each gate keeps them off.
    """
    outputs = [OutputDevice(pin, active_high=gpio.active_high, initial_value=False) for pin in (gpio.pump, gpio.valve)]
    for output in outputs:
        output.close()


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
    except (RigProblem, GPIOZeroError, ImportError, OSError) as why:
        print(why, file=sys.stderr)
        return 1
    print(f"GPIO {gpio.pump} and {gpio.valve} are off")
    return 0


if __name__ == "__main__":
    sys.exit(main())
