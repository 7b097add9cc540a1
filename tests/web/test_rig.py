"""The shovel over HTTP, with the simulated world beside the table."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.play.hall import Hall
from hardware.events import LiftBegun, LiftDone, LiftDoubted, LiftFailed, LiftHeld, LiftSettled, LinkDown, Pressed
from hardware.face import Rig
from hardware.live import LiveRig
from hardware.rig import open_rig
from tests.web.conftest import UNCOUNTED
from tests.web.people import Asker, Browser, Told, sit_down
from web_ui.app import create_app
from web_ui.rig_at_table import RigAtTable, told

FREE = ("/api/rig", "/api/rig/shovel", "/api/rig/calibrate", "/api/rig/world")


@pytest.fixture
def ahead() -> list[float]:
    """By how much the rig's clock is ahead of this computer's."""
    return [0.0]


@pytest.fixture
def rig(tmp_path: Path, ahead: list[float]) -> Iterator[Rig]:
    """The simulated rig."""
    with open_rig("sim", data=tmp_path, clock=lambda: time.monotonic() + ahead[0]) as rig:
        yield rig


@pytest.fixture
def device(table: Asker) -> Browser:
    """The host's tablet, which is the owner's too: its cookies say who it is."""
    device = Browser(table.app).own()
    device.keep(f"digside-{table.laid['table']}", table.laid["host"])
    return device


def until(is_so: Callable[[], Any], seconds: float = 20.0) -> None:
    """Wait for the simulated world, which moves by itself."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.parametrize("delay", [0.0, 0.2])
def test_a_lift_right_after_the_rig_was_taken_is_lifted_though_the_wire_is_slow(
    tmp_path: Path, hall: Hall, delay: float
) -> None:
    """Whoever takes the rig stops it in the same moment."""
    file = tmp_path / "slow.toml"
    port = f"sim://slow{delay}?card=1&delay={delay}"
    file.write_text(f'kind = "serial"\n[serial]\nport = "{port}"\n[sensor]\ntype = "mpx5100dp"\n')
    with open_rig(file, data=tmp_path) as rig:
        app = create_app(hall, rig, settings=UNCOUNTED)
        host = sit_down(app, box="tutankhamun", mode="referee", seats=[{"name": "Ada"}, {"name": "Ben"}])
        until(lambda: (shovel := rig.state().shovel) is not None and shovel.vacuum_kpa is not None)
        square = next(move["square"] for move in host.get("/moves").json["moves"] if move["type"] == "dig")
        host.post("/rig/leave", {})
        host.post("/rig", {})
        assert host.press("/moves", move={"type": "dig", "square": square}).status_code == 202
        until(lambda: (told := host.get("/api/rig").json)["ended"] or told["waiting"]["state"] == "held")
        assert host.get("/api/rig").json["ended"] is None
        app.extensions["digside"].close()


def test_the_state_of_the_rig_is_everybodys_to_see(table: Asker) -> None:
    told = table.spectator.get("/api/rig").json
    assert told["kind"] == "sim"
    assert told["shovel"]["state"] == "off"
    assert told["table"] == table.laid["table"]


def test_a_lift_holds_and_lets_go(device: Browser) -> None:
    assert device.post("/api/rig/world", json={"do": "card"}).json["world"]["card"] is True
    assert device.post("/api/rig/shovel", json={"do": "grip"}).json["shovel"]["state"] == "priming"
    until(lambda: device.get("/api/rig").json["shovel"]["state"] == "holding")
    assert device.post("/api/rig/shovel", json={"do": "release"}).json["shovel"]["state"] == "releasing"


def test_a_program_uses_the_shovel_with_nothing_but_a_hosts_key(table: Asker) -> None:
    assert table.post("/api/rig/world", {"do": "card"}).json["world"]["card"] is True
    assert table.post("/api/rig/shovel", {"do": "grip"}).json["shovel"]["state"] == "priming"
    assert table.post("/api/rig/shovel", {"do": "stop"}).json["shovel"]["pump"] is False
    assert table.get("/api/rig/hands").json == {"uses": True, "owner": False, "tables": []}


def test_anybody_may_stop_and_may_stop_again(device: Browser, table: Asker) -> None:
    device.post("/api/rig/world", json={"do": "card"})
    device.post("/api/rig/shovel", json={"do": "grip"})
    for _ in range(2):
        answer = table.spectator.post("/api/rig/shovel", {"do": "stop"})
        assert answer.status_code == 200
        assert answer.json["shovel"]["pump"] is False


