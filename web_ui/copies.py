"""Copies of tables on a hub: it has each entry by its table and number, once, and refuses what does not follow.

A Pi's own journal stays the authority (`copier.py` sends what is in it). A hub holds the secret of the luck, and the
keys, as a backup does: it is trusted like the disk. What is deleted on a Pi stays here until this hub's owner removes
it.
"""

from __future__ import annotations

import hmac
import ipaddress
import re
import secrets
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from companion.game import Mode, Seat
from companion.play.chain import Chain, beginning
from companion.play.entries import JournalLine, Keys, Laid
from companion.play.record import FORMAT, Record, RecordLine, bounded
from companion.play.sqlite_journal import SqliteJournal
from companion.refusals import AsTyped, Illegal, Malformed, Missing, Storage
from companion.whole_file import write_whole
from web_ui.guard import HOME_ENDINGS
from web_ui.whole_house import address

TOKEN = "hub_token"  # noqa: S105 -- a file's name
FOLDER = "copies"
DELETED = "deleted.json"
NAME = re.compile(r"[a-z0-9]{1,20}")
"""What a table may be called that is copied here: it is shown to people, and its head has its place."""


class CopyTold(msgspec.Struct, frozen=True, omit_defaults=True):
    """How far the copy of a table has come: its newest entry, and the link of that, where it has one.

    :ivar deleted: the table was deleted where it was played
    :ivar seal: of its luck, by which it is told from a table of the same name at another Pi
    :ivar start: the hub's, another each time: what was known of its copies may not be so since
    """

    seq: Annotated[int, Meta(ge=0)]
    head: str | None
    deleted: bool = False
    seal: str = ""
    start: str = ""


class CopiesTold(msgspec.Struct, frozen=True):
    """The newest entry of every table that a hub has a copy of, and which were deleted where they were played.

    :ivar start: the hub's, another each time
    :ivar copies: how far each has come; null from a hub of 0.3.0, which tells numbers alone
    """

    tables: dict[str, int]
    deleted: tuple[str, ...] = ()
    start: str = ""
    copies: dict[str, CopyTold] | None = None


class DeletedCopy(msgspec.Struct, frozen=True):
    """The copy of a table that was deleted where it was played, and when that was: in milliseconds since 1970."""

    table: str
    box: str
    mode: Mode
    seats: tuple[Seat, ...]
    seq: int
    played_at: int
    deleted_at: int


class CopiesHere(msgspec.Struct, frozen=True):
    """The copies that a hub keeps, for its owner: how many, and those whose tables were deleted, the newest first."""

    tables: int
    deleted: tuple[DeletedCopy, ...]


