"""The types of what the log says of Jenseits von Theben, and of its questions to chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from companion.parts import ChanceFacts, LogFacts

OUTCOMES: Mapping[str, Any] = {"tokens": str, "cards": str | int, "exhibitions": str | int, "start": int}
"""By randomizer: a token, a card, a seat; of a card that the box does not have, what is printed on it."""
_Where = TypedDict("_Where", {"from": str | Sequence[str]}, total=False)


class JenseitsLogFacts(LogFacts, _Where, total=False):
    """What the log says of a step; `type` says which facts there are.

    A dig of so many `weeks` has `tokens` to draw, and is the `first` there; each token is the `nth` of so many. `n` are
    the weeks of the trip too, `uses` the cards used up. `card` is a card by its id, `face` by what is printed on it.
    """

    site: str
    city: str
    card: str
    face: str
    token: str
    tokens: int
    weeks: int
    uses: Sequence[str]
    first: bool
    nth: int
    of: int
    points: int
    place: str | int
    week: int
    year: int


class JenseitsChanceFacts(ChanceFacts, _Where, total=False):
    """What may be said of a question to chance: at which `site` is dug, which `place` is filled, how many cards are
    shuffled."""

    site: str
    place: str | int
    n: int
