"""Which games there are: a box and a mode, and the module that plays it. A game is imported when it is first played."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import msgspec

from companion.boxes import AnyBox
from companion.game import Game, Mode, Option, Setup
from companion.refusals import AsTyped, Malformed, Missing, as_typed

PLAYED_BY: dict[tuple[str, Mode], str] = {
    ("jenseits", "referee"): "companion.games.jenseits",
    ("jenseits", "toolbox"): "companion.games.toolbox",
    ("tomb_raiders", "toolbox"): "companion.games.toolbox",
    ("horus", "toolbox"): "companion.games.toolbox",
    ("tutankhamun", "referee"): "companion.games.tutankhamun",
    ("tutankhamun", "toolbox"): "companion.games.toolbox",
}


class Kind(msgspec.Struct, frozen=True):
    """A game as it stands in the list: what can be chosen when a table is laid."""

    box: str
    mode: Mode
    options: tuple[Option, ...]
    randomizers: tuple[str, ...]
    open_game: Callable[[Setup, Any], Game[Any]]
    settled: Callable[[Setup], Setup]


def registered() -> tuple[tuple[str, Mode], ...]:
    """Every game: its box and its mode."""
    return tuple(PLAYED_BY)


def modes(box: str) -> tuple[Mode, ...]:
    """The modes a box can be played in."""
    return tuple(mode for name, mode in PLAYED_BY if name == box)


def kind(box: AnyBox, mode: str) -> Kind:
    """What can be chosen for a game of this box.

    A game's module has ``open_game(setup, box)``, ``options(box)`` and ``randomizers(box)``; and, where its options
    decide who draws what, ``settled(setup)``.
    """
    for (name, known), module in PLAYED_BY.items():
        if (name, known) == (box.name, mode):
            game = import_module(module)
            settled = getattr(game, "settled", lambda setup: setup)
            return Kind(name, known, game.options(box), game.randomizers(box), game.open_game, settled)
    raise Missing("core.no_game", box=AsTyped(box.title), mode=AsTyped(mode))


def open_game(setup: Setup, box: AnyBox) -> Game[Any]:
    """The game of a table. Its seats, sources and options are checked here, once for all games."""
    chosen = kind(box, setup.mode)
    seats = len(setup.seats)
    if not box.seats.min <= seats <= box.seats.max:
        raise Malformed("core.seat_count", least=box.seats.min, most=box.seats.max, n=seats)
    for randomizer in setup.sources:
        if randomizer not in {"default", *chosen.randomizers}:
            raise Malformed("core.no_randomizer", randomizer=AsTyped(randomizer), known=as_typed(chosen.randomizers))
    known = {option.name: option for option in chosen.options}
    for name, value in setup.options.items():
        if name not in known:
            raise Malformed("core.no_option", option=AsTyped(name), known=as_typed(known))
        if not any(value == allowed and type(value) is type(allowed) for allowed in known[name].values):
            raise Malformed("core.bad_option", option=AsTyped(name), allowed=as_typed(known[name].values))
    return chosen.open_game(setup, box)


def with_defaults(setup: Setup, box: AnyBox) -> Setup:
    """The setup with every option said, and the sources that follow from them where the game says so."""
    chosen = kind(box, setup.mode)
    said = {option.name: option.default for option in chosen.options} | setup.options
    return chosen.settled(msgspec.structs.replace(setup, options=said))
