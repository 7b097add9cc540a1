"""Help for the seat to move: where it can go, what each choice costs, what cannot be done and why, and the dangers.

It uses only what its reader can see: on the shared tablet what everybody sees, on a phone also the seat's secrets.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

import msgspec

from companion.games.horus import dangers, locks
from companion.games.horus.moves import End, Jump, Loot, Open, Pick, Search
from companion.games.horus.pyramid import Pyramid
from companion.games.horus.state import DICE, OUTSIDE
from companion.referee import Verdict, verdict


class HorusCostedAnswer(Verdict):
    """May I, why not, and how many actions it takes."""

    costs: int


class HorusWay(TypedDict):
    """A way to a square: its cost in actions, the squares one after another, how many mummies touch one on it, and
    whether the actions left are enough. Of equal ways the one with fewest touches is told."""

    cost: int
    way: list[str]
    touches: int
    reach: bool


class HorusLock(TypedDict):
    """A closed alcove beside the figure.

    `named` is what a move has to say as its god: nothing, where there is only one. `keep` are the places of the dice
    worth keeping; `opens` the chance with 0, 1, 2 … actions, by the best re-rolling, with the option "odds".
    """

    god: str
    named: str
    rolling: bool
    missing: list[int]
    helpers: int
    keep: list[int]
    opens: list[float] | None


class HorusTomb(TypedDict):
    """A sarcophagus beside the figure: `worth` is on average, with the option "odds"; exact where one sees its card."""

    god: str
    named: str
    open: bool
    worth: float | None


class HorusPeril(TypedDict):
    """What may befall whoever stands on a square: to be shut in, to have to jump, a touch in the next walk; and how
    many touches are to be expected."""

    cut_off: float
    block: float
    touch: float
    touches: float


class HorusDangers(TypedDict):
    """With the option "odds": the blocks in the box, each as likely unless one was kept; for each seat inside, that the
    next block shuts it in; what may befall on each square, where mummies may walk, and what a search is worth."""

    blocks: int
    cut_off: dict[str, float]
    squares: dict[str, HorusPeril]
    mummies: list[dangers.MummyReach]
    search: dict[str, dangers.SearchProspect]


class HorusJumpAnswer(Verdict):
    """May I jump there, how many mummies touch one, and how long the way out is from there, if there is one."""

    touches: int
    way_out: int | None


class HorusHelp(TypedDict, total=False):
    """Help for a seat: while it acts, its actions and where they lead; while it gets ready, the actions to be expected
    by level; while it jumps, where `to`. `dangers` come with the option "odds"."""

    left: int
    actions: dict[str, HorusCostedAnswer]
    ways: dict[str, HorusWay]
    locks: list[HorusLock]
    tombs: list[HorusTomb]
    count: int
    level: int
    expected: dict[str, float] | None
    to: dict[str, HorusJumpAnswer]
    dangers: HorusDangers | None


def help_for(table: Pyramid) -> HorusHelp:
    """Help for the seat that is asked."""
    match table.state.asking:
        case "act":
            found = _acting(table)
        case "ready":
            found = _getting_ready(table)
        case "jump":
            found = _jumping(table)
        case _:
            return {}
    found["dangers"] = _dangers(table) if table.terms.odds else None
    return found


def _acting(table: Pyramid) -> HorusHelp:
    at_locks, tombs = _locks(table), _tombs(table)
    named = {"pick": _first_named(at_locks), "open": _first_named(tombs), "loot": _first_named(tombs)}
    acts = {
        "search": Search(),
        "open": Open(named["open"]),
        "loot": Loot(named["loot"]),
        "pick": Pick(god=named["pick"], reroll=tuple(range(DICE)) if _rolling(table, named["pick"]) else ()),
    }
    return {
        "left": table.mine.actions,
        "actions": {
            **{name: {**verdict(act, table), "costs": 1} for name, act in acts.items()},
            "end": {**verdict(End(), table), "costs": 0},
        },
        "ways": ways(table),
        "locks": at_locks,
        "tombs": tombs,
    }


def _first_named(found: Sequence[HorusLock] | Sequence[HorusTomb]) -> str:
    """What a move about the first of them has to give as its god."""
    return found[0]["named"] if found else ""


def _rolling(table: Pyramid, named: str) -> bool:
    """Whether dice lie for this lock."""
    return bool(table.state.lock) and table.lock_here(named) == table.state.lock


def _locks(table: Pyramid) -> list[HorusLock]:
    """The closed alcoves beside the figure."""
    gods = [god for god in table.terms.alcoves_at.get(table.mine.square, ()) if god in table.state.idols]
    return [_lock(table, god, god if len(gods) > 1 else "") for god in gods]


def _lock(table: Pyramid, god: str, named: str) -> HorusLock:
    wanted, rolling = table.terms.locks[god], table.state.lock == god
    lying = table.state.lock_dice if rolling else ()
    missing = [number for number in wanted if number not in lying]
    helpers, held = table.helpers(table.seat), len(wanted) - len(missing)
    chances = [
        float(locks.opens(len(missing), held, rolls, helpers if lying or rolls else 0, DICE, table.terms.faces))
        for rolls in range(DICE + 1)
    ]
    return {
        "god": god,
        "named": named,
        "rolling": rolling,
        "missing": missing,
        "helpers": helpers,
        "keep": list(locks.dice_kept(lying, wanted)),
        "opens": chances if table.terms.odds else None,
    }


def _tombs(table: Pyramid) -> list[HorusTomb]:
    """The sarcophagi beside the figure that are not empty."""
    slots = table.terms.slots_at.get(table.mine.square, ())
    full = [at for at in slots if not table.state.sarcophagi[at].looted]
    found: list[HorusTomb] = []
    for at in full:
        god, tomb = table.terms.slots[at].god, table.state.sarcophagi[at]
        found.append(
            {
                "god": god,
                "named": god if len(full) > 1 else "",
                "open": tomb.is_open,
                "worth": dangers.tomb_worth(table, at) if table.terms.odds or tomb.is_open else None,
            }
        )
    return found


def _getting_ready(table: Pyramid) -> HorusHelp:
    levels = sorted({*table.terms.levels, table.level(table.seat)})
    expected = {str(level): dangers.expected_actions(table, table.seat, level) for level in levels}
    return {
        "count": table.held(table.seat),
        "level": table.level(table.seat),
        "expected": expected if table.terms.odds else None,
    }


def _jumping(table: Pyramid) -> HorusHelp:
    fallen = table.lying_fallen
    answers: dict[str, HorusJumpAnswer] = {}
    for to in table.near(table.mine.square):
        way = table.terms.plan.way_out(to, fallen=fallen)
        touches = len(table.standing_mummies(to))
        answers[to] = {**verdict(Jump(to), table), "touches": touches, "way_out": len(way) if way else None}
    return {"to": answers}


def _dangers(table: Pyramid) -> HorusDangers:
    boxed = len(table.state.boxed)
    touched = dangers.touched(table)
    fallen = table.lying_fallen
    squares: dict[str, HorusPeril] = {}
    for square, cutting in dangers.cut_off_by(table).items():
        touch, touches = touched.get(square, (0.0, 0.0))
        has_block = square.isdecimal() and square not in fallen
        squares[square] = {
            "cut_off": float(dangers.chance_of(table, cutting)),
            "block": float(dangers.chance_of(table, (int(square),))) if has_block else 0.0,
            "touch": touch,
            "touches": touches,
        }
    seats = {
        str(seat): float(dangers.chance_cut_off(table, table.state.adventurers[seat].square)) for seat in table.inside
    }
    return {
        "blocks": boxed,
        "cut_off": seats,
        "squares": squares,
        "mummies": [msgspec.to_builtins(each) for each in dangers.reach(table)],
        "search": {area: msgspec.to_builtins(found) for area, found in dangers.searches(table).items()},
    }


def ways(table: Pyramid) -> dict[str, HorusWay]:
    """Every square that can be walked to: the shortest way, and of those the one with fewest touches."""
    start, found = table.mine.square, dict[str, tuple[tuple[str, ...], int]]()
    edge: dict[str, tuple[tuple[str, ...], int]] = {start: ((), 0)}
    while edge:
        following: dict[str, tuple[tuple[str, ...], int]] = {}
        for square, (way, touches) in edge.items():
            for to in table.steps(square):
                if to == start or to in found or to in edge:
                    continue
                more = touches + len(table.standing_mummies(to))
                if to not in following or more < following[to][1]:
                    following[to] = ((*way, to), more)
        found |= following
        edge = following
    exits = [square for square in table.terms.plan.exits if square in found or square == start]
    if exits:
        way, touches = min((found.get(square, ((), 0)) for square in exits), key=lambda each: (len(each[0]), each[1]))
        found[OUTSIDE] = ((*way, OUTSIDE), touches)
    return {
        to: {"cost": len(way), "way": list(way), "touches": touches, "reach": len(way) <= table.mine.actions}
        for to, (way, touches) in found.items()
    }
