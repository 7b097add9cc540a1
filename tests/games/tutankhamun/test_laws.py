"""Laws of every game, tried by playing at random in all three ways of laying the tray; and players for trials."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from companion.game import Move, Played, Step, Turn
from companion.games.tutankhamun.bots import sensible
from companion.games.tutankhamun.moves import Barricade, Deal, Dig, Lay, NoBarricade, Pass, Scarab, Stop
from companion.games.tutankhamun.rules import Tutankhamun
from companion.games.tutankhamun.state import TutankhamunState
from companion.refusals import Refusal
from companion.trials import at_random
from tests.games.tutankhamun.site import Purser, Site, game
from tests.games.tutankhamun.test_secrets import otherwise_hidden
from tests.laws.play import course

Passage = tuple[TutankhamunState, Step, TutankhamunState]
WAYS = ("dealt", "laid", "physical")
LONGEST = 2_000


def playing(table: Tutankhamun, seed: int) -> Iterator[Passage]:
    """Every step of a game: half of the seats play with sense, so that games are short and long."""

    def half(game: Tutankhamun, state: TutankhamunState, seat: int, luck: random.Random) -> Move:
        return (sensible if (seat + seed) % 2 else at_random)(game, state, seat, luck)

    return course(table, random.Random(seed), bot=half)


def games(count: int) -> list[tuple[Tutankhamun, int]]:
    return [
        (game(2 + seed % 5, tray=WAYS[seed % 3], odds=True, open_memory=seed % 2 == 0), seed) for seed in range(count)
    ]


@pytest.mark.rule("TUT-01", "TUT-02", "TUT-11", "TUT-16")
def test_there_are_as_many_cards_scarabs_and_barricades_as_the_rulebook_says() -> None:
    for table, _ in games(5):
        first = table.census(table.start())
        assert (first["cards"], first["silver"]) == (96, 0)
        assert first["scarabs"] == 2 * table.terms.seats
        assert first["barricades"] == table.terms.seats
        assert sum(first[kind] for kind in table.terms.values) == 96


@pytest.mark.rule("TUT-12", "TUT-16")
def test_all_that_is_listed_is_accepted_and_nothing_else() -> None:
    near = [Scarab(), Stop(), Pass(), NoBarricade(), Deal(), Lay(("chain",) * 16)]
    for table, seed in games(9):
        squares = (*table.terms.squares, "e1")
        others: list[Move] = [*near, *map(Dig, squares), *map(Barricade, squares)]
        for before, _, _ in playing(table, seed):
            for seat in range(table.terms.seats):
                choices = table.moves(before, seat)
                assert all(accepted(table, before, seat, move) for move in choices.moves)
                assert [move for move in others if accepted(table, before, seat, move)] == [
                    move for move in others if move in choices.moves
                ]
                assert choices.more == (before.phase == "laying" and seat == before.seat)


def accepted(table: Tutankhamun, state: TutankhamunState, seat: int, move: Move) -> bool:
    try:
        table.after(state, Played(seat, move))
    except Refusal:
        return False
    return True


@pytest.mark.rule("TUT-13", "TUT-14", "TUT-15")
def test_a_second_purser_comes_to_the_same_purses() -> None:
    for table, seed in games(30):
        purser = Purser(table.terms.seats)
        for before, step, after in playing(table, seed):
            purser.follow(before, step, is_last=after.phase == "over")
            assert list(after.purses) == purser.purses
            assert after.takings == purser.aside
        assert [score.total for score in table.tally(after).scores] == purser.purses


@pytest.mark.rule("TUT-20")
def test_every_game_ends_for_a_reason_of_the_rulebook() -> None:
    reasons = set()
    for table, seed in games(45):
        *_, (before, step, after) = playing(table, seed)
        assert after.phase == "over"
        if max(after.depths) <= 1:
            reasons.add("all uncovered")
        elif sum(after.playing) == 1:
            reasons.add("one left")
        else:
            assert step == Played(before.seat, Pass())
            assert {seat for seat in range(table.terms.seats) if after.playing[seat]} <= set(after.passed)
            reasons.add("all passed")
    assert reasons == {"all uncovered", "one left", "all passed"}


@pytest.mark.rule("TUT-16")
def test_nobody_digs_below_a_barricade_and_it_never_stands_in_its_owners_turn() -> None:
    for table, seed in games(15):
        for before, step, after in playing(table, seed):
            if isinstance(step, Played) and isinstance(step.move, Dig):
                assert table.terms.squares.index(step.move.square) not in before.standing
            if after.phase == "digging":
                assert after.standing[after.seat] == -1


def test_sense_stops_when_there_is_more_to_lose_than_to_win() -> None:
    luck, site = random.Random(1), Site(2)
    assert isinstance(sensible(site.game, site.state, 1, luck), Dig)
    for square, card in (("a1", "bracelet"), ("b1", "vase_alabaster"), ("c1", "falcon")):
        site.dig(square, card)
    assert isinstance(sensible(site.game, site.state, 1, luck), Stop)


def test_sense_passes_where_nothing_can_be_dug() -> None:
    site = Site(2)
    state = replace(site.state, depths=(0,) * 16)
    assert isinstance(sensible(site.game, state, 1, random.Random(1)), Pass)


def test_bots_see_only_what_anybody_can_see() -> None:
    table = game(3, tray="dealt")
    for seed in range(5):
        site = Site(3, tray="dealt", seed=seed)
        while isinstance(ask := table.ask(site.state), Turn):
            other = otherwise_hidden(site.state, random.Random(seed))
            for bot in (sensible, at_random):
                chosen = {repr(bot(table, state, ask.seats[0], random.Random(seed))) for state in (site.state, other)}
                assert len(chosen) == 1
            move = sensible(table, site.state, ask.seats[0], random.Random(seed))
            site.uncover(move.square) if isinstance(move, Dig) else site.do(move)
