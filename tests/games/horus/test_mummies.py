"""Mummies: how they walk, whom they touch, and who turns into one."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from companion.game import AnyGame, Move, State
from companion.games.horus.moves import Discard, End, Jump, Search, Step
from companion.games.horus.uses import Use
from tests.games.horus.pyramids import Playing, acting, box_with, table
from tests.laws.play import NAMES, Way, at_random

THREE = (1, 2, 4, 5, 6)
"""Dice by which they walk three squares."""


def walked(playing: Playing, *dice: int) -> Playing:
    """After the mummies have walked as these dice say."""
    assert playing.chance.randomizer == "mummy_dice"
    return playing.falls(*dice)


@pytest.mark.rule("HOR-40", "HOR-41")
def test_the_worked_example_of_a_walk() -> None:
    """Three dice of 4 or more: one meets its wall after a square, and walks back two."""
    playing = acting(
        "5", "6", actions=0, mummies={"imhotep": ("T4", "T5"), "initkaes": ("A1", "NW")}, who=("gore", "rice")
    )
    walked(playing, *THREE)
    where = {mummy["mummy"]: (mummy["square"], mummy["towards"]) for mummy in playing.board()["mummies"]}
    assert where["imhotep"] == ("T3", "NE")
    assert where["initkaes"] == ("A4", "NW")


@pytest.mark.rule("HOR-40")
def test_no_die_high_enough_and_they_stay() -> None:
    playing = acting("5", "6", actions=0, who=("gore", "rice"))
    before = playing.state.mummies
    assert walked(playing, 1, 1, 2, 3, 3).state.mummies == before


@pytest.mark.rule("HOR-40")
def test_from_which_number_they_walk_is_printed_in_the_box() -> None:
    playing = acting("5", "6", actions=0, who=("gore", "rice"), game=table(2, box=box_with("[dice]\nmummies_from = 3")))
    before = [mummy.at for mummy in playing.state.mummies]
    after = walked(playing, 3, 1, 1, 1, 1).state.mummies
    assert all(one != other.at for one, other in zip(before, after, strict=True))


@pytest.mark.rule("HOR-40", "HOR-42")
def test_two_mummies_share_a_corner_and_each_touches() -> None:
    both = {"initkaes": ("A5", "NW"), "sanakht": ("H1", "NW")}
    playing = acting("NW", "6", actions=0, mummies=both, who=("gore", "rice"), cards={0: ()}, fallen=())
    assert playing.state.asking == "act", "Gore may shoot"
    playing = acting("NW", "6", actions=0, mummies=both, who=("sarti", "rice"))
    walked(playing, 4, 1, 1, 1, 1)
    assert playing.cards(0) == ("mummy", "mummy")


@pytest.mark.rule("HOR-42")
def test_whoever_walks_in_is_touched_by_each_that_stands_there() -> None:
    both = {"initkaes": ("NW", "A1"), "sanakht": ("NW", "NE")}
    playing = acting("A5", "6", who=("sarti", "rice"), mummies=both)
    playing.does(Step("NW"))
    assert playing.cards(0) == ("mummy", "mummy")


@pytest.mark.rule("HOR-42")
def test_every_square_on_the_way_counts_and_all_who_stand_there() -> None:
    playing = acting("A4", "A4", "A5", actions=0, who=("sarti", "rice", "rasputin"), mummies={"initkaes": ("A3", "NW")})
    playing.does(End())
    walked(playing, 4, 4, 1, 1, 1)
    assert [playing.cards(seat) for seat in range(3)] == [("mummy",), ("mummy",), ("mummy",)]


@pytest.mark.rule("HOR-42")
def test_there_and_back_touches_twice() -> None:
    playing = acting("NW", "6", actions=0, who=("sarti", "rice"), mummies={"initkaes": ("A5", "NW")})
    walked(playing, 4, 1, 1, 1, 1)
    again = acting("A5", "6", actions=0, who=("sarti", "rice"), mummies={"initkaes": ("A4", "NW")})
    walked(again, *THREE)
    assert playing.cards(0) == ("mummy",)
    assert again.cards(0) == ("mummy", "mummy"), "into A5, to the corner, and into A5 again"


@pytest.mark.rule("HOR-42")
def test_whoever_still_shares_a_square_is_touched_as_the_round_begins() -> None:
    playing = acting("A2", "6", actions=(1, 0), who=("sarti", "rice"), mummies={"initkaes": ("A3", "NW")})
    playing.does(Step("A3"))
    assert playing.cards(0) == ("mummy",)
    walked(playing, 1, 1, 1, 1, 1).falls(36)
    assert playing.cards(0) == ("mummy", "mummy")
    assert playing.state.round == 2


@pytest.mark.rule("HOR-42", "HOR-50")
def test_a_jump_to_a_mummy_is_a_touch() -> None:
    box = box_with('[plan]\nwalls = [["H1", "27"]]')
    playing = acting(
        "30", "6", actions=0, who=("wahab", "rice"), game=table(2, box=box), mummies={"sanakht": ("H4", "NE")}
    )
    walked(playing, 1, 1, 1, 1, 1).falls(30)
    playing.does(Jump("H4"))
    assert sorted(playing.cards(0)) == ["block", "mummy", "mummy"], "and again as the next round begins"


@pytest.mark.rule("HOR-42", "HOR-70")
def test_the_wound_of_a_mummy_never_heals() -> None:
    playing = acting("5", "6", cards={0: ("mummy", "antidote", "medical_kit")})
    for card in ("antidote", "medical_kit"):
        assert playing.refused(Use(card=card, wound="mummy")).rule == "HOR-70"


WOUNDS = ("snake",) * 3 + ("scorpion",) * 6 + ("crocodile",) * 2


@pytest.mark.rule("HOR-43")
def test_at_twelve_cards_something_goes_to_make_room() -> None:
    playing = acting(
        "A2", "6", cards={0: (*WOUNDS, "udjat")}, who=("sarti", "rice"), mummies={"initkaes": ("A3", "NW")}
    )
    playing.does(Step("A3"))
    assert playing.state.asking == "discard"
    assert playing.refused(Discard("mummy")).rule == "HOR-11"
    playing.does(Discard("udjat"))
    assert playing.cards(0) == (*WOUNDS, "mummy")


@pytest.mark.rule("HOR-43", "HOR-70")
def test_room_is_made_at_each_touch_before_the_next_one() -> None:
    """There and back a mummy touches twice: whoever heals at the first touch lives through the second."""
    playing = acting(
        "A5",
        "6",
        actions=0,
        cards={0: (*WOUNDS, "antidote")},
        who=("sarti", "rice"),
        mummies={"initkaes": ("A4", "NW")},
    )
    walked(playing.does(End()), *THREE)
    assert (playing.state.asking, playing.state.seat_asked) == ("discard", 0)
    assert playing.cards(0) == (*WOUNDS, "antidote", "mummy")
    assert playing.listed() == (
        Discard("antidote"),
        Use(card="antidote", wound="snake"),
        Use(card="antidote", wound="scorpion"),
    )
    playing.does(Use(card="antidote", wound="scorpion"))
    assert playing.seat(0).fate == "inside"
    assert playing.cards(0).count("mummy") == 2
    assert playing.here.held(0) == 12
    dropped = acting(
        "A5",
        "6",
        actions=0,
        cards={0: (*WOUNDS, "antidote")},
        who=("sarti", "rice"),
        mummies={"initkaes": ("A4", "NW")},
    )
    walked(dropped.does(End()), *THREE).does(Discard("antidote"))
    assert dropped.seat(0).fate == "turned", "the second touch finds nothing but wounds"


@pytest.mark.rule("HOR-42", "HOR-43")
def test_all_on_a_square_make_room_in_their_order_from_the_keeper_on() -> None:
    full = (*WOUNDS, "udjat")
    playing = acting("A4", "A4", actions=0, cards={0: full, 1: full}, mummies={"initkaes": ("A3", "NW")})
    while playing.state.asking == "act":
        playing.does(End())
    walked(playing, 4, 1, 1, 1, 1)
    asked = []
    while playing.state.asking == "discard":
        asked.append(playing.state.seat_asked)
        assert [len(playing.cards(seat)) for seat in (0, 1)] == ([13, 12] if asked == [0] else [12, 13])
        playing.does(Discard("udjat"))
    assert asked == [0, 1]


SIX = "treasure-sobek-6"


@pytest.mark.rule("HOR-12", "HOR-13", "HOR-43")
def test_a_spare_satchel_may_go_and_exactly_one_card_goes() -> None:
    wounds = (*WOUNDS[:10],)
    playing = acting(
        "A2",
        "6",
        cards={0: ("satchel", "satchel", SIX, *wounds)},
        mummies={"initkaes": ("A3", "NW")},
        who=("sarti", "rice"),
    )
    playing.does(Step("A3"))
    assert playing.listed() == (Discard("satchel"),), "without the treasure there would be as many"
    assert playing.refused(Discard(SIX)).rule == "HOR-12"
    playing.does(Discard("satchel"))
    assert playing.cards(0) == ("satchel", SIX, *wounds, "mummy")
    assert playing.state.asking == "act"
    either = acting("A2", "6", cards={0: ("satchel", "crowbar", *wounds)}, mummies={"initkaes": ("A3", "NW")})
    either.does(Step("A3"))
    assert set(either.listed()) == {Discard("satchel"), Discard("crowbar")}


@pytest.mark.rule("HOR-12", "HOR-13", "HOR-43")
def test_where_nothing_makes_room_by_itself_one_goes_after_another() -> None:
    wounds = WOUNDS[:11]
    for first, then in (("satchel", SIX), (SIX, "satchel")):
        playing = acting("A2", "6", cards={0: ("satchel", SIX, *wounds)}, mummies={"initkaes": ("A3", "NW")})
        playing.does(Step("A3"))
        assert set(playing.listed()) == {Discard("satchel"), Discard(SIX)}
        playing.does(Discard(first))
        assert playing.listed() == (Discard(then),)
        playing.does(Discard(then))
        assert playing.cards(0) == (*wounds, "mummy")


def turned(*, at: str, mummy: tuple[str, str], dice: tuple[int, ...] = (), other: str = "6") -> Playing:
    """Seat 0 holds twelve wounds and is touched: as it walks onto a mummy's square, or as one walks with these dice."""
    playing = acting(
        at, other, cards={0: (*WOUNDS, "block")}, who=("sarti", "rice"), mummies={"initkaes": mummy}, actions=(1, 0)
    )
    if not dice:
        return playing.does(Step("A3"))
    return walked(playing.does(End()), *dice)


