"""Which pins a service drives, noted beside its tables for whoever comes after it, however it ended."""

import os
from pathlib import Path

import msgspec

from hardware.rig_file import GpioPart

NAME = "running-pins.json"


class RunFile:
    """
    What a service was started with. It is written before a pin is driven, and is gone once all are given back.

    :param data: the service's data folder
    """

    def __init__(self, data: Path) -> None:
        self.path = data / NAME

    def note(self, gpio: GpioPart) -> None:
        """From here on these pins may be on."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        half = self.path.with_suffix(".new")
        half.write_bytes(msgspec.json.encode(gpio))
        os.replace(half, self.path)

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
