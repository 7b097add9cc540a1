"""A finished table as one HTML file without a network: its replay, its luck with the proof, and what was studied."""

from __future__ import annotations

import base64
import gzip
import re
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from companion.play.hall import Hall
from companion.play.record import Record, draws_of, encode
from companion.play.story import account_of, course, story
from companion.play.table import Table
from companion.play.view import view_in_parts
from companion.refusals import Illegal, Missing
from web_ui import pages
from web_ui.api.answers import StudyTold
from web_ui.api.luck import luck
from web_ui.api.tables import keepsake_of
from web_ui.service import static_files
from web_ui.static_files import IMPORTS, NAMES_OTHERS, StaticFiles, media_of, named_from, unmarked
from web_ui.studies import StudyOfTable

SHEETS = ("base", "chrome", "pages", "pieces", "evening", "kept")
SCRIPTS = (
    "/static/kept/main.js",
    "/static/pages/replay.js",
    "/static/pages/luck.js",
    "/static/pages/study.js",
    "/static/luck/witness.js",
)
"""What the page begins with; the others follow from them and from the box."""
ADDRESSES = "/static/addresses.js"
"""Where files are, which a page of one file has elsewhere."""
DYNAMIC = re.compile(r"(?<![\w.])import\(")
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline' data:; img-src data: blob:; "
    "font-src data:; form-action 'none'; base-uri 'none'"
)
"""Nothing is fetched from anywhere, whatever is in the file."""
PAGE = """\
<!doctype html>
<html lang="{language}" class="kept" data-page="replay" data-table="{table}" data-box="{box}" data-mode="{mode}"
 data-theme="lamplight">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<title>Digside</title>
<script type="importmap">{imports}</script>
{sheets}
</head>
<body>
<nav id="tabs"></nav>
<div id="root"></div>
<div id="luck" hidden></div>
<div id="study" hidden></div>
<div id="said" class="unseen" role="status" aria-live="polite"></div>
<script type="text/plain" id="kept">{kept}</script>
<script>{boot}</script>
<script type="module">import "digside:/static/kept/main.js";</script>
</body>
</html>
"""


def page_of_record(record: Record, language: str, studied: Callable[[Table], StudyOfTable] | None = None) -> str:
    """The page of a record.

    :param studied: makes its study, where that is wanted.
    :raises Illegal: before the end: then what is hidden has to stay hidden.
    """
    with tempfile.TemporaryDirectory() as folder:
        hall = Hall(Path(folder))
        try:
            if not record.over:
                raise Illegal("core.before_the_end")
            table = hall.take_in(record)
            study = studied(table) if studied else None
            return kept_page(KeptTable(static_files(), table, encode(record), language, study))
        finally:
            hall.close()


class Parts:
    """Texts in JSON, each once, by their numbers."""

    def __init__(self) -> None:
        self.numbers: dict[bytes, int] = {}

    def number(self, text: bytes) -> int:
        """The number of a text."""
        return self.numbers.setdefault(text, len(self.numbers))

    def raw(self) -> list[msgspec.Raw]:
        """All of them, in order."""
        return [msgspec.Raw(text) for text in self.numbers]


class KeptTable(NamedTuple):
    """What a page is made from."""

    files: StaticFiles
    table: Table
    record: bytes
    language: str
    study: StudyOfTable | None


def kept_page(of: KeptTable) -> str:
    """The page of a table that is over."""
    of.files.refresh()
    setup = of.table.setup
    scope = pages.scope_at(setup.box, setup.mode)
    imports = {f"digside:{address}": _as_data(address, body) for address, body in _scripts(of.files, scope).items()}
    for address in _box_sheets(of.files, scope):
        imports[f"digside:{address}"] = _as_data(address, _sheet(of.files, address))
    imports |= _picture(of)
    boot = _text(of.files, "/static/kept/boot.js")
    return PAGE.format(
        language=of.language,
        table=of.table.id,
        box=setup.box,
        mode=setup.mode,
        policy=escape(POLICY),
        imports=_in_script({"imports": imports}),
        sheets="\n".join(f"<style>{_sheet(of.files, f'/static/style/{name}.css')}</style>" for name in SHEETS),
        kept=base64.b64encode(gzip.compress(msgspec.json.encode(_told(of)), 9, mtime=0)).decode(),
        boot=boot,
    )


