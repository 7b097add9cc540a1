"""Hints for people: asked for, thought about in the bots' process, and told to whoever may know what they are about."""

from __future__ import annotations

import random
import threading
import zlib
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, NamedTuple

import msgspec

from companion.game import Json, Played, Turn
from companion.play.actors import Actor, seat_of
from companion.play.bot_seats import without_thought
from companion.play.state_codec import pack
from companion.play.table import Table
from companion.play.thinking import HintQuestion, Thinker, packed_laying
from companion.referee import Referee
from companion.refusals import Illegal, NotYourTurn

KEPT = 64
"""So many hints are at hand; older ones are asked for anew."""


class HintKey(NamedTuple):
    """For which seat of a table a hint is, and for which moment."""

    table: str
    seq: int
    seat: int


class Hints:
    """The hints of a service.

    :param thinker: the process for thinking; none where this machine has no room for it: then a hint is one move.
    """

    def __init__(self, thinker: Callable[[], Thinker | None]) -> None:
        self._thinker = thinker
        self._lock = threading.Lock()
        self._asked: OrderedDict[HintKey, Future[Json]] = OrderedDict()

    def ask(self, table: Table, actor: Actor, eyes: int | None, seq: int, request: str, seat: int | None) -> int:
        """Ask for a hint, which is noted in the log; the same again counts once.

        :param eyes: the seat whose eyes look at the screen that asks.
        :returns: the number of the newest entry.
        """
        of = _seat_asked(table, actor, seat)
        _check_not_secret(table, actor, eyes, of)
        key = HintKey(table.id, table.played(), of)
        with self._lock:
            known = key in self._asked
        if known:
            return table.seq
        reached = table.ask_hint(actor, seq, request, of)
        self._keep(key, self._thought(table, key))
        return reached

    def told(self, table: Table, actor: Actor, eyes: int | None, seat: int | None) -> Json | None:
        """What came of it; None as long as it is being thought about.

        :raises Illegal: where nobody has asked for it.
        """
        of = _seat_asked(table, actor, seat)
        _check_not_secret(table, actor, eyes, of)
        with self._lock:
            answer = self._asked.get(HintKey(table.id, table.played(), of))
        if answer is None:
            raise Illegal("hint.not_asked")
        if not answer.done():
            return None
        found = answer.result()
        return found if found is not None else _one_move(table, of)

    def _thought(self, table: Table, key: HintKey) -> Future[Json]:
        thinker, state = self._thinker(), table.position(key.seq).state
        if thinker is None:
            answer: Future[Json] = Future()
            answer.set_result(None)
            return answer
        seed = zlib.crc32("{} {} {}".format(*key).encode())
        return thinker.ask(HintQuestion(packed_laying(table.laid_now), pack(state), key.seat, seed))

    def _keep(self, key: HintKey, answer: Future[Json]) -> None:
        with self._lock:
            self._asked[key] = answer
            while len(self._asked) > KEPT:
                self._asked.popitem(last=False)


def _seat_asked(table: Table, actor: Actor, seat: int | None) -> int:
    """For which seat somebody wants a hint: one that is asked, and theirs.

    :raises NotYourTurn: where there is none.
    """
    ask = table.ask()
    of = seat_of(actor, seat, ask.seats) if isinstance(ask, Turn) else -1
    if not isinstance(ask, Turn) or of not in ask.seats:
        raise NotYourTurn("hint.not_your_turn")
    return of


def _check_not_secret(table: Table, actor: Actor, eyes: int | None, seat: int) -> None:
    """Refuse to tell everybody's screen what follows from a hand that only its seat may see.

    :raises Illegal: there.
    """
    if seat in {actor.seat, eyes} or not isinstance(table.game, Referee):
        return
    game: Referee[Any, Any] = table.game
    if game.as_seen(table.state, None, seat).state != game.as_seen(table.state, seat, seat).state:
        raise Illegal("hint.secret")


def _one_move(table: Table, seat: int) -> Json:
    """What the best bot would do that needs no thought; nobody knows what it promises."""
    seq = table.played()
    move = without_thought(table, seq, seat, random.Random(f"{table.id} {seq}"))  # noqa: S311 -- nothing is dealt
    told = table.game.tells(table.state, Played(seat, move), seat)
    one: Json = [{"move": msgspec.to_builtins(move), "told": told}]
    return one
