"""Time, taking and playing cards, digs, professors and presentations: rule by rule."""

from __future__ import annotations

import msgspec
import pytest

from companion.game import Chance, Dealt, Move, Pace, Played
from companion.games.tomb_raiders.draws import NOTHING
from companion.games.tomb_raiders.moves import Dig, Donate, Exhibit, Play, Take
from companion.games.tomb_raiders.state import BEST, GENERAL, LIKE_GENERAL, permit_of
from companion.play.table import HOST, Actor
from companion.play.view import view
from tests.games.in_play import at_the_table
from tests.games.tomb_raiders.camp import Camp, game

ADA = Actor("seat", 0)


def after_hidden(camp: Camp) -> None:
    """What is worked out of the piles falls as it will."""
    while isinstance(ask := camp.game.ask(camp.state), Chance) and ask.hidden:
        camp.deal(next(outcome for outcome, weight in ask.odds if weight))


@pytest.mark.rule("TTR-01")
def test_who_is_on_top_begins_and_then_whoever_is_furthest_back() -> None:
    camp = Camp(3)
    assert [camp.at(seat) for seat in range(3)] == [0, 0, 0]
    assert camp.seat == 0
    camp.play(Take("congress"))  # 2 weeks
    camp.draw("congress")
    assert camp.seat == 1
    camp.play(Take("congress"))
    camp.draw("congress")
    assert camp.seat == 2
    camp.play(Take("scientist"))  # 1 week: still behind, so it plays on
    camp.draw("thief-egypt")
    assert camp.seat == 2
    camp.play(Take("expertise-crete-1"))
    camp.draw("congress")
    assert camp.seat == 2, "who arrives lies on top"


@pytest.mark.rule("TTR-02")
def test_whoever_is_asked_can_do_something_and_nothing_but_the_five() -> None:
    camp = Camp()
    assert {type(move) for move in camp.moves} == {Take}
    assert camp.refuses(Take("congress"), 1).rule == "TTR-01"


@pytest.mark.rule("TTR-03")
def test_weeks_go_on_without_end() -> None:
    camp = Camp()
    camp.put(0, 400)
    camp.put(1, 401)
    camp.play(Take("congress"))
    assert camp.at(0) == 402


@pytest.mark.rule("TTR-10")
@pytest.mark.parametrize(("seats", "each", "general"), [(2, 2, 0), (3, 1, 2), (4, 1, 1)])
def test_everybody_begins_with_excavation_cards(seats: int, each: int, general: int) -> None:
    start = game(seats).start()
    for mine in start.seats:
        assert {region: mine.hand.count(permit_of(region)) for region in mine.expertise} == dict.fromkeys(
            ("greece", "crete", "egypt", "mesopotamia"), each
        )
        assert mine.hand.count(GENERAL) == general


@pytest.mark.rule("TTR-11", "TTR-12")
def test_spaces_are_filled_and_presentations_go_on_display() -> None:
    camp = Camp(stored=("exhibition-1", "general-1", "museum-2", "congress", "scientist", "thief-egypt"))
    assert camp.state.storage == ("general-1", "congress", "scientist", "thief-egypt")
    assert camp.state.shown == ("exhibition-1", "museum-2")
    camp.play(Take("congress"))
    assert camp.chance.facts == {"place": 2}
    camp.draw("museum-1", "congress")
    assert camp.state.storage == ("general-1", "congress", "scientist", "thief-egypt")
    assert camp.state.turned == 8


@pytest.mark.rule("TTR-20")
def test_a_card_costs_its_weeks_and_goes_into_the_hand_or_lies_open() -> None:
    camp = Camp()
    camp.play(Take("scientist"))
    camp.draw("thief-egypt")
    assert "scientist" in camp.who().hand
    assert "scientist" not in camp.who().cards
    camp.put(0, 0)
    camp.play(Take("general-1"))
    assert camp.at() == 3
    assert camp.who().cards == ("general-1",)
    assert camp.who().general == 1


@pytest.mark.rule("TTR-20", "TTR-21")
def test_only_what_is_in_storage_is_taken_and_no_artifact_ever() -> None:
    camp = Camp()
    assert camp.refuses(Take("assistant")).rule == "TTR-20"
    assert camp.refuses(Take("artifact-egypt-1")).rule == "TTR-20"


