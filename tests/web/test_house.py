"""The page of the house: every table of it, the calls for its host, and what other Pis tell."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask import Flask
from msgspec.structs import replace

from companion.game import Seat, Setup
from companion.play.entries import Departure
from companion.play.hall import Hall
from companion.refusals import Malformed, StorageUnavailable
from hardware.face import NoRig
from tests.web.broker import until
from tests.web.conftest import UNCOUNTED
from tests.web.live import Line, Live
from tests.web.people import Asker, Browser, sit_down
from web_ui import house as house_module
from web_ui import whole_house
from web_ui.app import create_app
from web_ui.house import HouseEvent, RigNow, SeatNow, TableNow
from web_ui.service import Service
from web_ui.whole_house import OtherTold, PiTold, TableTold, addresses

MANY = 200


def house(app: Flask) -> Any:
    told = Browser(app).get("/api/house")
    assert told.status_code == 200, told.text
    return told.json


def table_in(app: Flask, host: Asker) -> Any:
    """A table as the house is told of it, or nothing."""
    return next((each for each in house(app)["here"]["tables"] if each["now"]["table"] == host.laid["table"]), None)


def test_the_house_shows_what_everybody_sees(app: Flask) -> None:
    host = sit_down(app, mode="referee")
    told = table_in(app, host)
    view = host.spectator.view
    assert told["call"] is None
    assert told["now"]["turn"] == view["ask"]["seat"]
    assert [seat["name"] for seat in told["now"]["seats"]] == [seat["name"] for seat in view["seats"]]
    assert (told["now"]["seq"], told["now"]["box"]) == (view["seq"], view["box"])
    assert [host.laid["host"] in str(told), host.laid["seats"][0] in str(told)] == [False, False]
    assert host.press("/close").status_code == 200
    until(lambda: table_in(app, host) is None, "the end")


def test_whoever_sits_here_calls_once_and_takes_it_back(app: Flask) -> None:
    host = sit_down(app)
    assert host.spectator.post("/call", {"wanted": True}).status_code == 401
    called = host.seat(0).post("/call", {"wanted": True}).json
    assert host.post("/call", {"wanted": True}).json == called
    assert host.spectator.get("/call").json == called
    assert table_in(app, host)["call"] == called["at"]
    assert host.spectator.post("/call", {"wanted": False}).status_code == 401
    assert host.seat(1).post("/call", {"wanted": False}).json == {"at": None}
    assert table_in(app, host)["call"] is None
    host.post("/call", {"wanted": True})
    assert host.owner.post("/call", {"wanted": True}).status_code == 401, "an owner answers, and does not call"
    assert host.owner.post("/call", {"wanted": False}).json == {"at": None}


def test_who_calls_again_and_again_is_asked_to_wait(app: Flask) -> None:
    host, other = sit_down(app), sit_down(app)
    told = [host.post("/call", {"wanted": number % 2 == 0}).status_code for number in range(MANY)]
    assert 429 in told
    assert host.post("/call", {"wanted": False}).status_code == 200, "taking it back is never too much"
    assert other.post("/call", {"wanted": True}).status_code == 200


def test_a_key_of_another_table_calls_nobody(app: Flask) -> None:
    host, other = sit_down(app), sit_down(app)
    assert host.with_key(other.laid["host"]).post("/call", {"wanted": True}).status_code == 401


def test_nobody_calls_any_more_when_a_table_is_over(app: Flask) -> None:
    host = sit_down(app)
    house(app)
    host.post("/call", {"wanted": True})
    host.press("/close")
    until(lambda: host.get("/call").json == {"at": None}, "the end")


def test_nothing_is_made_while_nobody_looks(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    service: Service = app.extensions["digside"]
    host = sit_down(app)
    assert not service.house.now
    monkeypatch.setattr(whole_house, "GLANCE", 0.0)
    house(app)
    until(lambda: not service.house._ears, "that nobody looks")
    before = service.house.now.copy()
    host.dial()
    assert not service.house._dirty
    assert service.house.now == before


@pytest.fixture
def looked_away(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Waits until nobody looks any more."""
    service: Service = app.extensions["digside"]
    monkeypatch.setattr(whole_house, "GLANCE", 0.0)
    return lambda: until(lambda: not service.house._ears, "that nobody looks")


