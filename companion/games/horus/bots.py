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
    here = game.as_seen(state, seat, seat)
    match state.asking:
        case "enter":
            free = [who for who in FAVOURITES if all(each.who != who for each in state.adventurers)]
            return Enter(free[0], luck.choice(here.terms.plan.exits))
        case "ready":
            return Use(ability="endurance") if _should_endure(here) else Ready()
        case "discard":
            return _first(Use.thinkable(here), here) or Discard(min(here.makes_room(seat), key=_worth))
        case "jump":
            dodge = Use(ability="dodge")
            return dodge if dodge.why_not(here) is None else Jump(min(here.steps(here.mine.square), key=_far(here)))
        case "decide":
            return next(iter(Use.thinkable(here)))
    return _act(here)


def _should_endure(here: Pyramid) -> bool:
    return here.ability(here.seat) == "endurance" and here.level(here.seat) > 3


def _worth(card: str) -> float:
    return {"chest": 3.5, "idol": 9.0}.get(kind(card), float(value(card)))


def _first(moves: Iterable[Use], here: Pyramid) -> Use | None:
    return next((move for move in moves if move.why_not(here) is None), None)


def _far(here: Pyramid) -> Callable[[str], int]:
    fallen = here.lying_fallen
    ways = {square: here.terms.plan.way_out(square, fallen=fallen) for square in here.terms.squares}
    return lambda square: len(ways[square] or ()) or len(ways) + 1


def _act(here: Pyramid) -> Move:
    """Useful things first; then what lies here, or a step where the plan leads."""
    helps = (use for use in Use.thinkable(here) if use.wound or use.ability in WARDS)
    if use := _first(helps, here):
        return use
    if not here.mine.actions:
        return End()
    if counts(here.mine.cards) >= ENOUGH or len(here.state.fallen) >= LATE or _is_narrow(here):
        return _outwards(here)
    fetch = next((act for act in (Loot(), Open()) if act.why_not(here) is None), None)
    return fetch or _searching(here)


def _is_narrow(here: Pyramid) -> bool:
    """Whether the next block is too likely to leave no way out from here, or from where treasures are."""
    there = [square for square in cut_off_by(here) if here.terms.area[square] in ("sand", "pond")]
    risk = min((chance_cut_off(here, square) for square in there), default=1)
    return max(risk, chance_cut_off(here, here.mine.square)) > DARING


def _searching(here: Pyramid) -> Move:
    """Searches where treasures are worth most, and walks there; first of all for a god not yet held."""
    lacking = [area for area in ("sand", "pond") if god_of(here, area) not in gods_of(here.mine.cards)]
    for area in (*lacking[:1], "pond", "sand"):
        if not here.state.decks[AREAS.index(area)].total:
            continue
        if here.terms.area[here.mine.square] == area:
            return Search() if Search().why_not(here) is None else _outwards(here)
        way = _way_to(here, area)
        if way:
            return Step(way)
    return _outwards(here)


def god_of(here: Pyramid, area: str) -> str:
    """The god of an area's treasures."""
    return here.terms.area_gods[AREAS.index(area)]


def _outwards(here: Pyramid) -> Move:
    if here.mine.square in here.terms.plan.exits:
        return Step(OUTSIDE)
    way = here.terms.plan.way_out(here.mine.square, fallen=here.lying_fallen)
    return Step(way[1]) if way else End()


def _way_to(here: Pyramid, area: str) -> str:
    """The next square on the shortest way to an area; nothing, if no way leads there."""
    first, waiting = {here.mine.square: ""}, [here.mine.square]
    for square in waiting:
        if here.terms.area[square] == area:
            return first[square]
        for to in here.steps(square):
            if to not in first:
                first[to] = first[square] or to
                waiting.append(to)
    return ""


BOTS: dict[str, Bot] = {"random": at_random, "sensible": planner}


def ending(state: HorusState, _: Sequence[Move]) -> str:
    """How it ended: everybody out, some, or nobody."""
    out = [each.fate == "left" for each in state.adventurers]
    return "all_out" if all(out) else "some_lost" if any(out) else "all_lost"
