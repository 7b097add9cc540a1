"""Shipped box files with something changed in them."""

from __future__ import annotations

import copy
import tomllib
from typing import Any

from companion import games
from companion.boxes.problems import Doubt
from companion.boxes.reading import read_box

GONE = object()
"""Stands for a key that is taken out."""

Changes = dict[str, Any]


def shipped(name: str) -> dict[str, Any]:
    """A box file as TOML gives it."""
    return tomllib.loads((games.folder(name) / "box.toml").read_text(encoding="utf-8"))


def changed(name: str, changes: Changes) -> dict[str, Any]:
    """A box file with these keys changed; lists are counted from 1, as in a problem's key."""
    raw = copy.deepcopy(shipped(name))
    for key, value in changes.items():
        *way, last = key.split(".")
        part: Any = raw
        for step in way:
            part = part[_index(part, step)]
        place = _index(part, last)
        if value is GONE:
            del part[place]
        elif place == len(part) and isinstance(part, list):
            part.append(value)
        else:
            part[place] = value
    return raw


def doubts(name: str, changes: Changes) -> tuple[Doubt, ...]:
    """What is said against a changed box file."""
    found = read_box(changed(name, changes), games.bundle(name).box)
    return found if isinstance(found, tuple) else ()


def _index(part: object, step: str) -> int | str:
    return int(step) - 1 if isinstance(part, list) else step
