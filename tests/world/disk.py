"""Disks that lose what was not synced: what is written below a folder is followed, and a power cut leaves what it may.

Real files in memory hold what the machine sees. `disk.c`, loaded before everything else, writes down each call that
changes one, and here that is sorted into what is on the disk for certain and what is only on its way: the bytes of a
file until it is synced, a name in a folder until the folder is. A power cut keeps any of what was on its way, in parts
of 512 bytes, or none of it, or all, or all but the bytes of one file or one change of a name.
"""

from __future__ import annotations

import ctypes
import errno
import os
import random
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple, get_args

WRITE, TRUNCATE, SYNC, CREATE, MKDIR, RENAME, LINK, UNLINK, RMDIR = range(1, 10)
RECORD = struct.Struct("<Bqqq")
SECTOR = 512
Survives = Literal["nothing", "all", "the first", "any", "all but one"]
EACH: tuple[Survives, ...] = get_args(Survives)
SURVIVES: tuple[Survives, ...] = ("nothing", "nothing", "all", "the first", "any", "any", "any")
FAILURES = (errno.ENOSPC, errno.EIO, errno.EROFS)
NEVER = 1 << 60


@dataclass
class File:
    """A file: what is on the disk, and what is on its way there, as places and bytes; no bytes for a new length."""

    kept: bytearray = field(default_factory=bytearray)
    coming: list[tuple[int, bytes | None]] = field(default_factory=list)

    def sync(self) -> None:
        """All of it is on the disk now."""
        self.kept = self.after(self.coming)
        self.coming = []

    def after(self, made: list[tuple[int, bytes | None]]) -> bytearray:
        """The content once these have been written."""
        content = bytearray(self.kept)
        for at, written in made:
            if written is None:
                content[at:] = b"" if at <= len(content) else bytes(at - len(content))
                continue
            if at > len(content):
                content += bytes(at - len(content))
            content[at : at + len(written)] = written
        return content


@dataclass
class Folder:
    """A folder: the names in it, those that are on the disk, and what is on its way: a name, and whose it is then."""

    now: dict[str, int] = field(default_factory=dict)
    kept: dict[str, int] = field(default_factory=dict)
    coming: list[tuple[int, str, int | None]] = field(default_factory=list)

    def set(self, change: int, name: str, node: int | None) -> None:
        """Give a name to somebody, or to nobody."""
        self.coming.append((change, name, node))
        _give(self.now, name, node)

    def sync(self) -> None:
        """All its names are on the disk now."""
        self.kept, self.coming = dict(self.now), []


class Harm(NamedTuple):
    """What is done to a disk: the calls from `first` to `last` fail, by half where `torn`; it dies at one, or never."""

    first: int = NEVER
    last: int = NEVER
    error: int = errno.EIO
    torn: bool = False
    dies_at: int = 0

    def __str__(self) -> str:
        """In short."""
        fails = f"fails with {self.error} from {self.first} to {self.last}" if self.first < NEVER else "is well"
        return f"dies at {self.dies_at}" if self.dies_at else fails


