"""Small files are there whole or not at all; a damaged one is set aside with a word, and stops nothing."""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.game import Seat
from companion.play.folder import FILE as TABLES
from companion.play.replacing import set_by
from companion.refusals import Malformed
from companion.terminal.appliance import Debian
from companion.terminal.doctor import HOUSE, house_of
from companion.whole_file import write_whole as written_by_companion
from hardware.choice import set_aside_damaged
from hardware.own_file import OWN_FILE
from hardware.whole_file import write_whole as written_by_hardware
from web_ui import broker
from web_ui.groups import FILE as GROUPS
from web_ui.groups import Groups
from web_ui.house import keep_house
from web_ui.owner import FILE, Owner

WRITERS = pytest.mark.parametrize("write", [written_by_companion, written_by_hardware], ids=["companion", "hardware"])


@WRITERS
def test_a_file_is_on_disk_before_it_takes_its_place_and_its_place_is_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: object
) -> None:
    done: list[str] = []
    fsync, replace = os.fsync, os.replace

    def synced(file: int) -> None:
        done.append("folder" if os.path.isdir(f"/proc/self/fd/{file}") else "file")
        fsync(file)

    def replaced(one: Path, other: Path) -> None:
        done.append("rename")
        replace(one, other)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", replaced)
    assert callable(write)
    write(tmp_path / "a.json", b"{}")
    assert done == ["file", "rename", "folder"]
    assert [each.name for each in tmp_path.iterdir()] == ["a.json"]


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of all files and folders that are synced, one after the other."""
    names, fsync = list[str](), os.fsync

    def noted(file: int) -> None:
        names.append(Path(f"/proc/self/fd/{file}").readlink().name)
        fsync(file)

    monkeypatch.setattr(os, "fsync", noted)
    return names


def test_what_is_copied_where_a_disk_knows_no_links_is_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, synced: list[str]
) -> None:
    def unknown(*_: object) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(os, "link", unknown)
    with closing(sqlite3.connect(tmp_path / TABLES)) as db:
        db.execute("CREATE TABLE tables (id)")
    assert set_by(tmp_path, "before")
    assert synced == [TABLES, "before.half", tmp_path.name]


def test_an_update_leaves_its_mark_and_the_tables_on_disk_before_it_begins(tmp_path: Path, synced: list[str]) -> None:
    """Whoever starts the machine after the plug was pulled finds them."""
    with closing(sqlite3.connect(tmp_path / TABLES)) as db:
        db.execute("CREATE TABLE tables (id)")
    (tmp_path / "before").mkdir()
    machine = Debian(tmp_path, tmp_path)
    machine.keep()
    assert synced[-1] == tmp_path.name
    synced.clear()
    machine.begin("1.0", "2.0")
    assert synced == ["under-way", "before"]


@WRITERS
def test_a_disk_that_does_not_take_it_leaves_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: object
) -> None:
    assert callable(write)
    write(tmp_path / "a.json", b"before")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write(tmp_path / "a.json", b"after")
    assert (tmp_path / "a.json").read_bytes() == b"before"
    assert [each.name for each in tmp_path.iterdir()] == ["a.json"]


def aside(folder: Path, name: str) -> list[bytes]:
    return [each.read_bytes() for each in folder.glob(f"{name}.damaged-*")]


@pytest.mark.parametrize("harm", [b"", b"\x00" * 40, b"\xff\xfe", b'{"key":'])
def test_a_damaged_owner_is_set_aside_and_another_is_said_to_begin(tmp_path: Path, harm: bytes) -> None:
    key = Owner(tmp_path).key
    (tmp_path / FILE).write_bytes(harm)
    owner = Owner(tmp_path)
    assert owner.key != key
    assert owner.damaged is not None
    assert aside(tmp_path, FILE) == [harm]
    assert Owner(tmp_path).key == owner.key


def test_an_owner_whose_file_is_damaged_while_the_service_runs_stays_the_owner(tmp_path: Path) -> None:
    owner = Owner(tmp_path)
    key = owner.key
    (tmp_path / FILE).write_bytes(b"\xff")
    assert owner.key == key
    assert Owner(tmp_path).key == key
    assert aside(tmp_path, FILE) == [b"\xff"]


def test_a_damaged_house_keeps_its_id_where_that_is_legible_and_says_so_where_not(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    house = keep_house(tmp_path, hub="http://a.local")
    file = tmp_path / HOUSE
    file.write_bytes(file.read_bytes()[:-3])
    assert house_of(tmp_path) is None
    assert keep_house(tmp_path).id == house.id
    assert "keeps its id" in caplog.text
    file.write_bytes(b"\x00" * 9)
    assert keep_house(tmp_path).id != house.id
    assert "another" in caplog.text
    assert len(aside(tmp_path, HOUSE)) >= 1
    assert json.loads(file.read_bytes())["id"]


@pytest.mark.parametrize("harm", [b"", b" \n", b"\x00" * 200, b'kind = "n\xf0ne"'])
def test_a_damaged_choice_is_set_aside_and_what_is_only_wrong_is_not(tmp_path: Path, harm: bytes) -> None:
    file = tmp_path / OWN_FILE
    assert set_aside_damaged(tmp_path) is None
    file.write_text('kind = "nonsense"\n')
    assert set_aside_damaged(tmp_path) is None
    assert file.exists()
    file.write_bytes(harm)
    assert set_aside_damaged(tmp_path) is not None
    assert not file.exists()
    assert aside(tmp_path, OWN_FILE) == [harm]


def test_damaged_settings_of_a_broker_are_set_aside(tmp_path: Path) -> None:
    broker.keep(tmp_path, broker.Broker.of("mqtt://broker.local"))
    (tmp_path / broker.FILE).write_bytes(b"\xff")
    with pytest.raises(Malformed):
        broker.kept(tmp_path)
    assert broker.kept(tmp_path) is None
    assert aside(tmp_path, broker.FILE) == [b"\xff"]


@pytest.mark.parametrize("harm", [b"", b"\xff\xfe", b"[[", b'[[{"name":7}]]'])
def test_people_who_play_together_are_typed_again_where_their_file_is_damaged(tmp_path: Path, harm: bytes) -> None:
    groups = Groups(tmp_path)
    (tmp_path / GROUPS).write_bytes(harm)
    assert groups.all() == ()
    assert aside(tmp_path, GROUPS) == [harm]
    groups.note([Seat("Ada"), Seat("Ben")])
    assert [[person.name for person in group] for group in groups.all()] == [["Ada", "Ben"]]
