"""A table goes to another Digside with all it has: closed here, opened there, and open in one place whatever happens.

First it is an entry of the table that it leaves, with a ticket, and no step is made at it any more. Then the other
takes it in by that ticket, once, which is an entry there. At last it is kept here that it is there. Where something
fails between, the other is asked to bar the ticket: either it has the table, or it will never have it by that ticket,
and it is an entry that the table stays. Where it does not answer, or somebody on the way does instead, the table stays
closed until its owner has it sent again, or taken back.
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

from companion.play.entries import Departure
from companion.play.hall import Hall
from companion.play.table import Table
from companion.refusals import AsTyped, Illegal, Malformed, Storage
from companion.words import say
from web_ui.between import Exchange
from web_ui.copies import house_token, hub_at
from web_ui.house import house_id
from web_ui.http_errors import OtherAway
from web_ui.others import SaysNo, asked, sent, why
from web_ui.owner import Owner
from web_ui.reception import ArrivalTold, Barring, HouseMet, Load

ANSWERED_WITHIN = 20.0  # seconds: a long table is played again there
LONGEST = 64 * 1024  # bytes of an answer
TRIES = 3
"""So often a turn is asked for, where others come in between."""

T = TypeVar("T")


class Refuses(Illegal):
    """The other Digside has said no, or somebody on the way to it."""

    def __init__(self, address: str, no: SaysNo | str) -> None:
        super().__init__("web.other_refuses", address=AsTyped(address), reason=AsTyped(no))


class NotItsTurn(Exception):
    """Others came in between: the turn that was asked for is over."""


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

    def meet(self) -> HouseMet:
        """Which one it is, and its turn."""
        return self._ask("GET", "/api/moves", HouseMet)

    def send_table(self, ticket: str, met: HouseMet, load: Load) -> ArrivalTold:
        """Have it take in a table."""
        return self._in_turn(f"/api/moves/{ticket}", met, load)

    def bar(self, ticket: str, table: str, met: HouseMet) -> ArrivalTold:
        """Have it take in nothing by a ticket, unless it has."""
        return self._in_turn(f"/api/moves/{ticket}/bar", met, Barring(table))

    def _in_turn(self, path: str, met: HouseMet, brings: object) -> ArrivalTold:
        turn = met.turn
        for _ in range(TRIES):
            try:
                return self._ask("POST", path, ArrivalTold, brings, turn)
            except NotItsTurn:
                turn = self.meet().turn
        raise OtherAway("web.other_away", address=AsTyped(self.address), reason=AsTyped("it is busy"))

    def _ask(self, method: str, path: str, kind: type[T], brings: object = None, turn: str = "") -> T:
        """One question, sealed.

        :raises OtherAway: where it does not answer: it may have done it, or not.
        :raises Refuses: where it says no.
        """
        request = urllib.request.Request(f"{self.address}{path}", method=method)  # noqa: S310
        request.add_header("Accept-Language", self._language)
        exchange = Exchange(self._key, method, path, turn=turn)
        try:
            return asked(exchange, request, kind, brings=brings, within=ANSWERED_WITHIN, longest=LONGEST)
        except SaysNo as no:
            if no.key == "web.other_turn":
                raise NotItsTurn from None
            raise Refuses(self.address, no) from None
        except OSError as error:
            raise OtherAway("web.other_away", address=AsTyped(self.address), reason=AsTyped(why(error))) from None

    def own_service(self, kind: type[T], body: object) -> T:
        """Have the service of this very machine move a table, with its own owner's key."""
        headers = {"Authorization": f"Bearer {self._key}", "Accept-Language": self._language}
        headers |= {"Content-Type": "application/json"}
        path = f"{self.address}/api/owner/move"
        request = urllib.request.Request(path, msgspec.json.encode(body), headers, method="POST")  # noqa: S310
        try:
            return msgspec.json.decode(sent(request, within=3 * ANSWERED_WITHIN, longest=LONGEST), type=kind)
        except SaysNo as no:
            raise Refuses(self.address, no) from None
        except (OSError, ValueError) as error:
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
        return house_id(self._hall.folder)

    def move(self, name: str, address: str, key: str | None, language: str) -> Departure:
        """Have a table go to another Digside, or go on with that; where it is from then on.

        :raises Illegal: where that cannot be, or the other refuses it: then the table is here.
        :raises OtherAway: where the other does not answer. The table is here, or waits to be sent again or taken back.
        :raises Elsewhere: where it has left for yet another.
        """
        with self._lock:
            table, other = self._hall.table(name), Other(address, key or self._token(), language)
            met = other.meet()
            if met.house == self.house:
                raise Illegal("web.move_here", address=AsTyped(other.address))
            if (going := self._is_leaving(table, met, other)) is not None:
                return going  # it had arrived
            if met.refuses:
                raise Refuses(other.address, met.refuses)
            going = Departure(secrets.token_urlsafe(16), other.address, met.house)
            self._keep(table, going)
            try:
                arrival = other.send_table(going.ticket, met, self._load(table, met.house))
            except (OtherAway, Refuses) as failed:
                arrival = self._barred(other, table, going)
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
            if (arrived := self._is_leaving(table, other.meet(), other)) is not None:
                raise arrived.refusal(table.id)

    def _is_leaving(self, table: Table, met: HouseMet, other: Other) -> Departure | None:
        """Find out what became of a table that was sent there before: it is there, or here again.

        :raises Elsewhere: where it was sent to yet another, or is known to be there.
        """
        going = table.going
        if going is None:
            return None
        if going.house != met.house or going.there:
            raise going.refusal(table.id)
        going = replace(going, address=other.address)
        arrival = other.bar(going.ticket, table.id, met)
        if arrival.table is not None:
            return self._arrived(table, going, arrival)
        self._keep(table, None)
        return None

    def _barred(self, other: Other, table: Table, going: Departure) -> ArrivalTold:
        """What has become of a ticket that was not answered as it should be; nothing comes by it any more.

        As long as that is not known for certain, the table stays closed here.
        """
        try:
            return other.bar(going.ticket, table.id, other.meet())
        except Refuses as unsure:
            reason = unsure.facts["reason"]
            raise OtherAway("web.move_unsure", address=AsTyped(other.address), reason=reason) from unsure
        except OtherAway as unsure:
            raise OtherAway("web.move_interrupted", address=AsTyped(other.address)) from unsure

    def _arrived(self, table: Table, going: Departure, arrival: ArrivalTold) -> Departure:
        """Both agree, and it is kept here, too."""
        if arrival != ArrivalTold(table.id, table.seq, _head(table)):
            raise Illegal("core.arrives_otherwise")
        there = replace(going, there=True)
        self._keep(table, there)
        return there

    def _load(self, table: Table, house: str) -> Load:
        with table.lock:
            whole = (table.laid, table.dealer.secret, table.keys, tuple(table.written))
            return Load(self.house, house, _head(table), *whole)

    def _keep(self, table: Table, going: Departure | None) -> None:
        self._hall.send(table, going)
        self._told(table)


