"""A table of bots to watch: laid for that alone, kept nowhere, and played one step at a time."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import msgspec

from companion import games
from companion.game import Chance, Seat, Setup, Turn
from companion.play.hall import Hall
from companion.play.table import HOST, Table
from companion.refusals import AsTyped, Missing
from companion.trials import Bot

BEST_LAST = -1
"""Of the bots that a game brings, the last plays with the most sense."""


def bots_of(box: str) -> Mapping[str, Bot]:
    """Who can play a box where people watch: nobody, where it is not refereed or brings no bots."""
    refereed = games.bundle(box).refereed
    return refereed().bots if refereed is not None else {}


def has_bots(box: str) -> bool:
    """Whether there is anything to watch."""
    return bool(bots_of(box))


class Show:
    """A table that bots play.

    :param hall: lays it.
    :param names: what the bots are called, one for each seat.
    """

    def __init__(self, hall: Hall, box: str, names: Sequence[str], luck: random.Random | None = None) -> None:
        bots = bots_of(box)
        if not bots:
            raise Missing("core.no_bots", box=AsTyped(box))
        seats = tuple(Seat(name) for name in names)
        self.table: Table = hall.lay(Setup(box, "referee", seats, pace="press"), kept=False)
        self._bot = tuple(bots.values())[BEST_LAST]
        self._luck = luck or random.Random()  # noqa: S311 -- a bot's mood, and nobody's luck

    def step(self) -> bool:
        """Play one step: a move or a draw. False where the game is over.

        What a bot thinks about it thinks without keeping anybody from the table.
        """
        table = self.table
        position, seq = table.position(), table.seq
        request = f"show {seq + 1}"
        match position.ask:
            case Turn(seats=seats):
                seat = seats[0] if len(seats) == 1 else self._luck.choice(seats)
                move = self._bot(table.game, position.state, seat, self._luck)
                table.play(HOST, seq, request, msgspec.to_builtins(move), seat=seat)
            case Chance():
                table.answer(HOST, seq, request, None)
            case _:
                return False
        return True
