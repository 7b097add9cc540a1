"""Real cards: nothing is asked about hands, what is named must be possible, and the table says what only it can see."""

from __future__ import annotations

import random
from collections import Counter
from functools import reduce
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion import games
from companion.boxes import owners
from companion.game import Chance, Dealt, Played, Source, Turn
from companion.games.tomb_raiders.corrections import PileEmpty, SetArtifact, SetCard, SetHand, SetMarker
from companion.games.tomb_raiders.draws import EMPTY, GREEN, NOTHING
from companion.games.tomb_raiders.moves import Dig, Donate, Exhibit, Play, Take
from companion.games.tomb_raiders.state import LIKE_GENERAL, UNKNOWN, TombState, TombTerms
from companion.pieces.bag import Bag
from companion.pieces.box_differences import ANOTHER, BoxDifference
from tests.games.tomb_raiders.camp import Camp, game
from tests.laws.play import Moment, Way, at_random

REAL = pytest.mark.parametrize("cards", ["mixed", "real"])


def sources(cards: str) -> dict[str, Source]:
    return Way("tomb_raiders", "referee", 2, (("cards", cards),)).setup().sources


@pytest.mark.rule("TTR-81")
def test_who_tells_what_follows_from_whose_the_cards_are() -> None:
    assert sources("companion") == {"cards": "companion", "piles": "companion"}
    assert sources("mixed") == {"cards": "table", "piles": "companion"}
    assert sources("real") == {"cards": "table", "piles": "table"}


@pytest.mark.rule("TTR-20", "TTR-81")
@REAL
def test_a_card_that_lies_open_is_named_and_one_for_the_hand_is_not(cards: str) -> None:
    camp = Camp(cards=cards)
    assert camp.refuses(Take("thief-egypt")).rule == "TTR-81"
    camp.play(Take("expertise-egypt-3"))
    camp.tell_the_top()
    assert camp.at() == 4
    assert camp.who().expertise["egypt"] == 3
    camp.play(Take(f"{UNKNOWN}1"))
    camp.tell_the_top()
    assert camp.at(1) == 1
    assert camp.who(1).unknown == (f"{UNKNOWN}1",)
    assert camp.game.sees(camp.state, 0).board["seats"][1]["hand"] == 9  # type: ignore[index,call-overload]


@pytest.mark.rule("TTR-81")
@REAL
def test_a_card_gets_its_name_when_it_is_played_and_it_must_be_possible(cards: str) -> None:
    camp = Camp(cards=cards)
    camp.play(Take(f"{UNKNOWN}1"))
    camp.tell_the_top()
    camp.put(0, 0)
    plays = {move.card for move in camp.moves if isinstance(move, Play)}
    assert plays == {"scientist", "thief-egypt", "thief-greece", "thief-crete", "thief-mesopotamia"}
    assert camp.refuses(Play("tomb_raiders-egypt")).rule == "TTR-30", "that takes 3 weeks"
    assert camp.refuses(Play("assistant")).rule == "TTR-30"
    camp.play(Play("scientist", "egypt"))
    assert camp.who().unknown == ()
    assert camp.state.gone == ("scientist",)
    assert camp.state.deck["scientist"] == 1


@pytest.mark.rule("TTR-81")
@REAL
def test_what_others_have_shown_is_possible_no_more(cards: str) -> None:
    """Both scientists and two thieves have been played: of what took 1 week only two thieves are left."""
    camp = Camp(cards=cards)
    gone = ("scientist", "scientist", "thief-egypt", "thief-crete")
    deck = camp.state.deck
    for card in gone:
        deck = deck.without(card)
    camp.state = camp.here().replace(deck=deck, gone=gone).state
    for _ in range(2):
        camp.play(Take(f"{UNKNOWN}1"))
        camp.tell_the_top()
        camp.put(0, 0)
    assert camp.refuses(Take(f"{UNKNOWN}1")).rule == "TTR-20", "there are no others"
    thieves = {"thief-greece", "thief-mesopotamia"}
    assert {move.card for move in camp.moves if isinstance(move, Play)} == {*thieves, ANOTHER}, "or one too many"


