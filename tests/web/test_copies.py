"""Copies on a hub: each step once, in order, missed when altered; and nobody waits for a hub that is away."""

from __future__ import annotations

import base64
import http.client
import io
import json
import shutil
import sqlite3
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from email.message import Message
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import msgspec
import pytest
from flask import Flask
from msgspec.structs import replace

from companion.play.chain import Chain, beginning
from companion.play.entries import JournalLine, TableClosed
from companion.play.hall import Hall
from companion.play.table import HOST, Table
from companion.play.view import view
from companion.refusals import Illegal, Malformed, Missing, Refusal, Storage
from companion.terminal.doctor import findings
from hardware import rig
from hardware.face import NoRig
from tests.web.broker import until
from tests.web.people import Asker, Browser, client, sit_down
from web_ui import copier as sending
from web_ui import copies, others
from web_ui.app import create_app
from web_ui.between import Exchange
from web_ui.copier import Copier
from web_ui.copies import Copies, CopyTold, TablePiece, hub_at, proof_of
from web_ui.http_errors import TooLarge, TooMany
from web_ui.hub_client import HubClient, HubUnavailable, look_at_hub, other_name
from web_ui.rate import Pace
from web_ui.service import Service
from web_ui.settings import Settings

HUB = "http://hub.lan:8770"