@pytest.mark.rule("HOR-43", "HOR-45")
def test_with_nothing_but_wounds_one_turns_into_a_mummy_that_walks_on() -> None:
    playing = turned(at="A2", mummy=("A3", "NW"))
    assert playing.seat(0).fate == "turned"
    risen = playing.board()["mummies"][-1]
    assert risen == {"mummy": "sarti", "square": "A3", "towards": "NW", "stretch": "left", "lying": False, "seat": 0}
    walked(playing, 4, 1, 1, 1, 1)
    assert [mummy.at for mummy in playing.state.mummies if mummy.name in ("initkaes", "sarti")] == ["A4", "A4"]


@pytest.mark.rule("HOR-43", "HOR-45")
def test_it_rises_where_its_adventurer_stood_and_looks_as_the_other_did_then() -> None:
    """The mummy passes A5 on its way to the corner, and comes back as far as A4."""
    playing = turned(at="A5", mummy=("A4", "NW"), dice=(4, 4, 4, 4, 1))
    initkaes, sarti = (each for each in playing.state.mummies if each.name in ("initkaes", "sarti"))
    assert (initkaes.at, initkaes.walker.towards) == ("A4", "A1")
    assert (sarti.at, sarti.walker.towards) == ("A5", "NW")
    back = turned(at="A5", mummy=("NW", "A1"), dice=(4, 4, 1, 1, 1))
    assert [(each.at, each.walker.towards) for each in back.state.mummies if each.name == "sarti"] == [("A5", "A1")]