@pytest.mark.rule("TTR-30")
def test_an_action_card_is_played_from_the_hand_and_leaves_the_game() -> None:
    camp = Camp()
    assert camp.refuses(Play("scientist", "egypt")).rule == "TTR-30"
    assert camp.refuses(Play("congress")).rule == "TTR-30"
    camp.give(0, "scientist")
    assert camp.refuses(Play("scientist")).rule == "TTR-33"
    camp.play(Play("scientist", "egypt"))
    assert camp.at() == 1
    assert "scientist" not in camp.who().hand
    assert camp.state.gone == ("scientist",)


@pytest.mark.rule("TTR-31")
def test_a_thief_draws_blind_and_keeps_an_artifact() -> None:
    camp = Camp(stored=("thief-egypt", "thief-crete", "congress", "congress"))
    camp.play(Take("thief-egypt"))
    assert camp.at() == 1, "1 week to take"
    camp.draw("scientist")
    camp.put(0, 0)
    camp.lie("egypt", "artifact-egypt-5", "rubble-egypt")
    camp.play(Play("thief-egypt"))
    assert camp.at() == 1, "1 week to play"
    assert [outcome for outcome, weight in camp.chance.odds if weight] == ["artifact-egypt-5", "rubble-egypt"]
    camp.draw("artifact-egypt-5")
    assert camp.who().finds == ("artifact-egypt-5",)
    assert camp.state.task is None


@pytest.mark.rule("TTR-31")
def test_rubble_goes_back_and_an_empty_pile_has_nothing_for_a_thief() -> None:
    camp = Camp()
    camp.give(0, "thief-egypt", "thief-crete")
    camp.lie("egypt", "rubble-egypt")
    camp.lie("crete")
    camp.play(Play("thief-egypt"))
    camp.draw("rubble-egypt")
    assert camp.who().finds == ()
    assert dict(camp.state.piles["egypt"].cards.odds()) == {"rubble-egypt": 1}
    camp.put(0, 0)
    camp.play(Play("thief-crete"))
    camp.draw(NOTHING)
    assert camp.state.task is None


@pytest.mark.rule("TTR-32")
def test_tomb_raiders_keep_any_one_artifact_of_the_pile() -> None:
    camp = Camp()
    camp.give(0, "tomb_raiders-egypt")
    camp.lie("egypt", "artifact-egypt-1", "artifact-egypt-6", "rubble-egypt")
    assert camp.refuses(Play("tomb_raiders-egypt", artifact="artifact-egypt-6")).rule == "TTR-32"
    camp.play(Play("tomb_raiders-egypt"))
    assert camp.at() == 4
    camp.draw("seen")
    assert camp.seat == 0
    assert set(camp.moves) == {
        Play("tomb_raiders-egypt", artifact="artifact-egypt-1"),
        Play("tomb_raiders-egypt", artifact="artifact-egypt-6"),
    }
    for move in (Take("congress"), Play("tomb_raiders-egypt"), Play("thief-egypt", artifact="artifact-egypt-1")):
        assert camp.refuses(move).rule == "TTR-32"
    assert camp.refuses(Play("tomb_raiders-egypt", artifact="rubble-egypt")).rule == "TTR-32"
    assert Play("tomb_raiders-egypt", artifact="artifact-egypt-6").price(camp.here()) == 0
    camp.play(Play("tomb_raiders-egypt", artifact="artifact-egypt-6"))
    assert camp.who().finds == ("artifact-egypt-6",)
    assert camp.at() == 4, "paid once"
    assert camp.seat == 1


@pytest.mark.rule("TTR-32")
def test_tomb_raiders_get_nothing_where_there_is_only_rubble() -> None:
    camp = Camp()
    camp.give(0, "tomb_raiders-egypt")
    camp.lie("egypt", "rubble-egypt", "rubble-egypt")
    camp.play(Play("tomb_raiders-egypt"))
    camp.draw("seen")
    assert camp.state.task is None
    assert camp.who().finds == ()


@pytest.mark.rule("TTR-33")
def test_a_scientist_sees_a_pile_alone_until_the_next_move() -> None:
    camp = Camp()
    camp.give(0, "scientist")
    camp.lie("crete", "artifact-crete-2", "artifact-crete-2", "rubble-crete")
    camp.play(Play("scientist", "crete"))
    camp.draw("seen")
    look = {"region": "crete", "artifacts": ["artifact-crete-2", "artifact-crete-2"], "rubble": True}
    assert (camp.game.sees(camp.state, 0).you or {})["look"] == look
    assert (camp.game.sees(camp.state, 1).you or {})["look"] is None
    assert "artifact-crete-2" not in str(camp.game.sees(camp.state, 1).board["seats"])
    camp.put(0, 0)
    camp.play(Take("congress"))
    assert (camp.game.sees(camp.state, 0).you or {})["look"] is None


