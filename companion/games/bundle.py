"""What the folder of a game offers: its box, the tools in it, and the refereed game."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import msgspec

from companion.account import Account
from companion.boxes import Box
from companion.drawing.paper import Drawing
from companion.game import Move, Option, Setup
from companion.games.toolbox.kit import Kit
from companion.keepsake.panel import Panels
from companion.lessons import TeachingCourse
from companion.referee import Referee
from companion.search.insight import Insight
from companion.trials import Bot


class Tools(msgspec.Struct, frozen=True):
    """The tools of a box, without a referee.

    :param kit: makes them for a table, from the box, the setup, and the version of the toolbox's rules.
    :param randomizers: what the companion draws, or people report.
    """

    kit: Callable[[Any, Setup, int], Kit]
    randomizers: tuple[str, ...]
    options: tuple[Option, ...] = ()


class Refereed(msgspec.Struct, frozen=True):
    """A refereed game, and what belongs to it.

    :param rules: the referee; called with the setup, the box, and the version of the rules.
    :param bots: players for trials, by name.
    :param ending: classifies how a game ended, from its last state and all moves.
    :param drawings: by part of the board: what draws it for the terminal.
    :param silent: the parts of the board that need no drawing of their own.
    :param panels: the game's own panels of the keepsake.
    :param news: parts of the board with more than the log may keep; a terminal prints them when they change.
    :param account: the game's own part of a table's story.
    :param insight: what the game adds to the search; imported when it is first asked for.
    :param course: its lessons; imported when they are first asked for.
    """

    rules: type[Referee[Any, Any]]
    bots: Mapping[str, Bot]
    ending: Callable[[Any, Sequence[Move]], str]
    drawings: Mapping[str, Drawing]
    silent: frozenset[str]
    panels: Panels
    news: tuple[str, ...] = ()
    account: Account | None = None
    insight: Callable[[], Insight] | None = None
    course: Callable[[], TeachingCourse] | None = None

    def __post_init__(self) -> None:
        if not (isinstance(self.rules, type) and issubclass(self.rules, Referee)):
            raise TypeError("rules must be a Referee")
        if not isinstance(self.panels, Panels) or not all(map(callable, self.panels)):
            raise TypeError("panels must be Panels of the keepsake; a game that draws nothing there says `nothing`")
        if not all(map(callable, (self.ending, *_all_of("bots", self.bots), *_all_of("drawings", self.drawings)))):
            raise TypeError("ending, bots and drawings must be functions")
        if self.account is not None and not isinstance(self.account, Account):
            raise TypeError("account must be an Account")
        if self.insight is not None and not callable(self.insight):
            raise TypeError("insight must be a function that answers an Insight")
        if self.course is not None and not callable(self.course):
            raise TypeError("course must be a function that answers a TeachingCourse")


def _all_of(name: str, offered: object) -> Collection[object]:
    if not isinstance(offered, Mapping):
        raise TypeError(f"{name} must be a mapping from names to functions")
    return offered.values()


class Bundle(msgspec.Struct, frozen=True):
    """What a game's folder offers; the refereed game is imported when it is first asked for."""

    box: type[Box]
    tools: Tools | None = None
    refereed: Callable[[], Refereed] | None = None
