"""Real cards: nothing is asked about hands, what is named must be possible, and the table says what only it can see."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from companion.game import Chance, Dealt, Finished, Played, Source, Turn
from companion.games.tomb_raiders.corrections import SetHand
from companion.games.tomb_raiders.draws import EMPTY, GREEN, NOTHING
from companion.games.tomb_raiders.moves import Dig, Donate, Exhibit, Play, Take
from companion.games.tomb_raiders.state import LIKE_GENERAL, UNKNOWN, TombState
from companion.pieces.otherwise import ANOTHER
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
    camp.state = camp.here().but(deck=deck, gone=gone).state
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


@pytest.mark.rule("TTR-70", "TTR-81")
@REAL
def test_the_table_says_that_the_draw_pile_is_empty_when_it_can_be(cards: str) -> None:
    camp = Camp(cards=cards)
    most = camp.game.terms.most_takes
    camp.state = camp.here().but(takes=most - 2).state
    camp.play(Take("congress"))
    assert dict(camp.chance.odds).keys() >= {GREEN, EMPTY}
    before = camp.state
    camp.deal(EMPTY)
    assert camp.end.scores[0].parts["congresses"] == 1
    camp.state = before
    camp.deal(GREEN)
    camp.play(Take("congress"))
    assert isinstance(camp.game.ask(camp.state), Finished), "with the next card it must be"


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
    assert asked.keys() <= {"marker", "find", "keep", "top", "taken", "named"}
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
