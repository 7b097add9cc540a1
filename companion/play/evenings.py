"""All evenings of a house: which tables were played to their end, who won what, and with whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

import msgspec

from companion.play.entries import EndFound
from companion.play.hall import Hall, Summary
from companion.words import is_typed

NAMED = 100  # people told at once, whoever won most first, and as many with whom each of them played
AT_ONCE = 8  # tables from before ends were noted that are counted up before an answer goes out


class Evening(msgspec.Struct, frozen=True):
    """A table that was played to its end."""

    table: str
    box: str
    mode: str
    names: tuple[str, ...]
    played_at: int
    end: EndFound


class Wins(msgspec.Struct, frozen=True):
    """How often somebody played something, or with somebody, and won."""

    of: str
    played: int
    won: int


class Person(msgspec.Struct, frozen=True):
    """Somebody by name: how often at a table, how often first there, in which boxes and with whom."""

    name: str
    played: int
    won: int
    boxes: tuple[Wins, ...]
    others: tuple[Wins, ...]


def evenings(hall: Hall) -> tuple[list[Evening], bool]:
    """The tables that are over, the newest first, and whether there are more whose end nobody has counted up yet."""
    more = hall.count_up(AT_ONCE)
    found = [
        Evening(each.table, each.box, each.mode, _names(each), each.played_at, each.end)
        for each in hall.tables(over=True)
        if each.end
    ]
    return sorted(found, key=lambda evening: -evening.played_at), more


def people(evenings: Iterable[Evening]) -> tuple[Person, ...]:
    """Who sat there, by the name they typed, whoever won most first. A name in capitals is the same name."""
    called: dict[str, str] = {}
    played: Counter[str] = Counter()
    won: Counter[str] = Counter()
    by_box: dict[str, tuple[Counter[str], Counter[str]]] = {}
    by_other: dict[str, tuple[Counter[str], Counter[str]]] = {}
    for evening in evenings:
        sat = {seat: name.casefold() for seat, name in enumerate(evening.names) if is_typed(name)}
        for seat, who in sat.items():
            called.setdefault(who, evening.names[seat])
            first = seat in evening.end.winners
            played[who] += 1
            won[who] += first
            _count(by_box.setdefault(who, (Counter(), Counter())), [evening.box], first)
            _count(
                by_other.setdefault(who, (Counter(), Counter())),
                [other for other in sat.values() if other != who],
                first,
            )
    order = sorted(called, key=lambda who: (-won[who], -played[who], who))
    return tuple(
        Person(
            called[who],
            played[who],
            won[who],
            _wins(by_box[who], lambda box: box),
            _wins(by_other[who], called.__getitem__)[:NAMED],
        )
        for who in order[:NAMED]
    )


def _count(into: tuple[Counter[str], Counter[str]], of: Iterable[str], first: bool) -> None:
    played, won = into
    for each in of:
        played[each] += 1
        won[each] += first


def _wins(counted: tuple[Counter[str], Counter[str]], name: Callable[[str], str]) -> tuple[Wins, ...]:
    played, won = counted
    return tuple(
        Wins(name(each), n, won[each]) for each, n in sorted(played.items(), key=lambda item: (-item[1], item[0]))
    )


def _names(table: Summary) -> tuple[str, ...]:
    return tuple(seat.name for seat in table.seats)
