"""What the parts of a hall have spent: processor time of services, database and router, told apart."""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

from tests.bench.limits import milliseconds
from tests.venue.database import family_of
from tests.venue.hall import Hall


class Spent(NamedTuple):
    """Processor time of each part, in milliseconds where nothing else is said."""

    services: float
    database: float
    router: float

    @property
    def all(self) -> float:
        return sum(self)

    def less(self, other: Spent) -> Spent:
        return Spent(*(here - there for here, there in zip(self, other, strict=True)))

    def times(self, factor: float) -> Spent:
        return Spent(*(each * factor for each in self))

    def said(self, unit: str) -> str:
        parts = (f"{name} {value:.2f}" for name, value in zip(self._fields, self, strict=True))
        return f"{self.all:.2f} {unit} ({', '.join(parts)})"


def spent(hall: Hall) -> Spent:
    """What each part has spent so far."""
    assert hall.database.process
    services = sum(milliseconds(each.process.pid) for each in hall.services)
    return Spent(services, family_ms(hall.database.process.pid), milliseconds(hall.router.process.pid))


def family_ms(pid: int) -> float:
    """A process with its children, those that live and those that do not."""
    total = 0.0
    for each in family_of(pid):
        with suppress(FileNotFoundError):  # it has just ended
            total += milliseconds(each)
    return total
