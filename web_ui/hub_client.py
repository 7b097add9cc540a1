"""A hub as its Pis see it: what it answers, and how its copies stand against what is kept here."""

from __future__ import annotations

import hashlib
import urllib.request
from collections.abc import Callable, Mapping
from contextlib import closing, nullcontext
from pathlib import Path
from typing import NamedTuple, TypeVar

from companion.play.codes import LETTERS
from companion.play.hall import Hall
from companion.play.journal import Journal
from companion.refusals import AsTyped, Malformed, Missing, Refusal
from companion.terminal.doctor import HouseFile, HubLook, HubState, house_of
from web_ui.between import Exchange
from web_ui.copies import TOKEN, CopiesTold, CopyTold, TablePiece, read_token
from web_ui.http_errors import NoKey
from web_ui.others import SaysNo, asked, why

ANSWERED_WITHIN = 5.0
LONGEST = 64 * 1024 * 1024  # bytes of an answer: some two hundred for each table of all Pis
HINDERED: Mapping[int, HubState] = {
    401: "refused",
    403: "refused",
    404: "refused",
    429: "busy",
    503: "busy",
    507: "full",
}

T = TypeVar("T")


class CopyMismatch(Exception):
    """A hub's copy is not what was sent."""


class CopyRejected(Exception):
    """A hub does not take what is sent of one table; that says nothing of others."""


class HubUnavailable(Exception):
    """Nothing goes on with a hub at the moment; `state` says how that is."""

    def __init__(self, state: HubState, reason: Refusal | str = "") -> None:
        super().__init__(reason)
        self.state = state
        self.reason = reason


class Copy(NamedTuple):
    """By which name a hub has the copy of a table, or would have it, and how far it has come there, if it is."""

    name: str
    told: CopyTold | None


class HubClient:
    """A hub, asked with its token. Whatever is asked is `HubUnavailable` where it does not answer, or turns us away."""

    def __init__(self, address: str, token: str) -> None:
        self.address = address
        self._token = token

    def all(self) -> CopiesTold:
        """How far every copy has come."""
        return self._ask("GET", "", CopiesTold)

    def find(self, table: str, seal: str) -> Copy:
        """The copy of a table.

        :raises CopyMismatch: where other tables have every name that it would have.
        """
        return find(table, seal, self._of)

    def send_piece(self, name: str, piece: TablePiece) -> CopyTold:
        """Have it take a piece.

        :raises Missing: where it has no copy.
        :raises CopyMismatch: where its copy says otherwise.
        :raises CopyRejected: where it takes nothing of that.
        """
        return self._ask("POST", f"/{name}", CopyTold, piece)

    def deleted(self, name: str, proof: bytes) -> CopyTold:
        """Tell it that a table was deleted.

        :param proof: that it was deleted where it was played.
        :raises Missing: where it has no copy.
        :raises CopyMismatch: where it does not believe that.
        """
        return self._ask("POST", f"/{name}/deleted", CopyTold, TablePiece(secret=proof))

    def _of(self, name: str) -> CopyTold | None:
        try:
            return self._ask("GET", f"/{name}", CopyTold)
        except Missing:
            return None

    def _ask(self, method: str, path: str, kind: type[T], piece: TablePiece | None = None) -> T:
        whole = f"/api/copies{path}"
        request = urllib.request.Request(f"{self.address}{whole}", method=method)  # noqa: S310 -- http or https
        exchange = Exchange(self._token, method, whole)
        try:
            return asked(exchange, request, kind, brings=piece, within=ANSWERED_WITHIN, longest=LONGEST)
        except SaysNo as no:
            raise _meant(no, path, posts=piece is not None) from None
        except OSError as away:
            raise HubUnavailable("away", why(away)) from None


def _meant(no: SaysNo, path: str, *, posts: bool) -> Exception:
    """What it means that a hub says no."""
    match no.status:
        case 404 if no.key == "core.no_table":
            return Missing("core.no_table", table=AsTyped(path))
        case 422 | 507 if no.status == 422 or no.key == "core.table_damaged":
            return CopyMismatch(str(no))
        case 400 | 409 | 413 | 415 | 500 if posts:
            return CopyRejected(str(no))
    state = HINDERED.get(no.status, "away")
    return HubUnavailable(state, NoKey("web.hub_only") if state == "refused" else str(no))


def find(table: str, seal: str, ask: Callable[[str], CopyTold | None]) -> Copy:
    """The copy of a table: under its own name, or under another where a table of another Pi has that.

    :param ask: tells how far the copy of a name has come, if there is one.
    :raises CopyMismatch: where other tables have both.
    """
    free = None
    for name in (table, other_name(table, seal)):
        told = ask(name)
        if told is None:
            free = free or name
        elif told.seal in {"", seal}:  # a hub of 0.3.0 tells none
            return Copy(name, told)
    if free is None:
        raise CopyMismatch(table)
    return Copy(free, None)


