"""Arranged draws at a table to learn at: a seat's first dig finds an object, and then rubble."""

from __future__ import annotations

from collections.abc import Collection

from companion.game import Chance, Outcome
from companion.games.jenseits.state import BLANK, JenseitsTable


def to_show(table: JenseitsTable, chance: Chance) -> Collection[Outcome]:
    """The first token of a seat's first dig in its first year is an object, the second is rubble [JVT-44]."""
    digging, begin = table.digging, table.terms.begin
    if chance.randomizer != "tokens" or table.state.seats[digging.seat].turned:
        return ()
    if begin // table.terms.calendar.weeks != table.state.track.times[digging.seat] // table.terms.calendar.weeks:
        return ()
    match len(digging.drawn):
        case 0:
            return [outcome for outcome, _ in chance.odds if str(outcome).startswith("object:")]
        case 1:
            return (BLANK,)
    return ()
