"""What one viewer sees of a table: the pieces, what is asked, the log, the seal. Every field is put in by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from functools import lru_cache
from typing import NamedTuple
from weakref import ref

import msgspec

from companion.canonical import canonical, canonical_numbers
from companion.game import Chance, Finished, Json, Seat, Turn
from companion.play.dealer import stirred
from companion.play.entries import (
    DeviceJoined,
    EndConfirmed,
    Entry,
    GameEnded,
    HintAsked,
    HintsAllowed,
    HostAgreed,
    HostStayed,
    HostWanted,
    JournalLine,
    LuckStirred,
    MovePlayed,
    OutcomeRecorded,
    PinchCommitted,
    PinchOpened,
    SealRenewed,
    SeatsChanged,
    SeatSwitched,
    StepsUndone,
    TableArrived,
    TableClosed,
    TableCorrected,
    TableLeft,
    TableRestored,
    TableStayed,
    ValueTold,
)
from companion.play.final_reports import PendingFinalReports
from companion.play.hosting import ALONE_MS
from companion.play.members import Members
from companion.play.position import Position, Trail
from companion.play.sitting import MOST_HINTS
from companion.play.table import SPECTATOR, Actor, CachedLogLine, LogCursor, Table

LOG_LINES = 60
LOG_STIRS = 3  # lines at most that say who stirred: they push nothing else out of the log

KINDS: dict[type, str] = {
    MovePlayed: "move",
    OutcomeRecorded: "outcome",
    TableCorrected: "correct",
    LuckStirred: "stir",
    PinchCommitted: "stir",
    PinchOpened: "stir",
    DeviceJoined: "stir",
    ValueTold: "stir",
    SealRenewed: "seal",
    TableClosed: "close",
    EndConfirmed: "settle",
    SeatsChanged: "seating",
    HostWanted: "want",
    HostAgreed: "agree",
    HostStayed: "keep",
    TableArrived: "arrive",
    TableRestored: "restore",
    SeatSwitched: "sit",
    HintsAllowed: "hints",
    HintAsked: "hint",
}

DIGITS = 32  # of a value or of what was stirred: enough to know it by
View = dict[str, Json]

BOARD = "board"
"""The field of a view that is compared key by key."""
HELP_APART = "referee"
"""The mode in which help takes long to make, and is longer than the rest of what changes: it is asked for apart."""
NO_HELP = b"{}"

Fields = Mapping[str, bytes]
"""Texts in JSON by their JSON pointers."""

_encode = msgspec.json.Encoder().encode
_sorted = msgspec.json.Encoder(order="sorted").encode


class SharedParts:
    """What everybody is told alike of a table at one entry, in canonical JSON, by JSON pointer.

    What is as it was before keeps its text, so that two of them are compared at a glance.

    :param before: the same of an earlier entry.
    """

    __slots__ = ("__weakref__", "_raw", "_since", "fields", "members", "seq")

    def __init__(self, seq: int, view: View, board: View, before: SharedParts | None = None) -> None:
        self.seq = seq
        self.fields: dict[str, bytes] = {}
        self._raw: dict[str, bytes] = {}  # of those that are spelt otherwise as canonical JSON
        self._since: tuple[ref[SharedParts], tuple[bytes, ...]] | None = None
        parts = [(key, self._spelt(_on_board(key), part, before)) for key, part in board.items()]
        self.members = {name: self._spelt("/" + name, value, before) for name, value in view.items()}
        self.members[BOARD] = _object(parts)

    def _spelt(self, path: str, value: Json, before: SharedParts | None) -> bytes:
        raw = _sorted(value)
        text = None
        if before is not None:
            known = before.fields.get(path)
            text = known if raw in (known, before._raw.get(path)) else None
        if text is None:
            text = canonical_numbers(raw)
        if text != raw:
            self._raw[path] = raw
        self.fields[path] = text
        return text

    def since(self, before: SharedParts, work: Callable[[Fields, Fields], Iterable[bytes]]) -> tuple[bytes, ...]:
        """What has changed since an earlier one; worked out once, whoever is told."""
        known = self._since
        if known is None or known[0]() is not before:
            known = self._since = (ref(before), tuple(work(before.fields, self.fields)))
        return known[1]


class ViewParts(NamedTuple):
    """A view in canonical JSON, part by part, without the help that is asked for apart.

    :ivar shared: what everybody is told.
    :ivar own: what is told to whoever looks through these eyes, by JSON pointer.
    :ivar log: its lines.
    """

    shared: SharedParts
    own: dict[str, bytes]
    log: tuple[bytes, ...]


def view(table: Table, actor: Actor = SPECTATOR, *, seq: int | None = None, seat: int | None = None) -> View:
    """The table as `actor` sees it, now or after an earlier entry.

    :param seat: with the host's key, the seat whose eyes are looking (the tablet is handed over).
    """
    seen: View = msgspec.json.decode(view_in_json(table, actor, seq=seq, seat=seat))
    return seen


def view_in_json(table: Table, actor: Actor = SPECTATOR, *, seq: int | None = None, seat: int | None = None) -> bytes:
    """The same in JSON. Nobody who presses waits for a look at how the table was: that never changes."""
    with table.lock if seq is None or seq == table.seq else nullcontext():
        return in_json(table, view_in_parts(table, actor, seq=seq, seat=seat), helped(table, actor, seat, seq))


def in_json(table: Table, parts: ViewParts, helped_seat: int | None) -> bytes:
    """The whole of a view whose parts are known, with the help that a seat gets."""
    if help_is_apart(table) and isinstance(table.ask(parts.shared.seq), Turn):
        aids = aids_in_json(table, helped_seat, parts.shared.seq)
        asked = b'%b,"options":%b}' % (parts.shared.members["ask"].removesuffix(b"}"), aids)
        parts = parts._replace(own=parts.own | {"/ask": asked})
    return assembled(parts)


def view_in_parts(
    table: Table, actor: Actor = SPECTATOR, *, seq: int | None = None, seat: int | None = None
) -> ViewParts:
    """The view in parts, as screens that ask for changes have it. To be called under the table's lock."""
    at, eyes = table.seq if seq is None else seq, eyes_of(actor, seat)
    shared = _shared(table, at)
    own = {"/" + name: canonical(value) for name, value in _own(table, actor, seat, at).items()}
    return ViewParts(shared, own, tuple(log(table, eyes, seq)))


