"""Help for the seat that is asked: where it can go, what each choice costs, why something cannot be done, and dangers.

It goes by what its reader sees: on the shared tablet what everybody does, on one's own phone one's own secrets too.
While a seat acts::

    {"left": 3,                                            # actions
     "actions": {"search": {"legal": true, "refusal": null, "costs": 1}, "open": {…}, "loot": {…}, "pick": {…},
                 "end": {"legal": true, "refusal": null, "costs": 0}},
     "ways": {"6": {"cost": 1, "way": ["6"], "touches": 0, "reach": true}, …, "outside": {…}},
     "locks": [{"god": "thoth", "named": "", "rolling": false, "missing": [1, 2, 3, 4], "helpers": 0,
                "keep": [0, 3],                            # with dice lying: the places of those worth keeping
                "opens": [0.0, 0.08, 0.25, …]}, …],        # with 0, 1, 2 … actions, by the best re-rolling
     "tombs": [{"god": "anubis", "named": "", "open": false, "worth": 5.6}, …],   # on average; exact where one sees it
     "dangers": {…}}

``ways`` has every square that can be walked to: ``cost`` in actions, ``way`` the squares one after another, ``touches``
how many mummies touch one on it, ``reach`` whether the actions left are enough. Of equal ways the one with fewest
touches is told. ``named`` is what a move has to say as its god: nothing, where there is only one.

``dangers`` are told with the option "odds" (and ``opens`` and ``worth``; they are null without it)::

    {"blocks": 28,                                         # in the box, each as likely, unless one was kept
     "cut_off": {"0": 0.04, "2": 0.0},                     # for each seat inside: that the next block shuts it in
     "squares": {"23": {"cut_off": 0.07, "block": 0.04,    # for whoever stands there: to be shut in, to have to jump
                        "touch": 0.3, "touches": 0.4}, …}, # of a touch in the next walk; how many
     "mummies": [{"mummy": "initkaes", "stands": {"A4": 0.16, …}, "enters": {"A4": 0.97, …}}, …],
     "search": {"den": {"left": 18, "treasure": 0.28, "equipment": 0.56, "wound": 0.17, "worth": 0.5}, …}}

Getting ready: ``{"count": 5, "level": 3, "expected": {"2": 4.2, "3": 3.3, …}, "dangers": …}``, the actions to be
expected by level. Jumping: ``{"to": {"6": {"legal": true, "refusal": null, "touches": 0, "way_out": 3}, …},
"dangers": …}``.
"""

from __future__ import annotations

import msgspec

from companion.game import Json
from companion.games.horus import dangers, locks
from companion.games.horus.moves import End, Jump, Loot, Open, Pick, Search
from companion.games.horus.pyramid import Pyramid
from companion.games.horus.state import DICE, OUTSIDE
from companion.parts import Facts
from companion.referee import answer


def help_for(table: Pyramid) -> Facts:
    """Help for the seat that is asked."""
    match table.state.asking:
        case "act":
            told = _acting(table)
        case "ready":
            told = _getting_ready(table)
        case "jump":
            told = _jumping(table)
        case _:
            return {}
    return {**told, "dangers": _dangers(table) if table.terms.odds else None}


def _acting(table: Pyramid) -> Facts:
    at_locks, tombs = _locks(table), _tombs(table)
    named = {"pick": _only(at_locks), "open": _only(tombs), "loot": _only(tombs)}
    acts = {
        "search": Search(),
        "open": Open(named["open"]),
        "loot": Loot(named["loot"]),
        "pick": Pick(god=named["pick"], reroll=tuple(range(DICE)) if _rolling(table, named["pick"]) else ()),
    }
    return {
        "left": table.mine.actions,
        "actions": {
            **{name: answer(act, table, costs=1) for name, act in acts.items()},
            "end": answer(End(), table, costs=0),
        },
        "ways": ways(table),
        "locks": at_locks,
        "tombs": tombs,
    }


def _only(told: list[Facts]) -> str:
    """What a move says as its god: the first of several."""
    return str(told[0]["named"]) if told else ""


def _rolling(table: Pyramid, named: str) -> bool:
    """Whether dice lie for this lock."""
    return bool(table.state.lock) and table.lock_here(named) == table.state.lock


def _locks(table: Pyramid) -> list[Facts]:
    """The closed alcoves beside the figure."""
    gods = [god for god in table.terms.alcoves_at.get(table.mine.square, ()) if god in table.state.idols]
    return [_lock(table, god, god if len(gods) > 1 else "") for god in gods]


def _lock(table: Pyramid, god: str, named: str) -> Facts:
    wanted, rolling = table.terms.locks[god], table.state.lock == god
    lying = table.state.lock_dice if rolling else ()
    missing = [number for number in wanted if number not in lying]
    helpers, held = table.helpers(table.seat), len(wanted) - len(missing)
    chances: list[Json] = [
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


def _tombs(table: Pyramid) -> list[Facts]:
    """The sarcophagi beside the figure that are not empty."""
    slots = table.terms.slots_at.get(table.mine.square, ())
    full = [at for at in slots if not table.state.sarcophagi[at].looted]
    found: list[Facts] = []
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


def _getting_ready(table: Pyramid) -> Facts:
    levels = sorted({*table.terms.levels, table.level(table.seat)})
    expected: Facts = {str(level): dangers.expected_actions(table, table.seat, level) for level in levels}
    return {
        "count": table.held(table.seat),
        "level": table.level(table.seat),
        "expected": expected if table.terms.odds else None,
    }


def _jumping(table: Pyramid) -> Facts:
    fallen = table.lying_fallen
    told: Facts = {}
    for to in table.near(table.mine.square):
        way = table.terms.plan.way_out(to, fallen=fallen)
        touches = len(table.standing_mummies(to))
        told[to] = answer(Jump(to), table, touches=touches, way_out=len(way) if way else None)
    return {"to": told}


def _dangers(table: Pyramid) -> Facts:
    boxed = len(table.state.boxed)
    touched = dangers.touched(table)
    fallen = table.lying_fallen
    squares: Facts = {}
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
        "cut_off": dict(seats),
        "squares": squares,
        "mummies": [msgspec.to_builtins(each) for each in dangers.reach(table)],
        "search": {area: msgspec.to_builtins(found) for area, found in dangers.searches(table).items()},
    }


def ways(table: Pyramid) -> Facts:
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
