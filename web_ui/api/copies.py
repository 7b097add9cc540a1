"""The calls of a hub: how far its copies have come, and what is new of them. For whoever has its token."""

from __future__ import annotations

from companion.play.entries import JournalLine, Keys, Laid
from companion.refusals import Illegal, Malformed, Missing, Storage
from web_ui.api import bodies
from web_ui.api.calls import Asking, Calls
from web_ui.copies import Copies, CopiesTold, CopyTold, Piece
from web_ui.http_errors import NoKey

calls = Calls()


class Copying(bodies.Body, frozen=True):
    """A part of a table: entries after one another, and with the first how it was laid, its secret and its keys."""

    lines: tuple[JournalLine, ...] = ()
    laid: Laid | None = None
    secret: bytes | None = None
    keys: Keys | None = None


@calls.get("/api/copies", gives=CopiesTold, refuses=(Missing, NoKey, Storage))
def list_copies(asking: Asking, _: bodies.Nothing) -> CopiesTold:
    """The newest entry of every copy that this hub keeps."""
    return _copies(asking).all()


@calls.get("/api/copies/<copy>", gives=CopyTold, refuses=(Missing, NoKey, Storage))
def show_copy(asking: Asking, _: bodies.Nothing) -> CopyTold:
    """How far the copy of a table has come: what is sent next follows on that."""
    return _copies(asking).of(asking.where["copy"])


@calls.post("/api/copies/<copy>", gives=CopyTold, refuses=(Missing, NoKey, Illegal, Malformed, Storage))
def keep_copy(asking: Asking, asked: Copying) -> CopyTold:
    """Keep what is new of a table: each entry once, however often it is sent; the chain is checked."""
    piece = Piece(asked.lines, asked.laid, asked.secret, asked.keys)
    return _copies(asking).take(asking.where["copy"], piece)


@calls.post("/api/copies/<copy>/deleted", gives=CopyTold, refuses=(Missing, NoKey, Storage))
def note_deleted(asking: Asking, _: bodies.Nothing) -> CopyTold:
    """Keep that a table was deleted where it was played. Its copy stays until the owner of the hub removes it."""
    return _copies(asking).deleted(asking.where["copy"])


def _copies(asking: Asking) -> Copies:
    """The copies, for whoever shows the token."""
    copies = asking.service.copies
    if copies is None:
        raise Missing("web.no_hub")
    asking.service.check_hub(asking.asked.authorization, asking.client)
    return copies