def help_is_apart(table: Table) -> bool:
    """Whether the help of a table is no part of a view that is told as changes."""
    return table.setup.mode == HELP_APART


def aids_in_json(table: Table, eyes: int | None, seq: int | None = None) -> bytes:
    """The help for whoever is asked, as these eyes may read it; made once for each step."""
    at = table.seq if seq is None else seq
    position = table.position(at)
    if not isinstance(position.ask, Turn):
        return NO_HELP
    known = table.aids.get(eyes)
    if known is not None and known[0] == at:
        return known[1]
    made = _encode(table.game.aids(position.state, eyes))
    if at == table.seq:
        table.aids[eyes] = (at, made)
    return made


def pointer(*keys: str) -> str:
    """Where something stands in a view (RFC 6901).

    >>> pointer("board", "a/b")
    '/board/a~1b'
    """
    return "".join("/" + key.replace("~", "~0").replace("/", "~1") for key in keys)


def assembled(parts: ViewParts) -> bytes:
    """The whole view in canonical JSON.

    >>> shared = SharedParts(4, {"seq": 4}, {"track": [], "bags": {}})
    >>> assembled(ViewParts(shared, {"/me": b"null"}, (b'{"seq":4}',)))
    b'{"board":{"bags":{},"track":[]},"log":[{"seq":4}],"me":null,"seq":4}'
    """
    own = {path[1:]: text for path, text in parts.own.items()}
    return _object((parts.shared.members | own | {"log": b"[%b]" % b",".join(parts.log)}).items())


def _object(members: Iterable[tuple[str, bytes]]) -> bytes:
    return b"{%b}" % b",".join(_named(key) + text for key, text in sorted(members))


@lru_cache(maxsize=256)
def _on_board(key: str) -> str:
    return pointer(BOARD, key)


@lru_cache(maxsize=1024)
def _named(key: str) -> bytes:
    return canonical(key) + b":"


def eyes_of(actor: Actor, seat: int | None) -> int | None:
    """The seat through whose eyes somebody looks."""
    return actor.seat if actor.role == "seat" or seat is None else seat if actor.role == "host" else None


def helped(table: Table, actor: Actor, seat: int | None, seq: int | None = None) -> int | None:
    """The seat whose help somebody gets. A host with a seat of their own helps those who are asked beside it, too."""
    eyes, ask = eyes_of(actor, seat), table.ask(seq)
    others = actor.role == "host" and seat is None and isinstance(ask, Turn) and eyes not in ask.seats
    return None if others else eyes


