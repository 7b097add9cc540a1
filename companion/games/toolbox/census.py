"""How many there are of each thing in all places together: no step may change it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from companion.games.toolbox.kit import Kit
from companion.games.toolbox.state import BLANK, Drawing, Sand, ToolboxState
from companion.games.toolbox.there import boxed


def counted(kit: Kit, state: ToolboxState) -> Mapping[str, int]:
    """Tokens in bags, hands and before seats; markers; blocks in the box and fallen; mummies; cards."""
    things = _tokens(state)
    if kit.time is not None:
        things["markers"] = len(state.track.order) if state.track else len(kit.seats)
    if kit.pyramid is not None:
        things["blocks"] = len({*state.fallen, *boxed(kit, state)})
        things["mummies"] = sum(mummy.at in mummy.stretch for mummy in state.mummies.values())
    if state.sand is not None:
        things += _cards(state.sand)
    return dict(things)


def _tokens(state: ToolboxState) -> Counter[str]:
    things: Counter[str] = Counter()
    for name, bag in state.bags.items():
        for token, count in bag.odds():
            things[f"{name} {token}"] += count
    for find in (find for finds in state.finds for find in finds):
        things[f"{find.bag} {find.token}"] += 1
    if isinstance(state.hand, Drawing):
        things[f"{state.hand.bag} {BLANK}"] += state.hand.drawn.count(BLANK)
    return +things


def _cards(sand: Sand) -> Counter[str]:
    things: Counter[str] = Counter()
    for layer, cards in enumerate(zip(sand.unseen, sand.lifted, strict=True), 1):
        for bag in cards:
            for card, count in bag.odds():
                things[f"layer {layer} {card}"] += count
    for depth, top in zip(sand.depths, sand.tops, strict=True):
        if top is not None:
            things[f"layer {depth} {top}"] += 1
    return things
