"""Reads a box file into its type, and says everything that is wrong with it, not only the first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any, Literal, TypeVar, get_args, get_origin

import msgspec

from companion.boxes.box import Box, Part
from companion.boxes.problems import Doubt, FigureProblem
from companion.refusals import AsTyped, as_typed

B = TypeVar("B", bound=Box)

Raw = Mapping[str, Any]
"""A file as TOML gives it."""

_EXPECTED = {
    "int": "amiss.whole_number",
    "float": "amiss.number",
    "str": "amiss.text",
    "bool": "amiss.yes_or_no",
    "array": "amiss.list",
    "object": "amiss.table",
}
_LENGTHS = {">=": "amiss.longer", "<=": "amiss.shorter"}


def read_box(raw: Raw, kind: type[B], spare: Raw | None = None) -> B | tuple[Doubt, ...]:
    """The box, or all that is wrong with the file.

    :param spare: a file that is right: what cannot be read is taken from there, so that the rest is looked at too.
    """
    misread = tuple(_misread(raw, kind, ""))
    if misread:
        return (*misread, *(() if spare is None else _further_doubts(raw, kind, misread, spare)))
    box = msgspec.convert(raw, kind, str_keys=True)
    return tuple(box.doubts()) or box


def _further_doubts(raw: Raw, kind: type[B], misread: tuple[Doubt, ...], spare: Raw) -> Iterator[Doubt]:
    """What is wrong with the rest of a file, of which these keys cannot be read."""
    keys = [key for key, _ in misread]
    patched: Any = deepcopy(raw)
    for key in keys:
        patched = _patched(patched, spare, key.split("."))
    if any(_misread(patched, kind, "")):
        return
    for key, reason in msgspec.convert(patched, kind, str_keys=True).doubts():
        if not any(_near(key.removeprefix("from."), other) for other in keys):
            yield key, reason


def _patched(part: Any, spare: Any, path: list[str]) -> Any:
    """A part with the value at this path replaced by the spare's; without it, if the spare has none."""
    name, *further = path
    place: Any = int(name) - 1 if isinstance(part, list) else name
    there = _has(part, place)
    if further and there and _has(spare, place):
        part[place] = _patched(part[place], spare[place], further)
    elif _has(spare, place) and (there or isinstance(part, dict)):
        part[place] = spare[place]
    elif there:
        del part[place]
    return part


def _has(part: Any, place: Any) -> bool:
    if isinstance(part, list):
        return isinstance(place, int) and place < len(part)
    return isinstance(part, dict) and place in part


def _near(key: str, other: str) -> bool:
    """Whether two keys are one, or one lies within the other."""
    return key == other or key.startswith(f"{other}.") or other.startswith(f"{key}.")


def _misread(value: Any, kind: Any, key: str) -> Iterator[Doubt]:
    """Walks down as far as the types go, for msgspec by itself stops at the first thing that does not fit."""
    if type(None) in get_args(kind):
        kind = get_args(kind)[0]
    origin = get_origin(kind)
    if _is_part(kind) and isinstance(value, Mapping):
        yield from _misread_part(value, kind, key)
    elif origin is Mapping and isinstance(value, Mapping):
        name_kind, part_kind = get_args(kind)
        for name, part in value.items():
            yield from _unfit(name, name_kind, _below(key, name), strict=False)
            yield from _misread(part, part_kind, _below(key, name))
    elif origin is tuple and get_args(kind)[-1] is ... and isinstance(value, list):
        for index, part in enumerate(value, 1):
            yield from _misread(part, get_args(kind)[0], _below(key, index))
    else:
        yield from _unfit(value, kind, key)


def _is_part(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Part)


def _misread_part(value: Raw, kind: type[Part], key: str) -> Iterator[Doubt]:
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    for name in value:
        if name not in fields:
            yield _below(key, name), FigureProblem("amiss.no_key")
    for name, field in fields.items():
        if name in value:
            yield from _misread(value[name], field.type, _below(key, name))
        elif field.required:
            yield _below(key, name), FigureProblem("amiss.missing")


def _unfit(value: Any, kind: Any, key: str, *, strict: bool = True) -> Iterator[Doubt]:
    try:
        msgspec.convert(value, kind, str_keys=True, strict=strict)
    except msgspec.ValidationError as error:
        what, _, path = str(error).partition(" - at `$")
        for index in re.findall(r"\[(\d+)\]", path):
            key = _below(key, int(index) + 1)
        yield key, _amiss(what, value, kind)


def _amiss(what: str, value: Any, kind: Any = None) -> FigureProblem:
    """What msgspec says, for somebody who does not program.

    >>> print(_amiss("Expected `int`, got `str`", "x"), "·", _amiss("Expected `int` >= 1", 0))
    a whole number is expected · it is 1 at least
    >>> print(_amiss("Expected `str` matching regex '^#'", "x"))
    “x” does not look like ^#
    """
    if get_origin(kind) is Literal:
        return FigureProblem("amiss.none_of", what=AsTyped(value), known=as_typed(get_args(kind)))
    told = re.match(r"Expected `(\w+)[a-z |]*`(?: (of length|matching regex|[<>]=)(?: ([<>]=))? (.*))?", what)
    if told is None:
        return FigureProblem("amiss.unfit", reason=AsTyped(what))
    sort, how, bound, limit = told.groups()
    if how == "matching regex":
        return FigureProblem("amiss.unlike", what=AsTyped(value), pattern=AsTyped(limit.strip("'")))
    if how == "of length":
        return FigureProblem(_LENGTHS.get(bound, "amiss.length"), n=int(limit.partition(",")[0]))
    if how:
        return FigureProblem("amiss.at_least" if how == ">=" else "amiss.at_most", bound=AsTyped(limit))
    return FigureProblem(_EXPECTED[sort]) if sort in _EXPECTED else FigureProblem("amiss.unfit", reason=AsTyped(what))


def _below(key: str, name: object) -> str:
    return f"{key}.{name}" if key else str(name)
