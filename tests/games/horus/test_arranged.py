"""The draws that are arranged at a table to learn at: what is to be seen is seen, and then luck is luck."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.horus.cards import CURED_BY, TREASURES, WOUNDS, kind
from companion.games.horus.moves import Search
from tests.games.horus.pyramids import Playing, acting, table


def open_(playing: Playing) -> list[str | int]:
    """What can fall."""
    return [outcome for outcome, weight in playing.chance.odds if weight]


def test_a_treasure_a_wound_and_what_heals_it_are_found_one_after_another() -> None:
    playing = acting("5", "6", actions=(4, 2), game=table(2, teach="luck"))
    for kinds in (TREASURES, WOUNDS, ("antidote",)):
        found = open_(playing.does(Search()))
        assert {kind(str(card)) for card in found} <= {*kinds}
        assert playing.chance.arranged
        playing.falls(found[0])
    playing.does(Search())
    assert not playing.chance.arranged
    assert len(open_(playing)) > 1


def test_what_heals_is_found_by_whoever_is_hurt_and_so_by_nobody_else() -> None:
    playing = acting("5", "18", cards={0: ("necklace-1",), 1: ("scorpion",)}, game=table(2, teach="luck"))
    playing.does(Search())
    assert not playing.chance.arranged
    assert set(CURED_BY) < {str(card) for card in open_(playing)}


def test_the_first_mummy_that_can_touch_somebody_does() -> None:
    """One stands three squares ahead of the second player, two rounds later."""
    playing = acting("5", "T5", actions=0, mummies={"imhotep": ("T2", "T5")}, game=table(2, teach="luck"))
    playing.state = replace(playing.state, round=3)
    while playing.chance.randomizer == "mummy_dice":
        playing.falls(open_(playing)[-1])
    assert playing.cards(1) == ("mummy",)
    assert playing.cards(0) == ()
    again = acting("5", "T5", cards={0: ("mummy",)}, actions=0, game=table(2, teach="luck"))
    again.state = replace(again.state, round=3)
    assert not again.chance.arranged
