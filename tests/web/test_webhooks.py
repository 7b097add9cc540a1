"""What happens at a table is told to the owner's addresses, and to no other; one that fails or hangs keeps nobody."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from companion.play.hall import Hall
from companion.refusals import Malformed
from tests.web.broker import until
from tests.web.people import Browser, sit_down
from web_ui.house import EventKind, HouseEvent, RigNow, SeatNow, TableNow
from web_ui.service import Service
from web_ui.webhooks import FILE, MOST_HOOKS, WAITING, Webhook, Webhooks, hooks_at_start, keep_hooks, signed

SECRET = "s3"
QUICK = (0.05, 0.05, 0.05)


class Receiver(ThreadingHTTPServer):
    """An address on this machine: it answers as it is told to, and keeps what came."""

    def __init__(self) -> None:
        self.answers: list[int] = []
        self.came: list[tuple[str, dict[str, str], bytes]] = []
        self.hangs = threading.Event()
        self.hangs.set()
        self.new = threading.Condition()
        super().__init__(("127.0.0.1", 0), Answering)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"

    def wait(self, count: int) -> list[Any]:
        """All that came, once it is so much."""
        with self.new:
            assert self.new.wait_for(lambda: len(self.came) >= count, 10), self.came
        return [json.loads(body) for _, _, body in self.came if body[:1] == b"{"]


class Answering(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.hangs.wait(5)
        with self.server.new:
            status = self.server.answers.pop(0) if self.server.answers else 204
            self.server.came.append((self.path, dict(self.headers), body))
            self.server.new.notify_all()
        self.send_response(status)
        if status == 302:
            self.send_header("Location", f"{self.server.url}/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *said: object) -> None:
        """Say nothing in the tests' output."""


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    server = Receiver()
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield server
    server.hangs.set()
    server.shutdown()
    server.server_close()


class NoHouse:
    """A house of which a test tells itself."""

    def listen(self, ear: Webhooks) -> Any:
        ear.all_told(again=True)
        return lambda: None


def telling(*hooks: Webhook, within: float = 0.5) -> Webhooks:
    house: Any = NoHouse()
    made = Webhooks(house, title=str.title, language="en", pauses=QUICK, within=within)
    made.use(hooks)
    return made


def happens(hooks: Webhooks, kind: EventKind, seat: int | None = None) -> None:
    """Something happens at a table."""
    seats = tuple(SeatNow(name, "", "", None, None) for name in ("Ada", "Ben"))
    over = kind == "end"
    now = TableNow("abcde", "horus", "referee", seats, 1, seat, "move", None, over, (1,) if over else ())
    hooks.table(now, [HouseEvent(kind, seat, {})])


def rig(fault: str | None) -> RigNow:
    return RigNow("sim", "fault", fault, None, None, 0, 0, stale=False)


