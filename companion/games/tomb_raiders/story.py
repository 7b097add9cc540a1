"""What the story of a table is told by: the points and weeks on the board, the worth of a card from a pile."""

from __future__ import annotations

from companion.account import Account, Board, PossibleFind, SeatScore
from companion.game import Chance
from companion.games.tomb_raiders.draws import NOTHING
from companion.games.tomb_raiders.rules import TombRaiders
from companion.games.tomb_raiders.state import TombState


def standings(game: TombRaiders, board: Board) -> tuple[SeatScore, ...]:
    """The points as they stand, and the weeks gone by."""
    weeks = [marker["week"] for marker in board["track"]["markers"]]
    return tuple(SeatScore(score["total"], week) for score, week in zip(board["scores"], weeks, strict=True))


def may_be_found(game: TombRaiders, before: TombState, chance: Chance) -> tuple[PossibleFind, ...]:
    """The cards of a pile, unless it is empty; of a real one, all that nobody has had from it."""
    lies_there = any(weight for card, weight in chance.odds if card != NOTHING)
    if chance.randomizer != "piles" or not chance.question.startswith("find ") or not lies_there:
        return ()
    worth = {card: value for card, (_, value) in game.terms.artifacts.items()}
    return tuple(PossibleFind(card, worth.get(str(card), 0), weight) for card, weight in chance.odds)


ACCOUNT = Account(standings, may_be_found)
