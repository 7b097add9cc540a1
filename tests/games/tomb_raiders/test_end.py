"""How The Tomb Raiders ends, and what it scores."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.games.tomb_raiders.moves import Take
from companion.games.tomb_raiders.state import score_of
from companion.pieces.bag import Bag
from tests.games.tomb_raiders.camp import Camp


def almost_empty(*left: str) -> Camp:
    """The draw pile has these cards left; all others have left the game."""
    camp = Camp()
    gone = [card for card, n in camp.state.deck.odds() for _ in range(n)]
    for card in left:
        gone.remove(card)
    camp.state = replace(camp.state, deck=Bag.of(left), gone=tuple(gone))
    return camp


@pytest.mark.rule("TTR-70")
def test_the_game_ends_with_the_last_card_and_the_weeks_are_still_paid() -> None:
    camp = almost_empty("museum-1", "assistant")
    camp.play(Take("congress"))
    assert camp.at() == 2
    camp.draw("museum-1", "assistant")
    assert camp.end.winners == (0,), "a congress is a point"
    assert camp.game.moves(camp.state, 1).moves == ()


@pytest.mark.rule("TTR-70")
def test_it_ends_too_where_a_space_stays_empty() -> None:
    camp = almost_empty("museum-1")
    camp.play(Take("congress"))
    camp.draw("museum-1")
    assert camp.end.scores[0].parts["congresses"] == 1
    assert None in camp.state.storage


@pytest.mark.rule("TTR-71")
def test_points_are_for_finds_presentations_professors_congresses_and_weeks_behind() -> None:
    camp = Camp()
    camp.find(0, "artifact-egypt-6", "artifact-crete-4")
    camp.give(0, "expertise-egypt-3", "expertise-egypt-1", "general-2", "general-2", "general-2")
    camp.give(0, *["congress"] * 3)
    camp.state = camp.here(0).replace(deck=camp.state.deck.without("exhibition-1")).laid("exhibition-1").state
    camp.state = camp.here(0).replace(deck=camp.state.deck.without("museum-4")).laid("museum-4").state
    camp.put(0, 10)
    camp.put(1, 18)
    score = score_of(camp.here(0))
    expected = {"artifacts": 10, "exhibitions": 6, "professors": 10, "museums": 8, "congresses": 6, "weeks": 2}
    assert score.parts == expected
    assert score.total == 42
    assert score_of(camp.here(1)).parts["weeks"] == 0


@pytest.mark.rule("TTR-71")
@pytest.mark.parametrize(("behind", "points"), [(0, 0), (2, 0), (3, 1), (5, 1), (6, 2), (12, 4)])
def test_every_full_three_weeks_behind_are_a_point(behind: int, points: int) -> None:
    camp = Camp()
    camp.put(1, behind)
    assert score_of(camp.here(0)).parts["weeks"] == points


@pytest.mark.rule("TTR-71", "TTR-73")
@pytest.mark.parametrize(("congresses", "points"), [(0, 0), (1, 1), (2, 3), (5, 15), (7, 28), (8, 28)])
def test_congresses_score_together_and_more_than_seven_no_more(congresses: int, points: int) -> None:
    camp = Camp(stored=("general-1", "expertise-crete-1", "assistant", "scientist"))
    camp.give(0, *["congress"] * congresses)
    assert score_of(camp.here(0)).parts["congresses"] == points


@pytest.mark.rule("TTR-72")
def test_a_tie_goes_to_the_one_furthest_back_and_on_one_week_is_shared() -> None:
    camp = Camp(3)
    camp.find(0, "artifact-egypt-1")
    camp.find(1, "artifact-crete-1")
    for seat, week in ((0, 4), (1, 5), (2, 5)):
        camp.put(seat, week)
    assert camp.game.tally(camp.state).winners == (0,)
    camp.put(0, 5)
    assert camp.game.tally(camp.state).winners == (0, 1)
    camp.find(1, "artifact-crete-2")
    assert camp.game.tally(camp.state).winners == (1,)
