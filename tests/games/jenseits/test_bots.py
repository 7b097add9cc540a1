"""Players for trials."""

from __future__ import annotations

import random
from collections.abc import Callable

from companion.game import Played, Seat, Setup
from companion.games.jenseits import refereed
from companion.games.jenseits.bots import BOTS, sensible
from companion.games.jenseits.moves import Dig
from companion.games.jenseits.rules import Jenseits
from companion.trials import Summary, play_out
from tests.games.jenseits.expedition import Expedition, box


def trial(names: list[str], *, games: int, seed: int, progress: Callable[[int], None] = lambda done: None) -> Summary:
    setup = Setup("jenseits", "referee", tuple(Seat(str(seat)) for seat in range(len(names))))
    return play_out(Jenseits(setup, box()), refereed(), names, games=games, seed=seed, progress=progress)


def test_sense_beats_luck() -> None:
    summary = trial(["random", "sensible"], games=60, seed=3)
    assert summary.wins[1] > 0.95 * 60
    assert sum(summary.wins) == 60


def test_the_same_seed_plays_the_same_games() -> None:
    one, other = (trial(["sensible", "random", "random"], games=3, seed=7) for _ in range(2))
    assert one == other
    assert one != trial(["sensible", "random", "random"], games=3, seed=8)


def test_a_summary_tells_scores_wins_length_and_endings() -> None:
    heard: list[int] = []
    summary = trial(["sensible", "sensible"], games=5, seed=1, progress=heard.append)
    assert heard == [1, 2, 3, 4, 5]
    assert len(summary.scores) == len(summary.steps) == 5
    assert summary.endings.keys() <= {"last_week", "some_retired", "all_retired"}
    assert sum(summary.endings.values()) == 5


def test_every_bot_makes_legal_moves_also_when_only_retiring_is_left() -> None:
    table = Expedition()
    table.set(0, 52, 1903)
    table.set(1, 52, 1903, on_top=False)
    table.stand(0, "egypt")
    for bot in BOTS.values():
        move = bot(table.game, table.state, 0, random.Random(1))
        table.game.after(table.state, Played(0, move))


def test_sense_digs_where_it_knows_most_when_time_runs_out() -> None:
    table = Expedition()
    table.give(0, "book-egypt-moscow-3", "book-egypt-london-2", "book-egypt-berlin-2", "open_book-paris-2")
    table.give(0, "book-crete-berlin-1")
    table.stand(0, "egypt")
    table.set(0, 45, 1903)
    table.set(1, 50, 1903)
    move = sensible(table.game, table.state, 0, random.Random(1))
    assert isinstance(move, Dig)
    assert (move.site, move.weeks) == ("egypt", 8), "the 8 weeks that are left"
