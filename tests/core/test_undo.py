"""Taking back: open to whoever acted as long as nothing has been revealed since; beyond that, to the host alone."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest

from companion.game import Ask, Chance, Pace, Source
from companion.play.history import TakeBackOffer
from companion.play.journal import NoJournal
from companion.play.table import HOST, SPECTATOR, Actor, Table
from companion.play.view import view
from companion.refusals import Illegal
from tests.core.coins import KEYS, SECRET, Clock, CoinGame, Coins, laid

ADA, BEN = Actor("seat", 0), Actor("seat", 1)
SIDES = (("heads", 1), ("tails", 1))
fresh = itertools.count().__next__


class Drawn(CoinGame):
    """Coins whose draws after a toss are, one after the other, open, veiled, hidden, or reported.

    :param already: how many are drawn before the first move.
    """

    def __init__(self, *kinds: str, already: int) -> None:
        self.kinds = kinds
        self.already = already

    def start(self) -> Coins:
        return Coins(tossing=self.already)

    def ask(self, state: Coins) -> Ask:
        if not state.tossing:
            return super().ask(state)
        kind = self.kinds[-state.tossing]
        chances = {
            "open": Chance("coin", "coin", SIDES, seat=state.turn),
            "open, by no hand": Chance("coin", "coin", SIDES, pressed=False),
            "veiled": Chance("coin", "coin", SIDES, seat=state.turn, veiled=True),
            "hidden": Chance("hole", "hole", SIDES, seat=state.turn, hidden=True),
            "reported": Chance("board", "board", SIDES, seat=state.turn),
            "reported by anybody": Chance("board", "board", SIDES),
            "reported and hidden": Chance("board", "board", SIDES, seat=state.turn, hidden=True),
        }
        return chances[kind]


def table_of(*kinds: str, pace: Pace = "flow", already: int = 0) -> Table:
    game, sources = Drawn(*kinds, already=already), dict[str, Source](board="table")
    return Table(game, laid(pace, **sources), SECRET, KEYS, journal=NoJournal(), clock=Clock())


def toss(table: Table, actor: Actor = ADA) -> None:
    """A toss, and all the draws that follow, pressed or reported by the same hand."""
    assert isinstance(table.game, Drawn)
    table.play(actor, table.seq, f"r{fresh()}", {"type": "toss", "count": len(table.game.kinds)})
    while isinstance(ask := table.ask(), Chance):
        report(table, "tails" if table.setup.source(ask.randomizer) == "table" else None, actor)


def report(table: Table, outcome: str | None = "tails", actor: Actor = ADA) -> None:
    table.answer(actor, table.seq, f"r{fresh()}", outcome)


def bury(table: Table, actor: Actor) -> None:
    table.play(actor, table.seq, f"r{fresh()}", {"type": "bury"})


def back(table: Table, actor: Actor, to: int | None = None) -> None:
    table.take_back(actor, table.seq, f"r{fresh()}", to)


def said(offer: TakeBackOffer) -> tuple[bool, str | None]:
    return offer.open, offer.why


OPEN = (True, None)
REVEALED = (False, "undo.revealed")


@pytest.mark.parametrize("pace", ["flow", "press"])
@pytest.mark.parametrize(
    ("kinds", "then"),
    [
        (["hidden"], OPEN),
        (["hidden", "hidden"], OPEN),
        (["open"], REVEALED),
        (["veiled"], REVEALED),
        (["open, by no hand"], REVEALED),
        (["open", "open"], REVEALED),
        (["hidden", "open"], REVEALED),
        (["open", "hidden"], REVEALED),
        (["veiled", "hidden"], REVEALED),
        (["hidden", "veiled"], REVEALED),
        (["hidden", "open", "hidden"], REVEALED),
        (["open", "hidden", "open"], REVEALED),
    ],
    ids=str,
)
def test_a_move_is_the_seats_to_take_back_until_something_is_revealed(
    kinds: Sequence[str], then: tuple[bool, str | None], pace: Pace
) -> None:
    table = table_of(*kinds, pace=pace)
    toss(table)
    assert said(table.offer(ADA)) == then
    assert said(table.offer(BEN)) == (False, "undo.not_yours")
    assert said(table.offer(SPECTATOR)) == (False, "undo.not_yours")
    assert said(table.offer(HOST)) == (True, then[1])
    if then == REVEALED:
        with pytest.raises(Illegal, match="only the host"):
            back(table, ADA)
    back(table, ADA if then == OPEN else HOST)
    assert table.position().seq == 0


def test_what_was_reported_is_put_right_by_whoever_reported_it() -> None:
    table = table_of("reported")
    toss(table)
    assert said(table.offer(ADA)) == OPEN
    assert said(table.offer(BEN)) == (False, "undo.not_yours")
    back(table, ADA)
    report(table, "heads")
    assert view(table)["board"] == {"heads": 1, "tails": 0, "holes": 0}
    assert said(table.offer(ADA)) == OPEN, "and once more"


def test_what_the_host_reported_for_nobody_is_no_seats_to_take_back() -> None:
    table = table_of("reported by anybody")
    table.play(ADA, 0, "toss", {"type": "toss", "count": 1})
    report(table, "heads", HOST)
    assert said(table.offer(ADA)) == said(table.offer(SPECTATOR)) == (False, "undo.not_yours")
    assert said(table.offer(HOST)) == OPEN


@pytest.mark.parametrize("blanks", [1, 2, 3])
def test_nobody_takes_back_a_move_because_of_what_was_reported(blanks: int) -> None:
    """A seat that has reported blanks takes back the reports, and would go on to dig longer."""
    table = table_of(*["reported"] * blanks)
    toss(table)
    for _ in range(blanks):
        assert said(table.offer(ADA)) == OPEN
        back(table, ADA)
    assert table.position().seq == 1, "the move itself still counts"
    assert said(table.offer(ADA)) == REVEALED
    with pytest.raises(Illegal, match="only the host"):
        back(table, ADA)
    assert view(table, ADA)["undo"] == {"open": False, "to": None, "why": "undo.revealed", "redo": table.seq - 1}
    assert view(table, HOST)["undo"] == {"open": True, "to": 0, "why": "undo.revealed", "redo": table.seq - 1}
    back(table, HOST)
    assert table.position().seq == 0


def test_a_report_that_was_put_right_leaves_the_move_behind_it_closed() -> None:
    table = table_of("reported", "reported")
    table.play(ADA, 0, "toss", {"type": "toss", "count": 2})
    report(table, "heads")
    back(table, ADA)
    report(table, "tails")
    back(table, ADA)
    assert said(table.offer(ADA)) == REVEALED


def test_a_report_that_was_taken_back_can_be_gone_forward_to_again() -> None:
    table = table_of("reported")
    toss(table)
    back(table, ADA)
    redo = table.offer(ADA).redo
    assert redo == 2
    assert table.offer(BEN).redo is None
    back(table, ADA, redo)
    assert view(table)["board"] == {"heads": 0, "tails": 1, "holes": 0}
    assert said(table.offer(ADA)) == OPEN


def test_what_is_reported_unseen_closes_nothing() -> None:
    table = table_of("reported and hidden")
    toss(table)
    back(table, ADA)
    assert said(table.offer(ADA)) == OPEN
    back(table, ADA)
    assert table.position().seq == 0


@pytest.mark.parametrize(
    ("kinds", "then"),
    [
        (["reported", "hidden"], OPEN),
        (["reported", "open"], REVEALED),
        (["reported", "veiled"], REVEALED),
        (["reported", "open", "hidden"], REVEALED),
        (["reported", "hidden", "open"], REVEALED),
        (["open", "reported"], OPEN),
    ],
    ids=str,
)
def test_a_report_is_closed_by_what_the_companion_reveals_after_it(
    kinds: Sequence[str], then: tuple[bool, str | None]
) -> None:
    table = table_of(*kinds)
    toss(table)
    assert said(table.offer(ADA)) == then


def test_a_report_before_something_dealt_stays_closed_when_a_later_one_is_put_right() -> None:
    table = table_of("reported", "open", "reported")
    toss(table)
    back(table, ADA)
    assert said(table.offer(ADA)) == REVEALED


def test_a_reveal_that_the_host_took_back_has_been_seen_all_the_same() -> None:
    table = table_of("open", pace="press")
    toss(table)
    back(table, HOST, to=1)
    assert said(table.offer(ADA)) == REVEALED
    assert said(table.offer(HOST)) == (True, "undo.revealed")


def test_what_was_revealed_before_a_move_does_not_close_it() -> None:
    table = table_of("open")
    toss(table)
    back(table, HOST)
    bury(table, ADA)
    assert said(table.offer(ADA)) == OPEN
    assert said(table.offer(HOST)) == OPEN


@pytest.mark.parametrize(("kinds", "why"), [(["hidden"], None), (["open", "hidden"], "undo.revealed")], ids=str)
def test_what_was_drawn_before_the_first_move_is_the_hosts_to_take_back(kinds: Sequence[str], why: str | None) -> None:
    table = table_of(*kinds, already=len(kinds))
    assert table.offer(HOST) == TakeBackOffer(False, why="undo.nothing")
    table.begin()
    assert table.offer(ADA) == TakeBackOffer(False, why="undo.nothing")
    assert table.offer(HOST) == TakeBackOffer(True, 0, why)


def test_of_an_earlier_view_only_what_was_seen_by_then_counts() -> None:
    table = table_of("hidden", "open", pace="press")
    toss(table)
    assert said(table.offer(ADA, 1)) == said(table.offer(ADA, 2)) == OPEN
    assert said(table.offer(ADA, 3)) == REVEALED
