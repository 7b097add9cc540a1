"""Which draws are arranged at a table to learn at: somebody's first dig shows an artifact, and then rubble."""

from __future__ import annotations

from collections.abc import Collection

from companion.game import Chance, Outcome
from companion.games.tomb_raiders.state import RUBBLE, TombTable


def to_show(table: TombTable, chance: Chance) -> Collection[Outcome]:
    """The first card that a seat digs up is an artifact, the next of that dig is rubble, as far as the pile has any
    [TTR-43]."""
    task = table.task
    if chance.randomizer != "piles" or task.does != "dig":
        return ()
    found = sum(not card.startswith(RUBBLE) for card in task.drawn)
    if len(table.state.seats[task.seat].finds) > found or len(task.drawn) > 1:
        return ()
    rubble = len(task.drawn) == 1
    return [outcome for outcome, _ in chance.odds if str(outcome).startswith(RUBBLE) is rubble]