@pytest.mark.rule("TTR-34")
def test_an_assistant_lies_there_for_the_next_dig_and_then_leaves() -> None:
    camp = Camp()
    camp.give(0, "assistant", "assistant", "expertise-egypt-1", "general-2")
    waits = camp.game.follows(camp.state, Played(0, Play("assistant")))
    assert waits == [{"type": "assistants", "whose": "Ada", "n": 1}]
    camp.play(Play("assistant"))
    camp.put(0, 0)
    camp.play(Play("assistant"))
    camp.put(0, 0)
    assert camp.who().assistants == 2
    assert camp.here().knowledge("egypt") == (1, 1, 2, 4), "beyond the limit on general knowledge"
    assert camp.here().knowledge("crete").total == 2
    camp.lie("egypt")
    camp.play(Dig("egypt", 12, "region"))
    assert camp.who().assistants == 0
    assert camp.state.gone.count("assistant") == 2


@pytest.mark.rule("TTR-35")
def test_a_general_excavation_card_is_good_for_any_region_and_costs_no_weeks() -> None:
    camp = Camp(2)
    camp.ready_to_dig(0, "egypt")
    assert camp.refuses(Dig("egypt", 3, "general")).rule == "TTR-40"
    camp.give(0, LIKE_GENERAL)
    assert camp.refuses(Play(LIKE_GENERAL)).rule == "TTR-35"
    camp.lie("egypt")
    camp.play(Dig("egypt", 3, "general"))
    assert camp.at() == 3
    assert camp.who().hand.count(permit_of("egypt")) == 2, "the region's own cards stay"
    assert camp.state.gone == (LIKE_GENERAL,)


@pytest.mark.rule("TTR-36")
def test_the_thief_of_the_english_rules_chooses_for_the_printed_weeks() -> None:
    camp = Camp(stored=("thief-egypt", "congress", "congress", "congress"), thief="chosen")
    camp.play(Take("thief-egypt"))
    assert camp.at() == 3
    camp.draw("scientist")
    camp.put(0, 0)
    camp.lie("egypt", "artifact-egypt-1", "artifact-egypt-6")
    camp.play(Play("thief-egypt"))
    assert camp.at() == 4
    camp.draw("seen")
    camp.play(Play("thief-egypt", artifact="artifact-egypt-6"))
    assert camp.who().finds == ("artifact-egypt-6",)


@pytest.mark.rule("TTR-40")
def test_a_dig_needs_a_card_and_expertise() -> None:
    camp = Camp(4)
    camp.give(0, "general-2")
    assert camp.refuses(Dig("egypt", 12, "region")).rule == "TTR-40", "general knowledge alone is not enough"
    camp.ready_to_dig(0, "egypt")
    camp.lie("egypt")
    camp.play(Dig("egypt", 12, "region"))
    camp.draw(NOTHING)
    camp.put(0, 0)
    assert camp.refuses(Dig("egypt", 12, "region")).key == "tomb_raiders.no_permit"
    camp.play(Dig("egypt", 12, "general"))
    camp.draw(NOTHING)
    assert camp.state.gone == (permit_of("egypt"), GENERAL)
    camp.put(0, 0)
    assert camp.refuses(Dig("egypt", 12, "general")).rule == "TTR-40"
    assert camp.refuses(Dig("palestine", 12, "region")).rule == "TTR-40"


@pytest.mark.rule("TTR-41")
def test_general_knowledge_counts_up_to_expertise_and_the_chart_ends_at_12() -> None:
    camp = Camp()
    camp.give(0, "expertise-egypt-2", "general-1", "general-1", "general-1")
    assert camp.here().knowledge("egypt") == (2, 2, 0, 4)
    camp.give(0, "expertise-egypt-3", "expertise-egypt-2", "expertise-egypt-2", "expertise-egypt-1", "general-2")
    assert camp.here().knowledge("egypt") == (10, 5, 0, 12)


