"""The story of a table, told from its journal: each step with its hour, how the points grew, and who dug with luck."""

from __future__ import annotations

from math import sqrt

import msgspec

from companion import games
from companion.account import Account, PossibleFind, SeatScore
from companion.game import Chance, Outcome
from companion.play.entries import MovePlayed, OutcomeRecorded
from companion.play.history import History
from companion.refusals import Illegal

FEW_FINDS = 5  # so few draws say nothing about luck


class StepTold(msgspec.Struct, frozen=True):
    """A step of a table: its number, and when it was made (milliseconds since 1970)."""

    seq: int
    at: int


class PointTold(msgspec.Struct, frozen=True):
    """What a seat had once an entry was made: `along` is its week, or the entry's number where there are no weeks."""

    seq: int
    along: int
    points: int


class Growth(msgspec.Struct, frozen=True):
    """How the points of each seat grew, as far as everybody at the table could count them."""

    weeks: bool
    seats: tuple[tuple[PointTold, ...], ...]


class Course(msgspec.Struct, frozen=True):
    """How a table went, step by step."""

    seq: int
    laid_at: int
    steps: tuple[StepTold, ...]
    growth: Growth | None


class FindTold(msgspec.Struct, frozen=True):
    """Something that came to light: what, what it was worth, and with which entry."""

    outcome: Outcome
    worth: float
    seq: int


class SeatStory(msgspec.Struct, frozen=True):
    """A digger's luck.

    :param finds: how often something could be found.
    :param worth: what came to light was worth.
    :param expected: what was to be expected, draw by draw.
    :param spread: how far off is still usual (one deviation).
    :param luck: the words for it: `few` draws say nothing; `usual` is within one deviation, `good` and `bad` within
        two, `rare_good` and `rare_bad` beyond.
    :param idle: weeks, or turns, that were let go by.
    """

    seat: int
    finds: int
    worth: float
    expected: float
    spread: float
    luck: str
    idle: int
    best: FindTold | None


class Story(msgspec.Struct, frozen=True):
    """The statistics of a table that is over; `told` says which of them the game knows."""

    seq: int
    finds: bool
    idles: bool
    seats: tuple[SeatStory, ...]


def account_of(table: History) -> Account | None:
    """What the game of a table says of its own, if it does."""
    refereed = games.bundle(table.setup.box).refereed if table.setup.mode == "referee" else None
    return refereed().account if refereed else None


def course(table: History, account: Account | None) -> Course:
    """The steps of a table, and how the points grew, read from nothing but what everybody saw."""
    steps = tuple(StepTold(line.seq, line.at) for line in table.written)
    return Course(table.seq, table.laid.at, steps, _growth(table, account) if account else None)


def _growth(table: History, account: Account) -> Growth | None:
    lines: list[list[PointTold]] = [[] for _ in table.setup.seats]
    weeks = False
    for seq in range(table.seq + 1):
        board = table.game.sees(table.position(seq).state, None, settled=table.settled(seq)).board
        for line, stands in zip(lines, account.standings(table.game, board), strict=False):
            weeks = weeks or stands.week is not None
            _go_on(line, seq, stands)
    return Growth(weeks, tuple(map(tuple, lines))) if any(lines) else None


def _go_on(line: list[PointTold], seq: int, stands: SeatScore) -> None:
    """Another point of a line, where anything has changed."""
    along = seq if stands.week is None else stands.week
    last = line[-1] if line else None
    if last is None or last.points != stands.points or (stands.week is not None and last.along != along):
        line.append(PointTold(seq, along, stands.points))


class _Digger:
    """What a seat has found so far, against what was to be expected."""

    def __init__(self) -> None:
        self.finds = 0
        self.worth = self.expected = self.variance = 0.0
        self.best: FindTold | None = None

    def count_draw(self, may: tuple[PossibleFind, ...], outcome: Outcome, seq: int) -> None:
        """Count a draw, with the odds it had."""
        worth = next((each.worth for each in may if each.outcome == outcome), None)
        total = sum(each.weight for each in may)
        if worth is None or not total:
            return
        mean = sum(each.worth * each.weight for each in may) / total
        self.finds += 1
        self.worth += worth
        self.expected += mean
        self.variance += sum((each.worth - mean) ** 2 * each.weight for each in may) / total
        if worth > 0 and (self.best is None or worth > self.best.worth):
            self.best = FindTold(outcome, worth, seq)

    def summary(self, seat: int, idle: int) -> SeatStory:
        spread = sqrt(self.variance)
        luck = luck_of(self.finds, self.worth - self.expected, spread)
        expected = round(self.expected, 2)
        return SeatStory(seat, self.finds, self.worth, expected, round(spread, 2), luck, idle, self.best)


def luck_of(finds: int, more: float, spread: float) -> str:
    """What can honestly be said of so much more (or less) than expected.

    >>> luck_of(3, 9.0, 1.0), luck_of(20, 2.0, 3.0), luck_of(20, -5.0, 3.0), luck_of(20, 7.0, 3.0)
    ('few', 'usual', 'bad', 'rare_good')
    """
    if finds < FEW_FINDS or not spread:
        return "few"
    if abs(more) <= spread:
        return "usual"
    well = "good" if more > 0 else "bad"
    return well if abs(more) <= 2 * spread else f"rare_{well}"


def story(table: History, account: Account | None) -> Story:
    """The statistics of a table, over the steps that still count.

    :raises Illegal: before the end is final: they count what nobody may know until then.
    """
    if not table.settled():
        raise Illegal("core.before_the_end")
    if account is None:
        return Story(table.seq, finds=False, idles=False, seats=())
    diggers = [_Digger() for _ in table.setup.seats]
    idle = [0] * len(diggers)
    alive = table.survivors()
    for line in table.written:
        before = table.before(line.seq)
        match line.entry:
            case MovePlayed() as moved if line.seq in alive:
                move = table.read_move(moved.move)
                idle[moved.seat] += account.idle(table.game, before.state, moved.seat, move)
            case OutcomeRecorded(outcome=outcome) if line.seq in alive and isinstance(before.ask, Chance):
                seat = before.ask.seat
                if seat is not None:
                    diggers[seat].count_draw(
                        account.may_be_found(table.game, before.state, before.ask), outcome, line.seq
                    )
    seats = tuple(digger.summary(seat, idle[seat]) for seat, digger in enumerate(diggers))
    return Story(table.seq, any(each.finds for each in seats), any(idle), seats)
