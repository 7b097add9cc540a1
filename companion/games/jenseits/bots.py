"""Players for trials: one at random, one with sense. Both know only what anybody at the table can know."""

from __future__ import annotations

import random
from collections.abc import Sequence

from msgspec.structs import replace

from companion.game import Move
from companion.games.jenseits.moves import Dig, Exhibit, Journey, Refresh, Retire, Take
from companion.games.jenseits.plans import prospects, scored, shown_off, token_worth
from companion.games.jenseits.rules import Jenseits
from companion.games.jenseits.state import Archaeologist, JenseitsState, Table, counted
from companion.trials import Bot, at_random

FRESH_CARDS = 1.2  # points that four other cards promise


def sensible(game: Jenseits, state: JenseitsState, seat: int, luck: random.Random) -> Move:
    """The move after which points had and points hoped for are the most."""
    here = game.at(state, seat)
    return max(worth_weighing(here, game.moves(state, seat).moves), key=lambda move: promise(here, move))


def worth_weighing(here: Table, moves: Sequence[Move]) -> list[Move]:
    """All moves but digs that take a week longer and yield no token more."""
    kept: list[Move] = []
    before: tuple[str, tuple[str, ...], bool, int] | None = None
    for move in moves:
        if isinstance(move, Dig):
            yields = (move.site, move.use, move.zeppelin, move.tokens(here))
            if yields == before:
                continue
            before = yields
        kept.append(move)
    return kept


def promise(here: Table, move: Move) -> float:
    """The points a seat has and may hope for, once a move is made."""
    if not isinstance(move, Journey):
        return scored(here.terms, here.state, here.seat, here.mine, 0)
    weeks = move.cost(here)
    after, at = _after(here, move), here.at + weeks
    promised = scored(here.terms, here.state, here.seat, after, here.left - weeks)
    promised += prospects(here.terms, here.state, after, at)
    if isinstance(move, Dig):
        bonus = 1 if move.site in here.state.first_finds else 0
        tokens = move.tokens(here)
        promised += tokens * token_worth(here.state.bags[move.site]) + bonus
        promised += shown_off(here.terms, here.state, here.mine, move.site, tokens, here.left - weeks)
    return promised + (FRESH_CARDS if isinstance(move, Refresh) else 0.0)


def _after(here: Table, move: Journey) -> Archaeologist:
    """The seat as it will be after its move, before anything is drawn."""
    mine, counting = here.mine, here.terms.counting
    cards = list(mine.cards)
    for kind in move.used():
        about = move.goal(here) if kind == "ethnology" else None
        cards.remove(next(card for card in cards if counting[card][:2] == (kind, about)))
    if isinstance(move, Take | Exhibit):
        cards.append(move.card)
    turned = move.turned_after(here)
    if tuple(cards) == mine.cards:
        return replace(mine, turned=turned)
    return replace(mine, turned=turned, cards=tuple(cards), counts=counted(here.terms, tuple(cards), mine.finds))


BOTS: dict[str, Bot] = {"random": at_random, "sensible": sensible}


def ending(state: JenseitsState, moves: Sequence[Move]) -> str:
    """Whether the seats reached the end by acting, or retired."""
    retired = sum(isinstance(move, Retire) for move in moves)
    return "last_week" if not retired else "all_retired" if retired == len(state.seats) else "some_retired"
