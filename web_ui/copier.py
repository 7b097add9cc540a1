"""Sends what is on disk here to a hub, which keeps a copy of it.

The journal here stays the authority. This side holds the hub's copies against it, so that one that was altered is
missed. Nobody who presses waits for a hub; what it has missed it is sent when it is back.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal, NamedTuple

from msgspec.structs import replace

from companion.play.entries import JournalLine, Keys, Laid
from companion.play.hall import Hall
from companion.play.table import Table
from companion.refusals import AsTyped, Fact, Missing, Refusal
from companion.terminal.doctor import Hindrance, HubNoted, HubState, house_of
from companion.whole_file import write_whole
from companion.words import say
from web_ui.copies import CopyTold, TablePiece, proof_of
from web_ui.events import tell
from web_ui.house import keep_house
from web_ui.hub_client import Copy, CopyMismatch, CopyRejected, HubClient, HubUnavailable, compared, goes_on_elsewhere

log = logging.getLogger(__name__)

UNTOLD = "hub_untold"
"""The tables that were deleted here, each with its seal, while the hub does not know it."""
CALM = 0.1  # seconds after a step in which its screens are served first
PIECE = 100  # entries in one message
TRIED_AGAIN = (1.0, 30.0)  # seconds until a hub that is away is asked again: at first, and at last
COMPARED_AGAIN = 900.0  # seconds until all copies are looked at again, though nothing seems to be wrong
NAMED = 5  # tables that are named in a sentence

Ill = Literal["otherwise", "untaken", "unread"]
ILLS: tuple[Ill, ...] = ("otherwise", "untaken", "unread")
NOTED: Mapping[HubState, HubNoted] = {
    "trying": "trying",
    "online": "online",
    "away": "away",
    "refused": "refused",
    "otherwise": "otherwise",
    "busy": "away",
    "full": "away",
    "untaken": "online",
    "unread": "online",
}
HINDRANCES: Mapping[HubState, Hindrance] = {
    "busy": "busy",
    "full": "full",
    "untaken": "untaken",
    "unread": "unread",
}


class Deletion(NamedTuple):
    """Of a table that was deleted here: its seal, by which the hub tells it from another of its name, and its secret,
    by which it is shown that it was played here; in hexadecimal digits."""

    seal: str = ""
    secret: str = ""


class Copier:
    """A Pi's side: sends what is on disk here to a hub, by a thread of its own.

    :param token: the hub's; the file that it was read from is noted for `look_at_hub`, where it is named.
    """

    def __init__(self, hall: Hall, hub: str, token: str, *, token_file: Path | None = None) -> None:
        self._hall = hall
        self.hub = hub
        self._asked = HubClient(hub, token)
        self._deletes = threading.Lock()  # held while a table is deleted
        self._untold = hall.folder / UNTOLD
        self._deleted = _read_untold(self._untold)
        known = house_of(hall.folder)
        if known is None or known.hub != hub:
            keep_house(hall.folder, hub=hub, hub_state="trying", hub_since=0, hub_hindered="")
        keep_house(hall.folder, hub_token=str(token_file or ""))
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._closing = threading.Event()
        self._behind: dict[str, None] = {}
        self._copies: dict[str, Copy] = {}
        self._start = ""  # by which the hub's run is told from the one before
        self._compared_until = 0.0
        self._link: HubState = "trying"
        self._why: Refusal | str = ""
        self._ill: Mapping[str, Ill] = {}  # tables with which something is wrong; put in its place whole
        self._said: HubState = "trying"
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
                self._note_deleted({**before, table: self._deletion(table)})  # first: else a power cut leaves it untold
            try:
                self._hall.delete(table)
            except Missing:
                self._note_deleted(before)
                raise
        self._wake.set()

    @property
    def behind(self) -> int:
        """Tables of which the hub lacks something, or has something else."""
        with self._lock:
            return len(self._behind.keys() | self._ill.keys())

    @property
    def state(self) -> HubState:
        """How it stands with the hub; where that answers, with the tables."""
        return self._state_of(self._link)

    def status(self, language: str) -> str:
        """How it stands, in a sentence or some."""
        why = self._why.said(language) if isinstance(self._why, Refusal) else self._why
        by_ill = {ill: sorted(table for table, its in self._ill.items() if its == ill) for ill in ILLS}
        parts: list[tuple[HubState, str]] = [(ill, _named(tables)) for ill, tables in by_ill.items() if tables]
        if self._link != "online" or not parts:
            parts.insert(0, (self._link, why))
        facts: dict[str, Fact] = {"hub": AsTyped(self.hub), "n": self.behind}
        return " ".join(say(language, f"web.hub.{part}", {**facts, "reason": AsTyped(of)}) for part, of in parts)

    def close(self) -> None:
        """Nothing more is sent; what is not there yet is sent after the next start."""
        self._closing.set()
        self._wake.set()

    def _run(self) -> None:
        pause = TRIED_AGAIN[0]
        while not self._closing.is_set():
            if self._goes_round():
                pause = TRIED_AGAIN[0]
                self._wake.wait(COMPARED_AGAIN)
                self._closing.wait(CALM)
                self._wake.clear()
            else:
                self._closing.wait(pause)
                pause = min(pause * 2, TRIED_AGAIN[1]) if self._link != "busy" else TRIED_AGAIN[0]

    def _goes_round(self) -> bool:
        """Do one round of copying, and return whether nothing is left to send."""
        try:
            self._compare()
            self._tell_deleted()
            self._send_all()
        except HubUnavailable as hindered:
            self._is(hindered.state, hindered.reason)
        except Refusal as unread:  # of all that is kept here: one table's is noted by `_send_all`
            self._is("unread", unread)
        except Exception as mistake:  # whatever it is, copying goes on
            log.exception("a round of copying failed")
            self._is("away", str(mistake))
        else:
            self._is("online")
            return True
        if self._link not in {"busy", "full"}:
            self._compared_until = 0.0  # who knows with which disk it comes back
        return False

    def _compare(self) -> None:
        """What the hub lacks of all that is kept here, and has otherwise: looked up where that may have changed."""
        if time.monotonic() < self._compared_until:
            return
        there = self._asked.all()
        found = compared(self._hall, there)
        kept = self._ill if there.copies is None else {}  # a hub of 0.3.0 does not tell enough to be sure
        ill: dict[str, Ill] = {table: its for table, its in kept.items() if its == "otherwise"}
        ill |= dict.fromkeys(found.unread, "unread")
        ill |= dict.fromkeys(found.otherwise, "otherwise")
        for table in sorted(found.otherwise - self._ill.keys()):
            _log_otherwise(table)
        with self._lock:
            self._ill = ill
            self._behind |= dict.fromkeys(sorted(found.lacks))
        self._copies, self._start = found.copies, there.start
        self._compared_until = time.monotonic() + COMPARED_AGAIN

    def _send_all(self) -> None:
        while not self._closing.is_set():
            with self._lock:
                name = next(iter(self._behind), None)
                if name is None:
                    break
                self._behind.pop(name)
            try:
                ill = self._how_sent(name)
            except BaseException:
                with self._lock:
                    self._behind[name] = None
                raise
            self._note_ill(name, ill)

    def _note_ill(self, name: str, ill: Ill | None) -> None:
        """Something is wrong with a table, or nothing any more."""
        with self._lock:
            rest = {table: its for table, its in self._ill.items() if table != name}
            self._ill = {**rest, name: ill} if ill else rest

    def _how_sent(self, name: str) -> Ill | None:
        """Send what is new of a table; what is wrong with it, if anything, which keeps no other from being sent."""
        try:
            self._send(name)
        except Missing:  # it is gone here
            return None
        except CopyMismatch:
            if self._ill.get(name) != "otherwise":
                _log_otherwise(name)
            return "otherwise"
        except CopyRejected as untaken:
            log.warning("the hub does not take table %s: %s", name, untaken)
            return "untaken"
        except Refusal as damaged:
            log.warning("table %s cannot be read, and is not copied: %s", name, damaged)
            return "unread"
        return None

    def _send(self, name: str) -> None:
        """Bring the copy of a table up to what is on disk here."""
        lines, laid, secret, keys = self._kept(name)
        copy = self._copies.get(name) or self._asked.find(name, laid.seal)
        known = copy.told
        if known is not None and goes_on_elsewhere(self._hall.journal, name, len(lines), known):
            return
        if known is None:
            laid = replace(laid, table=copy.name, was=laid.was or name) if copy.name != name else laid
            known = self._take(copy.name, TablePiece(tuple(lines[:PIECE]), laid, secret, keys))
        while True:
            _check_head(name, known, lines)
            self._copies[name] = Copy(copy.name, known)
            ahead = lines[known.seq : known.seq + PIECE]
            if not ahead and known.deleted:  # it is here, from a backup
                self._copies[name] = Copy(copy.name, self._take(copy.name, TablePiece()))
            if not ahead or self._closing.is_set():
                return
            before, known = known, self._take(copy.name, TablePiece(tuple(ahead)))
            if known.seq < before.seq:  # its disk is an older one
                raise HubUnavailable("trying")
            if known.seq == before.seq:
                raise CopyMismatch(name)

    def _take(self, name: str, piece: TablePiece) -> CopyTold:
        try:
            told = self._asked.send_piece(name, piece)
        except Missing:  # its disk is a new one
            raise HubUnavailable("trying") from None
        if told.start != self._start:
            self._compared_until = 0.0
            self._wake.set()
        return told

    def _tell_deleted(self) -> None:
        """Tell the hub of the tables that were deleted here."""
        for name, (seal, secret) in [*self._deleted.items()]:
            if self._closing.is_set():
                return
            with self._deletes:
                there = self._hall.journal.knows(name)
            if not there:
                with suppress(Missing, CopyMismatch, CopyRejected):  # it has no copy, or will not hear of it
                    copy = self._copies.get(name) or (self._asked.find(name, seal) if seal else Copy(name, None))
                    self._asked.deleted(copy.name, proof_of(copy.name, bytes.fromhex(secret)))
                self._copies.pop(name, None)
                self._note_ill(name, None)
            with self._deletes:
                self._note_deleted({each: its for each, its in self._deleted.items() if each != name})

    def _note_deleted(self, deleted: dict[str, Deletion]) -> None:
        self._deleted = deleted
        with suppress(OSError):  # a full disk is why tables are deleted: it is known as long as the service runs
            if deleted:
                lines = (f"{name} {each.seal} {each.secret}\n" for name, each in deleted.items())
                write_whole(self._untold, "".join(lines).encode())
            else:
                self._untold.unlink(missing_ok=True)

    def _deletion(self, table: str) -> Deletion:
        """What is kept of a table until the hub knows that it is gone; nothing, where that cannot be read any more."""
        with suppress(Refusal):
            laid, secret, _ = self._hall.journal.laying_of(table)
            return Deletion(laid.seal, secret.hex())
        return Deletion()

    def _kept(self, name: str) -> tuple[list[JournalLine], Laid, bytes, Keys]:
        table = self._hall.at_hand(name)
        if table is None:
            laid, secret, keys = self._hall.journal.laying_of(name)
            return self._hall.journal.entries(name), laid, secret, keys
        with table.lock:
            return [*table.written], table.laid, table.dealer.secret, table.keys

    def _is(self, link: HubState, why: Refusal | str = "") -> None:
        state, now = self._state_of(link), time.time_ns() // 1_000_000
        changed, self._said = state != self._said, state
        if changed:
            self._note(NOTED[state], HINDRANCES.get(state, ""), self._had_all or now)
        self._link, self._why = link, why
        if changed:
            tell("hub", state=state)
        if changed and link not in {"trying", "online"}:
            log.warning("copies to the hub: %s", self.status("en"))
        if state == "online":
            self._had_all = now

    def _state_of(self, link: HubState) -> HubState:
        return link if link != "online" else next((ill for ill in ILLS if ill in self._ill.values()), "online")

    def _note(self, state: HubNoted, hindered: Hindrance, since: int) -> None:
        """Keep for `look_at_hub` how it is, and since when: that may be longer than this service runs."""
        known = house_of(self._hall.folder)
        since = known.hub_since if known is not None and known.hub_state == state else since
        keep_house(self._hall.folder, hub_state=state, hub_hindered=hindered, hub_since=since)


def _check_head(name: str, known: CopyTold, lines: Sequence[JournalLine]) -> None:
    """The hub's newest entry is the one that was written here."""
    if known.seq > len(lines):
        raise CopyMismatch(name)
    link = lines[known.seq - 1].link if known.seq else None
    if known.head != (link.hex() if link else None):
        raise CopyMismatch(name)


def _log_otherwise(table: str) -> None:
    log.error("the hub's copy of table %s is not what was sent: it is sent no further", table)


def _named(tables: Sequence[str]) -> str:
    """Some tables by name."""
    return ", ".join(tables[:NAMED]) + (" …" if len(tables) > NAMED else "")


def _read_untold(file: Path) -> dict[str, Deletion]:
    """The tables that a hub is to be told of, with the seal of each and its secret, which older ones did not note."""
    try:
        lines = [line.split() for line in file.read_text("utf-8").splitlines()]
    except (OSError, UnicodeDecodeError):
        return {}
    return {line[0]: Deletion(*line[1:3]) for line in lines if line}
