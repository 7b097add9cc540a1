"""Any game, played at random: what every law is tried on."""

from __future__ import annotations

import os
import random
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple
from zlib import crc32

import msgspec

from companion import games
from companion.boxes import content_of
from companion.game import (
    TEACH,
    AnyGame,
    Ask,
    Chance,
    Dealt,
    Finished,
    Mode,
    Option,
    Pace,
    Played,
    Seat,
    Setup,
    Source,
    State,
    Step,
    Turn,
)
from companion.play.actors import Bot as BotAtTable
from companion.play.dealer import SealedDealer
from companion.play.entries import Keys, Laid, MovePlayed, OutcomeRecorded, TableCorrected
from companion.play.journal import NoJournal
from companion.play.opening import table_of
from companion.play.table import HOST, Table
from companion.trials import Bot

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hana", "Ivo", "Jana", "Kim", "Lea")
"""As many as a box may ask for."""
CHECKED = tuple(filter(None, os.environ.get("DIGSIDE_CHECK", "").split(",")))
"""The games that `digside check-game` is about; all there are, where it is not at work."""
GAMES: tuple[tuple[str, Mode], ...] = tuple(each for each in games.registered() if not CHECKED or each[0] in CHECKED)
"""Every game that is held against the laws: its box and its mode."""
THOROUGH = int(os.environ.get("DIGSIDE_THOROUGH", "1"))
"""How many times as long the laws are tried: once where every change is tried, many times in a soak."""
SECRET = bytes(range(64, 96))
KEYS = Keys("the-key-of-the-host", tuple(f"the-key-of-{name}" for name in NAMES))


class Way(NamedTuple):
    """A way to play: a game, how many sit there, and which options are not the usual ones."""

    box: str
    mode: Mode
    seats: int
    options: tuple[tuple[str, bool | int | str], ...] = ()

    def __str__(self) -> str:
        return "-".join([self.box, self.mode, str(self.seats), *(f"{name}={value}" for name, value in self.options)])

    @property
    def ends(self) -> bool:
        """Whether it comes to an end by itself."""
        return self.mode == "referee" and not self.game().endless

    @property
    def is_smallest(self) -> bool:
        """Whether as few play as can, with no option but the usual ones."""
        return not self.options and self.seats == games.box(self.box).seats.min

    @property
    def is_usual(self) -> bool:
        """Whether as many play as can, with no option but the usual ones."""
        return not self.options and self.seats == games.box(self.box).seats.max

    def setup(self, pace: Pace = "flow", **sources: Source) -> Setup:
        """How such a table is laid."""
        seats = tuple(Seat(name) for name in NAMES[: self.seats])
        setup = Setup(self.box, self.mode, seats, sources, pace, dict(self.options))
        return games.with_defaults(setup, games.box(self.box))

    def game(self) -> AnyGame:
        """The game, with nothing played."""
        return games.open_game(self.setup(), games.box(self.box))

    def table(self, pace: Pace = "flow", **sources: Source) -> Table:
        """A table in play, kept nowhere."""
        box, seal = games.box(self.box), SealedDealer(SECRET).seal
        setup = self.setup(pace, **sources)
        content = msgspec.json.decode(msgspec.json.encode(content_of(box)))
        laid = Laid("law", 1, setup, content, box.digest, self.game().rules_version, seal, "test", confirms=True)
        return table_of(laid, SECRET, KEYS, NoJournal(), clock=lambda: 1)


def every_way() -> Iterator[Way]:
    """Every registered game with the fewest and the most players, and with each option as it is not usual. All that is
    only switched off is so at once, and the tools of a box have all at once, as each changes a tool of its own."""
    for name, mode in GAMES:
        box = games.box(name)
        others = [(option.name, value) for option in games.kind(box, mode).options for value in unusual(option)]
        off = [each for each in others if each[1] is False or mode == "toolbox"]
        alone = [(each,) for each in others if each not in off]
        usual = (Way(name, mode, box.seats.max), Way(name, mode, box.seats.min))
        yield from dict.fromkeys((*usual, *(Way(name, mode, box.seats.max, each) for each in (*alone, tuple(off)))))


def unusual(option: Option) -> list[bool | int | str]:
    """The values of an option that are not the usual one; of numbers, the last stands for all."""
    if option.name == TEACH:
        return []  # what is taught changes no rule, and of what can fall only less can: `test_lessons` tries it
    values = [value for value in option.values if value != option.default]
    return values[-1:] if all(type(value) is int for value in values) else values


WAYS = tuple(every_way())
"""One test for each is what most laws take."""


