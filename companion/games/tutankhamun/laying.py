"""How the layers come into the tray, and how it is turned where nobody looks (TUT-02 to TUT-05)."""

from __future__ import annotations

import random

from msgspec.structs import replace

from companion.game import Chance, Outcome
from companion.games.tutankhamun.layers import (
    FREE,
    LayerKind,
    Layout,
    loose_left,
    pattern_odds,
    patterns,
    random_layout,
    turned,
    uniform,
    with_next,
    with_pattern,
)
from companion.games.tutankhamun.moves import Lay
from companion.games.tutankhamun.state import Terms, TutankhamunState
from companion.refusals import Illegal

QUARTERS: tuple[tuple[Outcome, int], ...] = ((0, 1), (1, 1), (2, 1), (3, 1))
SHOWN_LAYOUTS = 3


def layer_due(terms: Terms, state: TutankhamunState) -> TutankhamunState:
    """Ask the next layer's owner to lay it; the blank layer lies at once, and then the tray is turned."""
    number = len(state.layers)
    if number == len(terms.kinds):
        return replace(state, phase="turning")
    kind = terms.kinds[number]
    state = replace(state, phase="laying", seat=terms.owner(number))
    if kind.is_uniform:
        return layer_lies(terms, state, uniform(kind))
    return let_deal(terms, state) if terms.tray == "dealt" else state


def layer_lies(terms: Terms, state: TutankhamunState, layout: Layout) -> TutankhamunState:
    """A whole layer is in the tray."""
    layers = (*state.layers, layout)
    return layer_due(terms, replace(state, layers=layers, depths=(len(layers),) * len(terms.squares), laying=()))


def let_deal(terms: Terms, state: TutankhamunState) -> TutankhamunState:
    """The companion begins a layer; where there are no obelisks and snakes, there is no pattern to draw."""
    kind = terms.kinds[len(state.layers)]
    return replace(state, phase="dealing", laying=() if _is_patterned(kind) else with_pattern(kind, 0))


def real_tray(terms: Terms, state: TutankhamunState) -> TutankhamunState:
    """All layers lie in the real tray, turned already; of those below the blank one nothing is known."""
    unknown = (FREE,) * len(terms.squares)
    layers = tuple(uniform(kind) if kind.is_uniform else unknown for kind in terms.kinds)
    return _first_turn(terms, replace(state, layers=layers, depths=(len(layers),) * len(terms.squares)))


def ask_for_layer(terms: Terms, state: TutankhamunState) -> Chance:
    """Which pattern of obelisks and snakes, then each other card in turn. No question tells where its card goes."""
    number = len(state.layers)
    kind = terms.kinds[number]
    if not state.laying:
        return Chance("layers", f"layer {number + 1} pattern", pattern_odds(kind), pressed=False, hidden=True)
    nth = 1 + sum(card != FREE for card in state.laying)
    odds = loose_left(kind, state.laying)
    return Chance("layers", f"layer {number + 1} card {nth}", odds, pressed=False, hidden=True)


def ask_for_quarters() -> Chance:
    """How often the tray is turned by a quarter (TUT-05)."""
    return Chance("turns", "quarter turns", QUARTERS, pressed=False, hidden=True)


def deal(terms: Terms, state: TutankhamunState, outcome: Outcome) -> TutankhamunState:
    """The companion has drawn a pattern, or the card for the next free square."""
    kind = terms.kinds[len(state.layers)]
    if state.laying:
        if outcome not in dict(loose_left(kind, state.laying)):
            raise Illegal("core.cannot_fall", rule="TUT-02", outcome=outcome)
        layout = with_next(kind, state.laying, str(outcome))
    else:
        if type(outcome) is not int or not 0 <= outcome < len(patterns(kind)):
            raise Illegal("core.cannot_fall", rule="TUT-04", outcome=outcome)
        layout = with_pattern(kind, outcome)
    return replace(state, laying=layout) if FREE in layout else layer_lies(terms, state, layout)


def turn_tray(terms: Terms, state: TutankhamunState, outcome: Outcome) -> TutankhamunState:
    """The tray is turned, and the first player begins."""
    if type(outcome) is not int or not 0 <= outcome < len(QUARTERS):
        raise Illegal("core.cannot_fall", rule="TUT-05", outcome=outcome)
    layers = tuple(turned(layer, kind.side, outcome) for layer, kind in zip(state.layers, terms.kinds, strict=True))
    return _first_turn(terms, replace(state, layers=layers, quarters=outcome))


def ways_to_lay(terms: Terms, state: TutankhamunState) -> tuple[Lay, ...]:
    """Some of the layouts that are legal for the layer that is due, the same each time one asks."""
    number = len(state.layers)
    luck = random.Random(number)  # noqa: S311 -- examples, by which nothing is dealt
    return tuple(Lay(random_layout(terms.kinds[number], luck)) for _ in range(SHOWN_LAYOUTS))


def _is_patterned(kind: LayerKind) -> bool:
    return len(patterns(kind)) > 1


def _first_turn(terms: Terms, state: TutankhamunState) -> TutankhamunState:
    return replace(state, phase="digging", seat=terms.first_digger)
