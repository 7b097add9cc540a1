"""Values of this program as bytes, and back: what a snapshot of a table holds.

States are made of structs, tuples and the like, and a toolbox keeps tools of many classes in one mapping; each value is
therefore written with its class. Only structs and named tuples are made again, and only from all of their fields.
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec

PLAIN = (type(None), bool, int, float, str, bytes)


class Unpackable(ValueError):
    """Bytes that this program did not write, or a value of a kind that it does not write."""


def pack(value: object) -> bytes:
    """A value as bytes.

    >>> from companion.game import Dealt
    >>> unpack(pack(({"a": 1, 2: frozenset({3})}, [Dealt("blank")])))
    ({'a': 1, 2: frozenset({3})}, [Dealt(outcome='blank')])

    :raises Unpackable: where something in it is neither plain, nor a container, nor a struct.
    """
    classes: dict[type, int] = {}
    body = _plain(value, classes)
    named = [(kind.__module__, kind.__qualname__, _fields(kind)) for kind in classes]
    return zlib.compress(msgspec.msgpack.encode((named, body)), 1)


def unpack(packed: bytes) -> Any:
    """The value of such bytes.

    :raises Unpackable: where they are damaged, or of another version of this program.
    """
    try:
        named, body = msgspec.msgpack.decode(zlib.decompress(packed))
        classes = [_class(module, name, tuple(fields)) for module, name, fields in named]
        return _value(body, classes)
    except (zlib.error, msgspec.DecodeError, ValueError, TypeError, IndexError, KeyError, RecursionError) as error:
        raise Unpackable(str(error)) from error


def _plain(value: Any, classes: dict[type, int]) -> Any:
    kind: Any = type(value)
    if kind in PLAIN:
        return value
    if kind is tuple:
        return ["t", *(_plain(each, classes) for each in value)]
    if kind is dict:
        return ["d", *((_plain(key, classes), _plain(each, classes)) for key, each in value.items())]
    if kind is list:
        return ["l", *(_plain(each, classes) for each in value)]
    if kind is frozenset:
        return ["f", *(_plain(each, classes) for each in value)]
    fields = _fields(kind)
    if fields is None:
        raise Unpackable(f"{kind.__module__}.{kind.__qualname__}")
    number = classes.setdefault(kind, len(classes))
    return [number, *(_plain(getattr(value, name), classes) for name in fields)]


def _value(body: Any, classes: list[Callable[..., Any]]) -> Any:
    if type(body) is not list:
        return body
    kind, *rest = body
    match kind:
        case "t":
            return tuple(_value(each, classes) for each in rest)
        case "d":
            return {_value(key, classes): _value(each, classes) for key, each in rest}
        case "l":
            return [_value(each, classes) for each in rest]
        case "f":
            return frozenset(_value(each, classes) for each in rest)
    return classes[kind](*(_value(each, classes) for each in rest))


@cache
def _fields(kind: type[Any]) -> tuple[str, ...] | None:
    """The names of what a value of a class is made of; None for a class that is not written."""
    if issubclass(kind, msgspec.Struct):
        return kind.__struct_fields__
    return getattr(kind, "_fields", None) if issubclass(kind, tuple) else None


def _class(module: str, name: str, fields: tuple[str, ...]) -> Callable[..., Any]:
    """What makes a value of a class of that name again from all its fields."""
    found: Any = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    if not isinstance(found, type) or _fields(found) != fields:
        raise Unpackable(f"{module}.{name}")
    return lambda *values: found(**dict(zip(fields, values, strict=True)))
