"""All evenings of a house: which tables were played to their end, who won what, and with whom."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable

import msgspec

from companion.game import Finished
from companion.play.hall import Hall, Summary
from companion.play.opening import history_of
from companion.refusals import Refusal

AT_ONCE = 1.0  # seconds of going over old tables before an answer goes out with what is known so far


class Result(msgspec.Struct, frozen=True):
    """How a table ended: the points of each seat, and who won."""

    totals: tuple[int, ...]
    winners: tuple[int, ...]


class Evening(msgspec.Struct, frozen=True):
    """A table that was played to its end."""

    table: str
    box: str
    mode: str
    names: tuple[str, ...]
    played_at: int
    result: Result


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


class Evenings:
    """Knows how tables ended. A finished table stays as it is, so each is gone over once.

    :param clock: gives seconds.
    """

    def __init__(self, hall: Hall, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._hall = hall
        self._clock = clock
        self._known: dict[str, Result | None] = {}

    def all(self, *, within: float = AT_ONCE) -> tuple[list[Evening], bool]:
        """The evenings, the newest first, and whether there are more that nobody has had the time to go over yet."""
        until = self._clock() + within
        found: list[Evening] = []
        for each in self._hall.tables():
            if not each.over:
                continue
            if each.table not in self._known:
                if self._clock() > until:
                    return _newest_first(found), True
                self._known[each.table] = self._result(each.table)
            result = self._known[each.table]
            if result is not None:
                found.append(_evening(each, result))
        return _newest_first(found), False

    def _result(self, table: str) -> Result | None:
        """How a table ended; None where its record no longer opens."""
        try:
            laid, _, _ = self._hall.journal.opened(table)
            history = history_of(laid)
            for line in self._hall.journal.entries(table):
                history.follow(line)
        except Refusal:
            return None
        ask = history.ask()
        if not isinstance(ask, Finished):
            return None
        return Result(tuple(score.total for score in sorted(ask.scores, key=lambda score: score.seat)), ask.winners)


def people(evenings: Iterable[Evening]) -> tuple[Person, ...]:
    """Everybody who sat there, by name, whoever won most first. A name in capitals is the same name."""
    called: dict[str, str] = {}
    played: Counter[str] = Counter()
    won: Counter[str] = Counter()
    by_box: dict[str, tuple[Counter[str], Counter[str]]] = {}
    by_other: dict[str, tuple[Counter[str], Counter[str]]] = {}
    for evening in evenings:
        sat = [name.casefold() for name in evening.names]
        for seat, who in enumerate(sat):
            called.setdefault(who, evening.names[seat])
            first = seat in evening.result.winners
            played[who] += 1
            won[who] += first
            _count(by_box.setdefault(who, (Counter(), Counter())), [evening.box], first)
            _count(by_other.setdefault(who, (Counter(), Counter())), [other for other in sat if other != who], first)
    order = sorted(called, key=lambda who: (-won[who], -played[who], who))
    return tuple(
        Person(
            called[who],
            played[who],
            won[who],
            _wins(by_box[who], lambda box: box),
            _wins(by_other[who], called.__getitem__),
        )
        for who in order
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


def _evening(table: Summary, result: Result) -> Evening:
    names = tuple(seat.name for seat in table.seats)
    return Evening(table.table, table.box, table.mode, names, table.played_at, result)


def _newest_first(evenings: list[Evening]) -> list[Evening]:
    return sorted(evenings, key=lambda evening: -evening.played_at)
