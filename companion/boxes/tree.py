"""Gets and sets the figure at a dotted key, in a box as read from TOML or JSON; keys count lists from 1."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.boxes.problems import BoxProblem, FigureProblem, Problem


def parts_of(value: Any) -> list[tuple[str, Any]]:
    """The parts of a table or list with their names; a single figure has none."""
    if isinstance(value, Mapping):
        return list(value.items())
    return [(str(index), part) for index, part in enumerate(value, 1)] if isinstance(value, list | tuple) else []


def figure_at(tree: Any, key: str) -> Any:
    """The figure at a key, or None."""
    for name in key.split("."):
        tree = dict(parts_of(tree)).get(name)
    return tree


def put_figure(tree: dict[str, Any], key: str, value: Any) -> None:
    """Set the figure at a key; None removes it.

    :raises BoxProblem: if the key leads nowhere.
    """
    *way, last = key.split(".")
    part: Any = tree
    for name in way:
        part = part.setdefault(name, {}) if isinstance(part, dict) else _element(part, name, key)
    if isinstance(part, list):
        place = int(last) - 1 if last.isdecimal() else -1
        if not 0 <= place <= len(part):
            raise BoxProblem(Problem("", key, FigureProblem("amiss.no_figure")))
        part[place : place + 1] = [] if value is None else [value]
    elif not isinstance(part, dict):
        raise BoxProblem(Problem("", key, FigureProblem("amiss.no_figure")))
    elif value is None:
        part.pop(last, None)
    else:
        part[last] = msgspec.to_builtins(value, str_keys=True)


def _element(part: Any, name: str, key: str) -> Any:
    if isinstance(part, list) and name.isdecimal() and 1 <= int(name) <= len(part):
        return part[int(name) - 1]
    raise BoxProblem(Problem("", key, FigureProblem("amiss.no_figure")))
