"""Those who walk up and down a stretch of corridor and turn at its walls."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.refusals import Illegal


class Walker(msgspec.Struct, frozen=True):
    """One who walks straight on in a stretch of its own; to turn costs no step.

    >>> walker = Walker.on(["a", "b", "c", "d"], at="b", towards="d")
    >>> walker, entered = walker.walk(3)
    >>> entered
    ('c', 'd', 'c')
    >>> walker.at, walker.towards
    ('c', 'a')
    """

    stretch: tuple[str, ...]
    place: int
    ahead: int
    """1 towards the last square of the stretch, -1 towards the first."""

    @classmethod
    def on(cls, stretch: Sequence[str], *, at: str, towards: str) -> Walker:
        """One who stands on a square and looks at an end of the stretch.

        :raises Illegal: if the square is not in the stretch, or the other no end of it.
        """
        if len(stretch) < 2 or at not in stretch or towards not in {stretch[0], stretch[-1]}:
            raise Illegal("piece.corridor.place", square=at, towards=towards)
        return cls(tuple(stretch), list(stretch).index(at), 1 if towards == stretch[-1] else -1)

    @property
    def at(self) -> str:
        """The square it stands on."""
        return self.stretch[self.place]

    @property
    def towards(self) -> str:
        """The end of the stretch that it looks at."""
        return self.stretch[-1 if self.ahead > 0 else 0]

    def walk(self, steps: int) -> tuple[Walker, tuple[str, ...]]:
        """Where it is after so many steps, and every square it entered on the way."""
        place, ahead, last = self.place, self.ahead, len(self.stretch) - 1
        entered = []
        for _ in range(steps):
            if not 0 <= place + ahead <= last:
                ahead = -ahead
            place += ahead
            entered.append(self.stretch[place])
        return Walker(self.stretch, place, ahead), tuple(entered)