class TablePiece(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
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
        self._file = folder / FOLDER / DELETED
        self._deleted = _read_deleted(self._file)
        self._lock = threading.Lock()
        self._newest: dict[str, CopyTold] = {}
        self._start = secrets.token_hex(4)

    def all(self) -> CopiesTold:
        """How far every copy has come."""
        copies = {
            brief.table: CopyTold(seq, self._head(brief.table, seq), brief.table in self._deleted, brief.seal)
            for brief, seq, *_ in self._journal.summaries()
        }
        numbers = {table: told.seq for table, told in copies.items()}
        return CopiesTold(numbers, tuple(self._deleted), self._start, copies)

    def here(self) -> CopiesHere:
        """What the hub's owner is told of them."""
        every = self._journal.summaries()
        deleted = [
            DeletedCopy(brief.table, brief.setup.box, brief.setup.mode, brief.setup.seats, seq, played or brief.at, at)
            for brief, seq, played, *_ in every
            if (at := self._deleted.get(brief.table)) is not None
        ]
        return CopiesHere(len(every), tuple(sorted(deleted, key=lambda copy: -copy.deleted_at)))

    def deleted(self, table: str, proof: bytes | None) -> CopyTold:
        """Keep that a table was deleted where it was played; its copy stays, until the hub's owner removes it.

        :param proof: `proof_of` it, which only the Pi can make where it was played.
        :raises Missing: if there is none.
        :raises Illegal: where it was played elsewhere.
        """
        with self._lock:
            known = self._of(table)
            _, secret, _ = self._journal.laying_of(table)
            if not hmac.compare_digest(proof or b"", proof_of(table, secret)):
                raise Illegal("web.copy_not_yours", table=AsTyped(table))
            if not known.deleted:
                self._keep({**self._deleted, table: time.time_ns() // 1_000_000})
                self._newest[table] = replace(known, deleted=True)
            return self._newest[table]

    def remove(self, tables: Sequence[str]) -> None:
        """Remove the copies of tables for good.

        :raises Illegal: where one is still kept where it is played: then none is removed.
        """
        with self._lock:
            for table in tables:
                if self._journal.knows(table) and table not in self._deleted:
                    raise Illegal("web.copy_in_play", table=AsTyped(table))
            for table in self._deleted.keys() & {*tables}:
                self._journal.delete(table)
                self._newest.pop(table, None)
            self._keep({table: at for table, at in self._deleted.items() if table not in tables})

    def of(self, table: str) -> CopyTold:
        """How far the copy of a table has come.

        :raises Missing: if there is none.
        """
        with self._lock:
            return self._of(table)

    def take(self, table: str, piece: TablePiece) -> CopyTold:
        """Keep what is new of a piece, and say how far the copy has come; what does not follow on it is left.

        :raises Illegal: where it is of another table of that name, or says otherwise what was said before.
        """
        with self._lock:
            if not self._journal.knows(table):
                return self._begin(table, piece)
            laid, secret, _ = self._journal.laying_of(table)
            if piece.laid is not None and piece.laid != laid:
                raise Illegal("web.copy_of_another", table=AsTyped(table))
            if table in self._deleted:  # it is there again, from a backup
                self._keep({other: at for other, at in self._deleted.items() if other != table})
                self._newest.pop(table, None)
            known = self._of(table)
            if piece.lines and piece.lines[0].seq <= known.seq:
                self._check_same(table, piece.lines)
            fresh = [line for line in piece.lines if line.seq > known.seq]
            if not fresh or fresh[0].seq != known.seq + 1:
                return known
            before = bytes.fromhex(known.head) if known.head else beginning(laid)
            _check_linked(table, laid, secret, before, fresh)
            self._journal.append(table, fresh)
            return self._note(laid, fresh)

    def close(self) -> None:
        """Let go of the folder."""
        self._journal.close()

    def _begin(self, table: str, piece: TablePiece) -> CopyTold:
        laid, secret, keys = piece.laid, piece.secret, piece.keys
        if laid is None or secret is None or keys is None or laid.table != table:
            raise Missing("core.no_table", table=AsTyped(table))
        if [line.seq for line in piece.lines] != list(range(1, len(piece.lines) + 1)):
            raise Malformed("web.copy_otherwise", table=AsTyped(table))
        if not NAME.fullmatch(table):
            raise Malformed("web.copy_otherwise", table=AsTyped(table))
        bounded(
            Record(FORMAT, 2, laid.digside, False, laid, None, [RecordLine(w.seq, w.at, w.entry) for w in piece.lines])
        )
        _check_linked(table, laid, secret, beginning(laid), piece.lines)
        self._journal.lay(laid, secret, keys, piece.lines)
        return self._note(laid, piece.lines)

    def _check_same(self, table: str, lines: Sequence[JournalLine]) -> None:
        kept = self._journal.entries(table)
        if any(line != kept[line.seq - 1] for line in lines if line.seq <= len(kept)):
            raise Illegal("web.copy_otherwise", table=AsTyped(table))

    def _of(self, table: str) -> CopyTold:
        if table not in self._newest:
            laid, *_ = self._journal.laying_of(table)
            self._note(laid, self._journal.entries(table))
        return self._newest[table]

    def _note(self, laid: Laid, lines: Sequence[JournalLine]) -> CopyTold:
        seq, deleted = lines[-1].seq if lines else 0, laid.table in self._deleted
        told = CopyTold(seq, _link_of(lines), deleted, laid.seal, self._start)
        self._newest[laid.table] = told
        return told

    def _head(self, table: str, seq: int) -> str | None:
        """The link of an entry as it is on the disk at this moment; of one that is damaged nothing that fits."""
        try:
            return _link_of(self._journal.entries(table, seq - 1)[:1]) if seq else None
        except Storage:
            return ""

    def _keep(self, deleted: dict[str, int]) -> None:
        if deleted != self._deleted:
            try:
                write_whole(self._file, msgspec.json.encode(deleted))
            except OSError as error:
                reason = error.strerror or str(error)
                raise Storage("core.disk", folder=str(self._file.parent), reason=reason) from error
            self._deleted = deleted


def proof_of(table: str, secret: bytes) -> bytes:
    """What shows that a table was deleted by the Pi that has the secret of its luck; the token is every Pi's."""
    return hmac.digest(secret, b"digside deleted\0" + table.encode(), "sha256")


def _link_of(lines: Sequence[JournalLine]) -> str | None:
    """The link of the newest of some entries, where it has one."""
    link = lines[-1].link if lines else None
    return link.hex() if link else None


def _read_deleted(file: Path) -> dict[str, int]:
    """When tables were deleted of which there are copies; what cannot be read is told anew, or stays a copy."""
    try:
        return msgspec.json.decode(file.read_bytes(), type=dict[str, int])
    except (OSError, ValueError):
        return {}


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
