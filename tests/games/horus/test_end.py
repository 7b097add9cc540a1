"""Leaving, and what counts then."""

from __future__ import annotations

import pytest

from companion.game import Finished
from companion.games.horus.moves import End, Jump, Open, Ready, Step
from companion.games.horus.uses import Use
from tests.games.horus.pyramids import Playing, acting, table


def out(cards: dict[int, tuple[str, ...]], *chests: int, seats: int = 2) -> Playing:
    """Everybody leaves with these cards, and these dice are rolled for chests."""
    playing = acting(*("1",) * seats, cards=cards, actions=1, who=("sarti", "rice", "ardila"))
    return playing.does(*(Step("outside") for _ in range(seats))).falls(*chests)


def end_of(playing: Playing) -> Finished:
    ended = playing.ask
    assert isinstance(ended, Finished)
    return ended


@pytest.mark.rule("HOR-60")
def test_only_an_entrance_leads_out_and_it_takes_an_action() -> None:
    playing = acting("5", "1", actions=(2, 1), who=("sarti", "rice"))
    assert playing.refused(Step("outside")).rule == "HOR-60"
    playing.does(Step("1"), Step("outside"))
    assert (playing.seat(0).fate, playing.seat(0).square) == ("left", "")
    assert playing.refused(Step("5"), seat=0).code == "not_your_turn"
    playing.does(End())
    assert playing.state.adventurers[0].fate == "left"


ONE_OF_EACH = ("treasure-hededet-2", "treasure-sobek-3", "treasure-thoth-4", "treasure-anubis-5", "treasure-horus-7")


@pytest.mark.rule("HOR-62")
@pytest.mark.parametrize(("gods", "bonus"), list(enumerate((0, 1, 3, 6, 10, 15))))
def test_different_gods_bring_a_bonus(gods: int, bonus: int) -> None:
    playing = out({0: (*ONE_OF_EACH[:gods], "necklace-3", "snake")})
    assert end_of(playing).scores[0].parts["diversity"] == bonus


@pytest.mark.rule("HOR-62")
def test_treasures_idols_and_chests_count_one_by_one() -> None:
    cards = {
        0: ("treasure-sobek-3", "necklace-2", "idol-thoth", "chest-sobek", "chest-hededet", "mummy"),
        1: ("chest-sobek",),
    }
    playing = acting("1", "1", cards=cards, actions=1, who=("sarti", "rice"))
    playing.does(Step("outside"), Step("outside"))
    asked = []
    while not isinstance(playing.ask, Finished):
        asked.append((playing.chance.randomizer, playing.chance.seat))
        playing.falls(4 + len(asked) % 2)
    assert asked == [("chest_dice", 0), ("chest_dice", 0), ("chest_dice", 1)]
    scores = end_of(playing).scores
    assert scores[0].parts == {"treasures": 5, "idols": 8, "chests": 9, "diversity": 3}
    assert scores[1].parts == {"treasures": 0, "idols": 0, "chests": 5, "diversity": 0}
    assert playing.board()["seats"][0]["chests"] == [5, 4]


@pytest.mark.rule("HOR-62")
def test_whoever_did_not_get_out_counts_nothing() -> None:
    playing = acting("1", "18", cards={1: ONE_OF_EACH}, actions=(1, 0), who=("sarti", "rice"), fallen=(13, 14, 16))
    playing.does(Step("outside")).falls(1, 1, 1, 1, 1, 15)
    assert [score.total for score in end_of(playing).scores] == [0, 0]
    assert end_of(playing).winners == (0,)


@pytest.mark.rule("HOR-63")
def test_the_most_wins() -> None:
    assert end_of(out({0: ("necklace-2",), 1: ("necklace-3",)})).winners == (1,)


@pytest.mark.rule("HOR-63")
def test_in_a_tie_the_idol_of_horus_decides_and_else_the_win_is_shared() -> None:
    even = {0: ("idol-horus",), 1: ("treasure-horus-7", "necklace-3")}
    ended = end_of(out(even))
    assert [score.total for score in ended.scores] == [11, 11]
    assert ended.winners == (0,)
    shared = end_of(out({0: ("necklace-2",), 1: ("necklace-2",), 2: ()}, seats=3))
    assert shared.winners == (0, 1)
    lesser = end_of(out({0: ("idol-horus",), 1: (*ONE_OF_EACH,)}))
    assert lesser.winners == (1,), "only among equals"


