"""Short codes to type for a seat, where a phone cannot read the drawn one."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Collection
from typing import NamedTuple

from companion.play.hall import LETTERS

LENGTH = 5
"""Of 31 letters: among 28 million codes a guesser who is slowed down finds none of the few that hold."""
LIFETIME = 2 * 3600.0
"""Seconds a code holds after it was last shown."""
MOST = 1000
"""Codes that hold at once; the oldest go first."""


class Invitation(NamedTuple):
    """A seat at a table."""

    table: str
    seat: int


class Invitations:
    """Which code is for which seat. A code is for one seat alone, and forgotten when the service stops.

    >>> invitations = Invitations()
    >>> code = invitations.code(Invitation("tqv3p", 1))
    >>> invitations.seat(f" {code[:2].upper()} {code[2:]}"), invitations.seat("guess")
    (Invitation(table='tqv3p', seat=1), None)
    """

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._codes: dict[Invitation, tuple[str, float]] = {}

    def code(self, invitation: Invitation) -> str:
        """The code of a seat, which holds from now on anew."""
        with self._lock:
            holding = self._holding()
            code = holding.get(invitation) or _fresh(set(holding.values()))
            self._codes.pop(invitation, None)
            self._codes[invitation] = (code, self._clock() + LIFETIME)
            if len(self._codes) > MOST:
                del self._codes[next(iter(self._codes))]
            return code

    def seat(self, typed: str) -> Invitation | None:
        """The seat that a code is for, however it is typed; None where it is for none."""
        plain = "".join(letter for letter in typed.casefold() if letter.isalnum())
        with self._lock:
            holding = {code: invitation for invitation, code in self._holding().items()}
            return holding.get(plain)

    def _holding(self) -> dict[Invitation, str]:
        """The codes that hold, and no trace of the others."""
        now = self._clock()
        self._codes = {invitation: kept for invitation, kept in self._codes.items() if kept[1] > now}
        return {invitation: code for invitation, (code, _) in self._codes.items()}


def _fresh(taken: Collection[str]) -> str:
    """A code that nobody has."""
    while (code := "".join(secrets.choice(LETTERS) for _ in range(LENGTH))) in taken:
        pass
    return code
