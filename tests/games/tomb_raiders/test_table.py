"""Corrections, aids, views, lists and bots of The Tomb Raiders."""

from __future__ import annotations

import io
import random
from pathlib import Path

import pytest

from companion.game import Chance, Dealt, Finished, Played, Seat, Setup
from companion.games.tomb_raiders import refereed
from companion.games.tomb_raiders.bots import BOTS
from companion.games.tomb_raiders.corrections import SetArtifact, SetCard, SetMarker, SetProfessor
from companion.games.tomb_raiders.moves import Dig, Play, Take
from companion.play.hall import Hall
from companion.terminal.session import Terminal
from companion.trials import play_out, random_outcome
from tests.games.tomb_raiders.camp import Camp, game


def test_a_marker_is_put_right_on_top_or_beneath() -> None:
    camp = Camp()
    camp.correct(SetMarker(0, 5))
    camp.correct(SetMarker(1, 5))
    assert camp.seat == 1
    camp.correct(SetMarker(1, 5, on_top=False))
    assert camp.seat == 0
    assert camp.refuses_correction(SetMarker(0, -1)).rule == "TTR-03"
    assert camp.refuses_correction(SetMarker(7, 5)).rule == "TTR-01"


def test_cards_are_put_right_and_professors_follow() -> None:
    camp = Camp()
    for card in ("expertise-egypt-3", "expertise-egypt-1"):
        camp.correct(SetCard(card, "pile", 0))
    assert camp.state.professors["egypt"] == 0
    camp.correct(SetCard("expertise-egypt-1", 0, 1))
    assert "egypt" not in camp.state.professors
    camp.correct(SetCard("exhibition-1", "pile", "display"))
    camp.correct(SetCard("congress", "storage", 1))
    camp.deal("assistant")
    assert camp.who(1).cards == ("expertise-egypt-1", "congress")
    camp.correct(SetCard("assistant", "storage", "pile"))
    assert camp.chance.question == "card 3"
    for wrong in (
        SetCard("museum-1", "display", 0),
        SetCard("thief-egypt", "pile", 0),
        SetCard("congress", 1, "display"),
    ):
        assert camp.refuses_correction(wrong).rule == "TTR-11"


@pytest.mark.rule("TTR-13")
def test_an_artifact_is_put_right_but_never_out_of_a_pile_that_nobody_may_look_into() -> None:
    camp = Camp()
    camp.find(0, "artifact-egypt-6")
    camp.correct(SetArtifact("artifact-egypt-6", 0, 1))
    camp.correct(SetArtifact("artifact-egypt-6", 1, "pile"))
    assert camp.state.piles["egypt"].cards["artifact-egypt-6"] == 1
    there = camp.refuses_correction(SetArtifact("artifact-egypt-6", "pile", 0))
    missing = camp.refuses_correction(SetArtifact("artifact-egypt-5", "pile", 0))
    assert (there.key, there.rule) == (missing.key, missing.rule)
    real = Camp(cards="real")
    real.correct(SetArtifact("artifact-egypt-6", "pile", 0))
    assert real.who().finds == ("artifact-egypt-6",)


@pytest.mark.rule("TTR-50")
def test_a_professor_is_put_right_among_those_who_have_as_much() -> None:
    camp = Camp()
    camp.give(0, "expertise-egypt-3", "expertise-egypt-1")
    assert camp.refuses_correction(SetProfessor("egypt", 1)).rule == "TTR-50"
    camp.give(1, "expertise-egypt-2", "expertise-egypt-2")
    camp.correct(SetProfessor("egypt", 1))
    assert camp.state.professors["egypt"] == 1


def test_nothing_is_put_right_while_a_hand_is_at_a_pile() -> None:
    camp = Camp()
    camp.ready_to_dig()
    camp.lie("egypt", *["rubble-egypt"] * 6)
    camp.play(Dig("egypt", 12, "region"))
    assert camp.refuses_correction(SetCard("congress", "pile", 0)).rule == "TTR-43"


def test_aids_tell_where_a_marker_lands_and_whom_it_passes() -> None:
    camp = Camp(3)
    camp.put(1, 2)
    camp.put(2, 5)
    lands = camp.game.aids(camp.state, 0)["lands"]
    assert isinstance(lands, dict)
    assert lands["1"] == {"week": 1, "next": 0, "again": True, "past": []}
    assert lands["2"] == {"week": 2, "next": 0, "again": True, "past": [1]}, "it arrives on top"
    assert lands["3"] == {"week": 3, "next": 1, "again": False, "past": [1]}
    assert lands["6"]["past"] == [1, 2]


