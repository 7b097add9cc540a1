"""A real tray: the companion knows nothing of the cards below, and is told each as it comes to light."""

from __future__ import annotations

import pytest

from companion.games.tutankhamun.corrections import Shown
from companion.games.tutankhamun.moves import Dig
from tests.games.tutankhamun.site import Site, box


@pytest.mark.rule("TUT-03", "TUT-12")
def test_a_card_is_asked_for_by_what_its_layer_has_left() -> None:
    site = Site().do(Dig("a1"))
    chance = site.chance
    assert (chance.randomizer, chance.question, chance.seat) == ("cards", "card a1 5", 2)
    assert (chance.hidden, chance.pressed) == (False, True)
    assert chance.facts == {"square": "a1", "layer": 5}
    assert dict(chance.odds) == dict(box().layers[5])
    site.fall("falcon").do(Dig("b1"))
    assert dict(site.chance.odds) == dict(box().layers[5]) | {"falcon": 0}
    assert sum(weight for _, weight in site.chance.odds) == 15


@pytest.mark.rule("TUT-02")
@pytest.mark.parametrize("card", ["mask", "earth", "gold", "", 3])
def test_a_card_the_layer_does_not_have_is_not_believed(card: str | int) -> None:
    site = Site().do(Dig("a1"))
    refusal = site.refused(card)
    assert (refusal.key, refusal.rule) == ("core.cannot_fall", "TUT-02")


@pytest.mark.rule("TUT-02")
def test_no_card_comes_to_light_more_often_than_there_are() -> None:
    site = Site().dig("a1", "chain").do(Dig("a2"))
    refusal = site.refused("chain")
    assert (refusal.key, refusal.rule) == ("tutankhamun.none_unseen", "TUT-02")


@pytest.mark.rule("TUT-12")
def test_a_move_waits_until_the_card_is_reported() -> None:
    site = Site().do(Dig("a1"))
    refusal = site.refused(Dig("b1"), seat=2)
    assert (refusal.key, refusal.rule) == ("core.chance_first", "TUT-12")
    assert site.board["turn"]["uncovering"] == "a1"
    assert site.square("a1")["top"] is None
    assert site.game.moves(site.state, 2).moves == ()


def test_two_cards_that_stuck_together_are_put_right() -> None:
    site = Site().dig("a1", "chain").put_right(Shown("a1", "pectoral", depth=3))
    assert site.square("a1") == {"square": "a1", "depth": 3, "top": "pectoral", "barricade": None}
    assert site.board["cards_left"] == 93
    # the card between was never seen, so it is still among those that may come
    site.do(Dig("b1")).fall("bracelet").do(Dig("b1"))
    assert sum(weight for _, weight in site.chance.odds) == 16


def test_a_card_put_back_covers_what_was_seen() -> None:
    site = Site().dig("a1", "chain").dig("a1", "falcon").put_right(Shown("a1", "chain", depth=5))
    assert (site.square("a1")["depth"], site.square("a1")["top"]) == (5, "chain")
    site.do(Dig("a1"))
    assert dict(site.chance.odds) == dict(box().layers[4])
    site = Site().dig("a1", "chain").put_right(Shown("a1", "earth", depth=6))
    assert site.square("a1")["top"] == "earth"
    assert site.board["cards_left"] == 96
