"""Help for the seat that is asked: where it can go, what each choice costs, why something cannot be done, and dangers.

While a seat acts::

    {"actions": {"search": {"legal": true, "refusal": null}, "open": {…}, "loot": {…}, "pick": {…}, "end": {…}},
     "left": 3,                                            # actions
     "ways": {"6": {"cost": 1, "way": ["6"], "touches": 0, "reach": true}, …, "outside": {…}}}

``ways`` has every square that can be walked to: ``cost`` in actions, ``way`` the squares one after another, ``touches``
how many mummies touch one on it, ``reach`` whether the actions left are enough. Of equal ways the one with fewest
touches is told.
"""

from __future__ import annotations

from companion.games.horus.moves import End, Loot, Open, Pick, Search
from companion.games.horus.pyramid import Pyramid
from companion.games.horus.state import OUTSIDE
from companion.referee import Facts, answer


def help_for(here: Pyramid) -> Facts:
    """Help for the seat that is asked."""
    if here.state.asking != "act":
        return {}
    acts = {"search": Search(), "open": Open(), "loot": Loot(), "pick": Pick(), "end": End()}
    return {
        "actions": {name: answer(act, here) for name, act in acts.items()},
        "left": here.mine.actions,
        "ways": ways(here),
    }


def ways(here: Pyramid) -> Facts:
    """Every square that can be walked to: the shortest way, and of those the one with fewest touches."""
    start, found = here.mine.square, dict[str, tuple[tuple[str, ...], int]]()
    edge: dict[str, tuple[tuple[str, ...], int]] = {start: ((), 0)}
    while edge:
        following: dict[str, tuple[tuple[str, ...], int]] = {}
        for square, (way, touches) in edge.items():
            for to in here.steps(square):
                if to == start or to in found or to in edge:
                    continue
                more = touches + len(here.standing_mummies(to))
                if to not in following or more < following[to][1]:
                    following[to] = ((*way, to), more)
        found |= following
        edge = following
    exits = [square for square in here.terms.plan.exits if square in found or square == start]
    if exits:
        way, touches = min((found.get(square, ((), 0)) for square in exits), key=lambda each: (len(each[0]), each[1]))
        found[OUTSIDE] = ((*way, OUTSIDE), touches)
    return {
        to: {"cost": len(way), "way": list(way), "touches": touches, "reach": len(way) <= here.mine.actions}
        for to, (way, touches) in found.items()
    }
