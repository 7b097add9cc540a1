"""What lies in the box of New Game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from companion.boxes.box import Box, Count, Name


class NewGameBox(Box, frozen=True, kw_only=True):
    """Everything that is printed on its pieces; the figures are in `box.toml`."""

    name: ClassVar[str] = "newgame"
    rule_prefix: ClassVar[str] = "NEW"
    seats_of_the_rules: ClassVar[tuple[int, int]] = (2, 4)

    pebbles: Mapping[Name, Count]
    """How many of each lie in the bag."""
