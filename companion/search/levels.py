"""How well a bot plays: levels with names, each so many courses a decision and so many seconds at most."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from companion.game import Move
from companion.search.choice import Decision, think
from companion.search.insight import Insight
from companion.trials import Bot


class Level(msgspec.Struct, frozen=True):
    """A level by its name.

    :param simulations: so many courses a decision.
    :param seconds: of a processor, after which it chooses from what it has by then.
    """

    name: str
    simulations: int
    seconds: float


CURIOUS: Final = Level("curious", 24, 0.5)
STEADY: Final = Level("steady", 120, 1.0)
SHARP: Final = Level("sharp", 600, 1.5)
LEVELS: Final[Mapping[str, Level]] = {level.name: level for level in (CURIOUS, STEADY, SHARP)}


def thought(game: Any, insight: Insight | None, state: Any, seat: int, level: Level, seed: int) -> Decision:
    """The choice of a level: by the number of courses, unless its time is over before."""
    begun = time.process_time()

    def late(share: float) -> bool:
        return time.process_time() - begun >= share * level.seconds

    return think(game, insight, state, seat, simulations=level.simulations, seed=seed, late=late)


def player(level: Level, insight: Insight | None) -> Bot:
    """A level as a player for trials."""

    def plays(game: Any, state: Any, seat: int, luck: random.Random) -> Move:
        return thought(game, insight, state, seat, level, luck.getrandbits(48)).move

    return plays


def thinker(simulations: int, insight: Insight | None) -> Bot:
    """The same with so many courses a decision and no clock, as a bench wants it."""

    def plays(game: Any, state: Any, seat: int, luck: random.Random) -> Move:
        return think(game, insight, state, seat, simulations=simulations, seed=luck.getrandbits(48)).move

    return plays
