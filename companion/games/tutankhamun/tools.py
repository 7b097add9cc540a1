"""The tools of the box."""

from __future__ import annotations

from companion.game import Setup
from companion.games.bundle import Tools
from companion.games.toolbox.kit import Kit, Likely
from companion.games.toolbox.takings import TakingsTool
from companion.games.toolbox.tray import TrayTool
from companion.games.toolbox.turns import Turns
from companion.games.tutankhamun.box import TutankhamunBox
from companion.games.tutankhamun.layers import LayerKind, Layout, odds_at
from companion.pieces.bag import Bag
from companion.pieces.purse import Purse


def kit(box: TutankhamunBox, setup: Setup, rules: int) -> Kit:
    """The tray with its layers, and the purses."""
    purse = Purse.of(silver=box.purse.silver, gold=box.purse.gold, gold_in_silver=box.purse.gold_in_silver)
    return Kit(
        tuple(seat.name for seat in setup.seats),
        (
            TrayTool(
                side=box.tray.side,
                cards=tuple(Bag.of(box.layers[number]) for number in sorted(box.layers)),
                values=dict(box.values),
                house=box.house_worths,
            ),
            *((Turns(), _takings(box)) if rules > 1 else ()),
        ),
        points=purse.silver,
        gold=box.purse.gold_in_silver,
        loose=box.loose,
        likely=_in_lines(box) if rules > 3 and setup.source("cards") == "companion" else None,
    )


def _in_lines(box: TutankhamunBox) -> Likely:
    """The companion lays obelisks and snakes as the rules want them [TUT-04]."""
    kinds = tuple(LayerKind.of(box.tray.side, box.layers[number]) for number in sorted(box.layers))

    def likely(layer: int, shown: Layout, square: int) -> dict[str, int]:
        return odds_at(kinds[layer], shown, square)

    return likely


def _takings(box: TutankhamunBox) -> TakingsTool:
    """What is set aside in a turn, and the cards that everybody may lay."""
    dangers = tuple(sorted({-worth for worth in box.values.values() if worth < 0}))
    return TakingsTool(box.purse.pass_fee, box.purse.scarabs, box.purse.barricades, dangers)


TOOLS = Tools(kit, randomizers=("cards",))