def test_what_became_of_tables_while_nobody_looked_is_seen_by_who_looks_again(
    app: Flask, hall: Hall, looked_away: Callable[[], None]
) -> None:
    service: Service = app.extensions["digside"]
    ended, deleted, left, stays = (sit_down(app) for _ in range(4))
    until(lambda: table_in(app, stays), "the tables")
    looked_away()
    assert ended.press("/close").status_code == 200
    service.delete(deleted.laid["table"])
    table = hall.table(left.laid["table"])
    hall.send(table, Departure("t" * 20, "http://x.lan", "h", there=True))
    service.left(table)
    house(app)
    until(lambda: table_in(app, ended) is None, "the end")
    assert [table_in(app, each) for each in (deleted, left)] == [None, None]
    assert table_in(app, stays)


def test_what_happened_while_nobody_listened_is_no_news(app: Flask, looked_away: Callable[[], None]) -> None:
    service: Service = app.extensions["digside"]
    ended, goes_on = sit_down(app), sit_down(app)
    house(app)
    looked_away()
    ended.press("/close")
    goes_on.dial()
    ear = Heard()
    service.house.listen(ear)
    until(lambda: goes_on.laid["table"] in ear.tables, "the table")
    assert ear.tables == {goes_on.laid["table"]: goes_on.view["seq"]}
    assert ear.events == []


class Heard:
    """An ear that keeps what it is told."""

    def __init__(self) -> None:
        self.tables: dict[str, int] = {}
        self.events: list[HouseEvent] = []
        self.left: list[str] = []
        self.whole = 0

    def table(self, now: TableNow, events: Sequence[HouseEvent]) -> None:
        self.tables[now.table] = now.seq
        self.events += events

    def table_gone(self, table: str) -> None:
        self.left.append(table)

    def rig(self, now: RigNow) -> None:
        pass

    def all_told(self, *, again: bool) -> None:
        self.whole += again


def test_a_table_that_arrives_is_told_of_like_one_that_is_played(app: Flask, hall: Hall, tmp_path: Path) -> None:
    """Whether somebody opens it at once, or nobody does."""
    ear = Heard()
    app.extensions["digside"].house.listen(ear)
    there = Hall(tmp_path / "there")
    for number in range(2):
        table = there.lay(Setup("horus", "toolbox", (Seat("Ada"), Seat("Ben"))))
        ticket = f"a-ticket-of-its-own-{number}"
        there.send(table, Departure(ticket, "http://here.lan", "this-house"))
        hall.arrive(ticket, "this-house", table.laid, table.dealer.secret, table.keys, table.written)
        if number:
            assert Browser(app).get(f"/api/tables/{table.id}").status_code == 200
        until(lambda: table.id in ear.tables, "the table")  # noqa: B023
    assert ear.left == []
    there.close()


