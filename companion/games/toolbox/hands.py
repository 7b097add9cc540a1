"""What a hand is about to find, and what follows when chance, or the table, has answered."""

from __future__ import annotations

from msgspec.structs import replace

from companion.game import Ask, Chance, Dealt, Json, Outcome, Turn, can_fall
from companion.games.toolbox.kit import Kit
from companion.games.toolbox.state import (
    BLANK,
    Drawing,
    Falling,
    Find,
    Rolling,
    Stacking,
    ToolboxState,
    Uncovering,
    put,
)
from companion.games.toolbox.there import boxed, colour_of_die, the_layers, the_sand
from companion.pieces.track import Track
from companion.refusals import Illegal


def asked(kit: Kit, state: ToolboxState) -> Ask:
    """A turn of everybody, or what a hand is about to find."""
    match state.hand:
        case None:
            return Turn(tuple(range(len(kit.seats))))
        case Stacking() as stacking:
            odds = tuple((seat, 1) for seat in unstacked(kit, stacking))
            place = len(stacking.top_first) + 1
            return Chance("start", f"start {place}", odds, of="seats", facts={"place": place})
        case Drawing() as drawing:
            return _token_asked(kit, state, drawing)
        case Rolling(seat=seat, count=count):
            nth = len(state.dice.shown) + 1
            facts: dict[str, Json] = {"nth": nth, "of": count, "colour": colour_of_die(kit, nth)}
            return Chance("dice", f"die {nth}", state.dice.odds(), seat=seat, rule="TBX-03", facts=facts)
        case Falling(seat=seat):
            blocks = tuple((number, 1) for number in boxed(kit, state))
            return Chance("blocks", "block", blocks, seat=seat, rule="TBX-03", facts={"left": len(blocks)})
        case Uncovering() as uncovering:
            return _card_asked(kit, state, uncovering)


def _token_asked(kit: Kit, state: ToolboxState, drawing: Drawing) -> Chance:
    bag = state.bags[drawing.bag]
    printed = tuple((token, bag[token]) for token in kit.bags[drawing.bag])
    return Chance(
        "tokens",
        f"token {drawing.bag}",
        printed if kit.uncounted else bag.odds(),
        seat=drawing.seat,
        rule="TBX-03",
        veiled=kit.uncounted,
        facts={"site": drawing.bag, "nth": len(drawing.drawn) + 1, "of": drawing.count},
    )


def _card_asked(kit: Kit, state: ToolboxState, uncovering: Uncovering) -> Chance:
    layers, sand = the_layers(kit), the_sand(state)
    square = uncovering.squares[0]
    layer, name = sand.depths[square] - 1, layers.squares[square]
    return Chance(
        "cards",
        f"card {name} {layer + 1}",
        tuple((card, sand.unseen[layer][card]) for card in layers.cards[layer]),
        seat=uncovering.seat,
        rule="TBX-03",
        veiled=True,
        facts={"square": name, "layer": layer + 1},
    )


def unstacked(kit: Kit, stacking: Stacking) -> tuple[int, ...]:
    """The seats whose markers are not in the starting stack yet."""
    return tuple(seat for seat in range(len(kit.seats)) if seat not in stacking.top_first)


def dealt(kit: Kit, state: ToolboxState, step: Dealt) -> ToolboxState:
    """The state after chance, or the table, has answered."""
    ask = asked(kit, state)
    if not isinstance(ask, Chance):
        raise Illegal("toolbox.nothing_falls", rule="TBX-03")
    if not can_fall(ask, step.outcome):
        raise Illegal("toolbox.cannot_fall", rule="TBX-05", outcome=step.outcome)
    return settled(kit, _fell(state, step.outcome))


def _fell(state: ToolboxState, outcome: Outcome) -> ToolboxState:
    match state.hand, outcome:
        case Stacking(top_first=top_first), int(seat):
            return replace(state, hand=Stacking((*top_first, seat)))
        case Drawing() as drawing, str(token):
            return _token_fell(state, drawing, token)
        case Rolling(), int(face):
            return replace(state, dice=state.dice.rolled(face))
        case Falling(), int(number):
            return replace(state, fallen=(*state.fallen, number), hand=None)
        case Uncovering() as uncovering, str(card):
            return _card_fell(state, uncovering, card)
    raise TypeError(f"{outcome!r} is no answer for {state.hand}")


def _token_fell(state: ToolboxState, drawing: Drawing, token: str) -> ToolboxState:
    finds = state.finds
    if token != BLANK:
        finds = put(finds, drawing.seat, (*finds[drawing.seat], Find(drawing.bag, token)))
    bags = state.bags | {drawing.bag: state.bags[drawing.bag].without(token)}
    return replace(state, bags=bags, finds=finds, hand=replace(drawing, drawn=(*drawing.drawn, token)))


def _card_fell(state: ToolboxState, uncovering: Uncovering, card: str) -> ToolboxState:
    square, *others = uncovering.squares
    sand = the_sand(state).turn_up(square, card)
    return replace(state, sand=sand, hand=replace(uncovering, squares=tuple(others)))


def settled(kit: Kit, state: ToolboxState) -> ToolboxState:
    """The state once a hand that has what it wanted is withdrawn."""
    match state.hand:
        case Stacking() as stacking:
            return _stacked(kit, state, stacking)
        case Drawing() as drawing:
            return _drawn(state, drawing)
        case Rolling() as rolling:
            return _rolled(kit, state, rolling)
        case Falling() if not boxed(kit, state):
            return replace(state, hand=None)
        case Uncovering():
            return _uncovered(state)
    return state


def _stacked(kit: Kit, state: ToolboxState, stacking: Stacking) -> ToolboxState:
    last = unstacked(kit, stacking)
    if len(last) > 1 or kit.time is None:
        return state
    track = Track.stacked((*stacking.top_first, *last), time=kit.time.start, end=kit.time.end)
    return replace(state, track=track, hand=None)


def _drawn(state: ToolboxState, drawing: Drawing) -> ToolboxState:
    bag = state.bags[drawing.bag]
    if len(drawing.drawn) < drawing.count and bag.total:
        return state
    bags = state.bags | {drawing.bag: bag.with_(BLANK, drawing.drawn.count(BLANK))}
    return replace(state, bags=bags, drawn=drawing, hand=None)


def _rolled(kit: Kit, state: ToolboxState, rolling: Rolling) -> ToolboxState:
    if len(state.dice.shown) < rolling.count or kit.dice is None:
        return state
    state = replace(state, hand=None)
    return walked(state, state.dice.at_least(kit.dice.mummies_from)) if rolling.mummies else state


def walked(state: ToolboxState, steps: int) -> ToolboxState:
    """Every mummy has walked so many squares."""
    walks = {name: mummy.walk(steps) for name, mummy in state.mummies.items()}
    return replace(
        state,
        mummies={name: mummy for name, (mummy, _) in walks.items()},
        walked={name: entered for name, (_, entered) in walks.items()},
    )


def _uncovered(state: ToolboxState) -> ToolboxState:
    """A card that is the only kind left in its layer is certain, so nobody is asked for it."""
    while isinstance(state.hand, Uncovering):
        sand = the_sand(state)
        if not state.hand.squares:
            return replace(state, hand=None)
        cards = tuple(sand.unseen[sand.depths[state.hand.squares[0]] - 1])
        if len(cards) > 1:
            return state
        state = _card_fell(state, state.hand, cards[0])
    return state
