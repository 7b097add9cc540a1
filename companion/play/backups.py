"""Copies of all that is kept: made while people play, checked by opening every table, the older ones thinned out.

A damaged table does not keep the others from a backup: they are written anew, and the backup names what it lacks. The
copy as it was, with whatever is left of the damaged table, is kept beside it.
"""

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
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import msgspec

from companion.play.folder import DAMAGED, FILE, clear_word, copy_to, make_folder, to_look
from companion.play.hall import Hall
from companion.play.heads import Head, Heads
from companion.play.opening import OtherRules
from companion.play.sqlite_journal import SqliteJournal
from companion.play.table import Table
from companion.refusals import AsTyped, Malformed, Missing, Refusal, Storage
from companion.whole_file import sync_all, sync_folder

FOLDER = "backups"
BROUGHT = "brought-"
WISH = "put-back.json"
LARGEST = 1 << 30  # bytes of a backup that is brought from elsewhere
CHOICES = re.compile(r"rig\.toml|calibration\.json|groups\.json|boxes/[a-z0-9_-]+\.toml")
"""What is kept in a data folder beside the tables, and goes with them: the rig, the boxes, who plays together."""
EVERY = 24 * 60 * 60  # seconds between two of them, where there is anything new
STAMP = "%Y-%m-%d-%H%M%S"
NEWEST, DAYS, WEEKS = 3, 7, 5
"""So many of the newest are kept, and the newest of so many days and weeks."""
ROOM = 200 * 1024 * 1024
"""Bytes that stay free on a card: before a backup takes of them, the oldest ones go."""
AHEAD = 60.0  # seconds that a clock may be put back without anybody having been wrong by it
GIVEN_UP = 60 * 60  # seconds after which nobody writes any more at a backup that is not whole
SAVING = ".saving"
"""Ends the name of a folder in which the sound tables of a damaged copy are written anew."""


def back_up(data: Path, to: Path | None = None, *, now: float | None = None) -> tuple[Path, int]:
    """Copy all that is kept in a data folder, also beside the process that writes there, and check the copy.

    :returns: the file, and how many tables are in it; `left_out` tells which are not, as they are damaged.
    :raises Storage: where it cannot be made, or no table can be read.
    """
    folder = to or data / FOLDER
    file = folder / f"{time.strftime(STAMP, time.gmtime(now))}.sqlite"
    half = file.with_suffix(".half")
    before = _heads_in(data)
    journal = SqliteJournal(data, reading=True)
    try:
        try:
            make_folder(folder)
        except OSError as error:
            raise Storage("cli.cannot_write", file=str(folder), reason=error.strerror or str(error)) from None
        with clear_word(folder):
            _make_room(folder, (data / FILE).stat().st_size, now)
            journal.copy(half)
    except Storage:
        with suppress(OSError):
            half.unlink(missing_ok=True)
        raise
    finally:
        journal.close()
    after = _heads_in(data)  # a table that was deleted meanwhile is not missed
    heads = {table: head for table, head in before.items() if table in after}
    with clear_word(folder):
        try:
            count = checked(half, heads)
        except Storage:
            for old in folder.glob("*.damaged"):
                old.unlink()
            damaged = half.rename(file.with_suffix(".damaged"))
            count = copy_sound(damaged, half, heads)
        half.rename(file)
        sync_folder(folder)
        files = made(folder, now)
        for old in superfluous(files):
            if old != _newest_whole(files):
                old.unlink()
    return file, count


def _heads_in(data: Path) -> dict[str, Head]:
    with closing(Heads(data, reading=True)) as heads:
        return heads.known


def left_out(file: Path) -> tuple[str, ...]:
    """The tables that a backup lacks because they were damaged when it was made."""
    with suppress(*DAMAGED), closing(to_look(file)) as db:
        return tuple(row[0] for row in db.execute("SELECT table_id FROM left_out ORDER BY table_id"))
    return ()


def _newest_whole(files: Sequence[Path]) -> Path | None:
    """The newest of some backups, the oldest first, that lacks no table."""
    return next((file for file in reversed(files) if not left_out(file)), None)


