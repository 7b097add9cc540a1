"""Players for trials: one at random, one with a plan. Both know only what their seat can know: no pile is counted."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence

from companion.game import Move
from companion.games.tomb_raiders.moves import Dig, Donate, Exhibit, Play, Take
from companion.games.tomb_raiders.rules import TombRaiders
from companion.games.tomb_raiders.state import BEST, GENERAL, LIKE_GENERAL, TombState, TombTable, permit_of
from companion.trials import Bot, at_random

WEEK = 0.62  # points that a week is worth
FIRST_BOOKS = 2.4  # what a point of expertise opens, as long as there is little of it
MORE_BOOKS = 1.3
ENOUGH = 6  # points of knowledge beyond which a dig gains little
HALL = 0.6  # what an artifact more is good for, beside its points, for exhibitions and museums
BEST_OF_A_PILE = 4.0
ACTIONS = {"thief": 1.6, "tomb_raiders": BEST_OF_A_PILE, "scientist": 0.2, "assistant": 1.5, "general_excavation": 3.4}
UNSHOWN = 1.5  # an action card of a real hand that need not be named


def planner(game: TombRaiders, state: TombState, seat: int, luck: random.Random) -> Move:
    """The move that promises most points for its weeks."""
    table = game.at(state, seat)
    worth = {region: worth_of_a_card(table, region) for region in table.terms.regions}
    weighed = _worth_weighing(table, game.moves(state, seat).moves)
    return max(weighed, key=lambda move: promise(table, move, worth))


def _worth_weighing(table: TombTable, moves: Sequence[Move]) -> list[Move]:
    """All moves but digs that take a week longer and yield no card more."""
    kept: list[Move] = []
    before: tuple[str, str, int] | None = None
    for move in sorted(moves, key=_order):
        if isinstance(move, Dig):
            yields = (move.region, move.permit, move.cards(table))
            if yields == before:
                continue
            before = yields
        kept.append(move)
    return kept


def _order(move: Move) -> tuple[str, str, int]:
    return (move.region, move.permit, move.weeks) if isinstance(move, Dig) else ("", "", 0)


def promise(table: TombTable, move: Move, worth: Mapping[str, float]) -> float:
    """The points that a move promises, less what its weeks are worth.

    :param worth: by region, the points of a card that nobody has before them.
    """
    match move:
        case Play(artifact=str(artifact)):
            return float(table.terms.artifacts[artifact][1])
        case Play(card=card) if card not in table.terms.cards:
            return -WEEK  # to show a card gains nothing
        case Play():
            gain = _of_playing(table, move, worth)
        case Take():
            gain = _of_taking(table, move.card)
        case Dig():
            gain = move.cards(table) * (worth[move.region] + HALL / 2) - _of_a_permit(table, move)
        case Exhibit():
            gain = float(table.terms.exhibitions[move.card].points)
        case Donate():
            given = sum(table.terms.artifacts[artifact][1] for artifact in move.artifacts)
            gain = table.terms.museums[move.card].points - given - HALL * len(move.artifacts)
        case _:
            return 0.0
    return gain - WEEK * move.weeks_of(table)


def worth_of_a_card(table: TombTable, region: str) -> float:
    """The points of a card of a region that nobody has before them, rubble among them."""
    laid = Counter(card for mine in table.state.seats for card in mine.finds) + Counter(table.state.gone)
    left = {card: n - laid[card] for card, n in table.cards_of(region).items()}
    points = sum(table.terms.artifacts[card][1] * n for card, n in left.items() if card in table.terms.artifacts)
    return points / max(1, sum(left.values()))


def _of_taking(table: TombTable, card: str) -> float:
    """What a card before the seat, or in its hand, promises."""
    mine, printed = table.mine, table.terms.cards.get(card)
    if printed is None:
        return UNSHOWN
    if printed.kind in ACTIONS:
        return ACTIONS[printed.kind] + WEEK
    if printed.kind == "congress":
        row, have = table.terms.box.score.congresses, mine.cards.count("congress")
        more = row[min(have + 1, len(row) - 1)] - row[min(have, len(row) - 1)]
        return float(more) + (0.8 if have < 5 else 0.0)
    known = mine.known + printed.worth
    best = table.terms.box.professors.best_knowledge
    gain = best.points * 0.8 if _takes_over(table, BEST, known, best.threshold) else 0.0
    if printed.region is None:
        return gain + printed.worth * min(2.5, 0.7 * sum(points > 0 for points in mine.expertise.values()))
    have = mine.expertise[printed.region]
    digs = table.holds(permit_of(printed.region)) or table.holds(GENERAL) or table.holds(LIKE_GENERAL)
    each = FIRST_BOOKS if have + mine.general < ENOUGH else MORE_BOOKS
    professor = table.terms.box.professors.region
    if _takes_over(table, printed.region, have + printed.worth, professor.threshold):
        gain += professor.points * 0.8
    return gain + printed.worth * each * (1.0 if digs else 0.5)


def _takes_over(table: TombTable, professor: str, points: int, least: int) -> bool:
    """Whether so many points would bring a professor to the seat."""
    holder = table.state.professors.get(professor)
    if holder == table.seat or points < least:
        return False
    if holder is None:
        return True
    has = table.state.seats[holder]
    return points > (has.known if professor == BEST else has.expertise[professor])


def _of_a_permit(table: TombTable, dig: Dig) -> float:
    """What the card that is used up could be good for later: little knowledge digs badly."""
    known = dig.known(table).total
    return 1.2 * max(0, 5 - known) + (0.8 if dig.permit == "general" else 0.0)


def _of_playing(table: TombTable, play: Play, worth: Mapping[str, float]) -> float:
    printed = table.terms.cards[play.card]
    if printed.kind == "assistant":
        return 0.9 if any(table.mine.expertise.values()) and not table.mine.assistants else 0.2
    if printed.kind == "scientist":
        return 0.1
    if not table.state.takes:
        return 0.0
    blind = printed.kind == "thief" and table.terms.thief == "blind"
    return (worth[printed.region or ""] if blind else BEST_OF_A_PILE) + HALL


BOTS: dict[str, Bot] = {"random": at_random, "planner": planner}


def ending(state: TombState, moves: Sequence[Move]) -> str:
    """The one way it can end: the draw pile is empty; the table says so, where it is real, or it must be."""
    return "told" if state.is_over else "empty"