def _shared(table: Table, at: int) -> SharedParts:
    """What everybody is told alike at an entry; of the newest it is made once."""
    newest = None if table.shown is None else table.shown()
    if newest is not None and newest.seq == at:
        return newest
    position, is_over = table.position(at), table.over(at)
    settled = is_over and table.hinge(at) is None
    told: View = {
        "table": table.id,
        "box": table.setup.box,
        "mode": table.setup.mode,
        "seq": at,
        "played": table.played(at),
        "over": is_over,
        "settled": settled,
        "closed": table.closed_at is not None and at >= table.closed_at,
        "seal": table.seals[-1],
        "head": head.hex() if (head := table.head(at)) else None,
        "secret": table.dealer.secret.hex() if settled else None,
        "luck": _luck(table, position),
        "pace": table.setup.pace,
        "sources": dict(table.setup.sources),
        "options": dict(table.setup.options),
        "rules": table.laid.rules,
    }
    if help_is_apart(table):
        told["ask"] = _ask(table, position)
    shared = SharedParts(at, told, table.game.public_board(position.state, settled=settled or not is_over), newest)
    if at == table.seq:
        table.shown = ref(shared)
    return shared


def _own(table: Table, actor: Actor, seat: int | None, at: int) -> View:
    """What is told to whoever looks through these eyes, and what may change without a step; not the log."""
    eyes = eyes_of(actor, seat)
    position, is_over, hinge, going = table.position(at), table.over(at), table.hinge(at), table.going
    state, is_open = position.state, not is_over or hinge is None
    offer = table.offer(actor, at)
    own: View = {
        "hinge": _hinge(table, hinge, actor, eyes) if hinge else None,
        "otherwise": list(table.game.differences(state, eyes, settled=is_open)),
        "you": None if eyes is None else table.game.private_hand(state, eyes, settled=is_open),
        "me": {"role": actor.role, "seat": eyes},
        "stirs_as": _stirs(actor),
        "seats": [_seat(table, each, there) for each, there in enumerate(table.seats_now())],
        "begun": table.begun,
        "host": _host(table),
        "undo": {"open": offer.open, "to": offer.to, "why": offer.why, "redo": offer.redo},
        "next": table.next,
    }
    if not help_is_apart(table):
        options = (
            {"options": table.game.aids(state, helped(table, actor, seat, at))}
            if isinstance(position.ask, Turn)
            else {}
        )
        own["ask"] = _ask(table, position) | options
    if going:
        own["elsewhere"] = {"address": going.address, "there": going.there}
    if (behind := table.behind_since) is not None:
        own["stale_since"] = behind
    return own


def _seat(table: Table, at: int, seat: Seat) -> Json:
    """A seat: its name and sign, who plays for it, whether a bot thinks there, and its hints."""
    most = MOST_HINTS[seat.hints]
    return {
        "name": seat.name,
        "colour": seat.colour,
        "shape": seat.shape,
        "kind": seat.kind,
        "bot": table.bot_news.get(at),
        "hints": seat.hints,
        "hints_left": None if most is None else max(0, most - table.hinted[at]),
        "taken": table.seating.seats[at].taken,
    }


def _stirs(actor: Actor) -> str | None:
    """By which name this viewer's device stirs the luck."""
    if actor.role == "spectator":
        return None
    return "host" if actor.stirs_as is None else str(actor.stirs_as)


def _host(table: Table) -> Json:
    """Who is the host, whether that was heard of late, and who asks to be it."""
    seating, bid = table.seating, table.bid
    asked: Json = None
    if bid is not None and (seat := seating.seat_of(bid.key)) is not None:
        agreed = [at for key in bid.agreed if (at := seating.seat_of(key)) is not None]
        asked = {"seat": seat, "at": bid.at, "agreed": agreed, "alone_ms": ALONE_MS}
    return {
        "seat": seating.hosts_seat,
        "owner": seating.host == "owner",
        "silent": table.host_silent,
        "asked": asked,
    }


def _luck(table: Table, position: Position) -> Json:
    """How far the luck is, who stirs it, and what the draws to come are stirred with."""
    stirring = table.stirring
    members = stirring.all if isinstance(stirring, Members) else ()
    return {
        "draws": position.draws,
        "stirs": len(table.stirs),
        "round": [{"who": name, "told": told} for name, told in stirring.participants],
        "version": table.laid.luck,
        "members": [{"who": member.name, "value": member.value[:DIGITS]} for member in members],
        "stirred": stirred(table.drawn, table.stirs)[:DIGITS].decode(),
    }


