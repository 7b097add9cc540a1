"""Players for trials."""

from __future__ import annotations

import random
from collections.abc import Callable

from companion.game import Played, Seat, Setup
from companion.games.jenseits import refereed
from companion.games.jenseits.bots import BOTS, promise, sensible
from companion.games.jenseits.moves import Dig
from companion.games.jenseits.plans import CLOSER, objects_likely
from companion.games.jenseits.rules import Jenseits
from companion.pieces.bag import Bag
from companion.trials import Trial, play_out
from tests.games.jenseits.expedition import Expedition, box


def trial(names: list[str], *, games: int, seed: int, progress: Callable[[int], None] = lambda done: None) -> Trial:
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


def test_sense_likes_a_dig_for_what_an_exhibition_still_asks_for() -> None:
    """London asks for one object from Greece and two from Egypt; one from Egypt is missing."""
    plain, shown = Expedition(), Expedition()
    for table in (plain, shown):
        for site in ("egypt", "crete"):
            table.give(0, f"book-{site}-moscow-3")
        table.find(0, "greece", "object:1")
        table.find(0, "egypt", "object:1")
    shown.show("b", "exhibition-small-london")

    def liked(dig: Dig) -> float:
        with_it, without = (promise(table.game.at(table.state), dig) for table in (shown, plain))
        return with_it - without

    assert liked(Dig("crete", 12)) == 0
    assert 0 < liked(Dig("egypt", 6)) < liked(Dig("egypt", 12)) <= CLOSER


def test_objects_are_likely_as_a_bag_has_them() -> None:
    bag = Bag.of({"object:1": 1, "object:4": 2, "book:1": 1, "blank": 2})
    assert objects_likely(bag, 2, 1) == 0.75
    assert objects_likely(bag, 2, 2) == 0.25
    assert objects_likely(bag, 2, 0) == 1
