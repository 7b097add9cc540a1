"""What a game may add to the search. Each part is optional: without it the search does with what every game has.

    INSIGHT = Insight(imagine=imagine, policy=policy, ideas=ideas, promise=promise, turns=12)

===========  =======================================================================================================
`knows`      the state as a seat knows it, where that is more than it sees now: what it has seen come to light
`imagine`    a whole state, as likely as any that fits what a seat knows
`policy`     a cheap player: for whoever is asked in what is imagined
`ideas`      the moves worth trying, the policy's own first; each may bring what its seat is to do next
`why`        why a move may be a good one: a sentence of the game, for whoever asks for a hint
`promise`    for each seat the points it may expect at the end: what a course is valued by that is cut short
===========  =======================================================================================================

A game brings it as `Refereed.insight`; `companion/games/README.md` says how it is written.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from companion.game import Move
from companion.refusals import Fact
from companion.trials import Bot

Knows = Callable[[Any, Any, int], Any]
"""Given the game, the state and the seat: the state without what the seat cannot know."""
Imagine = Callable[[Any, Any, int, random.Random], Any]
"""Given the game, the state as the seat knows it, the seat and luck: a whole state."""
Next = Callable[[Any, Any, int], Move | None]
"""Given the game, a state and the seat: what an idea does next; None once it is carried out, or cannot be."""
Promise = Callable[[Any, Any], Sequence[float]]
"""Given the game and a state: for each seat the points to be expected at the end."""


class Idea(msgspec.Struct, frozen=True):
    """A move worth trying.

    :param then: what the seat does in its next turns, as long as the idea lasts; None where its policy decides at once.
    """

    move: Move
    then: Next | None = None


Ideas = Callable[[Any, Sequence[Any], int, Sequence[Move]], Sequence[Idea]]
"""Given the game, some imagined states, the seat and its legal moves: what is worth trying, the best guess first."""


class Reason(msgspec.Struct, frozen=True):
    """Why a move may be a good one: a sentence in the game's words, ``why.<key>``, and what fills it."""

    key: str
    facts: dict[str, Fact] = {}


Why = Callable[[Any, Any, int, Any], Reason | None]
"""Given the game, the state as the seat knows it, the seat and a move: why it may be a good one."""


class Insight(msgspec.Struct, frozen=True):
    """What a game adds to the search.

    :param turns: so many moves a course is played on before it is valued by `promise`; 0 is to the end.
    :param lead: the lead in points with which three of four games are won.
    """

    knows: Knows | None = None
    imagine: Imagine | None = None
    policy: Bot | None = None
    ideas: Ideas | None = None
    promise: Promise | None = None
    turns: int = 0
    lead: float = 10.0
    why: Why | None = None


NO_INSIGHT = Insight()
