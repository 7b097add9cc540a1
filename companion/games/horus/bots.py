"""Players for trials: one at random, one that plans. Both know only what their seat can know."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence

from companion.game import Move
from companion.games.horus.cards import counts, kind, value
from companion.games.horus.dangers import chance_cut_off, cut_off_by
from companion.games.horus.moves import Discard, End, Enter, Jump, Loot, Open, Ready, Search, Step
from companion.games.horus.pyramid import WARDS, Pyramid
from companion.games.horus.rules import Horus
from companion.games.horus.score import gods_of
from companion.games.horus.state import AREAS, OUTSIDE, HorusState
from companion.games.horus.uses import Use
from companion.trials import Bot, at_random

ENOUGH = 8  # cards with which it is time to go
LATE = 9  # blocks that have fallen when it is time to go
DARING = 0.08  # the chance to be shut in by the next block that is still borne
FAVOURITES = ("chartier", "rasputin", "watanabe", "rice", "sarti", "ardila", "wahab", "gore")


def planner(game: Horus, state: HorusState, seat: int, luck: random.Random) -> Move:
    """Fetches treasures where they are worth most, and leaves while there are ways out."""
    table = game.as_seen(state, seat, seat)
    match state.asking:
        case "enter":
            free = [who for who in FAVOURITES if all(each.who != who for each in state.adventurers)]
            return Enter(free[0], luck.choice(table.terms.plan.exits))
        case "ready":
            return Use(ability="endurance") if _should_endure(table) else Ready()
        case "discard":
            return _first(Use.thinkable(table), table) or Discard(min(table.makes_room(seat), key=_worth))
        case "jump":
            dodge = Use(ability="dodge")
            return dodge if dodge.why_not(table) is None else Jump(min(table.steps(table.mine.square), key=_far(table)))
        case "decide":
            return next(iter(Use.thinkable(table)))
    return _act(table)


def _should_endure(table: Pyramid) -> bool:
    return table.ability(table.seat) == "endurance" and table.level(table.seat) > 3


def _worth(card: str) -> float:
    return {"chest": 3.5, "idol": 9.0}.get(kind(card), float(value(card)))


def _first(moves: Iterable[Use], table: Pyramid) -> Use | None:
    return next((move for move in moves if move.why_not(table) is None), None)


def _far(table: Pyramid) -> Callable[[str], int]:
    fallen = table.lying_fallen
    ways = {square: table.terms.plan.way_out(square, fallen=fallen) for square in table.terms.squares}
    return lambda square: len(ways[square] or ()) or len(ways) + 1


def _act(table: Pyramid) -> Move:
    """Useful things first; then what lies here, or a step where the plan leads."""
    helps = (use for use in Use.thinkable(table) if use.wound or use.ability in WARDS)
    if use := _first(helps, table):
        return use
    if not table.mine.actions:
        return End()
    if counts(table.mine.cards) >= ENOUGH or len(table.state.fallen) >= LATE or _is_narrow(table):
        return _outwards(table)
    fetch = next((act for act in (Loot(), Open()) if act.why_not(table) is None), None)
    return fetch or _searching(table)


def _is_narrow(table: Pyramid) -> bool:
    """Whether the next block is too likely to leave no way out from here, or from where treasures are."""
    there = [square for square in cut_off_by(table) if table.terms.area[square] in ("sand", "pond")]
    risk = min((chance_cut_off(table, square) for square in there), default=1)
    return max(risk, chance_cut_off(table, table.mine.square)) > DARING


def _searching(table: Pyramid) -> Move:
    """Searches where treasures are worth most, and walks there; first of all for a god not yet held."""
    lacking = [area for area in ("sand", "pond") if god_of(table, area) not in gods_of(table.mine.cards)]
    for area in (*lacking[:1], "pond", "sand"):
        if not table.state.decks[AREAS.index(area)].total:
            continue
        if table.terms.area[table.mine.square] == area:
            return Search() if Search().why_not(table) is None else _outwards(table)
        way = _way_to(table, area)
        if way:
            return Step(way)
    return _outwards(table)


def god_of(table: Pyramid, area: str) -> str:
    """The god of an area's treasures."""
    return table.terms.area_gods[AREAS.index(area)]


def _outwards(table: Pyramid) -> Move:
    if table.mine.square in table.terms.plan.exits:
        return Step(OUTSIDE)
    way = table.terms.plan.way_out(table.mine.square, fallen=table.lying_fallen)
    return Step(way[1]) if way else End()


def _way_to(table: Pyramid, area: str) -> str:
    """The next square on the shortest way to an area; nothing, if no way leads there."""
    first, waiting = {table.mine.square: ""}, [table.mine.square]
    for square in waiting:
        if table.terms.area[square] == area:
            return first[square]
        for to in table.steps(square):
            if to not in first:
                first[to] = first[square] or to
                waiting.append(to)
    return ""


BOTS: dict[str, Bot] = {"random": at_random, "sensible": planner}


def ending(state: HorusState, _: Sequence[Move]) -> str:
    """How it ended: everybody out, some, or nobody."""
    out = [each.fate == "left" for each in state.adventurers]
    return "all_out" if all(out) else "some_lost" if any(out) else "all_lost"
