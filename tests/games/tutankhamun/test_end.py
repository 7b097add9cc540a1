"""How a game ends, and who has won."""

from __future__ import annotations

import pytest

from companion.games.tutankhamun.corrections import Leave, Purse, Shown
from companion.games.tutankhamun.moves import Deal, Dig, Pass, Scarab, Stop
from companion.refusals import Over
from tests.games.tutankhamun.site import Site, box


def nearly_dug(site: Site, last: str) -> Site:
    """A real tray where all but the square d4 are down to the lowest layer, and `last` is the card nobody has seen."""
    cards = [card for card, count in box().layers[1].items() for _ in range(count)]
    cards.remove(last)
    for square, card in zip(site.game.terms.squares, cards, strict=False):
        site.put_right(Shown(square, card, depth=1))
    return site.put_right(Shown("d4", "chain", depth=2))


@pytest.mark.rule("TUT-20", "TUT-13")
def test_the_last_card_uncovered_ends_the_game_and_is_its_finders() -> None:
    site = nearly_dug(Site(), "pectoral")
    assert not site.is_over
    site.scarab().do(Dig("d4"))
    assert [card for card, weight in site.chance.odds if weight] == ["pectoral"]
    site.fall("pectoral")
    assert [score.total for score in site.end.scores] == [10, 10, 18]
    assert site.end.winners == (2,)
    assert site.board["phase"] == "over"
    assert site.state.scarabs_gone == 1


@pytest.mark.rule("TUT-20", "TUT-14")
def test_a_bad_last_card_is_paid_and_ends_the_game_too() -> None:
    site = nearly_dug(Site(), "mask").dig("d4", "mask")
    assert [score.total for score in site.end.scores] == [10, 10, 0]
    assert site.state.playing == (True, True, True)
    assert site.end.winners == (0, 1)


@pytest.mark.rule("TUT-20", "TUT-17")
def test_open_cards_need_not_be_lifted() -> None:
    site = nearly_dug(Site(), "pectoral").dig("a1").dig("d4", "pectoral")
    assert site.is_over
    assert sum(square["depth"] for square in site.board["tray"]["squares"]) == 15


@pytest.mark.rule("TUT-20")
def test_the_game_is_over_when_all_pass_one_after_another() -> None:
    site = Site().pass_turn().pass_turn()
    assert not site.is_over
    site.do(Pass())
    assert [score.total for score in site.end.scores] == [7, 7, 7]
    assert site.end.winners == (0, 1, 2)


@pytest.mark.rule("TUT-20")
def test_a_dig_begins_the_passes_anew() -> None:
    site = Site().pass_turn().pass_turn().dig("a1", "chain").stop().pass_turn().pass_turn()
    assert not site.is_over
    assert site.board["passed"] == [2, 0]
    assert site.do(Pass()).is_over


@pytest.mark.rule("TUT-20", "TUT-15")
def test_only_those_still_in_have_to_pass() -> None:
    site = Site(4).put_right(Purse(1, 0)).do(Pass())
    assert not site.state.playing[1]
    site.pass_turn().pass_turn()
    assert not site.is_over
    assert site.do(Pass()).is_over


@pytest.mark.rule("TUT-20", "TUT-15")
def test_a_player_who_leaves_over_the_fee_has_passed() -> None:
    site = Site().pass_turn().pass_turn().put_right(Purse(1, 2)).do(Pass())
    assert [score.total for score in site.end.scores] == [7, 0, 7]
    assert site.end.winners == (0, 2)


@pytest.mark.rule("TUT-20", "TUT-14")
def test_the_last_player_left_has_won() -> None:
    site = Site(2).put_right(Purse(1, 1)).dig("a1", "snake_head")
    assert [score.total for score in site.end.scores] == [10, 0]
    assert site.end.winners == (0,)


@pytest.mark.rule("TUT-20", "TUT-21")
def test_who_has_left_has_not_won_even_among_the_poor() -> None:
    site = Site(2).put_right(Purse(0, 0)).put_right(Purse(1, 0)).do(Pass())
    assert site.end.winners == (0,)


@pytest.mark.rule("TUT-21")
def test_the_parts_of_a_score_are_its_coins() -> None:
    scores = Site(2).pass_turn().do(Pass()).end.scores
    assert [(score.total, score.parts) for score in scores] == [(7, {"gold": 5, "silver": 2})] * 2


@pytest.mark.rule("TUT-20")
def test_nothing_is_played_or_put_right_after_the_end() -> None:
    site = Site(2).pass_turn().do(Pass())
    for what in (Dig("a1"), Pass(), Stop(), Scarab(), Deal()):
        assert isinstance(site.refused(what, seat=0), Over)
    for wrong in (Purse(0, 3), Leave(0)):
        assert isinstance(site.refused(wrong), Over)
    assert site.refused("chain").key == "core.over"
    assert site.game.aids(site.state, 0) == {}
    assert site.game.moves(site.state, 0).moves == ()


@pytest.mark.rule("TUT-40")
def test_a_table_that_is_closed_early_turns_up_what_lies() -> None:
    laying = Site(2, tray="laid").do(Deal(), Deal())
    laying.state = laying.game.closed(laying.state)
    assert laying.board["found"] == {"quarters": 0, "layers": [list(layer) for layer in laying.state.layers]}
    site = Site(2).scarab().dig("a1", "falcon").do(Dig("b1"))
    site.state = site.game.closed(site.state)
    assert [score.total for score in site.end.scores] == [10, 10]
    assert site.board["found"]["layers"][4][:2] == ["falcon", None]


@pytest.mark.rule("TUT-20")
@pytest.mark.parametrize("tray", ["dealt", "laid", "physical"])
def test_the_whole_tray_is_turned_up_at_the_end(tray: str) -> None:
    site = Site(2, tray=tray)
    while site.state.phase == "laying":
        site.do(Deal())
    site.uncover("b3").close()
    if site.state.digs:
        site.stop()
    assert "found" not in site.board
    while not site.is_over:
        site.do(Pass()).close()
    found, state = site.board["found"], site.state
    if tray == "physical":
        assert found["quarters"] is None
        known = [card for layer in found["layers"][:5] for card in layer if card]
        assert known == [state.layers[4][9]]
    else:
        assert found["quarters"] == state.quarters
        for number, layer in enumerate(found["layers"], 1):
            assert sorted(layer) == sorted(card for card, n in box().layers[number].items() for _ in range(n))
