"""A table goes to another Digside with all it has: closed here, opened there, and open in one place whatever happens.

First it is kept here that the table leaves, with a ticket, and no step is made at it any more. Then the other takes it
in by that ticket, once. At last it is kept here that it is there. Where something fails between, the other is asked to
bar the ticket: either it has the table, or it will never have it by that ticket, and the table is here again. Where it
does not answer, the table waits until its owner has it sent again, or taken back.
"""

from __future__ import annotations

import secrets
import sys
import threading
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from companion.play.entries import Arrival, Going, JournalLine, Keys, Laid
from companion.play.hall import Hall
from companion.play.table import Table
from companion.refusals import AsTyped, Illegal, Malformed, Storage
from companion.words import say
from web_ui.copies import house_token, hub_at
from web_ui.house import keep_house
from web_ui.http_errors import STATUS, OtherAway
from web_ui.others import SaysNo, sent, why
from web_ui.owner import Owner

ANSWERED_WITHIN = 20.0  # seconds: a long table is played again there
LONGEST = 64 * 1024  # bytes of an answer
ANYHOW = "anyhow"
"""Behind the question mark of a meeting: there may be no room for a table."""
UNTAKEN = frozenset({"core.disk_full", "core.no_room", "core.disk", "core.folder_read_only"})
"""With these a disk refuses before anything is kept; with others it may have."""

T = TypeVar("T")


class HouseMet(msgspec.Struct, frozen=True):
    """Which Digside this is, wherever it is reached."""

    house: str


class ArrivalTold(msgspec.Struct, frozen=True):
    """What came by a ticket, and up to which entry: null where nothing has, and nothing will."""

    table: str | None
    seq: int
    head: str | None


class Load(msgspec.Struct, frozen=True, omit_defaults=True):
    """All that a table is."""

    laid: Laid
    secret: bytes
    keys: Keys
    lines: tuple[JournalLine, ...] = ()


class Refuses(Illegal):
    """The other Digside has said no.

    :ivar untaken: as its disk takes nothing: for certain it has not done it, and it can note nothing either.
    """

    def __init__(self, address: str, no: SaysNo) -> None:
        super().__init__("web.other_refuses", address=AsTyped(address), reason=AsTyped(no))
        self.untaken = no.status == STATUS[Storage] and no.key in UNTAKEN


class Other:
    """Another Digside, asked with its owner's key or the token of the house.

    :param language: of what it refuses.
    """

    def __init__(self, address: str, key: str | None, language: str) -> None:
        self.address = hub_at(address)
        self._key = (key or "").strip().rpartition("#")[2]  # behind it, in the address that makes a device the owner's
        self._language = language
        if not self._key or not self._key.isascii() or not self._key.isprintable():
            raise Malformed("web.move_key", address=AsTyped(self.address))

    def house(self, *, takes: bool) -> str:
        """Which one it is.

        :param takes: whether it would take in a table now; else it refuses.
        """
        return self.ask("GET", "/api/moves" if takes else f"/api/moves?{ANYHOW}=1", HouseMet).house

    def take(self, ticket: str, load: Load) -> ArrivalTold:
        """Have it take in a table."""
        return self.ask("POST", f"/api/moves/{ticket}", ArrivalTold, load)

    def bar(self, ticket: str) -> ArrivalTold:
        """Have it take in nothing by a ticket, unless it has."""
        return self.ask("POST", f"/api/moves/{ticket}/bar", ArrivalTold, {})

    def ask(self, method: str, path: str, kind: type[T], body: object = None) -> T:
        """One question.

        :raises OtherAway: where it does not answer: it may have done it, or not.
        :raises Refuses: where it says no.
        """
        headers = {"Authorization": f"Bearer {self._key}", "Accept-Language": self._language}
        headers |= {"Content-Type": "application/json"} if body is not None else {}
        told = None if body is None else msgspec.json.encode(body)
        request = urllib.request.Request(f"{self.address}{path}", told, headers, method=method)  # noqa: S310
        try:
            return msgspec.json.decode(sent(request, within=ANSWERED_WITHIN, longest=LONGEST), type=kind)
        except SaysNo as no:
            raise Refuses(self.address, no) from None
        except (OSError, msgspec.DecodeError) as error:
            raise OtherAway("web.other_away", address=AsTyped(self.address), reason=AsTyped(why(error))) from None