class HubThere:
    """A hub, and the network between: it can be away."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.away = False
        self.asked = 0
        self.start()

    def start(self) -> None:
        """Have it keep copies."""
        self.hall = Hall(self.folder)
        self.app = create_app(self.hall, NoRig(), settings=Settings(keeps_copies=True))
        service: Service = self.app.extensions["digside"]
        assert service.copies is not None
        self.service, self.copies = service, service.copies

    def stop(self) -> None:
        """End it."""
        self.service.close()
        self.hall.close()

    def move_to(self, folder: Path) -> None:
        """Start it anew on another disk."""
        token = self.copies.token
        self.stop()
        self.folder = folder
        folder.mkdir(exist_ok=True)
        (folder / "hub_token").write_text(token)
        self.start()

    def forge(self, table: Table) -> None:
        """Have it keep the last step of a table otherwise: whoever has its disk can make links that fit."""
        *lines, last = table.written
        before = lines[-1].link or b"" if lines else beginning(table.laid)
        forged = Chain(table.dealer.secret).linked(before, [replace(last, at=last.at + 1)])
        self.copies.take(table.id, TablePiece((*lines, *forged), table.laid, table.dealer.secret, table.keys))

    def open(self, request: urllib.request.Request, timeout: float) -> io.BytesIO:
        """What urllib would do."""
        self.asked += 1
        if self.away:
            raise OSError("no route to host")
        assert request.full_url.startswith(HUB)
        answer = client(self.app).open(
            request.full_url.removeprefix(HUB),
            method=request.get_method(),
            data=request.data,
            headers=dict(request.header_items()),
        )
        if answer.status_code >= 400:
            raise urllib.error.HTTPError(request.full_url, answer.status_code, "", Message(), io.BytesIO(answer.data))
        return io.BytesIO(answer.data)

    def view(self, table: str) -> object:
        """A table as it would be played on from the copy."""
        copy = Hall(self.folder / copies.FOLDER, reading=True)
        return view(copy.table(table))


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HubThere]:
    made = HubThere(tmp_path / "hub")
    monkeypatch.setattr(others, "opened", made.open)
    monkeypatch.setattr(sending, "TRIED_AGAIN", (0.05, 0.05))
    monkeypatch.setattr(sending, "CALM", 0.0)
    yield made
    made.stop()


@pytest.fixture
def app(hall: Hall, hub: HubThere) -> Iterator[Flask]:
    """A Pi that sends copies."""
    (hall.folder / "hub_token").write_text(hub.copies.token)
    app = create_app(hall, NoRig(), settings=Settings(hub=HUB, at_home=1e9))
    yield app
    app.extensions["digside"].close()


@pytest.fixture
def copier(app: Flask) -> Copier:
    found: Copier = app.extensions["digside"].copier
    return found


def caught_up(hub: HubThere, host: Asker) -> None:
    """Wait until the hub has what is on disk here."""
    until(lambda: hub.copies.all().tables.get(host.laid["table"]) == host.view["seq"], "the copy")


def test_each_step_is_copied_and_could_be_played_on_from_there(app: Flask, hub: HubThere, hall: Hall) -> None:
    host = sit_down(app, mode="referee")
    caught_up(hub, host)
    moved = host.press("/moves", move=host.get("/moves").json["moves"][0], seat=host.view["ask"]["seat"])
    assert moved.status_code == 200
    caught_up(hub, host)
    table = hall.table(host.laid["table"])
    assert hub.view(table.id) == view(table)
    head = table.head()
    assert head is not None
    assert hub.copies.of(table.id).head == head.hex()


def test_an_hour_without_a_network_loses_nothing(app: Flask, hub: HubThere, copier: Copier) -> None:
    host = sit_down(app)
    caught_up(hub, host)
    hub.away = True
    for knowledge in range(sending.PIECE + 30):
        assert host.dial(knowledge % 8 + 1).status_code == 200
    other = sit_down(app)
    until(lambda: copier.state == "away", "that it is away")
    assert copier.behind <= 2, "what is behind is noted by table, not by step"
    hub.away = False
    caught_up(hub, host)
    caught_up(hub, other)
    until(lambda: copier.state == "online", "that it is back")


def test_what_is_sent_again_is_kept_once(hub: HubThere, hall: Hall, app: Flask) -> None:
    host = sit_down(app)
    host.dial()
    caught_up(hub, host)
    table = hall.table(host.laid["table"])
    whole = TablePiece(tuple(table.written), table.laid, table.dealer.secret, table.keys)
    before = hub.copies.of(table.id)
    assert hub.copies.take(table.id, whole) == before
    assert hub.copies.take(table.id, TablePiece(tuple(table.written[1:]))) == before
    ahead = JournalLine(table.seq + 5, 1, TableClosed())
    assert hub.copies.take(table.id, TablePiece((ahead,))) == before, "what does not follow is left"


def asked_by_a_pi(app: Flask, token: str, method: str, path: str, piece: TablePiece | None = None) -> int:
    """How a hub answers what somebody asks who says they have its token."""
    whole = f"/api/copies{path}"
    exchange = Exchange(token, method, whole)
    body = None if piece is None else {"sealed": base64.b64encode(exchange.seal(msgspec.json.encode(piece))).decode()}
    headers = {"Authorization": exchange.authorization}
    return client(app).open(whole, method=method, json=body, headers=headers).status_code


def test_nobody_on_the_way_to_a_hub_hears_a_token_a_key_or_a_secret(
    app: Flask, hub: HubThere, hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[bytes] = []

    def listening(request: urllib.request.Request, timeout: float) -> io.BytesIO:
        assert request.data is None or isinstance(request.data, bytes)
        answer = hub.open(request, timeout)
        heard.append(
            f"{request.full_url} {request.header_items()}".encode() + (request.data or b"") + answer.getvalue()
        )
        return answer

    monkeypatch.setattr(others, "opened", listening)
    host = sit_down(app)
    host.dial()
    caught_up(hub, host)
    table = hall.table(host.laid["table"])
    everything = b"".join(heard)
    assert heard
    for secret in (hub.copies.token, *table.keys.seats, table.keys.host, table.laid.seal, "Ada", "dial"):
        assert secret.encode() not in everything
    assert base64.b64encode(table.dealer.secret) not in everything


def test_what_was_heard_on_the_way_to_a_hub_is_for_that_question_alone(
    app: Flask, hub: HubThere, hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[urllib.request.Request] = []

    def listening(request: urllib.request.Request, timeout: float) -> io.BytesIO:
        heard.append(request)
        return hub.open(request, timeout)

    monkeypatch.setattr(others, "opened", listening)
    host = sit_down(app)
    caught_up(hub, host)
    host.dial()
    caught_up(hub, host)
    before = hub.copies.of(host.laid["table"])
    sends = [request for request in heard if request.data is not None]
    for request in sends:
        path = request.full_url.removeprefix(HUB)
        headers, browser = dict(request.header_items()), client(hub.app)
        assert browser.post(path, data=request.data, headers=headers).status_code == 200, "each entry is kept once"
        assert browser.post(f"{path}/deleted", data=request.data, headers=headers).status_code == 401
        assert browser.get("/api/copies", headers=headers).status_code == 401
        assert browser.post(path, data=sends[0].data, headers=dict(sends[-1].header_items())).status_code == 401
    assert hub.copies.of(host.laid["table"]) == before


def test_a_hub_takes_nothing_that_does_not_follow_from_the_secret(hub: HubThere, hall: Hall, app: Flask) -> None:
    host = sit_down(app)
    host.dial()
    caught_up(hub, host)
    table = hall.table(host.laid["table"])

    def sent(piece: TablePiece) -> int:
        return asked_by_a_pi(hub.app, hub.copies.token, "POST", f"/{table.id}", piece)

    forged = JournalLine(table.seq + 1, 1, TableClosed(), link=bytes(32))
    assert sent(TablePiece((forged,))) == 422
    assert sent(TablePiece((replace(table.written[0], at=7),))) == 422
    other = replace(table.laid, at=7)
    assert sent(TablePiece((), other, table.dealer.secret, table.keys)) == 422
    head = table.head()
    assert head is not None
    follows = Chain(table.dealer.secret).linked(head, [JournalLine(table.seq + 1, 1, TableClosed())])
    assert sent(TablePiece(tuple(follows))) == 200


def test_a_copy_that_was_altered_is_missed_and_what_is_here_holds(
    app: Flask, hub: HubThere, hall: Hall, copier: Copier, tmp_path: Path
) -> None:
    """Whoever has the disk of a hub has the secret, too, and can make links that fit: but not those that were sent."""
    host, other = sit_down(app), sit_down(app)
    host.dial()
    caught_up(hub, host)
    caught_up(hub, other)
    table = hall.table(host.laid["table"])
    hub.move_to(tmp_path / "forged")
    hub.forge(table)
    assert host.dial().status_code == 200
    until(lambda: copier.state == "otherwise", "that it was altered")
    hub.away = True
    assert other.dial().status_code == 200
    until(lambda: copier.state == "away", "that it is away")
    assert "What is kept here holds" in copier.status("en"), "an alarm is not forgotten over a network that fails"
    hub.away = False
    caught_up(hub, other)
    until(lambda: copier.state == "otherwise", "that it is still so")
    assert copier.behind == 1
    assert "does not answer" not in copier.status("en")
    assert hall.table(host.laid["table"]).seq == host.view["seq"]


def test_an_altered_copy_is_missed_though_nobody_plays_on(
    app: Flask, hub: HubThere, hall: Hall, copier: Copier, tmp_path: Path
) -> None:
    host = sit_down(app)
    host.dial()
    host.press("/close")
    caught_up(hub, host)
    hub.move_to(tmp_path / "forged")
    hub.forge(hall.table(host.laid["table"]))
    sit_down(app)
    until(lambda: copier.state == "otherwise", "that it was altered")
    app.extensions["digside"].close()
    again = Copier(hall, HUB, hub.copies.token)
    again.start()
    until(lambda: again.state == "otherwise", "that it is known after a new start")
    look = look_at_hub(hall.folder)
    assert look is not None
    assert look.state == "otherwise"
    _, secret, _ = hub.copies._journal.laying_of(host.laid["table"])
    hub.copies.deleted(host.laid["table"], proof_of(host.laid["table"], secret))
    hub.copies.remove([host.laid["table"]])
    again._compared_until = 0.0
    again._wake.set()
    until(lambda: again.state == "online", "that it is sent anew once the altered one was removed")
    again.close()


@pytest.mark.parametrize("disk", ["new", "older"])
def test_a_hub_with_another_disk_is_sent_everything(
    app: Flask, hub: HubThere, hall: Hall, disk: str, tmp_path: Path
) -> None:
    host, idle = sit_down(app), sit_down(app)
    host.dial()
    for each in (host, idle):
        caught_up(hub, each)
    kept = hub.folder
    if disk == "older":
        hub.stop()
        shutil.copytree(kept, tmp_path / disk)
        hub.folder = kept
        hub.start()
    for each in (host, idle):
        each.dial()
        caught_up(hub, each)
    hub.move_to(tmp_path / disk)
    host.dial()
    for each in (host, idle):
        caught_up(hub, each)


def test_what_a_hub_has_is_looked_at_again_by_and_by(
    app: Flask, hub: HubThere, copier: Copier, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sending, "COMPARED_AGAIN", 0.02)
    copier._compared_until = 0.0
    host = sit_down(app)
    caught_up(hub, host)
    hub.move_to(tmp_path / "new")
    caught_up(hub, host)


GARBLED = [http.client.BadStatusLine("HT"), http.client.IncompleteRead(b""), RuntimeError("a mistake")]


@pytest.mark.parametrize("garbled", GARBLED)
def test_whatever_a_hub_answers_copying_goes_on(
    app: Flask, hub: HubThere, copier: Copier, monkeypatch: pytest.MonkeyPatch, garbled: Exception
) -> None:
    host = sit_down(app)
    caught_up(hub, host)

    def open_garbled(*_: object) -> io.BytesIO:
        raise garbled

    monkeypatch.setattr(others, "opened", open_garbled)
    host.dial()
    until(lambda: copier.state == "away", "that it does not answer as it should")
    monkeypatch.setattr(others, "opened", hub.open)
    caught_up(hub, host)
    until(lambda: copier.state == "online", "that it is back")


def test_a_hub_that_counts_backwards_is_left_in_peace(
    app: Flask, hub: HubThere, hall: Hall, copier: Copier, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = sit_down(app)
    host.dial()
    caught_up(hub, host)
    until(lambda: copier.state == "online", "the hub")
    table, asked = hall.table(host.laid["table"]), 0

    def lie(self: Copies, name: str, piece: TablePiece) -> CopyTold:
        nonlocal asked
        asked += 1
        head = table.written[asked % 2].link
        return CopyTold(-1000 if asked == 3 else asked % 2 + 1, head.hex() if head else None)

    monkeypatch.setattr(Copies, "take", lie)
    monkeypatch.setattr(sending, "TRIED_AGAIN", (60.0, 60.0))
    host.dial()
    until(lambda: copier.state in {"trying", "otherwise"}, "that something is wrong")
    assert asked <= 3
    monkeypatch.undo()


def refusing(hub: HubThere, table: str, monkeypatch: pytest.MonkeyPatch, refusal: Refusal) -> None:
    """Have the hub refuse whatever is sent of a table."""
    real = Copies.take

    def refuse(self: Copies, name: str, piece: TablePiece) -> CopyTold:
        if name == table:
            raise refusal
        return real(self, name, piece)

    monkeypatch.setattr(Copies, "take", refuse)


@pytest.mark.parametrize(
    ("refusal", "state"),
    [
        (Malformed("web.bad_request"), "untaken"),
        (TooLarge("web.too_large", limit=1), "untaken"),
        (TooMany("web.too_many"), "busy"),
        (Storage("core.disk_full", folder="/hub"), "full"),
        (Storage("core.table_damaged", table="t"), "otherwise"),
    ],
)
def test_what_a_hub_does_not_take_is_said_and_sent_once_it_does(
    app: Flask,
    hub: HubThere,
    hall: Hall,
    copier: Copier,
    monkeypatch: pytest.MonkeyPatch,
    refusal: Refusal,
    state: str,
) -> None:
    bad, good, gone = sit_down(app), sit_down(app), sit_down(app)
    for host in (bad, good, gone):
        caught_up(hub, host)
    until(lambda: copier.state == "online", "the hub")
    with monkeypatch.context() as refused:
        refusing(hub, bad.laid["table"], refused, refusal)
        bad.dial()
        until(lambda: copier.state == state, f"that it is {state}")
        assert copier.behind == 1
        assert HUB in copier.status("de")
        seen = "online" if state == "otherwise" else state
        until(lambda: (look := look_at_hub(hall.folder)) and (look.state, look.lacks) == (seen, 1), "the doctor")
        assert [finding.key for finding in findings(hall.folder, None, rig, hub=look_at_hub) if "hub" in finding.key]
        app.extensions["digside"].delete(gone.laid["table"])
        until(lambda: deleted(hub) == {gone.laid["table"]}, "that one was deleted")
        good.dial()
        if state in {"untaken", "otherwise"}:
            caught_up(hub, good)
    copier._compared_until = 0.0
    copier._wake.set()
    for host in (bad, good):
        caught_up(hub, host)
    until(lambda: copier.state == "online", "that all is well")


def test_a_table_that_is_damaged_here_keeps_no_other_from_the_hub(
    app: Flask, hub: HubThere, hall: Hall, tmp_path: Path
) -> None:
    bad, good, gone = sit_down(app), sit_down(app), sit_down(app)
    for host in (bad, good, gone):
        caught_up(hub, host)
    app.extensions["digside"].close()
    hub.move_to(tmp_path / "new")
    name = bad.laid["table"]
    hall.table(name).end(HOST, bad.view["seq"], "end")
    with closing(sqlite3.connect(hall.folder / "digside.sqlite")) as db, db:
        db.execute("UPDATE entries SET body = X'00' WHERE table_id = ?", (name,))
    hall._at_hand.clear()
    hall._tables.clear()
    again = Copier(hall, HUB, hub.copies.token)
    again.start()
    until(lambda: again.state == "unread", "that it cannot be read")
    assert name in again.status("en")
    assert "refuses Digside" not in again.status("en")
    caught_up(hub, good)
    again.delete(gone.laid["table"])
    until(lambda: gone.laid["table"] in deleted(hub), "that one was deleted")
    look = look_at_hub(hall.folder)
    assert look is not None
    assert look.state == "unread"
    again.close()


def test_tables_of_two_pis_that_drew_one_name_are_both_kept(
    app: Flask, hub: HubThere, hall: Hall, tmp_path: Path
) -> None:
    host = sit_down(app)
    host.dial()
    caught_up(hub, host)
    table = hall.table(host.laid["table"])
    other = Hall(tmp_path / "other pi")
    twin = other.lay(table.setup)
    laid = replace(twin.laid, table=table.id)
    line = JournalLine(1, 1, TableClosed())
    written = Chain(twin.dealer.secret).linked(beginning(laid), [line])
    other.journal.lay(laid, twin.dealer.secret, twin.keys, written)
    second = Copier(other, HUB, hub.copies.token)
    second.start()
    until(lambda: second.state == "online", "the hub")
    assert hub.copies.of(table.id).seal == table.laid.seal
    name = other_name(table.id, laid.seal)
    copy = Hall(hub.folder / copies.FOLDER, reading=True).table(name)
    assert (copy.laid.was, copy.laid.seal, [*copy.written]) == (table.id, laid.seal, written)
    assert Chain(copy.dealer.secret).sound(copy.laid, copy.written) == 1
    second.delete(table.id)
    until(lambda: deleted(hub) == {name}, "that the second was deleted")
    second.close()
    other.close()


def test_a_hub_of_an_older_digside_is_sent_what_it_lacks(
    app: Flask, hub: HubThere, hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """0.3.0 told numbers alone, and no seals."""
    app.extensions["digside"].close()
    host = sit_down(app)
    newer = Copies.all
    monkeypatch.setattr(Copies, "all", lambda self: replace(newer(self), copies=None, start=""))
    again = Copier(hall, HUB, hub.copies.token)
    again.start()
    caught_up(hub, host)
    until(lambda: again.state == "online", "the hub")
    look = look_at_hub(hall.folder)
    assert look is not None
    assert (look.state, look.lacks) == ("online", 0)
    again.close()


def test_all_pis_of_a_house_together_may_send_as_fast_as_they_can(tmp_path: Path) -> None:
    hall = Hall(tmp_path / "hub")
    once = Pace(1, 0.001)
    app = create_app(hall, NoRig(), settings=Settings(keeps_copies=True, taps=once, looks=once, at_home=1.0))
    service: Service = app.extensions["digside"]
    assert service.copies is not None
    token = service.copies.token
    asked = [asked_by_a_pi(app, token, "GET", "") for _ in range(20)]
    asked += [asked_by_a_pi(app, token, "POST", "/abcde/deleted", TablePiece()) for _ in range(20)]
    assert asked == [200] * 20 + [404] * 20
    wrong = [asked_by_a_pi(app, "a guess of sixteen", "GET", "") for _ in range(3)]
    assert wrong == [401, 429, 429]
    service.close()
    hall.close()


def test_a_token_goes_nowhere_else(tmp_path: Path) -> None:
    """A hub that sends its Pis on to another address."""
    shown: list[str | None] = []

    class Hub(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            shown.append(self.headers["Authorization"])
            self.send_response(302)
            self.send_header("Location", "/elsewhere")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Nothing is said of it."""

    with HTTPServer(("127.0.0.1", 0), Hub) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        asked = HubClient(f"http://127.0.0.1:{server.server_port}", "the-token-of-the-house")
        with pytest.raises(HubUnavailable, match="302"):
            asked.all()
        server.shutdown()
    assert len(shown) == 1
    assert "the-token" not in str(shown)


