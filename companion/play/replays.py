"""Who may have a long table played again from its first entry: that takes a second, and is not for strangers.

What is meant is a table that lies cold, or of which only the newest entries are at hand (`snapshots.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from companion.refusals import Asleep, AsTyped

SHORT = 256
"""Entries that are played again for anybody: it takes no longer than to open a table from a snapshot."""

_allowed = ContextVar("allowed", default=True)


@contextmanager
def no_replays() -> Iterator[None]:
    """Have nothing long played again by this thread meanwhile."""
    before = _allowed.set(False)
    try:
        yield
    finally:
        _allowed.reset(before)


def check_may_replay(table: str) -> None:
    """Refuse where that is not for whoever asks.

    :raises Asleep: there.
    """
    if not _allowed.get():
        raise Asleep("core.asleep", table=AsTyped(table))
