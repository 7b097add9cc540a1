"""Tables in the middle of an evening: of every game, refereed and as tools, with the presses that come next."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from companion.game import Chance, Seat, Setup
from companion.play.entries import JournalLine, Keys, Laid
from companion.play.hall import Hall
from companion.play.table import HOST, Table

BOXES = ("jenseits", "tomb_raiders", "horus", "tutankhamun")
MODES = ("referee", "toolbox")
SEATS = tuple(Seat(name) for name in ("Ada", "Ben", "Cleo", "Dan"))
TRIED = 4  # games of a kind of which the longest is taken: hands that play by lot end some of them early


class Press(NamedTuple):
    """Something that was open was done: what a service is posted for it, and the number that is reached then."""

    path: str
    body: dict[str, Any]
    reaches: int


class Evening(NamedTuple):
    """A table that was played for a while, and what is pressed at it next."""

    laid: Laid
    secret: bytes
    keys: Keys
    written: Sequence[JournalLine]
    presses: Sequence[Press]

    def called(self, name: str) -> Laid:
        """The same evening at a table of another name; its links stay good."""
        return replace(self.laid, table=name, was=self.laid.table)


def evenings(steps: range, *, of_each: int, presses: int) -> Iterator[Evening]:
    """So many of each kind, with so many steps, or fewer where a game is over before.

    :param presses: that follow, in a game that is not over.
    """
    rng = random.Random(18)
    with tempfile.TemporaryDirectory() as folder:
        hall = Hall(Path(folder))
        for box in BOXES:
            for mode in MODES:
                for _ in range(of_each):
                    yield max((_evening(hall, box, mode, rng, steps, presses) for _ in range(TRIED)), key=_steps)
        hall.close()


def press(table: Table, rng: random.Random) -> Press:
    """Do anything that is open."""
    before = table.seq
    asked: dict[str, Any] = {"seq": before, "request": f"press {before}"}
    if isinstance(table.ask(), Chance):
        reached = table.answer(HOST, before, asked["request"], None)
        return Press("/outcome", asked | {"outcome": None}, reached)
    move = msgspec.to_builtins(rng.choice(table.moves(HOST).moves))
    return Press("/moves", asked | {"move": move}, table.play(HOST, before, asked["request"], move))


def _evening(hall: Hall, box: str, mode: Any, rng: random.Random, steps: range, presses: int) -> Evening:
    table = hall.lay(Setup(box, mode, SEATS), secret=rng.randbytes(32), kept=False)
    wanted, done = rng.choice(steps), list[Press]()
    while not table.over() and (len(done) <= presses or done[-presses - 1].reaches < wanted):
        done.append(press(table, rng))
    last = done[: -presses - 1] if table.over() else done[:-presses]
    seq = last[-1].reaches if last else 0
    following = islice((each for each in done if each.body["seq"] >= seq), presses)
    return Evening(table.laid, table.dealer.secret, table.keys, tuple(table.written[:seq]), tuple(following))


def _steps(evening: Evening) -> int:
    return len(evening.written)