def _told(of: KeptTable) -> dict[str, Any]:
    """All that the page asks for: the views in parts, and the other answers by their addresses."""
    table, account, setup = of.table, account_of(of.table), of.table.setup
    parts, paths = Parts(), dict[tuple[str, ...], int]()
    views = []
    with table.lock:
        for seq in range(table.seq + 1):
            shared, own, log = view_in_parts(table, seq=seq)
            fields = shared.fields | own
            at = {paths.setdefault(_keys(path), len(paths)): parts.number(text) for path, text in fields.items()}
            views.append({"fields": list(at.items()), "log": [parts.number(line) for line in log]})
    at_table = f"/api/tables/{table.id}"
    scope = pages.scope_at(setup.box, setup.mode)
    words = f"/words/{of.language}/{setup.box}/{setup.mode}"
    answers = {
        f"{at_table}/course": course(table, account),
        f"{at_table}/story": story(table, account),
        f"{at_table}/luck": luck(table),
        f"{at_table}/draws": {"draws": draws_of(table)},
        f"{at_table}/record": msgspec.Raw(of.record),
        f"{words}.json": msgspec.Raw(pages.words_at(of.language, scope).body),
        f"{words}/{pages.LATER}.json": msgspec.Raw(pages.words_at(of.language, scope, later=True).body),
    }
    if of.study is not None:
        answers[f"{at_table}/study"] = StudyTold(can=True, study=of.study, making=None)
    return {"table": table.id, "paths": list(paths), "parts": parts.raw(), "views": views, "answers": answers}


def _picture(of: KeptTable) -> dict[str, str]:
    """The picture of the final table by its address, where the game draws one."""
    with suppress(Missing):
        address = f"/api/tables/{of.table.id}/keepsake.png"
        return {f"digside:{address}?lang={of.language}": _as_data(address, keepsake_of(of.table, of.language))}
    return {}


def _keys(path: str) -> tuple[str, ...]:
    """The keys of a JSON pointer."""
    return tuple(key.replace("~1", "/").replace("~0", "~") for key in path[1:].split("/"))


def _scripts(files: StaticFiles, scope: tuple[str, ...]) -> dict[str, str]:
    """Every script that the page may want, with the names of others as its import map has them."""
    boards = tuple(f"{pages.BOARDS}{each}/" for each in scope)
    of_box = [address for address in files.addresses(".js") if address.startswith(boards)]
    return {
        address: _named(address, _text(files, "/static/kept/addresses.js" if address == ADDRESSES else address))
        for address in files.scripts(*SCRIPTS, *of_box, later=True)
    }


def _named(address: str, text: str) -> str:
    def whole(found: re.Match[str]) -> str:
        name = found[1] or found[2]
        return found[0].replace(name, f"digside:{named_from(address, name)}")

    return DYNAMIC.sub(f'keptImport("{address.rpartition("/")[0]}/", ', IMPORTS.sub(whole, text))


def _box_sheets(files: StaticFiles, scope: tuple[str, ...]) -> list[str]:
    boards = tuple(f"{pages.BOARDS}{each}/" for each in scope)
    return [each for each in files.addresses(".css") if each.startswith((*boards, "/static/style/"))]


def _sheet(files: StaticFiles, address: str) -> str:
    """A sheet with the letters and pictures that it names in it."""

    def inside(found: re.Match[str]) -> str:
        named, _ = unmarked(named_from(address, found["named"]))
        file = files.find(named)
        return found[0] if file is None else found["before"] + _as_data(named, file.body)

    return NAMES_OTHERS[".css"].sub(inside, _text(files, address))


def _text(files: StaticFiles, address: str) -> str:
    file = files.find(address)
    if file is None:
        raise FileNotFoundError(address)
    return file.body.decode()


def _as_data(address: str, body: str | bytes) -> str:
    raw = body.encode() if isinstance(body, str) else body
    return f"data:{media_of(address)};base64,{base64.b64encode(raw).decode()}"


def _in_script(told: Mapping[str, Any]) -> str:
    """JSON that cannot end the script that it stands in."""
    return msgspec.json.encode(told).decode().replace("<", "\\u003c")
