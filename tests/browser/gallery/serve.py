"""Serves the gallery: the real scripts and words, and a table page that is fed a view made by hand."""

from __future__ import annotations

import json
import mimetypes
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from companion.words import catalogue
from tests.browser.gallery.views import shown

STATIC = Path(__file__).parents[3] / "web_ui" / "static"
HERE = Path(__file__).parent
POLICY = "default-src 'self'; img-src 'self' data: blob:; style-src 'self'; script-src 'self'"
SHELL = """<!doctype html><html lang="{language}" data-page="table" data-view="{view}" data-theme="lamplight"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Digside</title>
{sheets}<script src="/static/theme.js"></script><script type="module" src="/gallery.js"></script></head>
<body><div id="root"></div><div id="said" class="unseen" role="status"></div></body></html>"""
SHEETS = "".join(f'<link rel="stylesheet" href="/static/style/{s}.css">' for s in ("base", "chrome", "pages", "pieces"))


class Gallery(BaseHTTPRequestHandler):
    """Answers for one picture."""

    def do_GET(self) -> None:
        where = urlsplit(self.path)
        asked = {key: values[0] for key, values in parse_qs(where.query).items()}
        if where.path == "/":
            page = SHELL.format(language=asked.get("lang", "en"), view=asked.get("view", "jenseits"), sheets=SHEETS)
            self._send(page.encode(), "text/html; charset=utf-8")
        elif where.path.startswith("/views/"):
            self._send(json.dumps(shown(where.path.removeprefix("/views/"))).encode(), "application/json")
        elif where.path.startswith("/words/"):
            words = dict(catalogue(where.path.removeprefix("/words/").removesuffix(".json")))
            self._send(json.dumps(words).encode(), "application/json")
        elif where.path == "/gallery.js":
            self._send((HERE / "gallery.js").read_bytes(), "text/javascript")
        else:
            self._file(STATIC / where.path.removeprefix("/static/"))

    def _file(self, file: Path) -> None:
        if not file.is_file():
            self.send_error(404)
            return
        self._send(file.read_bytes(), mimetypes.guess_type(file.name)[0] or "application/octet-stream")

    def _send(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", POLICY)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Says nothing."""


def opened() -> ThreadingHTTPServer:
    """A gallery that is open until it is shut down."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Gallery)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server