@pytest.mark.rule("TTR-42", "TTR-44")
def test_the_chart_says_how_many_cards_and_where_it_says_none_there_is_no_dig() -> None:
    camp = Camp()
    camp.give(0, "expertise-mesopotamia-2", "general-1", "general-1", "general-1")
    assert Dig("mesopotamia", 11, "region").cards(camp.here()) == 4
    assert camp.refuses(Dig("mesopotamia", 1, "region")).rule == "TTR-42"
    for weeks in (0, 13, -1):
        assert camp.refuses(Dig("mesopotamia", weeks, "region")).rule == "TTR-42"
    camp.lie("mesopotamia", *["artifact-mesopotamia-1"] * 5)
    camp.play(Dig("mesopotamia", 11, "region"))
    assert camp.at() == 11
    camp.draw(*["artifact-mesopotamia-1"] * 4)
    assert camp.state.task is None
    assert camp.who().finds == ("artifact-mesopotamia-1",) * 4


@pytest.mark.rule("TTR-43")
def test_rubble_counts_as_drawn_and_goes_back_when_the_dig_is_over() -> None:
    camp = Camp()
    camp.ready_to_dig()
    camp.lie("egypt", "artifact-egypt-1", "rubble-egypt", "rubble-egypt", "artifact-egypt-3")
    camp.play(Dig("egypt", 8, "region"))
    of = camp.state.task.of if camp.state.task else 0
    assert of == 3
    camp.draw("rubble-egypt")
    assert dict(camp.chance.odds)["rubble-egypt"] == 1, "it is not put back within the dig"
    camp.draw("artifact-egypt-3", "rubble-egypt")
    assert camp.who().finds == ("artifact-egypt-3",)
    assert dict(camp.state.piles["egypt"].cards.odds()) == {"artifact-egypt-1": 1, "rubble-egypt": 2}


@pytest.mark.rule("TTR-13", "TTR-43")
def test_a_smaller_pile_is_drawn_out_and_an_empty_one_brings_nothing() -> None:
    camp = Camp()
    camp.ready_to_dig()
    camp.lie("egypt", "artifact-egypt-1", "rubble-egypt")
    camp.play(Dig("egypt", 12, "region"))
    camp.draw("rubble-egypt", "artifact-egypt-1", NOTHING)
    assert camp.state.task is None
    camp.lie("egypt")
    camp.put(0, 0)
    camp.play(Dig("egypt", 12, "region"))
    assert {outcome for outcome, weight in camp.chance.odds if weight} == {NOTHING}
    assert camp.game.tells(camp.state, Dealt(NOTHING), 1)["type"] == "used_up"
    camp.draw(NOTHING)
    assert camp.state.task is None
    assert camp.at() == 12


@pytest.mark.rule("TTR-13", "TTR-31", "TTR-43")
@pytest.mark.parametrize("pace", ["flow", "press"])
@pytest.mark.parametrize("move", [Dig("egypt", 12, "region"), Play("thief-egypt")], ids=["dig", "thief"])
def test_who_has_reached_into_an_empty_pile_knows_it_and_takes_nothing_back(pace: Pace, move: Move) -> None:
    """In pace "press" to be asked for a card tells nothing: it is asked in any case."""
    asked = []
    for cards in ((), ("artifact-egypt-1", "rubble-egypt")):
        camp = Camp()
        camp.ready_to_dig()
        camp.give(0, "thief-egypt")
        camp.lie("egypt", *cards)
        table = at_the_table(camp.game, camp.state, pace)
        before = table.seq
        table.play(ADA, before, "reach", msgspec.to_builtins(move))
        asked.append(view(table, ADA)["ask"])
        if pace == "press":
            assert table.offer(ADA).open
            table.answer(ADA, table.seq, "press", None)
        assert table.offer(ADA).why == "undo.revealed"
        for actor in (ADA, HOST):
            told = {line["what"]["type"] for line in view(table, actor)["log"]}  # type: ignore[index,call-overload,union-attr]
            assert ("find" in told) == bool(cards)
            assert cards or "used_up" in told
    assert pace == "flow" or asked[0] == asked[1]


@pytest.mark.rule("TTR-50")
def test_the_first_with_four_points_gets_the_professor_and_whoever_has_more_takes_it() -> None:
    camp = Camp(3)
    camp.give(0, "expertise-crete-3")
    assert "crete" not in camp.state.professors
    taken = Played(0, Take("expertise-crete-1"))
    assert camp.game.follows(camp.state, taken) == [
        {"type": "professor", "professor": "crete", "whose": "Ada", "n": camp.game.terms.box.professors.region.points}
    ]
    camp.play(taken.move)
    assert camp.state.professors["crete"] == 0, "at once"
    camp.give(1, "expertise-crete-2", "expertise-crete-2")
    assert camp.state.professors["crete"] == 0, "as much is not more"
    camp.give(1, "expertise-crete-1")
    assert camp.state.professors["crete"] == 1
    camp.give(2, "expertise-crete-2")
    assert camp.state.professors["crete"] == 1


