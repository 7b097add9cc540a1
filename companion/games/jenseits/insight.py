"""What the search knows of Jenseits von Theben, where everything lies open: what is worth trying, what it promises."""

from __future__ import annotations

import random
from collections.abc import Sequence

from companion.game import Move
from companion.games.jenseits.bots import promise as promised
from companion.games.jenseits.bots import worth_weighing
from companion.games.jenseits.moves import Dig, Exhibit, Refresh, Retire, Take
from companion.games.jenseits.plans import PRICE, prospects, scored, token_worth
from companion.games.jenseits.rules import Jenseits
from companion.games.jenseits.state import JenseitsState, JenseitsTable
from companion.search.insight import Idea, Insight, Reason

TRIED = 8
MOST_DIGS = 4  # of one site
TURNS = 10
LEAD = 11.0


def promise(game: Jenseits, state: JenseitsState) -> Sequence[float]:
    """For each seat the points it has and may hope for."""
    times = state.track.times
    return [
        scored(game.terms, state, seat, figure, game.terms.end - times[seat])
        + prospects(game.terms, state, figure, times[seat])
        for seat, figure in enumerate(state.seats)
    ]


def policy(game: Jenseits, state: JenseitsState, seat: int, luck: random.Random) -> Move:
    """The move that promises most, of the digs at each site only the one that is best for its time."""
    table = game.at(state, seat)
    return max(_worth_a_look(table, game.moves(state, seat).moves), key=lambda move: promised(table, move))


def _worth_a_look(table: JenseitsTable, moves: Sequence[Move]) -> list[Move]:
    kept: list[Move] = []
    best: dict[tuple[str, tuple[str, ...], bool], tuple[float, Move]] = {}
    before: tuple[object, ...] = ()
    more = each = 0.0
    row: tuple[int, ...] = ()
    for move in moves:
        if not isinstance(move, Dig):
            kept.append(move)
            continue
        kind = (move.site, move.use, move.zeppelin)
        if kind != before:
            before, each = kind, token_worth(table.state.bags[move.site])
            row, more = table.terms.dial.row(move.known(table).total), move.shovels(table)
        worth = (row[move.weeks - 1] + more) * each - PRICE * move.weeks
        if kind not in best or worth > best[kind][0]:
            best[kind] = (worth, move)
    return [*kept, *(move for _, move in best.values())]


def ideas(game: Jenseits, worlds: Sequence[JenseitsState], seat: int, moves: Sequence[Move]) -> Sequence[Idea]:
    """The moves that promise most, few digs of one site among them."""
    table = game.at(worlds[0], seat)
    weighed = sorted(worth_weighing(table, moves), key=lambda move: -promised(table, move))
    tried: list[Move] = []
    digs: dict[str, int] = {}
    for move in weighed:
        site = getattr(move, "site", "")
        digs[site] = digs.get(site, 0) + 1
        if not (site and digs[site] > MOST_DIGS) and not isinstance(move, Retire):
            tried.append(move)
    own = policy(game, worlds[0], seat, random.Random(0))  # noqa: S311 -- it draws nothing
    tried = [own, *(move for move in tried if move != own)][:TRIED]
    if not any(isinstance(move, Refresh) for move in tried):
        tried += [move for move in weighed if isinstance(move, Refresh)][:1]
    return [Idea(move) for move in tried]


def why(game: Jenseits, state: JenseitsState, seat: int, move: Move) -> Reason | None:
    """What can be said for a move: what the bag promises, what a card brings, what it costs."""
    table = game.at(state, seat)
    match move:
        case Dig():
            bag = state.bags[move.site]
            points = round(move.tokens(table) * token_worth(bag))
            return Reason("dig", {"n": points, "finds": bag.total - bag["blank"], "of": bag.total, "site": move.site})
        case Take():
            weeks = move.cost(table)
            again = state.track.advance(seat, weeks).furthest_back == seat
            return Reason("take_again" if again else "take", {"n": weeks})
        case Exhibit():
            return Reason("exhibit", {"n": table.terms.exhibitions[move.card].points})
        case Refresh():
            return Reason("refresh")
    return None


INSIGHT = Insight(policy=policy, ideas=ideas, promise=promise, turns=TURNS, lead=LEAD, why=why)
