"""Copies of tables on a hub: this side sends what is on disk here, the other side keeps what it is sent.

A Pi's own journal stays the authority. A hub has each entry by its table and number, once, in the order and with the
links of the chain it was written with: it refuses what does not follow, and this side looks at the hub's head before it
goes on, so that a copy that was altered is missed. Nobody who presses waits for a hub; what it has missed it is sent
when it is back. A hub holds the secret of the luck, and the keys, as a backup does: it is trusted like the disk.
"""

from __future__ import annotations

import ipaddress
import logging
import secrets
import threading
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, TypeVar
from urllib.parse import urlsplit

import msgspec

from companion.play.chain import Chain, beginning
from companion.play.entries import JournalLine, Keys, Laid
from companion.play.hall import Hall
from companion.play.sqlite_journal import SqliteJournal
from companion.play.table import Table
from companion.refusals import AsTyped, Fact, Illegal, Malformed, Missing, Refusal
from companion.words import say
from web_ui.disk import write_whole
from web_ui.events import tell
from web_ui.guard import HOME_ENDINGS
from web_ui.http_errors import NoKey
from web_ui.whole_house import address

log = logging.getLogger(__name__)

TOKEN = "hub_token"  # noqa: S105 -- a file's name
FOLDER = "copies"
CALM = 0.1  # seconds after a step in which its screens are served first
PIECE = 100  # entries in one message
ANSWERED_WITHIN = 5.0
TRIED_AGAIN = (1.0, 30.0)  # seconds until a hub that is away is asked again: at first, and at last
LONGEST = 1024 * 1024  # bytes of an answer

T = TypeVar("T")
HubState = Literal["trying", "online", "away", "refused", "otherwise"]


class CopyTold(msgspec.Struct, frozen=True):
    """How far the copy of a table has come: its newest entry, and the link of that, where it has one."""

    seq: int
    head: str | None


class CopiesTold(msgspec.Struct, frozen=True):
    """The newest entry of every table that a hub has a copy of."""

    tables: dict[str, int]