@pytest.mark.rule("TTR-35", "TTR-81")
def test_an_unshown_card_can_be_a_general_excavation_card() -> None:
    camp = Camp(cards="real")
    camp.play(Take(f"{UNKNOWN}3"))
    camp.put(0, 0)
    camp.give(0, "expertise-egypt-3")
    dig = Dig("egypt", 12, "general")
    assert dig in camp.moves
    camp.play(dig)
    assert camp.state.gone == (LIKE_GENERAL,)
    assert camp.who().unknown == ()
    assert camp.at() == 12


@pytest.mark.rule("TTR-43", "TTR-81")
def test_a_real_pile_tells_card_by_card_and_says_when_it_has_no_more() -> None:
    camp = Camp(cards="real")
    camp.give(0, "expertise-egypt-3", "expertise-egypt-2")
    camp.play(Dig("egypt", 12, "region"))
    assert camp.chance.veiled
    assert dict(camp.chance.odds)["rubble-egypt"] == 6
    camp.draw("artifact-egypt-6", "rubble-egypt")
    assert dict(camp.chance.odds)["artifact-egypt-6"] == 0, "there is but one"
    camp.draw(NOTHING)
    assert camp.state.task is None
    assert camp.state.piles["egypt"].faces["rubble-egypt"] == 6
    assert camp.who().finds == ("artifact-egypt-6",)


@pytest.mark.rule("TTR-32", "TTR-81")
def test_tomb_raiders_at_a_real_pile_tell_what_they_lay_down() -> None:
    camp = Camp(cards="real")
    camp.play(Take(f"{UNKNOWN}3"))
    camp.put(0, 0)
    camp.play(Play("tomb_raiders-crete"))
    assert "rubble-crete" not in dict(camp.chance.odds)
    assert camp.chance.veiled, "somebody chooses, so no odds are told"
    camp.draw("artifact-crete-5")
    assert camp.who().finds == ("artifact-crete-5",)
    camp.put(0, 0)
    camp.play(Take(f"{UNKNOWN}3"))
    camp.put(0, 0)
    camp.play(Play("tomb_raiders-egypt"))
    camp.draw(NOTHING)
    assert camp.who().finds == ("artifact-crete-5",)


@pytest.mark.rule("TTR-12", "TTR-13")
def test_a_real_back_is_put_on_its_pile_by_a_press_and_no_log_says_which() -> None:
    camp = Camp(cards="mixed")
    camp.play(Take("congress"))
    assert camp.chance.veiled
    told = [camp.game.tells(camp.state, step, None) for step in (Dealt("egypt"), Dealt("crete"), Dealt(GREEN))]
    assert told == [{"type": "top"}] * 3
    assert camp.game.hides(camp.state, Dealt("egypt"))
    camp.draw("egypt", "egypt", "crete", GREEN)
    assert {region: pile.unturned for region, pile in camp.state.piles.items()} == {
        "greece": 0, "crete": 1, "egypt": 2, "mesopotamia": 0
    }  # fmt: skip
    assert camp.seat == 1


def about_to_end(camp: Camp, left: int) -> None:
    """So many cards can still be taken before the draw pile must be empty, by what lies there."""
    terms, deck = camp.game.terms, camp.state.deck
    last = sorted(terms.cards, key=lambda card: card in terms.unknown[f"{UNKNOWN}1"])
    gone = [card for card in last for _ in range(deck[card])][: terms.most_takes - left - camp.here().taken]
    for card in gone:
        deck = deck.without(card)
    camp.state = camp.here().replace(deck=deck, gone=tuple(gone)).state
    assert camp.here().taken == camp.game.terms.most_takes - left


def board(camp: Camp) -> Any:
    return camp.game.sees(camp.state, None).board


