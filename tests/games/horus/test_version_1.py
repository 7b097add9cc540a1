"""A table begun by version 1 of the rules goes on by it: a crowbar and the ability opened a lock
together, and two touches of one walk came at once."""

from __future__ import annotations

import pytest

from companion.games.horus.moves import Discard, Pick, Step
from tests.games.horus.pyramids import Playing, acting, table
from tests.games.horus.test_mummies import SIX, WOUNDS, walked


def by_version_1(*squares: str, **laid: object) -> Playing:
    return acting(*squares, game=table(len(squares), rules=1), **laid)  # type: ignore[arg-type]


@pytest.mark.rule("HOR-35")
def test_several_helpers_opened_a_lock_together() -> None:
    playing = by_version_1("H3", "5", who=("ardila", "gore"), cards={0: ("crowbar", "crowbar")}, actions=(1, 0))
    playing.does(Pick()).falls(1, 2, 6, 6, 6)
    assert playing.refused(Pick(crowbar=2)).key == "horus.supplies"
    assert playing.refused(Pick(crowbar=3)).key == "horus.no_crowbar"
    playing.does(Pick(crowbar=2, ability=True))
    assert (playing.cards(0), playing.seat(0).used) == (("idol-horus",), True)


@pytest.mark.rule("HOR-12", "HOR-13")
def test_a_satchel_went_last_where_room_was_made() -> None:
    wounds = WOUNDS[:10]
    full = ("satchel", "satchel", SIX, *wounds)
    playing = by_version_1("A2", "6", cards={0: full}, mummies={"initkaes": ("A3", "NW")}).does(Step("A3"))
    assert playing.listed() == (Discard(SIX),)
    playing.does(Discard(SIX), Discard("satchel"))
    assert playing.cards(0) == ("satchel", *wounds, "mummy")


@pytest.mark.rule("HOR-43", "HOR-45")
def test_all_touches_of_a_walk_came_at_once_and_who_turned_stood_where_the_mummy_did() -> None:
    full = (*WOUNDS, "crowbar")
    where = {"initkaes": ("A4", "NW")}
    playing = by_version_1("A5", "6", cards={0: full}, who=("sarti", "rice"), mummies=where, actions=0)
    walked(playing, 4, 4, 4, 4, 1)
    assert playing.seat(0).fate == "turned", "with a card that could have gone"
    assert [mummy.at for mummy in playing.state.mummies if mummy.name == "sarti"] == ["A4"]
