"""What a disk does by accident, and somebody with a broom: found, named, and no other table's affair."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.game import Seat, Setup
from companion.play import backups
from companion.play.backups import back_up, checked, made
from companion.play.entries import Departure, EndFound, TableRestored
from companion.play.folder import FILE
from companion.play.hall import Hall
from companion.play.heads import NAME as HEADS
from companion.play.journal import NoJournal
from companion.play.record import encode, export
from companion.play.restoring import restore
from companion.play.sqlite_journal import SqliteJournal
from companion.play.table import HOST, Table
from companion.play.view import view
from companion.refusals import AsTyped, CommitOutcomeUnknown, Missing, Refusal, Storage
from companion.terminal import commands
from companion.terminal.doctor import findings
from hardware.face import NoRig
from tests.core.coins import coin_table, on_file
from tests.core.test_hall import Found
from web_ui import serve
from web_ui.app import create_app

SEATS = (Seat("Ada"), Seat("Ben"))
FLIPS = 60
"""So many here; `make soak` turns four hundred and more."""


def lay(hall: Hall, rolls: int = 4) -> Table:
    table = hall.lay(Setup("horus", "toolbox", SEATS))
    for n in range(rolls):
        table.play(HOST, table.seq, f"roll {n}", {"type": "roll", "count": 3})
    return table


def press(table: Table) -> int:
    return table.play(HOST, table.seq, f"press {table.seq}", {"type": "roll", "count": 3})


def told(hall: Hall, table: str) -> dict[str, Any]:
    """All that is kept of a table, and who may act there: as it was, or it is refused."""
    opened = hall.table(table)
    requests = [(line.request, line.asked, line.at) for line in opened.written]
    return {**view(opened, HOST), "keys": opened.keys, "requests": requests, "secret": opened.dealer.secret}


def killed(folder: Path, to: Path) -> None:
    """The folder as it is when the process that writes there is killed."""
    shutil.copytree(folder, to)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Path], dict[str, dict[str, Any]]]:
    """Three tables, one of them over: as a clean stop leaves them, and as a kill does; and what is kept of each."""
    return left_behind(tmp_path_factory.mktemp("kept"))


def left_behind(place: Path) -> tuple[list[Path], dict[str, dict[str, Any]]]:
    """Data folders of three tables, stopped and killed, and what is kept of each table."""
    hall = Hall(place / "data")
    tables = [lay(hall) for _ in range(3)]
    tables[1].end(HOST, tables[1].seq, "the end")
    known = {table.id: told(hall, table.id) for table in tables}
    killed(place / "data", place / "killed")
    hall.close()
    return [place / "data", place / "killed"], known


def flipped(folder: Path, luck: random.Random) -> str:
    """Turn one bit of what is kept, wherever it may be."""
    files = [
        file for file in (FILE, f"{FILE}-wal", HEADS) if (folder / file).exists() and (folder / file).stat().st_size
    ]
    sizes = [(folder / file).stat().st_size for file in files]
    file = luck.choices(files, sizes)[0]
    content = bytearray((folder / file).read_bytes())
    at, bit = luck.randrange(len(content)), luck.randrange(8)
    content[at] ^= 1 << bit
    (folder / file).write_bytes(content)
    return f"{file} at {at}, bit {bit}"


def ends_of(known: dict[str, dict[str, Any]]) -> dict[str, EndFound | None]:
    """How the tables ended, for the list."""
    return {table: EndFound((0, 0), (0, 1)) if was["over"] else None for table, was in known.items()}


def outcome_of(folder: Path, known: dict[str, dict[str, Any]]) -> str:
    """`found`, if something is refused, or `harmless`, if all is as it was; else the test fails."""
    try:
        hall = Hall(folder)
    except Storage:
        return "found"
    sound = {}
    try:
        for table, was in known.items():
            try:
                assert told(hall, table) == was, f"{table} is silently another"
                sound[table] = was
            except Storage:
                pass
            except Missing:
                pytest.fail(f"{table} is silently gone")
        listed = {each.table: each.end for each in hall.tables()}
        assert all(listed.get(table, end) == end for table, end in ends_of(sound).items()), "once it is opened"
        return "harmless" if len(sound) == len(known) else "found"
    finally:
        hall.close()


@pytest.mark.parametrize("way", [0, 1], ids=["stopped", "killed"])
def test_a_bit_that_turned_is_found_or_harmless(
    kept: tuple[list[Path], dict[str, dict[str, Any]]], way: int, tmp_path: Path
) -> None:
    folders, known = kept
    luck, found = random.Random(f"bits {way}"), 0
    for n in range(FLIPS // 2):
        folder = tmp_path / str(n)
        killed(folders[way], folder)
        where = flipped(folder, luck)
        try:
            found += outcome_of(folder, known) == "found"
        except AssertionError as error:
            raise AssertionError(where) from error
        shutil.rmtree(folder)
    assert found > FLIPS // 20, "bits were turned where something is"


def harm(folder: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(folder / FILE)) as db:
        db.execute(statement, values)
        db.commit()


HARMS: dict[str, tuple[str, Callable[[str], tuple[object, ...]]]] = {
    "the end is missing": ("DELETE FROM entries WHERE table_id = ? AND seq > 3", lambda table: (table,)),
    "the laying is missing": ("DELETE FROM tables WHERE id = ?", lambda table: (table,)),
    "a name is another": (
        "UPDATE tables SET laid = CAST(replace(CAST(laid AS TEXT), 'Ada', 'Eve') AS BLOB) WHERE id = ?",
        lambda table: (table,),
    ),
    "a key is another": ("UPDATE tables SET keys = keys || ' ' WHERE id = ?", lambda table: (table,)),
    "a request is another": (
        "UPDATE entries SET request = 'rolled' WHERE table_id = ? AND request = 'roll 2'",
        lambda table: (table,),
    ),
    "nonsense": ("UPDATE tables SET laid = x'00ff' WHERE id = ?", lambda table: (table,)),
    "two entries have changed places": (
        """UPDATE entries SET mark = NULL, body = (SELECT body FROM entries e WHERE e.table_id = entries.table_id
        AND e.seq = 2) WHERE table_id = ? AND seq = 3""",
        lambda table: (table,),
    ),
}


@pytest.mark.parametrize("how", HARMS)
def test_a_damaged_table_is_named_and_the_others_play_on(
    how: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hall = Hall(tmp_path)
    sick, well = lay(hall).id, lay(hall).id
    hall.close()
    statement, values = HARMS[how]
    with closing(sqlite3.connect(tmp_path / FILE)) as db:
        db.execute(statement, values(sick))
        db.commit()
    again = Hall(tmp_path)
    with pytest.raises(Storage, match=f"Table {sick} is damaged"):
        again.table(sick)
    assert well in {each.table for each in again.tables()}
    assert sick not in again.journal.damaged or sick not in {each.table for each in again.tables()}
    other = again.table(well)
    other.play(HOST, other.seq, "on", {"type": "block"})
    assert lay(again).seq == 16, "new ones are laid, too"
    again.close()
    ran = subprocess.run(
        [sys.executable, "-m", "companion.terminal.cli", "doctor", "--data", str(tmp_path), "--rig", "none"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert [line for line in ran.stdout.splitlines() if line.startswith("✗") and sick in line], ran.stdout


def test_what_is_sound_of_a_damaged_table_is_exported(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    table = lay(hall)
    whole = json.loads(encode(export(table)))
    hall.close()
    harm(tmp_path, "UPDATE entries SET body = substr(body, 2) WHERE table_id = ? AND seq = 10", table.id)
    record = json.loads(encode(Hall(tmp_path, reading=True).sound_part(table.id)))
    assert record["entries"] == whole["entries"][:9]
    assert record["laid"] == whole["laid"]
    assert Hall(tmp_path / "other").take_in(Hall(tmp_path, reading=True).sound_part(table.id)).seq == 10


REMOVALS: dict[str, Callable[[Path], None]] = {
    "the folder is deleted": shutil.rmtree,
    "the folder is moved away": lambda data: (data.rename(data.with_name("away")), None)[1],
    "the file is deleted": lambda data: (data / FILE).unlink(),
    "the log is deleted": lambda data: (data / f"{FILE}-wal").unlink(),
    "the file is replaced": lambda data: (
        shutil.copy(data / FILE, data / "other"),
        (data / "other").replace(data / FILE),
        None,
    )[2],
}


@pytest.mark.parametrize("how", REMOVALS)
def test_data_that_are_gone_are_noticed_before_another_step_is_acknowledged(how: str, tmp_path: Path) -> None:
    data = tmp_path / "data"
    hall = Hall(data)
    closed = lay(hall).id
    hall._at_hand.clear()
    gc.collect()
    table = lay(hall)
    REMOVALS[how](data)
    seq, before = table.seq, view(table)
    with pytest.raises(Storage, match="deleted or replaced while Digside was running"):
        table.play(HOST, seq, "after", {"type": "block"})
    assert view(table) == before
    with pytest.raises(Storage, match="deleted or replaced"):
        hall.lay(Setup("horus", "toolbox", SEATS))
    saved = hall.look_after()
    assert saved is not None
    assert saved.parent == tmp_path
    assert hall.look_after() == saved, "once is enough"
    with pytest.raises(Storage, match="written to"):
        table.play(HOST, seq, "after", {"type": "block"})
    other = Hall(saved)
    there = other.table(table.id)
    assert view(there) == before
    assert there.keys == table.keys
    there.play(HOST, seq, "after", {"type": "block"})
    assert other.table(closed).seq == 16, "one that nobody had open, too, as it could still be read"


def test_nothing_is_said_to_be_gone_that_is_there(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    for _ in range(3):
        lay(hall)
        assert hall.look_after() is None
    on_file(hall)._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    lay(hall)
    assert hall.look_after() is None


def test_a_backup_is_made_while_somebody_writes_and_every_table_in_it_opens(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    table = lay(hall)
    file, count = back_up(tmp_path)
    assert (count, checked(file), made(tmp_path / backups.FOLDER)) == (1, 1, [file])
    assert file.stat().st_mode & 0o077 == 0, "the secrets of tables are in it"
    lay(hall)
    table.play(HOST, table.seq, "on", {"type": "block"})
    assert table.seq == 18


def test_a_backup_that_is_damaged_is_not_kept_as_one(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    table = lay(hall)
    hall.close()
    harm(tmp_path, "UPDATE entries SET body = substr(body, 2) WHERE table_id = ? AND seq = 9", table.id)
    with pytest.raises(Storage, match=table.id):
        back_up(tmp_path)
    assert made(tmp_path / backups.FOLDER) == []
    now = time.time()
    assert not backups.is_due(tmp_path, now + backups.EVERY + 1), "what is damaged is not copied again each hour"
    for later in (10, 20):
        with pytest.raises(Storage):
            back_up(tmp_path, now=now + later)
    assert len(list((tmp_path / backups.FOLDER).glob("*.damaged"))) == 1


def test_a_backup_lacks_what_is_damaged_and_names_it_wherever_backups_are_told_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hall = Hall(tmp_path)
    sick, well = lay(hall).id, lay(hall).id
    hall.close()
    whole, _ = back_up(tmp_path, now=time.time() - 300 * backups.EVERY)
    harm(tmp_path, "UPDATE entries SET body = substr(body, 2) WHERE table_id = ? AND seq = 9", sick)
    for day in range(40, 0, -1):
        back_up(tmp_path, now=time.time() - day * backups.EVERY)
    assert whole.exists(), "the newest that lacks nothing stays"
    assert commands.backup(tmp_path, None, "en") == 0
    assert sick in capsys.readouterr().err
    newest = backups.list_backups(tmp_path)[0]
    assert newest.left_out == (sick,)
    assert [f.facts["table"] for f in findings(tmp_path, None, Found()) if f.key == "left_out"] == [AsTyped(sick)]
    assert commands.restore(tmp_path, backups.named(tmp_path, newest.name), "en") == 0
    assert sick in capsys.readouterr().err
    again = Hall(tmp_path)
    assert {each.table for each in again.tables()} == {well}
    again.close()
    assert not backups.left_out(back_up(tmp_path, now=time.time() + 10)[0]), "what lies here now lacks nothing"


def test_a_backup_that_was_cut_off_takes_no_room_for_ever(tmp_path: Path) -> None:
    lay(Hall(tmp_path))
    file, _ = back_up(tmp_path)
    cut_off, being_made = file.with_name("2026-01-01-000000.half"), file.with_name("2026-01-01-000001.half")
    cut_off.touch()
    being_made.touch()
    os.utime(cut_off, (0, 0))
    back_up(tmp_path)
    assert not cut_off.exists()
    assert being_made.exists()


def test_on_a_nearly_full_card_the_oldest_backups_go_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(Hall(tmp_path))
    days = [back_up(tmp_path, now=day * backups.EVERY)[0] for day in range(1, 5)]
    size, free = (tmp_path / "digside.sqlite").stat().st_size, [0]

    def room(_: Path) -> SimpleNamespace:
        """As much as these leave of it: an old backup that goes makes room."""
        return SimpleNamespace(free=free[0] + sum(size for day in days if not day.exists()))

    monkeypatch.setattr("shutil.disk_usage", room)
    free[0] = backups.ROOM - size
    back_up(tmp_path, now=5 * backups.EVERY)
    assert [day.exists() for day in days] == [False, False, True, True]
    free[0] = -9 * size
    with pytest.raises(Storage, match="No space left"):
        back_up(tmp_path, now=6 * backups.EVERY)
    assert len(made(tmp_path / backups.FOLDER)) == 1, "the newest stays"
    assert not list((tmp_path / backups.FOLDER).glob("*.half"))


def test_a_backup_is_put_back_and_what_was_there_is_kept(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    table = lay(hall)
    before = view(table)
    file, _ = back_up(tmp_path)
    table.play(HOST, table.seq, "on", {"type": "block"})
    with pytest.raises(Storage, match="in use"):
        restore(file, tmp_path)
    hall.close()
    aside, count = restore(file, tmp_path)
    assert count == 1
    again = Hall(tmp_path)
    restored = again.table(table.id)
    assert isinstance(restored.written[-1].entry, TableRestored)
    of_the_log = {"seq", "head", "log"}
    now = view(restored)
    assert {key: now[key] for key in now.keys() - of_the_log} == {key: before[key] for key in now.keys() - of_the_log}
    assert [line["kind"] for line in now["log"]][-1] == "restore"  # type: ignore[index,call-overload,union-attr]
    assert view(restored, seq=restored.seq - 1)["head"] == before["head"], "and nothing is said to be lost"
    kept = view(restored)
    assert aside is not None
    assert Hall(aside, reading=True).table(table.id).seq == 18
    spoilt = tmp_path / "spoilt.sqlite"
    spoilt.write_bytes(file.read_bytes()[:3000])
    again.close()
    with pytest.raises(Refusal):
        restore(spoilt, tmp_path)
    assert view(Hall(tmp_path).table(table.id)) == kept


def test_a_clock_that_was_once_ahead_ends_no_backups(tmp_path: Path) -> None:
    """A backup of the year 2031 makes none superfluous that is made today, and goes before them."""
    hall = Hall(tmp_path)
    lay(hall)
    now = time.time()
    ahead, _ = back_up(tmp_path, now=now + 5 * 365 * 24 * 3600)
    os.utime(ahead, (now + 5 * 365 * 24 * 3600,) * 2)
    assert backups.is_due(tmp_path, now)
    kept = []
    for day in range(9):
        lay(hall)
        file, _ = back_up(tmp_path, now=now + day * 24 * 3600)
        os.utime(file, (now + day * 24 * 3600,) * 2)
        kept.append(file)
        assert file.exists()
        assert not backups.is_due(tmp_path, now + day * 24 * 3600 + 60)
    assert made(tmp_path / backups.FOLDER, now + 9 * 24 * 3600)[0] == ahead
    assert all(file.exists() for file in kept[-7:])
    hall.close()


def test_a_backup_is_due_once_a_day_where_there_is_anything_new(tmp_path: Path) -> None:
    assert not backups.is_due(tmp_path)
    hall = Hall(tmp_path)
    lay(hall)
    assert backups.is_due(tmp_path)
    file, _ = back_up(tmp_path)
    now = file.stat().st_mtime
    assert not backups.is_due(tmp_path, now + backups.EVERY + 1), "nothing is new"
    lay(hall)
    assert not backups.is_due(tmp_path, now + backups.EVERY - 1)
    assert backups.is_due(tmp_path, now + backups.EVERY + 1)


def test_a_running_service_makes_the_backup_of_a_day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "FIRST_LOOK", 0)
    monkeypatch.setattr(serve, "LOOK_AFTER", 0.02)
    monkeypatch.setattr(serve, "BACKUP_LOOKED_FOR", 0.02)
    hall = Hall(tmp_path)
    laid = lay(hall).id

    async def until_made() -> None:
        looking = asyncio.create_task(serve._look_after(app.extensions["digside"]))
        while not made(tmp_path / backups.FOLDER) and not looking.done():
            await asyncio.sleep(0.02)
        looking.cancel()
        await asyncio.wait([looking])

    app = create_app(hall, NoRig())
    asyncio.run(asyncio.wait_for(until_made(), 60))
    app.extensions["digside"].close()
    hall.close()
    (file,) = made(tmp_path / backups.FOLDER)
    assert checked(file) == 1
    restore(file, tmp_path / "elsewhere")
    again = Hall(tmp_path / "elsewhere")
    assert [each.table for each in again.tables()] == [laid]
    again.close()


def test_many_steps_back_take_room_each_and_not_each_for_all() -> None:
    """Twelve thousand once took 731 MB."""
    table = coin_table(NoJournal())

    def grown(steps: int) -> int:
        before = tracemalloc.get_traced_memory()[0]
        for n in range(steps):
            table.correct(HOST, table.seq, f"{table.seq} {n}", {"type": "heads", "heads": n})
        for n in range(steps):
            table.take_back(HOST, table.seq, f"back {table.seq} {n}")
        return tracemalloc.get_traced_memory()[0] - before

    tracemalloc.start()
    try:
        first, second = grown(300), grown(900)
    finally:
        tracemalloc.stop()
    assert second < 4.5 * first
    redo = table.offer(HOST).redo
    assert redo is not None


def test_a_list_does_not_wait_for_a_step_that_is_being_synced(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    table = lay(hall)
    hall._at_hand.clear()
    with on_file(hall)._writing():  # as if the disk took its time now
        assert [each.table for each in hall.tables()] == [table.id]
        assert hall.journal.keys(table.id) == table.keys
        assert hall.journal.entries(table.id) == [*table.written]


def test_a_clock_that_goes_back_leaves_what_is_newest_on_top(tmp_path: Path) -> None:
    now = [1_800_000_000_000]
    hall = Hall(tmp_path, clock=lambda: now[0])
    first = lay(hall)
    now[0] -= 10_000_000
    second = lay(hall)
    second.play(HOST, second.seq, "later", {"type": "block"})
    assert second.laid.at >= first.written[-1].at
    hall.close()
    again = Hall(tmp_path, clock=lambda: now[0])
    third = lay(again, 0)
    assert third.laid.at >= second.laid.at
    old = again.table(second.id)
    old.play(HOST, old.seq, "later still", {"type": "block"})
    times = [line.at for line in old.written]
    assert times == sorted(times)


def test_a_copy_of_an_older_format_is_kept_before_it_is_brought_up(tmp_path: Path) -> None:
    from tests.core.test_hall import FORMAT_1

    hall = Hall(tmp_path)
    table = lay(hall)
    hall.close()
    with closing(sqlite3.connect(tmp_path / FILE)) as db:
        db.executescript(FORMAT_1)
    SqliteJournal(tmp_path).close()
    kept = tmp_path / f"{FILE}.before-format-2"
    with closing(sqlite3.connect(kept)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (1,)
        assert db.execute("SELECT count(*) FROM entries WHERE table_id = ?", (table.id,)).fetchone() == (16,)


def test_a_full_disk_at_the_first_step_of_a_move_leaves_the_table_where_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall = Hall(tmp_path)
    table = lay(hall)
    journal = hall.journal
    assert isinstance(journal, SqliteJournal)
    going = Departure("ticket", "http://other.local", "house")

    def full() -> None:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(journal, "_commit", full)
        with pytest.raises(Storage):
            hall.send(table, going)
    assert table.going is None
    assert hall.journal.going(table.id) is None
    press(table)
    hall.send(table, going)
    with monkeypatch.context() as patched:
        patched.setattr(journal, "_commit", full)
        with pytest.raises(Storage):
            hall.send(table, None)
    assert hall.journal.going(table.id) == going, "what was kept before stays"
    hall.close()


def test_a_move_of_which_the_disk_does_not_say_whether_it_began_is_as_the_entries_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall = Hall(tmp_path)
    table = lay(hall)
    going = Departure("ticket", "http://other.local", "house")

    def in_doubt() -> None:
        raise CommitOutcomeUnknown("core.perhaps", folder="", reason="")

    with monkeypatch.context() as patched:
        patched.setattr(hall.journal, "_commit", in_doubt)
        with pytest.raises(CommitOutcomeUnknown):
            hall.send(table, going)
    seen = [table.going]
    press(table)  # what is written now is in the place of what was in doubt
    hall.send(table, going)
    seen.append(table.going)
    hall.close()
    assert seen == [None, going]
    again = Hall(tmp_path).table(table.id)
    assert again.going == going


def test_a_step_that_was_written_while_the_folder_was_taken_away_says_perhaps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It counts once the folder is back; before anything is written, no is no."""
    folder, elsewhere = tmp_path / "data", tmp_path / "elsewhere"
    hall = Hall(folder)
    table = lay(hall)
    journal = hall.journal
    assert isinstance(journal, SqliteJournal)
    commit = journal._commit

    def taken_away_then() -> None:
        commit()
        folder.rename(elsewhere)

    with monkeypatch.context() as patched:
        patched.setattr(journal, "_commit", taken_away_then)
        with pytest.raises(CommitOutcomeUnknown):
            press(table)
    with pytest.raises(Storage) as refused:
        press(table)
    assert not isinstance(refused.value, CommitOutcomeUnknown), "nothing is written there any more"
    hall.close()
    elsewhere.rename(folder)
    again = Hall(folder)
    assert again.table(table.id).seq > table.seq
    again.close()
