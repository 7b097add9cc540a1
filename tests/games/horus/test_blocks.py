"""Blocks: whom they hit, whom they shut in, and who sees them beforehand."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.game import Chance, Finished, Turn
from companion.games.horus.moves import Discard, End, Jump, Pick, Step
from companion.games.horus.uses import Use
from tests.games.horus.pyramids import BOX, Playing, acting, box_with, table

STILL = (1, 1, 1, 1, 1)


def dropped(playing: Playing, block: int) -> Playing:
    """After the mummies have stood still and a block has fallen."""
    return playing.falls(*STILL, block)


@pytest.mark.rule("HOR-50")
def test_a_block_stays_where_it_fell_and_leaves_the_box() -> None:
    playing = dropped(acting("5", "6", actions=0, who=("sarti", "rice")), 17)
    blocks = playing.board()["blocks"]
    assert (blocks["left"], blocks["fallen"], blocks["last"]) == (35, [17], 17)
    assert 17 not in dict(playing.falls(*STILL).falls(*STILL).chance.odds)


@pytest.mark.rule("HOR-50", "HOR-31")
def test_whoever_stands_there_jumps_at_once_and_is_wounded() -> None:
    playing = dropped(acting("18", "6", actions=0, who=("wahab", "rice"), fallen=(17,)), 18)
    assert (playing.state.asking, playing.ask) == ("jump", Turn((0,)))
    assert playing.refused(Step("14")).rule == "HOR-30"
    for to in ("17", "13", "18", "outside"):
        assert playing.refused(Jump(to)).rule == "HOR-31"
    assert set(playing.listed()) == {Jump("14"), Jump("19"), Jump("31")}
    playing.does(Jump("31"))
    assert (playing.seat(0).square, playing.cards(0)) == ("31", ("block",))


@pytest.mark.rule("HOR-50", "HOR-03")
def test_all_on_the_square_jump_from_the_keeper_on() -> None:
    playing = acting("18", "18", "18", actions=0, who=("wahab", "rice", "ardila"))
    playing.state = replace(playing.state, keeper=1)
    dropped(playing, 18)
    order = []
    while playing.state.asking == "jump":
        order.append(playing.state.seat_asked)
        playing.does(Jump("14"))
    assert order == [1, 2, 0]


@pytest.mark.rule("HOR-50")
def test_with_nowhere_to_jump_one_is_out_for_good() -> None:
    playing = dropped(acting("27", "6", actions=0, who=("wahab", "rice"), fallen=(25, 28)), 27)
    assert playing.seat(0).fate == "sealed"
    assert playing.seat(0).square == ""
    assert playing.cards(0) == ()


@pytest.mark.rule("HOR-50")
def test_twelve_wounds_leave_no_room_for_one_more() -> None:
    wounds = ("mummy",) * 12
    playing = dropped(acting("18", "6", actions=0, who=("wahab", "rice"), cards={0: wounds}), 18)
    playing.does(Jump("14"))
    assert playing.cards(0) == wounds
    full = dropped(
        acting("18", "6", actions=(1, 0), who=("wahab", "rice"), cards={0: (*wounds[1:], "udjat")}).does(End()), 18
    )
    full.does(Jump("14"))
    assert full.state.asking == "discard"
    full.does(Discard("udjat"))
    assert full.cards(0) == (*wounds[1:], "block")


@pytest.mark.rule("HOR-72")
def test_sarti_dodges_and_still_has_to_jump() -> None:
    playing = dropped(acting("18", "6", actions=0, who=("sarti", "rice")), 18)
    assert Use(ability="dodge") in playing.listed()
    playing.does(Use(ability="dodge"))
    assert playing.state.asking == "jump"
    playing.does(Jump("14"))
    assert (playing.cards(0), playing.seat(0).used) == ((), True)
    dropped(playing.falls(*STILL), 14)
    assert playing.refused(Use(ability="dodge")).rule == "HOR-72", "once in a game"
    playing.does(Jump("10"))
    assert playing.cards(0) == ("block",)


@pytest.mark.rule("HOR-52", "HOR-53")
def test_the_worked_example_of_a_sealed_den() -> None:
    """One more block shuts the den: who stands on the side of the entrance goes on, all others are sealed in."""
    playing = acting("6", "33", "A1", actions=0, who=("sarti", "rice", "rasputin"), fallen=(13, 14, 16))
    playing.does(End())
    dropped(playing, 15)
    assert [playing.seat(seat).fate for seat in range(3)] == ["inside", "sealed", "sealed"]
    assert playing.state.keeper == 0


@pytest.mark.rule("HOR-52")
def test_while_a_way_is_left_one_plays_on() -> None:
    playing = acting("6", "33", actions=0, who=("sarti", "rice"), fallen=(13, 14))
    dropped(playing, 16)
    assert playing.seat(1).fate == "inside"
    assert playing.board()["one_way"]["33"] == [11, 15, 19]


@pytest.mark.rule("HOR-52")
def test_a_block_on_an_entrance_closes_it() -> None:
    playing = acting("5", "8", actions=0, who=("sarti", "rice"), fallen=(1, 2, 3))
    dropped(playing, 4)
    assert [playing.seat(seat).fate for seat in (0, 1)] == ["sealed", "sealed"]
    assert isinstance(playing.ask, Finished)
    assert playing.ask.winners == ()


@pytest.mark.rule("HOR-51", "HOR-75")
@pytest.mark.parametrize("by", ["udjat", "prescience"])
def test_a_block_is_looked_at_and_falls(by: str) -> None:
    use = Use(card="udjat") if by == "udjat" else Use(ability="prescience")
    playing = acting("5", "6", who=("rasputin", "rice"), cards={0: ("udjat",), 1: ("udjat",)}, actions=(1, 1))
    playing.does(use)
    assert (playing.chance.question, playing.chance.seat) == ("block looked at", 0)
    assert len(playing.chance.odds) == 36
    playing.falls(17)
    assert playing.state.asking == "decide"
    assert playing.refused(Step("9")).rule == "HOR-30"
    assert playing.refused(Use(card="udjat")).rule == "HOR-51"
    keep = Use(card="udjat", keep=True) if by == "udjat" else Use(ability="prescience", keep=True)
    assert set(playing.listed()) == {keep, type(keep)(card=keep.card, ability=keep.ability, keep=False)}
    playing.does(keep)
    assert playing.refused(Use(ability="prescience")).rule in ("HOR-51", "HOR-75")
    assert playing.seat(0).actions == 1, "it takes no action"
    playing.does(End())
    assert playing.refused(Use(card="udjat")).rule == "HOR-51", "once a round, whoever does it"
    playing.does(End()).falls(*STILL)
    assert [number for number, weight in playing.chance.odds if weight] == [17]
    assert playing.chance.veiled
    playing.falls(17)
    assert playing.state.fallen == (17,)


@pytest.mark.rule("HOR-51")
def test_a_block_put_back_is_one_of_those_that_may_fall() -> None:
    playing = acting("5", "6", who=("rasputin", "rice"), actions=(1, 0))
    playing.does(Use(ability="prescience")).falls(17).does(Use(ability="prescience", keep=False))
    playing.does(End()).falls(*STILL)
    assert dict(playing.chance.odds) == dict.fromkeys(range(1, 37), 1)


@pytest.mark.rule("HOR-36", "HOR-51")
def test_the_block_for_the_idol_is_not_the_one_that_was_set_aside() -> None:
    playing = acting("H2", "6", who=("rasputin", "rice"), actions=(2, 0), mummies={"sanakht": ("NE", "NW")})
    playing.does(Use(ability="prescience")).falls(17).does(Use(ability="prescience", keep=True))
    playing.does(Pick()).falls(1, 2, 3, 4, 5)
    odds = dict(playing.chance.odds)
    assert odds.pop(17) == 0
    assert set(odds.values()) == {1}
    assert playing.chance.veiled, "which one cannot fall is told by nothing"
    playing.falls(18)
    playing.does(End()).falls(*STILL, 17)
    assert playing.state.fallen == (18, 17)


@pytest.mark.rule("HOR-51", "HOR-82")
def test_a_real_block_that_is_looked_at_is_never_told() -> None:
    game = table(2, sources={"blocks": "table"})
    playing = acting("5", "6", who=("rasputin", "rice"), actions=(1, 0), game=game)
    playing.does(Use(ability="prescience"))
    assert playing.state.asking == "decide", "nothing is asked of chance"
    playing.does(Use(ability="prescience", keep=True), End()).falls(*STILL)
    assert isinstance(playing.ask, Chance)
    assert all(weight == 1 for _, weight in playing.chance.odds)


@pytest.mark.rule("HOR-52", "HOR-61")
def test_where_all_blocks_have_fallen_none_falls() -> None:
    box = box_with('[plan]\nentrances = ["A1", "4"]')
    game = table(2, box=box)
    playing = acting("A1", "A1", who=("sarti", "rice"), actions=0, game=game, fallen=tuple(range(1, 37)))
    keeper = playing.state.keeper
    playing.falls(*STILL)
    assert playing.state.round == 2
    assert playing.state.keeper != keeper
    assert len(BOX.plan.blocks) == len(playing.state.fallen)