@pytest.mark.rule("HOR-63", "HOR-61")
def test_if_nobody_gets_out_the_mummies_win() -> None:
    playing = acting("18", "33", cards={0: ONE_OF_EACH}, actions=0, who=("sarti", "rice"), fallen=(13, 14, 16))
    playing.falls(1, 1, 1, 1, 1, 15)
    assert end_of(playing).winners == ()
    assert [score.total for score in end_of(playing).scores] == [0, 0]


@pytest.mark.rule("HOR-70")
@pytest.mark.parametrize(
    ("card", "wound"),
    [("antidote", "snake"), ("antidote", "scorpion"), ("medical_kit", "crocodile"), ("medical_kit", "block")],
)
def test_a_wound_is_healed_and_both_cards_are_laid_off(card: str, wound: str) -> None:
    playing = acting("5", "6", cards={0: (card, wound)}, who=("sarti", "rice"))
    other = "crocodile" if card == "antidote" else "snake"
    assert playing.refused(Use(card=card, wound=other)).rule == "HOR-70"
    assert playing.refused(Use(card=card)).rule == "HOR-70"
    playing.does(Use(card=card, wound=wound))
    assert (playing.cards(0), playing.state.cast_off) == ((), (card, wound))
    assert playing.seat(0).actions == 3
    assert playing.refused(Use(card=card, wound=wound)).rule == "HOR-70"


@pytest.mark.rule("HOR-73", "HOR-10")
def test_endurance_lowers_the_level_of_one_round() -> None:
    cards = ("treasure-sobek-3", "necklace-1", "snake", "mummy")
    playing = acting("5", "6", cards={1: cards}, actions=0, who=("sarti", "chartier"))
    playing.falls(1, 1, 1, 1, 1, 36)
    assert playing.refused(Use(ability="dodge")).code == "illegal"
    playing.does(Use(ability="endurance"), Ready())
    assert playing.seat(1).level == 2
    playing.falls(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 35)
    assert playing.state.seat_asked == 1
    assert playing.refused(Use(ability="endurance")).rule == "HOR-73"
    playing.does(Ready())
    assert playing.seat(1).level == 3


@pytest.mark.rule("HOR-74", "HOR-82")
def test_wahab_alone_sees_what_he_reads() -> None:
    playing = acting("A2", "A3", actions=(1, 2), who=("wahab", "rice"))
    playing.does(Use(ability="linguistics"))
    assert (playing.chance.randomizer, playing.chance.seat) == ("sarcophagi", 0)
    playing.falls("treasure-anubis-7")
    assert playing.you(0)["read"][0]["card"]["value"] == 7
    assert playing.you(1)["read"] == []
    tomb = next(each for each in playing.board()["sarcophagi"] if each["square"] == "A2")
    assert (tomb["card"], tomb["open"], tomb["read_by"]) == (None, False, 0)
    playing.does(End(), Open())
    odds = dict(playing.chance.odds)
    assert odds["treasure-anubis-7"] == 0
    assert playing.chance.veiled, "which card is missing is told by nothing"
    playing.falls("treasure-anubis-6").does(Step("A2"))
    later = acting("A2", "A3", actions=(1, 2), who=("wahab", "rice"), game=playing.game)
    later.does(Use(ability="linguistics")).falls("treasure-anubis-7").does(Open())
    assert [card for card, weight in later.chance.odds if weight] == ["treasure-anubis-7"]


@pytest.mark.rule("HOR-74")
def test_a_real_sarcophagus_is_read_at_the_table() -> None:
    game = table(2, sources={"sarcophagi": "table"})
    playing = acting("A2", "6", who=("wahab", "rice"), game=game)
    assert playing.refused(Use(ability="linguistics", god="anubis")).rule == "HOR-33"
    playing.does(Use(ability="linguistics"))
    assert playing.you(0)["read"] == [{"god": "anubis", "square": "A2", "card": None}]
    assert acting("H2", "6", who=("wahab", "rice")).refused(Use(ability="linguistics")).rule == "HOR-33"


def test_a_jump_is_not_a_move_of_its_own() -> None:
    assert acting("5", "6").refused(Jump("9")).rule == "HOR-50"
