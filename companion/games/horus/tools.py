"""The tools of the box."""

from __future__ import annotations

from companion.game import Option, Setup
from companion.games.bundle import Tools
from companion.games.horus.box import HorusBox
from companion.games.horus.cards import EQUIPMENT
from companion.games.toolbox.cards import Cards
from companion.games.toolbox.dice import DiceSet
from companion.games.toolbox.face_down import FaceDown
from companion.games.toolbox.kit import Kit
from companion.games.toolbox.loads import Loads
from companion.games.toolbox.pyramid import Blocks, Drawn, Mummies
from companion.games.toolbox.turns import Turns
from companion.pieces.bag import Bag
from companion.pieces.corridor import Walker
from companion.pieces.plan import Plan

WOUNDS = {"touches": {"mummy": 18}, "stones": {"block": 8}}
"""What mummies and blocks leave behind lies beside the board, with the face up or down: all are the same."""


def kit(box: HorusBox, setup: Setup, rules: int) -> Kit:
    """The dice, the plan with its blocks, and the mummies."""
    plan, corridor = box.plan, box.plan.corridor
    secret = (FaceDown(EQUIPMENT),) if setup.options.get("total_secrecy") else ()
    mummies = plan.alternative if setup.options.get("mummies") == "alternative" else plan.mummies
    return Kit(
        tuple(seat.name for seat in setup.seats),
        (
            DiceSet(
                box.dice.faces,
                tuple(box.dice.gods.values()),
                tuple(box.origin(f"dice.gods.{god}") for god in box.dice.gods),
                box.dice.mummies_from,
                {str(god): numbers for god, numbers in box.locks.items()} if rules > 1 else {},
                names=tuple(box.dice.gods),
            ),
            Blocks(
                count=len(plan.blocks),
                drawing=Drawn(
                    grid=plan.grid,
                    walls=plan.walls,
                    corridor={"left": corridor.left, "far": corridor.far, "right": corridor.right},
                    entrances=plan.entrances,
                    areas=dict(plan.areas.items()),
                    alcoves={str(god): squares for god, squares in plan.alcoves.items()} if rules > 1 else {},
                ),
                plan=Plan.of(plan.passages, exits=plan.entrances),
                origin=box.origin("plan.grid"),
                real=rules == 1 or setup.source("blocks") == "table",
            ),
            Mummies(
                walkers={
                    name: Walker.on(corridor.stretch(mummy.stretch), at=mummy.square, towards=mummy.towards)
                    for name, mummy in mummies.items()
                },
                stretches={name: mummy.stretch for name, mummy in mummies.items()},
            ),
            *((_cards(box, setup), *secret, _loads(box), Turns(held="dice")) if rules > 1 else ()),
        ),
        loose=box.loose,
    )


def _cards(box: HorusBox, setup: Setup) -> Cards:
    """The search decks, the idols in their alcoves, the sarcophagi with a card of their god in each, and wounds."""
    gods = {god: f"decks.sarcophagi.{god}" for god in box.sarcophagus_cards}
    areas = {"den": "decks.rubble", "sand": "decks.sand", "pond": "decks.water"}
    tombs: dict[str, str] = {
        square_of(god, square): god for god, squares in box.plan.sarcophagi.items() for square in squares
    }
    return Cards(
        printed={
            deck: Bag.of(cards) for deck, cards in ({**box.search_decks, **box.sarcophagus_cards, **WOUNDS}).items()
        },
        places={"alcoves": tuple(f"idol-{god}" for god in box.decks.idols), **dict.fromkeys(tombs, ())},
        lids=tombs,
        real=setup.source("decks") == "table",
        origins={deck: box.origin(key) for deck, key in (areas | gods).items()},
        searched=tuple(box.search_decks) if setup.options.get("total_secrecy") else (),
        worth={f"idol-{god}": worth for god, worth in box.decks.idols.items()},
        house=box.marked,
    )


def square_of(god: str, square: str) -> str:
    """The place of a sarcophagus: its god, and the square before it."""
    return f"{god}:{square}"


def _loads(box: HorusBox) -> Loads:
    numbers = range(box.level.cards + 1)
    steps = [next(n for n, step in enumerate(box.level.steps, 1) if cards <= step.up_to) for cards in numbers]
    return Loads(
        levels=tuple(box.level_of(cards) for cards in numbers),
        curses={f"idol-{god}": colour for god, colour in box.dice.gods.items()},
        origins=tuple(box.origin(f"level.steps.{step}.up_to") for step in steps),
    )


TOOLS = Tools(
    kit,
    randomizers=("dice", "blocks", "decks"),
    options=(Option("mummies", ("usual", "alternative"), "usual"), Option("total_secrecy", (False, True), False)),
)
