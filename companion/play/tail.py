"""A list that grows, of which the first items may be elsewhere until somebody wants one of them."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar, overload

T = TypeVar("T")


class Tail(Sequence[T]):
    """Items from number `base` on; `whole` is asked for all of them where an earlier one is wanted.

    :param since: of numbers in their order, all up to this one are elsewhere.

    >>> tail = Tail([30, 40], base=2, whole=lambda: Tail([10, 20, 30]), since=25)
    >>> tail.append(50)
    >>> len(tail), tail[-1], tail[2], tail[0], [*tail], tail[1:4], tail.up_to(40), tail.up_to(15)
    (5, 50, 30, 10, [10, 20, 30, 40, 50], [20, 30, 40], 4, 1)
    """

    __slots__ = ("_items", "_since", "_whole", "base")

    def __init__(
        self, items: Iterable[T] = (), *, base: int = 0, whole: Callable[[], Sequence[T]] | None = None, since: int = 0
    ) -> None:
        self._items = [*items]
        self._since = since
        self._whole = whole
        self.base = base

    def copy(self) -> Tail[T]:
        """The same, which grows by itself."""
        return Tail(self._items, base=self.base, whole=self._whole, since=self._since)

    def append(self, item: T) -> None:
        """Add an item."""
        self._items.append(item)

    def up_to(self, value: int) -> int:
        """How many items, which are in order, are no greater than a value."""
        items: list[Any] = self._items
        if self.base and value < self._since:
            before: Any = self._before()
            return bisect(before, value, 0, self.base)
        return self.base + bisect(items, value)

    def __len__(self) -> int:
        return self.base + len(self._items)

    def __iter__(self) -> Iterator[T]:
        if self.base:
            yield from self._before()[: self.base]
        yield from self._items

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> list[T]: ...
    def __getitem__(self, at: int | slice) -> T | list[T]:
        if isinstance(at, slice):
            return [self[each] for each in range(*at.indices(len(self)))]
        if at < 0:
            at += len(self)
        if at < 0:
            raise IndexError(at)
        return self._items[at - self.base] if at >= self.base else self._before()[at]

    def __setitem__(self, at: int, item: T) -> None:
        if at >= self.base:
            self._items[at - self.base] = item

    def _before(self) -> Sequence[T]:
        if self._whole is None:
            raise IndexError("nobody knows the first items")
        return self._whole()
