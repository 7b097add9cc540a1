"""The pages, the files they need, and codes to scan."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from base64 import b64encode
from collections.abc import Mapping
from pathlib import Path

import pytest
from flask import Flask

from companion.play.hall import Hall
from companion.words import LANGUAGES
from hardware.face import NoRig
from tests.web.people import Asker, Browser
from web_ui.app import create_app
from web_ui.settings import Settings
from web_ui.static_files import File, StaticFiles, unmarked

FOR_GOOD = "public, max-age=31536000, immutable"
SHELL_FILES = {"/shell", "/static/icon.svg", "/static/shell.css", "/static/shell.js"}
ELSEWHERE = ("../app.py", "%2e%2e/app.py", "..%2fapp.py", "/etc/passwd", "style", "", "no.js", "a\0b")


def read(folders: Mapping[str, Path]) -> StaticFiles:
    """The files of folders, read."""
    files = StaticFiles(folders)
    files.refresh()
    return files


def body(files: StaticFiles, address: str) -> bytes:
    """What is under an address."""
    file = files.find(address)
    assert file, address
    return file.body


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
    assert not re.search(r"<script(?![^>]*\ssrc=)(?! type=\"importmap\")", text)
    assert not re.search(r"\son\w+=|\sstyle=", text)


def test_the_policy_lets_in_the_page_s_own_map_of_addresses_and_no_other(client: Browser) -> None:
    page = client.get("/")
    found = re.search(r'<script type="importmap">(.*?)</script>', page.text, re.DOTALL)
    assert found
    known = b64encode(hashlib.sha256(found[1].encode()).digest()).decode()
    assert f"script-src 'self' 'sha256-{known}';" in page.headers["Content-Security-Policy"]
    assert "script-src 'self';" in client.get("/api/boxes").headers["Content-Security-Policy"]


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


def test_whatever_a_page_loads_is_kept_for_good(client: Browser) -> None:
    text = client.get("/").text
    named = {*re.findall(r'(?:href|src)="(/[^"]+)"', text), *re.findall(r'":"(/[^"]+)"', text)}
    assert len(named) > 100
    for path in named:
        answer = client.get(path)
        assert (answer.status_code, answer.headers["Cache-Control"]) == (200, FOR_GOOD), path


def test_a_style_sheet_names_letters_that_are_kept_for_good(client: Browser) -> None:
    letters = re.findall(r'url\("(/[^"]+)"\)', client.get("/static/style/base.css").text)
    assert letters
    assert {client.get(path).headers["Cache-Control"] for path in letters} == {FOR_GOOD}


@pytest.mark.parametrize("path", ["/static/main.js", "/static/main.000000000000.js", "/words/en.json"])
def test_under_an_address_that_does_not_tell_what_is_in_a_file_it_is_asked_for_again(
    client: Browser, path: str
) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-cache")


def test_a_changed_file_has_another_address(tmp_path: Path) -> None:
    (tmp_path / "a.css").write_text("a{}", encoding="ascii")
    files = read({"/static/": tmp_path})
    before = files.marked("/static/a.css")
    (tmp_path / "a.css").write_text("a{color:red}", encoding="ascii")
    files.refresh()
    after = files.marked("/static/a.css")
    assert before != after
    assert body(files, before) == body(files, after) == body(files, "/static/a.css") == b"a{color:red}"


def test_a_changed_picture_gives_the_sheet_that_shows_it_another_address(tmp_path: Path) -> None:
    (tmp_path / "a.css").write_text("a{background:url(b.svg)}", encoding="ascii")
    (tmp_path / "b.svg").write_text("<svg/>", encoding="ascii")
    files = read({"/": tmp_path})
    before = files.marked("/a.css")
    (tmp_path / "b.svg").write_text("<svg></svg>", encoding="ascii")
    files.refresh()
    assert files.marked("/a.css") != before
    assert body(files, "/a.css") == f"a{{background:url({files.marked('/b.svg')})}}".encode()


def test_files_come_from_more_than_one_folder(tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    (ours / "boards" / "dig").mkdir(parents=True)
    theirs.mkdir()
    (ours / "html.js").write_text("export const html = 0;", encoding="ascii")
    (ours / "boards" / "dig" / "index.js").write_text("ours", encoding="ascii")
    (theirs / "index.js").write_text('import { html } from "../../html.js";', encoding="ascii")
    files = read({"/static/boards/dig/": theirs, "/static/": ours})
    assert body(files, "/static/boards/dig/index.js") == b'import { html } from "../../html.js";'
    assert files.scripts("/static/boards/dig/index.js") == ("/static/boards/dig/index.js", "/static/html.js")


def test_other_spellings_of_an_address_take_no_room(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text("a", encoding="ascii")
    (tmp_path / ".hidden").write_text("a", encoding="ascii")
    files = read({"/static/": tmp_path})
    room = len(files.addresses(""))
    for spelling in ("/static/./a.js", "/static/x/../a.js", "/static/x/./../a.js"):
        assert body(files, spelling) == b"a"
    for other in ("/static/b.js", "/static/../a.js", "/static/.hidden", "/static"):
        assert files.find(other) is None
    assert len(files.addresses("")) == room == 1


def test_pictures_are_not_packed_again() -> None:
    assert File.of(b"x" * 5000, "font/woff2").packed == b""
    assert len(File.of(b"x" * 5000, "text/css").packed) < 100


def test_a_script_is_fetched_with_all_it_needs(tmp_path: Path) -> None:
    (tmp_path / "pieces").mkdir()
    (tmp_path / "main.js").write_text('import { a } from "./a.js";\nimport "./pieces/b.js";\n', encoding="ascii")
    (tmp_path / "a.js").write_text('import {\n  b,\n} from "./pieces/b.js";\n', encoding="ascii")
    (tmp_path / "pieces" / "b.js").write_text('export { a } from "../a.js";\nimport("./later.js");\n', encoding="ascii")
    assert read({"/": tmp_path}).scripts("/main.js") == ("/main.js", "/a.js", "/pieces/b.js")


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
    assert 'href="/">Ai giochi</a>' in person.text
    assert "<b>" not in person.text
    assert client.get("/table/zz%3Cb%3E", headers={"Accept": "text/html"}).text.count("<b>") == 0
    assert client.get("/nowhere").mimetype == "application/json"
    assert client.get("/api/nowhere", headers={"Accept": "text/html"}).mimetype == "application/json"


def test_a_page_lets_the_browser_fetch_its_own_scripts_at_once(client: Browser) -> None:
    named = re.findall(r'rel="modulepreload" href="([^"]+)"', client.get("/past").text)
    assert {"/static/main.js", "/static/pages/past.js"} <= {unmarked(path)[0] for path in named}


def test_a_browser_is_told_of_a_page_to_keep_that_is_another_with_every_version(
    client: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only then does it fetch that page anew; the files named with it are of this page, and of no table."""
    answer = client.get("/worker.js")
    assert answer.headers["Cache-Control"] == client.get("/shell").headers["Cache-Control"] == "no-cache"
    kept = json.loads(re.findall(r"FILES = (.+);", answer.text)[0])
    assert {re.sub(r"[0-9a-f]{12}\.", "", file) for file in kept} == SHELL_FILES
    assert all(file in client.get("/shell").text for file in kept[1:])
    assert client.get("/worker.js").text == answer.text
    assert client.get("/worker.js", headers={"Accept-Language": "de"}).text != answer.text
    monkeypatch.setattr("web_ui.pages.__version__", "99")
    assert client.get("/worker.js").text != answer.text