@pytest.mark.rule("TTR-70", "TTR-81")
@REAL
def test_an_end_by_count_is_proposed_and_it_is_the_table_that_says_so(cards: str) -> None:
    camp = Camp(cards=cards)
    about_to_end(camp, 1)
    card = f"{UNKNOWN}1"
    camp.play(Take(card))
    assert (camp.chance.question, camp.chance.facts["takes"]) == ("end", camp.game.terms.most_takes)
    camp.draw(GREEN)
    camp.play(Take(card))
    assert camp.chance.question == "end", "and after the next one it is asked again"
    assert board(camp)["deck"]["takes"] == camp.game.terms.most_takes + 1
    camp.draw(EMPTY)
    assert camp.end
    assert camp.game.noted(camp.state, None) == {"deck.takes": camp.game.terms.most_takes + 1}


@pytest.mark.rule("TTR-70", "TTR-81")
@REAL
def test_the_table_says_at_any_time_that_the_draw_pile_is_empty(cards: str, tmp_path: Path) -> None:
    """However few have been taken: the copy, or the count, may be another."""
    camp = Camp(cards=cards)
    camp.play(Take("congress"))
    camp.tell_the_top()
    camp.correct(PileEmpty())
    assert EMPTY in camp.game.off_list_outcomes(camp.state)
    before = camp.state
    camp.draw(EMPTY)
    assert camp.end.scores[0].parts["congresses"] == 1
    figures = camp.game.noted(camp.state, None)
    assert figures == {"deck.takes": 1}
    assert camp.game.differences(camp.state, None)[0]["n"] == 1
    owners.write_figures(tmp_path, "tomb_raiders", figures)
    own: Any = games.box("tomb_raiders", overrides=tmp_path)
    assert TombTerms(camp.game.setup, own, 2).most_takes == 1
    camp.state = before
    camp.tell_the_top()
    assert isinstance(camp.game.ask(camp.state), Turn), "or it goes on"


@pytest.mark.rule("TTR-70")
def test_what_was_counted_follows_from_what_lies_there() -> None:
    """A take that nobody pressed is put right, and so is the count."""
    camp = Camp(cards="real")
    for count, correction in enumerate(
        [
            SetCard("congress", "pile", 0),
            SetCard("expertise-egypt-3", "pile", 1),
            SetHand(0, f"{UNKNOWN}1", 2),
            SetCard("congress", 0, "pile"),
        ]
    ):
        camp.correct(correction)
        assert board(camp)["deck"]["takes"] == (1, 2, 4, 3)[count]
    camp.play(Take("congress"))
    assert board(camp)["deck"]["takes"] == 4
    companion = Camp()
    companion.play(Take("congress"))
    assert board(companion)["deck"]["takes"] == 1


@pytest.mark.rule("TTR-20", "TTR-70")
@REAL
def test_no_move_is_offered_that_nothing_can_answer(cards: str) -> None:
    """Once every card that the box knows has been seen, nothing is taken, and the only thing to be told is the end."""
    camp = Camp(cards=cards)
    deck, gone = camp.state.deck, []
    for card in camp.game.terms.cards:
        gone += [card] * deck[card]
        deck = deck.without(card, deck[card])
    camp.state = camp.here().replace(deck=deck, gone=tuple(gone)).state
    assert not any(isinstance(move, Take) for move in camp.moves)
    assert camp.refuses(Take(ANOTHER)).rule == "TTR-20"
    camp.correct(PileEmpty())
    assert GREEN not in dict(camp.chance.odds)
    camp.correct(SetCard("congress", "gone", "pile"))
    assert {GREEN, EMPTY} <= dict(camp.chance.odds).keys(), "unless one is found"
    camp.draw(GREEN)
    assert {move.card for move in camp.moves if isinstance(move, Take)} == {"congress", ANOTHER}
    camp.play(Take(ANOTHER))
    assert [outcome for outcome, weight in camp.chance.odds if weight] == ["congress"]