def _hinge(table: Table, hinge: PendingFinalReports, actor: Actor, eyes: int | None) -> Json:
    """What an end hangs on, and whether this actor may confirm it."""
    reports = [_report(table, report, eyes) for report in hinge.reports]
    return {"seat": hinge.seat, "reports": reports, "confirm": hinge.may_be_confirmed_by(actor)}


def _report(table: Table, report: Trail, eyes: int | None) -> Json:
    """A report with what had been asked. What is told to one seat alone is no other's to see."""
    entry, before, ask = report.entry, report.before.state, report.before.ask
    if not isinstance(entry, OutcomeRecorded) or not isinstance(ask, Chance):
        raise TypeError("only an outcome is reported")
    step = table.step_of(entry)
    own = table.game.tells(before, step, ask.seat) != table.game.tells(before, step, None)
    seen = not ask.hidden and (not own or eyes == ask.seat)
    return {
        "seq": report.seq,
        "outcome": entry.outcome if seen else None,
        "randomizer": ask.randomizer,
        "question": "hidden" if ask.hidden else ask.question,
        "of": ask.of,
        "facts": {} if ask.hidden else ask.facts,
    }


def log(table: Table, eyes: int | None, seq: int | None = None) -> list[bytes]:
    """The newest entries up to `seq`, oldest first, as these eyes may read them; what was taken back says so.

    Of the newest entry it goes on from what these eyes read last; a step back alone is read anew.
    """
    if seq is not None and seq != table.seq:
        return _with_stirs(table, seq, _told(table, eyes, seq))
    seq = table.seq
    read = table.read.get(eyes)
    if read is None or any(isinstance(each.entry, StepsUndone) for each in table.written[read.seq :]):
        lines = _told(table, eyes, seq)
    else:
        lines = [*read.lines]
        for number in table.logged[table.logged.up_to(read.seq) :]:
            _tell(table, eyes, number, lines)
    table.read[eyes] = LogCursor(seq, tuple(lines[-LOG_LINES:]))
    return _with_stirs(table, seq, lines[-LOG_LINES:])


def _tell(table: Table, eyes: int | None, number: int, lines: list[CachedLogLine]) -> None:
    """One more line; of a run of draws that nobody sees and that say the same, the newest alone is told."""
    written = table.written[number - 1]
    before = table.written[lines[-1].seq - 1] if lines else None
    if before is not None and _says_as_much(table, before, written, eyes):
        lines.pop()
    lines.append(_line(table, written, eyes, True))


def _told(table: Table, eyes: int | None, seq: int) -> list[CachedLogLine]:
    """The newest lines up to an entry, but for those of who stirred."""
    shown: list[JournalLine] = []
    for n in range(table.logged.up_to(seq) - 1, -1, -1):
        written = table.written[table.logged[n] - 1]
        if shown and _says_as_much(table, written, shown[-1], eyes):
            continue
        shown.append(written)
        if len(shown) == LOG_LINES:
            break
    alive = table.survivors(seq, shown[-1].seq - 1 if shown else 0)
    return [_line(table, written, eyes, written.seq in alive) for written in reversed(shown)]


def _with_stirs(table: Table, seq: int, lines: list[CachedLogLine]) -> list[bytes]:
    """All lines, with those of who stirred last."""
    first = lines[0].seq if len(lines) == LOG_LINES else 0
    newest = table.logged_stirs.up_to(seq)
    known = table.logged_stirs.base if first >= table.base else 0  # before that none is newer than `first`
    oldest = max(0, newest - LOG_STIRS, known)
    stirs = [each for each in table.logged_stirs[oldest:newest] if each > first]
    if stirs:
        lines = sorted([*lines, *(_line(table, table.written[each - 1], None, True) for each in stirs)])
    return [line.json for line in lines]


def _says_as_much(table: Table, written: JournalLine, next_told: JournalLine, eyes: int | None) -> bool:
    """Whether an entry is a draw that nobody sees, and so is the one that is told next, which says the same."""
    if not all(
        isinstance(each.entry, OutcomeRecorded) and not table.reveals(each.seq) for each in (written, next_told)
    ):
        return False
    return _what(table, written, eyes) == _what(table, next_told, eyes)