@pytest.mark.rule("TTR-51")
def test_best_knowledge_asks_for_ten_points_of_all_kinds() -> None:
    camp = Camp()
    camp.give(0, "expertise-crete-3", "expertise-egypt-3", "general-2")
    camp.give(0, "general-1")
    assert BEST not in camp.state.professors
    camp.give(0, "expertise-greece-1")
    assert camp.state.professors[BEST] == 0
    camp.give(1, "expertise-greece-3", "expertise-mesopotamia-3", "general-2", "general-2")
    assert camp.state.professors[BEST] == 0
    camp.give(1, "expertise-greece-1")
    assert camp.state.professors[BEST] == 1


MESOPOTAMIA = ("artifact-mesopotamia-1",) * 3
CRETE = ("artifact-crete-1", "artifact-crete-5")


@pytest.mark.rule("TTR-60", "TTR-62")
@pytest.mark.parametrize(
    ("finds", "weeks"),
    [
        (MESOPOTAMIA, 9),
        ((*MESOPOTAMIA, *CRETE), 5),
        ((*MESOPOTAMIA, *CRETE, "artifact-egypt-1"), 3),
        ((*MESOPOTAMIA, "artifact-egypt-1"), 9),
    ],
)
def test_an_exhibition_takes_fewer_weeks_step_by_step(finds: tuple[str, ...], weeks: int) -> None:
    camp = Camp()
    camp.show("exhibition-1")
    camp.find(0, *finds[1:])
    refusal = camp.refuses(Exhibit("exhibition-1"))
    assert refusal.rule == "TTR-60"
    assert refusal.facts["n"] == 1
    camp.find(0, finds[0])
    camp.play(Exhibit("exhibition-1"))
    assert camp.at() == weeks
    assert sorted(camp.who().finds) == sorted(finds), "the artifacts are kept"
    assert camp.who().cards == ("exhibition-1",)
    assert camp.state.shown == ()
    assert camp.game.tally(camp.state).scores[0].parts["exhibitions"] == 6


@pytest.mark.rule("TTR-60", "TTR-61")
def test_only_what_is_on_display_can_be_had() -> None:
    camp = Camp()
    camp.find(0, *MESOPOTAMIA)
    assert camp.refuses(Exhibit("exhibition-1")).rule == "TTR-60"
    assert camp.refuses(Donate("museum-1", ("artifact-mesopotamia-1",))).rule == "TTR-61"
    camp.show("museum-1")
    assert camp.refuses(Exhibit("museum-1")).rule == "TTR-60"


@pytest.mark.rule("TTR-61", "TTR-62")
def test_a_museum_eats_the_artifacts_that_their_owner_chooses() -> None:
    camp = Camp()
    camp.show("museum-2")
    camp.find(0, "artifact-egypt-1", "artifact-egypt-6", "artifact-crete-1")
    assert camp.refuses(Donate("museum-2", ("artifact-egypt-1",))).rule == "TTR-61"
    assert camp.refuses(Donate("museum-2", ("artifact-egypt-1", "artifact-egypt-1"))).rule == "TTR-61"
    assert Donate("museum-2", ("artifact-egypt-1", "artifact-crete-1")) in camp.moves
    camp.play(Donate("museum-2", ("artifact-egypt-1", "artifact-crete-1")))
    assert camp.who().finds == ("artifact-egypt-6",)
    assert sorted(camp.state.gone) == ["artifact-crete-1", "artifact-egypt-1"]
    assert camp.at() == 2
    assert camp.game.tally(camp.state).scores[0].parts["museums"] == 5


@pytest.mark.rule("TTR-61")
def test_many_choices_for_a_museum_are_a_sample_and_any_other_is_taken_too() -> None:
    camp = Camp()
    camp.show("museum-5")
    camp.find(0, *(f"artifact-{region}-{value}" for region in ("egypt", "greece", "crete") for value in range(1, 6)))
    listed = camp.game.moves(camp.state, 0)
    gifts = [move.artifacts for move in listed.moves if isinstance(move, Donate)]
    assert listed.more
    assert 10 < len(gifts) < 40
    assert gifts[0] == ("artifact-crete-1", "artifact-crete-2", "artifact-egypt-1", "artifact-greece-1")
    other = (*(f"artifact-{region}-5" for region in ("greece", "egypt", "crete")), "artifact-egypt-4")
    camp.play(Donate("museum-5", other))
