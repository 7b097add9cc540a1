"""A table begun by version 1 of the rules goes on by it: nobody was told of an empty pile."""

from __future__ import annotations

import pytest

from companion.games.tomb_raiders.moves import Dig
from tests.games.tomb_raiders.camp import Camp


@pytest.mark.rule("TTR-13", "TTR-43")
def test_a_dig_in_an_empty_pile_was_over_without_a_word() -> None:
    camp = Camp(rules=1)
    camp.ready_to_dig()
    camp.lie("egypt")
    camp.play(Dig("egypt", 12, "region"))
    assert camp.state.task is None
    assert camp.seat == 1
