"""Opens what was laid, as a journal or a record has it: the box, the game, and the table with every entry so far."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from companion.play.chain import Chain
from companion.play.entries import JournalLine, Keys, Laid
from companion.play.history import History
from companion.play.journal import Steps
from companion.play.laid_game import OtherRules, PrintedBox, box_of, game_of, printed
from companion.play.snapshots import Snapshot
from companion.play.table import Table
from companion.refusals import Malformed, Missing, Storage

__all__ = ["OtherRules", "PrintedBox", "box_of", "game_of", "history_of", "table_of"]


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
        laid = msgspec.structs.replace(laid, box=printed(laid).figures)
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
