"""The pages: shells that the screens fill, the words and files they need, and codes to scan."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterable
from functools import cache, partial

import msgspec
from flask import Blueprint, Response, redirect, render_template, request
from markupsafe import Markup
from werkzeug.wrappers import Response as BaseResponse

from companion import __version__, games
from companion.game import Setup, scope_of
from companion.play.show import has_bots
from companion.refusals import AsTyped, Malformed, Missing, Refusal
from companion.words import LANGUAGES, Scope, Sentence, catalogue, say, shelved, untyped
from web_ui import help as help_pages
from web_ui.blueprints import blueprint
from web_ui.booklet import booklet, plain_setup
from web_ui.codes import qr_code
from web_ui.guard import policy
from web_ui.http_errors import status_of
from web_ui.request import current
from web_ui.service import running
from web_ui.static_files import File, StaticFiles, marked, unmarked

LONGEST_PATH = 200
SHELL = "/shell"
BOARDS = "/static/boards/"
LATER = "evening"
"""The area, of all and of a game, that a page learns when it is first wanted."""
NOT_ON_PAGES = frozenset(
    {
        "amiss",
        "bench",
        "core",
        "web",
        "cli",
        "proof",
        "entry",
        "doctor",
        "bots",
        "drawn",
        "figure",
        "keepsake",
        "flash",
        LATER,
    }
)
"""Areas that are said elsewhere, of a game too."""
NOT_AT_A_TABLE = tuple(
    f"ui.{page}." for page in ("boxes", "certificate", "machine", "owner", "past", "rig", "settings", "start")
)
"""What pages say that are no table's."""
AT_A_TABLE_TOO = ("ui.rig.hand.", "ui.past.export")
"""But for this of theirs: a shovel under one's hand is at a table, too, and a record is taken from its luck."""
IN_SHEETS = ("ui.field.", "ui.help.", "ui.join.", "ui.mend.")
"""What is said in the sheets of a table, which are fetched when one is first opened: its words come with it."""
NOT_AT_FIRST = (
    *IN_SHEETS,
    "contest.",
    "piece.",
    "seat.",
    "ui.rig.hand.",
    "shovel.fault.",
    "shovel.refused.",
    "shovel.remedy.",
    "stage.",
    "stir.",
    "study.",
)
"""What a table says in its sheets, of the shovel's troubles, of the luck and of the end: learnt once it stands."""
PRESSED_FOR = frozenset({"correction", "field", "why"})
"""Areas of a game that are said in the sheet where a table is put right, and under a hint."""
ONLY_READ = frozenset({"rules", "rules_of_version", "rulings", "lesson", "setting_up", "place", "exercise", "now"})
"""Areas of a game that a page asks for when somebody wants to read them."""
TO_CHOOSE = frozenset({"title", "name", "option", "value"})
"""Areas of a game that are said where a table is laid or looked for."""

TO_LAY = frozenset({"option", "value"})
"""Areas that are said only where a table is laid."""

BESIDE_THE_API = ("/healthz", "/metrics")

pages = Blueprint("pages", __name__)


@pages.get("/", defaults={"page": "start"})
@pages.get("/past", defaults={"page": "past"})
@pages.get("/settings", defaults={"page": "settings"})
@pages.get("/boxes", defaults={"page": "boxes"})
@pages.get("/machine", defaults={"page": "machine"})
@pages.get("/owner", defaults={"page": "owner"})
@pages.get("/certificate", defaults={"page": "certificate"})
@pages.get("/rig", defaults={"page": "rig"})
@pages.get("/evenings", defaults={"page": "evenings"})
@pages.get("/hall", defaults={"page": "hall"})
def plain_page(page: str) -> Response:
    """A page that is about no table."""
    return _page(page)


@pages.get("/table/<table>", defaults={"page": "table"})
@pages.get("/join/<table>", defaults={"page": "join"})
@pages.get("/luck/<table>", defaults={"page": "luck"})
@pages.get("/replay/<table>", defaults={"page": "replay"})
@pages.get("/study/<table>", defaults={"page": "study"})
@pages.get("/tv/<table>", defaults={"page": "tv"})
@pages.get("/turned/<table>", defaults={"page": "turned"})
def table_page(page: str, table: str) -> Response:
    """A page about one table; the key of a join link never comes here, it stands behind the ``#``."""
    return _page(page, table)


@pages.get("/watch/<box>")
def watch_page(box: str) -> Response:
    """Where a table of bots is found or laid, and shown."""
    if box not in games.names() or not has_bots(box):
        raise Missing("core.no_bots", box=AsTyped(box))
    return _page("watch")


@pages.get("/home-assistant/<language>/<name>.yaml")
def show_blueprint(language: str, name: str) -> Response:
    """A blueprint, as Home Assistant imports it by its address."""
    return Response(blueprint(name, language), mimetype="text/yaml")