def _ask(table: Table, position: Position) -> View:
    match ask := position.ask:
        case Turn(seats=seats):
            return {"kind": "move", "seat": seats[0], "seats": list(seats)}
        case Chance():
            arranged: View = {"arranged": True} if ask.arranged else {}
            return arranged | {
                "kind": "chance",
                "question": "hidden" if ask.hidden else ask.question,
                "randomizer": ask.randomizer,
                "source": table.setup.source(ask.randomizer),
                "seat": ask.seat,
                "waits": True,
                "of": ask.of,
                "odds": _odds(ask),
                "besides": _besides(table, position, ask),
                "facts": {} if ask.hidden else ask.facts,
            }
        case Finished(scores=scores, winners=winners):
            totals: list[Json] = [{"seat": s.seat, "total": s.total, "parts": dict(s.parts)} for s in scores]
            return {"kind": "over", "scores": totals, "winners": list(winners)}


def _odds(ask: Chance) -> Json:
    """What may fall, and its weight; no weights where the odds are veiled, nothing where the question is hidden."""
    if ask.hidden:
        return []
    return [[outcome, None if ask.veiled else weight] for outcome, weight in ask.odds]


def _besides(table: Table, position: Position, ask: Chance) -> list[Json]:
    """What may be reported though the figures of the box rule it out, and is not among the odds."""
    if ask.hidden or table.setup.source(ask.randomizer) != "table":
        return []
    likely = [outcome for outcome, weight in ask.odds if weight or ask.veiled]
    return [outcome for outcome in table.game.off_list_outcomes(position.state) if outcome not in likely]


def _line(table: Table, written: JournalLine, eyes: int | None, alive: bool) -> CachedLogLine:
    """A line of the log; what may be taken back says whether it was."""
    by: str
    match written.entry:
        case MovePlayed(by=by, seat=seat) | OutcomeRecorded(by=by, seat=seat):
            pass
        case TableCorrected():
            by, seat = "host", None
        case HintsAllowed() | TableClosed():
            by, seat, alive = "host", None, True
        case SealRenewed() | GameEnded() | TableLeft() | TableArrived() | TableStayed() | TableRestored():
            by, seat, alive = "companion", None, True
        case entry:
            by, seat, alive = entry.by, entry.seat, True
    line: dict[str, Json] = {
        "seq": written.seq,
        "at": written.at,
        "by": by,
        "seat": seat,
        "kind": _kind(written.entry),
        "undone": not alive,
        "what": _what(table, written, eyes),
    }
    if also := _also(table, written):
        line["also"] = also
    return _as_known(table, CachedLogLine(written.seq, canonical(line)))


def _as_known(table: Table, line: CachedLogLine) -> CachedLogLine:
    """A line as other eyes have read it: where it says the same, it is kept once."""
    for cursor in table.read.values():
        for known in reversed(cursor.lines):
            if known.seq <= line.seq:
                if known == line:
                    return known
                break
    return line


def _kind(entry: Entry) -> str:
    if isinstance(entry, StepsUndone):
        return "redo" if entry.again else "undo"
    return KINDS[type(entry)]


def _seats_said(entry: SeatSwitched | HintsAllowed | SeatsChanged) -> dict[str, Json]:
    """What became of a seat, or of the host's role; the type is that by which the sentence is found."""
    match entry:
        case SeatSwitched(of=of, plays=plays):
            return {"type": f"sit_{plays}", "seat": of}
        case HintsAllowed(of=of, hints=hints):
            return {"type": f"hints_{hints}", "seat": of}
        case SeatsChanged(do="host", host=("key" | "owner") as host):
            return {"type": f"host_{host}"}
        case SeatsChanged(do=do, of=at, seats=seats, name=gone):
            name = gone or (seats[at].name if at is not None else "")
            return {"type": "host_seat" if do == "host" else f"seat_{do}", "name": name}


def _also(table: Table, written: JournalLine) -> list[dict[str, Json]]:
    """What a step has set off besides, for all to read."""
    match written.entry:
        case MovePlayed() | OutcomeRecorded() as entry:
            return table.game.follows(table.before(written.seq).state, table.step_of(entry))
    return []


def _what(table: Table, written: JournalLine, eyes: int | None) -> dict[str, Json]:
    """What an entry says to these eyes."""
    match written.entry:
        case MovePlayed() | OutcomeRecorded() | TableCorrected() as entry:
            return table.game.tells(table.before(written.seq).state, table.step_of(entry), eyes)
        case StepsUndone(to=to):
            return {"to": to}
        case SealRenewed(seal=seal):
            return {"seal": seal}
        case SeatSwitched() | HintsAllowed() | SeatsChanged() as entry:
            return _seats_said(entry)
        case DeviceJoined(part=None):  # one that is told: it had joined before
            return {"type": "taken"}
    return {}
