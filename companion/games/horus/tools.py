"""The tools of the box."""

from __future__ import annotations

from companion.game import Option, Setup
from companion.games.bundle import Tools
from companion.games.horus.box import HorusBox
from companion.games.toolbox.kit import DiceSet, Drawn, Kit, Pyramid
from companion.pieces.corridor import Walker
from companion.pieces.plan import Plan


def kit(box: HorusBox, setup: Setup) -> Kit:
    """The dice, the plan with its blocks, and the mummies."""
    plan = box.plan
    mummies = plan.alternative if setup.options.get("mummies") == "alternative" else plan.mummies
    return Kit(
        seats=tuple(seat.name for seat in setup.seats),
        dice=DiceSet(box.dice.faces, tuple(box.dice.gods.values()), box.dice.mummies_from),
        pyramid=Pyramid(
            drawing=Drawn(
                grid=plan.grid,
                walls=plan.walls,
                corridor={
                    "left": plan.corridor.left,
                    "far": plan.corridor.far,
                    "right": plan.corridor.right,
                },
                entrances=plan.entrances,
                areas=dict(plan.areas.items()),
            ),
            plan=Plan.of(plan.passages, exits=plan.entrances),
            blocks=len(plan.blocks),
            mummies={
                name: Walker.on(plan.corridor.stretch(mummy.stretch), at=mummy.square, towards=mummy.towards)
                for name, mummy in mummies.items()
            },
            stretches={name: mummy.stretch for name, mummy in mummies.items()},
            origin=box.origin("plan.grid"),
        ),
    )


TOOLS = Tools(kit, randomizers=("dice", "blocks"), options=(Option("mummies", ("usual", "alternative"), "usual"),))
