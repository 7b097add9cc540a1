"""A device that stirs: it has a chain of values that nobody else knows."""

from __future__ import annotations

import secrets

from companion.play.members import Members, after
from companion.play.table import HOST, Actor, Table

LENGTH = 24


class Device:
    """A phone or the tablet.

    :param name: `host`, or the number of its seat.
    """

    def __init__(self, name: str, first: str | None = None) -> None:
        self.name = name
        self._values = [first or secrets.token_hex(32)]
        while len(self._values) < LENGTH:
            self._values.append(after(self._values[-1]))

    @property
    def actor(self) -> Actor:
        """Who holds it."""
        return HOST if self.name == "host" else Actor("seat", int(self.name))

    @property
    def value(self) -> str:
        """What it told last; at first its tip."""
        return self._values[-1]

    def next(self) -> str:
        """What it tells next; then that is told."""
        self._values.pop()
        return self.value

    def join(self, table: Table, *, instead: bool = False) -> None:
        """Stir from now on."""
        table.join(self.actor, table.seq, f"join {table.seq}", self.value, instead=instead)

    def tell(self, table: Table) -> None:
        """Tell the next value."""
        table.tell(self.actor, table.seq, f"tell {table.seq}", self.next())

    def is_asked(self, table: Table) -> bool:
        """Whether it has to."""
        return (self.name, False) in table.stirring.participants


def stirred_together(table: Table, *names: str) -> list[Device]:
    """Devices that have joined one after the other, each of which told what it was asked for."""
    made: list[Device] = []
    for name in names:
        made.append(Device(name))
        made[-1].join(table)
        for device in made:
            if device.is_asked(table):
                device.tell(table)
    assert isinstance(table.stirring, Members)
    assert table.stirring.participants == []
    return made