@pages.get(SHELL)
def shell() -> Response:
    """What is shown where this service does not answer; browsers that came by HTTPS keep it for then."""
    spoken, marked = current().language, running().files.marked
    text = render_template(
        "shell.html",
        language=spoken,
        icon=marked("/static/icon.svg"),
        sheet=marked("/static/shell.css"),
        script=marked("/static/shell.js"),
        heading=say(spoken, "web.away", {}),
        looks=say(spoken, "web.away_looks", {}),
        goes_on=say(spoken, "web.away_goes_on", {}),
    )
    response = Response(text, mimetype="text/html")
    response.headers["Content-Security-Policy"] = policy()
    response.headers["Cache-Control"] = "no-cache"
    response.headers["Vary"] = "Accept-Language, Cookie"
    return response


@pages.get("/worker.js")
def worker() -> Response:
    """The script by which a browser keeps that page. It is another wherever the page, or what it needs, is another."""
    running().files.refresh()
    page = shell().get_data()
    files = [SHELL, *(running().files.marked(f"/static/{name}") for name in ("icon.svg", "shell.css", "shell.js"))]
    text = render_template(
        "worker.js",
        mark=hashlib.sha256(page + __version__.encode()).hexdigest()[:12],
        shell=SHELL,
        files=Markup(msgspec.json.encode(files).decode()),  # noqa: S704 -- addresses of our own
    )
    response = Response(text, mimetype="text/javascript")
    response.headers["Cache-Control"] = "no-cache"
    response.headers["Vary"] = "Accept-Language, Cookie"
    return response


@pages.get("/help")
@pages.get("/help/<topic>")
def help_page(topic: str = help_pages.FIRST) -> Response:
    """A page of the players' manual."""
    text = help_pages.source(current().language, topic)
    if text is None:
        raise Missing("web.no_page")
    running().files.refresh()
    article = Markup(help_pages.as_html(text, _placed))  # noqa: S704 -- written by us, and escaped
    return _page("help", article=article, home=say(current().language, "web.home", {}))


@pages.get("/booklet/<box>")
def booklet_page(box: str) -> Response:
    """The rules of a box to print, with its owner's figures; `?seats=` for how many it is set up."""
    if box not in games.names():
        raise Missing("web.no_page")
    spoken, of = current().language, running().hall.box(box)
    seats = request.args.get("seats", "")
    setup = plain_setup(of, int(seats) if seats.isascii() and seats.isdigit() and len(seats) < 3 else of.seats.max)
    running().files.refresh()
    article = Markup(booklet(of, setup, spoken))  # noqa: S704 -- written by us, and escaped
    return _page("help", article=article, home=say(spoken, "web.home", {}), booklet="1")


def _placed(target: str) -> str:
    """The address of what a page of the manual names: another of its pages, or a picture."""
    if "static/" in target:
        return running().files.marked("/static/" + target.partition("static/")[2])
    return target if target.startswith("/") else f"/help/{target.removesuffix('.md')}"


@pages.get("/static/<path:name>")
def static(name: str) -> Response:
    """A file of the screens."""
    file = running().files.find(request.path)
    if file is None:
        raise Missing("web.no_page")
    return file.response(request, mark=unmarked(name)[1])


@pages.get("/favicon.ico")
def icon() -> BaseResponse:
    """Where browsers look for a picture by themselves."""
    return redirect("/static/icon.svg")


@pages.get("/words/<path:name>")
def words(name: str) -> Response:
    """What the pages say: what all share, and with it a table's own words, or those by which one is chosen."""
    plain, mark = unmarked(name)
    tongue, *table = plain.removesuffix(".json").split("/")
    later = table[-1:] == [LATER]
    table = table[:-1] if later else table
    if tongue not in LANGUAGES or not plain.endswith(".json") or (table and tuple(table) not in games.registered()):
        raise Missing("web.no_page")
    return words_at(tongue, scope_at(*table), later=later).response(request, mark=mark)


@pages.get("/certificate.crt")
def certificate() -> Response:
    """The service's own authority, for a device to trust."""
    authority = running().settings.authority
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
    response = Response(qr_code(running().reached_at(current().base) + path), mimetype="image/svg+xml")
    response.headers["Cache-Control"] = "no-cache"
    return response


def is_call(path: str) -> bool:
    """Whether a path is one of the API, whether or not there is a call at it."""
    return path.startswith("/api/") or path in BESIDE_THE_API


def wants_page() -> bool:
    """Whether it is a person's browser that asks, and not for a part of the API."""
    offered = ["application/json", "text/html"]
    return not is_call(request.path) and request.accept_mimetypes.best_match(offered) == "text/html"


def lost(refusal: Refusal) -> Response:
    """A refusal as a page, with a way out."""
    spoken = current().language
    return _page("lost", status=status_of(refusal), sentence=refusal.said(spoken), home=say(spoken, "web.home", {}))


def _is_plain(path: str) -> bool:
    return path.isascii() and path.isprintable() and not any(mark in path for mark in "#\\ ")


