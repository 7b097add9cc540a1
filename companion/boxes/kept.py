"""A box as plain JSON, for the journal: a table replays with the figures it was laid with."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from companion.boxes.box import Box, Value
from companion.boxes.problems import BoxProblem, Problem
from companion.boxes.reading import read
from companion.boxes.shelf import KINDS, AnyBox


def keep(box: Box) -> dict[str, Value]:
    """All that is in a box."""
    whole: dict[str, Value] = msgspec.to_builtins(box, str_keys=True)
    return whole


def restore(name: str, kept: Mapping[str, Value]) -> AnyBox:
    """The box that was kept; checked again, as it may come from a stranger's record.

    :raises BoxProblem: if it is not such a box.
    """
    if name not in KINDS:
        raise BoxProblem(Problem("record", name, "there is no such box"))
    box = read(dict(kept), KINDS[name])
    if isinstance(box, tuple):
        raise BoxProblem(*(Problem("record", key, reason) for key, reason in box))
    return box
