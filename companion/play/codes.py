"""Short codes to type for a seat, where a phone cannot read the drawn one."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from typing import NamedTuple, Protocol

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that is read as another
LENGTH = 5
"""Of 31 letters: among 28 million codes a guesser who is slowed down finds none of the few that hold."""
LIFETIME = 2 * 3600.0
"""Seconds a code holds after it was last shown."""
ROOM = -1
"""In the place of a seat's key: the code is for whoever takes a seat that is free."""
MOST = 1000
"""Codes that hold at once in one process; the oldest go first."""


class Invitation(NamedTuple):
    """A seat at a table, by the number of its key; or the room."""

    table: str
    seat: int


class Codes(Protocol):
    """Which code is for which seat. A code is for one seat alone."""

    def code(self, invitation: Invitation, *, holds: float = LIFETIME) -> str:
        """The code of a seat, which holds from now on anew.

        :param holds: for so many seconds.
        """

    def seat(self, typed: str) -> Invitation | None:
        """The seat that a code is for, however it is typed; None where it is for none."""


class OwnCodes:
    """The codes of one process; forgotten when it stops.

    >>> codes = OwnCodes()
    >>> code = codes.code(Invitation("tqv3p", 1))
    >>> codes.seat(f" {code[:2].upper()} {code[2:]}"), codes.seat("guess")
    (Invitation(table='tqv3p', seat=1), None)
    """

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._codes: dict[Invitation, tuple[str, float]] = {}

    def code(self, invitation: Invitation, *, holds: float = LIFETIME) -> str:
        with self._lock:
            holding = self._holding()
            code = holding.get(invitation) or random_code(LENGTH, set(holding.values()).__contains__)
            self._codes.pop(invitation, None)
            self._codes[invitation] = (code, self._clock() + holds)
            if len(self._codes) > MOST:
                del self._codes[next(iter(self._codes))]
            return code

    def seat(self, typed: str) -> Invitation | None:
        with self._lock:
            holding = {code: invitation for invitation, code in self._holding().items()}
            return holding.get(plain(typed))

    def forget(self, table: str) -> None:
        """No code is for a seat at this table any more."""
        with self._lock:
            self._codes = {each: kept for each, kept in self._codes.items() if each.table != table}

    def _holding(self) -> dict[Invitation, str]:
        """The codes that hold, and no trace of the others."""
        now = self._clock()
        self._codes = {invitation: kept for invitation, kept in self._codes.items() if kept[1] > now}
        return {invitation: code for invitation, (code, _) in self._codes.items()}


def plain(typed: str) -> str:
    """A code as it is kept, however it was typed.

    >>> plain(" TQ-v3 p")
    'tqv3p'
    """
    return "".join(letter for letter in typed.casefold() if letter.isalnum())


def random_code(length: int, is_taken: Callable[[str], bool] = lambda _: False) -> str:
    """So many letters that nobody has."""
    while is_taken(new := "".join(secrets.choice(LETTERS) for _ in range(length))):
        pass
    return new
