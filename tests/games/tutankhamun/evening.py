"""Tables of Tutankhamun in memory, with a secret that is known and a clock that stands."""

from __future__ import annotations

import msgspec

from companion.boxes import keep
from companion.game import Chance, Move, Setup
from companion.games.tutankhamun.referee import Tutankhamun
from companion.play.dealer import SealedDealer
from companion.play.entries import Keys, Laid
from companion.play.reopening import seated
from companion.play.table import HOST, Actor, Table
from tests.games.tutankhamun.site import box, setup
from tests.nowhere import Nowhere

SECRET = bytes(range(32))


def table(seats: int = 2, **options: bool | int | str) -> Table:
    laid_setup: Setup = Tutankhamun.settled(setup(seats, **options))
    content = msgspec.json.decode(msgspec.json.encode(keep(box())))
    laid = Laid("test", 1, laid_setup, content, box().digest, 1, SealedDealer(SECRET).seal, "test")
    return begun(seated(laid, SECRET, Keys("host", ("a", "b")), Nowhere(), clock=lambda: 1))


def begun(fresh: Table) -> Table:
    if isinstance(fresh.ask(), Chance) and fresh.setup.source("layers") == "companion":
        fresh.answer(HOST, fresh.seq, "begin", None)
    return fresh


def do(at: Table, move: Move, actor: Actor = HOST) -> None:
    at.play(actor, at.seq, f"{at.seq}", msgspec.to_builtins(move))
