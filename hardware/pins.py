"""
The pins of pump and valve before a program drives them and after it is gone.

``python -m hardware.pins`` a data folder, or a rig file, forces them off once the service has ended, however it ended.
"""

import sys
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from hardware.whole_file import write_whole

Pin = Annotated[int, Meta(ge=0, le=27)]
EEPROM = (0, 1)
I2C = (2, 3)
PULLED_UP = range(9)
SERIAL = (14, 15)
SPI = range(7, 12)
SUGGESTED = 6
"""Pins to name in a refusal: enough to choose from."""


class GpioPart(Struct, frozen=True, forbid_unknown_fields=True):
    """
    The pins of pump and valve, as GPIO numbers.

    :ivar active_high: whether a high pin switches on; ``false`` for most relay boards
    """

    pump: Pin
    valve: Pin
    active_high: bool = True


def why_on_at_boot(pin: int, *, active_high: bool) -> str | None:
    """
    Why a driver at *pin* would be on while the Pi starts; ``None`` where it stays off.

    >>> why_on_at_boot(17, active_high=True) is None, why_on_at_boot(5, active_high=False) is None
    (True, True)
    >>> why_on_at_boot(4, active_high=True)
    'is pulled up while the Pi starts'
    """
    if pin in EEPROM:
        return "is used while the Pi starts, to ask a HAT what it is"
    if pin in SERIAL:
        return "belongs to the serial console, which speaks while the Pi starts"
    if pin in I2C:
        return (
            "is pulled up to 3.3 V by 1.8 kΩ on the Pi itself" if active_high else "belongs to I²C, which pulls it low"
        )
    if active_high and pin in PULLED_UP:
        return "is pulled up while the Pi starts"
    if not active_high and pin not in PULLED_UP:
        return "is pulled down while the Pi starts, which is on where active_high is false"
    return None


def spare_pins(used: Iterable[tuple[str, int]], *, active_high: bool) -> list[int]:
    """Some pins on which a driver stays off, which nothing else has; those of SPI last."""
    taken = {pin for _, pin in used}
    fit = [pin for pin in range(28) if pin not in taken and why_on_at_boot(pin, active_high=active_high) is None]
    return sorted(sorted(fit, key=lambda pin: pin in SPI)[:SUGGESTED])


NAME = "running-pins.json"


class DrivenPins:
    """
    What a service was started with. It is written before a pin is driven, and is gone once all are given back.

    :param data: the service's data folder
    """

    def __init__(self, data: Path) -> None:
        self.path = data / NAME

    def note(self, gpio: GpioPart) -> None:
        """From here on these pins may be on."""
        write_whole(self.path, msgspec.json.encode(gpio))

    def read(self) -> GpioPart | None:
        """
        The pins that may be on; ``None`` when no service that drives pins has left any.

        :raises ValueError: when the file is damaged
        """
        try:
            return msgspec.json.decode(self.path.read_bytes(), type=GpioPart)
        except FileNotFoundError:
            return None

    def forget(self) -> None:
        """All pins are given back."""
        self.path.unlink(missing_ok=True)


def drive_low(gpio: GpioPart) -> None:
    """
    Set both pins to off: level together with direction, so that nothing twitches.

    The pins become inputs again; the pull-down at each gate keeps them off.
    """
    with ExitStack() as each:  # one that fails keeps no other from its turn
        for pin in (gpio.valve, gpio.pump):
            each.callback(_pin_low, pin, active_high=gpio.active_high)


def _pin_low(pin: int, *, active_high: bool) -> None:
    from gpiozero import OutputDevice  # takes room, which a service without pins of its own leaves free

    OutputDevice(pin, active_high=active_high, initial_value=False).close()


def main(arguments: Sequence[str] = sys.argv[1:]) -> int:
    """
    Run from the service's ``ExecStopPost``: the pins that it was started with are forced off, and no others.

    A service that ended well has given its pins back, and one without pins of its own had none.
    """
    from hardware.rig import read_rig

    if len(arguments) != 1:
        print("usage: python -m hardware.pins DATA-FOLDER|RIG.TOML|PRESET", file=sys.stderr)
        return 2
    where = Path(arguments[0])
    started = DrivenPins(where) if where.is_dir() else None
    try:
        gpio = started.read() if started else read_rig(where).rig.gpio
        if gpio is None:
            print("no pins are left on: the service has given them back, or a board lets go by itself")
            return 0
        drive_low(gpio)
        if started:
            started.forget()
    except Exception as why:  # a library for pins raises what it likes
        print(why, file=sys.stderr)
        return 1
    print(f"GPIO {gpio.pump} and {gpio.valve} are off")
    return 0


if __name__ == "__main__":
    sys.exit(main())