def some_ways(law: str) -> tuple[Way, ...]:
    """Where a law of all tables is tried that no option is about: with the usual ones, and of each game with one other.

    Each law tries another of these. In a soak, and with a game that is being added, each of them tries all.
    """
    if CHECKED or THOROUGH > 1:
        return WAYS
    usual = [way for way in WAYS if not way.options]
    others = [[way for way in WAYS if way.options and way[:2] == game] for game in GAMES]
    return (*usual, *(ways[crc32(f"{law} {ways[0]}".encode()) % len(ways)] for ways in others if ways))


class Moment(NamedTuple):
    """A step of a game at random."""

    before: Any
    ask: Ask
    step: Step
    after: Any


def at_random(game: AnyGame, luck: random.Random, most: int, bot: Bot | None = None) -> Iterator[Moment]:
    """A game at random, to its end or for so many steps.

    :param bot: chooses the moves; any of those listed, where there is none.
    """
    state = game.start()
    for _ in range(most):
        ask = game.ask(state)
        if isinstance(ask, Finished):
            return
        step = any_step(game, state, ask, luck, bot)
        after = game.after(state, step)
        yield Moment(state, ask, step, after)
        state = after


def course(
    game: Any, luck: random.Random, most: int = 6_000, bot: Bot | None = None
) -> Iterator[tuple[Any, Step, Any]]:
    """The steps of such a game: the state before, the step, and the state after."""
    return ((each.before, each.step, each.after) for each in at_random(game, luck, most, bot))


def any_step(game: AnyGame, state: State, ask: Turn | Chance, luck: random.Random, bot: Bot | None = None) -> Step:
    """One of the steps that can follow."""
    if isinstance(ask, Chance):
        return Dealt(luck.choices([outcome for outcome, _ in ask.odds], [weight for _, weight in ask.odds])[0])
    seat = luck.choice(ask.seats)
    if bot is not None:
        return Played(seat, bot(game, state, seat, luck))
    moves = game.moves(state, seat).moves
    assert moves, f"seat {seat} is asked and can do nothing"
    return Played(seat, luck.choice(moves))


def counts(census: Mapping[str, int]) -> dict[str, int]:
    """What there is of each thing, without those of which there is none."""
    return {name: count for name, count in census.items() if count}


def made_at(table: Table, seqs: Iterable[int]) -> Iterator[Moment]:
    """The steps of a table in play that these of its entries are, also those that were taken back."""
    for seq in seqs:
        entry = table.written[seq - 1].entry
        if isinstance(entry, MovePlayed | OutcomeRecorded | TableCorrected):
            before = table.before(seq)
            yield Moment(before.state, before.ask, table.step_of(entry), table.position(seq).state)


BOT_EACH = 7
"""So often a bot makes the move that somebody who presses has chosen."""


class Presser:
    """Somebody who presses what there is to press at a table, at random."""

    def __init__(self, table: Table, luck: random.Random) -> None:
        self.table = table
        self.luck = luck
        self._requests = 0

    def fresh(self) -> str:
        """A request id."""
        self._requests += 1
        return f"request {self._requests}"

    def press(self) -> bool:
        """Do one thing as the host; False when the game is over."""
        table, luck, ask = self.table, self.luck, self.table.ask()
        match ask:
            case Finished():
                return False
            case Turn(seats=seats):
                seat = luck.choice(seats)
                move = msgspec.to_builtins(luck.choice(table.moves(HOST, seat).moves))
                if table.setup.mode == "referee" and self._requests % BOT_EACH == BOT_EACH - 1:
                    self.play_as_a_bot(seat, move)
                else:
                    table.play(HOST, table.seq, self.fresh(), move, seat=seat)
            case Chance() if table.setup.source(ask.randomizer) == "companion":
                table.answer(HOST, table.seq, self.fresh(), None)
            case Chance():
                outcome = luck.choice([outcome for outcome, weight in ask.odds if weight])
                table.answer(HOST, table.seq, self.fresh(), outcome)
        return True

    def play_as_a_bot(self, seat: int, move: object) -> None:
        """A bot makes a move for a seat whose person is away just then."""
        table = self.table
        table.switch(HOST, self.fresh(), seat, "away")
        table.play(BotAtTable.at(seat), table.seq, self.fresh(), move)
        if not table.settled():
            table.switch(HOST, self.fresh(), seat, "person")

    def go_on(self, most: int) -> Iterator[int]:
        """Press and press, up to so often; after each the number of the newest entry."""
        for _ in range(most):
            if not self.press():
                return
            yield self.table.seq

    def back(self, to: int | None = None) -> None:
        """Take back."""
        self.table.take_back(HOST, self.table.seq, self.fresh(), to)
