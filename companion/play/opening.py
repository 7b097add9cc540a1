"""Opens what was laid, as a journal or a record has it: the box, the game, and the table with every entry so far."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from companion import games
from companion.boxes import Box, BoxProblem, restore
from companion.game import AnyGame
from companion.play.chain import VERSION, Chain
from companion.play.entries import JournalLine, Keys, Laid
from companion.play.history import TOGETHER, History
from companion.play.journal import Steps
from companion.play.snapshots import Snapshot
from companion.play.table import Table
from companion.refusals import AsTyped, Malformed, Missing, Storage, as_typed


class OtherRules(Malformed):
    """A table of a version of the rules that is not known here."""


class PrintedBox(NamedTuple):
    """A box, and its figures as they are laid: the same for all tables that were laid with them."""

    box: Box
    figures: dict[str, Any]


def table_of(
    laid: Laid,
    secret: bytes,
    keys: Keys,
    journal: Steps,
    *,
    clock: Callable[[], int],
    written: Sequence[JournalLine] = (),
    snapshot: Snapshot | None = None,
) -> Table:
    """A table in play, with its entries so far; those after a snapshot, where there is one.

    :raises Storage: where they are not as they were written.
    """
    try:
        game = game_of(laid)
        laid = msgspec.structs.replace(laid, box=_printed(laid).figures)
        table = Table(game, laid, secret, keys, journal=journal, clock=clock, written=written, snapshot=snapshot)
        before = snapshot.link if snapshot else None
        if laid.chain and (sound := Chain(secret).sound(laid, written, before)) < len(written):
            raise Malformed("entry.other_link", seq=table.base + sound + 1)
    except (Missing, OtherRules):
        raise
    except (ValueError, LookupError, TypeError, AttributeError) as error:  # what is damaged may be nonsense of any kind
        because = error if isinstance(error, ValueError) else ValueError(repr(error))
        raise Storage("core.table_damaged", table=laid.table).because(because) from error
    return table


def history_of(laid: Laid) -> History:
    """A table before its first entry, only to be looked at."""
    return History(game_of(laid), laid)


def box_of(laid: Laid) -> Box:
    """The box with the figures a table was laid with; refused where the game is not here any more."""
    return _printed(laid).box


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


def _printed(laid: Laid) -> PrintedBox:
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
