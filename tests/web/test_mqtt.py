"""What a house hears of the tables by MQTT, from a real broker; and that nobody waits for one that is silent."""

from __future__ import annotations

import json
import logging
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from companion.play.hall import Hall
from companion.terminal.doctor import house_of
from hardware import rig as rigs
from hardware.face import NoRig, Rig
from tests.venue.database import Database
from tests.web.broker import Ear, Mosquitto, broker, retained_at, until
from tests.web.live import Live, free_port
from tests.web.people import Asker, Browser, lay, sit_down
from web_ui import mqtt
from web_ui.app import create_app
from web_ui.broker import Broker, chosen, keep
from web_ui.certificate import certificate_for
from web_ui.devices import HERE, rgb
from web_ui.metrics import Metrics
from web_ui.mqtt import BrokerLink
from web_ui.serve import tell_house
from web_ui.service import Service

pytestmark = pytest.mark.slow

NEWS = ("begin", "turn", "call", "end")


@pytest.fixture(scope="session")
def mosquitto(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    """One broker for all of these tests."""
    with broker(tmp_path_factory.mktemp("broker")) as made:
        yield made


@pytest.fixture
def ear(mosquitto: Mosquitto) -> Iterator[Ear]:
    """Somebody who listens."""
    listening = Ear(mosquitto)
    yield listening
    listening.close()


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    """A simulated board."""
    with rigs.open_rig("sim", data=tmp_path) as made:
        yield made


@pytest.fixture
def link(app: Flask, mosquitto: Mosquitto) -> BrokerLink:
    """A service whose broker is this."""
    service: Service = app.extensions["digside"]
    service.mqtt.use(Broker.of(mosquitto.url()))
    until(lambda: service.mqtt.state == "online", "the broker")
    return service.mqtt


def device(link: BrokerLink, table: str) -> str:
    return device_of(link.id, table)


def device_of(house: str, table: str) -> str:
    return f"homeassistant/device/digside_{house}_{table}/config"


def state(link: BrokerLink, table: str) -> str:
    return f"digside/{link.id}/{table}/state"


def test_a_table_is_discovered_told_and_gone_at_its_end(app: Flask, link: BrokerLink, ear: Ear) -> None:
    host = sit_down(app, mode="referee")
    table = host.view["table"]
    ear.until(lambda: device(link, table) in ear.retained and state(link, table) in ear.retained, "the table")
    told = ear.retained[device(link, table)]
    assert {"dev", "o", "cmps"} <= told.keys()
    assert told["dev"]["ids"] == [f"digside_{link.id}_{table}"]
    assert told["o"]["name"] == "digside"
    assert told["cmps"].keys() == {"turn", "game", "phase", "week", "calls", "points_0", "points_1", "events"}
    assert all({"p", "uniq_id", "name"} <= each.keys() for each in told["cmps"].values())
    assert told["qos"] == 1
    assert ear.retained[told["avty_t"]] == "online"
    step = host.view["seq"]
    ear.until(lambda: ear.retained[state(link, table)]["step"] == step, "how it stands")
    now = ear.retained[state(link, table)]
    assert (now["turn"], now["points"]) == (host.view["seats"][host.view["ask"]["seat"]]["name"], [0, 0])
    assert host.press("/close").status_code == 200
    ear.until(lambda: not {device(link, table), state(link, table)} & ear.retained.keys(), "its end")
    assert [each["event_type"] for each in ear.events(table)][-1] == "end"


def test_the_table_here_stays_from_game_to_game(app: Flask, mosquitto: Mosquitto, ear: Ear, hall: Hall) -> None:
    """Whatever is played: the device is the same to the letter, and there is no other unless the owner wants one."""
    owner, link = Browser(app).own(), app.extensions["digside"].mqtt
    asked = {"url": f"mqtt://127.0.0.1:{mosquitto.open_port}", "tables": "here"}
    assert owner.post("/api/machine/mqtt", json=asked).json["tables"] == "here"
    config, here = device_of(link.id, HERE), f"digside/{link.id}/{HERE}/state"
    ear.until(lambda: {config, here} <= ear.retained.keys(), "the table here")
    assert ear.retained[here]["phase"] == "nobody"
    devices = []
    for box in ("horus", "tutankhamun"):
        host = sit_down(app, box=box, mode="referee")
        seat = host.view["ask"]["seat"]
        ear.until(lambda: (now := ear.retained[here])["table"] == host.laid["table"] and now["phase"] == "move", box)  # noqa: B023
        now = ear.retained[here]
        assert now["turn"] == host.view["seats"][seat]["name"]
        assert now["rgb"] == rgb(host.view["seats"][seat]["colour"])
        host.post("/call", {"wanted": True})
        ear.until(lambda: ear.retained[here]["calls"], "the call")
        assert ear.retained[here]["calling"] == [host.laid["table"]]
        host.press("/close")
        ear.until(lambda: (now := ear.retained[here])["phase"] == "over" and not now["calls"], "the end")
        devices.append(ear.retained[config])
    assert devices[0] == devices[1]
    ear.until(lambda: len(happened(ear)) == len([*NEWS, *NEWS]), "the last event")
    assert happened(ear) == [*NEWS, *NEWS]
    assert {each["p"] for each in devices[0]["cmps"].values()} == {"sensor", "binary_sensor", "event"}
    assert ear.devices() & {f"digside_{link.id}_{each['table']}" for each in ear.events(HERE)} == set()
    table = sit_down(app).laid["table"]
    del asked["tables"]
    assert owner.post("/api/machine/mqtt", json=asked).json["tables"] == "here", "it is kept"
    owner.post("/api/machine/mqtt", json={**asked, "tables": "each"})
    ear.until(lambda: {device(link, table), config} <= ear.retained.keys(), "a device for each")
    assert chosen(hall.folder) == link.broker
    owner.post("/api/machine/mqtt", json={**asked, "tables": "here"})
    ear.until(lambda: not {device(link, table), state(link, table)} & ear.retained.keys(), "that it is gone")


def happened(ear: Ear) -> list[str]:
    """What was told of the table here, but for what the log says."""
    return [each["event_type"] for each in ear.events(HERE) if each["event_type"] in NEWS]


def test_what_happens_is_told_once_and_never_retained(
    app: Flask, link: BrokerLink, ear: Ear, mosquitto: Mosquitto
) -> None:
    host = sit_down(app)
    table = host.view["table"]
    ear.until(lambda: state(link, table) in ear.retained, "the table")
    bag = host.view["board"]["bags"][0]["bag"]
    assert host.press("/moves", move={"type": "draw", "bag": bag, "count": 1}).status_code == 200
    ear.until(lambda: draws(ear, table), "the draw")
    told = draws(ear, table)
    assert not any(topic.endswith("/event") for topic in retained_at(mosquitto))
    ear.say("homeassistant/status", "online")
    host.dial()
    ear.until(lambda: ear.retained[state(link, table)]["step"] == host.view["seq"], "all of it once more")
    assert draws(ear, table) == told


def test_all_is_said_again_when_home_assistant_has_started(app: Flask, link: BrokerLink, ear: Ear) -> None:
    table = sit_down(app).view["table"]
    ear.until(lambda: device(link, table) in ear.retained, "the table")
    heard = len(ear.heard)
    ear.say("homeassistant/status", "online")
    again = {device(link, table), state(link, table), f"digside/{link.id}/status"}
    ear.until(lambda: again <= {topic for topic, _, _ in ear.heard[heard:]}, "all of it once more")


def test_stop_is_everybodys_and_nothing_else_is_taken(app: Flask, link: BrokerLink, ear: Ear, rig: Rig) -> None:
    config = f"homeassistant/device/digside_{link.id}/config"
    ear.until(lambda: {config, f"digside/{link.id}/rig/state"} <= ear.retained.keys(), "the rig")
    told = ear.retained[config]["cmps"]
    assert [name for name, each in told.items() if each["p"] == "button"] == ["stop"]
    assert {"shovel", "problem", "fault", "pump", "link", "rtt", "damaged"} <= told.keys()
    rig.world("card")
    rig.shovel("grip")
    until(lambda: (shovel := rig.state().shovel) and shovel.pump, "a lift")
    ear.say(f"digside/{link.id}/cmd", "grip")
    ear.say(f"digside/{link.id}/cmd", told["stop"]["pl_prs"])
    until(lambda: (shovel := rig.state().shovel) and not shovel.pump, "the stop")
    ear.until(lambda: ear.retained[f"digside/{link.id}/rig/state"]["shovel"] == "off", "that it stopped")
    metrics: Metrics = app.extensions["digside"].metrics
    until(lambda: metrics.registry.get_sample_value("digside_stop_seconds_count") == 1, "how long that took")


def test_what_was_left_behind_goes(app: Flask, mosquitto: Mosquitto, ear: Ear, hall: Hall) -> None:
    """Tables that ended, or were deleted, while the service did not tell."""
    service: Service = app.extensions["digside"]
    service.mqtt.use(Broker.of(mosquitto.url()))
    ended, goes_on = sit_down(app), sit_down(app)
    there = [device(service.mqtt, each.laid["table"]) for each in (ended, goes_on)]
    ear.until(lambda: all(each in ear.retained for each in there), "both tables")
    service.mqtt.use(None)
    ear.until(lambda: ear.retained[f"digside/{service.mqtt.id}/status"] == "offline", "a clean end")
    assert all(each in retained_at(mosquitto) for each in there)
    assert ended.press("/close").status_code == 200
    service.mqtt.use(Broker.of(mosquitto.url()))
    ear.until(lambda: there[0] not in ear.retained, "the one that ended")
    ear.until(lambda: ear.retained[f"digside/{service.mqtt.id}/status"] == "online", "that we are back")
    assert there[1] in ear.retained
    ear.until(lambda: state(service.mqtt, ended.laid["table"]) not in ear.retained, "how it stood")
    service.delete(goes_on.laid["table"])
    ear.until(lambda: there[1] not in ear.retained, "the one that was deleted")


def test_a_wrong_password_is_said_once_and_mended(
    app: Flask, mosquitto: Mosquitto, hall: Hall, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mqtt, "TRIED_AGAIN", (1, 1))
    owner = Browser(app).own()
    asked = {"url": mosquitto.url("right").replace(":right", ""), "user": "digside", "password": "wr0ng-pass"}
    with caplog.at_level(logging.DEBUG):
        assert owner.post("/api/machine/mqtt", json=asked).json["state"] in {"trying", "refused"}
        link: BrokerLink = app.extensions["digside"].mqtt
        until(lambda: link.state == "refused", "the refusal")
        tries = _tries(mosquitto)
        until(lambda: _tries(mosquitto) > tries, "another try")
    told = owner.get("/api/machine").json["mqtt"]
    assert "refuses Digside" in told["message"]
    assert "wr0ng-pass" not in json.dumps(told) + caplog.text
    assert len([each for each in caplog.records if each.levelno >= logging.WARNING]) == 1
    found = house_of(hall.folder)
    assert found is not None
    assert (found.link, "wr0ng" in str(found)) == ("refused", False)
    assert (hall.folder / "mqtt.toml").stat().st_mode & 0o077 == 0
    assert owner.post("/api/machine/mqtt", json={**asked, "password": "right"}).status_code == 200
    until(lambda: link.state == "online", "the broker")
    assert owner.post("/api/machine/mqtt", json={"url": ""}).json["state"] == "off"
    assert not (hall.folder / "mqtt.toml").exists()


def _tries(mosquitto: Mosquitto) -> int:
    return (mosquitto._folder / "log").read_text().count("not authorised")


def test_whoever_leaves_a_slow_broker_takes_no_leave_of_it(app: Flask) -> None:
    """It cannot be told that we are offline; where it hears no farewell, it tells our last will."""
    link: BrokerLink = app.extensions["digside"].mqtt
    with socket.create_server(("127.0.0.1", 0)) as slow:
        link.use(Broker.of(f"mqtt://127.0.0.1:{slow.getsockname()[1]}"))
        taken, _ = slow.accept()
        with taken:
            taken.recv(1000)
            taken.sendall(b"\x20\x02\x00\x00")  # connected
            until(lambda: link.state == "online", "the connection")
            for _ in range(12):
                lay(app)
            until(lambda: link._untaken >= mqtt.UNTAKEN, "as many messages under way as may be")
            link.use(None)
            heard = b"".join(iter(lambda: taken.recv(65536), b""))
    assert b"offline" not in heard
    assert not heard.endswith(b"\xe0\x00"), "a farewell would take the will back"


def test_a_broker_that_cannot_be_used_changes_nothing(app: Flask, hall: Hall, link: BrokerLink) -> None:
    owner, before = Browser(app).own(), link.broker
    asked = {"url": "mqtts://elsewhere", "ca": "/no/such.crt"}
    refused = owner.post("/api/machine/mqtt", json=asked)
    assert (refused.status_code, refused.json["error"]["key"]) == (422, "web.mqtt_unread")
    assert (link.state, link.broker) == ("online", before)
    assert not (hall.folder / "mqtt.toml").exists()


def test_the_owner_names_an_authority_on_the_page(app: Flask, mosquitto: Mosquitto, hall: Hall) -> None:
    owner, link = Browser(app).own(), app.extensions["digside"].mqtt
    asked = {"url": mosquitto.tls_url(), "ca": str(mosquitto.shown.authority)}
    assert owner.post("/api/machine/mqtt", json=asked).json["ca"] == asked["ca"]
    until(lambda: link.state == "online", "the broker")
    del asked["ca"]
    assert owner.post("/api/machine/mqtt", json=asked).json["ca"] == str(mosquitto.shown.authority), "it is kept"
    assert chosen(hall.folder) == link.broker


def test_what_was_so_when_the_service_ran_before_is_not_told_of_it_now(
    app: Flask, link: BrokerLink, hall: Hall
) -> None:
    until(lambda: (found := house_of(hall.folder)) and found.link == "online", "that it is noted")
    link.close()
    again = BrokerLink(link._house, hall.folder, stop=lambda: None, address=lambda: None, language="en")
    again.use(None)
    found = house_of(hall.folder)
    assert found is not None
    assert found.link == "off"


@pytest.fixture
def hall_of_two(database: Database, mosquitto: Mosquitto, tmp_path: Path) -> Iterator[list[Live]]:
    """Two processes over one database, with one data folder and one broker."""
    (tmp_path / "data").mkdir()
    address = database.make()
    both = [Live(tmp_path / "data", journal=address, settings={"mqtt": mosquitto.url()}) for _ in range(2)]
    yield both
    for each in both:
        each.stop(signal.SIGKILL)


def test_one_process_of_a_hall_tells_and_the_next_when_it_ends(
    hall_of_two: list[Live], mosquitto: Mosquitto, tmp_path: Path
) -> None:
    ear = Ear(mosquitto)
    path, laid = hall_of_two[1].lay()
    table = laid["table"]
    ear.until(lambda: any(topic.endswith(f"/{table}/state") for topic in ear.retained), "the table")
    states = [each.call("GET", "/api/machine", key=each.owner)[1]["mqtt"]["state"] for each in hall_of_two]
    assert sorted(states) == ["beside", "online"]
    found = house_of(tmp_path / "data")
    assert found is not None
    status = f"digside/{found.id}/status"
    drawn(hall_of_two[1], path, laid)
    ear.until(lambda: draws(ear, table), "what happened")
    teller, stays = hall_of_two if states[0] == "online" else reversed(hall_of_two)
    teller.stop(signal.SIGKILL)
    ear.until(lambda: ear.retained[status] == "offline", "the last will")
    ear.until(lambda: ear.retained[status] == "online", "that the other tells")
    ear.until(lambda: device_of(found.id, table) in since(ear, status), "that it knows the table")
    for number in (2, 3):
        drawn(stays, path, laid)
        ear.until(lambda: len(draws(ear, table)) >= number, "what happened then")  # noqa: B023
    assert len(draws(ear, table)) == 3, "nothing is told twice"
    seq = stays.call("GET", path)[1]["seq"]
    ear.until(lambda: ear.retained[f"digside/{found.id}/{table}/state"]["step"] == seq, "how it stands")
    assert [each for topic, each, _ in ear.heard if topic == status] == ["online", "offline", "online"]
    ear.close()


def since(ear: Ear, topic: str) -> list[str]:
    """The topics that were heard since something was last said under one."""
    topics = [heard for heard, _, _ in ear.heard]
    return topics[len(topics) - topics[::-1].index(topic) :]


def draws(ear: Ear, table: str) -> list[Any]:
    """What was drawn at a table, as the house was told."""
    return [each for each in ear.events(table) if each["event_type"] == "draw"]


def drawn(live: Live, path: str, laid: Any) -> None:
    """Draw one from a bag, at any process."""
    view = live.call("GET", path)[1]
    move = {"type": "draw", "bag": view["board"]["bags"][0]["bag"], "count": 1}
    body = {"seq": view["seq"], "request": f"draw {view['seq']}", "move": move}
    assert live.call("POST", f"{path}/moves", body, key=laid["host"])[0] in {200, 202}


def test_tls_tells_and_nobody_is_told_whose_certificate_does_not_fit(
    app: Flask, mosquitto: Mosquitto, ear: Ear, tmp_path: Path
) -> None:
    """The authority is the house's own: without it, with another, or by another name, nobody is believed."""
    link: BrokerLink = app.extensions["digside"].mqtt
    own = str(mosquitto.shown.authority)
    other = str(certificate_for(tmp_path / "other", (), ("127.0.0.1",)).authority)
    table = sit_down(app).laid["table"]
    for host, ca, why in (
        ("127.0.0.1", "", "certificate"),
        ("127.0.0.1", other, "certificate"),
        ("localhost", own, "Hostname mismatch"),
    ):
        link.use(Broker.of(mosquitto.tls_url(host), ca=ca))
        until(lambda: link.state == "away", f"that {host} is not believed with {ca!r}")
        assert why in link.status("en").message
        assert "_ssl.c" not in link.status("en").message
    assert not any(link.id in topic for topic, _, _ in ear.heard)
    link.use(Broker.of(mosquitto.tls_url(), ca=own))
    ear.until(lambda: {device(link, table), state(link, table)} <= ear.retained.keys(), "the table")
    assert link.state == "online"


@pytest.mark.parametrize("url", ["http://a", "mqtt://", "mqtt://a:b:c", "mqtt://a/topic", "broker", "mqtt://a:99999"])
def test_what_is_no_address_of_a_broker_is_refused(app: Flask, url: str) -> None:
    told = Browser(app).own().post("/api/machine/mqtt", json={"url": url})
    assert (told.status_code, told.json["error"]["key"]) == (400, "web.mqtt_url")


def test_only_the_owner_chooses_a_broker(app: Flask) -> None:
    assert Browser(app).post("/api/machine/mqtt", json={"url": "mqtt://here"}).status_code == 401


def test_fifty_tables_are_told(app: Flask, link: BrokerLink, ear: Ear) -> None:
    tables = [lay(app)["table"] for _ in range(50)]
    ear.until(lambda: all(device(link, each) in ear.retained for each in tables), "fifty tables")
    for table in tables:
        app.extensions["digside"].delete(table)
    ear.until(lambda: not any(device(link, each) in ear.retained for each in tables), "that they are gone")


def test_a_broker_that_says_nothing_keeps_nobody_waiting_and_takes_no_room(app: Flask) -> None:
    """It takes connections and never answers; then it answers, and takes nothing more."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        link: BrokerLink = app.extensions["digside"].mqtt
        link.use(Broker.of(f"mqtt://127.0.0.1:{silent.getsockname()[1]}"))
        taken, _ = silent.accept()
        taken.recv(1000)
        host = sit_down(app)
        _press_often(host)
        assert not link._waiting
        taken.sendall(b"\x20\x02\x00\x00")  # connected, says a broker; and from now on it takes nothing
        until(lambda: link.state == "online", "the connection")
        _press_often(host)
        until(lambda: link._untaken > 0, "a message under way")
        began = time.monotonic()
        _press_often(host)
        quiet = time.monotonic() - began
        assert quiet < 20  # 60 presses: none waits for a broker
        assert len(link._waiting) + link._untaken < 20 + mqtt.EVENTS_KEPT
        taken.close()


def _press_often(host: Asker) -> None:
    for knowledge in range(60):
        assert host.dial(knowledge % 8 + 1).status_code == 200


def test_a_broker_comes_and_goes_beside_a_running_service(tmp_path: Path) -> None:
    """The real process: online, the broker gone and back, killed, and ended cleanly."""
    with broker(tmp_path) as made:
        ear = Ear(made)
        data = tmp_path / "data"
        live = Live(data, settings={"mqtt": made.url()})
        path, laid = live.lay()
        table = laid["table"]
        house = house_of(data)
        assert house is not None
        status, config = f"digside/{house.id}/status", f"homeassistant/device/digside_{house.id}_{table}/config"
        ear.until(lambda: config in ear.retained and ear.retained.get(status) == "online", "the table")
        made.stop()
        until(lambda: (found := house_of(data)) and found.link == "away", "that the broker is away")
        seq = live.call("GET", path)[1]["seq"]
        assert live.dial(path, laid["host"], seq)[0] == 200
        ear.retained.clear()
        made.start()
        ear.close()
        ear = Ear(made)
        ear.until(
            lambda: ear.retained.get(f"digside/{house.id}/{table}/state", {}).get("step") == seq + 1, "what was missed"
        )
        live.stop(signal.SIGKILL)
        ear.until(lambda: ear.retained.get(status) == "offline", "the last will")
        live = Live(data, settings={"mqtt": made.url()})
        ear.until(lambda: ear.retained.get(status) == "online", "that it is back")
        assert live.stop() < 5
        ear.until(lambda: ear.retained.get(status) == "offline", "a clean end")
        ear.close()


def test_without_the_package_the_line_to_install_is_said(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "paho.mqtt", None)
    told = Browser(app).own().post("/api/machine/mqtt", json={"url": f"mqtt://127.0.0.1:{free_port()}"}).json
    assert told["state"] == "missing"
    assert "pip install" in told["message"]


def test_a_broker_is_read_from_the_environment_and_from_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert chosen(tmp_path) is None
    whole: dict[str, Any] = {"user": "ada", "password": 'q"\\é', "ca": "/a/b.pem"}
    keep(tmp_path, Broker.of("mqtts://house", **whole))
    assert chosen(tmp_path) == Broker("mqtts://house:8883", **whole)
    monkeypatch.setenv("DIGSIDE_MQTT", "mqtt://ben@[::1]:7")
    monkeypatch.setenv("DIGSIDE_MQTT_PASSWORD", "env")
    assert chosen(tmp_path) == Broker("mqtt://[::1]:7", "ben", "env")
    (tmp_path / "password").write_text("filed\n")
    said = chosen(tmp_path, "mqtts://cleo@here", tmp_path / "password", tmp_path / "ca")
    assert said == Broker("mqtts://here:8883", "cleo", "filed", f"{tmp_path}/ca")


def test_a_service_whose_settings_cannot_be_read_plays_all_the_same(
    app: Flask, hall: Hall, capsys: pytest.CaptureFixture[str]
) -> None:
    for kept, said in (('url = "nowhere"', "mqtt://HOST:PORT"), ('url = "mqtts://a"\nca = "/no.crt"', "/no.crt")):
        (hall.folder / "mqtt.toml").write_text(f"{kept}\n")
        tell_house(app.extensions["digside"], hall.folder)
        assert said in capsys.readouterr().err
    sit_down(app)


def test_the_same_service_keeps_its_name(tmp_path: Path) -> None:
    ids = set()
    for _ in range(2):
        hall = Hall(tmp_path)
        made = create_app(hall, NoRig())
        link = made.extensions["digside"].mqtt
        link.use(Broker.of(f"mqtt://127.0.0.1:{free_port()}"))
        ids.add(link.id)
        made.extensions["digside"].close()
        hall.close()
    assert len(ids) == 1
