"""A plan of squares with walls between them, on which blocks fall until nobody gets out."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import msgspec

NONE_FALLEN: frozenset[str] = frozenset()


class Plan(msgspec.Struct, frozen=True):
    """Squares, the steps between them, and the squares from which one gets out.

    >>> plan = Plan.of([("in", "hall"), ("hall", "den")], exits=["in"])
    >>> plan.steps("hall")
    ('in', 'den')
    >>> plan.is_trapped("den", fallen={"hall"})
    True
    """

    neighbours: dict[str, tuple[str, ...]]
    exits: tuple[str, ...]

    @classmethod
    def of(cls, passages: Iterable[tuple[str, str]], *, exits: Iterable[str]) -> Plan:
        """A plan from every two squares that one can step between."""
        neighbours: dict[str, list[str]] = {}
        for here, there in passages:
            neighbours.setdefault(here, []).append(there)
            neighbours.setdefault(there, []).append(here)
        return cls({name: tuple(others) for name, others in neighbours.items()}, tuple(exits))

    def steps(self, square: str, *, fallen: Collection[str] = NONE_FALLEN) -> tuple[str, ...]:
        """The squares that one can step to: no block has fallen there."""
        return tuple(other for other in self.neighbours.get(square, ()) if other not in fallen)

    def open_squares(self, fallen: Collection[str] = NONE_FALLEN) -> frozenset[str]:
        """Every square from which a way is left to an exit."""
        found = {name for name in self.exits if name not in fallen}
        waiting = list(found)
        while waiting:
            for other in self.neighbours.get(waiting.pop(), ()):
                if other not in found and other not in fallen:
                    found.add(other)
                    waiting.append(other)
        return frozenset(found)

    def is_trapped(self, square: str, *, fallen: Collection[str] = NONE_FALLEN) -> bool:
        """Whether no way is left from a square to an exit."""
        return square not in self.open_squares(fallen)

    def way_out(self, square: str, *, fallen: Collection[str] = NONE_FALLEN) -> tuple[str, ...] | None:
        """The squares of a shortest way from a square to an exit, both included; None if there is none.

        >>> Plan.of([("in", "hall"), ("hall", "den")], exits=["in"]).way_out("den")
        ('den', 'hall', 'in')
        """
        if square in fallen:
            return None
        came_from: dict[str, str] = {}
        waiting = [square]
        for here in waiting:
            if here in self.exits:
                return _back(here, square, came_from)
            for other in self.steps(here, fallen=fallen):
                if other != square and other not in came_from:
                    came_from[other] = here
                    waiting.append(other)
        return None


def _back(here: str, start: str, came_from: dict[str, str]) -> tuple[str, ...]:
    way = [here]
    while way[-1] != start:
        way.append(came_from[way[-1]])
    return tuple(reversed(way))