class Disks:
    """All disks there are, below one folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._calls = ctypes.CDLL(None)
        self._calls.disk_log.restype = ctypes.c_void_p
        self._calls.disk_calls.restype = ctypes.c_long
        self._calls.disk_watch.argtypes = [
            ctypes.c_char_p,
            ctypes.c_long,
            ctypes.c_long,
            ctypes.c_int,
            ctypes.c_int,
            ctypes.c_long,
        ]
        self._nodes: dict[int, File | Folder] = {0: Folder()}
        self._by_inode: dict[int, int] = {os.stat(root).st_ino: 0}
        self._newest = self._changes = 0
        self._watched: tuple[Path, Harm] | None = None
        self.loses = 0  # which of all that was not synced is lost where all but one is left
        self.unsynced = 0  # how many there were to lose at the last power cut
        self._calls.disk_forget()
        self._calls.disk_revive()
        self._calls.disk_begin(os.fsencode(root))

    def watch(self, machine: Path, harm: Harm) -> None:
        """From now on count the calls of a machine, and do this to them."""
        self._watched = machine, harm
        calls = (harm.first, harm.last, harm.error, int(harm.torn), harm.dies_at)
        self._calls.disk_watch(os.fsencode(machine), *calls)

    def close(self) -> None:
        """Follow nothing any more."""
        self._calls.disk_begin(b"")
        self._calls.disk_revive()
        self._calls.disk_forget()

    def calls(self) -> int:
        """How many calls were made by the machine that is watched."""
        return int(self._calls.disk_calls())

    def has_failed(self, machine: Path) -> bool:
        """Whether a call of this machine has failed since it is watched."""
        return self._watched is not None and self._watched[0] == machine and self.calls() >= self._watched[1].first

    def kill(self, machine: Path) -> None:
        """Nothing that is called there from now on changes anything."""
        self._calls.disk_kill(os.fsencode(machine))

    def is_dead(self, machine: Path) -> bool:
        """Whether it died."""
        return bool(self._calls.disk_is_dead(os.fsencode(machine)))

    def left(self, machine: Path, to: Path, luck: random.Random, survives: Survives) -> None:
        """What a power cut leaves of a machine's folder, as a folder of its own."""
        self.follow()
        keeps = _Keeps(luck, survives, self.loses)
        node = self._find(machine)
        if isinstance(folder := self._nodes[node], Folder):
            self._lay_out(folder, to, keeps)
        self.unsynced = keeps.seen
        self.follow()
        self._settle(self._nodes[self._find(to)])

    def follow(self) -> None:
        """Sort in what was called since the last time."""
        count = ctypes.c_size_t()
        at = self._calls.disk_log(ctypes.byref(count))
        whole = ctypes.string_at(at, count.value) if count.value else b""
        self._calls.disk_forget()
        place = 0
        while place < len(whole):
            op, inode, number, length = RECORD.unpack_from(whole, place)
            place += RECORD.size
            self._note(op, inode, number, whole[place : place + length])
            place += length

    def _note(self, op: int, inode: int, number: int, told: bytes) -> None:
        match op:
            case 1 | 2 | 3 if inode not in self._by_inode:
                return  # of a file that was there before all
            case 1 | 2:
                node = self._nodes[self._by_inode[inode]]
                if isinstance(node, File):
                    node.coming.append((number, told if op == WRITE else None))
            case 3:
                self._nodes[self._by_inode[inode]].sync()
            case 4 | 5:
                self._newest += 1
                self._nodes[self._newest] = File() if op == CREATE else Folder()
                self._by_inode[inode] = self._newest
                self._name(os.fsdecode(told), self._newest)
            case 6 | 7:
                old, new = (os.fsdecode(each) for each in told.split(b"\0"))
                moved = self._find(Path(old))
                if op == RENAME:
                    self._name(old, None)
                    self._changes -= 1  # both are one change
                self._name(new, moved)
            case 8 | 9:
                self._name(os.fsdecode(told), None)

    def _name(self, path: str, node: int | None) -> None:
        self._changes += 1
        parent = self._nodes[self._find(Path(path).parent)]
        if isinstance(parent, Folder):
            parent.set(self._changes, Path(path).name, node)

    def _find(self, path: Path) -> int:
        found = 0
        for part in path.relative_to(self.root).parts:
            folder = self._nodes[found]
            if not isinstance(folder, Folder):
                raise TypeError(f"{path} is in no folder")
            found = folder.now[part]
        return found

    def _lay_out(self, folder: Folder, to: Path, keeps: _Keeps) -> None:
        to.mkdir()
        names = dict(folder.kept)
        for change, name, given in folder.coming:
            if keeps.change(change):
                _give(names, name, given)
        for name, number in names.items():
            node = self._nodes[number]
            if isinstance(node, Folder):
                self._lay_out(node, to / name, keeps)
            else:
                (to / name).write_bytes(node.after([*keeps.written(number, node.coming)]))

    def _settle(self, node: File | Folder) -> None:
        """What a power cut has left is on the disk."""
        node.sync()
        if isinstance(node, Folder):
            for each in node.now.values():
                self._settle(self._nodes[each])


class _Keeps:
    """Which of what was on its way a power cut keeps."""

    def __init__(self, luck: random.Random, survives: Survives, loses: int) -> None:
        self._luck = luck
        self._survives = survives
        self._loses = loses
        self._decided: dict[int, bool] = {}
        self._files: dict[int, bool] = {}
        self.seen = 0
        self._until = luck.randrange(1, 1000) / 1000
        self._last: int | None = None

    def change(self, number: int) -> bool:
        """Whether a name is there that was given, or gone that was taken."""
        if self._survives == "the first":
            if self._last is None:
                self._last = number + self._luck.randrange(-1, 6)
            return number <= self._last
        if number not in self._decided:
            self._decided[number] = self._one()
        return self._decided[number]

    def _one(self) -> bool:
        match self._survives:
            case "nothing":
                return False
            case "all":
                return True
            case "all but one":
                self.seen += 1
                return self.seen != self._loses + 1
            case _:
                return self._luck.random() < self._until

    def written(self, file: int, coming: list[tuple[int, bytes | None]]) -> Iterator[tuple[int, bytes | None]]:
        """The bytes that are there, of those that were written to a file."""
        if self._survives == "all but one":
            if coming and file not in self._files:
                self._files[file] = self._one()
            yield from coming if self._files.get(file) else ()
            return
        if self._survives == "the first":
            coming = coming[: self._luck.randrange(len(coming) + 1)]
        for at, written in coming:
            if self._survives != "any" or written is None or len(written) <= SECTOR:
                if self._survives == "the first" or self._one():
                    yield at, written
                continue
            for part in range(0, len(written), SECTOR):
                if self._one():
                    yield at + part, written[part : part + SECTOR]


def _give(names: dict[str, int], name: str, node: int | None) -> None:
    names.pop(name, None)
    if node is not None:
        names[name] = node
