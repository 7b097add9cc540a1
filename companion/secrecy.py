"""What is secret is marked where it stands: in the state, in a move, in what falls.

All that anybody is shown is made from the state as they see it, in which no secret of others is. A field without a mark
is everybody's; the order of a bag or a deck is stored nowhere.

    class Player(msgspec.Struct, frozen=True):
        hand: Annotated[tuple[str, ...], Secret(face_down)]  # the seat's whose hand it is
        bid: Annotated[int | None, Secret(laid_down, to=nobody)] = None

    class Sealed(State, frozen=True):
        players: Annotated[tuple[Player, ...], BY_SEAT]
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from operator import is_
from typing import Annotated, Any, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

from msgspec import Struct, structs

T = TypeVar("T")

PLAIN = frozenset({str, int, bool, float, type(None)})
"""Types of values in which there is nothing."""

Seats = Collection[int] | None
"""The seats that see something; None for everybody."""


class BySeat:
    """Goes with the type of a row that has one thing for each seat."""


BY_SEAT = BySeat()


def owner(holder: Any, seat: int | None) -> Seats:
    """The seat that has it: whose row it stands in, or whose move it is."""
    return () if seat is None else (seat,)


def nobody(holder: Any, seat: int | None) -> Seats:
    """No seat at all."""
    return ()


class Secret:
    """Goes with the type of a field that is not everybody's to see.

    :param shown: what everybody else sees in its place: given the table as it is, and the value.
    :param to: the seats that see the value: given what the field stands in, and the seat that has that.
    :param passing: whether, at this table, all see it as it happens, and only log and record keep it from them.
    """

    def __init__(
        self,
        shown: Callable[[Any, Any], Any],
        *,
        to: Callable[[Any, int | None], Seats] = owner,
        passing: Callable[[Any], bool] = lambda table: False,
    ) -> None:
        self.shown = shown
        self.to = to
        self.passing = passing

    def seen(self, table: Any, value: Any, holder: Any, seat: int | None, viewer: int | None) -> Any:
        """What a viewer sees of it."""
        seats = self.to(holder, seat)
        return value if seats is None or viewer in seats else self.shown(table, value)


def nothing(table: Any, value: Any) -> Any:
    """Shows nothing in the place of a secret: an empty value of its kind."""
    return type(value)()


class SecretPart(NamedTuple):
    """A field that is a secret, or in which there may be one."""

    name: str
    secret: Secret | None
    by_seat: bool


@cache
def parts_of(kind: Any) -> tuple[SecretPart, ...]:
    """The fields of a struct that are secrets, or in which there may be one."""
    if not issubclass(kind, Struct):
        return ()
    hints = get_type_hints(kind, include_extras=True)
    parts = []
    for name in kind.__struct_fields__:
        marks = get_args(hints[name])[1:] if get_origin(hints[name]) is Annotated else ()
        secret = next((mark for mark in marks if isinstance(mark, Secret)), None)
        if secret is not None or _has_struct(hints[name]):
            parts.append(SecretPart(name, secret, any(isinstance(mark, BySeat) for mark in marks)))
    return tuple(parts)


def seen_by(viewer: int | None, thing: T, table: Any, seat: int | None = None) -> T:
    """A thing as a viewer sees it, each secret replaced that is not theirs.

    :param viewer: a seat; None sees what everybody does.
    :param here: the table as it is.
    :param seat: whose it is, if it is somebody's.
    """
    changes: dict[str, Any] = {}
    whole: Any = thing
    kind: Any = type(whole)
    for name, secret, by_seat in parts_of(kind):
        value = getattr(whole, name)
        if secret is None:
            seen = _inside(viewer, value, table, seat, by_seat)
        else:
            seen = secret.seen(table, value, whole, seat, viewer)
        if seen is not value:
            changes[name] = seen
    replaced: T = structs.replace(whole, **changes) if changes else thing
    return replaced


def secrets_in(thing: Any, table: Any, seat: int | None = None) -> Iterator[tuple[Seats, Any]]:
    """Each secret in a thing that is not shown to all as it is: to whom it is, and where and what it is. Of what nobody
    sees only what lies in a row: a bag, or a count, is another with whatever is done."""
    if isinstance(thing, Struct):
        for name, secret, by_seat in parts_of(type(thing)):
            value = getattr(thing, name)
            if secret is None:
                yield from _secrets_in(value, table, seat, by_seat)
            else:
                shown, seats = secret.seen(table, value, thing, seat, None), secret.to(thing, seat)
                yield from ((seats, (type(thing), name, each)) for each in _unlike(value, shown))
    else:
        yield from _secrets_in(thing, table, seat)


def _unlike(value: Any, shown: Any) -> Iterator[Any]:
    """What of a value is not as it is shown: of a row each thing by itself."""
    if isinstance(value, tuple) and isinstance(shown, tuple):
        rest = [*shown]
        for each in value:
            if each in rest:
                rest.remove(each)
            else:
                yield each
    elif value != shown:
        yield value


def _secrets_in(value: Any, table: Any, seat: int | None, by_seat: bool = False) -> Iterator[tuple[Seats, Any]]:
    """The same for what a field has."""
    if type(value) in PLAIN:
        return
    if isinstance(value, Struct):
        if parts_of(type(value)):
            yield from secrets_in(value, table, seat)
    elif isinstance(value, tuple | Mapping):
        for at, each in enumerate(value.values() if isinstance(value, Mapping) else value):
            yield from _secrets_in(each, table, at if by_seat else seat)


def _inside(viewer: int | None, value: Any, table: Any, seat: int | None, by_seat: bool = False) -> Any:
    """The same for what a field has: the value itself, where nothing in it is to be replaced."""
    if type(value) in PLAIN:
        return value
    if isinstance(value, Struct):
        return seen_by(viewer, value, table, seat) if parts_of(type(value)) else value
    if isinstance(value, tuple):
        row = [_inside(viewer, each, table, at if by_seat else seat) for at, each in enumerate(value)]
        return value if all(map(is_, row, value)) else tuple(row)
    if isinstance(value, Mapping):
        there = {key: _inside(viewer, each, table, seat) for key, each in value.items()}
        return value if all(map(is_, there.values(), value.values())) else there
    return value


def _has_struct(hint: Any) -> bool:
    """Whether a value of this type may have a struct in it."""
    if isinstance(hint, type) and issubclass(hint, Struct):
        return True
    return any(_has_struct(part) for part in get_args(hint))
