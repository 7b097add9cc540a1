"""The types of what the log says of Thebes: The Tomb Raiders, and of its questions to chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from companion.parts import ChanceFacts, LogFacts

OUTCOMES: Mapping[str, Any] = {"start": int, "cards": str | int, "piles": str | int}
"""By randomizer: a seat; a card, or what is printed on one that the box does not have; what a pile shows, or how many
of its cards have come."""
_Where = TypedDict("_Where", {"from": str}, total=False)
_For = TypedDict("_For", {"for": str}, total=False)


class TombRaidersLogFacts(LogFacts, _Where, total=False):
    """What the log says of a step; `type` says which facts there are.

    A dig has `cards` to draw from its region's pile, by its own `permit` or a general one; each is the `nth` of so
    many. `n` are weeks. An exhibition or museum has `points`, and asks for objects of its `regions`, or `artifacts`.
    """

    card: str
    cards: int
    region: str
    regions: Sequence[str]
    permit: str
    token: str
    artifacts: Sequence[str]
    points: int
    nth: int
    of: int
    place: int
    week: int
    professor: str


class TombRaidersChanceFacts(ChanceFacts, _For, total=False):
    """What may be said of a question to chance: of which `region` the pile is, and what it is drawn `for`; which
    `place` is filled; after how many `takes`, at `most` so many, the draw pile is empty."""

    region: str
    place: int
    takes: int
    most: int