@pytest.mark.rule("TTR-30", "TTR-81")
@REAL
def test_a_second_card_of_a_kind_that_is_shown_leaves_the_unknown_ones(cards: str) -> None:
    for rules, left in ((None, 0), (1, 1)):  # to version 1 the second one was lost
        camp = Camp(cards=cards, rules=rules)
        gone = ("scientist", "scientist", "thief-egypt", "thief-crete")
        camp.state = camp.here().replace(deck=reduce(Bag.without, gone, camp.state.deck), gone=gone).state
        for _ in range(2):
            camp.play(Take(f"{UNKNOWN}1"))
            camp.tell_the_top()
            camp.put(0, 0)
        for _ in range(2):
            camp.play(Play(ANOTHER))
            camp.draw("scientist")
        assert camp.who().hand.count("scientist") == 2 - left
        assert camp.who().unknown == (f"{UNKNOWN}1",) * left


@pytest.mark.rule("TTR-70")
@REAL
def test_to_version_1_the_count_ended_the_game(cards: str) -> None:
    camp = Camp(cards=cards, rules=1)
    most = camp.game.terms.most_takes
    camp.state = camp.here().replace(takes=most - 2).state
    camp.play(Take("congress"))
    assert dict(camp.chance.odds).keys() >= {GREEN, EMPTY}
    camp.deal(GREEN)
    assert camp.refuses_correction(PileEmpty()).rule == "TTR-70"
    camp.play(Take("congress"))
    assert camp.end


@pytest.mark.rule("TTR-60", "TTR-61", "TTR-81")
def test_any_presentation_that_nobody_has_may_be_on_display() -> None:
    camp = Camp(cards="real")
    camp.find(0, *["artifact-mesopotamia-1"] * 3)
    camp.find(1, "artifact-egypt-1")
    camp.play(Exhibit("exhibition-1"))
    camp.play(Donate("museum-1", ("artifact-egypt-1",)))
    camp.put(1, 0)
    assert camp.refuses(Exhibit("exhibition-1")).rule == "TTR-60"
    assert camp.who(1).cards == ("museum-1",)


@pytest.mark.rule("TTR-80", "TTR-81")
@pytest.mark.parametrize("seed", range(4))
def test_unshown_cards_can_always_be_something(seed: int) -> None:
    """However a game goes, there is a card for each unshown one that nobody has seen, and each turn has a move."""
    playing = game(2 + seed % 3, cards=("mixed", "real")[seed % 2])
    for moment in at_random(playing, random.Random(seed), 700):
        if isinstance(moment.ask, Turn):
            assert possible(playing.at(moment.before).state, playing.terms.unknown), moment


def possible(state: TombState, unknown: dict[str, tuple[str, ...]]) -> bool:
    hands = Counter(kind for mine in state.seats for kind in mine.unknown)
    return all(sum(state.deck[card] for card in unknown[kind]) >= n for kind, n in hands.items())


@pytest.mark.rule("TTR-81")
def test_nothing_is_asked_in_a_whole_game_of_real_cards_but_digs_and_the_end() -> None:
    playing = game(3, cards="real")
    moments: list[Moment] = list(at_random(playing, random.Random(5), 2_000))
    asked = Counter(moment.ask.question.split()[0] for moment in moments if isinstance(moment.ask, Chance))
    assert asked.keys() <= {"marker", "find", "keep", "top", "end", "taken", "named"}
    assert asked["top"] <= 1
    assert sum(isinstance(moment.step, Played) for moment in moments) > 60


@pytest.mark.rule("TTR-80", "TTR-81")
@REAL
def test_a_real_hand_is_put_right_without_a_word_on_what_an_unshown_card_is(cards: str) -> None:
    camp = Camp(cards=cards)
    camp.correct(SetHand(0, f"{UNKNOWN}1", 2))
    camp.correct(SetHand(0, "excavation-egypt", 1))
    assert camp.who().unknown == (f"{UNKNOWN}1",) * 2
    assert "excavation-egypt" in camp.state.gone
    assert len(camp.who().hand) + len(camp.who().unknown) == 9
    camp.correct(SetHand(0, "excavation-egypt", 2))
    assert not camp.state.gone
    assert camp.refuses_correction(SetHand(0, f"{UNKNOWN}1", 7)).rule == "TTR-81", "there are but six"
    assert camp.refuses_correction(SetHand(1, "excavation-egypt", 3)).rule == "TTR-81"
    assert Camp().refuses_correction(SetHand(0, f"{UNKNOWN}1", 1)).rule == "TTR-80"