class Mover:
    """Sends tables of a hall away, and takes back those that have not arrived.

    :param token: the token of the house, where there is one: it opens what no other key was given for.
    :param told: is called after each thing that has become of a table.
    """

    def __init__(
        self,
        hall: Hall,
        token: Callable[[], str | None] = lambda: None,
        told: Callable[[Table], None] = lambda table: None,
    ) -> None:
        self._hall = hall
        self._token = token
        self._told = told
        self._lock = threading.Lock()  # one after the other

    @property
    def house(self) -> str:
        """Which Digside this is."""
        return keep_house(self._hall.folder).id

    def move(self, name: str, address: str, key: str | None, language: str) -> Going:
        """Have a table go to another Digside, or go on with that; where it is from then on.

        :raises Illegal: where that cannot be, or the other refuses it: then the table is here.
        :raises OtherAway: where the other does not answer. The table is here, or waits to be sent again or taken back.
        :raises Elsewhere: where it has left for yet another.
        """
        with self._lock:
            table, other = self._hall.table(name), Other(address, key or self._token(), language)
            if table.going is not None and table.going.there:
                raise table.going.refusal(table.id)
            first = table.going is None
            house = other.house(takes=first)
            if house == self.house:
                raise Illegal("web.move_here", address=AsTyped(other.address))
            if first:
                self._keep(table, Going(secrets.token_urlsafe(16), other.address, house))
            going = self._same(table, house, other.address)
            try:
                arrival = other.take(going.ticket, self._load(table))
            except (OtherAway, Refuses) as failed:
                arrival = self._barred(other, going, failed, first=first)
                if arrival.table is None:
                    self._keep(table, None)
                    raise failed from None
            return self._arrived(table, going, arrival)

    def back(self, name: str, address: str | None, key: str | None, language: str) -> None:
        """Take a table back that has not arrived.

        :param address: where the other is reached by now, if elsewhere.
        :raises Elsewhere: where it has.
        """
        with self._lock:
            table = self._hall.table(name)
            if table.going is None:
                raise Illegal("web.not_leaving", table=AsTyped(table.id))
            other = Other(address or table.going.address, key or self._token(), language)
            going = self._same(table, other.house(takes=False), other.address)
            arrival = other.bar(going.ticket)
            if arrival.table is not None:
                raise self._arrived(table, going, arrival).refusal(table.id)
            self._keep(table, None)

    def _same(self, table: Table, house: str, address: str) -> Going:
        """How a table has left, if it is for this Digside, wherever that is reached by now."""
        going = table.going
        if going is None:
            raise Illegal("web.not_leaving", table=AsTyped(table.id))
        if going.house != house or going.there:
            raise going.refusal(table.id)
        return replace(going, address=address)

    def _barred(self, other: Other, going: Going, failed: OtherAway | Refuses, *, first: bool) -> ArrivalTold:
        """What has become of a ticket that was not answered as it should be; nothing comes by it any more.

        :param first: whether it was sent for the first time: then a full disk there has not taken it in before either.
        """
        try:
            return other.bar(going.ticket)
        except (OtherAway, Refuses) as unsure:
            if first and isinstance(failed, Refuses) and failed.untaken:
                return ArrivalTold(None, 0, None)
            if isinstance(unsure, Refuses):
                reason = unsure.facts["reason"]
                raise OtherAway("web.move_unsure", address=AsTyped(other.address), reason=reason) from unsure
            raise OtherAway("web.move_interrupted", address=AsTyped(other.address)) from unsure

    def _arrived(self, table: Table, going: Going, arrival: ArrivalTold) -> Going:
        """Both agree, and it is kept here, too."""
        head = table.written[-1].link if table.written else None
        if arrival != ArrivalTold(table.id, table.seq, head.hex() if head else None):
            raise Illegal("core.arrives_otherwise")
        there = replace(going, there=True)
        self._keep(table, there)
        return there

    def _load(self, table: Table) -> Load:
        with table.lock:
            return Load(table.laid, table.dealer.secret, table.keys, tuple(table.written))

    def _keep(self, table: Table, going: Going | None) -> None:
        self._hall.send(table, going)
        self._told(table)


def told(arrival: Arrival) -> ArrivalTold:
    """What is answered of a ticket."""
    return ArrivalTold(*arrival)


class Moved(msgspec.Struct, frozen=True):
    """Where a table is."""

    table: str
    address: str | None


def by_hand(
    data: Path,
    table: str,
    address: str | None,
    *,
    key: Path | None,
    token: Path | None,
    back: bool,
    typed: Callable[[str], str],
    language: str,
) -> int:
    """Move a table, or take it back: by the service where one runs, else here. The exit status of the command.

    :param typed: asks for a key, where neither a file has one nor the house a token.
    """
    shown = _in_file(key) if key is not None else house_token(data, token)
    shown = shown or typed(say(language, "cli.other_key", {}))
    try:
        moved = _here_or_by_service(data, Asked(table, address, shown, back), language)
    except Refuses as said:
        print(said.facts["reason"], file=sys.stderr)
        return 1
    facts = {"table": AsTyped(table), "address": AsTyped(moved.address or "")}
    print(say(language, "cli.moved" if moved.address else "cli.moved_back", facts))
    return 0


class Asked(NamedTuple):
    """What is asked for by hand."""

    table: str
    address: str | None
    key: str
    back: bool


def _here_or_by_service(data: Path, asked: Asked, language: str) -> Moved:
    try:
        hall = Hall(data)
    except Storage as held:
        if held.key != "core.folder_in_use":
            raise
        owner = Owner(data)
        return Other(owner.house.address or "", owner.key, language).ask(
            "POST", "/api/owner/move", Moved, asked._asdict()
        )
    try:
        if asked.back:
            Mover(hall).back(asked.table, asked.address, asked.key, language)
            return Moved(asked.table, None)
        return Moved(asked.table, Mover(hall).move(asked.table, asked.address or "", asked.key, language).address)
    finally:
        hall.close()


def _in_file(file: Path) -> str:
    try:
        return file.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        raise Malformed("web.bad_token", file=AsTyped(file)) from None
