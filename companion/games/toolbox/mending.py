"""What the corrections can say of a box's tools. Where the box has no such tool there is nothing to say."""

from __future__ import annotations

from collections.abc import Iterator

from companion.game import Mending, Together
from companion.games.toolbox import Toolbox
from companion.games.toolbox.kit import Kit
from companion.games.toolbox.state import BLANK, ToolboxState

Row = tuple[str | int | bool, ...]


def choices(game: Toolbox, state: ToolboxState) -> Mending:
    """What can be said, as the tools lie."""
    kit = game.kit
    seats = tuple(range(len(kit.seats)))
    marked = seats if state.track is not None else ()
    return Mending(
        tables={
            "marker": (Together(("seat",), tuple((seat,) for seat in marked)),),
            "token": (
                Together(("bag", "token", "from"), tuple(_tokens(kit, state))),
                Together(("to",), (("bag",), *((seat,) for seat in seats))),
            ),
            "fallen": (Together(("number", "fallen"), tuple(_blocks(kit, state))),),
            "mummy": (Together(("mummy", "square", "towards"), tuple(_mummies(state))),),
            "card": (Together(("square", "card"), tuple(_cards(kit, state))),),
        },
        names={"bag": ("at_bag",)},
    )


def _tokens(kit: Kit, state: ToolboxState) -> Iterator[Row]:
    """Every token and where it lies. Of a bag that nobody may count, any may still be in it."""
    for name, whole in kit.bags.items():
        inside = whole if kit.uncounted else state.bags[name]
        yield from ((name, token, "bag") for token in sorted(inside.counts) if token != BLANK and inside[token])
        for seat, finds in enumerate(state.finds):
            yield from ((name, token, seat) for token in sorted({find.token for find in finds if find.bag == name}))


def _blocks(kit: Kit, state: ToolboxState) -> Iterator[Row]:
    """Each block, as it is not."""
    if kit.pyramid is not None:
        yield from ((number, number not in state.fallen) for number in range(1, kit.pyramid.blocks + 1))


def _mummies(state: ToolboxState) -> Iterator[Row]:
    for name, mummy in state.mummies.items():
        for square in mummy.stretch:
            yield from ((name, square, end) for end in (mummy.stretch[0], mummy.stretch[-1]))


def _cards(kit: Kit, state: ToolboxState) -> Iterator[Row]:
    """For each card that lies open, those of its layer that have not been seen."""
    if kit.layers is None or state.sand is None:
        return
    for at, square in enumerate(kit.layers.squares):
        if state.sand.tops[at] is not None:
            unseen = state.sand.unseen[state.sand.depths[at] - 1]
            yield from ((square, card) for card in sorted(unseen.counts) if unseen[card])
