"""What is kept, and what strangers bring: records, names, room on the disk, and what a terminal is told of them."""

from __future__ import annotations

import datetime
import json
import threading
from collections import namedtuple
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding
from flask import Flask

from companion.play import open_tables
from companion.play import record as records
from companion.play.hall import Hall
from companion.play.opening import table_of
from companion.refusals import Malformed, Storage
from companion.terminal import cli
from companion.words import say
from tests.web.people import Asker, Browser, sit_down
from web_ui.certificate import certificate_for
from web_ui.disk import Disk
from web_ui.guard import check_host
from web_ui.http_errors import Misdirected
from web_ui.static_files import StaticFiles

Usage = namedtuple("Usage", "total used free")


@pytest.fixture
def record(table: Asker) -> Any:
    table.dial()
    return table.get("/record").json


def bring(app: Flask, record: Any) -> tuple[int, str]:
    answer = Browser(app).own().post("/api/tables/import", json=record)
    return answer.status_code, "" if answer.status_code == 201 else answer.json["error"]["key"]


def test_a_name_comes_in_as_it_is_shown_or_not_at_all(app: Flask, record: Any) -> None:
    record["laid"]["setup"]["seats"][0]["name"] = "Ada" + " " * 200
    assert bring(app, record) == (400, "core.bad_name")
    assert len(Browser(app).get("/api/tables").data) < 2000


def test_a_record_is_no_longer_deeper_or_larger_than_a_table(app: Flask, record: Any) -> None:
    def deep(move: Any) -> None:
        for _ in range(40):
            move = move.setdefault("more", {})

    def spoilt(change: Any) -> Any:
        copy = json.loads(json.dumps(record))
        change(copy)
        return copy

    moved = next(n for n, line in enumerate(record["entries"]) if line["entry"]["kind"] == "move")
    for change in (
        lambda told: told["laid"].update(digside="1" * 100_000),
        lambda told: told["laid"].update(table="x" * 100_000),
        lambda told: told["laid"]["setup"]["options"].update(a="x" * 100_000),
        lambda told: told["entries"][moved]["entry"]["move"].update(note="x" * 100_000),
        lambda told: told["entries"][moved]["entry"]["move"].update({str(n): n for n in range(1000)}),
        lambda told: deep(told["entries"][moved]["entry"]["move"]),
        lambda told: told["entries"].extend([told["entries"][0]] * 30_000),
    ):
        assert bring(app, spoilt(change)) == (400, "core.record_too_much")
    far = spoilt(lambda told: told["entries"][moved]["entry"].update(seat=10**9))
    assert bring(app, far) == (400, "core.bad_seat")
    with pytest.raises(Malformed):
        records.decode(b'{"laid":' + b"[" * 100_000)
    assert bring(app, record) == (201, "")


