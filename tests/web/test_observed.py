"""What watches over a service: figures for Prometheus, a dashboard that asks for them, logs without key or name."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import re
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from msgspec.structs import replace
from prometheus_client.parser import text_string_to_metric_families

import web_ui
from companion.play.hall import Hall
from hardware import rig as rigs
from hardware.events import LinkState, RigState
from hardware.face import NoRig
from tests.web.broker import Mosquitto, until
from tests.web.live import Line, Live, free_port
from tests.web.people import Asker, client, lay, owner_of, sit_down
from web_ui import events
from web_ui.app import create_app
from web_ui.broadcaster import Broadcaster
from web_ui.broker import Broker
from web_ui.metrics import Metrics, Now
from web_ui.settings import Settings

DASHBOARD = Path(web_ui.__file__).parent / "observed" / "grafana.json"
NAME = re.compile(r"\b(?:digside|process)_[a-z_]+")
KIND = re.compile("_(bucket|sum|count|created|total)$")
ELSEWHERE = {"REMOTE_ADDR": "192.0.2.7"}


@pytest.fixture
def logged() -> Iterator[io.StringIO]:
    """What is logged as JSON while a test runs."""
    out = io.StringIO()
    root, own = logging.getLogger().handlers, events.EVENTS.handlers
    level = events.EVENTS.level
    hooks = threading.excepthook, sys.excepthook, sys.unraisablehook
    events.log_as_json(out)
    yield out
    threading.excepthook, sys.excepthook, sys.unraisablehook = hooks
    logging.getLogger().handlers, events.EVENTS.handlers = root, own
    events.EVENTS.setLevel(level)


def told(text: str) -> dict[str, set[str]]:
    """The names of all samples, and the labels of each, as Prometheus itself reads them."""
    found: dict[str, set[str]] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            found.setdefault(sample.name, set()).update(sample.labels)
    return found


def test_every_query_of_the_dashboard_names_what_is_counted(tmp_path: Path) -> None:
    hall = Hall(tmp_path / "data")
    with rigs.open_rig("sim", data=tmp_path) as rig:
        (hall.folder / "hub_token").write_text("a token of a hub")
        app = create_app(hall, rig, settings=Settings(hub="http://127.0.0.1:9"))
        service = app.extensions["digside"]
        service.mqtt.use(Broker.of("mqtt://127.0.0.1:9"))
        until(lambda: (wire := rig.state().link) and wire.rtt_ms is not None, "the board")
        host = sit_down(app)
        host.dial()
        host.get("/api/tables/nowhere")
        known = told(host.get("/metrics").text)
        service.close()
    hall.close()
    names = asked_for()
    assert names - known.keys() == set()
    ours = {KIND.sub("", name) for name in known if name.startswith("digside_")}
    assert ours - {KIND.sub("", name) for name in names} == set(), "nothing is counted that nobody looks at"


def test_no_label_grows_with_the_tables(app: Flask) -> None:
    hosts = [sit_down(app, seats=[{"name": f"Zoë {n}"}, {"name": "Ben"}]) for n in range(3)]
    for host in hosts:
        host.dial()
    text = hosts[0].get("/metrics").text
    labels = set().union(*told(text).values())
    assert labels <= {"call", "kind", "code", "status", "le", "state"}
    assert not any(each in text for host in hosts for each in (host.laid["table"], host.laid["host"], "Zoë"))


def test_the_figures_are_this_machines_and_the_owners(app: Flask, hall: Hall) -> None:
    ask = client(app).get
    key = {"Authorization": f"Bearer {owner_of(app)}"}
    assert ask("/metrics").status_code == 200
    assert ask("/metrics", environ_base=ELSEWHERE).status_code == 401
    assert ask("/metrics", environ_base=ELSEWHERE, headers=key).status_code == 200
    opened = create_app(hall, NoRig(), settings=Settings(metrics=True))
    assert client(opened).get("/metrics", environ_base=ELSEWHERE).status_code == 200
    opened.extensions["digside"].close()


def test_the_last_screen_ends_the_clock() -> None:
    took: list[float] = []

    async def watch() -> None:
        hub = Broadcaster(most=9, shown=took.append)
        first, second = hub.open("table"), hub.open("table")
        hub.pressed(1.0)
        hub.tell("table", 1, b"one")
        for screen in (first, second):
            assert not took
            assert screen.news() == b"one"
            hub.took(screen)
        hub.pressed(0)
        hub.tell("table", 2, b"two")  # nobody pressed for this
        for screen in (first, second):
            screen.news()
            hub.took(screen)
        assert len(took) == 1

        hub.pressed(1.0)
        hub.tell("table", 3, b"three")
        first.news()
        hub.leave(second)
        hub.took(first)
        assert len(took) == 2, "whoever has left is not waited for"
        newcomer = hub.open("table")
        newcomer.news()
        hub.took(newcomer)
        assert len(took) == 2, "nobody pressed for whoever has just come"

    asyncio.run(watch())


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=some.text(some.characters(categories=("L", "N", "P")), min_size=4, max_size=20).filter(str.isprintable))
def test_no_log_has_a_key_or_a_name(app: Flask, logged: io.StringIO, name: str) -> None:
    name = f"Q{name}"
    laid = lay(app, seats=[{"name": name}, {"name": "Xanthippe"}])
    host = Asker(app, laid, laid["host"])
    host.press("/moves", move={"type": name})
    host.post("/enter", {"key": name})
    host.post("/api/join", {"code": name})
    host.get(f"/api/tables/{laid['table']}/qr/0.svg")
    host.get(f"/join/{name}")
    loop = asyncio.new_event_loop()
    for message in (f"Exception in callback show({name!r})", "Task exception was never retrieved"):
        loop.call_exception_handler({"message": message, "exception": ValueError(name), "future": name})
    loop.close()
    logging.getLogger("web_ui").warning("%s cannot be shown after %d steps", name, 12)
    logging.getLogger("hardware.live").warning("the sensor reads %.1f kPa at %s", 3.25, "/dev/ttyUSB0")
    logging.getLogger("companion").warning("%s cannot be read: %s", Path("/srv/rig.toml"), OSError(28, "No space left"))
    logging.getLogger("web_ui").warning("a refusal was expected")
    logging.getLogger("web_ui").warning(f"{name} cannot be shown")
    try:
        raise ValueError(name)
    except ValueError:
        logging.getLogger("web_ui").exception("%s failed", name)
    lines = logged.getvalue().splitlines()
    plain = "\n".join(json.dumps(json.loads(line), ensure_ascii=False) for line in lines)
    secrets = (name, "Xanthippe", laid["host"], *laid["seats"], laid["table"], owner_of(app))
    assert not [each for each in secrets if each in plain]
    assert {"answered", "refused", "log"} <= {json.loads(line)["event"] for line in lines}
    assert "Task exception was never retrieved" in plain
    said = {json.loads(line).get("said") for line in lines}
    assert said > {
        "… cannot be shown after 12 steps",
        "the sensor reads 3.2 kPa at /dev/ttyUSB0",
        "/srv/rig.toml cannot be read: No space left",
        "a refusal was expected",
    }


def test_what_ends_a_thread_is_logged_without_what_was_in_hand(
    logged: io.StringIO, capsys: pytest.CaptureFixture[str]
) -> None:
    """And what ends the program, and what is raised where nobody can hear of it."""

    class Careless:
        def __del__(self) -> None:
            raise ValueError("Xanthippe")

    def ends() -> None:
        raise ValueError("Xanthippe")

    thread = threading.Thread(target=ends)
    thread.start()
    thread.join()
    Careless()
    try:
        ends()
    except ValueError:
        sys.excepthook(*sys.exc_info())
    lines = [json.loads(line) for line in logged.getvalue().splitlines()]
    assert [line["error"] for line in lines] == ["ValueError"] * 3
    assert all("test_observed.py" in line["where"][-1] for line in lines)
    assert "Xanthippe" not in logged.getvalue() + capsys.readouterr().err


STILL = {"digside_rig_info", "digside_rig_link_up", "digside_rig_link_damaged_total"}
"""Of a rig that is well these say the same for ever."""
HELD_UP = {"digside_rig_age_seconds"}
"""Moves where the computer has much else to do, and only there."""


def figures(text: str) -> dict[tuple[str, ...], float]:
    """Every sample by its name and labels."""
    families = text_string_to_metric_families(text)
    return {(each.name, *each.labels.values()): each.value for family in families for each in family.samples}


def asked_for() -> set[str]:
    """What the dashboard asks for."""
    panels = json.loads(DASHBOARD.read_text())["panels"]
    return {name for panel in panels for target in panel["targets"] for name in NAME.findall(target["expr"])}


def test_what_is_looked_up_is_told_as_it_stands() -> None:
    wire = LinkState(True, 0.0, 4.0, 0, 0, 1, "nano", damaged_here=2, damaged_there=3)
    now = Now(0, 0, RigState("serial", link=wire), 0.0, 0, None, None)
    metrics = Metrics(lambda: now)
    before = figures(metrics.text())
    assert before[("digside_rig_info", "serial")] == 1
    assert before[("digside_rig_link_damaged_total",)] == 6
    now = now._replace(rig=RigState("serial", age_s=2.5, link=replace(wire, connected=False, damaged_here=9)))
    after = figures(metrics.text())
    assert (before[("digside_rig_link_up",)], after[("digside_rig_link_up",)]) == (1, 0)
    assert (before[("digside_rig_age_seconds",)], after[("digside_rig_age_seconds",)]) == (0, 2.5)
    assert after[("digside_rig_link_damaged_total",)] == 13


@pytest.mark.slow
def test_every_figure_of_a_running_service_moves_and_its_logs_tell_no_key(tmp_path: Path) -> None:
    data, beside = tmp_path / "data", tmp_path / "broker"
    for folder in (data, beside):
        folder.mkdir()
    (data / "hub_token").write_text("a token of a hub that is away")
    broker = Mosquitto(beside)
    asked = {"log": "json", "hub": f"http://127.0.0.1:{free_port()}", "mqtt": broker.url()}
    live = Live(data, rig="sim", settings=asked)

    def told() -> dict[tuple[str, ...], float]:
        return figures(live.call("GET", "/metrics")[1])

    until(lambda: told().get(("digside_broker_up",)) == 1 and ("digside_rig_link_seconds",) in told(), "all of it")
    before = told()
    path, laid = live.lay()
    line = Line(live.port, f"{path}/stream")
    views = line.views()
    seq = next(views).data["seq"]
    live.dial(path, laid["host"], seq)
    next(view for view in views if view.id == seq + 1)
    assert Line(live.port, "/api/tables/nowhere/stream").status == 404
    live.call("POST", f"{path}/call", {"wanted": True}, key=laid["host"])
    for do in ("world", "shovel"):
        live.call("POST", f"/api/rig/{do}", {"do": "card" if do == "world" else "grip"}, key=live.owner)
    until(lambda: told()[("digside_pump_seconds_total",)] > 0, "a lift")
    lifting = told()
    live.call("POST", "/api/rig/stop", {})
    broker.stop()
    until(lambda: told()[("digside_stop_seconds_count",)] == 1, "that the stop was counted")
    until(lambda: told()[("digside_broker_up",)] == 0, "that the broker is missed")
    after = told()
    moved = {each[0] for each, value in {**after, **lifting}.items() if before.get(each, 0.0) != value}
    moved |= {each[0] for each, value in after.items() if before.get(each, 0.0) != value}
    assert asked_for() - moved | HELD_UP == STILL | HELD_UP
    assert after[("digside_screen_seconds_count",)] == after[("digside_presses_total", "make_move")] == 1
    assert after[("digside_answers_total", "404")] == after[("digside_refusals_total", "missing")] == 1
    line.close()
    live.stop()
    said = live.said()
    lines = [json.loads(each) for each in said.splitlines() if each.startswith("{")]
    assert any(each["event"] == "answered" and each["call"] == "/api/tables/<table>/moves" for each in lines)
    assert not [key for key in (laid["host"], *laid["seats"], live.owner) if key in said]
