"""A long table lies cold: it is opened from its snapshot, which is a cache and nothing else."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import pytest

from companion.game import Seat, Setup
from companion.play import bounds, open_tables, snapshot_keeper
from companion.play.hall import Hall
from companion.play.replays import no_replays
from companion.play.snapshot_keeper import SnapshotWriter
from companion.play.snapshots import FOLDER
from companion.play.table import HOST, Table
from companion.play.view import view_in_json
from companion.refusals import Asleep, Illegal, Malformed, Storage

LONG = 130


@pytest.fixture(autouse=True)
def soon_long(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (open_tables, snapshot_keeper):
        monkeypatch.setattr(module, "SHORT", 40)


@pytest.fixture
def cold(tmp_path: Path) -> tuple[Path, str, bytes]:
    """A folder with a long table, its name, and how it looked."""
    here = Hall(tmp_path)
    table = played(here, LONG)
    look = view_in_json(table)
    here.close()
    return tmp_path, table.id, look


def played(here: Hall, presses: int) -> Table:
    table = here.lay(Setup("jenseits", "toolbox", (Seat("Ada"), Seat("Ben"))))
    table.begin()
    for n in range(presses):
        press(table, n)
    return table


def press(table: Table, n: int) -> int:
    return table.play(HOST, table.seq, f"request {n}", {"type": "dial", "knowledge": n % 8 + 1}, seat=0)


def files(folder: Path) -> list[Path]:
    return sorted((folder / FOLDER).glob("*"))


def test_it_is_opened_from_its_newest_entries(cold: tuple[Path, str, bytes]) -> None:
    folder, name, look = cold
    here = Hall(folder)
    with no_replays():
        table = here.table(name)
        assert table.base
        assert view_in_json(table) == look
    here.close()


@pytest.mark.parametrize("harm", ["flip", "cut", "empty", "other table", "older program"])
def test_one_that_does_not_fit_is_dropped(
    cold: tuple[Path, str, bytes], harm: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, name, look = cold
    (file,) = files(folder)
    written = file.read_bytes()
    match harm:
        case "flip":
            file.write_bytes(written[:99] + bytes([written[99] ^ 1]) + written[100:])
        case "cut":
            file.write_bytes(written[:-10])
        case "empty":
            file.write_bytes(b"")
        case "other table":
            other = Hall(folder)
            played(other, LONG)
            other.close()
            (foreign,) = {*files(folder)} - {file}
            file.write_bytes(foreign.read_bytes())
        case _:
            monkeypatch.setattr("companion.play.snapshots._program", lambda: b"another")
    here = Hall(folder)
    with no_replays(), pytest.raises(Asleep):
        here.table(name)
    assert view_in_json(table := here.table(name)) == look
    assert table.base == 0
    here.close()


def test_one_of_another_history_is_dropped(cold: tuple[Path, str, bytes]) -> None:
    """As after a backup was put back, in which the table is not as far."""
    folder, name, _ = cold
    db = sqlite3.connect(folder / "digside.sqlite")
    db.execute("DELETE FROM entries WHERE seq > 45")
    db.commit()
    db.close()
    (folder / "digside.heads").unlink()
    here = Hall(folder)
    table = here.table(name)
    assert (table.base, table.seq) == (0, 45)
    here.close()


def test_an_old_folder_without_any_opens_and_is_got_ready(cold: tuple[Path, str, bytes]) -> None:
    folder, name, look = cold
    for file in files(folder):
        file.unlink()
    here, waited = Hall(folder), list[float]()

    def goes_on(took: float) -> bool:
        waited.append(took)
        return True

    with no_replays(), pytest.raises(Asleep):
        here.table(name)
    here.get_ready(goes_on)
    here.close()
    here = Hall(folder)
    with no_replays():
        assert view_in_json(here.table(name)) == look
    assert len(waited) == 1
    here.close()


def test_damage_to_an_old_entry_closes_the_table_once_somebody_plays(cold: tuple[Path, str, bytes]) -> None:
    folder, name, _ = cold
    db = sqlite3.connect(folder / "digside.sqlite")
    db.execute("UPDATE entries SET at = at + 1 WHERE seq = 7")
    db.commit()
    db.close()
    here = Hall(folder)
    noticed = threading.Event()

    def damaged(table: str) -> None:
        here._forget(table)
        noticed.set()

    here._snapshots = SnapshotWriter(folder, damaged=damaged, rest=lambda _: None)
    press(here.table(name), 1000)
    assert noticed.wait(20)
    with pytest.raises(Storage):
        here.table(name)
    here.close()


def test_a_table_that_is_deleted_leaves_none(cold: tuple[Path, str, bytes]) -> None:
    folder, name, _ = cold
    here = Hall(folder)
    here.delete(name)
    assert files(folder) == []
    here.close()


def test_a_table_takes_no_more_than_a_record_may_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MOST_ENTRIES", 20)
    here = Hall(tmp_path)
    table = played(here, 0)
    most = 20 - bounds.LEFT_TO_END_IT
    for n in range(most - table.seq):
        press(table, n)
    with pytest.raises(Illegal) as refused:
        press(table, 99)
    assert refused.value.key == "core.table_full"
    assert table.seq == most
    table.end(HOST, table.seq, "the end")
    assert table.over()
    here.close()


def test_a_table_takes_nothing_larger_than_a_record_may_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = Hall(tmp_path)
    table = played(here, 0)
    monkeypatch.setattr(bounds, "LONGEST_TEXT", 2)
    with pytest.raises(Malformed):
        press(table, 1)
    here.close()


def test_a_table_that_is_shortened_holds_its_newest_entries(tmp_path: Path) -> None:
    here = Hall(tmp_path)
    table = played(here, 30)
    look, newest = view_in_json(table), table.seq
    table.shorten(newest)
    assert table.base == 0, "nothing is older"
    table.shorten(10)
    assert table.base == newest - 10
    table.shorten(12)
    assert table.base == newest - 10, "what is not at hand any more is not made again"
    assert (table.seq, view_in_json(table)) == (newest, look)
    here.close()
