"""The pages, the files they need, and codes to scan."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from flask import Flask

from companion.play.hall import Hall
from companion.words import LANGUAGES
from hardware.face import NoRig
from tests.web.people import Asker, Browser
from web_ui.app import create_app
from web_ui.settings import Settings
from web_ui.shelf import Kept, Shelf, modules

ELSEWHERE = ("../app.py", "%2e%2e/app.py", "..%2fapp.py", "/etc/passwd", "style", "", "no.js", "a\0b")


@pytest.mark.parametrize("path", ["/", "/past", "/settings", "/certificate", "/rig"])
def test_every_page_is_there(client: Browser, path: str) -> None:
    page = client.get(path)
    assert page.status_code == 200
    assert page.mimetype == "text/html"
    assert f'data-page="{path.strip("/") or "start"}"' in page.text


@pytest.mark.parametrize("name", ["table", "join", "luck"])
def test_a_page_about_a_table_needs_one(table: Asker, client: Browser, name: str) -> None:
    assert f'data-table="{table.laid["table"]}"' in client.get(f"/{name}/{table.laid['table']}").text
    assert client.get(f"/{name}/zzzzz").status_code == 404


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_speaks_the_browsers_language(client: Browser, language: str) -> None:
    page = client.get("/", headers={"Accept-Language": language})
    assert f'<html lang="{language}"' in page.text
    assert "Accept-Language" in page.headers["Vary"]
    words = client.get(f"/words/{language}.json").json
    assert words["ui.close"]
    assert "web.no_page" not in words  # what no page says is not sent to it


def test_there_are_no_words_in_other_languages(client: Browser) -> None:
    for other in ("xx", "..", "EN", "en.json"):
        assert client.get(f"/words/{other}.json").status_code == 404


def test_a_page_has_no_script_or_style_of_its_own(client: Browser) -> None:
    text = client.get("/").text
    assert "<style" not in text
    assert not re.search(r"<script(?![^>]*\ssrc=)", text)
    assert not re.search(r"\son\w+=|\sstyle=", text)


def test_everything_a_page_names_is_there(client: Browser) -> None:
    named = re.findall(r'(?:href|src)="(/[^"]+)"', client.get("/").text)
    assert named
    assert {path for path in named if client.get(path).status_code != 200} == set()


def test_a_file_is_sent_packed_and_only_once(client: Browser) -> None:
    packed = client.get("/static/main.js", headers={"Accept-Encoding": "gzip"})
    plain = client.get("/static/main.js")
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data
    assert packed.headers["ETag"] != plain.headers["ETag"]
    again = client.get("/static/main.js", headers={"Accept-Encoding": "gzip", "If-None-Match": packed.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


@pytest.mark.parametrize("path", ELSEWHERE)
def test_nothing_else_is_sent(client: Browser, path: str) -> None:
    assert client.get(f"/static/{path}").status_code in {308, 404}


def test_a_file_that_has_changed_is_read_again(tmp_path: Path) -> None:
    import os

    shelf, file = Shelf(tmp_path), tmp_path / "a.css"
    file.write_text("a{}", encoding="ascii")
    first = shelf.find("a.css")
    file.write_text("b{}", encoding="ascii")
    os.utime(file, (1, 1))
    second = shelf.find("a.css")
    assert first is not None
    assert second is not None
    assert (first.body, second.body) == (b"a{}", b"b{}")
    assert first.mark != second.mark


def test_pictures_are_not_packed_again() -> None:
    assert Kept.of(b"x" * 5000, "font/woff2").packed == b""
    assert len(Kept.of(b"x" * 5000, "text/css").packed) < 100


def test_a_script_is_fetched_with_all_it_needs(tmp_path: Path) -> None:
    (tmp_path / "pieces").mkdir()
    (tmp_path / "main.js").write_text('import { a } from "./a.js";\nimport "./pieces/b.js";\n', encoding="ascii")
    (tmp_path / "a.js").write_text('import {\n  b,\n} from "./pieces/b.js";\n', encoding="ascii")
    (tmp_path / "pieces" / "b.js").write_text('export { a } from "../a.js";\nimport("./later.js");\n', encoding="ascii")
    assert modules(tmp_path, "main.js") == ("main.js", "a.js", "pieces/b.js")


def test_a_code_is_drawn_for_our_own_addresses_only(client: Browser) -> None:
    drawn = client.get("/qr.svg?path=/table/abc")
    assert drawn.mimetype == "image/svg+xml"
    assert drawn.data.startswith(b"<svg")
    for path in ("//evil.example", "http://evil.example", "evil", "/join/abc%23key", "/a%5Cb", "/" + "a" * 300, "/é"):
        assert client.get(f"/qr.svg?path={path}").status_code == 400, path


def test_codes_drawn_at_the_machine_itself_lead_to_where_tablets_reach_it(hall: Hall) -> None:
    app = create_app(hall, NoRig(), address="http://192.168.1.20:8765")
    at_home, from_afar = Browser(app), Browser(app)
    here = at_home.get("/qr.svg?path=/past", base_url="http://127.0.0.1:8765").data
    there = from_afar.get("/qr.svg?path=/past", base_url="http://192.168.1.20:8765").data
    by_name = from_afar.get("/qr.svg?path=/past", base_url="http://digside.local:8765").data
    assert here == there != by_name


def test_the_authority_of_the_certificate_can_be_fetched(hall: Hall, tmp_path: Path, app: Flask) -> None:
    assert Browser(app).get("/certificate.crt").status_code == 404
    authority = tmp_path / "authority.crt"
    authority.write_bytes(b"PEM")
    served = Browser(create_app(hall, NoRig(), settings=Settings(authority=authority))).get("/certificate.crt")
    assert (served.data, served.mimetype) == (b"PEM", "application/x-x509-ca-cert")


def test_a_person_who_is_lost_gets_a_page_and_a_program_json(client: Browser) -> None:
    person = client.get("/no<b>where", headers={"Accept": "text/html,*/*;q=0.8", "Accept-Language": "it"})
    assert (person.status_code, person.mimetype) == (404, "text/html")
    assert 'href="/">Alle scatole</a>' in person.text
    assert "<b>" not in person.text
    assert client.get("/table/zz%3Cb%3E", headers={"Accept": "text/html"}).text.count("<b>") == 0
    assert client.get("/nowhere").mimetype == "application/json"
    assert client.get("/api/nowhere", headers={"Accept": "text/html"}).mimetype == "application/json"


def test_a_page_lets_the_browser_fetch_its_own_scripts_at_once(client: Browser) -> None:
    named = re.findall(r'rel="modulepreload" href="([^"]+)"', client.get("/past").text)
    assert "/static/main.js" in named
    assert "/static/pages/past.js" in named