def _make_room(folder: Path, size: int, now: float | None = None) -> None:
    """Clear away what a pulled plug has left, and on a nearly full card the oldest backups; the newest one stays.

    :raises Storage: where there is no room for one more even so
    """
    for left in folder.glob("*.half"):
        if time.time() - left.stat().st_mtime > GIVEN_UP:
            left.unlink()
    for saving in folder.glob(f"*{SAVING}"):
        shutil.rmtree(saving, ignore_errors=True)
    files = made(folder, now)
    for old in files[:-1]:
        if shutil.disk_usage(folder).free >= size + ROOM:
            break
        if old != _newest_whole(files):
            old.unlink()
    if shutil.disk_usage(folder).free < size:
        raise Storage("cli.cannot_write", file=str(folder), reason=os.strerror(errno.ENOSPC))


def made(folder: Path, now: float | None = None) -> list[Path]:
    """The backups of a folder, the oldest first; one from when the clock was ahead counts as older than all others."""
    today = time.strftime(STAMP, time.gmtime(now))
    found = []
    for file in folder.glob("*.sqlite"):
        with suppress(ValueError):
            time.strptime(file.stem, STAMP)
            found.append(file)
    return sorted(found, key=lambda file: (file.stem <= today, file.stem))


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
        kept |= set([*newest.values()][-most:])
    return [file for file in files if file not in kept]


def checked(file: Path, heads: Mapping[str, Head] | None = None) -> int:
    """How many tables are in a backup, each of them opened.

    :param heads: how far each of its tables had come at least.
    :raises Storage: where anything in it is damaged.
    """
    with _hall_of(file, heads or {}) as hall:
        return sum(1 for _ in opened_all(hall, file))


@contextmanager
def _hall_of(file: Path, heads: Mapping[str, Head]) -> Iterator[Hall]:
    """The tables in a file, to look at."""
    if not file.is_file():
        raise Missing("core.no_backup", file=AsTyped(file))
    with tempfile.TemporaryDirectory() as place:
        (Path(place) / FILE).symlink_to(file.resolve())
        with closing(Heads(Path(place))) as known:
            for table, head in heads.items():
                known.note(table, head)
        with closing(Hall(Path(place), reading=True)) as hall:
            yield hall


def copy_sound(damaged: Path, to: Path, heads: Mapping[str, Head] | None = None) -> int:
    """Write the sound tables of a damaged copy to another, and which are left out. It is on disk, but for its name.

    :param heads: how far each table had come at least.
    :returns: how many tables are in it.
    :raises Storage: where none can be read.
    """
    place = to.with_suffix(SAVING)
    shutil.rmtree(place, ignore_errors=True)
    try:
        with _hall_of(damaged, heads or {}) as hall:
            lost = _damaged_in(hall)
            hall.save(place, leave_out=lost)
        with closing(sqlite3.connect(place / FILE)) as db:
            db.execute("CREATE TABLE left_out (table_id TEXT PRIMARY KEY, reason TEXT NOT NULL) WITHOUT ROWID")
            db.executemany("INSERT INTO left_out VALUES (?, ?)", lost.items())
            db.commit()
            copy_to(db, to)
        count = checked(to)
        if not count:
            raise Storage("core.backup_damaged", file=AsTyped(damaged), reason=" ".join(lost.values()))
        return count
    except BaseException:
        to.unlink(missing_ok=True)
        raise
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _damaged_in(hall: Hall) -> dict[str, str]:
    """The tables of a hall that cannot be opened, and why."""
    tables = hall.tables()
    found = dict(hall.journal.damaged)
    for each in tables:
        try:
            hall.table(each.table)
        except (OtherRules, Missing):
            continue
        except Refusal as refused:
            found[each.table] = str(refused)
    return found


def opened_all(hall: Hall, file: Path) -> Iterator[Table | None]:
    """Each table of a backup; None for one of a game or a version that is not here: it is whole all the same.

    :raises Storage: where anything in it is damaged.
    """
    try:
        hall.journal.sound()
        tables = hall.tables()
        for name, why in hall.journal.damaged.items():
            raise Storage("core.table_damaged", table=name).because(ValueError(why))
        for each in tables:
            try:
                table = hall.table(each.table)
            except (OtherRules, Missing):
                yield None
            else:
                yield table
    except Refusal as wrong:
        raise Storage("core.backup_damaged", file=AsTyped(file)).because(wrong) from wrong