@pytest.mark.rule("TTR-01")
def test_a_marker_stands_nowhere_before_it_is_stacked_and_then_on_top_or_below() -> None:
    playing = game(3)
    stacking, camp = playing.at(playing.start()), Camp(3)
    assert [*SetMarker.current_values(stacking)] == []
    assert SetMarker.offered_values(stacking)[0].rows == ()
    here = camp.here()
    top = here.state.track.stack(0)[-1]
    assert {each.seat: each.on_top for each in SetMarker.current_values(here)} == {
        seat: seat == top for seat in range(3)
    }
    assert list(SetMarker.offered_values(here)[0].rows) == [(0,), (1,), (2,)]


@pytest.mark.rule("TTR-81")
@REAL
def test_the_last_card_of_which_none_is_unshown_cannot_come_off_the_pile(cards: str) -> None:
    """Of a real pile every unknown card in a hand may be the one: it comes off only while one more than those is."""
    camp = Camp(cards=cards)
    card = next(card for card in camp.state.deck.counts if camp.here().kind_of_unknown(card) is not None)
    unknown = camp.here().kind_of_unknown(card)
    assert unknown is not None
    moved = SetCard(card, "pile", "gone")
    unshown = camp.here().unshown(unknown)
    for held, free in ((unshown - 1, True), (unshown, False)):
        mine = replace(camp.state.seats[0], unknown=(unknown,) * held)
        here = camp.game.at(replace(camp.state, seats=(mine, *camp.state.seats[1:])))
        assert (here.unshown(unknown) > 0) == free
        assert (moved.taken(here) is not None) == free


def test_storage_takes_a_card_only_where_a_space_is_free_and_nothing_that_is_for_display() -> None:
    camp = Camp()
    card = next(card for card in camp.state.storage if card is not None)
    free = camp.game.at(replace(camp.state, storage=(None, *camp.state.storage[1:])))
    put = SetCard(card, "gone", "storage").put(free)
    assert put is not None
    assert put.state.storage[0] == card
    assert SetCard(card, "gone", "storage").put(camp.here()) is None, "all spaces are taken"
    shown = next(each for each in camp.state.deck.counts if each not in camp.game.terms.cards)
    assert SetCard(shown, "pile", "storage").put(free) is None


def test_the_cards_of_a_region_are_as_printed_and_as_the_table_has_shown_otherwise() -> None:
    camp = Camp()
    printed = camp.here().cards_of("egypt")
    one = next(card for card, count in printed.items() if count == 1)
    where = camp.game.terms.box.loose_at("egypt").where
    told = replace(camp.state, otherwise=(BoxDifference(where, "artifact-egypt-99", one),))
    now = camp.game.at(told).cards_of("egypt")
    assert now == {card: count for card, count in printed.items() if card != one} | {"artifact-egypt-99": 1}


def test_a_card_comes_off_the_display_only_where_it_lies_there() -> None:
    camp = Camp()
    shown = next(each for each in camp.state.deck.counts if each not in camp.game.terms.cards)
    there = camp.game.at(replace(camp.state, shown=(shown,)))
    taken = SetCard(shown, "display", "pile").taken(there)
    assert taken is not None
    assert taken.state.shown == ()
    assert SetCard(shown, "display", "pile").taken(camp.here()) is None
    assert SetCard(shown, "gone", "pile").taken(there) is None, "it lies elsewhere"


def test_an_artifact_that_has_left_the_game_comes_back_from_there_and_from_nowhere_else() -> None:
    camp = Camp()
    there = camp.game.at(replace(camp.state, gone=("artifact-egypt-6",)))
    back = SetArtifact("artifact-egypt-6", "gone", 0).taken(there)
    assert back is not None
    assert back.state.gone == ()
    assert SetArtifact("artifact-egypt-6", "pile", 0).taken(there) is None
