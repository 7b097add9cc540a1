"""Players for trials: one at random, one with sense. Both know only what anybody at the table can know."""

from __future__ import annotations

import random
from collections.abc import Sequence

from msgspec.structs import replace

from companion.game import Move
from companion.games.jenseits.moves import Dig, Exhibit, Journey, Refresh, Retire, Take
from companion.games.jenseits.plans import prospects, scored, shown_off, token_worth
from companion.games.jenseits.rules import Jenseits
from companion.games.jenseits.state import Archaeologist, JenseitsState, JenseitsTable, counts_of
from companion.trials import Bot, at_random

FRESH_CARDS = 1.2  # points that four other cards promise


def sensible(game: Jenseits, state: JenseitsState, seat: int, luck: random.Random) -> Move:
    """The move after which points had and points hoped for are the most."""
    table = game.at(state, seat)
    return max(worth_weighing(table, game.moves(state, seat).moves), key=lambda move: promise(table, move))


def worth_weighing(table: JenseitsTable, moves: Sequence[Move]) -> list[Move]:
    """All moves but digs that take a week longer and yield no token more."""
    kept: list[Move] = []
    before: tuple[str, tuple[str, ...], bool, int] | None = None
    for move in moves:
        if isinstance(move, Dig):
            yields = (move.site, move.use, move.zeppelin, move.tokens(table))
            if yields == before:
                continue
            before = yields
        kept.append(move)
    return kept


def promise(table: JenseitsTable, move: Move) -> float:
    """The points a seat has and may hope for, once a move is made."""
    if not isinstance(move, Journey):
        return scored(table.terms, table.state, table.seat, table.mine, 0)
    weeks = move.cost(table)
    after, at = _after(table, move), table.at + weeks
    promised = scored(table.terms, table.state, table.seat, after, table.left - weeks)
    promised += prospects(table.terms, table.state, after, at)
    if isinstance(move, Dig):
        bonus = 1 if move.site in table.state.first_finds else 0
        tokens = move.tokens(table)
        promised += tokens * token_worth(table.state.bags[move.site]) + bonus
        promised += shown_off(table.terms, table.state, table.mine, move.site, tokens, table.left - weeks)
    return promised + (FRESH_CARDS if isinstance(move, Refresh) else 0.0)


def _after(table: JenseitsTable, move: Journey) -> Archaeologist:
    """The seat as it will be after its move, before anything is drawn."""
    mine, counting = table.mine, table.terms.counting
    cards = list(mine.cards)
    for kind in move.used():
        about = move.goal(table) if kind == "ethnology" else None
        cards.remove(next(card for card in cards if counting[card][:2] == (kind, about)))
    if isinstance(move, Take | Exhibit):
        cards.append(move.card)
    turned = move.turned_after(table)
    if tuple(cards) == mine.cards:
        return replace(mine, turned=turned)
    return replace(mine, turned=turned, cards=tuple(cards), counts=counts_of(table.terms, tuple(cards), mine.finds))


BOTS: dict[str, Bot] = {"random": at_random, "sensible": sensible}


def ending(state: JenseitsState, moves: Sequence[Move]) -> str:
    """Whether the seats reached the end by acting, or retired."""
    retired = sum(isinstance(move, Retire) for move in moves)
    return "last_week" if not retired else "all_retired" if retired == len(state.seats) else "some_retired"
