"""Static files: read and compressed once, and served under addresses that change with their content."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import os
import posixpath
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from flask import Request, Response

TEXT = ("text/", "application/json", "application/javascript", "application/manifest+json", "image/svg+xml")
TYPES = {
    ".hex": "text/plain",
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".uf2": "application/octet-stream",
    ".webp": "image/webp",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
MISSED_EVERY = 1.0  # seconds between two looks at the disk for addresses that are not known
WORTH_IT = 500  # bytes below which compressing saves nothing
COMMENTED = {".js", ".css"}
MARKED = re.compile(r"(?P<stem>.+)\.(?P<mark>[0-9a-f]{12})(?P<ending>\.[^./]+)")
BACKTICK = re.compile(r"(?<!\\)`")
IMPORTS = re.compile(r"""(?:import|export)[^"';]*?from\s*["'](\.[^"']+)["']|import\s*["'](\.[^"']+)["']""")
IMPORTS_LATER = re.compile(r"""(?<![\w.])import\(["'](\.[^"']+)["']\)""")
COMMENT_AFTER_CODE = re.compile(r"""(?<=[;,{}()\[\]]) +(?://(?!!).*|/\*(?!!)[^*]*\*/)$""")
QUOTES = frozenset("\"'`/")
LOADS_STYLESHEET = re.compile(r"""\bloadStylesheet\("([^"]+)\"""")
NAMES_OTHERS = {  # how files of a kind name others; scripts do too, and there the page's import map tells
    ".css": re.compile(r"""(?P<before>url\(["']?)(?P<named>[^"')]+)"""),
    ".webmanifest": re.compile(r"""(?P<before>"src": ")(?P<named>[^"]+)"""),
}


class File(NamedTuple):
    """A file as it is sent, compressed where that helps.

    :ivar media: its media type
    :ivar mark: a digest of its content, which its marked address has in it
    """

    plain: bytes
    packed: bytes
    media: str
    mark: str

    @classmethod
    def of(cls, body: bytes, media: str) -> File:
        """The file with this content."""
        packed = gzip.compress(body, 9, mtime=0) if media.startswith(TEXT) and len(body) > WORTH_IT else b""
        return cls(b"" if packed else body, packed, media, hashlib.sha256(body).hexdigest()[:12])

    @property
    def body(self) -> bytes:
        """Its content. Uncompressed again only on demand: hardly any browser asks for that."""
        return gzip.decompress(self.packed) if self.packed else self.plain

    def response(self, request: Request, *, mark: str | None = None) -> Response:
        """The HTTP response with the file; 304 where the browser's copy is still good.

        :param mark: the mark in the address; where it is right, the browser may keep the file for good.
        """
        packed = bool(self.packed) and "gzip" in request.headers.get("Accept-Encoding", "")
        tag = f"{self.mark}-gz" if packed else self.mark
        fresh = request.if_none_match.contains(tag)
        body = b"" if fresh else self.packed if packed else self.body
        response = Response(body, status=304 if fresh else 200, mimetype=self.media)
        if packed and not fresh:
            response.headers["Content-Encoding"] = "gzip"
        response.headers["Vary"] = "Accept-Encoding"
        if mark == self.mark:
            response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        else:
            response.headers["Cache-Control"] = "no-cache"
            response.set_etag(tag)
        return response


class StaticFiles:
    """The files of some folders; each has a plain address, and one with its mark.

    A file that has changed on disk is read again with the next page, and has a new marked address from then on. An
    outdated address gives the new content, not to be cached.

    :param folders: by the prefix of their addresses; where two have a file of the same address, the longer prefix wins.
    """

    def __init__(self, folders: Mapping[str, Path]) -> None:
        self._folders = sorted(folders.items(), key=lambda each: len(each[0]))
        self._read = _Read({}, {}, {}, {}, {})
        self._missed_at = -MISSED_EVERY

    def refresh(self) -> None:
        """Read the files again, if any has changed."""
        stamps = dict(each for beginning, folder in self._folders for each in _stamps(beginning, str(folder)))
        if stamps != self._read.stamps:
            files = _files(dict(_bodies(stamps)))
            scripts = {address: file for address, file in files.items() if file.media == TYPES[".js"]}
            imports = {address: _imports(address, file) for address, file in scripts.items()}
            later = {address: _imports_later(address, file) for address, file in scripts.items()}
            sheets = {address: _stylesheets(file) for address, file in scripts.items()}
            self._read = _Read(stamps, files, imports, later, sheets)

    def find(self, address: str) -> File | None:
        """The file at an address, plain or marked."""
        plain, mark = unmarked(posixpath.normpath(address))
        file = self._read.files.get(plain)
        if (file is None or file.mark != mark) and time.monotonic() - self._missed_at > MISSED_EVERY:
            self._missed_at = time.monotonic()
            self.refresh()
            file = self._read.files.get(plain)
        return file

    def marked(self, address: str) -> str:
        """The marked address of a file."""
        return marked(address, self._read.files[address].mark)

    def addresses(self, *endings: str) -> dict[str, str]:
        """The plain and the marked address of each file with one of these endings."""
        return {plain: marked(plain, file.mark) for plain, file in self._read.files.items() if plain.endswith(endings)}

    def sheets(self, scripts: Iterable[str]) -> tuple[str, ...]:
        """The style sheets that some scripts load, by plain addresses."""
        every = (f"/static/{name}.css" for script in scripts for name in self._read.sheets.get(script, ()))
        return tuple(sheet for sheet in dict.fromkeys(every) if sheet in self._read.files)

    def scripts(self, *firsts: str, later: bool = False) -> tuple[str, ...]:
        """Some scripts and every script they import, by plain addresses, so that a browser can fetch them all at once.

        :param later: also those that are imported dynamically.
        """
        found: dict[str, None] = {}
        ahead = [*firsts]
        while ahead:
            address = ahead.pop(0)
            if address in self._read.imports and address not in found:
                found[address] = None
                ahead.extend(self._read.imports[address])
                ahead.extend(self._read.later[address] if later else ())
        return tuple(found)