class Piece(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a table: the entries after one another, and with the first how the table was laid."""

    lines: tuple[JournalLine, ...] = ()
    laid: Laid | None = None
    secret: bytes | None = None
    keys: Keys | None = None


class Copies:
    """A hub's side: the copies in a data folder of their own, which can be looked at and served like any other."""

    def __init__(self, folder: Path) -> None:
        self.token = token_in(folder)
        self._journal = SqliteJournal(folder / FOLDER)
        self._lock = threading.Lock()
        self._newest: dict[str, CopyTold] = {}

    def all(self) -> CopiesTold:
        """How far every copy has come."""
        return CopiesTold({brief.table: seq for brief, seq, *_ in self._journal.summaries()})

    def of(self, table: str) -> CopyTold:
        """How far the copy of a table has come.

        :raises Missing: if there is none.
        """
        with self._lock:
            return self._of(table)

    def take(self, table: str, piece: Piece) -> CopyTold:
        """Keep what is new of a piece, and say how far the copy has come; what does not follow on it is left.

        :raises Illegal: where it is of another table of that name, or says otherwise what was said before.
        """
        with self._lock:
            if not self._journal.knows(table):
                return self._begin(table, piece)
            laid, secret, _ = self._journal.opened(table)
            if piece.laid is not None and piece.laid != laid:
                raise Illegal("web.copy_of_another", table=AsTyped(table))
            known = self._of(table)
            if piece.lines and piece.lines[0].seq <= known.seq:
                self._check_same(table, piece.lines)
            fresh = [line for line in piece.lines if line.seq > known.seq]
            if not fresh or fresh[0].seq != known.seq + 1:
                return known
            before = bytes.fromhex(known.head) if known.head else beginning(laid)
            _check_linked(table, laid, secret, before, fresh)
            self._journal.append(table, fresh)
            return self._note(table, fresh)

    def close(self) -> None:
        """Let go of the folder."""
        self._journal.close()

    def _begin(self, table: str, piece: Piece) -> CopyTold:
        laid, secret, keys = piece.laid, piece.secret, piece.keys
        if laid is None or secret is None or keys is None or laid.table != table:
            raise Missing("core.no_table", table=AsTyped(table))
        if [line.seq for line in piece.lines] != list(range(1, len(piece.lines) + 1)):
            raise Malformed("web.copy_otherwise", table=AsTyped(table))
        _check_linked(table, laid, secret, beginning(laid), piece.lines)
        self._journal.lay(laid, secret, keys, piece.lines)
        return self._note(table, piece.lines)

    def _check_same(self, table: str, lines: Sequence[JournalLine]) -> None:
        kept = self._journal.entries(table)
        if any(line != kept[line.seq - 1] for line in lines if line.seq <= len(kept)):
            raise Illegal("web.copy_otherwise", table=AsTyped(table))

    def _of(self, table: str) -> CopyTold:
        if table not in self._newest:
            self._journal.opened(table)
            self._note(table, self._journal.entries(table))
        return self._newest[table]

    def _note(self, table: str, lines: Sequence[JournalLine]) -> CopyTold:
        link = lines[-1].link if lines else None
        told = CopyTold(lines[-1].seq if lines else 0, link.hex() if link else None)
        self._newest[table] = told
        return told


def _check_linked(table: str, laid: Laid, secret: bytes, before: bytes, lines: Sequence[JournalLine]) -> None:
    """Entries carry the links that follow from the one before."""
    if laid.chain and [line.link for line in Chain(secret).linked(before, lines)] != [line.link for line in lines]:
        raise Illegal("web.copy_otherwise", table=AsTyped(table))


def token_in(folder: Path) -> str:
    """The token that a hub shares with its Pis: made at its first start, and nobody else's on the machine to read."""
    file = folder / TOKEN
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(file, f"{secrets.token_urlsafe(32)}\n".encode())
    return read_token(file)


def read_token(file: Path) -> str:
    """The token in a file.

    :raises Malformed: where there is none.
    """
    try:
        token = file.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        token = ""
    if not (token.isascii() and token.isprintable() and len(token) >= 16):
        raise Malformed("web.bad_token", file=AsTyped(file))
    return token


def house_token(folder: Path, named: Path | None) -> str | None:
    """The token that the Pis of a house share with their hub, where there is one."""
    file = named or folder / TOKEN
    return read_token(file) if file.exists() else None


def hub_at(url: str) -> str:
    """A hub's address: secrets go there, so that plain http is for one's own network alone.

    >>> hub_at("http://192.168.1.9:8765/"), hub_at("https://hub.example.org")
    ('http://192.168.1.9:8765', 'https://hub.example.org')

    :raises Malformed: where it is none, or plain http goes elsewhere.
    """
    whole = address(url)
    host = (urlsplit(whole).hostname or "").rstrip(".")
    if whole.startswith("http:") and not _is_near(host):
        raise Malformed("web.hub_plain", address=AsTyped(whole))
    return whole


def _is_near(host: str) -> bool:
    try:
        number = ipaddress.ip_address(host)
    except ValueError:
        return "." not in host or host.endswith(HOME_ENDINGS)
    return number.is_private or number.is_loopback or number.is_link_local


class Copier:
    """A Pi's side: sends what is on disk here to a hub, by a thread of its own."""

    def __init__(self, hall: Hall, hub: str, token: str) -> None:
        self._hall = hall
        self.hub = hub
        self._token = token
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._closing = threading.Event()
        self._behind: dict[str, None] = {}
        self._known: dict[str, CopyTold] = {}
        self._compared = False
        self.state: HubState = "trying"
        self.reason = ""
        self._thread = threading.Thread(target=self._run, name="copies", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stepped(self, table: Table, lines: Sequence[JournalLine]) -> None:
        """A step is on disk. Called under the table's lock: it is noted, and no more."""
        if table.kept:
            with self._lock:
                self._behind[table.id] = None
            self._wake.set()

    @property
    def behind(self) -> int:
        """Tables of which the hub lacks something."""
        return len(self._behind)

    def told(self, language: str) -> str:
        """How it stands, in a sentence."""
        facts: dict[str, Fact] = {"hub": AsTyped(self.hub), "reason": AsTyped(self.reason), "n": self.behind}
        return say(language, f"web.hub.{self.state}", facts)

    def close(self) -> None:
        """Nothing more is sent; what is not there yet is sent after the next start."""
        self._closing.set()
        self._wake.set()

    def _run(self) -> None:
        pause = TRIED_AGAIN[0]
        while not self._closing.is_set():
            try:
                self._compare()
                self._send_all()
            except (OSError, ValueError) as error:
                self._is("refused" if isinstance(error, Refusal) else "away", error)
                self._closing.wait(pause)
                pause = min(pause * 2, TRIED_AGAIN[1])
                continue
            pause = TRIED_AGAIN[0]
            self._wake.wait()
            self._closing.wait(CALM)
            self._wake.clear()

    def _compare(self) -> None:
        """What the hub lacks of all that is kept here: looked up once after the start."""
        if self._compared:
            return
        there = self._ask("GET", "/api/copies", CopiesTold).tables
        here = {each.table: each.seq for each in self._hall.tables()}
        with self._lock:
            self._behind |= dict.fromkeys(name for name, seq in here.items() if there.get(name, -1) < seq)
        self._compared = True

    def _send_all(self) -> None:
        while not self._closing.is_set():
            with self._lock:
                name = next(iter(self._behind), None)
                if name is None:
                    break
                self._behind.pop(name)
            try:
                self._send(name)
            except (Missing, Otherwise) as given_up:
                self._give_up(name, given_up)
            except BaseException:
                with self._lock:
                    self._behind[name] = None
                raise
        if self.state != "otherwise":
            self._is("online")

    def _give_up(self, name: str, why: Exception) -> None:
        """A table that is gone here is sent no further, nor one of which the hub says otherwise."""
        if isinstance(why, Otherwise):
            self._is("otherwise", why)
            log.error("the hub's copy of table %s is not what was sent: it is sent no further", name)

    def _send(self, name: str) -> None:
        """Bring the copy of a table up to what is on disk here."""
        lines, laid, secret, keys = self._kept(name)
        known = self._known.get(name) or self._asked_of(name)
        if known is not None and known.seq > len(lines) and self._hall.journal.going(name) is not None:
            return  # it is played on elsewhere
        while True:
            if known is None:
                known = self._post(name, Piece(tuple(lines[:PIECE]), laid, secret, keys))
            self._check_head(name, known, lines)
            self._known[name] = known
            ahead = lines[known.seq : known.seq + PIECE]
            if not ahead:
                return
            try:
                before, known = known, self._post(name, Piece(tuple(ahead)))
            except Missing:  # its disk is a new one: it is sent all of it
                self._known.pop(name, None)
                known = None
                continue
            if known.seq == before.seq:
                raise Otherwise(name)

    def _kept(self, name: str) -> tuple[list[JournalLine], Laid, bytes, Keys]:
        table = self._hall.at_hand(name)
        if table is None:
            laid, secret, keys = self._hall.journal.opened(name)
            return self._hall.journal.entries(name), laid, secret, keys
        with table.lock:
            return [*table.written], table.laid, table.dealer.secret, table.keys

    def _check_head(self, name: str, known: CopyTold, lines: Sequence[JournalLine]) -> None:
        """The hub's newest entry is the one that was written here."""
        if known.seq > len(lines):
            raise Otherwise(name)
        link = lines[known.seq - 1].link if known.seq else None
        if known.head != (link.hex() if link else None):
            raise Otherwise(name)

    def _asked_of(self, name: str) -> CopyTold | None:
        try:
            return self._ask("GET", f"/api/copies/{name}", CopyTold)
        except Missing:
            return None

    def _post(self, name: str, piece: Piece) -> CopyTold:
        return self._ask("POST", f"/api/copies/{name}", CopyTold, piece)

    def _ask(self, method: str, path: str, kind: type[T], piece: Piece | None = None) -> T:
        """One question to the hub.

        :raises Missing: where it has no copy.
        :raises Otherwise: where its copy says otherwise.
        :raises Refusal: where it turns us away.
        :raises OSError: where it does not answer.
        """
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        body = None if piece is None else msgspec.json.encode(piece)
        request = urllib.request.Request(f"{self.hub}{path}", body, headers, method=method)  # noqa: S310
        try:
            with urllib.request.urlopen(request, timeout=ANSWERED_WITHIN) as answer:  # noqa: S310 -- http or https
                return msgspec.json.decode(answer.read(LONGEST), type=kind)
        except urllib.error.HTTPError as refused:
            with refused:
                match refused.code:
                    case 404 if b"core.no_table" in refused.read(LONGEST):
                        raise Missing("core.no_table", table=AsTyped(path)) from None
                    case 422:
                        raise Otherwise(path) from None
                    case 401 | 403 | 404:
                        raise NoKey("web.hub_only") from None
            raise OSError(f"HTTP {refused.code}") from None

    def _is(self, state: HubState, why: Exception | None = None) -> None:
        before, self.state, self.reason = self.state, state, _said(why)
        if before != state:
            tell("hub", state=state)
            if state in {"away", "refused"}:
                log.warning("%s", self.told("en"))


def _said(why: Exception | None) -> str:
    """Why, without what Python puts round it."""
    beneath = why.reason if isinstance(why, urllib.error.URLError) else why
    return str((isinstance(beneath, OSError) and beneath.strerror) or beneath or "")


class Otherwise(Exception):
    """A hub's copy is not what was sent."""
