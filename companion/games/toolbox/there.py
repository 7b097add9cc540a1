"""What there is to use: each tool, or the refusal that says it is not in the box."""

from __future__ import annotations

from companion.games.toolbox.kit import Chart, DiceSet, Kit, Layers, Pyramid
from companion.games.toolbox.state import Sand, ToolboxState
from companion.pieces.bag import Bag
from companion.pieces.track import Track
from companion.refusals import Illegal


def not_here(tool: str) -> Illegal:
    """The box does not have the tool."""
    return Illegal("toolbox.not_here", rule="TBX-02", tool=tool)


def the_seat(kit: Kit, seat: int) -> int:
    """A seat that is at the table."""
    if not 0 <= seat < len(kit.seats):
        raise Illegal("toolbox.no_seat", rule="TBX-04")
    return seat


def the_track(kit: Kit, state: ToolboxState) -> Track:
    """The track with all markers on it."""
    if kit.time is None:
        raise not_here("track")
    if state.track is None:
        raise Illegal("toolbox.not_now", rule="TBX-03")
    return state.track


def the_chart(kit: Kit) -> Chart:
    """The dial."""
    if kit.chart is None:
        raise not_here("dial")
    return kit.chart


def the_bag(kit: Kit, bag: str) -> Bag:
    """What is in a bag at the start."""
    if not kit.bags:
        raise not_here("bags")
    if bag not in kit.bags:
        raise Illegal("toolbox.no_bag", rule="TBX-30", bags=tuple(kit.bags))
    return kit.bags[bag]


def the_dice(kit: Kit) -> DiceSet:
    """The dice."""
    if kit.dice is None:
        raise not_here("dice")
    return kit.dice


def colour_of_die(kit: Kit, nth: int) -> str:
    """The colour of a die, counted from 1."""
    return the_dice(kit).colours[nth - 1]


def the_pyramid(kit: Kit, tool: str) -> Pyramid:
    """The plan with its blocks and mummies."""
    if kit.pyramid is None:
        raise not_here(tool)
    return kit.pyramid


def boxed(kit: Kit, state: ToolboxState) -> tuple[int, ...]:
    """The blocks that have not fallen."""
    blocks = the_pyramid(kit, "blocks").blocks
    return tuple(number for number in range(1, blocks + 1) if number not in state.fallen)


def the_layers(kit: Kit) -> Layers:
    """The cards of the tray as they are printed."""
    if kit.layers is None:
        raise not_here("tray")
    return kit.layers


def the_sand(state: ToolboxState) -> Sand:
    """The tray as it lies."""
    if state.sand is None:
        raise not_here("tray")
    return state.sand


def the_square(kit: Kit, square: str) -> int:
    """The number of a square of the tray."""
    names = the_layers(kit).squares
    if square not in names:
        raise Illegal("toolbox.no_square", rule="TBX-70", square=square)
    return names.index(square)