def test_after_a_new_start_only_what_lacks_is_sent(app: Flask, hub: HubThere, hall: Hall) -> None:
    host, other = sit_down(app), sit_down(app)
    caught_up(hub, host)
    caught_up(hub, other)
    app.extensions["digside"].close()
    hall.table(host.laid["table"]).end(HOST, host.view["seq"], "end")
    asked = hub.asked
    copier = Copier(hall, HUB, hub.copies.token)
    copier.start()
    caught_up(hub, host)
    until(lambda: copier.state == "online", "the hub")
    assert hub.asked - asked <= 3, "the list, how far the one has come, and what it lacks"
    copier.close()


def deleted(hub: HubThere) -> set[str]:
    """The tables whose copies the hub's owner may remove."""
    return {copy["table"] for copy in Browser(hub.app).own().get("/api/machine").json["copies"]["deleted"]}


def test_what_is_deleted_here_is_told_and_its_copy_removed_by_the_hubs_owner_alone(
    app: Flask, hub: HubThere, hall: Hall, copier: Copier
) -> None:
    gone, stays = sit_down(app), sit_down(app)
    for host in (gone, stays):
        caught_up(hub, host)
    name, other = gone.laid["table"], stays.laid["table"]
    hub.away = True
    kept = hub.view(name)
    for table, status in ((name, 200), (name, 404)):
        assert Browser(app).own().post("/api/owner/delete", json={"table": table}).status_code == status
    app.extensions["digside"].close()
    copier._thread.join()
    hub.away = False
    assert deleted(hub) == set()
    again = create_app(hall, NoRig(), settings=Settings(hub=HUB, at_home=1e9))
    until(lambda: deleted(hub) == {name}, "that it was deleted")
    assert hub.view(name) == kept, "the copy is whole"
    until(lambda: not (hall.folder / "hub_untold").exists(), "that it is told once")
    owner, asked = Browser(hub.app).own(), {"json": {"remove": [name, other]}}
    assert Browser(hub.app).post("/api/machine/copies", **asked).status_code == 401
    refused = owner.post("/api/machine/copies", **asked)
    assert (refused.status_code, refused.json["error"]["key"]) == (422, "web.copy_in_play")
    assert hub.copies.all().tables.keys() == {name, other}, "one that may not go keeps the others"
    told = owner.post("/api/machine/copies", json={"remove": [name]})
    assert told.json == {"tables": 1, "deleted": []}
    assert hub.copies.all().tables.keys() == {other}
    assert Browser(again).own().post("/api/machine/copies", json={"remove": []}).status_code == 404, "a Pi is no hub"
    again.extensions["digside"].close()