@pytest.mark.rule("HOR-42", "HOR-43")
def test_a_mummy_that_has_just_risen_touches_nobody_before_it_walks() -> None:
    playing = acting(
        "A2", "A4", cards={0: (*WOUNDS, "block")}, who=("sarti", "rice"), mummies={"initkaes": ("A3", "NW")}, actions=2
    )
    playing.does(Step("A3"), Step("A3"))
    assert playing.cards(1) == ("mummy",), "of the one that stood there, and not of the new one"
    walked(playing.does(End()), 4, 1, 1, 1, 1)
    assert [each.at for each in playing.state.mummies if each.name in ("initkaes", "sarti")] == ["A4", "A4"]
    playing.falls(36)
    assert playing.state.round == 2


@pytest.mark.rule("HOR-42", "HOR-43")
def test_nor_in_the_walk_it_rose_in_nor_on_a_jump_but_as_the_next_round_begins() -> None:
    box = box_with('[plan]\nwalls = [["H1", "27"]]')
    playing = acting(
        "H4",
        "30",
        game=table(2, box=box),
        cards={0: (*WOUNDS, "block")},
        who=("sarti", "rice"),
        mummies={"sanakht": ("H3", "NE")},
        actions=0,
    )
    walked(playing, 4, 4, 1, 1, 1)
    assert playing.seat(0).fate == "turned"
    playing.falls(30).does(Jump("H4"))
    assert playing.cards(1) == ("block", "mummy"), "it wounds as the next round begins, and not as he jumps"
    assert playing.state.round == 2