def is_due(data: Path, now: float | None = None) -> bool:
    """Whether there is anything that no backup of the last day holds, nor a copy that showed damage.

    What was made while the clock was ahead says nothing of that: by it none would be due for years.
    """
    now = time.time() if now is None else now
    tried = [*made(data / FOLDER), *(data / FOLDER).glob("*.damaged")]
    times = (file.stat().st_mtime for file in tried)
    newest = max((at for at in times if at <= now + AHEAD), default=0.0)
    changed = max((file.stat().st_mtime for file in data.glob(f"{FILE}*") if not file.name.endswith("-shm")), default=0)
    return changed > newest and now - newest > EVERY


class SavedBackup(msgspec.Struct, frozen=True):
    """A backup as its owner chooses one: when it was made, how large it is, and whether it came from elsewhere.

    :ivar left_out: the tables it lacks because they were damaged when it was made
    """

    name: str
    at: int
    size: int
    brought: bool
    left_out: tuple[str, ...] = ()


def list_backups(data: Path) -> list[SavedBackup]:
    """All backups there are, the newest first."""
    own = [(file.stem, file, False) for file in made(data / FOLDER)]
    elsewhere = [(each.name, each / FILE, True) for each in _brought(data)]
    return [
        SavedBackup(
            name,
            calendar.timegm(time.strptime(name.removeprefix(BROUGHT), STAMP)) * 1000,
            file.stat().st_size,
            came,
            left_out(file),
        )
        for name, file, came in sorted([*own, *elsewhere], key=lambda each: each[0].removeprefix(BROUGHT), reverse=True)
    ]


def named(data: Path, name: str) -> Path:
    """The file of a backup.

    :raises Missing: where there is none of that name.
    """
    if all(each.name != name for each in list_backups(data)):
        raise Missing("core.no_backup", file=AsTyped(name))
    return data / FOLDER / (f"{name}/{FILE}" if name.startswith(BROUGHT) else f"{name}.sqlite")


def bring(data: Path, at: int, piece: bytes) -> int:
    """Add a piece to a file that is brought from elsewhere; the first piece begins anew. How much of it is here.

    :raises Malformed: where the piece does not follow what is here.
    """
    coming = data / FOLDER / f"{BROUGHT}half"
    try:
        make_folder(coming.parent)
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

    :returns: how many tables are in it; those that are damaged are left out.
    :raises Storage: where no table in it can be read, or it is no backup; then it is thrown away.
    """
    coming = data / FOLDER / f"{BROUGHT}half"
    if not coming.is_file():
        raise Missing("core.no_backup", file=AsTyped(coming.name))
    half, there = coming.with_suffix(".folder"), data / FOLDER / f"{BROUGHT}{time.strftime(STAMP, time.gmtime(now))}"
    shutil.rmtree(half, ignore_errors=True)
    try:
        half.mkdir(mode=0o700)
        _unpack(coming, half)
        count = _sound(half / FILE)
        sync_all(half)
        half.rename(there)
        sync_folder(data / FOLDER)
    except OSError as error:
        raise Storage("core.backup_damaged", file=AsTyped(coming.name), reason=error.strerror or str(error)) from None
    except Refusal:
        raise Storage("core.no_such_backup") from None
    finally:
        with suppress(OSError):
            coming.unlink(missing_ok=True)
        shutil.rmtree(half, ignore_errors=True)
    for old in _brought(data):
        if old != there:  # not by their names: the clock may have been ahead once
            shutil.rmtree(old, ignore_errors=True)
    return count


def _sound(file: Path) -> int:
    """How many tables are in a file, of which what is damaged is left out."""
    try:
        return checked(file)
    except Storage:
        damaged = file.rename(file.with_suffix(".damaged"))
        count = copy_sound(damaged, file)
        damaged.unlink()
        return count


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


def _for_us_alone(file: str, flags: int) -> int:
    return os.open(file, flags, 0o600)
