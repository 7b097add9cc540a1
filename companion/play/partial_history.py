"""Keeps the newest part of a table's history in memory; what is older is computed again where somebody looks back."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Self, TypeVar, overload
from weakref import ref

import msgspec

from companion.play.entries import JournalLine, StepsUndone
from companion.play.position import Position, Rules
from companion.play.snapshots import Snapshot, cut_off, kept_position, restored_position
from companion.play.tail import Tail
from companion.play.written import Written

T = TypeVar("T")
CARRIED = ("seals", "stirring", "left", "kinds", "hints", "hinted", "seating", "bid", "begun")
"""Attributes that a snapshot copies, beside positions."""
NUMBERS = ("logged", "logged_stirs", "_draws_at", "_reports_at", "_moves_at")
"""Attributes that are numbers of entries in ascending order."""
GROWING = ("written", "seals", *NUMBERS, "_positions", "_redos", "_played", "_reveals", "_points")
"""Attributes that `fork` copies, because they are changed in place."""


class Redo(msgspec.Struct, frozen=True):
    """The entry that "forward" leads to, and the ones after it. Each step back adds one and shares the rest."""

    to: int
    older: Redo | None


class PartialHistory:
    """The storage of a `History`: from entry `base` on it has everything, of what came before only what it needs."""

    written: Written
    _link: bytes | None
    _rules: Rules
    _positions: Tail[Position]
    _redos: Tail[Redo | None]
    _played: Tail[int]
    _reveals: Tail[bool | None]
    _points: deque[dict[str, Any]]

    def all_written(self) -> Sequence[JournalLine]:
        """All entries, wherever they are."""
        return self.written

    def _whole(self) -> Self:
        """This history with everything in memory."""
        raise NotImplementedError

    def _snapshot_before(self, limit: int) -> Snapshot | None:
        """The newest snapshot that can be made of an entry before `limit`; None where there is none after `base`."""
        points = [point for point in self._points if self._positions.base < point["seq"] < limit]
        if not points:
            return None
        point = max(points, key=lambda each: int(each["seq"]))
        base, back = point["seq"], self._led_back_to(point["seq"])
        return Snapshot(
            base=base,
            link=self.written[base - 1].link,
            counts={name: getattr(self, name).up_to(base) for name in NUMBERS},
            positions={at: kept_position(self._positions[at]) for at in sorted({*back, base})},
            redos=tuple(_redos(self._redos[base])),
            played=self._played[base],
            carried={name: point[name] for name in CARRIED},
        )

    def _restore_positions(self, snapshot: Snapshot) -> None:
        """Begin at the entry that a snapshot was made of."""
        base = snapshot.base
        self.written = Written(base=base, whole=self._weakly(lambda history: history.all_written()))
        redo: Redo | None = None
        for to in reversed(snapshot.redos):
            redo = Redo(to, redo)
        self._link = snapshot.link
        kept = {at: restored_position(each, self._rules, self._finder()) for at, each in snapshot.positions.items()}
        self._begin_at(base, kept, [kept[base]], [redo], [snapshot.played])
        for name, count in snapshot.counts.items():
            self._number_from(name, count, base)

    def shorten(self, most: int) -> None:
        """Drop from memory all but what the newest `most` entries need."""
        base = len(self.written) - most
        if base <= self._positions.base:
            return
        self._link = self.written[base - 1].link
        kept = {at: self._positions[at] for at in {*self._led_back_to(base), base}}
        for position in kept.values():
            cut_off(position, self._finder())
        self._begin_at(
            base, kept, self._positions[base:], self._redos[base:], self._played[base:], self._reveals[base:]
        )
        for name in NUMBERS:
            numbers: Tail[int] = getattr(self, name)
            count = numbers.up_to(base)
            self._number_from(name, count, base, numbers[count:])

    def _number_from(self, name: str, count: int, base: int, numbers: Sequence[int] = ()) -> None:
        """Keep of one of `NUMBERS` those after `base`; `count` of them are not after it."""

        def whole(history: PartialHistory) -> Tail[int]:
            numbers: Tail[int] = getattr(history._whole(), name)
            return numbers

        setattr(self, name, Tail(numbers, base=count, whole=self._weakly(whole), since=base))

    def _begin_at(
        self,
        base: int,
        kept: Mapping[int, Position],
        positions: Sequence[Position],
        redos: Sequence[Redo | None],
        played: Sequence[int],
        reveals: Sequence[bool | None] = (),
    ) -> None:
        """Keep positions, and what belongs to them, from `base` on; `kept` are older ones that steps lead back to."""
        every = self._weakly(lambda history: history._whole()._positions)
        self._positions = Tail(positions, base=base, whole=lambda: _FewPositions(kept, every))
        self._redos = Tail(redos, base=base, whole=self._weakly(lambda history: history._whole()._redos))
        self._played = Tail(played, base=base, whole=self._weakly(lambda history: history._whole()._played))
        self._reveals = Tail(reveals, base=base, whole=self._weakly(lambda history: history._whole()._reveals))

    def _led_back_to(self, base: int) -> set[int]:
        """The numbers of entries before `base` to which later ones step back."""
        later = (line.entry for line in self.written[base:])
        return {entry.to for entry in later if isinstance(entry, StepsUndone) and entry.to < base}

    def _finder(self) -> Callable[[int], Position]:
        """A function that finds any position by its number."""
        every = self._weakly(lambda history: history._whole()._positions)
        return lambda seq: every()[seq]

    def _weakly(self, take: Callable[[Self], T]) -> Callable[[], T]:
        """A function that calls `take` with this history later, and holds only a weak reference: no cycle arises."""
        me = ref(self)

        def taken() -> T:
            history = me()
            if history is None:
                raise ReferenceError("nobody has this table any more")
            return take(history)

        return taken


class _FewPositions(Sequence[Position]):
    """All positions, a few of them in memory: `whole` is asked for any other."""

    def __init__(self, kept: Mapping[int, Position], whole: Callable[[], Sequence[Position]]) -> None:
        self._kept = kept
        self._whole = whole

    def __len__(self) -> int:
        return len(self._whole())

    @overload
    def __getitem__(self, at: int) -> Position: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Position]: ...
    def __getitem__(self, at: int | slice) -> Position | Sequence[Position]:
        known = self._kept.get(at) if isinstance(at, int) else None
        return known or self._whole()[at]


def _redos(redo: Redo | None) -> Iterator[int]:
    """The entries to go forward to, nearest first."""
    while redo is not None:
        yield redo.to
        redo = redo.older