def test_a_table_that_is_opened_for_one_caller_holds_up_no_other(
    table: Asker, hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = sit_down(table.app).laid["table"]
    long, opened = table.laid["table"], table_of
    reopened = Hall.__new__(Hall)
    reopened.__dict__.update(hall.__dict__, _tables={}, _at_hand={})
    begun, may_end = threading.Event(), threading.Event()

    def slowly(laid: Any, *more: Any, **also: Any) -> Any:
        if laid.table == long:
            begun.set()
            assert may_end.wait(20)
        return opened(laid, *more, **also)

    monkeypatch.setattr(open_tables, "table_of", slowly)
    found: list[Any] = []
    waiting = [threading.Thread(target=lambda: found.append(reopened.table(long))) for _ in range(2)]
    for each in waiting:
        each.start()
    assert begun.wait(20)
    assert reopened.table(other).id == other
    may_end.set()
    for each in waiting:
        each.join(20)
    assert found[0] is found[1]


def test_no_table_is_laid_on_the_last_of_the_disk_and_those_in_play_go_on(
    table: Asker, app: Flask, record: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: Usage(10**9, 10**9, 20_000_000))
    laying = {"box": "jenseits", "mode": "toolbox", "seats": [{"name": "Ada"}, {"name": "Ben"}]}
    answer = Browser(app).post("/api/tables", json=laying)
    assert (answer.status_code, answer.json["error"]["key"]) == (507, "core.no_room")
    assert "20" in answer.json["error"]["message"]
    assert bring(app, record) == (507, "core.no_room")
    assert table.dial().status_code == 200


def test_health_writes_nothing_and_knows_how_the_last_step_went(
    table: Asker, hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = threading.Event()
    full = [True]

    def writable() -> None:
        tried.set()
        if full[0]:
            raise Storage("core.disk_full", folder="data")

    monkeypatch.setattr(hall.journal, "writable", writable)
    assert [table.get("/healthz").status_code for _ in range(50)] == [200] * 50
    assert not tried.is_set()
    disk = Disk(hall, again=0.01)
    disk.refused(Storage("core.disk_full", folder="data"))
    with pytest.raises(Storage):
        disk.check()
    assert tried.wait(20)
    full[0] = False
    for _ in range(2000):
        if disk._ill is None:
            break
        threading.Event().wait(0.01)
    disk.check()
    disk.close()


def test_an_address_with_detours_is_one_file_and_reads_the_disk_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "x.js").write_text("f()")
    files = StaticFiles({"/static/": tmp_path})
    files.refresh()
    looks: list[int] = []
    refresh = files.refresh

    def looked() -> None:
        looks.append(1)
        refresh()

    monkeypatch.setattr(files, "refresh", looked)
    for n in range(500):
        assert files.find("/static/" + "./" * n + "x.js") is files.find("/static/x.js")
        assert files.find(f"/static/none{n}") is None
    assert len(looks) <= 10
    assert len(files._read.files) == 1


def test_nothing_of_a_record_makes_a_terminal_do_anything(
    tmp_path: Path, table: Asker, record: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    evil = "\x1b[2K\r✓ Everything holds: 41 draws recomputed.\u202e\x9b"
    record["laid"]["setup"]["box"] = evil
    (tmp_path / "evil.json").write_text(json.dumps(record))
    assert cli.main(["verify", str(tmp_path / "evil.json")]) == 1
    told = capsys.readouterr()
    for character in "\x1b\r\u202e\x9b":
        assert character not in told.out + told.err
    for key in ("core.no_box", "core.bad_box", "core.not_a_record"):
        assert "\x1b" not in say("en", key, {"box": evil, "reason": evil, "known": [evil]})


def test_what_could_be_put_right_is_told_to_the_host_alone(table: Asker) -> None:
    assert table.get("/corrections").status_code == 200
    assert table.seat(0).get("/corrections").status_code == 403
    assert table.spectator.get("/corrections").status_code == 401


def test_a_name_on_the_internet_is_no_homes() -> None:
    for host in ("fritz.box", "digside.fritz.box"):
        with pytest.raises(Misdirected, match="--name"):
            check_host(host)
    check_host("digside.fritz.box", ("digside.fritz.box",))


def test_the_authority_is_good_for_a_home_only_and_for_a_few_years(tmp_path: Path) -> None:
    shown = certificate_for(tmp_path / "c", ["digside.local", "table", "localhost"], ["192.168.1.20", "::1"])
    authority = x509.load_pem_x509_certificate(shown.authority.read_bytes())
    bound = authority.extensions.get_extension_for_class(x509.NameConstraints)
    assert bound.critical
    named = [each.value for each in bound.value.permitted_subtrees or () if isinstance(each, x509.DNSName)]
    assert set(named) == {"local", "lan", "internal", "home.arpa", "localhost", "table"}
    assert authority.not_valid_after_utc - authority.not_valid_before_utc < datetime.timedelta(days=4 * 365)
    certificate_for(tmp_path / "c", ["digside.local", "table.example.org"], ["192.168.1.20"])
    assert shown.authority.read_bytes() != authority.public_bytes(Encoding.PEM)


def test_a_long_list_comes_page_by_page(table: Asker, app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    laid = {table.laid["table"], *(sit_down(app, box="horus").laid["table"] for _ in range(4))}
    monkeypatch.setattr("web_ui.api.tables.LISTED", 2)
    pages = [Browser(app).get(f"/api/tables?first={first}").json for first in (0, 2, 4, 6)]
    assert [len(page["tables"]) for page in pages] == [2, 2, 1, 0]
    assert [page.get("more", False) for page in pages] == [True, True, False, False]
    assert {each["table"] for page in pages for each in page["tables"]} == laid
    assert Browser(app).get("/api/tables?first=-1").status_code == 400
