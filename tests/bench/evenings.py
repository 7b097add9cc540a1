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

from companion import games
from companion.game import Chance, Seat, Setup
from companion.play.entries import JournalLine, Keys, Laid
from companion.play.hall import Hall
from companion.play.show import bots_of
from companion.play.table import HOST, Table

BOXES = ("jenseits", "tomb_raiders", "horus", "tutankhamun")
MODES = ("referee", "toolbox")
NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn")
SEATS = tuple(Seat(name) for name in NAMES[:4])
BEFORE = 20  # presses before the middle of a game
GAMES = 20  # that are begun until one lasts long enough
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
    if not isinstance(table.ask(), Chance):
        return _move(table, msgspec.to_builtins(rng.choice(table.moves(HOST).moves)))
    before = table.seq
    asked: dict[str, Any] = {"seq": before, "request": f"press {before}", "outcome": None}
    return Press("/outcome", asked, table.answer(HOST, before, asked["request"], None))


def middle(hall: Hall, box: str, presses: int, rng: random.Random) -> Evening:
    """A refereed game from its middle on, with as many seats as its box has, played by those who know how.

    :param presses: that follow at least.
    """
    for _ in range(GAMES):
        seats = tuple(Seat(name) for name in NAMES[: games.box(box).seats.max])
        table = hall.lay(Setup(box, "referee", seats), secret=rng.randbytes(32), kept=False)
        done = list[Press]()
        while not table.over() and len(done) < BEFORE + presses:
            done.append(press_well(table, rng))
        if len(done) >= BEFORE + presses:
            return _from(table, done[BEFORE].body["seq"], done[BEFORE:])
    raise ValueError(f"no game of {box} lasts for {BEFORE + presses} presses")


def fresh(hall: Hall, box: str, presses: int, rng: random.Random) -> Evening:
    """The tools of a box as they come out of it, with a dial that is turned."""
    table = hall.lay(Setup(box, "toolbox", SEATS), secret=rng.randbytes(32), kept=False)
    while isinstance(table.ask(), Chance):
        press(table, rng)
    first, done = table.seq, list[Press]()
    while len(done) < presses:
        done.append(_move(table, {"type": "dial", "knowledge": len(done) % 8 + 1}))
    return _from(table, first, done)


def press_well(table: Table, rng: random.Random) -> Press:
    """Do what a bot would, where there is one; else anything that is open."""
    ask, bots = table.ask(), bots_of(table.setup.box) if table.setup.mode == "referee" else {}
    if isinstance(ask, Chance) or not bots:
        return press(table, rng)
    seat = rng.choice(ask.seats)  # type: ignore[union-attr]
    bot = [*bots.values()][-1]
    return _move(table, msgspec.to_builtins(bot(table.game, table.state, seat, rng)), seat=seat)


def _move(table: Table, move: Any, **more: int) -> Press:
    before = table.seq
    asked: dict[str, Any] = {"seq": before, "request": f"press {before}", "move": move, **more}
    return Press("/moves", asked, table.play(HOST, before, asked["request"], move, **more))


def _from(table: Table, seq: int, following: Sequence[Press]) -> Evening:
    return Evening(table.laid, table.dealer.secret, table.keys, tuple(table.written[:seq]), tuple(following))


def _evening(hall: Hall, box: str, mode: Any, rng: random.Random, steps: range, presses: int) -> Evening:
    table = hall.lay(Setup(box, mode, SEATS), secret=rng.randbytes(32), kept=False)
    wanted, done = rng.choice(steps), list[Press]()
    while not table.over() and (len(done) <= presses or done[-presses - 1].reaches < wanted):
        done.append(press(table, rng))
    last = done[: -presses - 1] if table.over() else done[:-presses]
    seq = last[-1].reaches if last else 0
    return _from(table, seq, tuple(islice((each for each in done if each.body["seq"] >= seq), presses)))


def _steps(evening: Evening) -> int:
    return len(evening.written)
