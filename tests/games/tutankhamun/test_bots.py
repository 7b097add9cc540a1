"""The players for trials."""

from __future__ import annotations

import random
from collections.abc import Callable

from msgspec.structs import replace

from companion.game import Seat, Setup, Turn
from companion.games.tutankhamun import refereed
from companion.games.tutankhamun.bots import sensible
from companion.games.tutankhamun.moves import Dig, Pass, Stop
from companion.games.tutankhamun.rules import Tutankhamun
from companion.trials import Trial, at_random, play_out
from tests.games.tutankhamun.site import Site, box, game
from tests.games.tutankhamun.test_secrets import otherwise_hidden


def trial(names: list[str], *, games: int, seed: int, progress: Callable[[int], None] = lambda done: None) -> Trial:
    setup = Setup("tutankhamun", "referee", tuple(Seat(str(seat)) for seat in range(len(names))))
    return play_out(Tutankhamun(setup, box()), refereed(), names, games=games, seed=seed, progress=progress)


def test_sense_beats_chance() -> None:
    summary = trial(["sensible", "random"], games=60, seed=2)
    assert summary.wins[0] > 0.9 * 60
    assert sum(summary.endings.values()) == 60
    assert summary.endings.keys() <= {"cleared", "all_passed", "one_left"}


def test_the_same_seed_plays_the_same_games() -> None:
    one, two = (trial(["random", "sensible", "random"], games=5, seed=9) for _ in range(2))
    assert one == two != trial(["random", "sensible", "random"], games=5, seed=10)


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
