"""The life of the service's process: safe pins when it is told to go, and word to systemd of how it is."""

import os
import signal
import socket
from collections.abc import Callable, Mapping, Sequence
from types import FrameType

DEADLY = (signal.SIGTERM, signal.SIGHUP)


def make_safe_on_signals(
    make_safe: Callable[[], None], signals: Sequence[signal.Signals] = DEADLY
) -> Callable[[], None]:
    """
    Make the rig safe first when one of *signals* comes, then do what would have been done without this.

    Where nothing else was to be done the process exits as a program does, so that ``finally``
    clauses and exit handlers run. Call it from the main thread, and after a web server has installed
    its own handlers. The following example keeps a rig safe until the program ends::

        rig = open_rig(None, data=Path("data"))
        make_safe_on_signals(rig.make_safe)

    :param make_safe: takes no lock and does not raise, as :meth:`hardware.face.Rig.make_safe`
    :returns: puts the former handlers back
    """
    former = {number: signal.getsignal(number) for number in signals}

    def handle(number: int, frame: FrameType | None) -> None:
        make_safe()
        before = former[signal.Signals(number)]
        if callable(before):
            before(number, frame)
        elif before is not signal.SIG_IGN:
            raise SystemExit(128 + number)

    for number in signals:
        signal.signal(number, handle)

    def put_back() -> None:
        for number, before in former.items():
            signal.signal(number, before)

    return put_back


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
