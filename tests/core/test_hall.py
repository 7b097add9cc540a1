"""The tables of a data folder: which are in memory, and what a damaged one does to the others."""

from __future__ import annotations

import gc
import os
import pwd
import shutil
import sqlite3
from contextlib import closing
from itertools import count
from pathlib import Path
from weakref import ref

import msgspec
import pytest

from companion import games
from companion.game import Seat, Setup
from companion.play import open_tables
from companion.play.entries import EndFound
from companion.play.hall import Hall
from companion.play.proof import verify
from companion.play.record import export
from companion.play.sqlite_journal import SqliteJournal
from companion.play.table import HOST, Table
from companion.play.view import view
from companion.refusals import Missing, Storage
from companion.terminal.doctor import Finding, _tables, examine, findings
from hardware.machine import MachineState, StorageCard, look_at_machine
from tests.core.coins import on_file

SEATS = (Seat("Ada"), Seat("Ben"))


class Found:
    """What a doctor finds of hardware: boards and pins that may be opened or not, and a rig that is ill or not."""

    def __init__(
        self,
        boards: dict[str, bool] | None = None,
        pins: dict[str, bool] | None = None,
        ailment: str | None = None,
        machine: MachineState | None = None,
    ) -> None:
        self._boards = boards or {}
        self._pins = pins or {}
        self._ailment = ailment
        self._machine = machine

    def busy_pins(self, name_or_path: str | None, data: Path) -> dict[int, str]:
        return {}

    def missing_buses(self, name_or_path: str | None, data: Path) -> list[str]:
        return []

    def look_at_machine(self, data: Path) -> MachineState:
        return self._machine or look_at_machine(data)

    def boards(self) -> dict[str, bool]:
        return self._boards

    def pins(self) -> dict[str, bool]:
        return self._pins

    def is_chosen(self, data: Path) -> bool:
        return True

    def look_at_rig(self, name_or_path: str | None, data: Path) -> str | None:
        return self._ailment


def lay(hall: Hall, steps: int = 3) -> Table:
    table = hall.lay(Setup("horus", "toolbox", SEATS))
    for step in range(steps):
        table.play(HOST, table.seq, f"step {step}", {"type": "award", "seat": 0, "points": (-1) ** step})
    return table


def test_a_hall_that_is_open_for_months_keeps_only_some_tables_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_tables, "AT_HAND", 3)
    hall = Hall(tmp_path)
    seen = [(table.id, view(table), ref(table)) for table in (lay(hall) for _ in range(8))]
    gc.collect()
    assert [there() is not None for _, _, there in seen] == [False] * 5 + [True] * 3
    for table, then, _ in seen:
        assert view(hall.table(table)) == then


