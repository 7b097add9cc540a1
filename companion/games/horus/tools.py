"""The tools of the box."""

from __future__ import annotations

from companion.game import Option, Setup
from companion.games.bundle import Tools
from companion.games.horus.box import HorusBox
from companion.games.toolbox.dice import DiceSet
from companion.games.toolbox.kit import Kit
from companion.games.toolbox.pyramid import Blocks, Drawn, Mummies
from companion.pieces.corridor import Walker
from companion.pieces.plan import Plan


def kit(box: HorusBox, setup: Setup) -> Kit:
    """The dice, the plan with its blocks, and the mummies."""
    plan, corridor = box.plan, box.plan.corridor
    mummies = plan.alternative if setup.options.get("mummies") == "alternative" else plan.mummies
    return Kit(
        tuple(seat.name for seat in setup.seats),
        (
            DiceSet(
                box.dice.faces,
                tuple(box.dice.gods.values()),
                tuple(box.origin(f"dice.gods.{god}") for god in box.dice.gods),
                box.dice.mummies_from,
            ),
            Blocks(
                count=len(plan.blocks),
                drawing=Drawn(
                    grid=plan.grid,
                    walls=plan.walls,
                    corridor={"left": corridor.left, "far": corridor.far, "right": corridor.right},
                    entrances=plan.entrances,
                    areas=dict(plan.areas.items()),
                ),
                plan=Plan.of(plan.passages, exits=plan.entrances),
                origin=box.origin("plan.grid"),
            ),
            Mummies(
                walkers={
                    name: Walker.on(corridor.stretch(mummy.stretch), at=mummy.square, towards=mummy.towards)
                    for name, mummy in mummies.items()
                },
                stretches={name: mummy.stretch for name, mummy in mummies.items()},
            ),
        ),
    )


TOOLS = Tools(kit, randomizers=("dice", "blocks"), options=(Option("mummies", ("usual", "alternative"), "usual"),))
