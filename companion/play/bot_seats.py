"""The bots of a table: each moves when it is asked, once, at a pace that people can follow, and nobody waits in vain.

Whoever has the table calls `step` whenever something has changed there, and again as soon as that says. What a bot does
is worked out from the table alone: after a restart it goes on where it was.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Protocol
from zlib import crc32

import msgspec

from companion import games
from companion.game import Chance, Json, Move, SeatKind, Turn
from companion.play.actors import Bot
from companion.play.entries import MovePlayed, OutcomeRecorded, StepsUndone
from companion.play.sitting import BOTS, PLAYED_FOR, BotNews
from companion.play.table import Table
from companion.play.thinking import BotQuestion, Thinker
from companion.refusals import Refusal, Storage
from companion.trials import Bot as Player
from companion.trials import at_random

log = logging.getLogger(__name__)

LEAST_S = 1.2
"""A move of a bot comes no sooner than people can follow …"""
EACH_DRAW_S = 0.6
"""… and so much later for each draw that came up since the last move …"""
LONGEST_PAUSE_S = 6.0
"""… but no later than that."""
AFTER_UNDO_S = 5.0
"""So long people have after a step back, for another or to say who plays."""
MOST_S = 8.0
"""So long a table waits for a thought; then the bot that needs none moves."""
LIFT_S = 2.0
"""So often it is looked whether somebody has lifted for a bot."""
LIFT_AGAIN_S = 10.0
LIFTS = 3
"""So often a lift is begun for a bot's move; after that the move counts without, and somebody puts things right."""
STAYS: tuple[BotNews, ...] = ("without", "no_room")
DISK_S = 5.0
"""So long after a disk or database refused it is tried again."""


class BotCrew(Protocol):
    """What the bots of a table need of whoever has it. Calls come from any thread."""

    def thinker(self) -> Thinker | None:
        """The process for thinking; none where this machine has no room for one: then bots move without."""

    def watches(self, table: Table) -> bool:
        """Whether the bots are to play on now. Where they are not, it calls again once they are."""

    def changed(self, table: Table) -> None:
        """There is other news of the bots than before."""

    def wake(self, table: str) -> None:
        """A thought has come: call soon."""

    def play(self, table: Table, actor: Bot, seq: int, request: str, move: object) -> object:
        """Make a bot's move; with the shovel where that is in use. Answers a number once it is made."""

    def lifts_at(self, table: Table) -> bool:
        """Whether somebody's lift is under way at a table."""


class BotDuty(msgspec.Struct, frozen=True):
    """What a bot is to do: move, or press for a draw of the companion's, at the entry that it was asked at."""

    seq: int
    seat: int
    draws: bool