def _page(page: str, table: str | None = None, *, status: int = 200, **said: str) -> Response:
    """A page with what it needs to have every file from its marked address."""
    files, spoken = running().files, current().language
    files.refresh()
    setup = running().hall.setup(table) if table else None
    about = f"/words/{spoken}/{setup.box}/{setup.mode}" if setup else f"/words/{spoken}"
    sentences, more = f"{about}.json", f"{about}/{LATER}.json"
    scope = scope_at(setup.box, setup.mode) if setup else ()
    firsts = ["/static/main.js", f"/static/pages/{page}.js", *(_board(setup) if setup and page == "table" else ())]
    needed = files.scripts(*firsts)
    addresses = {plain: files.marked(plain) for plain in _may_come(files, firsts, scope)}
    addresses[sentences] = marked(sentences, words_at(spoken, scope).mark)
    addresses[more] = marked(more, words_at(spoken, scope, later=True).mark)
    imports = msgspec.json.encode({"imports": addresses}).decode().replace("<", "\\u003c")
    text = render_template(
        "page.html",
        page=page,
        table=table,
        setup=setup,
        language=spoken,
        marked=files.marked,
        words=addresses[sentences],
        modules=[addresses[script] for script in needed],
        worn=[addresses[sheet] for sheet in files.sheets(needed) if page == "table"],
        too_old=say(spoken, "web.too_old", {}),
        description=say(spoken, "ui.start.lead", {}),
        imports=Markup(imports),  # noqa: S704 -- nothing in it can end a script
        **said,
    )
    response = _packed(text)
    response.status_code = status
    response.headers["Content-Security-Policy"] = policy(imports)
    response.headers["Cache-Control"] = "no-cache"
    response.headers["Vary"] = "Accept-Language, Cookie, Accept-Encoding"
    return response


def _board(setup: Setup) -> tuple[str, ...]:
    """The scripts with which a table's board begins: asked for with the page, and not once it has its view."""
    board = games.TOOLBOX if setup.mode == "toolbox" else setup.box
    return f"{BOARDS}{board}/index.js", f"{BOARDS}{setup.box}/printed.js"


def _may_come(files: StaticFiles, firsts: Iterable[str], scope: Scope) -> list[str]:
    """The scripts and sheets that a page may come to want; of boards, at a table, its own."""
    boards = tuple(f"{BOARDS}{each}/" for each in scope) or BOARDS
    of_boards = [address for address in files.addresses(".js") if address.startswith(boards)]
    scripts = files.scripts(*firsts, *of_boards, later=True)
    return [*scripts, *files.sheets(scripts)]


def _packed(text: str) -> Response:
    """A page, compressed where the browser takes it so: the addresses on it are long and alike."""
    response = Response(text, mimetype="text/html")
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        response.set_data(gzip.compress(text.encode(), 6, mtime=0))
        response.headers["Content-Encoding"] = "gzip"
    return response


def scope_at(box: str = "", mode: str = "") -> Scope:
    """Whose words come first at a table; nobody's, at none."""
    return next((scope_of(*game) for game in games.registered() if game == (box, mode)), ())


@cache
def words_at(tongue: str, scope: Scope, *, later: bool = False) -> File:
    """The sentences of the pages at a table, or of those at none; those that are learnt later, on their own."""
    every = catalogue(tongue, scope or (*games.names(), games.TOOLBOX))
    wanted = partial(_is_later if later else _is_said, at_table=bool(scope))
    said: dict[str, Sentence | dict[str, list[str]]] = {key: said for key, said in every.items() if wanted(key)}
    if not later:
        said["untyped"] = untyped()
    return File.of(msgspec.json.encode(said), "application/json")


def _is_later(key: str, *, at_table: bool) -> bool:
    """Whether pages learn the sentence of a key when it is first wanted."""
    first, area, *_ = key.split(".")
    if first in shelved():
        return area == LATER or (at_table and _is_of_a_sheet(key))
    return first == LATER or key.startswith(NOT_AT_FIRST)


def _is_of_a_sheet(key: str) -> bool:
    """Whether a game says a key only after a press: of its corrections and hints, of what its signs mean, or of what
    something that is chosen is good for: that is what its lesson says."""
    area = key.split(".")[1]
    return area in PRESSED_FOR or ".page.sign." in key or (area == "lesson" and key.endswith(".said"))


def _is_said(key: str, *, at_table: bool) -> bool:
    """Whether pages say the sentence of a key."""
    first, area, *_ = key.split(".")
    if at_table and key.startswith(NOT_AT_A_TABLE) and not key.startswith(AT_A_TABLE_TOO):
        return False
    if at_table and (key.startswith(NOT_AT_FIRST) or (first in TO_LAY and first not in shelved())):
        return False
    if first not in shelved():
        return first not in NOT_ON_PAGES
    if not at_table:
        return area in TO_CHOOSE
    return area not in NOT_ON_PAGES | ONLY_READ | TO_LAY and not _is_of_a_sheet(key)
