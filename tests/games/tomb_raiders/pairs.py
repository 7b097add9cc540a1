"""Two tables that are the same but for their secrets, played side by side: what each seat and a spectator receives.

The second table is laid with other piles. Every press is made at both; what falls openly at the first falls at the
second, and what is hidden falls there as it will, as long as what is seen stays possible. Where it does not, where a
pile runs out at one and not at the other, or has nothing to keep, the pair has come to its end: so much is told.
"""

from __future__ import annotations

import inspect
import random
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import msgspec

from companion import games
from companion.boxes import content_of
from companion.game import Chance, Finished, Outcome, Seat, Setup, Turn
from companion.play.dealer import SealedDealer
from companion.play.entries import Keys, Laid
from companion.play.journal import NoJournal
from companion.play.opening import table_of
from companion.play.table import HOST, Press, Table

SECRET = bytes(range(32))
KEYS = Keys("host", ("a", "b", "c", "d"))
TRIES, HIDDEN_TRIES = 30, 5
"""So many presses are tried, and for each so often another hidden luck, until the same is seen at both."""


class Parted(Exception):
    """What has been seen at one table cannot be at the other."""


class Told(SealedDealer):
    """Deals what a test wants: hidden draws by a luck of its own, open ones by another's, or as they fell there."""

    def __init__(self, luck: random.Random) -> None:
        super().__init__(SECRET)
        self.luck = luck
        self.fell: list[tuple[str, Outcome]] = []
        self.script: list[tuple[str, Outcome]] | None = None

    def deal(self, draw: int, chance: Chance, stirs: object) -> Outcome:
        if chance.hidden:
            return self._any(chance)
        if self.script is None:
            self.fell.append((chance.question, self._any(chance)))
            return self.fell[-1][1]
        if not self.script or self.script[0][0] != chance.question:
            raise Parted
        outcome = self.script.pop(0)[1]
        if not any(weight and each == outcome for each, weight in chance.odds):
            raise Parted
        return outcome

    def _any(self, chance: Chance) -> Outcome:
        return self.luck.choices([each for each, _ in chance.odds], [weight for _, weight in chance.odds])[0]


class Pair:
    """Two tables, press by press the same.

    :param seed: of the moves and the luck.
    """

    def __init__(self, seed: int, seats: int, **options: bool | int | str) -> None:
        self.luck = random.Random(seed)
        self.one, self.other = (self._table(seats, random.Random(seed + n), options) for n in (1, 2))
        self.presses = 0
        self.apart: set[int] = set()
        """The seats that have seen what differs with their own eyes."""

    def _table(self, seats: int, luck: random.Random, options: dict[str, bool | int | str]) -> Table:
        box = games.box("tomb_raiders")
        setup = games.with_defaults(
            Setup("tomb_raiders", "referee", tuple(Seat(name) for name in "ABCD"[:seats]), options=options), box
        )
        game = games.open_game(setup, box)
        content = msgspec.json.decode(msgspec.json.encode(content_of(box)))
        seal = SealedDealer(SECRET).seal
        laid = Laid("pair", 1, setup, content, box.digest, game.rules_version, seal, "test")
        table = table_of(laid, SECRET, KEYS, NoJournal(), clock=lambda: 1)
        table.dealer = Told(luck)
        return table

    def begin(self) -> None:
        """Stack the markers, fill the spaces."""
        self._answer(None)

    def go_on(self) -> bool:
        """Make one press at both; False where the game is over, or the pair parts."""
        ask = self.one.ask()
        if isinstance(ask, Finished):
            return False
        try:
            if isinstance(ask, Turn):
                self._play(ask.seats[0])
            elif self.one.setup.source(ask.randomizer) == "table":
                self._answer(self.luck.choice([each for each, weight in ask.odds if weight]))
            else:
                self._answer(None)
        except Parted:
            return False
        self.presses += 1
        looks = [[table.game.sees(table.state, seat).you for table in (self.one, self.other)] for seat in self.seats]
        self.apart |= {seat for seat, (mine, same) in enumerate(looks) if mine != same}
        return True

    @property
    def seats(self) -> range:
        return range(len(self.one.setup.seats))

    def _both(self, seat: int) -> list[Any]:
        """The moves that can be made at both tables; action cards more often, for they reach into piles."""
        listed = [table.game.moves(table.state, seat).moves for table in (self.one, self.other)]
        same = [move for move in listed[0] if move in set(listed[1])]
        if not same:
            raise Parted
        return [*same, *(move for move in same if type(move).__name__ == "Play" for _ in range(8))]

    def _answer(self, outcome: Outcome | None) -> None:
        """An answer at both: dealt, or reported by the people there."""
        self._dealers[0].fell = []
        for table, dealer in zip((self.one, self.other), self._dealers, strict=True):
            dealer.script = None if table is self.one else list(self._dealers[0].fell)
            table.answer(HOST, table.seq, f"{table.seq}", outcome)

    def _play(self, seat: int) -> None:
        """A move at both: at the first as it falls, at the second so that the same is seen; another where that is not
        to be had."""
        mine, same = self._dealers
        at = self.one.seq
        for _ in range(TRIES):
            move = msgspec.to_builtins(self.luck.choice(self._both(seat)))
            mine.fell = []
            press = self.one.prepare(HOST, at, f"{at}", move, seat=seat)
            for _ in range(HIDDEN_TRIES):
                same.script = list(mine.fell)
                try:
                    there = self.other.prepare(HOST, at, f"{at}", move, seat=seat)
                except Parted:
                    continue
                if not same.script and self._end_alike(press, there, seat):
                    self.one.make(press)
                    self.other.make(there)
                    return
        raise Parted

    def _end_alike(self, here: Press, there: Press, seat: int) -> bool:
        """Whether presses end with as many steps, and with nothing or the same to keep of a pile that lies open."""
        (_, one), (_, other) = here.steps[-1], there.steps[-1]
        mine: Any = one.state
        same: Any = other.state
        if len(here.steps) != len(there.steps) or (mine.task is None) != (same.task is None):
            return False
        game = self.one.game
        return mine.task is None or bool(set(game.moves(mine, seat).moves) & set(game.moves(same, seat).moves))

    @property
    def _dealers(self) -> tuple[Told, Told]:
        one, other = self.one.dealer, self.other.dealer
        assert isinstance(one, Told)
        assert isinstance(other, Told)
        return one, other


def work(press: Callable[[], object]) -> int:
    """How much is done in a press: the functions it calls, which is what its time depends on."""
    calls = 0

    def count(frame: FrameType, event: str, arg: object) -> None:
        nonlocal calls
        calls += event == "call" and not frame.f_code.co_flags & inspect.CO_GENERATOR

    sys.setprofile(count)
    try:
        press()
    finally:
        sys.setprofile(None)
    return calls
