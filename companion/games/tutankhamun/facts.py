"""The types of what the log says of Tutankhamun, and of its questions to chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.parts import ChanceFacts, LogFacts

OUTCOMES: Mapping[str, Any] = {"layers": int | str, "turns": int, "cards": str}
"""By randomizer: how a layer lies, by number, or its next card; quarter turns of the tray; a card."""


class TutankhamunLogFacts(LogFacts, total=False):
    """What the log says of a step; `type` says which facts there are.

    `layer` counts from 1, the lowest. `n` is the card of its layer that is dealt, `of` so many. `points` are what a
    card that came to light counts for, less than nothing where it is paid.
    """

    layer: int
    layers: Sequence[int]
    of: int
    card: str
    points: int
    silver: int
    depth: int


class TutankhamunChanceFacts(ChanceFacts, total=False):
    """What may be said of a question to chance: on which `square` a card of which `layer` comes to light."""

    square: str
    layer: int
