"""Starting and stopping the service: ports, words, signals, HTTPS, systemd."""

from __future__ import annotations

import asyncio
import gc
import http.client
import json
import signal
import socket
import ssl
import weakref
from functools import partial
from pathlib import Path

import pytest

from companion.play.hall import Hall
from companion.terminal import cli
from companion.words import say
from hardware.face import NoRig
from tests.web.live import PATIENCE, Line, Live, free_port, start
from tests.web.people import Asker
from web_ui import addresses, bridge
from web_ui import serve as serving
from web_ui.addresses import NotAName, NotListening, PortTaken, address_of, is_told, listen, own_addresses, plain_names
from web_ui.request import of_scope
from web_ui.serve import TO_BE_MENDED, GcFreezer, Whereabouts, _look_around
from web_ui.service import Service
from web_ui.settings import Settings
from web_ui.streams import beat_event

OF_A_MATCH = 8  # objects: a function of Werkzeug's that calls itself


def answered(port: int, host: str) -> int:
    """What a call under a name is answered."""
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    link.request("GET", "/api/boxes", headers={"Host": host})
    status = link.getresponse().status
    link.close()
    return status


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_it_stops_soon_with_fifty_screens_open_and_tells_them(tmp_path: Path, number: signal.Signals) -> None:
    live = Live(tmp_path, rig="spy")
    path, _ = live.lay()
    screens = [Line(live.port, f"{path}/stream") for _ in range(50)]
    idle = http.client.HTTPConnection("127.0.0.1", live.port)
    idle.request("GET", "/api/boxes")
    idle.getresponse().read()
    unfinished = socket.create_connection(("127.0.0.1", live.port))
    unfinished.sendall(b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{")
    assert live.stop(number) < 5  # within two seconds where the machine is not busy: the benchmark says how soon
    assert live.process.returncode == 0
    assert {[event.kind for event in screen][-1] for screen in screens} == {"bye"}
    assert (tmp_path / "diary").read_text(encoding="ascii").splitlines()[0] == "safe"
    for screen in screens:
        screen.close()
    idle.close()
    unfinished.close()
    assert live.said().count("\n") < 50
    assert "Traceback" not in live.said()


def test_a_service_that_is_to_outlive_its_terminal_does(tmp_path: Path) -> None:
    live = Live(tmp_path, rig="spy", nohup=True)
    live.lay()
    live.process.send_signal(signal.SIGHUP)
    live.lay()
    assert not (tmp_path / "diary").exists(), "nor is a lift let go"
    live.stop()
    assert live.process.returncode == 0


def test_no_key_stands_in_what_it_writes(tmp_path: Path) -> None:
    live = Live(tmp_path)
    path, laid = live.lay()
    live.call("POST", f"{path}/enter", {"key": laid["seats"][0]})
    live.call("GET", f"{path}/qr/0.svg", key=laid["host"])
    live.call("GET", f"/join/{laid['table']}")
    live.dial(path, laid["host"], 0)
    live.call("POST", f"{path}/moves", {"wrong": 1}, key=laid["host"])
    live.stop()
    said = live.said()
    assert f"http://127.0.0.1:{live.port}" in said
    assert not any(key in said for key in (laid["host"], *laid["seats"]))


@pytest.mark.parametrize("journal", ["8:4711", ""])
def test_it_says_where_it_is_and_to_a_person_with_a_code_to_scan(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, journal: str
) -> None:
    monkeypatch.setenv("JOURNAL_STREAM", journal)
    live = Live(tmp_path, host=None)
    live.call("GET", "/healthz")
    live.stop()
    said = live.said()
    best = (own_addresses() or ["localhost"])[0]
    assert f"http://{best}:{live.port}" in said
    assert ("█" in said) == (not journal), "each start would fill the journal"
    assert said.count("\n") < (8 if journal else 40)


def test_an_address_that_changes_is_told_to_systemd_to_codes_and_to_open_screens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hall: Hall
) -> None:
    places = ["http://localhost:8765"]
    monkeypatch.setattr(serving, "LOOK_AROUND", 0.001)
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    whereabouts = Whereabouts(lambda: list(places))
    service = Service(hall, NoRig(), Settings(), address=whereabouts.best)

    async def moved() -> None:
        looking = asyncio.create_task(_look_around(service, whereabouts))
        places[0] = "http://192.168.1.7:8765"
        while not service.broadcaster.moved:
            await asyncio.sleep(0.001)
        looking.cancel()

    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        asyncio.run(asyncio.wait_for(moved(), PATIENCE))
        assert systemd.recv(4096) == b"STATUS=http://192.168.1.7:8765"
    assert service.reached_at("http://127.0.0.1:8765") == "http://192.168.1.7:8765"
    assert b'"moved":1' in beat_event(7, service.broadcaster.moved)
    service.close()


def test_a_name_that_ends_in_local_is_told_only_where_a_program_answers_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(addresses, "ANSWERS_FOR_LOCAL", (tmp_path / "socket",))
    assert [name for name in ("tafel.local", "tafel", "tafel.example.org") if is_told(name)] == ["tafel.example.org"]
    (tmp_path / "socket").touch()
    assert is_told("tafel.local")


def test_it_answers_under_every_name_people_have_for_it_and_under_no_other(tmp_path: Path) -> None:
    live = Live(tmp_path, host=None, names=["Tafel.example.org"])
    named = ["tafel.example.org", "TAFEL.example.org:80", f"{socket.gethostname()}.local", "localhost", "127.0.0.1"]
    named += [f"{address}:{live.port}" for address in own_addresses()]
    answers = {name: answered(live.port, name) for name in [*named, "other.example.org"]}
    live.stop()
    assert f"http://tafel.example.org:{live.port}" in live.said()
    assert answers == {**dict.fromkeys(named, 200), "other.example.org": 421}


def test_names_are_given_on_the_command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    served: list[list[str]] = []

    def served_as(*, names: list[str], **told: object) -> int:
        served.append(names)
        return 0

    monkeypatch.setattr("web_ui.serve.serve", served_as)
    cli.main(["serve", "--name", "tafel.example.org", "--name", "theben"])
    cli.main(["serve"])
    assert served == [["tafel.example.org", "theben"], []]


def test_a_hub_is_watched_over_like_a_service(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    served: list[Settings] = []

    def served_as(*, settings: Settings, **told: object) -> int:
        served.append(settings)
        return 0

    monkeypatch.setattr("web_ui.serve.serve", served_as)
    for command in (["serve"], ["hub", "--data", str(tmp_path)]):
        cli.main([*command, "--log", "json", "--metrics"])
        cli.main(command)
    assert [(each.log, each.metrics) for each in served] == [("json", True), ("plain", False)] * 2


def test_what_is_no_name_is_told_in_words(tmp_path: Path) -> None:
    process = start(tmp_path, port=free_port(), names=["http://tafel.example.org"])
    said = process.communicate(timeout=PATIENCE)[0].decode()
    assert process.returncode == 1
    assert said.strip() == say("en", "web.not_a_name", {"name": "http://tafel.example.org"})


@pytest.mark.parametrize("name", ["", ".", "a b", "a:80", "a/b", "-a", "*", "ä" * 80])
def test_only_a_name_is_a_name(name: str) -> None:
    with pytest.raises(NotAName):
        plain_names([name])


def test_a_port_that_is_taken_is_told_in_words(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        process = start(tmp_path, port=port)
        said = process.communicate(timeout=PATIENCE)[0].decode()
    assert process.returncode == 1
    assert said.strip() == say("en", "web.port_taken", {"port": port})


def test_a_folder_in_use_is_told_in_words(tmp_path: Path) -> None:
    live = Live(tmp_path)
    process = start(tmp_path, port=free_port())
    said = process.communicate(timeout=PATIENCE)[0].decode()
    live.stop()
    assert process.returncode == 1
    assert str(tmp_path) in said
    assert str(live.process.pid) in said
    assert "Traceback" not in said


def test_a_rig_that_cannot_be_opened_is_told_in_words(tmp_path: Path) -> None:
    (tmp_path / "rig.toml").write_text('kind = "sim"\nsurprise = 1\n', encoding="utf-8")
    process = start(tmp_path, port=free_port(), rig=str(tmp_path / "rig.toml"))
    said = process.communicate(timeout=PATIENCE)[0].decode()
    assert process.returncode == TO_BE_MENDED
    assert "rig.toml:2" in said
    assert "Traceback" not in said


def test_an_address_that_is_not_ours_is_refused() -> None:
    with pytest.raises(NotListening) as refused:
        listen("192.0.2.1", free_port())
    assert "192.0.2.1" in refused.value.said("fr")
    with pytest.raises(NotListening):
        listen("no such name.invalid", free_port())


def test_a_port_is_ours_alone() -> None:
    with listen("127.0.0.1", 0) as first, pytest.raises(PortTaken):
        listen("127.0.0.1", first.getsockname()[1])


def test_addresses_as_people_type_them() -> None:
    assert address_of("http", "192.168.1.2", 80) == "http://192.168.1.2"
    assert address_of("https", "::1", 8766) == "https://[::1]:8766"


def test_https_with_an_authority_that_a_tablet_can_trust(tmp_path: Path) -> None:
    https_port = free_port()
    live = Live(tmp_path, https_port=https_port)
    status, authority = live.call("GET", "/certificate.crt")
    trusting = ssl.create_default_context(cadata=authority)
    link = http.client.HTTPSConnection("localhost", https_port, timeout=PATIENCE, context=trusting)
    link.request("GET", "/healthz")
    assert (status, link.getresponse().status) == (200, 200)
    link.close()
    path, laid = live.lay()
    with socket.create_connection(("127.0.0.1", https_port), PATIENCE) as plain:
        sock = trusting.wrap_socket(plain, server_hostname="127.0.0.1")
        sock.sendall(f"GET {path}/stream HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        come = b""
        while b"data: {" not in come:
            come += sock.recv(65536)
    live.stop()
    said = live.said()
    assert f":{https_port}" in said
    assert "ERROR" not in said
    assert laid["host"].encode() not in come


def test_systemd_hears_of_start_life_and_stop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    address = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(address)
        systemd.settimeout(PATIENCE)
        monkeypatch.setenv("NOTIFY_SOCKET", address)
        monkeypatch.setenv("WATCHDOG_USEC", "200000")
        live = Live(tmp_path / "data")
        heard = {systemd.recv(4096) for _ in range(4)}
        assert heard == {b"READY=1", b"WATCHDOG=1", f"STATUS=http://127.0.0.1:{live.port}".encode()}
        live.stop()
        assert b"STOPPING=1" in iter(partial(systemd.recv, 4096), b"")


def test_after_a_start_it_knows_the_newest_step_on_disk(tmp_path: Path) -> None:
    first = Live(tmp_path)
    path, laid = first.lay()
    first.lay()
    seq = first.dial(path, laid["host"], first.call("GET", path)[1]["seq"])[1]["seq"]
    first.stop()
    second = Live(tmp_path)
    health = second.call("GET", "/healthz")[1]
    second.stop()
    assert (health["table"], health["seq"]) == (laid["table"], seq)


def test_damaged_data_end_a_start_as_what_no_other_start_mends(tmp_path: Path) -> None:
    (tmp_path / "digside.sqlite").write_bytes(b"no database " * 1000)
    process = start(tmp_path, port=free_port())
    said = process.communicate(timeout=PATIENCE)[0].decode()
    assert process.returncode == TO_BE_MENDED
    assert "damaged" in said
    assert "Traceback" not in said
    unit = (Path(__file__).parents[2] / "hardware" / "systemd" / "digside.service").read_text(encoding="utf-8")
    assert f"RestartPreventExitStatus={TO_BE_MENDED}\n" in unit


@pytest.mark.parametrize("port", ["99999", "0", "-1", "http", "9" * 5000])
def test_what_is_no_port_is_told_in_words(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["serve", f"--port={port}"])
    assert "a port is a number from 1 to 65535" in capsys.readouterr().err


def test_an_owners_box_file_that_does_not_hold_stops_the_start(tmp_path: Path) -> None:
    (tmp_path / "boxes").mkdir()
    (tmp_path / "boxes" / "horus.toml").write_text("title = 3\n", encoding="utf-8")
    process = start(tmp_path, port=free_port())
    said = process.communicate(timeout=PATIENCE)[0].decode()
    assert process.returncode == TO_BE_MENDED
    assert "horus.toml" in said
    assert "Traceback" not in said


def test_what_took_long_to_go_over_is_not_gone_over_again() -> None:
    before = gc.get_freeze_count()
    for longest, kept in ((60.0, False), (0.0, True)):
        GcFreezer(longest)("start", {"generation": 2})
        collections = GcFreezer(longest)
        gc.callbacks.append(collections)
        try:
            gc.collect()
            assert (gc.get_freeze_count() > before) is kept
        finally:
            gc.callbacks.remove(collections)
            gc.unfreeze()


def test_presses_leave_nothing_for_the_collector_and_a_table_is_freed_with_the_last_who_holds_it(table: Asker) -> None:
    service: Service = table.app.extensions["digside"]
    here = service.hall.table(table.laid["table"])
    headers = {"authorization": f"Bearer {here.keys.host}", "content-type": "application/json", "host": "localhost"}
    scope = {
        "method": "POST",
        "path": f"{table.path}/moves",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "query_string": b"",
        "scheme": "http",
        "http_version": "1.1",
    }

    def press(seq: int) -> int:
        body = {"seq": seq, "request": f"press {seq}", "move": {"type": "dial", "knowledge": seq % 8 + 1}}
        return bridge.answered(table.app, bridge.environ_of(scope, of_scope(scope), json.dumps(body).encode())).status

    statuses = {press(here.seq), press(0)}
    gc.collect()
    gc.disable()
    try:
        for _ in range(20):
            statuses |= {press(here.seq), press(0)}
        assert statuses == {200, 409}
        assert gc.collect() <= OF_A_MATCH * 40, "but for what Werkzeug leaves of each match there is nothing"
        freed = weakref.ref(here)
        del here
        service.hall._at_hand.clear()
        assert freed() is None
    finally:
        gc.enable()