LIFTS = [("/api/rig/shovel", {"do": "grip"}), ("/api/rig/world", {"do": "card"})]
OWNED = [
    ("/api/rig/calibrate", {"reading": "ambient"}),
    ("/api/rig/shovel", {"do": "calibrate"}),
    ("/api/rig/shovel", {"do": "clear"}),
]


@pytest.mark.parametrize(("path", "body"), LIFTS, ids=str)
def test_the_rig_obeys_the_host_of_its_table_and_the_owner(table: Asker, path: str, body: dict[str, object]) -> None:
    other = sit_down(table.app)
    for asker in (table.spectator, table.seat(0), other, table.with_key("one that opens nothing")):
        answer = asker.post(path, body)
        assert (answer.status_code, answer.json["error"]["key"]) == (401, "web.rig_not_yours")
    for asker in (table, table.owner):
        assert asker.post(path, body).status_code in {200, 422}


@pytest.mark.parametrize(("path", "body"), OWNED, ids=str)
def test_what_stays_with_the_shovel_is_the_owners(table: Asker, path: str, body: dict[str, object]) -> None:
    for asker in (table.spectator, table.seat(0), table, table.with_key("one that opens nothing")):
        answer = asker.post(path, body)
        assert (answer.status_code, answer.json["error"]["key"]) == (401, "web.owner_only")
    assert table.owner.post(path, body).status_code in {200, 422}


def test_a_fault_is_cleared_by_the_owner(table: Asker) -> None:
    table.post("/api/rig/world", {"do": "brown_out"})
    until(lambda: table.get("/api/rig").json["shovel"]["fault"])
    for guest in (table.spectator, table.seat(0), table):
        assert guest.post("/api/rig/shovel", {"do": "clear"}).status_code == 401
    until(lambda: table.owner.post("/api/rig/shovel", {"do": "clear"}).status_code == 200)
    assert table.get("/api/rig").json["shovel"]["fault"] is None


def test_a_lift_in_a_toolbox_is_finished_by_anybodys_word(table: Asker) -> None:
    host = sit_down(table.app, box="tutankhamun")
    host.owner.post("/rig", {})
    world = "/api/rig/world"
    move = {"type": "shovel", "do": "release"}
    ways: tuple[Callable[[], Told], ...] = (
        lambda: host.seat(1).post("/api/rig/shovel", {"do": "release"}),
        lambda: host.seat(1).press("/moves", move=move),
        lambda: host.press("/moves", move=move),
        lambda: host.post("/api/rig/shovel", {"do": "release"}),
    )
    for n, let_go in enumerate(ways):
        until(lambda: host.get("/api/rig").json["shovel"]["state"] == "off")
        host.post(world, {"do": "card"})
        dig = {"seq": host.view["seq"], "request": f"dig {n}", "move": {"type": "uncover", "square": "a1"}}
        assert host.seat(0).post("/moves", dig).status_code == 202
        until(lambda: host.get("/api/rig").json["shovel"]["state"] == "holding")
        assert let_go().status_code in {200, 202}
        host.post(world, {"do": "no_card"})
        until(lambda: host.get("/api/rig").json["waiting"] is None)
        assert host.get("/api/rig").json["ended"] is None
        assert [line["what"].get("type") for line in host.view["log"]].count("uncover") == n + 1


def test_a_loop_that_hangs_is_told_by_the_rig_by_health_and_by_figures(
    table: Asker, rig: Rig, ahead: list[float]
) -> None:
    released, hanging = threading.Event(), threading.Event()

    def hang(now: float) -> None:
        hanging.set()
        released.wait(30.0)

    assert isinstance(rig, LiveRig)
    assert (table.get("/api/rig").json["stale"], table.get("/healthz").json["ok"]) == (False, True)
    rig.put(hang)
    assert hanging.wait(30.0)
    ahead[0] = 5.0
    told = table.spectator.get("/api/rig").json
    assert told["stale"] is True
    assert told["age_s"] >= 5.0
    health = table.get("/healthz")
    assert (health.status_code, health.json["error"]["key"]) == (503, "web.rig_hangs")
    assert float(table.get("/metrics").text.split("\ndigside_rig_age_seconds ")[1].split()[0]) >= 5.0
    assert table.spectator.post("/api/rig/shovel", {"do": "stop"}).status_code == 200
    assert not RigAtTable(rig).can_lift()
    released.set()
    ahead[0] = 0.0
    until(lambda: table.get("/healthz").status_code == 200)
    assert table.get("/api/rig").json["stale"] is False


