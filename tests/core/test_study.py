"""A study of a game: luck and decisions account for all of the result, and a bad move costs what it is worth."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec
import pytest

from companion import games
from companion.game import Chance, Dealt, Finished, Played, Seat, Setup, Step
from companion.play.record import decode
from companion.search.luck import CommonLuck
from companion.search.players import Roster, insight_of
from companion.search.study import Stopped, study
from companion.terminal.study import as_json, studied
from companion.terminal.study import study_lines as lines_of
from companion.words import LANGUAGES


def played(box: str, bots: tuple[str, str], most: int = 2000) -> tuple[object, list[Step]]:
    """A game among bots, step by step."""
    printed = games.box(box)
    setup = games.with_defaults(Setup(box, "referee", (Seat("Ada"), Seat("Ben"))), printed)
    brought = games.bundle(box).refereed
    assert brought is not None
    game, roster = games.open_game(setup, printed), Roster.of(brought())
    state, chance, luck, steps = game.start(), CommonLuck(4), random.Random(4), list[Step]()
    while not isinstance(ask := game.ask(state), Finished) and len(steps) < most:
        if isinstance(ask, Chance):
            steps.append(Dealt(chance.drawn(ask)))
        else:
            seat = ask.seats[0]
            steps.append(Played(seat, roster.bots[bots[seat]](game, state, seat, luck)))
        state = game.after(state, steps[-1])
    return game, steps


def insight(box: str) -> object:
    brought = games.bundle(box).refereed
    return insight_of(brought()) if brought else None


@pytest.mark.parametrize("box", ["tutankhamun", "horus"])
def test_start_and_luck_and_decisions_are_the_end(box: str) -> None:
    game, steps = played(box, ("random", "sensible"), most=150)
    found = study(game, insight(box), steps, courses=4)  # type: ignore[arg-type]
    for seat in range(2):
        summed = found.start[seat] + found.luck[seat] + found.decisions[seat]
        assert summed == pytest.approx(found.end[seat], abs=1e-9)
        assert found.corrected[seat] == pytest.approx(found.start[seat] + found.decisions[seat], abs=1e-9)
    assert len(found.turns) == 3
    assert all(-each.decision[each.seat] >= 0 for each in found.judged), "no decision is better than the best found"
    once = study(game, insight(box), steps[:90], courses=4)  # type: ignore[arg-type]
    assert once == study(game, insight(box), steps[:90], courses=4)  # type: ignore[arg-type]


def test_bad_moves_cost_more_than_sensible_ones() -> None:
    game, steps = played("jenseits", ("random", "sensible"), most=80)
    found = study(game, insight("jenseits"), steps, courses=14)  # type: ignore[arg-type]
    assert found.costs[0] > 2 * found.costs[1]


def test_a_study_can_be_stopped() -> None:
    game, steps = played("tutankhamun", ("sensible", "sensible"), most=60)
    with pytest.raises(Stopped):
        study(game, insight("tutankhamun"), steps, courses=4, stopped=lambda: True)  # type: ignore[arg-type]


def test_a_record_is_gone_through_and_told_in_every_language() -> None:
    told = decode((Path(__file__).parents[1] / "games" / "horus" / "records" / "version_1.json").read_bytes())
    found = studied(told, courses=2)
    assert found.judged
    assert sum(found.end) == pytest.approx(1)
    for language in LANGUAGES:
        lines = list(lines_of(language, told.laid.setup.seats, found))
        assert len(lines) >= 3 + 2 + len(told.laid.setup.seats)
    assert len(msgspec.json.decode(as_json(found))["judged"]) == len(found.judged)
