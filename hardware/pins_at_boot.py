"""What a Raspberry Pi does with its pins while it starts, before any program of ours runs."""

from collections.abc import Iterable

EEPROM = (0, 1)
I2C = (2, 3)
PULLED_UP = range(9)
SERIAL = (14, 15)
SPI = range(7, 12)
SUGGESTED = 6
"""Pins to name in a refusal: enough to choose from."""


def why_on(pin: int, *, active_high: bool) -> str | None:
    """
    Why a driver at *pin* would be on while the Pi starts; ``None`` where it stays off.

    >>> why_on(17, active_high=True) is None, why_on(5, active_high=False) is None
    (True, True)
    >>> why_on(4, active_high=True)
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


def spare(used: Iterable[tuple[str, int]], *, active_high: bool) -> list[int]:
    """Some pins on which a driver stays off, which nothing else has; those of SPI last."""
    taken = {pin for _, pin in used}
    fit = [pin for pin in range(28) if pin not in taken and why_on(pin, active_high=active_high) is None]
    return sorted(sorted(fit, key=lambda pin: pin in SPI)[:SUGGESTED])
