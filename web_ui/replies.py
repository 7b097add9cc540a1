"""What took long to work out, kept as long as it is so, and as there is room."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Protocol, TypeVar, cast


class Made(Protocol):
    """A reply: of what it is made, its body alone takes room."""

    @property
    def body(self) -> bytes: ...


R = TypeVar("R", bound=Made)


class Replies:
    """Cached replies, by request and moment; the least recently used are dropped.

    :param most: bytes of all together.

    >>> from web_ui.bridge import HttpAnswer
    >>> replies = Replies(most=10)
    >>> made = [replies.of(body, lambda body=body: HttpAnswer(200, [], body)) for body in (b"12345678", b"1234")]
    >>> len(replies), replies.of(b"1234", lambda: HttpAnswer(200, [], b"anew")).body
    (1, b'1234')
    """

    def __init__(self, *, most: int = 4 * 1024 * 1024) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._kept: OrderedDict[Hashable, Made] = OrderedDict()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._kept)

    def of(self, request: Hashable, make: Callable[[], R]) -> R:
        """The reply to a request; made where it is not cached."""
        with self._lock:
            known = self._kept.get(request)
            if known is not None:
                self._kept.move_to_end(request)
                return cast(R, known)
        made = make()
        with self._lock:
            before = self._kept.pop(request, None)
            self._kept[request] = made
            self._bytes += len(made.body) - (len(before.body) if before else 0)
            while self._bytes > self._most:
                _, oldest = self._kept.popitem(last=False)
                self._bytes -= len(oldest.body)
        return made
