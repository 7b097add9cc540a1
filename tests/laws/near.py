"""Moves and corrections that are almost right: a field off by one, another name, a thing too few or too many."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any

import msgspec
from msgspec import inspect

from companion.game import Correction, Json, Move
from companion.refusals import Refusal

NUMBERS = (-1, 0, 1, 2, 5, 13, 99, 10**20)


def misses(types: Sequence[type[Move]], listed: Sequence[Move], luck: random.Random, count: int) -> list[Move]:
    """Moves that differ in one field from one that is listed, and are not listed themselves."""
    known, words = set(listed), sorted(strings(msgspec.to_builtins(listed)))
    found: list[Move] = []
    for _ in range(count):
        fields: dict[str, Any] = msgspec.to_builtins(luck.choice(listed))
        schema = {field.name: field for kind in types for field in msgspec.structs.fields(kind)}
        names = [name for name in {**fields, **schema} if name != "type"]
        if names:
            name = luck.choice(names)
            fields[name] = bent(fields.get(name), words, luck)
        move = read(fields, types)
        if isinstance(move, Move) and move not in known:
            found.append(move)
    return found


def bent(value: Any, words: Sequence[str], luck: random.Random) -> Any:
    """Something near a value, or of its kind."""
    word, number = luck.choice((*words, "nowhere")), luck.choice(NUMBERS)
    match value:
        case bool():
            return not value
        case int():
            return luck.choice((value - 1, value + 1, number))
        case str():
            return word
        case [*things]:
            fewer, more = things[1:], [*things, luck.choice(things) if things else word]
            return luck.choice((fewer, more, things[::-1], []))
    return luck.choice((word, number, True, [word]))


def any_correction(types: Sequence[type[Correction]], words: Sequence[str], luck: random.Random) -> Correction | None:
    """A correction of any kind with anything in its fields; None if it cannot even be read."""
    if not types:
        return None
    kind = luck.choice(types)
    about = inspect.type_info(kind)
    assert isinstance(about, inspect.StructType)
    fields = {field.encode_name: anything(field.type, words, luck) for field in about.fields}
    made = read({"type": kind.__struct_config__.tag, **fields}, types)
    return made if isinstance(made, Correction) else None


def anything(about: inspect.Type, words: Sequence[str], luck: random.Random) -> Any:  # noqa: PLR0911 -- one for each type
    """Any value of a type."""
    match about:
        case inspect.BoolType():
            return luck.random() < 0.5
        case inspect.IntType():
            return luck.choice((*range(-1, 7), *range(7, 60, 5)))
        case inspect.LiteralType(values=values):
            return luck.choice(list(values))
        case inspect.UnionType(types=types):
            return anything(luck.choice(types), words, luck)
        case inspect.NoneType():
            return None
        case inspect.ListType() | inspect.VarTupleType():
            return [luck.choice(words) for _ in range(luck.randrange(4))]
    return luck.choice(words)


def read(given: object, types: Iterable[type[Any]]) -> Any:
    """What is made of JSON; None if it is not understood."""
    wanted: Any = reduce(or_, types)
    try:
        return msgspec.convert(given, wanted)
    except (msgspec.ValidationError, Refusal):
        return None


def strings(value: Json) -> set[str]:
    """All words in a value, keys too."""
    if isinstance(value, str):
        return {value}
    if isinstance(value, Mapping):
        return set(value) | {word for part in value.values() for word in strings(part)}
    if isinstance(value, Sequence):
        return {word for part in value for word in strings(part)}
    return set()
