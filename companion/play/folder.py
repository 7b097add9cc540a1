"""The files of a data folder: held by one process, copied whole, and what a disk's refusal means."""

from __future__ import annotations

import errno
import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import IO
from urllib.parse import quote

from companion.refusals import Storage
from companion.whole_file import sync_folder

FILE = "digside.sqlite"
CLOSED, OPEN = 0x44696773, 0x44696F70
"""What the file itself says of whether somebody writes."""
MEANING = {
    errno.ENOSPC: "core.disk_full",
    errno.EDQUOT: "core.disk_full",
    errno.EACCES: "core.folder_read_only",
    errno.EPERM: "core.folder_read_only",
    errno.EROFS: "core.folder_read_only",
    errno.EEXIST: "core.no_folder",
    errno.ENOTDIR: "core.no_folder",
}
"""What a disk's refusal means, where it is known."""
DAMAGED = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What comes of a damaged file; the second where damage is in the very words in which SQLite says so."""


def make_folder(folder: Path) -> None:
    """Make a data folder, if it is not there, so that it is still there after a power cut.

    :raises Storage: where no folder can be made, as among those of the kernel.
    """
    if not folder.exists():
        make_folder(folder.parent)
        try:
            folder.mkdir(exist_ok=True)
        except FileNotFoundError:
            raise Storage("core.no_folder_made", folder=str(folder)) from None
        sync_folder(folder.parent)


def hold(folder: Path) -> IO[str]:
    """Take a data folder for this process; a second process is refused, and told which one has it."""
    held = (folder / "digside.lock").open("a+", encoding="ascii")
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        held.seek(0)
        owner = held.read().strip() or "?"
        held.close()
        raise Storage("core.folder_in_use", folder=str(folder), process=owner) from None
    with suppress(OSError):  # a full disk: it is held all the same, and nobody is told by whom
        os.ftruncate(held.fileno(), 0)
        os.write(held.fileno(), str(os.getpid()).encode())
    return held


def copied(file: Path, copy: Path) -> None:
    """Copy a journal's file with all that its log holds, whoever writes it meanwhile; it needs no log beside it.

    The copy is on disk when this returns, but for its name: that is up to whoever renames it, or syncs its folder.
    """
    copy.unlink(missing_ok=True)
    with closing(to_look(file)) as db:
        copy_to(db, copy)


def copy_to(db: sqlite3.Connection, file: Path) -> None:
    """All that a connection sees, as a file of its own; nobody else can read it. It is on disk, but for its name."""
    written = os.open(file, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with closing(sqlite3.connect(file)) as copy:
            copy.execute("PRAGMA synchronous=OFF")  # it is synced once, below
            db.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")
            copy.execute(f"PRAGMA application_id={CLOSED}")
        os.fsync(written)
    finally:
        os.close(written)


def to_look(file: Path) -> sqlite3.Connection:
    """A connection that only looks, and reads on where a text is damaged: its row shows that by its mark."""
    db = sqlite3.connect(f"file:{quote(str(file))}?mode=ro", uri=True, check_same_thread=False)
    db.text_factory = lambda raw: raw.decode(errors="replace")
    return db


def which(file: str) -> tuple[int, int]:
    """Which file is there, whatever it is called."""
    try:
        found = os.stat(file)
    except OSError:
        return 0, 0
    return found.st_dev, found.st_ino


@contextmanager
def clear_word(folder: Path) -> Iterator[None]:
    """Says what a disk's refusal means for the people at the table."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise Storage(_meaning(str(error)), folder=str(folder), reason=str(error)) from error
    except DAMAGED as error:
        if isinstance(error, sqlite3.IntegrityError):
            raise
        raise Storage("core.data_damaged", folder=str(folder), reason=str(error)) from error
    except OSError as error:
        key = MEANING.get(error.errno or 0, "core.disk")
        raise Storage(key, folder=str(folder), reason=error.strerror or str(error)) from error


def _meaning(said: str) -> str:
    if "full" in said:
        return "core.disk_full"
    if "readonly" in said or "read-only" in said or "unable to open" in said:
        return "core.folder_read_only"
    return "core.disk"
