"""Every toolbox on its page: whatever can be pressed is pressed, at three sizes, by any luck."""

from __future__ import annotations

import random

import pytest

from companion import games
from tests.browser.pressing import SIZES, pressed, verified
from tests.browser.screens import Screen
from tests.browser.tables import Service

pytestmark = pytest.mark.browser

BOXES = tuple(name for name in games.REGISTER if "toolbox" in games.modes(name))
PRESSES = 50


@pytest.mark.parametrize("box", BOXES)
def test_fifty_presses_at_three_sizes_leave_a_toolbox_whole(service: Service, sit: Screen, box: str) -> None:
    luck, names = random.Random(box), list[str]()
    for source in ("companion", "table"):
        table = service.lay(box, 2, sources={"default": source})
        page = sit(table, table.host, theatre=True)
        for size in SIZES:
            page.set_viewport_size(size)
            names += pressed(page, luck, 9)
        assert verified(table) > 0, " | ".join(names)
    assert len(names) >= PRESSES
