"""What the story of a table is told by: the points and weeks on the board, the worth of a token, weeks given up."""

from __future__ import annotations

from companion.account import Account, Board, PossibleFind, SeatScore
from companion.game import Chance, Move, Outcome
from companion.games.jenseits.moves import Retire
from companion.games.jenseits.rules import Jenseits
from companion.games.jenseits.state import JenseitsState


def standings(game: Jenseits, board: Board) -> tuple[SeatScore, ...]:
    """The points as they stand, and the weeks since the expedition began."""
    begin = game.terms.begin
    weeks = [marker["at"] - begin for marker in board["track"]["markers"]]
    return tuple(SeatScore(score["total"], week) for score, week in zip(board["scores"], weeks, strict=True))


def may_be_found(game: Jenseits, before: JenseitsState, chance: Chance) -> tuple[PossibleFind, ...]:
    """The tokens of a bag. What counts is what is printed on objects; a book is knowledge, and no points."""
    if chance.randomizer != "tokens":
        return ()
    return tuple(PossibleFind(token, points_on(token), weight) for token, weight in chance.odds)


def points_on(token: Outcome) -> int:
    """The points of a token: its number, if it is an object.

    >>> points_on("object:4"), points_on("book:egypt"), points_on("blank")
    (4, 0, 0)
    """
    kind, _, points = str(token).partition(":")
    return int(points) if kind == "object" else 0


def idle(game: Jenseits, before: JenseitsState, seat: int, move: Move) -> int:
    """The weeks that are given up when somebody retires."""
    return game.at(before, seat).left if isinstance(move, Retire) else 0


ACCOUNT = Account(standings, may_be_found, idle)
