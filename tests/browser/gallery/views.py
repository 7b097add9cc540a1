"""Tables played to where there is something to see, and the views a screen is sent of them."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

from companion.game import Chance, Json, Mode, Outcome, Pace, Seat, Setup, Source
from companion.hall import Hall
from companion.table import HOST, SPECTATOR, Actor, Table
from companion.view import View, view

NAMES = ("Ada", "Béatrice", "Carlo", "Dörte", "Evangeline", "Fred")
SECRET = bytes(range(32))
START = 1_767_000_000_000


class Played:
    """A table of the gallery, played by its host with the same luck each time."""

    def __init__(
        self,
        box: str,
        seats: int,
        *,
        mode: Mode = "toolbox",
        pace: Pace = "flow",
        sources: Mapping[str, Source] | None = None,
        options: Mapping[str, bool | int | str] | None = None,
    ) -> None:
        minutes = count(START, 60_000)
        hall = Hall(Path(tempfile.mkdtemp(prefix="digside-gallery-")), clock=lambda: next(minutes))
        sitting = tuple(Seat(name) for name in NAMES[:seats])
        setup = Setup(box, mode, sitting, dict(sources or {}), pace, dict(options or {}))
        self.table: Table = hall.lay(setup, secret=SECRET)
        self._requests = count()

    def begun(self) -> Played:
        """With the markers stacked and the tray turned up."""
        while isinstance(self.table.ask(), Chance):
            self.deal()
        return self

    def deal(self, outcome: Outcome | None = None, times: int = 1) -> Played:
        """A press for the companion's draw, or a report of the table's own."""
        for _ in range(times):
            self.table.answer(HOST, self.table.seq, self._request(), outcome)
        return self

    def move(self, kind: str, *, by: int | None = None, **fields: Json) -> Played:
        """A move of a seat."""
        self.table.play(HOST, self.table.seq, self._request(), {"type": kind, **fields}, seat=by)
        return self

    def undo(self) -> Played:
        self.table.take_back(HOST, self.table.seq, self._request())
        return self

    def close(self) -> Played:
        self.table.close(HOST, self.table.seq, self._request())
        return self

    def moves(self, moves: Sequence[tuple[str, dict[str, Any]]]) -> Played:
        for kind, fields in moves:
            self.move(kind, **fields)
        return self

    def seen(self, actor: Actor = HOST) -> View:
        return view(self.table, actor)

    def _request(self) -> str:
        return f"gallery-{next(self._requests)}"


DIG = [
    ("dial", {"knowledge": 4}),
    ("advance", {"seat": 0, "weeks": 8}),
    ("draw", {"bag": "egypt", "count": 5, "seat": 0}),
    ("advance", {"seat": 1, "weeks": 8}),
    ("draw", {"bag": "mesopotamia", "count": 7, "seat": 1}),
    ("advance", {"seat": 2, "weeks": 21}),
    ("draw", {"bag": "greece", "count": 6, "seat": 2}),
    ("advance", {"seat": 3, "weeks": 50}),
    ("award", {"seat": 0, "points": 12}),
    ("award", {"seat": 2, "points": 9}),
]


def jenseits() -> Played:
    """Digs in three bags, four markers, two of them on one week."""
    return Played("jenseits", 4).begun().moves(DIG)


def jenseits_stacking() -> Played:
    """Before the first move: who goes on top of the stack?"""
    return Played("jenseits", 3, pace="press").deal()


def jenseits_drawing() -> Played:
    """In the middle of a draw, waiting for a press."""
    table = Played("jenseits", 4, pace="press").begun()
    return table.move("dial", knowledge=6).move("draw", bag="egypt", count=7, seat=1).deal(times=4)


def jenseits_reporting() -> Played:
    """The table draws from its own bag and reports."""
    table = Played("jenseits", 4, sources={"tokens": "table"}).begun()
    return table.move("draw", bag="crete", count=3, seat=1).deal("object:5")


def jenseits_over() -> Played:
    return jenseits().close()


def jenseits_taken_back() -> Played:
    """A step was taken back and can be gone forward to again."""
    return jenseits().undo()


def tomb_raiders() -> Played:
    """Region piles that nobody may count, and weeks without end."""
    table = Played("tomb_raiders", 4).begun()
    table.moves([("dial", {"knowledge": 7}), ("advance", {"seat": 0, "weeks": 8}), ("advance", {"seat": 2, "weeks": 30}), ("draw", {"bag": "crete", "count": 4, "seat": 0})])
    return table


def horus() -> Played:
    """Blocks have fallen and mummies have walked."""
    table = Played("horus", 6)
    table.moves([("block", {})] * 5 + [("mummies", {"steps": 2}), ("mummies", {"steps": 1}), ("award", {"seat": 0, "points": 6}), ("roll", {"count": 5})])
    return table


def tutankhamun() -> Played:
    """Uncovered cards in every depth, one square bare."""
    table = Played("tutankhamun", 4).begun()
    table.moves([("uncover", {"square": f"{'abcd'[i % 4]}{i // 4 % 4 + 1}"}) for i in (0, 1, 1, 2, 2, 2, 4, 5, 5, 5, 5, 5, 5, 7, 8, 9, 9, 11, 12, 12, 12, 12, 14, 15, 15)])
    return table.moves([("award", {"seat": 0, "points": 13}), ("award", {"seat": 1, "points": 27}), ("award", {"seat": 3, "points": -4})])


ALL: dict[str, Callable[[], Played]] = {
    each.__name__: each
    for each in (
        jenseits,
        jenseits_stacking,
        jenseits_drawing,
        jenseits_reporting,
        jenseits_taken_back,
        jenseits_over,
        tomb_raiders,
        horus,
        tutankhamun,
    )
}


@cache
def shown(name: str, *, spectator: bool = False) -> View:
    """A view by its name."""
    return ALL[name]().seen(SPECTATOR if spectator else HOST)
