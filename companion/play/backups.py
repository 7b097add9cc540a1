"""Copies of all that is kept: made while people play, checked by opening every table, the older ones thinned out."""

from __future__ import annotations

import calendar
import errno
import os
import re
import shutil
import sqlite3
import tempfile
import time
import zipfile
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path

import msgspec

from companion.play.folder import FILE, copy_to, hold
from companion.play.hall import Hall
from companion.play.heads import NAME as HEADS
from companion.play.heads import Head, Heads
from companion.play.opening import OtherRules
from companion.play.sqlite_journal import SqliteJournal
from companion.refusals import AsTyped, Malformed, Missing, Refusal, Storage

FOLDER = "backups"
BROUGHT = "brought-"
WISH = "put-back.json"
LARGEST = 1 << 30  # bytes of a backup that is brought from elsewhere
CHOICES = re.compile(r"rig\.toml|calibration\.json|boxes/[a-z0-9_-]+\.toml")
"""What is kept in a data folder beside the tables, and goes with them."""
EVERY = 24 * 60 * 60  # seconds between two of them, where there is anything new
STAMP = "%Y-%m-%d-%H%M%S"
NEWEST, DAYS, WEEKS = 3, 7, 5
"""So many of the newest are kept, and the newest of so many days and weeks."""
ROOM = 200 * 1024 * 1024
"""Bytes that stay free on a card: before a backup takes of them, the oldest ones go."""
GIVEN_UP = 60 * 60  # seconds after which nobody writes any more at a backup that is not whole


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
        _make_room(folder, (data / FILE).stat().st_size)
        try:
            journal.copy(half)
        except Storage:
            half.unlink(missing_ok=True)
            raise
    finally:
        journal.close()
    try:
        count = checked(half)
    except Storage:
        for old in folder.glob("*.damaged"):
            old.unlink()
        half.rename(file.with_suffix(".damaged"))
        raise
    half.rename(file)
    for old in superfluous(made(folder)):
        old.unlink()
    return file, count


def _make_room(folder: Path, size: int) -> None:
    """Clear away what a pulled plug has left, and on a nearly full card the oldest backups; the newest one stays.

    :raises Storage: where there is no room for one more even so
    """
    for left in folder.glob("*.half"):
        if time.time() - left.stat().st_mtime > GIVEN_UP:
            left.unlink()
    for old in made(folder)[:-1]:
        if shutil.disk_usage(folder).free >= size + ROOM:
            break
        old.unlink()
    if shutil.disk_usage(folder).free < size:
        raise Storage("cli.cannot_write", file=str(folder), reason=os.strerror(errno.ENOSPC))


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
    """Whether there is anything that no backup of the last day holds, nor a copy that showed damage."""
    tried = [*made(data / FOLDER), *(data / FOLDER).glob("*.damaged")]
    newest = max((file.stat().st_mtime for file in tried), default=0.0)
    changed = max((file.stat().st_mtime for file in data.glob(f"{FILE}*") if not file.name.endswith("-shm")), default=0)
    return changed > newest and (time.time() if now is None else now) - newest > EVERY


class Kept(msgspec.Struct, frozen=True):
    """A backup as its owner chooses one: when it was made, how large it is, and whether it came from elsewhere."""

    name: str
    at: int
    size: int
    brought: bool


class PutBack(msgspec.Struct, frozen=True):
    """Which backup is to be put back at the next start; after that, how many tables came with it, or why none."""

    name: str
    at: int = 0
    tables: int | None = None
    reason: str = ""


def kept(data: Path) -> list[Kept]:
    """All backups there are, the newest first."""
    own = [(file.stem, file, False) for file in made(data / FOLDER)]
    elsewhere = [(each.name, each / FILE, True) for each in _brought(data)]
    return [
        Kept(name, calendar.timegm(time.strptime(name.removeprefix(BROUGHT), STAMP)) * 1000, file.stat().st_size, came)
        for name, file, came in sorted([*own, *elsewhere], key=lambda each: each[0].removeprefix(BROUGHT), reverse=True)
    ]


def named(data: Path, name: str) -> Path:
    """The file of a backup.

    :raises Missing: where there is none of that name.
    """
    if all(each.name != name for each in kept(data)):
        raise Missing("core.no_backup", file=AsTyped(name))
    return data / FOLDER / (f"{name}/{FILE}" if name.startswith(BROUGHT) else f"{name}.sqlite")


def bring(data: Path, at: int, piece: bytes) -> int:
    """Add a piece to a file that is brought from elsewhere; the first piece begins anew. How much of it is here.

    :raises Malformed: where the piece does not follow what is here.
    """
    coming = data / FOLDER / f"{BROUGHT}half"
    try:
        coming.parent.mkdir(parents=True, exist_ok=True)
        with open(coming, "r+b" if at and coming.exists() else "wb", opener=_for_us_alone) as file:
            here = file.seek(0, os.SEEK_END)
            if at != here:
                raise Malformed("core.bad_piece", n=here)
            if here + len(piece) > LARGEST or len(piece) > shutil.disk_usage(data).free // 2:
                raise Storage("core.disk_full")
            file.write(piece)
            return here + len(piece)
    except OSError as error:
        raise Storage("cli.cannot_write", file=AsTyped(coming), reason=error.strerror or str(error)) from None


