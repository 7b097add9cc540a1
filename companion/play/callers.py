"""Which tables call for the host of the house: at most once each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol


class Callers(Protocol):
    """The tables that call, and since when, in milliseconds since 1970. One that ends or is deleted calls no more."""

    def all(self) -> Mapping[str, int]:
        """Since when each of them has been calling, as far as is known here."""

    def call(self, table: str, at: int) -> None:
        """Record a call for help. A table that calls already keeps the time of its first call."""

    def take_back(self, table: str) -> bool:
        """Nobody need come to a table; whether it had called."""

    def listen(self, heard: Callable[[str], None]) -> None:
        """Call `heard` with a table that may call now, or no longer, by another process; from a thread of its own."""


class OwnCallers:
    """The calls of one process; forgotten when it stops.

    >>> callers = OwnCallers()
    >>> callers.call("tqv3p", 5), callers.call("tqv3p", 9), callers.all()
    (None, None, {'tqv3p': 5})
    >>> callers.take_back("tqv3p"), callers.take_back("tqv3p")
    (True, False)
    """

    def __init__(self) -> None:
        self._since: dict[str, int] = {}

    def all(self) -> Mapping[str, int]:
        return self._since.copy()

    def call(self, table: str, at: int) -> None:
        self._since.setdefault(table, at)

    def take_back(self, table: str) -> bool:
        return self._since.pop(table, None) is not None

    def listen(self, heard: Callable[[str], None]) -> None:
        """No other process writes here."""