class BotSeats:
    """The bots of a table.

    :param least_s: a move comes no sooner than so long after what came before it, and later after draws.
    :param most_s: so long it is waited for a thought.
    """

    def __init__(
        self,
        table: Table,
        crew: BotCrew,
        *,
        least_s: float = LEAST_S,
        most_s: float = MOST_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.table = table
        self._crew = crew
        self._least_s, self._most_s = least_s, most_s
        self._clock = clock
        self._duty: BotDuty | None = None
        self._begun = 0.0
        self._answer: Future[Json] | None = None
        self._lifts = 0

    def step(self) -> float | None:
        """Do what a bot has to do by now.

        :returns: in how many seconds to call again; None where nothing is to be done until the table changes.
        """
        duty = self._wanted()
        if duty != self._duty:
            self._begin(duty)
        if duty is None or self._duty is None:
            return None
        if duty.draws:
            return self._wait() or self._made(self._draw, duty)
        if self._answer is not None and not self._answer.done() and not self._late():
            return max(0.0, self._begun + self._most_s - self._clock())
        return self._wait() or self._made(self._move, duty)

    def leave(self) -> None:
        """Have nobody think any more."""
        self._begin(None)

    def _wanted(self) -> BotDuty | None:
        """What a bot is to do at the table as it is."""
        table = self.table
        with table.lock:
            ask, kinds, seq = table.ask(), table.kinds, table.played()
            if table.over() or table.going or table.setup.mode != "referee" or set(kinds) == {"person"}:
                return None
            if not self._crew.watches(table):
                return None
            if isinstance(ask, Turn):
                seat = next((seat for seat in ask.seats if kinds[seat] in PLAYED_FOR), None)
                return BotDuty(seq, seat, False) if seat is not None and not self._lifted_by_others(seat) else None
            if isinstance(ask, Chance) and table.setup.source(ask.randomizer) == "companion":
                drawer = _drawer(table, ask, kinds)
                return BotDuty(seq, drawer, True) if drawer is not None else None
        return None

    def _lifted_by_others(self, seat: int) -> bool:
        """Whether people lift a card just now: nobody presses into that."""
        waits = self._duty is not None and self._duty.seat == seat and self._lifts > 0
        return not waits and self._crew.lifts_at(self.table)

    def _begin(self, duty: BotDuty | None) -> None:
        """Turn to another thing to do, or to nothing."""
        thinker = self._crew.thinker() if self._answer is not None else None
        if thinker is not None and self._answer is not None:
            thinker.forget(self._answer)
        self._duty, self._answer, self._begun, self._lifts = duty, None, self._clock(), 0
        if duty is None or duty.draws:
            self._say(None, None)
            return
        kind = self.table.kinds[duty.seat]
        thinker = self._crew.thinker() if kind in BOTS else None
        self._say(duty.seat, "thinks" if thinker is not None else "no_room" if kind in BOTS else None)
        if thinker is not None:
            self._answer = thinker.ask(self._question(duty, kind))
            table = self.table.id
            self._answer.add_done_callback(lambda _: self._crew.wake(table))

    def _question(self, duty: BotDuty, kind: SeatKind) -> BotQuestion:
        return BotQuestion.of(self.table.laid_now, self.table.state, duty.seat, kind, _seed(self.table, duty))

    def _wait(self) -> float:
        """How long until the move may come: people follow what came before it."""
        table, pause = self.table, self._least_s
        with table.lock:
            newest = table.written[table.played() - 1].entry if table.played() else None
            if isinstance(newest, StepsUndone):
                pause *= AFTER_UNDO_S / LEAST_S
            else:
                pause += pause * EACH_DRAW_S / LEAST_S * _draws_since(table)
        return max(0.0, self._begun + min(pause, LONGEST_PAUSE_S) - self._clock())

    def _late(self) -> bool:
        return self._clock() - self._begun >= self._most_s

    def _made(self, make: Callable[[BotDuty], float | None], duty: BotDuty) -> float | None:
        """Make it; where the table has moved on, or will not have it, look again."""
        try:
            return make(duty)
        except Storage:
            return DISK_S
        except Refusal as refusal:
            with self.table.lock:
                moved_on = self.table.played() != duty.seq
            if not moved_on:
                log.warning("table %s refuses the bot of seat %s: %s", self.table.id, duty.seat, refusal)
            return 0.0 if moved_on else DISK_S

    def _draw(self, duty: BotDuty) -> float:
        self.table.answer(Bot.at(duty.seat), duty.seq, _request(self.table, duty), None)
        return 0.0

    def _move(self, duty: BotDuty) -> float:
        """Have the bot make its move, or wait for the lift that its move waits for."""
        if self._lifts:
            if self._crew.lifts_at(self.table):
                return LIFT_S
            if self._clock() - self._begun < LIFT_AGAIN_S:
                return LIFT_S
        move = self._thought(duty)
        request = _request(self.table, duty) + (f" {self._lifts}" if self._lifts else "")
        bot = Bot.at(duty.seat)
        by_hand = self._lifts >= LIFTS
        play = self.table.play if by_hand else partial(self._crew.play, self.table)
        made = play(bot, duty.seq, request, move)
        if isinstance(made, int):
            return 0.0
        self._lifts, self._begun = self._lifts + 1, self._clock()
        self._say(duty.seat, "lifts")
        return LIFT_S

    def _thought(self, duty: BotDuty) -> Json:
        """What came of thinking; where nothing did in time, the move of the bot that needs no thought."""
        answer, move = self._answer, None
        thinker = self._crew.thinker()
        if answer is not None and answer.done():
            move = answer.result()
        elif answer is not None and thinker is not None:
            thinker.give_up(answer)
        if answer is not None:
            self._say(duty.seat, "without" if move is None else None, soon=True)
        if move is not None:
            return move
        luck = random.Random(_seed(self.table, duty))  # noqa: S311 -- a bot's, nothing is dealt by it
        quick: Json = msgspec.to_builtins(without_thought(self.table, duty.seq, duty.seat, luck))
        return quick

    def _say(self, seat: int | None, news: BotNews | None, *, soon: bool = False) -> None:
        """Note what there is to say of a bot; how one moved stays until it is asked again.

        :param soon: its move tells of it, in a moment.
        """
        told = {at: each for at, each in self.table.bot_news.items() if each in STAYS and at != seat}
        if seat is not None and news is not None:
            told[seat] = news
        if told != self.table.bot_news:
            self.table.bot_news = told
            if not soon:
                self._crew.changed(self.table)


def without_thought(table: Table, seq: int, seat: int, luck: random.Random) -> Move:
    """The move of the best bot that needs no thought; a game that brings none is played at random."""
    refereed = games.bundle(table.setup.box).refereed
    player: Player = [at_random, *(refereed().bots.values() if refereed is not None else ())][-1]
    return player(table.game, table.position(seq).state, seat, luck)


def _drawer(table: Table, ask: Chance, kinds: tuple[SeatKind, ...]) -> int | None:
    """Which bot presses for a draw: for its own, for what follows from its move, or for all where no person plays."""
    if ask.seat is not None:
        drawer: int | None = ask.seat if kinds[ask.seat] in PLAYED_FOR else None
    else:
        drawer = _mover(table)
    if "person" not in kinds:
        return drawer if drawer is not None else 0
    return drawer if table.played() else None  # before the first draw people see the seal, and may stir


def _mover(table: Table) -> int | None:
    """The seat of the bot that made the newest move; None where a person did."""
    trail = table.position().trail
    while trail is not None and not isinstance(trail.entry, MovePlayed):
        trail = trail.before.trail
    entry = trail.entry if trail is not None else None
    return entry.seat if isinstance(entry, MovePlayed) and entry.by == "bot" else None


def _draws_since(table: Table) -> int:
    """How many draws came up since the newest move."""
    draws, trail = 0, table.position().trail
    while trail is not None and isinstance(trail.entry, OutcomeRecorded) and draws < 10:
        draws, trail = draws + 1, trail.before.trail
    return draws


def _request(table: Table, duty: BotDuty) -> str:
    """By which a press of a bot is known, whoever makes it: it counts once."""
    return f"bot {table.id} {duty.seq} {duty.seat}"


def _seed(table: Table, duty: BotDuty) -> int:
    return crc32(_request(table, duty).encode())