def take_in(data: Path, *, now: float | None = None) -> int:
    """Make a backup of the file that was brought: a file of tables, or one packed with the choices of a machine.

    :returns: how many tables are in it.
    :raises Storage: where it is damaged, or no backup; then it is thrown away.
    """
    coming = data / FOLDER / f"{BROUGHT}half"
    if not coming.is_file():
        raise Missing("core.no_backup", file=AsTyped(coming.name))
    half = coming.with_suffix(".folder")
    shutil.rmtree(half, ignore_errors=True)
    half.mkdir(mode=0o700)
    try:
        _unpack(coming, half)
        count = checked(half / FILE)
        half.rename(data / FOLDER / f"{BROUGHT}{time.strftime(STAMP, time.gmtime(now))}")
    except OSError as error:
        raise Storage("core.backup_damaged", file=AsTyped(coming.name), reason=error.strerror or str(error)) from None
    except Refusal:
        raise Storage("core.no_such_backup") from None
    finally:
        coming.unlink(missing_ok=True)
        shutil.rmtree(half, ignore_errors=True)
    for old in _brought(data)[:-1]:
        shutil.rmtree(old)
    return count


def wish_back(data: Path, name: str) -> None:
    """Have a backup put back when this data folder is opened next. It is looked at before."""
    checked(named(data, name))
    _note(data, PutBack(name))


def wished_back(data: Path) -> PutBack | None:
    """What is to be put back, or was."""
    try:
        return msgspec.json.decode((data / FOLDER / WISH).read_bytes(), type=PutBack)
    except (OSError, ValueError):
        return None


def put_back_as_wished(data: Path) -> None:
    """Put back what was wished for, and note what came of it; where it cannot be, all stays as it was."""
    wish = wished_back(data)
    if wish is None or wish.at:
        return
    now = time.time_ns() // 1_000_000
    try:
        file = named(data, wish.name)
        aside, count = restore(file, data)
        if wish.name.startswith(BROUGHT):
            _choose(file.parent, data, aside or data / FOLDER)
        _note(data, PutBack(wish.name, now, count))
    except Refusal as wrong:
        if wrong.key == "core.folder_in_use":
            raise  # it is another's to do
        _note(data, PutBack(wish.name, now, reason=str(wrong)))


def _choose(brought: Path, data: Path, aside: Path) -> None:
    """The choices of another machine in the place of those here, which are kept."""
    for file in sorted(each for each in brought.rglob("*") if each.is_file() and each.name != FILE):
        here = data / file.relative_to(brought)
        if here.exists():
            (aside / file.relative_to(brought)).parent.mkdir(parents=True, exist_ok=True)
            shutil.move(here, aside / file.relative_to(brought))
        here.parent.mkdir(exist_ok=True)
        shutil.copy(file, here)


def _brought(data: Path) -> list[Path]:
    """The backups that came from elsewhere, the oldest first."""
    return sorted(file.parent for file in (data / FOLDER).glob(f"{BROUGHT}*-*/{FILE}"))


def _unpack(coming: Path, into: Path) -> None:
    if not zipfile.is_zipfile(coming):
        shutil.copy(coming, into / FILE)
        return
    left = LARGEST
    with zipfile.ZipFile(coming) as packed:
        for each in packed.infolist():
            if each.filename != FILE and not CHOICES.fullmatch(each.filename):
                continue
            (into / each.filename).parent.mkdir(exist_ok=True)
            with packed.open(each) as source, (into / each.filename).open("xb") as file:
                while part := source.read(1 << 20):
                    left -= len(part)
                    if left < 0:
                        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
                    file.write(part)


def _note(data: Path, wish: PutBack) -> None:
    note = data / FOLDER / WISH
    try:
        note.parent.mkdir(parents=True, exist_ok=True)
        half = note.with_suffix(".new")
        half.write_bytes(msgspec.json.encode(wish))
        half.replace(note)
    except OSError as error:
        raise Storage("cli.cannot_write", file=AsTyped(note), reason=error.strerror or str(error)) from None


def _for_us_alone(file: str, flags: int) -> int:
    return os.open(file, flags, 0o600)


def _tell_heads(data: Path) -> None:
    """Begin to tell the heads of what was put back."""
    heads = Heads(data)
    with closing(sqlite3.connect(data / FILE)) as db:
        newest = "SELECT table_id, max(seq), link FROM entries GROUP BY table_id"
        for table, seq, link in db.execute(newest):
            heads.note(table, Head(seq, link or bytes(32)))
    heads.close()
