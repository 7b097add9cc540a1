"""Where secrets are seldom come by at random: places to begin at, and pairs that no one step parts."""

from __future__ import annotations

from typing import Any, NamedTuple

from msgspec.structs import replace

from companion.game import Corrected, Played, Source, State, Step
from companion.games.horus.corrections import PlaceCard
from companion.games.horus.uses import Use
from companion.games.tomb_raiders.moves import Play
from companion.pieces.box_differences import BoxDifference
from tests.games.horus.pyramids import acting, table
from tests.games.tomb_raiders.camp import Camp
from tests.laws.play import Way

HORUS = Way("horus", "referee", 2)
SECRECY = Way("horus", "referee", 2, (("total_secrecy", True),))
TOMBS = Way("tomb_raiders", "referee", 2)
TOOLS = Way("tomb_raiders", "toolbox", 2)
TEN_WOUNDS = ("mummy",) * 10


class Scene(NamedTuple):
    """A state to play on from, beginning with `step`; with `other`, a pair that only `seat` may tell apart."""

    way: Way
    state: State
    other: State | None = None
    seat: int | None = None
    source: Source = "companion"
    step: Step | None = None


def scenes() -> list[Scene]:
    return [*_in_the_pyramid(), *_pairs()]


def _in_the_pyramid() -> list[Scene]:
    secrecy, who = table(2, total_secrecy=True), ("sarti", "rice")
    guard = {"initkaes": ("A3", "NW")}
    two = {0: ("treasure-sobek-6", "treasure-sobek-5", *TEN_WOUNDS)}
    bag = {0: ("satchel", "treasure-sobek-6", "treasure-sobek-5", "snake")}
    each = {0: ("treasure-sobek-6",), 1: ("treasure-sobek-5",)}
    reads = Played(0, Use(ability="linguistics"))
    lies = Corrected(PlaceCard("treasure-sobek-6", 0, 1))
    return [
        Scene(HORUS, acting("A2", "6", who=("wahab", "rice"), actions=(2, 1)).state, step=reads),
        Scene(HORUS, acting("A2", "6", cards=two, mummies=guard, who=who).state),
        Scene(
            HORUS,
            acting("33", "6", cards=each, who=who).state,
            step=lies,
        ),
        Scene(SECRECY, acting("33", "6", who=who, actions=(2, 1), cards=bag, game=secrecy).state),
    ]


def _pairs() -> list[Scene]:
    hand, looks = Camp(2), [Camp(2), Camp(2)]
    hand.give(0, "thief-egypt")
    mine = replace(hand.state.seats[0], hand=("thief-crete",))
    swapped = replace(hand.state, seats=(mine, *hand.state.seats[1:]))
    hand.state = replace(swapped, seats=(replace(mine, hand=("thief-egypt",)), *hand.state.seats[1:]))
    for camp, artifact in zip(looks, ("artifact-egypt-6", "artifact-egypt-5"), strict=True):
        camp.give(0, "scientist")
        camp.lie("egypt", artifact, *["rubble-egypt"] * 4)
        camp.play(Play("scientist", "egypt"))
        camp.draw("seen")
    told = acting("33", "6", who=("sarti", "rice")).state
    where, more = "decks.rubble.necklaces", "necklace-4"
    kinds = [replace(told, otherwise=(BoxDifference(where, more, fewer, 0),)) for fewer in ("necklace-1", "necklace-2")]
    real = TOOLS.table("press", default="table")
    counted = [_with_backs(real.state, count) for count in (1, 2)]
    return [
        Scene(TOMBS, hand.state, swapped, 0),
        Scene(TOMBS, looks[0].state, looks[1].state, 0),
        Scene(HORUS, kinds[0], kinds[1], 0),
        Scene(TOOLS, counted[0], counted[1], source="table"),
    ]


def _with_backs(state: Any, count: int) -> State:
    """A toolbox with so many cards on a real pile."""
    bags = state.tools["bags"]
    tools = state.tools | {"bags": replace(bags, backs=bags.backs | {"egypt": count})}
    changed: State = replace(state, tools=tools)
    return changed
