"""Telling systemd how the service is: one datagram to the socket it named; nothing where it named none."""

import os
import socket
from collections.abc import Mapping


def notify(*lines: str, environ: Mapping[str, str] = os.environ) -> bool:
    """
    Send *lines* such as ``READY=1``; say whether anybody was there to hear them.

    >>> notify("READY=1", environ={})
    False
    """
    address = environ.get("NOTIFY_SOCKET", "")
    if not address:
        return False
    if address.startswith("@"):  # Linux spells an abstract address with a leading zero byte
        address = "\0" + address[1:]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as wire:
        try:
            wire.connect(address)
            wire.sendall("\n".join(lines).encode())
        except OSError:  # systemd has gone; the service goes on without it
            return False
    return True


def ready(status: str = "") -> bool:
    """The service answers requests now."""
    return notify("READY=1", f"STATUS={status}") if status else notify("READY=1")


def stopping() -> bool:
    """The service is about to end."""
    return notify("STOPPING=1")


def alive() -> bool:
    """Pet the watchdog; only for a loop that has just seen that everything works."""
    return notify("WATCHDOG=1")


def watchdog_s(environ: Mapping[str, str] = os.environ) -> float | None:
    """
    How often the watchdog wants to be petted, at half of its time; ``None`` where there is none.

    >>> watchdog_s({"WATCHDOG_USEC": "10000000"})
    5.0
    """
    if environ.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    microseconds = environ.get("WATCHDOG_USEC", "")
    return int(microseconds) / 2_000_000 if microseconds.isdecimal() and int(microseconds) else None
