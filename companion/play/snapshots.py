"""Snapshots of long tables: with one, a table is opened from its newest entries, however many came before.

A snapshot is a cache and nothing else. It lies in a file of its own, is bound to the table by its secret and to the
chain by a link, and holds only for the very program that wrote it; one that does not fit is dropped.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from companion import games
from companion.game import State
from companion.play.position import Made, Past, Position, Rules, Trail
from companion.play.sitting import is_by_itself
from companion.play.state_codec import Unpackable, pack, unpack

FOLDER = "snapshots"
MARK = b"digside snapshot 1\0"
MOST_NODES = 64
Find = Callable[[int], Position]
SOURCES = Path(__file__).parents[1]


class Node(msgspec.Struct, frozen=True):
    """An entry on the way to a position: its number, and that of the position before it."""

    seq: int
    entry: Made
    before: int


class KeptPosition(msgspec.Struct, frozen=True):
    """A position, and the way to it back to the last thing that a person did."""

    state: State
    draws: int
    nodes: tuple[Node, ...]


class Snapshot(msgspec.Struct, frozen=True):
    """A table as it was after entry `base`.

    :ivar link: of that entry.
    :ivar counts: how many of the entries up to it are of each kind.
    :ivar positions: that position, and those that later entries lead back to, by the number of an entry.
    :ivar redos: where to go forward to again, nearest first.
    :ivar played: the newest entry up to it that is not quiet.
    :ivar carried: what else a history holds, by name.
    """

    base: int
    link: bytes | None
    counts: dict[str, int]
    positions: dict[int, KeptPosition]
    redos: tuple[int, ...]
    played: int
    carried: dict[str, Any]


def kept_position(position: Position) -> KeptPosition:
    """A position as a snapshot keeps it."""
    nodes = list[Node]()
    trail = position.trail
    while trail is not None and len(nodes) < MOST_NODES:
        entry = trail.entry
        nodes.append(Node(trail.seq, entry, trail.before.seq))
        if not is_by_itself(entry):
            break
        trail = trail.before.trail
    return KeptPosition(position.state, position.draws, tuple(nodes))


def restored_position(kept: KeptPosition, rules: Rules, find: Find) -> Position:
    """A position as it was kept; `find` finds any before those at hand by its number."""
    return Position(rules, kept.state, kept.draws, _trail_of(kept.nodes, find))


def cut_off(position: Position, find: Find) -> None:
    """Have a position hold none of those before it."""
    position.cut_off(_trail_of(kept_position(position).nodes, find))


def _trail_of(nodes: Sequence[Node], find: Find) -> Trail | None:
    def past(seq: int, trail: Trail | None = None) -> Past:
        return Past(seq, lambda: find(seq), trail)

    trail: Trail | None = None
    for node in reversed(nodes):
        trail = Trail(node.seq, node.entry, past(node.before, trail))
    return trail


class Snapshots:
    """The snapshots of a data folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / FOLDER

    def read(self, table: str, secret: bytes) -> Snapshot | None:
        """The snapshot of a table, if there is one that this program wrote and that is whole."""
        with suppress(OSError, Unpackable):
            written = self._file(table).read_bytes()
            mark, body = written[:32], written[32:]
            if hmac.compare_digest(mark, _mark(table, secret, body)):
                found = unpack(body)
                return found if isinstance(found, Snapshot) else None
        return None

    def write(self, table: str, secret: bytes, snapshot: Snapshot) -> None:
        """Keep a snapshot in the place of an older one; where that cannot be, there is none."""
        file = self._file(table)
        half = file.with_suffix(".part")
        try:
            body = pack(snapshot)
            self._folder.mkdir(mode=0o700, exist_ok=True)
            with open(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out:
                out.write(_mark(table, secret, body) + body)
            half.replace(file)
        except (OSError, Unpackable, RecursionError):  # the disk is full, or the table is of a kind that is not kept
            self.drop(table)

    def drop(self, table: str) -> None:
        """There is none any more."""
        for file in (self._file(table), self._file(table).with_suffix(".part")):
            with suppress(OSError):
                file.unlink()

    def _file(self, table: str) -> Path:
        return self._folder / f"{hashlib.sha256(table.encode()).hexdigest()[:32]}.snapshot"


def _mark(table: str, secret: bytes, body: bytes) -> bytes:
    return hmac.digest(secret, b"\0".join((MARK + _program(), table.encode(), body)), "sha256")


@cache
def _program() -> bytes:
    """What tells this program from another version of it: all that says how games are played."""
    digest = hashlib.sha256()
    folders = [SOURCES, *(folder for name in games.names() if SOURCES not in (folder := games.folder(name)).parents)]
    for file in (file for folder in folders for file in sorted(folder.rglob("*.py"))):
        with suppress(OSError):
            digest.update(f"{file}\0".encode() + file.read_bytes())
    return digest.digest()
