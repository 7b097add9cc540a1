"""``found://…``: a port that is looked for whenever it is opened, because a board may come late and be renamed."""

import glob
import os
from collections.abc import Sequence

import serial

SCHEME = "found://"
OWN_NAME = "/dev/digside-board"
HINT = "; name its port once: digside rig nano --port PORT"

if __package__ and __package__ not in serial.protocol_handler_packages:
    serial.protocol_handler_packages.append(__package__)


def address_of(ports: Sequence[str]) -> str:
    """
    One address for what may be under several names; a plain name stays as it is.

    >>> address_of(["/dev/ttyUSB0"]), address_of(["/dev/a", "/dev/serial/by-id/usb-b*"])
    ('/dev/ttyUSB0', 'found:///dev/a|/dev/serial/by-id/usb-b*')
    """
    if len(ports) == 1 and ("://" in ports[0] or not glob.has_magic(ports[0])) and ports[0] != OWN_NAME:
        return ports[0]
    return SCHEME + "|".join(ports)


def look_for(ports: Sequence[str]) -> str:
    """
    The first of *ports* that is there now.

    :raises serial.SerialException: when none is, or when one means several boards: none of them is taken by guess
    """
    for port in ports:
        if "://" in port:
            return port
        there = {os.path.realpath(device): device for device in sorted(glob.glob(port), reverse=True)}
        if len(there) > 1:
            names = ", ".join(sorted(there.values()))
            raise serial.SerialException(f"{len(there)} boards match {port}: {names}; name one of them")
        if there:
            return next(iter(there.values()))
    missing = " and no ".join(ports)
    raise serial.SerialException(f"no board is connected: there is no {missing}{HINT if OWN_NAME in ports else ''}")


def serial_class_for_url(url: str) -> tuple[str, type[serial.SerialBase]]:
    """What pyserial asks of a module that knows a kind of address."""
    port = look_for(url.removeprefix(SCHEME).split("|"))
    return port, type(serial.serial_for_url(port, do_not_open=True))