def other_name(table: str, seal: str) -> str:
    """The name of a copy where another table's copy has its own: always the same one.

    >>> other_name("tqv3p", "5e" * 32) == other_name("tqv3p", "5e" * 32) != other_name("tqv3p", "5f" * 32)
    True
    """
    digest = hashlib.sha256(f"{table} {seal}".encode()).digest()
    return "".join(LETTERS[byte % len(LETTERS)] for byte in digest[: len(table)])


class Compared(NamedTuple):
    """How the copies on a hub stand against what is kept here.

    :ivar copies: those that it has, by the names of the tables here.
    :ivar lacks: the tables of which it lacks something.
    :ivar otherwise: those whose copies are not what is kept here.
    :ivar unread: those that cannot be read here.
    """

    copies: dict[str, Copy]
    lacks: set[str]
    otherwise: set[str]
    unread: set[str]


def compared(hall: Hall, told: CopiesTold) -> Compared:
    """Every table that is kept here, held against what a hub told before that was read.

    :raises Storage: where what is kept here cannot be read at all.
    """
    found = Compared({}, set(), set(), set())
    for each in hall.tables():
        try:
            _compare(hall.journal, each.table, each.seq, told, found)
        except Missing:
            continue  # it was deleted meanwhile
        except CopyMismatch:
            found.otherwise.add(each.table)
        except Refusal:
            found.unread.add(each.table)
    found.unread.update(hall.journal.damaged)
    return found


def _compare(journal: Journal, table: str, seq: int, told: CopiesTold, found: Compared) -> None:
    if told.copies is None:  # a hub of 0.3.0 tells numbers alone
        if told.tables.get(table, -1) < seq or table in told.deleted:
            found.lacks.add(table)
        return
    copy = _copy_of(journal, table, told.copies)
    there = copy.told
    if there is None:
        found.lacks.add(table)
        return
    found.copies[table] = copy
    if goes_on_elsewhere(journal, table, seq, there):
        return
    if there.seq > seq or there.head != _link(journal, table, there.seq):
        raise CopyMismatch(table)
    if there.seq < seq or there.deleted:
        found.lacks.add(table)


def _copy_of(journal: Journal, table: str, copies: dict[str, CopyTold]) -> Copy:
    """The copy of a table; how it was laid is read only where the newest link does not tell that it is this one."""
    there = copies.get(table)
    if there is not None and there.head and there.head == _link(journal, table, there.seq):
        return Copy(table, there)
    return find(table, journal.laying_of(table)[0].seal, copies.get)


def goes_on_elsewhere(journal: Journal, table: str, seq: int, there: CopyTold) -> bool:
    """Whether the copy of a table is of what another Digside makes of it, to which it has moved."""
    return (there.seq > seq or there.deleted) and journal.going(table) is not None


def _link(journal: Journal, table: str, seq: int) -> str | None:
    """The link of an entry, if there is that one and it has any."""
    lines = journal.entries(table, seq - 1) if seq else []
    link = lines[0].link if lines else None
    return link.hex() if link else None


def look_at_hub(folder: Path, opens: Callable[[], Journal] | None = None) -> HubLook | None:
    """Ask the hub that the tables of a folder are copied to how it is, at this moment; None where there is none.

    :param opens: the database that the tables are in, where they are in one.
    """
    house = house_of(folder)
    if house is None or not house.hub:
        return None
    token_file = Path(house.hub_token) if house.hub_token else folder / TOKEN
    reason, lacks = "", 0
    try:
        told = HubClient(house.hub, read_token(token_file)).all()
        found = _looked_at(folder, opens, told)
        state, lacks = _state(found, house), len(found.lacks)
    except HubUnavailable as hindered:
        state, reason = hindered.state, str(hindered)
    except Malformed:
        state = "refused"
    except Refusal as unread:
        state, reason = "unread", str(unread)
    same = house.hub_since and house.hub_state == state
    return HubLook(house.hub, state, reason, lacks, house.hub_since if same else None, token_file)


def _looked_at(folder: Path, opens: Callable[[], Journal] | None, told: CopiesTold) -> Compared:
    try:
        hall = Hall(folder, reading=True, journal=opens() if opens else None)
    except Missing:  # no table was ever laid
        return Compared({}, set(), set(), set())
    with nullcontext() if opens else closing(hall):
        return compared(hall, told)


def _state(found: Compared, house: HouseFile) -> HubState:
    """How it is with a hub that answers; why it has not all is known to whoever sends."""
    if found.otherwise:
        return "otherwise"
    if found.unread:
        return "unread"
    if found.lacks and house.hub_hindered:
        return house.hub_hindered
    return "online"
