"""Lays a table as its journal or its record tells it: the box, the game, and every entry so far."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion import games
from companion.boxes import BoxProblem
from companion.boxes.kept import restore
from companion.entries import Keys, Laid, Written
from companion.history import History, Seated
from companion.journal import Journal
from companion.refusals import Malformed
from companion.table import Table


def seated(
    laid: Laid,
    secret: bytes,
    keys: Keys,
    journal: Journal,
    *,
    clock: Callable[[], int],
    written: Sequence[Written] = (),
) -> Table:
    """A table in play, with its entries so far."""
    return Table(_game_of(laid), laid, secret, keys, journal=journal, clock=clock, written=written)


def retold(laid: Laid) -> History:
    """A table before its first entry, only to be looked at."""
    return History(_game_of(laid), laid)


def _game_of(laid: Laid) -> Seated:
    try:
        box = restore(laid.setup.box, laid.box)
    except BoxProblem as wrong:
        raise Malformed("core.bad_box", reason=str(wrong)) from wrong
    game = games.open_game(laid.setup, box)
    if game.rules_version < laid.rules:
        raise Malformed("core.newer_rules")
    return game