def test_a_table_of_long_ago_that_is_opened_is_not_in_play_until_it_calls(
    app: Flask, hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as past:
        past.setattr(hall, "_wall_clock", lambda: (time.time_ns() // 1_000_000) - 400 * 24 * 3600 * 1000)
        old = sit_down(app)
        old.dial()
    new = sit_down(app)
    until(lambda: table_in(app, new), "a table of today")
    assert old.get().status_code == 200
    new.dial()
    until(lambda: table_in(app, new)["now"]["seq"] == new.view["seq"], "what came after it")
    assert table_in(app, old) is None
    old.post("/call", {"wanted": True})
    until(lambda: table_in(app, old), "who calls")
    app.extensions["digside"].house._forget_old()
    assert table_in(app, old)["call"]


def test_nothing_is_said_to_be_gone_because_it_cannot_be_read_now(
    app: Flask, hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house_module, "TRIED_AGAIN", 0.01)
    service: Service = app.extensions["digside"]
    ear, host = Heard(), sit_down(app)
    service.house.listen(ear)
    until(lambda: ear.whole == 1, "the table")

    def away(*_: object, **__: object) -> Any:
        raise StorageUnavailable("core.database_away")

    with monkeypatch.context() as cut:
        cut.setattr(hall, "tables", away)
        cut.setattr(hall, "table", away)
        service.house.again()
        service.house.changed(host.laid["table"])
        until(lambda: host.laid["table"] in service.house._elsewhere, "a look that came to nothing")
    until(lambda: ear.whole == 2, "that all is told once it can be read")
    assert ear.left == []


def test_what_is_noted_in_the_middle_of_a_turn_is_told_in_the_next(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    service: Service = app.extensions["digside"]
    ear, host = Heard(), sit_down(app)
    found = service.house._in_play

    def meanwhile() -> list[str]:
        there = found()
        if len(asked) < 2:
            asked.append(host.dial().json["seq"])
            service.house.again()
        return there

    asked: list[int] = []
    monkeypatch.setattr(service.house, "_in_play", meanwhile)
    service.house.listen(ear)
    until(lambda: ear.whole == 3, "each time that was asked for")
    assert ear.tables == {host.laid["table"]: asked[-1]}


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Live]:
    """Another Pi, a real service."""
    live = Live(tmp_path / "other")
    yield live
    live.stop()


@pytest.mark.slow
def test_other_pis_are_shown_and_said_to_be_away(tmp_path: Path, other: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_house, "ASKED_EVERY", 0.05)
    _, laid = other.lay()
    here = f"http://127.0.0.1:{other.port}"
    hall = Hall(tmp_path / "here")
    (tmp_path / "here" / "house.txt").write_text("http://127.0.0.1:9  # nobody\n")
    app = create_app(hall, NoRig(), settings=UNCOUNTED.__class__(house=(here,)))
    try:
        until(lambda: house(app)["others"][0]["pi"], "the other")
        told, nobody = house(app)["others"]
        assert [each["now"]["table"] for each in told["pi"]["tables"]] == [laid["table"]]
        until(lambda: house(app)["others"][1]["away"], "that nobody answers")
        assert (told["away"], nobody["pi"]) == (None, None)
        line = Line(other.port, "/api/house/stream")
        events = line.views()
        next(events)
        other.call("POST", f"/api/tables/{laid['table']}/call", {"wanted": True}, key=laid["host"])
        assert any(each.data["here"]["tables"][0]["call"] for each in events)
        line.close()
        until(lambda: house(app)["others"][0]["pi"]["tables"][0]["call"], "the call there")
        other.stop()
        until(lambda: house(app)["others"][0]["away"], "that it is away")
        assert house(app)["others"][0]["pi"]["tables"], "it is shown as it was"
    finally:
        app.extensions["digside"].close()
        hall.close()


Answers = Callable[[socket.socket], None]


@pytest.fixture
def strange(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Other Pis that answer as a test says, by what they answer with."""
    monkeypatch.setattr(whole_house, "ASKED_EVERY", 0.05)
    doors: list[socket.socket] = []
    whole = app.extensions["digside"].whole_house

    def beside(**pis: Answers) -> None:
        for name, answers in pis.items():
            door = socket.create_server(("127.0.0.1", 0))
            doors.append(door)
            address = f"http://127.0.0.1:{door.getsockname()[1]}"
            whole._others[address] = OtherTold(address, None, PiTold(name, (), None))
            threading.Thread(target=_stand, args=(door, answers), daemon=True).start()

    yield beside
    for door in doors:
        door.close()


def _stand(door: socket.socket, answers: Answers) -> None:
    with suppress(OSError):
        while True:
            taken, _ = door.accept()
            threading.Thread(target=_answer, args=(taken, answers), daemon=True).start()


def _answer(taken: socket.socket, answers: Answers) -> None:
    with taken, suppress(OSError):
        taken.recv(9999)
        answers(taken)


def says(*said: bytes) -> Answers:
    return lambda taken: taken.sendall(b"".join(said))


def drips(taken: socket.socket) -> None:
    """A byte now and then, without an end."""
    while True:
        taken.sendall(b"HTTP/1.0 200 OK\r\n"[:1])
        time.sleep(0.05)


def well(pi: PiTold) -> Answers:
    return says(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n", msgspec.json.encode(pi))


def pis(app: Flask) -> dict[str, Any]:
    """The other Pis by their names."""
    return {each["pi"]["name"]: each for each in house(app)["others"]}


def test_a_pi_that_is_not_well_is_away_and_keeps_no_other_from_being_asked(
    app: Flask, strange: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(whole_house, "ANSWERED_WITHIN", 0.3)
    resolved = socket.getaddrinfo

    def slow(host: str, *more: Any, **all_else: Any) -> Any:
        if host == "slow.lan":
            nobody_knows.wait()
        return resolved(host, *more, **all_else)

    nobody_knows = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", slow)
    asked: list[int] = []

    def answers(taken: socket.socket) -> None:
        asked.append(1)
        well(PiTold("well", (), None))(taken)

    ill = {
        "is_no_digside": says(b"SSH-2.0-OpenSSH\r\n\r\n"),
        "says_nothing": says(),
        "has_none": says(b"HTTP/1.1 404 Not Found\r\n\r\n{}"),
        "goes_deep": says(b'HTTP/1.1 200 OK\r\n\r\n{"more":', b"[" * 9999),
        "says_too_much": says(b"HTTP/1.1 200 OK\r\n\r\n", b" " * (whole_house.LONGEST + 9)),
        "drips": drips,
    }
    strange(well=answers, **ill)
    app.extensions["digside"].whole_house._others["http://slow.lan"] = OtherTold(
        "http://slow.lan", None, PiTold("slow", (), None)
    )
    until(lambda: {name for name, each in pis(app).items() if each["away"]} == {*ill, "slow"}, "those that are away")
    before = len(asked)
    until(lambda: len(asked) > before + 3, "that the one that is well is asked on and on")
    nobody_knows.set()


def test_what_a_newer_or_lying_pi_tells_is_shown_as_far_as_it_is_known(
    app: Flask, strange: Callable[..., None]
) -> None:
    seats = (SeatNow("Ada", "#c8553d", "heptagon", 3, None), SeatNow("Ben", "red", "star", None, None))
    now = TableNow("abcde", "jenseits", "referee", seats, 7, 9, "move", None, over=False, winners=())
    strange(newer=well(PiTold("newer", (TableTold(now), TableTold(replace(now, table="b", turn=-1))), None)))
    until(lambda: pis(app)["newer"]["pi"]["tables"], "its tables")
    told = [each["now"] for each in pis(app)["newer"]["pi"]["tables"]]
    assert [each["turn"] for each in told] == [None, None]
    assert [seat["shape"] for seat in told[0]["seats"]] == ["circle", "star"]


def test_the_times_of_another_pi_are_by_its_own_clock(app: Flask, strange: Callable[..., None]) -> None:
    """One without a clock of its own thinks that it is another year; its figures alone are no news."""
    year, rig = 365 * 24 * 3600 * 1000, RigNow("sim", "off", None, True, 1.0, 0, 0, stale=False)
    clock = time.time_ns() // 1_000_000 - year
    asked: list[int] = []

    def answers(taken: socket.socket) -> None:
        asked.append(1)
        well(PiTold("late", (), replace(rig, rtt_ms=len(asked) * 1.5), clock + len(asked)))(taken)

    strange(late=answers)
    until(lambda: pis(app)["late"]["ahead"] < 0, "its clock")
    assert abs(pis(app)["late"]["ahead"] + year) < 30_000
    whole = app.extensions["digside"].whole_house
    until(lambda: len(asked) > 9, "that all that is so has been told")
    told, before = whole._seq, len(asked)
    until(lambda: len(asked) > before + 3, "more of them")
    assert whole._seq == told
    assert house(app)["here"]["clock"] > clock + year


@pytest.mark.parametrize(
    "said", ["ftp://a", "http://", "http://a/b", "http://u:p@a", "javascript:alert(1)", "a", "http://a:b"]
)
def test_what_is_no_address_of_a_pi_stops_the_start(said: str, tmp_path: Path) -> None:
    with pytest.raises(Malformed):
        addresses((said,), tmp_path)
    assert addresses(("http://pi2:8765/",), tmp_path) == ("http://pi2:8765",)
