"""What one viewer sees of a table: the pieces, what is asked, the log, the seal. Every field is put in by name."""

from __future__ import annotations

from bisect import bisect

from companion.game import Chance, Finished, Json, Turn
from companion.play.entries import (
    Closed,
    Committed,
    Fell,
    JournalLine,
    Mended,
    Moved,
    Opened,
    Sealed,
    Settled,
    Stirred,
    TookBack,
)
from companion.play.history import Hinge, Position, Trail
from companion.play.table import SPECTATOR, Actor, LogLine, Table

LOG_LINES = 60
LOG_STIRS = 3  # lines at most that say who stirred: they push nothing else out of the log

REMEMBERED = 1000  # lines of a log that a table keeps ready

View = dict[str, Json]


def view(table: Table, actor: Actor = SPECTATOR, *, seq: int | None = None, seat: int | None = None) -> View:
    """The table as `actor` sees it, now or after an earlier entry.

    :param seat: with the host's key, the seat whose eyes are looking (the tablet is handed over).
    """
    with table.lock:
        at = table.seq if seq is None else seq
        eyes = actor.seat if actor.role == "seat" else seat if actor.role == "host" else None
        position, ask = table.position(at), table.ask(at)
        over, hinge = isinstance(ask, Finished), table.hinge(at)
        settled = over and hinge is None
        seen = table.game.sees(position.state, eyes, settled=settled or not over)
        offer, going = table.offer(actor, at), table.going
        left: View = {"elsewhere": {"address": going.address, "there": going.there}} if going else {}
        return left | {
            "table": table.id,
            "box": table.setup.box,
            "mode": table.setup.mode,
            "seq": at,
            "over": over,
            "settled": settled,
            "closed": table.closed_at is not None and at >= table.closed_at,
            "hinge": _hinge(table, hinge, actor, eyes) if hinge else None,
            "ask": _ask(table, position, table.game.aids(position.state, eyes) if isinstance(ask, Turn) else {}),
            "otherwise": list(table.game.differences(position.state, eyes, settled=settled or not over)),
            "board": seen.board,
            "you": seen.you,
            "me": {"role": actor.role, "seat": eyes},
            "seats": [{"name": s.name, "colour": s.colour, "shape": s.shape} for s in table.setup.seats],
            "log": log(table, eyes, at),
            "seal": table.seals[-1],
            "head": head.hex() if (head := table.head(at)) else None,
            "secret": table.dealer.secret.hex() if settled else None,
            "luck": {
                "draws": position.draws,
                "stirs": len(table.stirs),
                "round": [{"who": share.who, "told": share.pinch is not None} for share in table.round.shares],
            },
            "undo": {"open": offer.open, "to": offer.to, "why": offer.why, "redo": offer.redo},
            "pace": table.setup.pace,
            "sources": dict(table.setup.sources),
            "options": dict(table.setup.options),
            "rules": table.laid.rules,
            "next": table.next,
        }


def _hinge(table: Table, hinge: Hinge, actor: Actor, eyes: int | None) -> Json:
    """What an end hangs on, and whether this actor may confirm it."""
    reports = [_report(table, report, eyes) for report in hinge.reports]
    return {"seat": hinge.seat, "reports": reports, "confirm": hinge.may_be_confirmed_by(actor)}


def _report(table: Table, report: Trail, eyes: int | None) -> Json:
    """A report with what had been asked. What is told to one seat alone is no other's to see."""
    entry, before, ask = report.entry, report.before.state, report.before.ask
    if not isinstance(entry, Fell) or not isinstance(ask, Chance):
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


def log(table: Table, eyes: int | None, seq: int, lines: int = LOG_LINES) -> list[Json]:
    """The newest entries up to `seq`, oldest first, as these eyes may read them; what was taken back says so."""
    shown: list[JournalLine] = []
    for n in range(bisect(table.told, seq) - 1, -1, -1):
        written = table.written[table.told[n] - 1]
        if shown and isinstance(written.entry, Fell) and _says_no_more(table, written, shown[-1], eyes):
            continue
        shown.append(written)
        if len(shown) == lines:
            break
    first = shown[-1].seq if len(shown) == lines else 0
    stirs = [each for each in table.stirred[: bisect(table.stirred, seq)][-LOG_STIRS:] if each > first]
    if stirs:
        shown = sorted([*shown, *(table.written[each - 1] for each in stirs)], key=lambda line: -line.seq)
    alive = table.survivors(seq, shown[-1].seq - 1 if shown else 0)
    return [_line(table, written, eyes, written.seq in alive) for written in reversed(shown)]


def _says_no_more(table: Table, written: JournalLine, next_told: JournalLine, eyes: int | None) -> bool:
    """Whether an entry is a draw that nobody sees, and the one that is told next says the same: a run is told once."""
    hidden = all(
        isinstance(each.entry, Fell) and isinstance(ask := table.ask(each.seq - 1), Chance) and ask.hidden
        for each in (written, next_told)
    )
    return hidden and _said(table, written, eyes).counting["what"] == _said(table, next_told, eyes).counting["what"]


def _ask(table: Table, position: Position, aids: dict[str, Json]) -> Json:
    match ask := position.ask:
        case Turn(seats=seats):
            return {"kind": "move", "seat": seats[0], "seats": list(seats), "options": aids}
        case Chance():
            return {
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
    return [outcome for outcome in table.game.besides(position.state) if outcome not in likely]


def _line(table: Table, written: JournalLine, eyes: int | None, alive: bool) -> Json:
    """A line of the log."""
    said = _said(table, written, eyes)
    return said.counting if alive else said.undone


def _said(table: Table, written: JournalLine, eyes: int | None) -> LogLine:
    """What is said of an entry. Said once, it is kept: an entry never changes, only whether it still counts."""
    said = table.log_lines.get((written.seq, eyes))
    if said is None:
        if len(table.log_lines) >= REMEMBERED:
            table.log_lines.clear()
        said = table.log_lines[written.seq, eyes] = _log_line(table, written, eyes)
    return said


def _log_line(table: Table, written: JournalLine, eyes: int | None) -> LogLine:
    counts = False
    match written.entry:
        case Moved() | Fell() | Mended() as entry:
            before = table.before(written.seq).state
            what = table.game.tells(before, table.step_of(entry), eyes)
            by = "host" if isinstance(entry, Mended) else entry.by
            seat = None if isinstance(entry, Mended) else entry.seat
            kind, counts = {Moved: "move", Fell: "outcome", Mended: "correct"}[type(entry)], True
        case TookBack(by=by, seat=seat, to=to, again=again):
            kind, what = "redo" if again else "undo", {"to": to}
        case Stirred(by=by, seat=seat) | Committed(by=by, seat=seat) | Opened(by=by, seat=seat):
            kind, what = "stir", {}
        case Sealed(seal=seal):
            by, seat, kind, what = "companion", None, "seal", {"seal": seal}
        case Closed():
            by, seat, kind, what = "host", None, "close", {}
        case Settled(by=by, seat=seat):
            kind, what = "settle", {}
    line: dict[str, Json] = {
        "seq": written.seq,
        "at": written.at,
        "by": by,
        "seat": seat,
        "kind": kind,
        "undone": False,
        "what": what,
    }
    return LogLine(line, {**line, "undone": True} if counts else line)