@pytest.mark.rule("TTR-41", "TTR-42")
def test_aids_light_the_chart_at_the_knowledge_of_now_and_with_an_assistant() -> None:
    camp = Camp()
    camp.give(0, "expertise-egypt-2", "general-2", "general-1")
    digs = camp.game.aids(camp.state, None)["digs"]
    assert isinstance(digs, dict)
    rows = camp.game.terms.dial.rows
    assert digs["egypt"]["knowledge"] == {"expertise": 2, "general": 2, "assistants": 0, "total": 4}
    assert digs["egypt"]["cards"] == rows[3]
    assert (digs["egypt"]["helped"], digs["egypt"]["helped_cards"]) == (5, rows[4])
    assert digs["crete"]["cards"] == (0,) * 12, "without expertise there is no dig"


@pytest.mark.rule("TTR-60", "TTR-61")
def test_aids_tell_what_shortens_an_exhibition_and_what_a_museum_costs() -> None:
    camp = Camp()
    camp.show("exhibition-1", "museum-2")
    camp.find(0, *["artifact-mesopotamia-1"] * 3, "artifact-crete-4")
    aids = camp.game.aids(camp.state, 0)
    exhibition = aids["exhibitions"]["exhibition-1"]  # type: ignore[index,call-overload]
    assert exhibition["legal"], exhibition  # type: ignore[index,call-overload]
    assert (exhibition["total"], exhibition["reached"]) == (9, 1)  # type: ignore[index,call-overload]
    assert [step["missing"] for step in exhibition["steps"]] == [{}, {"crete": 1}, {"crete": 1, "egypt": 1}]  # type: ignore
    museum = aids["museums"]["museum-2"]  # type: ignore[index,call-overload]
    assert (museum["costs"], museum["points"], museum["total"]) == (2, 5, 2)  # type: ignore[index,call-overload]
    assert museum["gift"] == ["artifact-mesopotamia-1"] * 2  # type: ignore[index,call-overload]


def test_a_table_without_help_is_told_only_what_can_be_done() -> None:
    camp = Camp(dig_help=False)
    camp.show("museum-2")
    aids = camp.game.aids(camp.state, 0)
    assert not {"lands", "digs"} & aids.keys()
    assert "costs" not in aids["museums"]["museum-2"]  # type: ignore[index,call-overload,operator]
    assert aids["dig"]["egypt"]["refusal"]["rule"] == "TTR-40"  # type: ignore[index,call-overload]


@pytest.mark.parametrize("cards", ["mixed", "real"])
def test_the_planner_beats_luck_and_knows_no_pile(cards: str) -> None:
    setup = Setup("tomb_raiders", "referee", (Seat("a"), Seat("b")), options={"cards": cards})
    playing = type(game())(setup, game().terms.box)
    trial = play_out(playing, refereed(), ["random", "planner"], games=12, seed=3)
    assert trial.wins[1] >= 10


def test_the_planner_chooses_the_same_whatever_lies_on_the_piles() -> None:
    camp, other = Camp(), Camp()
    for each, lies in ((camp, ["artifact-egypt-6"] * 1), (other, ["rubble-egypt"] * 6)):
        each.give(0, "expertise-egypt-3", "expertise-egypt-2", "thief-egypt")
        each.lie("egypt", *lies)
    chosen = [BOTS["planner"](each.game, each.state, 0, random.Random(1)) for each in (camp, other)]
    assert chosen[0] == chosen[1]


def test_a_game_of_two_planners_ends_in_good_time() -> None:
    playing, luck = game(4), random.Random(2)
    state, moves = playing.start(), 0
    while not isinstance(ask := playing.ask(state), Finished):
        if isinstance(ask, Chance):
            state = playing.after(state, Dealt(random_outcome(ask, luck)))
        else:
            move = BOTS["planner"](playing, state, ask.seats[0], luck)
            state = playing.after(state, Played(ask.seats[0], move))
            moves += isinstance(move, Take | Play | Dig)
    assert 60 < moves < 200


def test_the_terminal_shows_a_hand_only_when_it_is_asked_for(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    table = hall.lay(Setup("tomb_raiders", "referee", (Seat("Ada"), Seat("Ben"))))

    def typed(*lines: str) -> str:
        said = io.StringIO()
        Terminal(table, "en", heard=io.StringIO("".join(f"{line}\n" for line in lines)), said=said).run()
        return said.getvalue()

    shown = typed("board", "log")
    assert "8 cards in hand" in shown
    assert "excavation card: Egypt" not in shown
    assert "excavation card: Egypt ×2" in typed("hand Ada")
    hall.close()
