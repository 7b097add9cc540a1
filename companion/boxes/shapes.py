"""What the figures of a box are like: how many, how large, of which kinds. By it a screen offers to change them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from msgspec import inspect

from companion.boxes.box import NOT_FIGURES, Box
from companion.boxes.files import content, parsed, shipped

Shape = dict[str, Any]
"""A figure or a table of them, by its ``sort``.

``number`` (``least``, ``most``), ``word`` (``like``), ``choice`` (``of``) and ``yes`` are figures; a ``part`` has
``fields`` with a ``name`` and a shape, a ``map`` what its ``keys`` are like and the shape of each ``of`` them, a
``list`` the shape ``of`` its parts, and its ``length`` where that is fixed. A ``text`` is free; ``some`` may be any of
the words ``of`` it. ``optional`` may be missing; of a ``map``
that is ``whole`` an owner may leave keys out.
"""


def shape_of(kind: type[Box]) -> Shape:
    """The shape of all figures of a box."""
    shape = _shape(inspect.type_info(kind), (), kind.replaced_whole)
    title: Shape = {"name": "title", "sort": "text"}
    rulings: Shape = {"name": "rulings", "sort": "some", "of": rulings_of(kind)}
    return {**shape, "fields": [title, *(each for each in shape["fields"] if each["name"] not in NOT_FIGURES), rulings]}


def rulings_of(kind: type[Box]) -> list[str]:
    """The rules of a box on which Digside has ruled, for its rulebook leaves them open."""
    return list(parsed(content(shipped(kind)), kind.name)["rulings"])


def named_fields(shape: Shape) -> Iterator[str]:
    """The names of all fields of the parts in a shape, as often as they come."""
    for field in shape.get("fields", ()):
        yield field["name"]
        yield from named_fields(field)
    if isinstance(shape.get("of"), Mapping):
        yield from named_fields(shape["of"])


def words_in(shape: Shape) -> Iterator[str]:
    """The words of which one is to be chosen, in a shape."""
    if shape["sort"] == "choice":
        yield from map(str, shape["of"])
    for part in (*shape.get("fields", ()), shape.get("of"), shape.get("keys")):
        if isinstance(part, Mapping):
            yield from words_in(part)  # type: ignore[arg-type]


def _shape(told: inspect.Type, at: tuple[str, ...], whole: Sequence[str]) -> Shape:  # noqa: PLR0911 -- one a sort
    match told:
        case inspect.Metadata(type=inner):
            return _shape(inner, at, whole)
        case inspect.UnionType(types=types):
            inner = next(each for each in types if not isinstance(each, inspect.NoneType))
            return {**_shape(inner, at, whole), "optional": True}
        case inspect.StructType(fields=fields):
            return {"sort": "part", "fields": [_field(each, at, whole) for each in fields]}
        case inspect.DictType(key_type=keys, value_type=of):
            shape = {"sort": "map", "keys": _shape(keys, at, whole), "of": _shape(of, (*at, "*"), whole)}
            return {**shape, "whole": True} if any(fnmatchcase(".".join(at), each) for each in whole) else shape
        case inspect.VarTupleType(item_type=of):
            return {"sort": "list", "of": _shape(of, (*at, "*"), whole)}
        case inspect.TupleType(item_types=types):
            return {"sort": "list", "of": _shape(types[0], (*at, "*"), whole), "length": len(types)}
    return _single(told)


def _single(told: inspect.Type) -> Shape:
    match told:
        case inspect.LiteralType(values=values):
            return {"sort": "choice", "of": list(values)}
        case inspect.BoolType():
            return {"sort": "yes"}
        case inspect.IntType(ge=least, le=most):
            return {"sort": "number", "least": least, "most": most}
        case inspect.StrType(pattern=like):
            return {"sort": "word", "like": like}
    raise TypeError(f"a screen cannot offer {told}")


def _field(field: inspect.Field, at: tuple[str, ...], whole: Sequence[str]) -> Shape:
    name = field.encode_name
    shape = {"name": name, **_shape(field.type, (*at, name), whole)}
    return shape if field.required else {**shape, "optional": True}
