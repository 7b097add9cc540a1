"""Players for trials: one at random, one with sense. Both know only what anybody at the table can know."""

from __future__ import annotations

import random
from collections.abc import Sequence

from msgspec.structs import replace

from companion.game import Move
from companion.games.jenseits.checks import check_dig, weeks_of
from companion.games.jenseits.moves import Dig, Exhibit, Refresh, Retire, Take
from companion.games.jenseits.plans import prospects, scored, token_worth
from companion.games.jenseits.printed import Printed
from companion.games.jenseits.referee import Jenseits
from companion.games.jenseits.state import Archaeologist, JenseitsState, knowledge, with_holdings
from companion.trials import Bot, at_random

FRESH_CARDS = 1.2  # points that four other cards promise


def sensible(game: Jenseits, state: JenseitsState, seat: int, luck: random.Random) -> Move:
    """The move after which points had and points hoped for are the most."""
    moves = _worth_weighing(game.printed, state, seat, game.moves(state, seat).moves)
    return max(moves, key=lambda move: promise(game.printed, state, seat, move))


def _worth_weighing(printed: Printed, state: JenseitsState, seat: int, moves: Sequence[Move]) -> list[Move]:
    """All moves but digs that take a week longer and yield no token more."""
    kept: list[Move] = []
    before: tuple[str, tuple[str, ...], bool, int] | None = None
    for move in moves:
        if isinstance(move, Dig):
            tokens = printed.dial.tokens(knowledge(state.seats[seat].counts, move.site, move.use).total, move.weeks)
            yields = (move.site, move.use, move.zeppelin, tokens)
            if yields == before:
                continue
            before = yields
        kept.append(move)
    return kept


def promise(printed: Printed, state: JenseitsState, seat: int, move: Move) -> float:
    """The points a seat has and may hope for, once a move is made."""
    if isinstance(move, Retire):
        return scored(printed, state, seat, state.seats[seat], 0)
    at = state.track.at(seat) + weeks_of(printed, state, seat, move)
    after = _after(printed, state, seat, move, at)
    promised = scored(printed, state, seat, after, printed.end - at) + prospects(printed, state, after, at)
    if isinstance(move, Dig):
        bonus = 1 if move.site in state.first_finds else 0
        promised += check_dig(printed, state, seat, move).tokens * token_worth(state.bags[move.site]) + bonus
    return promised + (FRESH_CARDS if isinstance(move, Refresh) else 0.0)


def _after(printed: Printed, state: JenseitsState, seat: int, move: Move, at: int) -> Archaeologist:
    """The seat as it will be after its move, before anything is drawn."""
    mine = state.seats[seat]
    cards = list(mine.cards)
    used: tuple[tuple[str, str | None], ...] = (("zeppelin", None),) if _flies(move) else ()
    if isinstance(move, Dig):
        used += tuple((use, move.site if use == "ethnology" else None) for use in move.use)
    for kind, site in used:
        cards.remove(next(card for card in cards if printed.counting[card][:2] == (kind, site)))
    if isinstance(move, Take | Exhibit):
        cards.append(move.card)
    crossed = printed.calendar.new_years(state.track.at(seat), at) > 0
    turned = frozenset() if crossed else mine.turned
    turned |= {move.site} if isinstance(move, Dig) else set()
    if tuple(cards) == mine.cards:
        return replace(mine, turned=turned)
    return with_holdings(printed, replace(mine, turned=turned), tuple(cards), mine.finds)


def _flies(move: Move) -> bool:
    return isinstance(move, Take | Refresh | Dig | Exhibit) and move.zeppelin


BOTS: dict[str, Bot] = {"random": at_random, "sensible": sensible}


def ending(state: JenseitsState, moves: Sequence[Move]) -> str:
    """Whether the seats reached the end by acting, or retired."""
    retired = sum(isinstance(move, Retire) for move in moves)
    return "last_week" if not retired else "all_retired" if retired == len(state.seats) else "some_retired"