def test_a_turn_a_call_an_end_and_a_fault_are_told(receiver: Receiver) -> None:
    hooks = telling(Webhook(url=f"{receiver.url}/in?a=b", secret=SECRET))
    for turn in (0, 1):
        happens(hooks, "turn", turn)
    happens(hooks, "draw", 1)
    happens(hooks, "call")
    happens(hooks, "end")
    for fault in ("leak", "leak", None):
        hooks.rig(rig(fault))
    told = receiver.wait(5)
    assert [(each["event"], each.get("name")) for each in told] == [
        ("turn", "Ada"),
        ("turn", "Ben"),
        ("call", None),
        ("end", None),
        ("fault", None),
    ]
    assert told[3]["winners"] == ["Ben"]
    path, headers, body = receiver.came[0]
    assert path == "/in?a=b"
    at, _, mark = headers["X-Digside-Signature"].removeprefix("t=").partition(",v1=")
    assert mark == hmac.new(SECRET.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    assert set(told[0]) == {"event", "text", "at", "table", "box", "seat", "name"}
    hooks.close()


def test_what_is_so_when_the_service_starts_is_no_news(app: Flask, receiver: Receiver) -> None:
    service: Service = app.extensions["digside"]
    first = sit_down(app, box="tutankhamun", mode="referee", wait=False)
    service.hooks.use([Webhook(url=receiver.url)])
    until(lambda: service.hooks._begun, "what is so already")
    assert receiver.came == []
    first.press("/close")
    (told,) = receiver.wait(1)
    assert told["event"] == "end"
    keys = [first.laid["host"], *first.laid["seats"]]
    assert not any(key.encode() in body for key in keys for _, _, body in receiver.came)


def test_an_address_that_fails_is_tried_again_and_one_that_refuses_is_not(receiver: Receiver) -> None:
    receiver.answers = [500, 429, 204, 404, 204]
    hooks = telling(Webhook(url=receiver.url))
    for turn in (0, 1, 0):
        happens(hooks, "turn", turn)
    assert [each["name"] for each in receiver.wait(5)] == ["Ada", "Ada", "Ada", "Ben", "Ada"]
    deliveries = [headers["X-Digside-Delivery"] for _, headers, _ in receiver.came]
    assert len(set(deliveries)) == 3
    hooks.close()


def test_nobody_is_sent_on_to_another_address(receiver: Receiver) -> None:
    receiver.answers = [302]
    hooks = telling(Webhook(url=receiver.url))
    happens(hooks, "turn", 0)
    happens(hooks, "turn", 1)
    receiver.wait(2)
    assert [path for path, _, _ in receiver.came] == ["/", "/"]
    hooks.close()


def test_an_address_that_hangs_keeps_nobody_and_its_queue_is_bounded(receiver: Receiver) -> None:
    other = Receiver()
    threading.Thread(target=other.serve_forever, args=(0.01,), daemon=True).start()
    receiver.hangs.clear()
    hooks = telling(Webhook(url=receiver.url, events=("turn",)), Webhook(url=other.url))
    began = time.monotonic()
    for turn in range(3 * WAITING):
        happens(hooks, "turn", turn % 2)
    assert time.monotonic() - began < 1
    other.wait(1)
    assert hooks.posts[0].lost >= WAITING
    hooks.close()
    other.shutdown()
    other.server_close()


def test_a_person_reads_a_sentence_and_a_lamp_what_it_understands(receiver: Receiver) -> None:
    text = Webhook(url=receiver.url, send="text", token="tk_1")
    lamp = Webhook(url=f"{receiver.url}/json/state", body='{"on": true}', events=("call",))
    hooks = telling(text, lamp)
    happens(hooks, "call")
    receiver.wait(2)
    said = {path: (headers, body) for path, headers, body in receiver.came}
    assert said["/"][1] == b"A table calls for help (Horus)."
    assert said["/"][0]["Authorization"] == "Bearer tk_1"
    assert said["/json/state"][1] == b'{"on": true}'
    hooks.close()


def test_the_owners_file_is_checked(tmp_path: Path) -> None:
    file = tmp_path / "webhooks.toml"
    assert hooks_at_start(tmp_path) == ()
    file.write_text('[[webhook]]\nurl = "https://ntfy.sh/digside"\nevents = ["turn"]\nsend = "text"\n')
    file.chmod(0o600)
    (hook,) = hooks_at_start(tmp_path)
    assert hook.send == "text"
    for wrong in (
        'url = "ftp://a"',
        'url = "http://me:pw@a"',
        'url = "http://a b"',
        'url = "http://a"\nevents = ["x"]',
    ):
        file.write_text(f"[[webhook]]\n{wrong}\n")
        with pytest.raises(Malformed):
            hooks_at_start(tmp_path)
    os.chmod(file, 0o666)
    with pytest.raises(Malformed, match="chmod"):
        hooks_at_start(tmp_path)


def test_the_owner_names_tries_changes_and_removes_an_address(app: Flask, hall: Hall, receiver: Receiver) -> None:
    """And a secret is told once, a token never."""
    owner, path = Browser(app).own(), "/api/machine/webhooks"
    asked = {"url": receiver.url, "events": ["call"], "send": "json", "sign": "new", "token": "tk_7"}
    told = owner.post(path, json=asked).json
    (hook,) = told["webhooks"]
    assert (hook["url"], hook["events"], hook["signed"], hook["token"], hook["tries"]) == (
        receiver.url,
        ["call"],
        True,
        True,
        [],
    )
    secret = told["secret"]
    assert len(secret) >= 32
    looked = owner.get(path)
    assert looked.json["secret"] is None
    assert not {secret, "tk_7"} & set(re.split(r"\W+", looked.text))
    assert (hall.folder / FILE).stat().st_mode & 0o077 == 0
    receiver.answers = [503, 200]
    owner.post(f"{path}/test", json={"id": hook["id"]})
    (sent,) = receiver.wait(1)
    assert (sent["event"], sent["text"]) == ("test", "This is a test from Digside.")
    _, headers, body = receiver.came[0]
    at = headers["X-Digside-Signature"].partition(",")[0].removeprefix("t=")
    assert headers["X-Digside-Signature"] == signed(secret, int(at), body)
    assert tries(owner) == [("test", 503, False, "answered 503")]
    owner.post(f"{path}/test", json={"id": hook["id"]})
    receiver.wait(2)
    assert [each[1] for each in tries(owner, 2)] == [200, 503]
    assert owner.post(path, json={**asked, "sign": "kept", "token": ""}).json["webhooks"][1]["signed"] is False
    changed = owner.post(path, json={**asked, "id": hook["id"], "sign": "kept", "events": ["end", "turn"]}).json
    assert changed["secret"] is None
    assert [each.secret for each in hooks_at_start(hall.folder)] == [secret, ""]
    assert owner.post(f"{path}/test", json={"id": hook["id"]}).status_code == 404, "it is another now"
    until(lambda: app.extensions["digside"].hooks._begun, "what is so already")
    table = sit_down(app, box="tutankhamun", mode="referee")
    receiver.wait(3)
    table.press("/close")
    receiver.wait(4)
    assert [json.loads(body)["event"] for _, _, body in receiver.came[2:]] == ["turn", "end"]
    for each in changed["webhooks"]:
        owner.post(f"{path}/remove", json={"id": each["id"]})
    assert hooks_at_start(hall.folder) == ()
    assert app.extensions["digside"].hooks.posts == ()
    odd: list[dict[str, Any]] = [{"url": "ftp://a"}, {"events": []}, {"id": "none"}]
    for wrong in odd:
        assert owner.post(path, json={**asked, **wrong}).status_code in {400, 404}
    assert all(owner.post(path, json=asked).status_code == 200 for _ in range(MOST_HOOKS))
    assert owner.post(path, json=asked).json["error"]["key"] == "web.hooks_full"


def tries(owner: Browser, count: int = 1) -> list[Any]:
    """What came of the last messages, once there are so many."""
    until(lambda: len(owner.get("/api/machine/webhooks").json["webhooks"][0]["tries"]) >= count, "the tries")
    found = owner.get("/api/machine/webhooks").json["webhooks"][0]["tries"]
    return [(each["event"], each["status"], each["taken"], each["message"]) for each in found]


def test_addresses_are_the_owners_alone_and_an_odd_file_is_not_written_over(app: Flask, hall: Hall) -> None:
    guest, owner, path = Browser(app), Browser(app).own(), "/api/machine/webhooks"
    assert [guest.get(path).status_code, guest.post(path, json={"url": "http://a", "events": ["end"]}).status_code] == [
        401,
        401,
    ]
    (hall.folder / FILE).write_text("[[webhook]]\nurl = 7\n")
    assert owner.post(path, json={"url": "http://a", "events": ["end"]}).status_code == 400
    assert (hall.folder / FILE).read_text() == "[[webhook]]\nurl = 7\n"
    whole = Webhook(url="http://a", body='{"a": "\x7f\\é"}', events=("end", "turn"), secret='"', send="text", token="t")
    keep_hooks(hall.folder, [whole, Webhook(url="http://b")])
    assert hooks_at_start(hall.folder) == (whole, Webhook(url="http://b"))
