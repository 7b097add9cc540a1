"""The pages: shells that the screens fill, the words and files they need, and codes to scan."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
from flask import Blueprint, Response, redirect, render_template, request
from markupsafe import escape
from werkzeug.wrappers import Response as BaseResponse

from companion import games
from companion.game import scope_of
from companion.refusals import Malformed, Missing, Refusal
from companion.words import LANGUAGES, Scope, catalogue, say, shelved
from web_ui.api.calls import language, service
from web_ui.codes import drawn
from web_ui.refusals import status_of
from web_ui.shelf import Kept, Shelf, modules

STATIC = (Path(__file__).parent / "static").resolve()
LONGEST_PATH = 200
NOT_ON_PAGES = frozenset({"core", "web", "cli", "proof", "entry", "doctor", "bots", "drawn", "keepsake"})
"""Areas that are said elsewhere, of a game too."""
ONLY_READ = frozenset({"rules", "rulings"})
"""Areas of a game that a page asks for when somebody wants to read them."""
TO_CHOOSE = frozenset({"title", "name", "option", "value"})
"""Areas of a game that are said where a table is laid or looked for."""

pages = Blueprint("pages", __name__)
shelf = Shelf(STATIC)


@pages.get("/", defaults={"page": "start"})
@pages.get("/past", defaults={"page": "past"})
@pages.get("/settings", defaults={"page": "settings"})
@pages.get("/certificate", defaults={"page": "certificate"})
@pages.get("/rig", defaults={"page": "rig"})
def plain_page(page: str) -> Response:
    """A page that is about no table."""
    return _page(page)


@pages.get("/table/<table>", defaults={"page": "table"})
@pages.get("/join/<table>", defaults={"page": "join"})
@pages.get("/luck/<table>", defaults={"page": "luck"})
def table_page(page: str, table: str) -> Response:
    """A page about one table; the key of a join link never comes here, it stands behind the ``#``."""
    return _page(page, table)


@pages.get("/static/<path:name>")
def static(name: str) -> Response:
    """A file of the screens."""
    kept = shelf.find(name)
    if kept is None:
        raise Missing("web.no_page")
    return kept.answer(request)


@pages.get("/favicon.ico")
def icon() -> BaseResponse:
    """Where browsers look for a picture by themselves."""
    return redirect("/static/icon.svg")


@pages.get("/words/<tongue>.json", defaults={"box": None, "mode": None})
@pages.get("/words/<tongue>/<box>/<mode>.json")
def words(tongue: str, box: str | None, mode: str | None) -> Response:
    """What the pages say: what all share, and with it a table's own words, or those by which one is chosen."""
    if tongue not in LANGUAGES or (box is not None and (box, mode) not in games.registered()):
        raise Missing("web.no_page")
    return _words(tongue, scope_of(box, mode) if box and mode else ()).answer(request)


@pages.get("/certificate.crt")
def certificate() -> Response:
    """The service's own authority, for a device to trust."""
    authority = service().settings.authority
    if authority is None or not authority.is_file():
        raise Missing("web.no_certificate")
    response = Response(authority.read_bytes(), mimetype="application/x-x509-ca-cert")
    response.headers["Content-Disposition"] = 'attachment; filename="digside.crt"'
    response.headers["Cache-Control"] = "no-cache"
    return response


@pages.get("/qr.svg")
def code() -> Response:
    """A code for an address of this service, and of no other. A key has no place in it: see ``…/qr/<seat>.svg``."""
    path = request.args.get("path", "/")
    if not path.startswith("/") or path.startswith("//") or len(path) > LONGEST_PATH or not _is_plain(path):
        raise Malformed("web.bad_path")
    response = Response(drawn(service().reached_at(request.host_url) + path), mimetype="image/svg+xml")
    response.headers["Cache-Control"] = "no-cache"
    return response


LOST = """<!doctype html>
<html lang="{language}" data-page="lost" data-theme="lamplight">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Digside</title>
<link rel="stylesheet" href="/static/style/base.css">
<link rel="stylesheet" href="/static/style/chrome.css">
<link rel="stylesheet" href="/static/style/pages.css">
<link rel="icon" href="/static/icon.svg" type="image/svg+xml">
<script src="/static/theme.js"></script>
<script type="module" src="/static/main.js"></script>
<main class="page lost"><img src="/static/icon.svg" alt="" width="96" height="96"><h1>{sentence}</h1>
<p><a class="button main" href="/">{home}</a></p></main>
"""


def wants_page() -> bool:
    """Whether it is a person's browser that asks, and not for a part of the API."""
    offered = ["application/json", "text/html"]
    return not request.path.startswith("/api/") and request.accept_mimetypes.best_match(offered) == "text/html"


def lost(refusal: Refusal) -> Response:
    """A refusal as a page, with a way out."""
    spoken = language()
    text = LOST.format(language=spoken, sentence=escape(refusal.said(spoken)), home=escape(say(spoken, "web.home", {})))
    return Response(text, status=status_of(refusal), mimetype="text/html")


def _is_plain(path: str) -> bool:
    return path.isascii() and path.isprintable() and not any(mark in path for mark in "#\\ ")


def _page(page: str, table: str | None = None) -> Response:
    needed = dict.fromkeys([*modules(STATIC, "main.js"), *modules(STATIC, f"pages/{page}.js")])
    scripts = [f"/static/{name}" for name in needed]
    setup = service().hall.table(table).setup if table else None
    text = render_template("page.html", page=page, table=table, setup=setup, language=language(), modules=scripts)
    response = Response(text, mimetype="text/html")
    response.headers["Cache-Control"] = "no-cache"
    response.headers["Vary"] = "Accept-Language, Cookie"
    return response


@cache
def _words(tongue: str, scope: Scope) -> Kept:
    """The sentences of the pages at a table, or of those at none."""
    every = catalogue(tongue, scope or (*games.names(), games.TOOLBOX))
    said = {key: sentence for key, sentence in every.items() if _is_said(key, at_table=bool(scope))}
    return Kept.of(msgspec.json.encode(said), "application/json")


def _is_said(key: str, *, at_table: bool) -> bool:
    """Whether pages say the sentence of a key."""
    first, area, *_ = key.split(".")
    if first not in shelved():
        return first not in NOT_ON_PAGES
    return area not in NOT_ON_PAGES | ONLY_READ if at_table else area in TO_CHOOSE
