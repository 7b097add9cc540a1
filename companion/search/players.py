"""Who can play a game: the bots that it brings, and the levels of the search."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from companion.game import Move
from companion.search.insight import Insight
from companion.search.levels import LEVELS, player
from companion.trials import Bot


class LevelPlayers(Protocol):
    """What a game brings for its players."""

    @property
    def bots(self) -> Mapping[str, Bot]: ...

    @property
    def ending(self) -> Callable[[Any, Sequence[Move]], str]: ...

    @property
    def insight(self) -> Callable[[], Insight] | None: ...


class Roster(msgspec.Struct, frozen=True):
    """Everybody who can play a game, by name: the game's own bots and the levels of the search.

    :param yardstick: the best of the game's own, which others are measured by.
    """

    bots: Mapping[str, Bot]
    ending: Callable[[Any, Sequence[Move]], str]
    yardstick: str

    @classmethod
    def of(cls, brought: LevelPlayers) -> Roster:
        """Those of a game."""
        insight = insight_of(brought)
        levels = {name: player(level, insight) for name, level in LEVELS.items()}
        return cls({**brought.bots, **levels}, brought.ending, [*brought.bots][-1])


def insight_of(brought: LevelPlayers) -> Insight | None:
    """What a game adds to the search, if it does."""
    return brought.insight() if brought.insight is not None else None