@pytest.mark.rule("HOR-45")
def test_the_new_mummy_touches_whoever_it_meets() -> None:
    playing = turned(at="A2", mummy=("A3", "NW"), other="A5")
    walked(playing, 4, 4, 1, 1, 1)
    assert playing.cards(1) == ("mummy", "mummy")


@pytest.mark.rule("HOR-44")
def test_wounds_count_when_the_cards_have_run_out() -> None:
    cards = dict.fromkeys(range(2), ("mummy",) * 9)
    playing = acting("A2", "6", cards=cards, who=("sarti", "rice"), mummies={"initkaes": ("A3", "NW")})
    playing.does(Step("A3"))
    assert playing.cards(0) == ("mummy",) * 10, "of 18 cards that is the nineteenth"


@pytest.mark.rule("HOR-71")
def test_a_mummy_that_was_shot_neither_wounds_nor_walks_and_then_gets_up() -> None:
    playing = acting("A2", "6", actions=(2, 0), who=("gore", "rice"), mummies={"initkaes": ("A3", "NW")})
    assert playing.refused(Use(ability="shooting", mummy="imhotep")).rule == "HOR-71"
    playing.does(Use(ability="shooting", mummy="initkaes"))
    assert playing.seat(0).actions == 2, "it takes no action"
    assert playing.refused(Use(ability="shooting", mummy="initkaes")).rule == "HOR-71"
    playing.does(Step("A3"))
    assert playing.cards(0) == ()
    playing.does(Step("A4"))
    walked(playing, *THREE)
    initkaes = next(mummy for mummy in playing.state.mummies if mummy.name == "initkaes")
    assert (initkaes.at, initkaes.lying) == ("A3", False)
    assert playing.cards(0) == ()
    stays = acting("A2", "6", actions=(1, 0), who=("gore", "rice"), mummies={"initkaes": ("A3", "NW")})
    stays.does(Use(ability="shooting", mummy="initkaes"), Step("A3"))
    walked(stays, *THREE)
    assert stays.cards(0) == ("mummy",), "it gets up, and he is there"