def test_what_the_shovel_refuses_is_said_in_words(device: Browser) -> None:
    answer = device.post("/api/rig/shovel", json={"do": "confirm"})
    assert answer.status_code == 422
    assert answer.json["error"]["code"] == "nothing_to_confirm"
    assert answer.json["error"]["key"] == "shovel.refused.nothing_to_confirm"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/rig/shovel", {"do": "fly"}),
        ("/api/rig/shovel", {}),
        ("/api/rig/calibrate", {"reading": "x"}),
        ("/api/rig/world", {"do": "leak", "value": "much"}),
        ("/api/rig/world", {"do": "leak", "value": -1}),
    ],
    ids=str,
)
def test_what_no_rig_understands_is_malformed(device: Browser, path: str, body: dict[str, object]) -> None:
    assert device.post(path, json=body).status_code == 400


def test_a_guided_reading(device: Browser) -> None:
    until(lambda: device.post("/api/rig/calibrate", json={"reading": "ambient"}).json.get("ambient") is not None)
    assert device.post("/api/rig/calibrate", json={"reading": "sealed"}).json["error"]["code"] == "open_first"


def test_the_rig_stays_with_its_table_until_it_is_over_or_another_claims_it(table: Asker) -> None:
    other = sit_down(table.app, box="horus")
    assert table.get("/api/rig").json["table"] == table.laid["table"]
    assert other.owner.post("/rig", {}).json["table"] == other.laid["table"]
    other.press("/close")
    table.dial()
    assert table.get("/api/rig").json["table"] == table.laid["table"]


def test_a_rig_that_was_taken_away_waits_to_be_given(table: Asker) -> None:
    other = sit_down(table.app, box="horus")
    assert other.owner.post("/rig/leave", {}).json["table"] == table.laid["table"]  # it is not this table's to leave
    left = table.owner.post("/rig/leave", {}).json
    assert (left["table"], left["put_by"]) == (None, True)
    table.dial()
    other.press("/moves", move={"type": "block"})
    assert table.get("/api/rig").json["table"] is None
    given = other.owner.post("/rig", {}).json
    assert (given["table"], given["put_by"]) == (other.laid["table"], False)


def test_the_shared_screens_plans_alone_are_shown(table: Asker) -> None:
    """What a seat plans on its phone is its own."""
    assert table.post("/rig/plan", {"weeks": 5}).status_code == 200
    for asker in (table.spectator, table.seat(0)):
        assert asker.post("/rig/plan", {"weeks": 5}).status_code in {401, 403}
    assert table.post("/rig/plan", {"weeks": 53}).status_code == 400


@pytest.mark.parametrize("path", ["/rig", "/rig/leave"])
def test_only_the_owner_and_hosts_give_and_take_the_rig(table: Asker, path: str) -> None:
    for asker in (table.spectator, table.seat(0)):
        assert asker.post(path, {}).status_code in {401, 403}
    assert table.get("/api/rig").json["table"] == table.laid["table"]


def test_a_host_has_the_rig_for_the_asking_unless_another_table_lifts(table: Asker) -> None:
    """Nobody needs the owner for it."""
    other = sit_down(table.app, box="horus")
    assert other.post("/rig", {}).json["table"] == other.laid["table"]
    other.post("/rig/leave", {})
    assert table.post("/rig", {}).json["table"] == table.laid["table"]
    table.post("/api/rig/world", {"do": "card"})
    assert table.post("/api/rig/shovel", {"do": "grip"}).status_code == 200
    until(lambda: table.get("/api/rig").json["shovel"]["state"] == "holding")
    assert other.post("/rig", {}).status_code == 403
    assert table.get("/api/rig").json["table"] == table.laid["table"]
    assert other.owner.post("/rig", {}).json["table"] == other.laid["table"]


def test_a_screen_learns_what_it_may_do_with_the_rig(table: Asker) -> None:
    own, other = table.laid["table"], sit_down(table.app, box="horus")
    hosts = Browser(table.app)
    assert hosts.get("/api/rig/hands").json == {"uses": False, "owner": False, "tables": []}
    hosts.keep("digside-no-table", "any")
    hosts.keep(f"digside-{other.laid['table']}", other.laid["host"])
    assert hosts.get("/api/rig/hands").json == {"uses": False, "owner": False, "tables": [other.laid["table"]]}
    hosts.keep(f"digside-{own}", table.laid["seats"][0])
    hosts.keep(f"digside-{other.laid['table']}", other.laid["seats"][0])
    assert hosts.get("/api/rig/hands").json == {"uses": False, "owner": False, "tables": []}
    hosts.keep(f"digside-{own}", table.laid["host"])
    assert hosts.get("/api/rig/hands").json == {"uses": True, "owner": False, "tables": [own]}
    told = hosts.own().get("/api/rig/hands").json
    assert (told["uses"], told["owner"], set(told["tables"])) == (True, True, {own, other.laid["table"]})


