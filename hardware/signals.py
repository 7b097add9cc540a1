"""Safe pins when the process is told to go: gpiozero sees to exit and Ctrl-C, but not to SIGTERM and SIGHUP."""

import signal
from collections.abc import Callable, Sequence
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
