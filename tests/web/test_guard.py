"""What every answer and every request has in common: names, origins, headers, sizes, languages, paces."""

from __future__ import annotations

import re
from itertools import product

import pytest
from flask import Flask

from companion.play.hall import Hall
from companion.words import LANGUAGES, say
from hardware.face import NoRig
from tests.web.people import LAYING, Asker, Browser, lay
from web_ui.app import create_app
from web_ui.http_errors import TooMany
from web_ui.rate import Pace
from web_ui.service import RateLimits
from web_ui.settings import Settings

OWN_HOSTS = ("192.168.1.20:8765", "digside.local", "digside", "[fe80::1]:80", "localhost:1", "pi.lan")
HUGE = ({"type": "advance", "seat": 10**300, "weeks": 1}, {"type": "dial", "knowledge": 10**18})
UNREADABLE = (
    b"",
    b"{",
    b"nul",
    b"NaN",
    b'{"seq": NaN}',
    b'{"seq": Infinity}',
    b"\xff\xfe",
    b'"\xed\xa0\x80"',
    b"[" * 60_000,
    b'{"a":' * 10_000,
    b'{"seq": 1' + b"0" * 5000 + b"}",
    b'{"request": "\\ud800"}',
    b"\x00",
    b"{}{}",
)


@pytest.mark.parametrize("host", OWN_HOSTS)
def test_this_machine_answers_under_its_own_names(client: Browser, host: str) -> None:
    assert client.get("/api/boxes", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8765", "local.evil.com", "192.168.1.20.nip.io", ""])
def test_and_under_no_name_a_stranger_could_own(client: Browser, host: str) -> None:
    answer = client.get("/api/boxes", headers={"Host": host})
    assert (answer.status_code, answer.json["error"]["code"]) == (421, "misdirected")


def test_a_name_can_be_given_to_it(hall: Hall) -> None:
    app = create_app(hall, NoRig(), settings=Settings(names=("table.example.org",)))
    assert Browser(app).get("/api/boxes", headers={"Host": "table.example.org"}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:9999"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
    ids=str,
)
def test_another_sites_page_does_nothing_in_a_visitors_name(table: Asker, headers: dict[str, str]) -> None:
    device = Browser(table.app)
    device.keep(f"digside-{table.laid['table']}", table.laid["host"])
    for path in (f"{table.path}/moves", "/api/tables", "/api/rig/shovel"):
        answer = device.post(path, json={}, headers=headers)
        assert (answer.status_code, answer.json["error"]["code"]) == (403, "cross_site")


def test_our_own_page_does(table: Asker) -> None:
    device = Browser(table.app)
    device.keep(f"digside-{table.laid['table']}", table.laid["host"])
    body = {"seq": table.view["seq"], "request": "a", "move": {"type": "dial", "knowledge": 2}}
    headers = {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}
    assert device.post(f"{table.path}/moves", json=body, headers=headers).status_code == 200


def test_a_program_with_a_key_needs_no_origin(table: Asker) -> None:
    assert table.dial().status_code == 200


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_only_json_is_taken(client: Browser, kind: str) -> None:
    answer = client.post("/api/tables", data="{}", content_type=kind)
    assert (answer.status_code, answer.json["error"]["code"]) == (415, "not_json")


def test_what_cannot_be_read_is_malformed(table: Asker, subtests: pytest.Subtests) -> None:
    device = Browser(table.app).own()
    device.keep(f"digside-{table.laid['table']}", str(table.key))
    of_the_table = (f"{table.path}/{call}" for call in ("moves", "stir", "enter"))
    for path, body in product((*of_the_table, "/api/tables", "/api/tables/import"), UNREADABLE):
        with subtests.test(path, body=body[:20]):
            answer = device.post(path, data=body, content_type="application/json")
            assert (answer.status_code, answer.json["error"]["code"]) == (400, "malformed")


@pytest.mark.parametrize("move", HUGE)
def test_huge_numbers_break_nothing(table: Asker, move: dict[str, object]) -> None:
    assert table.press("/moves", move=move).status_code in {200, 400, 422}


def test_a_deep_move_breaks_nothing(table: Asker) -> None:
    deep: object = 1
    for _ in range(400):
        deep = [deep]
    assert table.press("/moves", move={"type": "dial", "knowledge": deep}).status_code == 400


def test_more_than_64_kib_is_too_much(client: Browser) -> None:
    body = b'{"box": "' + b"x" * 65_536 + b'"}'
    answer = client.post("/api/tables", data=body, content_type="application/json")
    assert (answer.status_code, answer.json["error"]["code"]) == (413, "too_large")


def test_a_record_may_be_longer(client: Browser) -> None:
    longer = client.own().post("/api/tables/import", data=b" " * 70_000, content_type="application/json")
    assert longer.status_code == 400
    too_long = client.post("/api/tables/import", data=b" " * (4 * 1024 * 1024 + 1), content_type="application/json")
    assert too_long.status_code == 413


def test_presses_are_counted_by_client(hall: Hall) -> None:
    app = create_app(hall, NoRig(), settings=Settings(taps=Pace(3, 0.001), at_home=1))
    laid = lay(app)
    asker = Asker(app, laid, laid["host"])
    answers = [asker.post("/leave", {}).status_code for _ in range(6)]
    assert answers == [200, 200, 200, 200, 429, 429]  # the first still counts for its address: its key is new
    assert asker.get().status_code == 200


def test_a_program_on_the_machine_itself_may_ask_more_often() -> None:
    limits = RateLimits(Settings(taps=Pace(1, 0.001), at_home=3))
    for _ in range(3):
        limits.check("taps", "127.0.0.1")
    limits.check("taps", "192.0.2.7")
    for client in ("127.0.0.1", "192.0.2.7"):
        with pytest.raises(TooMany):
            limits.check("taps", client)


def test_stopping_the_shovel_is_never_counted(hall: Hall) -> None:
    app = create_app(hall, NoRig(), settings=Settings(taps=Pace(1, 0.001), looks=Pace(1, 0.001), at_home=1))
    device = Browser(app)
    assert {device.post("/api/rig/shovel", json={"do": "stop"}).status_code for _ in range(20)} == {200}


@pytest.mark.parametrize("path", ["/", "/api/boxes", "/api/nothing", "/static/main.js", "/words/de.json", "/qr.svg"])
def test_every_answer_is_locked_down(client: Browser, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert "Server" not in headers


def test_a_file_that_is_kept_for_good_may_do_nothing_by_itself(client: Browser) -> None:
    icon = re.search(r'rel="icon" href="([^"]+)"', client.get("/").text)
    assert icon
    headers = client.get(icon[1]).headers
    assert headers["Content-Security-Policy"] == "default-src 'none'"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"


def test_answers_of_the_api_are_not_kept(table: Asker) -> None:
    assert table.get().headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("language", LANGUAGES)
def test_refusals_are_said_in_the_callers_language(table: Asker, language: str) -> None:
    sentence = say(language, "core.stale", {})
    body = {"seq": 0, "request": "late", "move": {"type": "dial", "knowledge": 2}}
    accepted = table.post("/moves", body, Accept_Language=f"{language}-CH, en;q=0.3")
    asked = table.post(f"/moves?lang={language}", body, Accept_Language="en")
    cookie = table.post("/moves", body, Cookie=f"language={language}", Accept_Language="en")
    assert {answer.json["error"]["message"] for answer in (accepted, asked, cookie)} == {sentence}


def test_an_unknown_language_is_answered_in_english(client: Browser) -> None:
    answer = client.get("/api/nothing?lang=xx", headers={"Accept-Language": "tlh, *;q=0.1", "Cookie": "language=zz"})
    assert answer.json["error"]["message"] == say("en", "web.no_page", {})


def test_every_sentence_of_the_service_exists_in_every_language() -> None:
    from companion.words import catalogue

    keys = {language: {key for key in catalogue(language) if key.startswith("web.")} for language in LANGUAGES}
    assert keys["en"]
    assert all(found == keys["en"] for found in keys.values())


def test_every_sentence_of_the_service_is_used_and_every_one_used_exists() -> None:
    import re
    from pathlib import Path

    import web_ui
    from companion.words import catalogue

    folder = Path(str(web_ui.__file__)).parent
    text = "\n".join(file.read_text(encoding="utf-8") for file in [*folder.glob("*.py"), *folder.glob("api/*.py")])
    used = set(re.findall(r'"(web\.[a-z_]+)"', text))
    made = tuple(re.findall(r'f"(web\.[a-z_]+\.)\{', text))
    known = {key for key in catalogue("en") if key.startswith("web.")}
    assert used == {key for key in known if not key.startswith(made)}
    assert all(any(key.startswith(begins) for key in known) for begins in made)


def test_a_broken_box_file_of_the_owner_is_told(app: Flask, hall: Hall) -> None:
    hall.own_boxes.mkdir(parents=True)
    (hall.own_boxes / "horus.toml").write_text("title = 3\n", encoding="utf-8")
    answer = Browser(app).post("/api/tables", json={**LAYING, "box": "horus"})
    assert (answer.status_code, answer.json["error"]["code"]) == (503, "bad_box")
    assert "title" in answer.json["error"]["message"]
    told = Browser(app).get("/api/boxes?lang=fr").json
    assert {box["id"] for box in told["boxes"]} == {"jenseits", "tomb_raiders", "tutankhamun", "shaft"}
    assert [box["id"] for box in told["unread"]] == ["horus"]
    assert "title" in told["unread"][0]["message"]
    assert Browser(app).get("/api/tables").status_code == 200
