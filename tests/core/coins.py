"""A game of three rules, to try a table with: toss coins, bury one that nobody sees, or end it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from companion.game import (
    Ask,
    Chance,
    Choices,
    Corrected,
    Correction,
    CorrectionForm,
    Dealt,
    Finished,
    Json,
    Move,
    Outcome,
    Pace,
    Played,
    Score,
    Seat,
    Seen,
    Setup,
    ShovelCue,
    Source,
    State,
    Step,
    Turn,
    can_fall,
)
from companion.pieces.box_differences import BoxDifference
from companion.play.dealer import SealedDealer
from companion.play.entries import JournalLine, Keys, Laid
from companion.play.hall import Hall
from companion.play.journal import Journal, NoJournal
from companion.play.sqlite_journal import SqliteJournal
from companion.play.table import Table
from companion.refusals import Illegal, NotYourTurn, Over

SECRET = bytes(range(32))
KEYS = Keys("host-key", ("ada-key", "ben-key"))


class Toss(Move, frozen=True, tag="toss"):
    count: int


class Bury(Move, frozen=True, tag="bury"):
    pass


class End(Move, frozen=True, tag="end"):
    pass


class Heads(Correction, frozen=True, tag="heads"):
    heads: int


class Coins(State, frozen=True):
    turn: int = 0
    heads: int = 0
    tails: int = 0
    tossing: int = 0
    burying: bool = False
    buried: int = 0
    over: bool = False


def _asked(state: Coins) -> Ask:
    if state.over:
        return CoinGame().tally(state)
    if state.burying:
        return Chance("hole", "hole", tuple((n, 1) for n in range(1, 1001)), pressed=False, hidden=True)
    if state.tossing:
        return Chance(
            "coin",
            "coin",
            (("heads", 1), ("tails", 1)),
            seat=state.turn,
            rule="COI-3",
            facts={"left": state.tossing},
        )
    return Turn((state.turn,))


class CoinGame:
    """Heads and tails only ever grow together with what is tossed."""

    rules_version = 1
    move_types: tuple[type[Move], ...] = (Toss, Bury, End)
    correction_types: tuple[type[Correction], ...] = (Heads,)
    randomizers: tuple[str, ...] = ("coin", "hole")
    endless = False

    def start(self) -> Coins:
        return Coins()

    def ask(self, state: Coins) -> Ask:
        return _asked(state)

    def moves(self, state: Coins, seat: int) -> Choices:
        return Choices((Toss(1), Toss(2), Toss(3), Bury(), End()))

    def after(self, state: Coins, step: Step) -> Coins:
        self._in_place(state, step)
        match step:
            case Played(seat=seat) if seat != state.turn:
                raise NotYourTurn("core.not_your_turn", rule="COI-2")
            case Played(move=Toss(count=count)):
                if not 1 <= count <= 3:
                    raise Illegal("coins.count", rule="COI-1", n=count)
                return msgspec.structs.replace(state, tossing=count)
            case Played(move=Bury()):
                return msgspec.structs.replace(state, burying=True)
            case Played(move=End()):
                return msgspec.structs.replace(state, over=True)
            case Dealt(outcome=str(side)):
                heads = state.heads + (side == "heads")
                left = state.tossing - 1
                turn = state.turn if left else 1 - state.turn
                return msgspec.structs.replace(
                    state, heads=heads, tails=state.tails + (side == "tails"), tossing=left, turn=turn
                )
            case Dealt(outcome=int(where)):
                return msgspec.structs.replace(state, buried=where, burying=False, turn=1 - state.turn)
            case Corrected(correction=Heads(heads=heads)):
                return msgspec.structs.replace(state, heads=heads)
            case _:
                raise Illegal("coins.unknown")

    def _in_place(self, state: Coins, step: Step) -> None:
        """Refuse what the table does not wait for."""
        ask = _asked(state)
        match step:
            case Played() | Corrected() if state.over:
                raise Over("core.over", rule="COI-3")
            case Played() if isinstance(ask, Chance):
                raise Illegal("core.chance_first", rule="COI-1")
            case Dealt() if not isinstance(ask, Chance):
                raise Illegal("core.no_draw", rule="COI-2")
            case Dealt(outcome=outcome) if isinstance(ask, Chance) and not can_fall(ask, outcome):
                raise Illegal("core.cannot_fall", rule="COI-1", outcome=outcome)

    def sees(self, state: Coins, seat: int | None, *, settled: bool = True) -> Seen:
        return Seen(self.public_board(state), None if seat is None else self.private_hand(state, seat))

    def public_board(self, state: Coins, *, settled: bool = True) -> dict[str, Json]:
        return {"heads": state.heads, "tails": state.tails, "holes": int(state.buried > 0)}

    def private_hand(self, state: Coins, seat: int, *, settled: bool = True) -> dict[str, Json] | None:
        return None

    def follows(self, before: Coins, step: Step) -> list[dict[str, Json]]:
        return []

    def tells(self, before: Coins, step: Step, seat: int | None) -> dict[str, Json]:
        match step:
            case Played(move=move):
                told: dict[str, Json] = msgspec.to_builtins(move)
                return told
            case Dealt(outcome=outcome):
                return {"type": "hole"} if before.burying else {"type": "coin", "side": outcome}
            case Corrected(correction=Heads(heads=heads)):
                return {"type": "heads", "heads": heads}
            case _:
                return {}

    def aids(self, state: Coins, seat: int | None) -> dict[str, Json]:
        return {}

    def tally(self, state: Coins) -> Finished:
        return Finished((Score(0, state.heads, {}), Score(1, state.tails, {})), ())

    def closed(self, state: Coins) -> Coins:
        return state

    def census(self, state: Coins) -> Mapping[str, int]:
        return {}

    def reveals(self, before: Coins, after: Coins, seat: int) -> bool:
        return False

    def hides(self, before: Coins, step: Step) -> bool:
        return False

    def depends_on(self, state: Coins, seat: int, move: Move) -> object:
        return None

    def lift_wanted(self, move: Move) -> bool:
        return isinstance(move, Bury)

    def offered(self) -> tuple[type[Move], ...]:
        return self.move_types

    def correction_form(self, state: Coins) -> CorrectionForm:
        return CorrectionForm()

    def off_list_outcomes(self, state: Coins) -> tuple[Outcome, ...]:
        return ()

    def differing(self, state: Coins, seat: int | None, *, settled: bool = True) -> tuple[BoxDifference, ...]:
        return ()

    def differences(self, state: Coins, seat: int | None, *, settled: bool = True) -> list[dict[str, Json]]:
        return []

    def noted(self, state: Coins, seat: int | None, *, settled: bool = True) -> dict[str, Json]:
        return {}

    def cue(self, step: Step) -> ShovelCue | None:
        return "grip" if step == Played(0, Toss(3)) else None


class Clock:
    """A second passes with every look."""

    def __init__(self) -> None:
        self.now = 1_700_000_000_000

    def __call__(self) -> int:
        self.now += 1000
        return self.now


def laid(pace: Pace = "flow", **sources: Source) -> Laid:
    setup = Setup("coins", "toolbox", (Seat("Ada"), Seat("Ben")), sources, pace)
    return Laid("coins", 1, setup, {}, "-", 1, SealedDealer(SECRET).seal, "test")


def coin_table(
    journal: Journal | NoJournal,
    pace: Pace = "flow",
    written: tuple[JournalLine, ...] = (),
    *,
    name: str = "coins",
    game: CoinGame | None = None,
    **sources: Source,
) -> Table:
    """A table of coins, kept in a journal."""
    new = msgspec.structs.replace(laid(pace, **sources), table=name)
    if not isinstance(journal, NoJournal) and not journal.knows(new.table):
        journal.lay(new, SECRET, KEYS)
    return Table(game or CoinGame(), new, SECRET, KEYS, journal=journal, clock=Clock(), written=written)


def on_file(hall: Hall) -> SqliteJournal:
    """The journal of a hall, which is a file."""
    assert isinstance(hall.journal, SqliteJournal)
    return hall.journal


def reopened(folder: Path, pace: Pace = "flow") -> Table:
    """The table of a folder, whose process may be gone; a new one, if there is none yet."""
    journal = SqliteJournal(folder)
    return coin_table(journal, pace, tuple(journal.entries("coins")))
