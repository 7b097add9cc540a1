"""A box from its file: ours beside the game's code, with what an owner's file says laid over it; and as it is kept."""

from __future__ import annotations

import os
import threading
import tomllib
from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from companion.boxes.box import NOT_FIGURES, Box, Value, within
from companion.boxes.problems import BoxProblem, FigureProblem, Problem
from companion.boxes.reading import Raw, read_box
from companion.refusals import AsTyped

B = TypeVar("B", bound=Box)

_one_by_one = threading.Lock()
"""msgspec learns a type when it first meets it, and crashes where two threads have it learn the same one at once."""


def load(kind: type[B], *, overrides: Path | None = None) -> B:
    """Opens a box.

    :param overrides: a folder that may hold an owner's file, called as the box is. Its tables are laid over ours key by
        key; a list, and a table of counts (the objects of a site, the cards of a layer), takes the place of ours whole.
        What it gives is from "owner" unless its own ``[from]`` says otherwise.
    :raises BoxProblem: if a file is wrong.
    """
    file = overrides / f"{kind.name}.toml" if overrides else None
    if file is None or not os.path.exists(file):
        return _open(kind, None, str(shipped(kind)))
    return _open(kind, content(file), str(file))


def content_of(box: Box) -> dict[str, Value]:
    """All that is in a box as plain JSON, for the journal: a table replays with the figures it was laid with."""
    whole: dict[str, Value] = msgspec.to_builtins(box, str_keys=True)
    return whole


def restore(kind: type[B], kept: Mapping[str, Value]) -> B:
    """The box that was kept; checked again, as it may come from a stranger's record.

    :raises BoxProblem: if it is not such a box.
    """
    box = read_box(dict(kept), kind)
    if isinstance(box, tuple):
        raise BoxProblem(*(Problem("record", key, reason) for key, reason in box))
    return box


def shipped(kind: type[Box]) -> Path:
    """Our own file of a box: ``box.toml`` beside the module of its kind."""
    return Path(str(import_module(kind.__module__).__file__)).with_name("box.toml")


def _open(kind: type[B], owned: bytes | None, file: str) -> B:
    with _one_by_one:
        box: Any = _opened(kind, owned, file)
    opened: B = box  # what is remembered for a kind is of that kind
    return opened


@lru_cache(maxsize=32)
def _opened(kind: type[Box], owned: bytes | None, file: str) -> Box:
    ours = raw = parsed(content(shipped(kind)), str(shipped(kind)))
    if owned is not None:
        raw = laid_over(ours, parsed(owned, file), kind)
    box = read_box(raw, kind, ours)
    if isinstance(box, tuple):
        raise BoxProblem(*(Problem(file, key, reason) for key, reason in box))
    return box


def laid_over(ours: Raw, theirs: Raw, kind: type[Box]) -> Raw:
    """Our file with the owner's over it, and where each figure is now from."""
    given: list[str] = []
    whole = _merged(ours, theirs, "", kind.replaced_whole, given)
    told = theirs.get("from", {})
    if not isinstance(told, dict):
        return whole
    origins = {key: origin for key, origin in ours["from"].items() if not any(within(key, part) for part in given)}
    origins |= {key: _told(key, told) for key in given if key.split(".")[0] not in NOT_FIGURES}
    origins |= {key: origin for key, origin in told.items() if key}
    return {**whole, "from": origins}


def _merged(ours: Raw, theirs: Raw, key: str, replaced_whole: tuple[str, ...], given: list[str]) -> Raw:
    merged: dict[str, Any] = dict(ours)
    for name, value in theirs.items():
        here, mine = f"{key}.{name}" if key else name, ours.get(name)
        whole = any(fnmatchcase(here, pattern) for pattern in replaced_whole)
        if isinstance(value, dict) and isinstance(mine, dict) and not whole:
            merged[name] = _merged(mine, value, here, replaced_whole, given)
        else:
            merged[name] = value
            given.append(here)
    return merged


def _told(key: str, told: Raw) -> object:
    while key and key not in told:
        key = key.rpartition(".")[0]
    return told.get(key, "owner")


def content(file: Path) -> bytes:
    """What is in a file.

    :raises BoxProblem: if it cannot be read.
    """
    try:
        return file.read_bytes()
    except OSError as error:
        raise BoxProblem(
            Problem(str(file), "", FigureProblem("amiss.unread", reason=AsTyped(error.strerror or error)))
        ) from error


def parsed(content: bytes, file: str) -> Raw:
    """A file as TOML gives it.

    :raises BoxProblem: if it is not TOML.
    """
    try:
        return tomllib.loads(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise BoxProblem(Problem(file, "", FigureProblem("amiss.not_utf8"))) from error
    except tomllib.TOMLDecodeError as error:
        raise BoxProblem(Problem(file, "", FigureProblem("amiss.not_toml", reason=AsTyped(error)))) from error
