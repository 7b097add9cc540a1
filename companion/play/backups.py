"""Copies of all that is kept: made while people play, checked by opening every table, the older ones thinned out."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path

from companion.play.folder import FILE, copy_to, hold
from companion.play.hall import Hall
from companion.play.heads import NAME as HEADS
from companion.play.heads import Head, Heads
from companion.play.opening import OtherRules
from companion.play.sqlite_journal import SqliteJournal
from companion.refusals import AsTyped, Missing, Refusal, Storage

FOLDER = "backups"
EVERY = 24 * 60 * 60  # seconds between two of them, where there is anything new
STAMP = "%Y-%m-%d-%H%M%S"
NEWEST, DAYS, WEEKS = 3, 7, 5
"""So many of the newest are kept, and the newest of so many days and weeks."""


def back_up(data: Path, to: Path | None = None, *, now: float | None = None) -> tuple[Path, int]:
    """Copy all that is kept in a data folder, also beside the process that writes there, and check the copy.

    :returns: the file, and how many tables are in it.
    :raises Storage: where it cannot be made, or a table in it cannot be opened; a copy that is not whole is not kept.
    """
    folder = to or data / FOLDER
    journal = SqliteJournal(data, reading=True)
    try:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Storage("cli.cannot_write", file=str(folder), reason=error.strerror or str(error)) from None
        file = folder / f"{time.strftime(STAMP, time.gmtime(now))}.sqlite"
        half = file.with_suffix(".half")
        journal.copy(half)
    finally:
        journal.close()
    try:
        count = checked(half)
    except Storage:
        half.rename(file.with_suffix(".damaged"))
        raise
    half.rename(file)
    for old in superfluous(made(folder)):
        old.unlink()
    return file, count


def made(folder: Path) -> list[Path]:
    """The backups of a folder, the oldest first."""
    found = []
    for file in folder.glob("*.sqlite"):
        with suppress(ValueError):
            time.strptime(file.stem, STAMP)
            found.append(file)
    return sorted(found)


def superfluous(files: Sequence[Path]) -> list[Path]:
    """Those of a set, the oldest first, that need not be kept: newer ones stand for their day and week.

    >>> days = [Path(f"2026-03-{day:02}-{hour:02}0000.sqlite") for day in range(1, 32) for hour in (8, 20)]
    >>> [file.stem for file in days if file not in superfluous(days)]
    ... # doctest: +NORMALIZE_WHITESPACE
    ['2026-03-08-200000', '2026-03-15-200000', '2026-03-22-200000', '2026-03-25-200000', '2026-03-26-200000',
     '2026-03-27-200000', '2026-03-28-200000', '2026-03-29-200000', '2026-03-30-200000', '2026-03-31-080000',
     '2026-03-31-200000']
    """
    kept = set(files[-NEWEST:])
    for form, most in (("%Y-%m-%d", DAYS), ("%G-%V", WEEKS)):
        newest = {time.strftime(form, time.strptime(file.stem, STAMP)): file for file in files}
        kept |= set(sorted(newest.values())[-most:])
    return [file for file in files if file not in kept]


def checked(file: Path) -> int:
    """How many tables are in a backup, each of them opened.

    :raises Storage: where anything in it is damaged.
    """
    if not file.is_file():
        raise Missing("core.no_backup", file=AsTyped(file))
    with tempfile.TemporaryDirectory() as place:
        (Path(place) / FILE).symlink_to(file.resolve())
        hall = Hall(Path(place), reading=True)
        try:
            hall.journal.sound()
            tables = hall.tables()
            for name, why in hall.journal.damaged.items():
                raise Storage("core.table_damaged", table=name).because(ValueError(why))
            for each in tables:
                with suppress(OtherRules, Missing):  # of a game or a version that is not here: it is whole all the same
                    hall.table(each.table)
        except Refusal as wrong:
            raise Storage("core.backup_damaged", file=AsTyped(file)).because(wrong) from wrong
        finally:
            hall.close()
        return len(tables)


def restore(file: Path, data: Path, *, now: float | None = None) -> tuple[Path | None, int]:
    """Put a backup in the place of what a data folder holds now, which is kept beside the backups.

    :returns: where that is now, if there was anything, and how many tables there are.
    :raises Storage: where a process has the folder, or the backup is damaged; then nothing is changed.
    """
    count = checked(file)
    data.mkdir(parents=True, exist_ok=True)
    with hold(data):
        new = data / f"{FILE}.new"
        with closing(sqlite3.connect(f"file:{file.resolve()}?mode=ro", uri=True)) as db:
            copy_to(db, new)
        aside = data / FOLDER / f"replaced-{time.strftime(STAMP, time.gmtime(now))}"
        there = [each for each in (FILE, f"{FILE}-wal", f"{FILE}-shm", HEADS) if (data / each).exists()]
        for each in there:
            aside.mkdir(parents=True, exist_ok=True)
            shutil.move(data / each, aside / each)
        os.replace(new, data / FILE)
        _tell_heads(data)
    return (aside if there else None), count


def is_due(data: Path, now: float | None = None) -> bool:
    """Whether there is anything that no backup of the last day holds."""
    newest = max((file.stat().st_mtime for file in made(data / FOLDER)), default=0.0)
    changed = max((file.stat().st_mtime for file in data.glob(f"{FILE}*") if not file.name.endswith("-shm")), default=0)
    return changed > newest and (time.time() if now is None else now) - newest > EVERY


def _tell_heads(data: Path) -> None:
    """Begin to tell the heads of what was put back."""
    heads = Heads(data)
    with closing(sqlite3.connect(data / FILE)) as db:
        newest = "SELECT table_id, max(seq), link FROM entries GROUP BY table_id"
        for table, seq, link in db.execute(newest):
            heads.note(table, Head(seq, link or bytes(32)))
    heads.close()