def test_no_pi_says_of_anothers_table_that_it_was_deleted(app: Flask, hub: HubThere, hall: Hall) -> None:
    """All have the token, which opens every copy; who deleted a table shows that it had the secret of its luck."""
    host = sit_down(app)
    caught_up(hub, host)
    name = host.laid["table"]
    secret = hall.table(name).dealer.secret
    for proof in (None, b"", proof_of(name, bytes(32)), proof_of("other", secret), secret):
        with pytest.raises(Illegal):
            hub.copies.deleted(name, proof)
    assert deleted(hub) == set()
    hub.copies.deleted(name, proof_of(name, secret))
    assert deleted(hub) == {name}


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "a" * 300, "a/b", "", "Ünter", "a\nb", "A b"])
def test_a_copy_is_called_as_tables_are(app: Flask, hub: HubThere, hall: Hall, name: str) -> None:
    table = hall.table(sit_down(app).laid["table"])
    laid = replace(table.laid, table=name)
    with pytest.raises((Malformed, Missing)):
        hub.copies.take(name, TablePiece((), laid, table.dealer.secret, table.keys))
    assert name not in hub.copies.all().tables


def test_a_copy_is_no_larger_than_a_record(app: Flask, hub: HubThere, hall: Hall) -> None:
    table = hall.table(sit_down(app).laid["table"])
    laid = replace(table.laid, table="large", digside="x" * 300)
    with pytest.raises(Malformed):
        hub.copies.take("large", TablePiece((), laid, table.dealer.secret, table.keys))


