"""Files that browsers may keep: read once, compressed once, told apart by what is in them."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from flask import Request, Response
from werkzeug.security import safe_join

TEXT = ("text/", "application/json", "application/javascript", "application/manifest+json", "image/svg+xml")
TYPES = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
WORTH_IT = 500  # bytes below which compressing saves nothing
IMPORTS = re.compile(r"""(?:import|export)[^"';]*?from\s*["'](\.[^"']+)["']|import\s*["'](\.[^"']+)["']""")


class Kept(NamedTuple):
    """A file's bytes, its type, and its mark; `packed` is empty where compressing does not help."""

    body: bytes
    packed: bytes
    media: str
    mark: str

    @classmethod
    def of(cls, body: bytes, media: str) -> Kept:
        """A file that is ready to be sent."""
        packed = gzip.compress(body, 9, mtime=0) if media.startswith(TEXT) and len(body) > WORTH_IT else b""
        return cls(body, packed, media, hashlib.sha256(body).hexdigest()[:20])

    def answer(self, request: Request) -> Response:
        """The file, or word that the browser's own copy is still good."""
        packed = bool(self.packed) and "gzip" in request.headers.get("Accept-Encoding", "")
        mark = f"{self.mark}-gz" if packed else self.mark
        fresh = request.if_none_match.contains(mark)
        body = b"" if fresh else self.packed if packed else self.body
        response = Response(body, status=304 if fresh else 200, mimetype=self.media)
        if packed and not fresh:
            response.headers["Content-Encoding"] = "gzip"
        response.set_etag(mark)
        response.headers["Cache-Control"] = "no-cache"
        response.headers["Vary"] = "Accept-Encoding"
        return response


class Shelf:
    """A folder of such files. A file that has changed on disk is read again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._kept: dict[str, tuple[float, Kept]] = {}

    def find(self, name: str) -> Kept | None:
        """A file of the folder by its name."""
        path = safe_join(str(self.folder), name)
        if path is None:
            return None
        try:
            changed = Path(path).stat().st_mtime
            known = self._kept.get(name)
            if known is None or known[0] != changed:
                known = self._kept[name] = (changed, Kept.of(Path(path).read_bytes(), media_of(name)))
        except (OSError, ValueError):
            return None
        return known[1]


def media_of(name: str) -> str:
    """The type of a file by its name.

    >>> media_of("pieces/dial.js"), media_of("icon.svg"), media_of("x.unheard-of")
    ('text/javascript', 'image/svg+xml', 'application/octet-stream')
    """
    return TYPES.get(Path(name).suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"


@cache
def modules(folder: Path, first: str) -> tuple[str, ...]:
    """A script and every script it needs, so that a browser can fetch them all at once."""
    found: dict[Path, None] = {}
    ahead = [folder / first]
    while ahead:
        path = ahead.pop(0)
        if path in found or not path.is_file():
            continue
        found[path] = None
        for once, twice in IMPORTS.findall(path.read_text(encoding="utf-8")):
            ahead.append((path.parent / (once or twice)).resolve())
    return tuple(path.relative_to(folder).as_posix() for path in found)
