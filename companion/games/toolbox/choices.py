"""Every move that can be made with the tools as they lie, or a fair sample where there are too many to list."""

from __future__ import annotations

from collections.abc import Iterator

from companion.game import Choices, Move
from companion.games.toolbox.kit import Kit
from companion.games.toolbox.moves import (
    Advance,
    Award,
    Draw,
    DropBlock,
    ReturnFind,
    Roll,
    SetDial,
    Shovel,
    Uncover,
    WalkMummies,
)
from companion.games.toolbox.rules import LEAST_POINTS, MOST_POINTS
from companion.games.toolbox.state import ToolboxState
from companion.games.toolbox.there import boxed

WEEKS = (*range(-3, 0), *range(1, 13))
TOKENS = range(1, 13)
POINTS = (*range(-5, 0), *range(1, 11))


def choices(kit: Kit, state: ToolboxState) -> Choices:
    """The same for everybody. Longer ways, larger draws and other points are accepted too, so there is always more."""
    if state.hand is not None:
        return Choices(())
    listed = (_on_the_track, _with_the_bags, _in_the_pyramid, _on_the_tray, _beside)
    return Choices(tuple(move for some in listed for move in some(kit, state)), more=True)


def _on_the_track(kit: Kit, state: ToolboxState) -> Iterator[Move]:
    if state.track is not None:
        for seat in range(len(kit.seats)):
            at, left = state.track.at(seat), state.track.left(seat) or 0
            yield from (Advance(seat, weeks) for weeks in WEEKS if -at <= weeks <= left)
    if kit.chart is not None:
        yield from (SetDial(knowledge) for knowledge in range(kit.chart.dial.most_knowledge + 1))


def _with_the_bags(kit: Kit, state: ToolboxState) -> Iterator[Move]:
    for name, bag in state.bags.items():
        if bag.total:
            yield from (Draw(name, count) for count in TOKENS)
    for seat, finds in enumerate(state.finds):
        yield from (ReturnFind(seat, find.bag, find.token) for find in dict.fromkeys(finds))


def _in_the_pyramid(kit: Kit, state: ToolboxState) -> Iterator[Move]:
    if kit.dice is None or kit.pyramid is None:
        return
    most = len(kit.dice.colours)
    yield from (Roll(count) for count in range(1, most + 1))
    if boxed(kit, state):
        yield DropBlock()
    yield WalkMummies()
    yield from (WalkMummies(steps) for steps in range(most + 1))


def _on_the_tray(kit: Kit, state: ToolboxState) -> Iterator[Move]:
    if kit.layers is None or state.sand is None:
        return
    for name, top in zip(kit.layers.squares, state.sand.tops, strict=True):
        if top is not None:
            yield Uncover(name)


def _beside(kit: Kit, state: ToolboxState) -> Iterator[Move]:
    for seat, tally in enumerate(state.points):
        yield from (Award(seat, points) for points in POINTS if LEAST_POINTS <= tally + points <= MOST_POINTS)
    yield from (Shovel(cue) for cue in ("grip", "release", "stop"))
