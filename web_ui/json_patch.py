"""What has changed between two views, as a JSON Patch (RFC 6902)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from companion.canonical import canonical
from companion.play.view import ViewParts, pointer

LOG = "/log"
LIKELY = 2  # elements that are there once more: then what stood before them is taken to be gone

_decode = msgspec.json.decode
_encode = msgspec.json.encode


class PatchOperation(NamedTuple):
    """One change; `value` is JSON, and is missing where something is removed."""

    op: str
    path: str
    value: bytes | None = None

    def __bytes__(self) -> bytes:
        value = b"" if self.value is None else b',"value":' + self.value
        return b'{"op":"%b","path":%b%b}' % (self.op.encode(), _encode(self.path), value)


def patch(before: ViewParts, after: ViewParts) -> bytes:
    """What makes one view of another.

    >>> dug = b'{"seq":4,"what":{"type":"dig","site":"crete","weeks":3}}'
    >>> one = ViewParts({"/seq": b"4", "/board/track": b"[1,2]", "/board/hand": b'["ax"]'}, (b'{"seq":3}', dug))
    >>> other = ViewParts({"/seq": b"5", "/board/track": b"[1,3]"}, (dug, b'{"seq":5}'))
    >>> for operation in msgspec.json.decode(patch(one, other)):
    ...     print(*operation.values())
    remove /board/hand
    replace /board/track/1 3
    replace /seq 5
    remove /log/0
    add /log/1 {'seq': 5}
    """
    return b"[%b]" % b",".join(map(bytes, _operations(before, after)))


def _operations(before: ViewParts, after: ViewParts) -> Iterator[PatchOperation]:
    for path in before.fields.keys() - after.fields.keys():
        yield PatchOperation("remove", path)
    for path in sorted(after.fields.keys()):
        old, new = before.fields.get(path), after.fields[path]
        if old is None:
            yield PatchOperation("add", path, new)
        elif old != new:
            yield from _shorter(path, new, _changed(path, _decode(old), _decode(new)))
    if before.log != after.log:
        yield from _shorter(LOG, b"[%b]" % b",".join(after.log), _list_changed(LOG, before.log, after.log))


def _shorter(path: str, new: bytes, operations: Iterator[PatchOperation]) -> list[PatchOperation]:
    """These operations, or the new value as a whole where that takes no more bytes."""
    parts = list(operations)
    whole = PatchOperation("replace", path, new)
    return parts if sum(len(bytes(each)) for each in parts) < len(bytes(whole)) else [whole]


def _changed(path: str, old: object, new: object) -> Iterator[PatchOperation]:
    match old, new:
        case dict(), dict():
            for key in old.keys() - new.keys():
                yield PatchOperation("remove", path + pointer(key))
            for key, value in new.items():
                here = path + pointer(key)
                if key not in old:
                    yield PatchOperation("add", here, canonical(value))
                elif not _same(old[key], value):
                    yield from _shorter(here, canonical(value), _changed(here, old[key], value))
        case list(), list():
            yield from _list_changed(path, [canonical(each) for each in old], [canonical(each) for each in new])
        case _:
            yield PatchOperation("replace", path, canonical(new))


def _same(one: object, other: object) -> bool:
    """Whether two values are the same JSON: ``True == 1`` in Python."""
    return one == other and _encode(one) == _encode(other)


def _list_changed(path: str, old: Sequence[bytes], new: Sequence[bytes]) -> Iterator[PatchOperation]:
    """Changes of a list: it may have lost some at its beginning, and has changed in one place."""
    lost = old.index(new[0]) if new and new[0] in old else 0
    if old[lost : lost + LIKELY] != new[: min(LIKELY, len(old) - lost)]:
        lost = 0
    yield from [PatchOperation("remove", f"{path}/0")] * lost
    yield from _changed_at(path, old[lost:], new)


def _changed_at(path: str, old: Sequence[bytes], new: Sequence[bytes]) -> Iterator[PatchOperation]:
    """Changes of a list between what is the same at its beginning and at its end."""
    first, most = 0, min(len(old), len(new))
    while first < most and old[first] == new[first]:
        first += 1
    last = 0
    while last < most - first and old[-1 - last] == new[-1 - last]:
        last += 1
    ended, ends = len(old) - last, len(new) - last
    common = min(ended, ends)
    for place in range(first, common):
        if old[place] != new[place]:
            here = f"{path}/{place}"
            yield from _shorter(here, new[place], _changed(here, _decode(old[place]), _decode(new[place])))
    for _ in range(common, ended):
        yield PatchOperation("remove", f"{path}/{common}")
    for place in range(common, ends):
        yield PatchOperation("add", f"{path}/{place}", new[place])