def test_a_table_that_somebody_holds_is_never_there_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two of one table would each take steps the other knows nothing of."""
    monkeypatch.setattr(open_tables, "AT_HAND", 1)
    hall = Hall(tmp_path)
    held = lay(hall)
    for _ in range(4):
        lay(hall)
    assert hall.table(held.id) is held


def test_a_long_table_is_let_go_without_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_tables, "AT_HAND", 1)
    hall = Hall(tmp_path)
    on_file(hall)._db.execute("PRAGMA synchronous=OFF")
    there = ref(lay(hall, steps=4000))
    lay(hall)
    hall._snapshots.close()  # which holds it for as long as it writes
    gc.disable()
    try:
        assert there() is None, "it holds itself"
    finally:
        gc.enable()


@pytest.mark.parametrize(
    "harm",
    [
        "DELETE FROM entries WHERE table_id = :id AND seq = 2",
        """UPDATE entries SET body = '{"kind":"undo","by":"host","to":900}' WHERE table_id = :id AND seq = 3""",
        """UPDATE entries SET body = replace(CAST(body AS TEXT), 'award', 'reward') WHERE table_id = :id""",
        "UPDATE tables SET secret = 'x' WHERE id = :id",
    ],
    ids=["an entry is missing", "back to what never was", "a move that is none", "half a secret"],
)
def test_a_damaged_table_is_said_to_be_damaged_and_harms_no_other(tmp_path: Path, harm: str) -> None:
    hall = Hall(tmp_path)
    sick, well = lay(hall).id, lay(hall).id
    on_file(hall)._db.execute(harm, {"id": sick})
    hall.close()
    again = Hall(tmp_path)
    with pytest.raises(Storage, match=f"Table {sick} is damaged"):
        again.table(sick)
    assert again.table(well).seq == 3
    with pytest.raises(Storage) as damaged:
        again.table(sick)
    if "seq = 2" in harm:
        assert "Eintrag 3 folgt auf Eintrag 1" in damaged.value.said("de")
    again.close()
    ill = [finding for finding in findings(tmp_path, None, Found()) if finding.state == "ill"]
    assert [sick in str(finding.facts) for finding in ill] == [True]


def test_the_doctor_says_that_what_is_kept_is_well(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    lay(hall)
    lay(hall)
    found = {finding.key: finding for finding in findings(tmp_path, None, Found())}
    assert found["tables"].facts == {"n": 2, "played": 2}, "beside the process that writes, too"
    assert found["data_in_use"].state == found["rig_in_use"].state == "note"
    hall.close()


def test_the_doctor_does_not_make_people_wait_for_all_that_was_ever_played(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    for _ in range(5):
        lay(hall)
    hall.close()
    ticking = count()
    found = list(_tables(lambda: Hall(tmp_path, reading=True), "en", 2, clock=lambda: next(ticking)))
    assert found == [Finding("note", "tables_some", {"n": 5, "played": 2})]
    whole = {finding.key: finding for finding in findings(tmp_path, None, Found(), whole=True)}
    assert whole["tables"].facts == {"n": 5, "played": 5}


def test_the_doctor_notices_that_the_newest_steps_were_left_behind(tmp_path: Path) -> None:
    hall = Hall(tmp_path / "here")
    lay(hall)
    (tmp_path / "copy").mkdir()
    shutil.copy(tmp_path / "here" / "digside.sqlite", tmp_path / "copy")
    keys = {finding.key for finding in findings(tmp_path / "copy", None, Found())}
    assert "copied_alone" in keys
    hall.close()
    for again in ("here", "copy"):
        keys = {finding.key for finding in findings(tmp_path / again, None, Found())}
        assert "copied_alone" not in keys, again
    killed = Hall(tmp_path / "here")
    shutil.copytree(tmp_path / "here", tmp_path / "with the log", ignore=lambda *_: {"digside.lock"})
    killed.close()
    assert "copied_alone" not in {finding.key for finding in findings(tmp_path / "with the log", None, Found())}


def test_a_disk_that_was_full_at_the_start_hides_no_steps_left_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    note, failures = SqliteJournal._note_open, iter([sqlite3.OperationalError("database or disk is full")])

    def full_at_first(journal: SqliteJournal, mark: int) -> None:
        for failure in failures:
            raise failure
        note(journal, mark)

    monkeypatch.setattr(SqliteJournal, "_note_open", full_at_first)
    hall = Hall(tmp_path / "here")
    lay(hall)
    (tmp_path / "copy").mkdir()
    shutil.copy(tmp_path / "here" / "digside.sqlite", tmp_path / "copy")
    hall.close()
    assert "copied_alone" in {finding.key for finding in findings(tmp_path / "copy", None, Found())}


STRAINED = MachineState(
    model="Raspberry Pi 4",
    temperature_c=84.2,
    strains=("weak_power", "throttled"),
    strained=("weak_power",),
    clock="unsure",
    card=StorageCard(free=10**9, size=10**10, read_only=True, errors=2, worn=10),
)


def test_the_doctor_says_what_ails_the_computer(tmp_path: Path) -> None:
    found = {finding.key: finding.state for finding in findings(tmp_path, None, Found(machine=STRAINED))}
    ill = ("power_weak", "hot", "card_read_only", "card_errors", "card_worn")
    assert [found.get(key) for key in ill] == ["ill"] * len(ill)
    assert found["clock_unsure"] == "note"
    rested = msgspec.structs.replace(STRAINED, strains=(), temperature_c=51.0)
    found = {finding.key: finding.state for finding in findings(tmp_path, None, Found(machine=rested))}
    assert (found["power_was_weak"], found["warm"]) == ("note", "well")


def test_the_doctor_finds_pages_that_were_written_over(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    for _ in range(8):
        lay(hall, steps=30)
    hall.close()
    file = tmp_path / "digside.sqlite"
    content = bytearray(file.read_bytes())
    content[9000:12000] = bytes(range(250)) * 12
    file.write_bytes(content)
    ill = [finding.key for finding in findings(tmp_path, None, Found()) if finding.state == "ill"]
    assert "data_ill" in ill


@pytest.mark.parametrize(("free", "key"), [(10**9, "room"), (10**7, "room_ill")])
def test_the_doctor_says_when_the_disk_is_nearly_full(tmp_path: Path, free: int, key: str) -> None:
    card = msgspec.structs.replace(STRAINED.card, free=free)
    machine = msgspec.structs.replace(STRAINED, card=card)
    found = {finding.key: finding.state for finding in findings(tmp_path, None, Found(machine=machine))}
    assert found.get(key) == ("well" if key == "room" else "ill")


WHO = pwd.getpwuid(os.geteuid()).pw_name
NOT_YOURS = f"sudo usermod -aG {{}} {WHO}, then log in again (the service: sudo systemctl restart digside)"
"""By the package's command the service's user looks: it is the one who lacks a group, not whoever types."""


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (
            Found(),
            [
                "· no board on a serial port",
                "· no GPIO pins here: that is right on a laptop",
                "✓ the rig is in order",
            ],
        ),
        (
            Found({"/dev/a": True, "/dev/b": False}, {"/dev/gpiochip0": True, "/dev/gpiochip4": False}),
            [
                "✓ board at /dev/a",
                f"✗ {WHO} may not open /dev/b: {NOT_YOURS.format('dialout')}",
                "✓ GPIO pins at /dev/gpiochip0",
                "✓ the rig is in order",
            ],
        ),
        (
            Found({"/dev/a": True}, {"/dev/gpiochip0": False}, "no cup"),
            [
                "✓ board at /dev/a",
                f"✗ {WHO} may not open /dev/gpiochip0: {NOT_YOURS.format('gpio')}",
                "✗ the rig is not in order: no cup",
            ],
        ),
    ],
    ids=["nothing", "a board of somebody else", "pins of somebody else"],
)
def test_the_doctor_says_what_stands_beside_the_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], found: Found, said: list[str]
) -> None:
    ill = examine(tmp_path, None, "en", found)
    lines = capsys.readouterr().out.splitlines()
    assert lines[-len(said) :] == said
    assert ill == any(line.startswith("✗") for line in said)


def test_the_list_says_how_a_table_ended(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    table = lay(hall, steps=1)
    assert hall.tables()[0].end is None
    table.end(HOST, table.seq, "the end")
    assert hall.tables()[0].end == EndFound((1, 0), (0,))


FOLDERS = Path(__file__).parent / "folders"
FORMAT_1 = """
DROP TABLE ends;
ALTER TABLE entries DROP COLUMN link;
ALTER TABLE entries DROP COLUMN mark;
ALTER TABLE tables DROP COLUMN mark;
PRAGMA user_version = 1;
"""
"""Back to what was kept before ends were noted and rows had marks."""


@pytest.mark.parametrize("kept", sorted(FOLDERS.glob("*.sql")), ids=lambda kept: kept.stem)
def test_a_data_folder_of_every_format_there_was_is_played_on(tmp_path: Path, kept: Path) -> None:
    """Each was written by a version that had it, as SQL: one table that is over, and one that is not."""
    with closing(sqlite3.connect(tmp_path / "digside.sqlite")) as db:
        db.executescript(kept.read_text(encoding="ascii"))
    assert {finding.state for finding in findings(tmp_path, "none", Found()) if "table" in finding.key} == {"well"}
    hall = Hall(tmp_path)
    (going,) = (each.table for each in hall.tables() if not each.over)
    table = hall.table(going)
    table.play(HOST, table.seq, "on", {"type": "award", "seat": 1, "points": 1})
    table.end(HOST, table.seq, "the end")
    hall.close()
    hall = Hall(tmp_path)
    assert [each.over for each in hall.tables()] == [True, True]
    for each in hall.tables():
        assert verify(export(hall.table(each.table))).fault is None


def test_the_newest_format_is_among_those_that_are_kept(tmp_path: Path) -> None:
    Hall(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / "digside.sqlite")) as db:
        (newest,) = db.execute("PRAGMA user_version").fetchone()
    assert {kept.name for kept in FOLDERS.glob("*.sql")} == {f"format_{number + 1}.sql" for number in range(newest)}


def test_a_table_from_before_the_chain_goes_on_without_one(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    new = lay(hall, steps=2)
    hall.close()
    with closing(sqlite3.connect(tmp_path / "digside.sqlite")) as db:
        db.executescript(FORMAT_1)
        for later in (',"chain":2', ',"luck":2'):
            db.execute("UPDATE tables SET laid = CAST(replace(CAST(laid AS TEXT), ?, '') AS BLOB)", (later,))
        db.commit()
    looked_at = Hall(tmp_path, reading=True).table(new.id)
    assert (looked_at.seq, looked_at.head()) == (2, None)
    hall = Hall(tmp_path)
    old = hall.table(new.id)
    old.end(HOST, old.seq, "the end")
    assert (view(old)["head"], export(old).head) == (None, None)
    proof = verify(export(old))
    assert (proof.fault, proof.head) == (None, None)
    taken = hall.take_in(export(old))
    assert (taken.head(), taken.laid.chain) == (None, 0)
    lay(hall)
    hall.close()
    assert {each.over for each in Hall(tmp_path).tables()} == {True, False}


def test_tables_that_were_over_before_ends_were_noted_are_counted_up_bit_by_bit(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    for _ in range(3):
        table = lay(hall, steps=1)
        table.end(HOST, table.seq, "the end")
    hall.close()
    with closing(sqlite3.connect(tmp_path / "digside.sqlite")) as db:
        db.executescript(FORMAT_1)
    assert [each.end for each in Hall(tmp_path, reading=True).tables()] == [None] * 3
    hall = Hall(tmp_path)
    hall.count_up(2)
    assert sorted(each.end is None for each in hall.tables()) == [False, False, True]
    hall.count_up(2)
    assert {each.end for each in hall.tables()} == {EndFound((1, 0), (0,))}


def test_a_table_that_cannot_be_counted_up_is_left_alone(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    table = lay(hall, steps=1)
    table.end(HOST, table.seq, "the end")
    hall.close()
    with closing(sqlite3.connect(tmp_path / "digside.sqlite")) as db:
        db.execute("DELETE FROM ends")
        db.execute("UPDATE entries SET body = CAST('{}' AS BLOB)")
        db.commit()
    hall = Hall(tmp_path)
    hall.count_up(2)
    assert hall.tables() == []
    assert [*hall.journal.damaged] == [table.id]


def test_a_table_of_a_game_that_is_gone_spoils_no_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hall = Hall(tmp_path)
    gone = hall.lay(Setup("shaft", "referee", SEATS))
    gone.end(HOST, gone.seq, "the end")
    hall.close()
    with closing(sqlite3.connect(tmp_path / "digside.sqlite")) as db:
        db.execute("DELETE FROM ends")
        db.commit()
    monkeypatch.setattr(games, "_elsewhere", dict)
    hall = Hall(tmp_path)
    assert not hall.count_up(2)
    assert [each.end for each in hall.tables()] == [None]
    with pytest.raises(Missing, match="shaft"):
        hall.table(gone.id)
    hall.close()
