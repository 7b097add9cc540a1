"""The types of what the log says of a table without a referee, and of its questions to chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from companion.parts import ChanceFacts, LogFacts

OUTCOMES: Mapping[str, Any] = {
    "start": int,
    "tokens": str | int,
    "dice": int | str,
    "blocks": int,
    "decks": str | int,
    "cards": str,
}
"""By randomizer: a seat; a token, or how many of a kind lie in a pile; a die's number, or the colour it has in another
copy of the box; a block's number; a card, or what is printed on one that the box does not have."""
_Where = TypedDict("_Where", {"from": str | int}, total=False)


class ToolboxLogFacts(LogFacts, _Where, total=False):
    """What the log says of a step; `type` says which facts there are: those of the move or correction, and those that
    its sentence says."""

    bag: str
    deck: str
    place: str | int
    site: str
    token: str
    card: str
    cards: int | Sequence[str]
    held: str
    giver: str
    taker: str
    count: int
    nth: int
    of: int
    dice: Sequence[int]
    die: str
    face: int
    lock: str
    knowledge: int
    reads: int
    weeks: int
    at: int
    date: str
    way: str
    points: int
    mummy: str
    towards: str
    steps: int
    walk: str | int
    block: int
    number: int
    fallen: bool
    keep: bool
    state: str
    god: str
    do: str


class ToolboxChanceFacts(ChanceFacts, total=False):
    """What may be said of a question to chance: which bag or pile (`site`), `deck`, die's `colour`, `square` and
    `layer`; how many are `left`; which `place` of the starting stack is filled."""

    site: str
    deck: str
    colour: str
    square: str
    layer: int
    left: int
    place: int
