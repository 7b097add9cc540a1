"""A game that misspells what it offers is refused when it is written or registered, and not in the middle of a game."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.bundle import Refereed
from companion.keepsake.panel import Panels, nothing
from companion.referee import Referee
from tests.elsewhere.shaft.rules import ShaftReferee

SAID: dict[str, Any] = {name: getattr(ShaftReferee, name) for name in ("table", "acts", "turn_rule", "over_rule")}


@pytest.mark.parametrize("misspelt", ["correction", "draw", "turns_rule", "option", "newest_rule"])
def test_a_referee_says_only_what_is_asked_of_it(misspelt: str) -> None:
    with pytest.raises(TypeError, match=f"no `{misspelt}`"):
        type("Misspelt", (Referee,), SAID | {misspelt: ()})


@pytest.mark.parametrize("unsaid", SAID)
def test_a_referee_says_what_is_needed(unsaid: str) -> None:
    with pytest.raises(TypeError, match=f"`{unsaid}` is not said"):
        type("Silent", (Referee,), {name: value for name, value in SAID.items() if name != unsaid})


def test_a_referee_may_have_its_own_methods_and_what_begins_with_an_underscore() -> None:
    own = {"_weeks": (1, 2), "nearest": lambda self: 0, "left": property(lambda self: 1)}
    assert type("Fine", (Referee,), SAID | own)


@pytest.mark.parametrize(
    "wrong",
    [
        {"rules": "no referee at all"},
        {"rules": Panels},
        {"bots": 7},
        {"bots": {"random": 3}},
        {"drawings": {"bag": 3}},
        {"ending": "last"},
        {"panels": (nothing, nothing)},
        {"account": nothing},
    ],
    ids=lambda wrong: next(iter(wrong)),
)
def test_what_goes_with_a_referee_is_what_it_should_be(wrong: dict[str, Any]) -> None:
    fine: dict[str, Any] = {
        "rules": ShaftReferee,
        "bots": {"none": nothing},
        "ending": nothing,
        "drawings": {"bag": nothing},
        "silent": frozenset[str](),
        "panels": Panels(nothing, nothing),
    }
    assert Refereed(**fine)
    with pytest.raises(TypeError, match=next(iter(wrong))):
        Refereed(**fine | wrong)