@pytest.mark.rule("HOR-71")
def test_no_shot_goes_through_a_wall_or_at_ones_own_square() -> None:
    playing = acting("23", "6", who=("gore", "rice"), mummies={"initkaes": ("A3", "NW")})
    assert playing.refused(Use(ability="shooting", mummy="initkaes")).rule == "HOR-71"
    there = acting("A3", "6", who=("gore", "rice"), mummies={"initkaes": ("A3", "NW")})
    assert there.refused(Use(ability="shooting", mummy="initkaes")).rule == "HOR-71"
    assert acting("5", "6", who=("sarti", "rice")).refused(Use(ability="shooting", mummy="initkaes")).rule == "HOR-71"


@pytest.mark.rule("HOR-76", "HOR-78", "HOR-70")
@pytest.mark.parametrize(
    ("who", "ability", "square", "wound", "other"),
    [
        ("watanabe", "reflexes", "5", "snake", "crocodile"),
        ("watanabe", "reflexes", "18", "scorpion", "crocodile"),
        ("rice", "swimming", "33", "crocodile", "scorpion"),
    ],
)
def test_a_wound_just_received_is_warded_off(who: str, ability: str, square: str, wound: str, other: str) -> None:
    playing = acting(square, "6", who=(who, "gore"), actions=(1, 0), cards={0: (other,)})
    assert playing.refused(Use(ability=ability)).code == "illegal"
    playing.does(Search()).falls(wound)
    assert playing.state.seat_asked == 0, "it is asked, though no action is left"
    playing.does(Use(ability=ability))
    assert playing.cards(0) == (other,)
    assert playing.state.cast_off == (wound,)
    assert playing.seat(0).used


@pytest.mark.rule("HOR-76")
def test_only_just_received_and_by_oneself() -> None:
    playing = acting("5", "6", who=("gore", "watanabe"), actions=(1, 1))
    playing.does(Search()).falls("snake")
    assert playing.state.seat_asked == 1
    assert playing.refused(Use(ability="reflexes")).rule == "HOR-76"
    later = acting("5", "6", who=("watanabe", "gore"), actions=3).does(Search()).falls("snake").does(Step("9"))
    assert later.refused(Use(ability="reflexes")).rule == "HOR-76"


def any_way(game: AnyGame, state: State, seat: int, luck: random.Random) -> Move:
    """A step, rather than a search that brings wounds; anything else where there is none."""
    moves = game.moves(state, seat).moves
    return luck.choice([move for move in moves if isinstance(move, Step) and move.to != "outside"] or list(moves))


@pytest.mark.rule("HOR-42", "HOR-43", "HOR-50", "HOR-52")
def test_the_log_tells_every_touch_and_wound_and_whoever_is_lost() -> None:
    told, came = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for seed in range(4):
        game = Way("horus", "referee", 6).game()
        played = list(at_random(game, random.Random(seed), 1_500, any_way))
        for moment in played:
            for also in game.follows(moment.before, moment.step):
                told[str(also["whose"]), str(also["type"])] += int(str(also.get("n", 1)))
        for name, each in zip(NAMES, played[-1].after.adventurers, strict=False):
            came[name, "touched"] += each.cards.count("mummy")
            came[name, "struck"] += each.cards.count("block")
            came[name, each.fate] += 1
    kinds = {"touched", "struck", "turned", "sealed"}
    came = Counter({key: n for key, n in came.items() if key[1] in kinds and n})
    assert {kind for _, kind in told - came} <= {"struck"}, "a kit heals the wound of a block"
    assert came - told == Counter()
    assert {kind for _, kind in told} >= {"touched", "struck", "sealed"}
