"""The shelf: finds a box by name, lays an owner's file over ours, and checks what comes of it."""

from __future__ import annotations

import tomllib
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, overload

from companion.boxes.box import Box
from companion.boxes.horus import HorusBox
from companion.boxes.jenseits import JenseitsBox
from companion.boxes.problems import BoxProblem, Problem
from companion.boxes.reading import Raw, read
from companion.boxes.tomb_raiders import TombRaidersBox
from companion.boxes.tutankhamun import TutankhamunBox

AnyBox = JenseitsBox | TombRaidersBox | HorusBox | TutankhamunBox

KINDS: dict[str, type[AnyBox]] = {kind.name: kind for kind in (JenseitsBox, TombRaidersBox, HorusBox, TutankhamunBox)}
_NOT_FIGURES = frozenset({"title", "rulings", "from"})


def names() -> tuple[str, ...]:
    """The boxes there are."""
    return tuple(KINDS)


@overload
def load(name: Literal["jenseits"], *, overrides: Path | None = None) -> JenseitsBox: ...
@overload
def load(name: Literal["tomb_raiders"], *, overrides: Path | None = None) -> TombRaidersBox: ...
@overload
def load(name: Literal["horus"], *, overrides: Path | None = None) -> HorusBox: ...
@overload
def load(name: Literal["tutankhamun"], *, overrides: Path | None = None) -> TutankhamunBox: ...
@overload
def load(name: str, *, overrides: Path | None = None) -> AnyBox: ...
def load(name: str, *, overrides: Path | None = None) -> AnyBox:
    """Opens a box.

    :param overrides: a folder that may hold an owner's file of the same name. Its tables are laid over ours key by key;
        a list, and a table of counts (the objects of a site, the cards of a layer), takes the place of ours whole.
        What it gives is from "owner" unless its own ``[from]`` says otherwise.
    :raises BoxProblem: if there is no such box, or a file is wrong.
    """
    if name not in KINDS:
        raise BoxProblem(Problem("", name, f"there is no such box; there are {', '.join(names())}"))
    file = overrides / f"{name}.toml" if overrides else None
    if file is None or not file.exists():
        return _open(name, None, str(_shipped(name)))
    return _open(name, _bytes(file), str(file))


def check(path: Path) -> tuple[Problem, ...]:
    """Everything that is wrong with an owner's file."""
    if path.stem not in KINDS or path.suffix != ".toml":
        reason = f"a box file is called {' or '.join(f'{name}.toml' for name in names())}"
        return (Problem(str(path), "", reason),)
    try:
        _open(path.stem, _bytes(path), str(path))
    except BoxProblem as wrong:
        return wrong.problems
    return ()


@lru_cache(maxsize=32)
def _open(name: str, owned: bytes | None, file: str) -> AnyBox:
    kind = KINDS[name]
    raw = _parsed(_bytes(_shipped(name)), str(_shipped(name)))
    if owned is not None:
        raw = laid_over(raw, _parsed(owned, file), kind)
    box = read(raw, kind)
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
    origins = {key: origin for key, origin in ours["from"].items() if not any(_within(key, part) for part in given)}
    origins |= {key: _told(key, told) for key in given if key.split(".")[0] not in _NOT_FIGURES}
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


def _within(key: str, part: str) -> bool:
    return key == part or key.startswith(f"{part}.")


def _told(key: str, told: Raw) -> object:
    while key and key not in told:
        key = key.rpartition(".")[0]
    return told.get(key, "owner")


def _shipped(name: str) -> Path:
    return Path(__file__).with_name(f"{name}.toml")


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise BoxProblem(Problem(str(file), "", error.strerror or str(error))) from error


def _parsed(content: bytes, file: str) -> Raw:
    try:
        return tomllib.loads(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise BoxProblem(Problem(file, "", "this is not UTF-8")) from error
    except tomllib.TOMLDecodeError as error:
        raise BoxProblem(Problem(file, "", str(error))) from error
