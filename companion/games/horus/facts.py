"""The types of what the log says of The Pyramid of Horus, and of its questions to chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.parts import ChanceFacts, LogFacts

OUTCOMES: Mapping[str, Any] = {
    "action_dice": int | str,
    "mummy_dice": int | str,
    "lock_dice": int | str,
    "chest_dice": int,
    "search": str,
    "sarcophagi": str,
    "blocks": int,
}
"""By randomizer: a die's number, or the colour it has in another copy of the box; a card; a block's number."""


class HorusLogFacts(LogFacts, total=False):
    """What the log says of a step; `type` says which facts there are.

    Squares are called as they are numbered in the plan. `value` is what a treasure is worth, to whom it is shown. A die
    shows a `face`, thrown in a `roll` for the actions, the mummies or a lock; `block` and `number` are stone blocks.
    """

    adventurer: str
    area: str
    god: str
    card: str
    cards: Sequence[str]
    value: int
    ability: str
    wound: str
    mummy: str
    towards: str
    die: str
    face: int
    roll: str
    block: int
    number: int
    state: str
    giver: str
    taker: str


class HorusChanceFacts(ChanceFacts, total=False):
    """What may be said of a question to chance: which die, of what `colour`; in which `area` is searched; whose
    sarcophagus is on which `square`; how many are `left`; how many `chests` are still to be opened."""

    colour: str | None
    area: str
    god: str
    square: str
    left: int
    chests: int
