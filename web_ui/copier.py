"""Sends what is on disk here to a hub, which keeps a copy of it.

The journal here stays the authority. This side looks at the hub's head before it goes on, so that a copy that was
altered is missed. Nobody who presses waits for a hub; what it has missed it is sent when it is back.
"""

from __future__ import annotations

import logging
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import msgspec

from companion.play.entries import JournalLine, Keys, Laid
from companion.play.hall import Hall
from companion.play.table import Table
from companion.refusals import AsTyped, Fact, Malformed, Missing, Refusal
from companion.terminal.doctor import HubLook, HubState, house_of
from companion.words import say
from web_ui.copies import TOKEN, CopiesTold, CopyTold, Piece, read_token
from web_ui.disk import write_whole
from web_ui.events import tell
from web_ui.house import keep_house
from web_ui.http_errors import NoKey

log = logging.getLogger(__name__)

UNTOLD = "hub_untold"
"""The tables that were deleted here, while the hub does not know it."""
CALM = 0.1  # seconds after a step in which its screens are served first
PIECE = 100  # entries in one message
ANSWERED_WITHIN = 5.0
TRIED_AGAIN = (1.0, 30.0)  # seconds until a hub that is away is asked again: at first, and at last
LONGEST = 1024 * 1024  # bytes of an answer

T = TypeVar("T")


class Copier:
    """A Pi's side: sends what is on disk here to a hub, by a thread of its own.

    :param token: the hub's; the file that it was read from is noted for `look_at_hub`, where it is named.
    """

    def __init__(self, hall: Hall, hub: str, token: str, *, token_file: Path | None = None) -> None:
        self._hall = hall
        self.hub = hub
        self._token = token
        self._deletes = threading.Lock()  # held while a table is deleted
        self._untold = hall.folder / UNTOLD
        self._deleted = _lines_of(self._untold)
        known = house_of(hall.folder)
        if known is None or known.hub != hub:
            keep_house(hall.folder, hub=hub, hub_state="trying", hub_since=0)
        keep_house(hall.folder, hub_token=str(token_file or ""))
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._closing = threading.Event()
        self._behind: dict[str, None] = {}
        self._known: dict[str, CopyTold] = {}
        self._compared = False
        self.state: HubState = "trying"
        self.reason = ""
        self._had_all = 0  # when the hub had every step for the last time, since this service runs
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

    def delete(self, table: str) -> None:
        """Delete a table here for good, and have the hub told, which keeps its copy until its owner removes it.

        :raises Missing: if there is none.
        """
        with self._deletes:
            before = self._deleted
            if self._hall.journal.going(table) is None:  # else it is played on elsewhere, and its copy goes on, too
                self._note_deleted({**before, table: None})  # first: else a power cut between leaves it untold
            try:
                self._hall.delete(table)
            except Missing:
                self._note_deleted(before)
                raise
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
                self._tell_deleted()
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
        there = self._ask("GET", "/api/copies", CopiesTold)
        lacks = {*_lacking(self._hall, there), *there.deleted}
        with self._lock:
            self._behind |= dict.fromkeys(each.table for each in self._hall.tables() if each.table in lacks)
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
        moved = self._hall.journal.going(name) is not None
        if known is not None and moved and (known.seq > len(lines) or known.deleted):
            return  # it is played on elsewhere, or was
        while True:
            if known is None:
                known = self._post(name, Piece(tuple(lines[:PIECE]), laid, secret, keys))
            self._check_head(name, known, lines)
            self._known[name] = known
            ahead = lines[known.seq : known.seq + PIECE]
            if not ahead and known.deleted:  # it is here, from a backup
                self._known[name] = self._post(name, Piece())
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

    def _tell_deleted(self) -> None:
        """Tell the hub of the tables that were deleted here."""
        for name in [*self._deleted]:
            if self._closing.is_set():
                return
            with self._deletes:
                there = self._hall.journal.knows(name)
            if not there:
                with suppress(Missing):  # it has no copy
                    self._ask("POST", f"/api/copies/{name}/deleted", CopyTold, Piece())
                self._known.pop(name, None)
            with self._deletes:
                self._note_deleted({each: None for each in self._deleted if each != name})

    def _note_deleted(self, names: dict[str, None]) -> None:
        self._deleted = names
        with suppress(OSError):  # a full disk is why tables are deleted: it is known as long as the service runs
            if names:
                write_whole(self._untold, "".join(f"{name}\n" for name in names).encode())
            else:
                self._untold.unlink(missing_ok=True)

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
        return _asked(self.hub, self._token, method, path, kind, piece)

    def _is(self, state: HubState, why: Exception | None = None) -> None:
        before, self.state, self.reason = self.state, state, _said(why)
        now = time.time_ns() // 1_000_000
        if before != state:
            known = house_of(self._hall.folder)
            if known is None or known.hub_state != state:  # else it is so since longer than this service runs
                keep_house(self._hall.folder, hub_state=state, hub_since=self._had_all or now)
            tell("hub", state=state)
            if state in {"away", "refused"}:
                log.warning("%s", self.told("en"))
        if state == "online":
            self._had_all = now


def look_at_hub(folder: Path) -> HubLook | None:
    """Ask the hub that the tables of a folder are copied to how it is, at this moment; None where there is none."""
    house = house_of(folder)
    if house is None or not house.hub:
        return None
    token_file = Path(house.hub_token) if house.hub_token else folder / TOKEN
    lacks, reason = 0, ""
    try:
        told = _asked(house.hub, read_token(token_file), "GET", "/api/copies", CopiesTold)
    except (NoKey, Malformed):
        state: HubState = "refused"
    except (OSError, ValueError) as away:
        state, reason = "away", _said(away)
    else:
        state = "otherwise" if house.hub_state == "otherwise" else "online"
        with suppress(Refusal):
            lacks = len(_lacking(Hall(folder, reading=True), told))
    same = house.hub_since and house.hub_state == state
    return HubLook(house.hub, state, reason, lacks, house.hub_since if same else None, token_file)


def _lacking(hall: Hall, told: CopiesTold) -> set[str]:
    """The tables of which a hub lacks something."""
    return {each.table for each in hall.tables() if told.tables.get(each.table, -1) < each.seq}


def _asked(hub: str, token: str, method: str, path: str, kind: type[T], piece: Piece | None = None) -> T:
    """One question to a hub.

    :raises Missing: where it has no copy.
    :raises Otherwise: where its copy says otherwise.
    :raises Refusal: where it turns us away.
    :raises OSError: where it does not answer.
    """
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    body = None if piece is None else msgspec.json.encode(piece)
    request = urllib.request.Request(f"{hub}{path}", body, headers, method=method)  # noqa: S310
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


def _lines_of(file: Path) -> dict[str, None]:
    try:
        return dict.fromkeys(file.read_text("utf-8").split())
    except (OSError, UnicodeDecodeError):
        return {}


def _said(why: Exception | None) -> str:
    """Why, without what Python puts round it."""
    beneath = why.reason if isinstance(why, urllib.error.URLError) else why
    return str((isinstance(beneath, OSError) and beneath.strerror) or beneath or "")


class Otherwise(Exception):
    """A hub's copy is not what was sent."""