def test_a_deletion_that_came_to_nothing_and_a_backup_are_no_deletion(app: Flask, hub: HubThere, hall: Hall) -> None:
    """The power went after it was noted that a table would be deleted; and one that was, is put back."""
    back, stays = sit_down(app), sit_down(app)
    for host in (back, stays):
        caught_up(hub, host)
    name = back.laid["table"]
    table = hall.table(name)
    app.extensions["digside"].delete(name)
    until(lambda: deleted(hub) == {name}, "that it was deleted")
    app.extensions["digside"].close()
    hall.journal.lay(table.laid, table.dealer.secret, table.keys, table.written)
    (hall.folder / "hub_untold").write_text(f"{stays.laid['table']}\n")
    again = create_app(hall, NoRig(), settings=Settings(hub=HUB, at_home=1e9))
    until(lambda: deleted(hub) == set(), "that it is here again")
    until(lambda: not (hall.folder / "hub_untold").exists(), "that nothing is told")
    assert deleted(hub) == set()
    again.extensions["digside"].close()


def test_the_doctor_asks_the_hub(app: Flask, hub: HubThere, hall: Hall, copier: Copier) -> None:
    def said() -> tuple[str, str, object]:
        every = findings(hall.folder, None, rig, hub=look_at_hub)
        found = next(each for each in every if each.key.startswith("hub_"))
        return found.state, found.key, found.facts["n"]

    assert look_at_hub(hall.folder / "nowhere") is None
    host, other = sit_down(app), sit_down(app)
    caught_up(hub, host)
    caught_up(hub, other)
    until(lambda: copier.state == "online", "the hub")
    assert said() == ("well", "hub_online", 0)
    hub.away = True
    assert said() == ("note", "hub_away", 0), "it is not known since when"
    host.dial()
    until(lambda: copier.state == "away", "that it is away")
    assert said() == ("note", "hub_away_since", 1)
    app.extensions["digside"].close()
    hub.away = False
    assert said() == ("note", "hub_lacks", 1)
    (hall.folder / "hub_token").write_text("another-token-of-somebody")
    assert said()[:2] == ("ill", "hub_refused")
    create_app(hall, NoRig(), settings=Settings()).extensions["digside"].close()
    assert look_at_hub(hall.folder) is None, "none is named any more"


