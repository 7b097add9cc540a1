"""The calls of a hub: how far its copies have come, and what is new of them. For whoever has its token.

What is asked and answered is sealed (`between.py`). Inside are the types of `copies.py`.
"""

from __future__ import annotations

from companion.refusals import Illegal, Malformed, Missing, Storage
from web_ui.api import bodies
from web_ui.api.calls import Asking, CallTable, Reply, brought, told_between
from web_ui.copies import Copies, TablePiece
from web_ui.http_errors import NoKey
from web_ui.others import Sealed

calls = CallTable()


@calls.get("/api/copies", gives=Sealed, who="pi", refuses=(Missing, NoKey, Storage))
def list_copies(asking: Asking, _: bodies.Nothing) -> Reply:
    """The newest entry of every copy that this hub keeps."""
    return told_between(asking, _copies(asking).all())


@calls.get("/api/copies/<copy>", gives=Sealed, who="pi", refuses=(Missing, NoKey, Storage))
def show_copy(asking: Asking, _: bodies.Nothing) -> Reply:
    """How far the copy of a table has come: what is sent next follows on that."""
    return told_between(asking, _copies(asking).of(asking.where["copy"]))


@calls.post("/api/copies/<copy>", gives=Sealed, who="pi", refuses=(Missing, NoKey, Illegal, Malformed, Storage))
def keep_copy(asking: Asking, body: bodies.SealedBody) -> Reply:
    """Keep what is new of a table: each entry once, however often it is sent; the chain is checked."""
    piece = brought(asking, body.sealed, TablePiece)
    return told_between(asking, _copies(asking).take(asking.where["copy"], piece))


@calls.post("/api/copies/<copy>/deleted", gives=Sealed, who="pi", refuses=(Missing, NoKey, Illegal, Malformed, Storage))
def note_deleted(asking: Asking, body: bodies.SealedBody) -> Reply:
    """Keep that a table was deleted where it was played. Its copy stays until the owner of the hub removes it.

    `secret` is no secret here: it is an HMAC-SHA256 under it, of `digside deleted`, a NUL and the table's name.
    """
    proof = brought(asking, body.sealed, TablePiece).secret
    return told_between(asking, _copies(asking).deleted(asking.where["copy"], proof))


def _copies(asking: Asking) -> Copies:
    """The copies; who asks has been found to have the token."""
    if asking.service.copies is None:
        raise Missing("web.no_hub")
    return asking.service.copies
