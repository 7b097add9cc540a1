"""A backup comes in the place of what is kept: all of it or nothing, and each table that goes on says so."""

from __future__ import annotations

import logging
import shutil
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import msgspec

from companion.play.backups import BROUGHT, FOLDER, STAMP, checked, named, opened_all
from companion.play.entries import JournalLine, TableLeft, TableRestored
from companion.play.folder import FILE, clear_word, copy_to, hold, make_folder, to_look
from companion.play.hall import Hall
from companion.play.heads import NAME as HEADS
from companion.play.replacing import BUILT, COMING, Replacing, go_on, replace, set_by
from companion.play.sqlite_journal import SqliteJournal
from companion.play.table import Table
from companion.refusals import AsTyped, Missing, Refusal, Storage
from companion.whole_file import sync_all, write_whole

log = logging.getLogger(__name__)

WISH = "put-back.json"


class RestoreMarker(msgspec.Struct, frozen=True):
    """Which backup is to be put back at the next start; after that, how many tables came with it, or why none."""

    name: str
    at: int = 0
    tables: int | None = None
    reason: str = ""


def restore(file: Path, data: Path, *, now: float | None = None) -> tuple[Path | None, int]:
    """Put a backup in the place of what a data folder holds now, which is kept beside the backups.

    That is an entry of each table that goes on. Tables that have left since for another Digside stay where they are.

    :returns: where that is now, if there was anything, and how many tables there are.
    :raises Storage: where a process has the folder, or the backup is damaged; then nothing is changed.
    """
    with clear_word(data):
        make_folder(data)
        held = hold(data)
    with held:
        return _restored(file, data, now, lambda aside, count: Replacing(aside))


def _restored(
    file: Path, data: Path, now: float | None, then: Callable[[str | None, int], Replacing]
) -> tuple[Path | None, int]:
    """Restore in a folder that is held.

    :param then: what else is to be done, told the folder for what was there before, and how many tables there are.
    """
    go_on(data)
    aside = _free(data, f"{FOLDER}/replaced-{time.strftime(STAMP, time.gmtime(now))}")
    try:
        count = _made_ready(file, data, now)
        with clear_word(data):
            there = set_by(data, aside)
            replace(data, then(aside, count))
    except Refusal:
        go_on(data)  # what was begun is cleared away, or finished
        raise
    return (data / aside if there else None), count


def _free(data: Path, name: str) -> str:
    """A name that nothing has: two may be put back within a second."""
    found, count = name, 1
    while (data / found).exists():
        count += 1
        found = f"{name}-{count}"
    return found


def _made_ready(file: Path, data: Path, now: float | None) -> int:
    """Lay a backup beside what is kept, each table opened and as it will be; how many tables there are.

    :raises Storage: where anything in it is damaged.
    """
    if not file.is_file():
        raise Missing("core.no_backup", file=AsTyped(file))
    built = data / BUILT
    with clear_word(data):
        shutil.rmtree(built, ignore_errors=True)
        built.mkdir()
    try:
        with clear_word(data), closing(to_look(file.resolve())) as db:
            copy_to(db, built / FILE)
    except Storage as refused:
        if refused.key != "core.data_damaged":
            raise
        raise Storage("core.backup_damaged", file=AsTyped(file)).because(refused) from refused
    hall = Hall(built, clock=None if now is None else lambda: round(now * 1000))
    try:
        for table in opened_all(hall, file):
            if table is not None and table.going is None and not table.settled():
                table.note(TableRestored(), _keeper(hall, table))
        _leave_away(hall, data)
        count = hall.journal.count()
    finally:
        hall.close()
    with clear_word(data):
        sync_all(built)  # the heads, too: older ones that were written over would tell of a chain that never was
        for name in (HEADS, FILE):
            (built / name).replace(data / f"{name}{COMING}")
    return count


def _keeper(hall: Hall, table: Table) -> Callable[[JournalLine], None]:
    return lambda line: hall.journal.append(table.id, [line])


def _leave_away(hall: Hall, data: Path) -> None:
    """Have the tables that have left since the backup was made be as they are: else they would be open here, too."""
    if not (data / FILE).exists():
        return
    try:
        kept = SqliteJournal(data, reading=True)
    except Refusal as unread:
        log.warning("which tables have left cannot be read: %s", unread)
        return
    try:
        for each in kept.summaries():
            table = each.brief.table
            with suppress(Refusal):
                going, lines = kept.going(table), kept.entries(table)
                if going is not None or (lines and isinstance(lines[-1].entry, TableLeft)):
                    _as_it_left(hall, kept, table, lines)
    except Refusal as unread:
        log.warning("which tables have left cannot be read: %s", unread)
    finally:
        kept.close()


def _as_it_left(hall: Hall, kept: SqliteJournal, table: str, lines: list[JournalLine]) -> None:
    if hall.journal.knows(table):
        hall.delete(table)
    hall.journal.lay(*kept.laying_of(table), lines)
    hall.journal.send(table, kept.going(table))


def wish_back(data: Path, name: str) -> None:
    """Have a backup put back when this data folder is opened next. It is looked at before."""
    checked(named(data, name))
    _note(data, RestoreMarker(name))


def wished_back(data: Path) -> RestoreMarker | None:
    """What is to be put back, or was."""
    try:
        return msgspec.json.decode((data / FOLDER / WISH).read_bytes(), type=RestoreMarker)
    except (OSError, ValueError):
        return None


def put_back_as_wished(data: Path, *, now: float | None = None) -> None:
    """Put back what was wished for, and note what came of it; where it cannot be, all stays as it was."""
    if not (data / FOLDER / WISH).exists():
        return
    with hold(data):
        go_on(data)  # it may have been begun, and noted by that
        wish = wished_back(data)
        if wish is None or wish.at:
            return
        at = round(1000 * (time.time() if now is None else now))
        try:
            file = named(data, wish.name)
            files = _choices(file.parent, data) if wish.name.startswith(BROUGHT) else {}
            note = f"{FOLDER}/{WISH}"

            def then(aside: str | None, count: int) -> Replacing:
                done = msgspec.json.encode(RestoreMarker(wish.name, at, count)).decode()
                return Replacing(aside, files, {note: done})

            _restored(file, data, now, then)
        except Refusal as wrong:
            _note(data, RestoreMarker(wish.name, at, reason=str(wrong)))


def _choices(brought: Path, data: Path) -> dict[str, str]:
    """The choices of another machine, each with where it is, both within the data folder."""
    found = sorted(each for each in brought.rglob("*") if each.is_file() and each.name != FILE)
    return {str(file.relative_to(brought)): str(file.relative_to(data)) for file in found}


def _note(data: Path, wish: RestoreMarker) -> None:
    note = data / FOLDER / WISH
    try:
        make_folder(note.parent)
        write_whole(note, msgspec.json.encode(wish))
    except OSError as error:
        raise Storage("cli.cannot_write", file=AsTyped(note), reason=error.strerror or str(error)) from None
