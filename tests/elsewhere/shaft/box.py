"""The box of the shaft: what is in its bag, and what each stone is worth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from companion.boxes.box import Box, Count, Name, Worth


class ShaftBox(Box, frozen=True, kw_only=True):
    """Everything that is printed on the stones."""

    name: ClassVar[str] = "shaft"
    rule_prefix: ClassVar[str] = "SHA"
    seats_of_the_rules: ClassVar[tuple[int, int]] = (2, 4)

    stones: Mapping[Name, Count]
    worth: Mapping[Name, Worth]