def test_copies_are_for_whoever_has_the_token(app: Flask, hub: HubThere, hall: Hall, tmp_path: Path) -> None:
    host = sit_down(app)
    caught_up(hub, host)
    for path in ("/api/copies", f"/api/copies/{host.laid['table']}"):
        for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": f"Bearer {host.laid['host']}"}):
            assert client(hub.app).get(path, headers=headers).status_code == 401
    assert host.get("/api/copies").status_code == 404, "a Pi is no hub"
    assert (hub.folder / "hub_token").stat().st_mode & 0o077 == 0
    copier = Copier(hall, HUB, "another-token-of-somebody")
    copier.start()
    until(lambda: copier.state == "refused", "the refusal")
    assert "another-token" not in copier.status("en")
    copier.close()


def test_a_pi_without_the_token_says_where_it_is_wanted(hall: Hall) -> None:
    with pytest.raises(Malformed, match="hub_token"):
        create_app(hall, NoRig(), settings=Settings(hub=HUB))


@pytest.mark.parametrize("url", ["http://hub.example.org", "http://8.8.8.8:8770", "ftp://hub"])
def test_secrets_leave_ones_own_network_by_https_only(url: str) -> None:
    with pytest.raises(Malformed):
        hub_at(url)
    assert hub_at("https://hub.example.org") == "https://hub.example.org"


def test_a_hub_tells_no_secret_of_what_it_keeps(app: Flask, hub: HubThere) -> None:
    host = sit_down(app)
    caught_up(hub, host)
    auth = {"Authorization": f"Bearer {hub.copies.token}"}
    for path in ("/api/copies", f"/api/copies/{host.laid['table']}", "/api/tables", "/metrics"):
        told = client(hub.app).get(path, headers=auth if "copies" in path else {}).text
        assert not any(key in told for key in (host.laid["host"], *host.laid["seats"]))
    assert host.laid["table"] not in json.dumps(client(hub.app).get("/api/tables").json)
