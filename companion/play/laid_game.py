"""The game that a table is played by: with the figures it was laid with, by the rules it was begun with."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from companion import games
from companion.boxes import Box, BoxProblem, restore
from companion.game import AnyGame, Seat, Setup
from companion.play.chain import VERSION
from companion.play.entries import Laid
from companion.refusals import AsTyped, Malformed, Missing, as_typed

TOGETHER = 2
"""The first version of the luck in which devices stir as members, and not in rounds."""


class OtherRules(Malformed):
    """A table of a version of the rules that is not known here."""


class PrintedBox(NamedTuple):
    """A box, and its figures as they are laid: the same for all tables that were laid with them."""

    box: Box
    figures: dict[str, Any]


def box_of(laid: Laid) -> Box:
    """The box with the figures a table was laid with; refused where the game is not here any more."""
    return printed(laid).box


def game_of(laid: Laid) -> AnyGame:
    """The game, by the version of the rules that the table was begun with: by others it might replay otherwise."""
    box = box_of(laid)
    versions = games.kind(box, laid.setup.mode).versions
    if laid.chain > VERSION or laid.luck > TOGETHER:
        raise OtherRules("core.newer_rules", digside=laid.digside)
    if laid.rules not in versions:
        key = "core.newer_rules" if laid.rules > versions[-1] else "core.older_rules"
        raise OtherRules(key, digside=laid.digside)
    return games.open_game(laid.setup, box, laid.rules)


def seated(laid: Laid, seats: Sequence[Seat]) -> tuple[Setup, AnyGame]:
    """How a table is played with other people at it; an option that only others allow is as usual.

    :raises Malformed: where the box is not for so many.
    """
    box, chosen = box_of(laid), laid.setup.options
    usual = {option.name: option.default for option in games.kind(box, laid.setup.mode).options}
    for changed in ({}, *({name: value} for name, value in usual.items() if chosen.get(name, value) != value)):
        setup = msgspec.structs.replace(laid.setup, seats=tuple(seats), options={**chosen, **changed})
        with suppress(Malformed):
            return setup, games.open_game(setup, box, laid.rules)
    setup = msgspec.structs.replace(laid.setup, seats=tuple(seats))
    return setup, games.open_game(setup, box, laid.rules)


def printed(laid: Laid) -> PrintedBox:
    """What a table was laid with, as it is kept for all."""
    if laid.setup.box not in games.names():
        raise Missing("core.no_box", box=AsTyped(laid.setup.box), known=as_typed(games.names()))
    try:
        return _read(games.bundle(laid.setup.box).box, msgspec.json.encode(laid.box))
    except BoxProblem as wrong:
        raise Malformed("core.bad_box", reason=str(wrong)) from wrong


@lru_cache(maxsize=16)
def _read(kind: type[Box], written: bytes) -> PrintedBox:
    figures = msgspec.json.decode(written)
    return PrintedBox(restore(kind, figures), figures)