def _head(table: Table) -> str | None:
    """The link of the newest entry, where it has one."""
    link = table.written[-1].link if table.written else None
    return link.hex() if link else None


class TableMigrated(msgspec.Struct, frozen=True):
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
        moved = _here_or_by_service(data, MigrationRequest(table, address, shown, back), language)
    except Refuses as said:
        print(said.facts["reason"], file=sys.stderr)
        return 1
    facts = {"table": AsTyped(table), "address": AsTyped(moved.address or "")}
    print(say(language, "cli.moved" if moved.address else "cli.moved_back", facts))
    return 0


class MigrationRequest(NamedTuple):
    """What is asked for by hand."""

    table: str
    address: str | None
    key: str
    back: bool


def _here_or_by_service(data: Path, wanted: MigrationRequest, language: str) -> TableMigrated:
    try:
        hall = Hall(data)
    except Storage as held:
        if held.key != "core.folder_in_use":
            raise
        owner = Owner(data)
        return Other(owner.house.address or "", owner.key, language).own_service(TableMigrated, wanted._asdict())
    try:
        if wanted.back:
            Mover(hall).back(wanted.table, wanted.address, wanted.key, language)
            return TableMigrated(wanted.table, None)
        return TableMigrated(
            wanted.table, Mover(hall).move(wanted.table, wanted.address or "", wanted.key, language).address
        )
    finally:
        hall.close()


def _in_file(file: Path) -> str:
    try:
        return file.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        raise Malformed("web.bad_token", file=AsTyped(file)) from None
