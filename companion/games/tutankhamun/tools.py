"""The tools of the box."""

from __future__ import annotations

from companion.game import Setup
from companion.games.bundle import Tools
from companion.games.toolbox.kit import Kit
from companion.games.toolbox.tray import Tray
from companion.games.tutankhamun.box import TutankhamunBox
from companion.pieces.bag import Bag
from companion.pieces.purse import Purse


def kit(box: TutankhamunBox, setup: Setup, rules: int) -> Kit:
    """The tray with its layers, and the purses."""
    purse = Purse.of(silver=box.purse.silver, gold=box.purse.gold, gold_in_silver=box.purse.gold_in_silver)
    return Kit(
        tuple(seat.name for seat in setup.seats),
        (
            Tray(
                side=box.tray.side,
                cards=tuple(Bag.of(box.layers[number]) for number in sorted(box.layers)),
                values=dict(box.values),
                house=box.house_worths,
            ),
        ),
        points=purse.silver,
        gold=box.purse.gold_in_silver,
    )


TOOLS = Tools(kit, randomizers=("cards",))
