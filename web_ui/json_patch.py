"""What has changed between two views, as a JSON Patch (RFC 6902).

Both are canonical JSON, so that what is the same has the same text: a value is only taken apart where its text differs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from companion.play.view import Fields, ViewParts, pointer

LOG = "/log"
LIKELY = 2  # elements that are there once more: then what stood before them is taken to be gone

_encode = msgspec.json.encode
_members = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_elements = msgspec.json.Decoder(list[msgspec.Raw]).decode


def patch(before: ViewParts, after: ViewParts) -> bytes:
    """What makes one view of another.

    >>> from companion.play.view import SharedParts
    >>> dug = b'{"seq":4,"what":{"type":"dig","site":"crete","weeks":3}}'
    >>> there = SharedParts(4, {"seq": 4}, {"track": [1, 2], "hand": ["ax"]})
    >>> here = SharedParts(5, {"seq": 5}, {"track": [1, 3]})
    >>> one, other = ViewParts(there, {"/you": b"1"}, (b'{"seq":3}', dug)), ViewParts(here, {}, (dug, b'{"seq":5}'))
    >>> for operation in msgspec.json.decode(patch(one, other)):
    ...     print(*operation.values())
    remove /board/hand
    replace /board/track/1 3
    replace /seq 5
    remove /you
    remove /log/0
    add /log/1 {'seq': 5}
    """
    operations = [*after.shared.since(before.shared, _operations), *_operations(before.own, after.own)]
    if before.log != after.log:
        whole = b"[%b]" % b",".join(after.log)
        operations += _shorter(LOG, whole, list(_list_changed(LOG, before.log, after.log)))
    return b"[%b]" % b",".join(operations)


def _operation(kind: bytes, path: str, value: bytes | None = None) -> bytes:
    """One change; `value` is JSON, and is missing where something is removed."""
    if value is None:
        return b'{"op":"%b","path":%b}' % (kind, _encode(path))
    return b'{"op":"%b","path":%b,"value":%b}' % (kind, _encode(path), value)


def _operations(before: Fields, after: Fields) -> Iterator[bytes]:
    """What makes the fields of one view those of another."""
    for path in before.keys() - after.keys():
        yield _operation(b"remove", path)
    for path in sorted(after):
        old, new = before.get(path), after[path]
        if old is None:
            yield _operation(b"add", path, new)
        elif old != new:
            yield from _changed(path, old, new)


def _shorter(path: str, new: bytes, operations: list[bytes]) -> list[bytes]:
    """These operations, or the new value as a whole where that takes no more bytes."""
    whole = _operation(b"replace", path, new)
    return operations if sum(map(len, operations)) < len(whole) else [whole]


def _changed(path: str, old: bytes, new: bytes) -> list[bytes]:
    """What makes one value of another, whose text differs."""
    if old[:1] == new[:1] == b"{":
        return _shorter(path, new, list(_members_changed(path, old, new)))
    if old[:1] == new[:1] == b"[":
        there, here = ([bytes(each) for each in _elements(text)] for text in (old, new))
        return _shorter(path, new, list(_list_changed(path, there, here)))
    return [_operation(b"replace", path, new)]


def _members_changed(path: str, old: bytes, new: bytes) -> Iterator[bytes]:
    there, here = _members(old), _members(new)
    for key in there.keys() - here.keys():
        yield _operation(b"remove", path + pointer(key))
    for key, value in here.items():
        if key not in there:
            yield _operation(b"add", path + pointer(key), bytes(value))
        elif there[key] != value:
            yield from _changed(path + pointer(key), bytes(there[key]), bytes(value))


def _list_changed(path: str, old: Sequence[bytes], new: Sequence[bytes]) -> Iterator[bytes]:
    """Changes of a list: it may have lost some at its beginning, and has changed in one place."""
    lost = old.index(new[0]) if new and new[0] in old else 0
    if old[lost : lost + LIKELY] != new[: min(LIKELY, len(old) - lost)]:
        lost = 0
    yield from [_operation(b"remove", f"{path}/0")] * lost
    yield from _changed_at(path, old[lost:], new)


def _changed_at(path: str, old: Sequence[bytes], new: Sequence[bytes]) -> Iterator[bytes]:
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
            yield from _changed(f"{path}/{place}", old[place], new[place])
    for _ in range(common, ended):
        yield _operation(b"remove", f"{path}/{common}")
    for place in range(common, ends):
        yield _operation(b"add", f"{path}/{place}", new[place])
