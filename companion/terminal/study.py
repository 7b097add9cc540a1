"""A finished game gone through, as text: chances, luck, decisions, and where it turned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from companion import games
from companion.game import Mode, Move, Seat, Step
from companion.play.entries import JournalLine, MaskedEntry, MovePlayed, OutcomeRecorded, TableCorrected
from companion.play.history import History
from companion.play.opening import history_of
from companion.play.record import Record
from companion.refusals import AsTyped, Fact, Illegal, Malformed
from companion.search.players import insight_of
from companion.search.study import Study, study
from companion.terminal.session import spelt
from companion.words import person, say

WIDE = (16, 8, 8, 10, 8, 18)
HEADS = ("who", "start", "luck", "decisions", "end", "corrected")


def followed(record: Record) -> History:
    """A finished game, gone over to its end.

    :raises Illegal: before the end is final, for then something may be masked.
    """
    if not record.over:
        raise Illegal("core.before_the_end")
    history = history_of(record.laid)
    for line in record.entries:
        if isinstance(line.entry, MaskedEntry):
            raise Illegal("core.before_the_end")
        history.follow(JournalLine(line.seq, line.at, line.entry))
    return history


def steps_of(record: Record, history: History) -> dict[int, Step]:
    """The steps of a finished game that still count, by the numbers of their entries."""
    alive = history.survivors()
    made = ((line.seq, line.entry) for line in record.entries if line.seq in alive)
    return {
        seq: history.step_of(entry)
        for seq, entry in made
        if isinstance(entry, MovePlayed | OutcomeRecorded | TableCorrected)
    }


def studied(record: Record, *, courses: int, progress: object = None) -> Study:
    """The study of a record.

    :raises Malformed: where nobody referees the game.
    """
    setup = record.laid.setup
    refereed = games.bundle(setup.box).refereed
    mode: Mode = setup.mode
    if refereed is None or mode != "referee":
        raise Malformed("cli.no_bots", box=AsTyped(setup.box))
    told = progress if callable(progress) else (lambda done: None)
    history = followed(record)
    steps = [*steps_of(record, history).values()]
    return study(history.game, insight_of(refereed()), steps, courses=courses, progress=told)


def _seat_lines(language: str, seats: Sequence[Seat], found: Study) -> Iterator[str]:
    """A row for each seat."""

    def said(key: str) -> str:
        return say(language, f"study.{key}", {})

    yield said("title")
    yield ""
    yield _row([said(head) for head in HEADS])
    for at, seat in enumerate(seats):
        start, luck, decisions, end, corrected, error = (
            100 * each[at]
            for each in (found.start, found.luck, found.decisions, found.end, found.corrected, found.error)
        )
        shares = (f"{start:.0f}", f"{luck:+.0f}", f"{decisions:+.0f}", f"{end:.0f}")
        yield _row([person(language, seat.name), *shares, f"{corrected:.0f} ± {2 * error:.0f}"])
    yield ""
    yield said("unsure")


def study_lines(language: str, seats: Sequence[Seat], found: Study) -> Iterator[str]:
    """A row for each seat, and the moments at which it turned."""

    def said(key: str, **facts: Fact) -> str:
        return say(language, f"study.{key}", facts)

    def percent(share: float) -> str:
        return f"{100 * share:.0f}"

    yield from _seat_lines(language, seats, found)
    yield ""
    yield said("turned")
    for each in found.turns:
        name = seats[each.seat].name
        before, after = each.chances[each.seat], each.chances[each.seat] + each.decision[each.seat]
        facts: dict[str, Fact] = {"n": each.step + 1, "who": AsTyped(name), "move": AsTyped(spelt(each.move))}
        chances = {"before": percent(before), "after": percent(after), "then": percent(after + each.luck[each.seat])}
        yield "  " + said("moment", **facts, **chances)
        if each.best != each.move:
            yield "    " + said("better", move=AsTyped(spelt(each.best)), cost=percent(each.cost))


def as_json(found: Study) -> bytes:
    """All of it, as other programs read it."""

    def plain(move: Move) -> object:
        return msgspec.to_builtins(move)

    judged = [
        {**msgspec.structs.asdict(each), "move": plain(each.move), "best": plain(each.best)} for each in found.judged
    ]
    whole = {**msgspec.structs.asdict(found), "judged": judged, "corrected": found.corrected, "costs": found.costs}
    return msgspec.json.encode(whole) + b"\n"


def _row(cells: Sequence[str]) -> str:
    first, *others = cells
    return " ".join((first[: WIDE[0]].ljust(WIDE[0]), *(c.rjust(w) for c, w in zip(others, WIDE[1:], strict=True))))