def test_a_table_that_is_over_is_no_longer_given_the_rig(table: Asker, device: Browser) -> None:
    table.press("/close")
    assert device.get("/api/rig/hands").json["tables"] == []


def test_metrics_tell_of_the_rig(table: Asker) -> None:
    text = table.get("/metrics").text
    assert 'digside_rig_info{kind="sim"} 1.0' in text
    assert 'digside_shovel_state{state="off"} 1.0' in text


def test_events_of_the_rig_in_a_tables_words() -> None:
    assert told(Pressed("deal")).button == "deal"
    lift = (LiftBegun(1, 7), LiftHeld(1), LiftDoubted(1), LiftSettled(1), LiftDone(1, True), LiftFailed(1, "leak"))
    assert [told(event).kind for event in lift] == ["begun", "held", "doubted", "held", "done", "failed"]
    assert {told(event).lift for event in lift} == {1}
    assert told(lift[0]).order == told(LiftFailed(0, "busy", 7)).order == 7
    assert told(LinkDown()).kind == "other"


def test_whoever_lifts_lets_go_and_nobody_else(table: Asker) -> None:
    host = sit_down(table.app, box="tutankhamun", mode="referee")
    host.owner.post("/rig", {})
    host.press("/outcome", outcome=None)
    host.post("/api/rig/world", {"do": "card"})
    digger = host.view["ask"]["seat"]
    body = {"seq": host.view["seq"], "request": "the dig", "move": {"type": "dig", "square": "b2"}}
    assert host.seat(digger).post("/moves", body).status_code == 202
    until(lambda: host.get("/api/rig").json["shovel"]["state"] == "holding")
    others = [host.seat(seat) for seat in range(len(host.laid["seats"])) if seat != digger]
    for other in (*others, host.spectator):
        assert other.post("/api/rig/shovel", {"do": "release"}).status_code == 401
    assert host.seat(digger).post("/api/rig/shovel", {"do": "grip"}).status_code == 401
    assert host.seat(digger).post("/api/rig/shovel", {"do": "release"}).status_code == 200
    host.post("/api/rig/world", {"do": "no_card"})
    until(lambda: host.view["seq"] > body["seq"])
    assert host.seat(digger).post("/api/rig/shovel", {"do": "release"}).status_code == 401


def test_a_referees_dig_waits_for_its_lift_and_counts_once(table: Asker) -> None:
    host = sit_down(table.app, box="tutankhamun", mode="referee")
    host.owner.post("/rig", {})
    while host.view["ask"]["kind"] == "chance" or not _digs(host):
        press = (
            {"outcome": None} if host.view["ask"]["kind"] == "chance" else {"move": host.get("/moves").json["moves"][0]}
        )
        assert host.press("/outcome" if "outcome" in press else "/moves", **press).status_code == 200
    before = host.view["seq"]
    host.post("/api/rig/world", {"do": "card"})
    body = {"seq": before, "request": "the dig", "move": _digs(host)[0]}
    waiting = host.post("/moves", body)
    assert waiting.status_code == 202
    assert waiting.json["seq"] == before
    assert host.get("/api/rig").json["waiting"]["move"]["type"] == "dig"
    assert host.post("/moves", body).status_code == 202
    until(lambda: host.get("/api/rig").json["shovel"]["state"] == "holding")
    host.post("/api/rig/shovel", {"do": "release"})
    host.post("/api/rig/world", {"do": "no_card"})
    until(lambda: host.view["seq"] > before)
    done = host.post("/moves", body)
    assert done.status_code == 200
    assert [line["what"].get("type") for line in host.view["log"]].count("dig") == 1


def _until_a_dig(host: Asker) -> None:
    """Play anything until somebody may dig."""
    while not _digs(host):
        if host.view["ask"]["kind"] == "chance":
            assert host.press("/outcome", outcome=None).status_code == 200
        else:
            assert host.press("/moves", move=host.get("/moves").json["moves"][0]).status_code == 200


def _digs(host: Asker) -> list[dict[str, object]]:
    return [move for move in host.get("/moves").json["moves"] if move["type"] == "dig"]
