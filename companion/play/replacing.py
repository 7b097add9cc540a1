"""Puts another file in the place of the one that tables are kept in: all of it or nothing, whatever is cut off when.

What comes lies ready beside it, whole and on disk, before a marker says that it is to be put in place; until then
nothing is changed. Whoever opens the folder next to write there obeys the marker first, from wherever it was cut off.
"""

from __future__ import annotations

import logging
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import msgspec

from companion.play.folder import DAMAGED, FILE, clear_word, make_folder
from companion.play.heads import NAME as HEADS
from companion.whole_file import marked_lines, read_marked, sync_folder, write_whole

log = logging.getLogger(__name__)

MARKER = "replacing.json"
COMING = ".coming"
"""Ends the names of the files that are to be put in place."""
HALF = ".half"
"""Ends the name of a folder that is only kept once something was put in place."""
BUILT = "coming"
"""The folder in which what comes may be made."""
LOGS = ("-wal", "-shm")


class Replacing(msgspec.Struct, frozen=True):
    """What is to be done once the tables are in place.

    :ivar aside: the folder for what was there before, within the data folder
    :ivar files: other files that go with them: each, and from where it is taken, within the data folder
    :ivar notes: what is written down then, by the file
    """

    aside: str | None = None
    files: dict[str, str] = {}
    notes: dict[str, str] = {}


def replace(data: Path, replacing: Replacing) -> None:
    """Put what lies ready in place, `digside.sqlite.coming` and what belongs to it, whose content is on disk.

    Called by whoever holds the folder.
    """
    with clear_word(data):
        sync_folder(data)  # their names, too: a marker beside tables without their heads would leave them older ones
    write_whole(data / MARKER, marked_lines(msgspec.json.encode(replacing)))
    go_on(data)


def go_on(data: Path) -> None:
    """Finish what was begun in a folder, and clear away what was not. Called by whoever holds the folder."""
    with clear_word(data):
        if not (data / MARKER).exists():
            _clear_away(data)
            return
        replacing = _read(data / MARKER)
        if (data / f"{FILE}{COMING}").exists():
            _put_in_place(data)
        asides = [data / replacing.aside] if replacing.aside else [*_asides(data)]
        for aside in asides:
            if (half := aside.with_name(f"{aside.name}{HALF}")).exists():
                half.rename(aside)
                sync_folder(half.parent)
        for name, source in replacing.files.items():
            _put_beside(data / name, data / source, data / replacing.aside / name if replacing.aside else None)
        for name, note in replacing.notes.items():
            write_whole(data / name, note.encode())
        (data / MARKER).unlink()
        sync_folder(data)  # else a marker that is there again would be obeyed once more


def _clear_away(data: Path) -> None:
    for half in (data / f"{FILE}{COMING}", data / f"{HEADS}{COMING}"):
        half.unlink(missing_ok=True)
    for folder in (*data.glob(f"*/replaced-*{HALF}"), data / BUILT):
        shutil.rmtree(folder, ignore_errors=True)


def _asides(data: Path) -> Iterator[Path]:
    """Where what was there before is to be called so, as far as that is not told."""
    for half in data.glob(f"*/replaced-*{HALF}"):
        yield half.with_name(half.name.removesuffix(HALF))


def _read(marker: Path) -> Replacing:
    written = marker.read_bytes()
    try:
        is_marked = b"\n" in written  # else it is of an older version
        return msgspec.json.decode(read_marked(written) if is_marked else written, type=Replacing)
    except ValueError as damaged:  # that it is there says the most of it
        log.error("%s is damaged: what goes with the tables is left out: %s", marker, damaged)
        return Replacing()


def _put_in_place(data: Path) -> None:
    for end in LOGS:  # they belong to the file that goes: another would be read as if they were its own
        (data / f"{FILE}{end}").unlink(missing_ok=True)
    with suppress(FileNotFoundError):  # those that are there tell of steps that are not in what comes
        (data / f"{HEADS}{COMING}").replace(data / HEADS)
    sync_folder(data)
    (data / f"{FILE}{COMING}").replace(data / FILE)
    sync_folder(data)


def _put_beside(file: Path, source: Path, aside: Path | None) -> None:
    if file.exists() and aside is not None and not aside.exists():
        make_folder(aside.parent)
        write_whole(aside, file.read_bytes())
    with suppress(FileNotFoundError):
        content = source.read_bytes()
        make_folder(file.parent)
        write_whole(file, content)


def set_by(data: Path, aside: str) -> bool:
    """Keep what is in a folder in another within it, on disk; whether there was anything.

    It is called so only once something else was put in its place: until then its name says that it is a half.
    """
    if not (data / FILE).exists():
        return False
    with suppress(*DAMAGED), closing(sqlite3.connect(data / FILE)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # then all that was acknowledged is in the file alone
    half = data / f"{aside}{HALF}"
    shutil.rmtree(half, ignore_errors=True)
    make_folder(half.parent)
    half.mkdir()
    _link(data / FILE, half / FILE)
    for name in (f"{FILE}-wal", HEADS):
        if (data / name).exists():
            write_whole(half / name, (data / name).read_bytes())
    sync_folder(half)
    sync_folder(half.parent)  # else it would be gone once the marker is obeyed
    return True


def _link(file: Path, other: Path) -> None:
    """The same file by another name, or a copy of it where a disk knows no such thing."""
    try:
        os.link(file, other)
    except OSError:
        with file.open("rb") as source, other.open("xb") as copy:
            shutil.copyfileobj(source, copy)
            copy.flush()
            os.fsync(copy.fileno())
