"""What the game adds to the story of a table: points and weeks, the worth of each token, weeks given up."""

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
    """The tokens of a bag, with the points of the objects; a book brings knowledge, but no points."""
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
    """The weeks that a seat gives up by retiring."""
    return game.at(before, seat).left if isinstance(move, Retire) else 0


ACCOUNT = Account(standings, may_be_found, idle)
