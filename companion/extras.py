"""What a game may offer beside its rules: each offer is a module of the game's folder, imported when it is wanted.

``bots``      ``BOTS`` and ``ending(state, moves)``: players for trials of a refereed game
``keepsake``  ``keepsake(game, state, *, language, seal, note)``: a picture of the final table, as a PNG
``offered``   ``kinds(game)``: the kinds of moves there are at this table, where some of the game's are not
``mending``   ``choices(game, state)``: what the corrections of this table can say, so that nobody has to type it
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from companion.game import Game, Mending, Mode, Move, Setup
from companion.games import PLAYED_BY
from companion.refusals import Missing
from companion.trials import Players


def kinds(setup: Setup, game: Game[Any]) -> tuple[type[Move], ...]:
    """The kinds of moves that make sense at a table; all of its game, if the game does not tell."""
    module = _module(setup.box, setup.mode, "offered")
    if module is None:
        return game.move_types
    offered: tuple[type[Move], ...] = module.kinds(game)
    return offered


def choices(setup: Setup, game: Game[Any], state: Any) -> Mending:
    """What the corrections of a table can say as it stands; nothing, if the game does not tell."""
    module = _module(setup.box, setup.mode, "mending")
    if module is None:
        return Mending()
    told: Mending = module.choices(game, state)
    return told


def bots(box: str) -> Players | None:
    """The players for trials of a box that is refereed; None if there are none."""
    module: Any = _module(box, "referee", "bots")
    players: Players | None = module
    return players


def keepsake(setup: Setup, game: Game[Any], state: Any, *, language: str, seal: str, note: str) -> bytes:
    """A picture of a table as it stands, to be printed.

    :raises Missing: if the game draws none.
    """
    module = _module(setup.box, setup.mode, "keepsake")
    if module is None:
        raise Missing("keepsake.none")
    picture: bytes = module.keepsake(game, state, language=language, seal=seal, note=note)
    return picture


def _module(box: str, mode: Mode, name: str) -> ModuleType | None:
    """A module of the game's folder, if there is such a game and it has one."""
    played_by = PLAYED_BY.get((box, mode))
    path = f"{played_by}.{name}"
    return import_module(path) if played_by and find_spec(path) else None