class _Stamp(NamedTuple):
    """Where a file is on disk, and what shows that it has changed."""

    path: str
    changed: int
    size: int


class _Read(NamedTuple):
    """What was read, and how the disk looked then. Replaced as a whole, so that no request sees half of it."""

    stamps: Mapping[str, _Stamp]
    files: Mapping[str, File]
    imports: Mapping[str, tuple[str, ...]]
    later: Mapping[str, tuple[str, ...]]
    sheets: Mapping[str, tuple[str, ...]]


def marked(address: str, mark: str) -> str:
    """The address of a file with a mark in it.

    >>> marked("/static/pieces/dial.js", "0123456789ab")
    '/static/pieces/dial.0123456789ab.js'
    """
    stem, _, ending = address.rpartition(".")
    return f"{stem}.{mark}.{ending}"


def unmarked(address: str) -> tuple[str, str | None]:
    """An address without its mark, and the mark.

    >>> unmarked("/static/pieces/dial.0123456789ab.js"), unmarked("/static/pieces/dial.js")
    (('/static/pieces/dial.js', '0123456789ab'), ('/static/pieces/dial.js', None))
    """
    found = MARKED.fullmatch(address)
    return (found["stem"] + found["ending"], found["mark"]) if found else (address, None)


def bare(text: str) -> str:
    """A script or style sheet without indentation and most comments, which are a sixth of it. Lines keep their numbers.

    A comment after code is kept where the line has a string or pattern that it might be part of, and so is one that
    begins with an exclamation mark, as licences do. In templates only the indentation is removed, as htm does anyway.

    >>> bare("// One.\\nf(1); // two\\n  /* Three\\n  four. */ g(`\\n  // five`);\\nh('; // six'); // seven")
    "\\nf(1);\\n\\ng(`\\n// five`);\\nh('; // six'); // seven"
    """
    lines: list[str] = []
    in_comment = in_template = False
    for line in text.split("\n"):
        start = "" if in_template else line.lstrip()
        in_comment = in_comment or (start.startswith("/*") and not start.startswith("/*!"))
        if in_comment:
            _, end, code = line.partition("*/")
            in_comment = not end
        else:
            code = line if in_template else _without_comment(line)
        in_template ^= len(BACKTICK.findall(code)) % 2 == 1
        lines.append(code.lstrip())
    return "\n".join(lines)


def _without_comment(line: str) -> str:
    found = COMMENT_AFTER_CODE.search(line)
    if found and QUOTES.isdisjoint(line[: found.start()]):
        return line[: found.start()]
    return "" if line.lstrip().startswith("//") else line


def media_of(name: str) -> str:
    """The media type of a file, by its name.

    >>> media_of("pieces/dial.js"), media_of("icon.svg"), media_of("x.unheard-of")
    ('text/javascript', 'image/svg+xml', 'application/octet-stream')
    """
    return TYPES.get(Path(name).suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"


def _stamps(beginning: str, folder: str) -> Iterator[tuple[str, _Stamp]]:
    """The files of a folder and its subfolders, by address, without hidden ones."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):
                yield from _stamps(f"{beginning}{entry.name}/", entry.path)
            elif entry.is_file():
                stat = entry.stat()
                yield beginning + entry.name, _Stamp(entry.path, stat.st_mtime_ns, stat.st_size)


def _bodies(stamps: Mapping[str, _Stamp]) -> Iterator[tuple[str, bytes]]:
    """The contents of files, without those that cannot be read."""
    for address, stamp in stamps.items():
        with suppress(OSError):
            yield address, Path(stamp.path).read_bytes()


def _files(bodies: Mapping[str, bytes]) -> dict[str, File]:
    """The files with these contents. Those that name others come last, as they contain the marks of these."""
    files: dict[str, File] = {}
    for address in sorted(bodies, key=lambda address: Path(address).suffix in NAMES_OTHERS):
        ending = Path(address).suffix
        text = bodies[address].decode(errors="surrogateescape")
        if ending in NAMES_OTHERS:
            text = NAMES_OTHERS[ending].sub(_naming(address, files), text)
        if ending in COMMENTED:
            text = bare(text)
        files[address] = File.of(text.encode(errors="surrogateescape"), media_of(address))
    return files


def _naming(address: str, files: Mapping[str, File]) -> Callable[[re.Match[str]], str]:
    def with_mark(found: re.Match[str]) -> str:
        named = named_from(address, found["named"])
        return found["before"] + (marked(named, files[named].mark) if named in files else found["named"])

    return with_mark


def _imports(address: str, file: File) -> tuple[str, ...]:
    """The addresses of the scripts that a script imports."""
    named = IMPORTS.findall(file.body.decode(errors="replace"))
    return tuple(named_from(address, named_import or bare_import) for named_import, bare_import in named)


def _imports_later(address: str, file: File) -> tuple[str, ...]:
    """The addresses of the scripts that a script imports dynamically."""
    return tuple(named_from(address, name) for name in IMPORTS_LATER.findall(file.body.decode(errors="replace")))


def _stylesheets(file: File) -> tuple[str, ...]:
    """The names of the style sheets that a script loads."""
    return tuple(LOADS_STYLESHEET.findall(file.body.decode(errors="replace")))


def named_from(address: str, other: str) -> str:
    """The address of a file that another names."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(address), other))
