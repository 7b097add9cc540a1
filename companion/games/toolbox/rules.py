"""How the tools are used: each kind of move checks everything, then changes."""

from __future__ import annotations

from msgspec.structs import replace

from companion.game import Move
from companion.games.toolbox.hands import settled, walked
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
from companion.games.toolbox.state import (
    Drawing,
    Falling,
    Find,
    Rolling,
    Sand,
    Stacking,
    ToolboxState,
    Uncovering,
    put,
)
from companion.games.toolbox.there import (
    boxed,
    the_bag,
    the_chart,
    the_dice,
    the_pyramid,
    the_sand,
    the_seat,
    the_square,
    the_track,
)
from companion.pieces.bag import Bag
from companion.pieces.dice import Dice
from companion.refusals import Illegal

LEAST_POINTS, MOST_POINTS = -999, 999


def laid_out(kit: Kit) -> ToolboxState:
    """All tools as they come out of the box."""
    seats, layers = len(kit.seats), kit.layers
    sand: Sand | None = None
    hand: Stacking | Uncovering | None = Stacking(()) if kit.time else None
    if layers is not None:
        squares, deep = len(layers.squares), len(layers.cards)
        sand = Sand((deep,) * squares, (None,) * squares, layers.cards, (Bag.of({}),) * deep)
        hand = Uncovering(tuple(range(squares)))
    state = ToolboxState(
        hand=hand,
        track=None,
        knowledge=0,
        bags=kit.bags,
        finds=((),) * seats,
        drawn=None,
        dice=Dice(faces=kit.dice.faces) if kit.dice else Dice(),
        fallen=(),
        mummies=kit.pyramid.mummies if kit.pyramid else {},
        walked={},
        sand=sand,
        points=(kit.points,) * seats,
    )
    return settled(kit, state)


def played(  # noqa: C901, PLR0911 -- a line for each kind of move
    kit: Kit, state: ToolboxState, seat: int, move: Move
) -> ToolboxState:
    """The state after a move."""
    if state.hand is not None:
        raise Illegal("toolbox.not_now", rule="TBX-03")
    the_seat(kit, seat)
    match move:
        case Advance():
            return _advanced(kit, state, move)
        case SetDial():
            return _dialled(kit, state, move)
        case Draw():
            return _drawing(kit, state, seat, move)
        case ReturnFind():
            return _returned(kit, state, move)
        case Roll(count=count):
            return _rolling(kit, state, Rolling(seat, count))
        case DropBlock():
            return _falling(kit, state, seat)
        case WalkMummies():
            return _walking(kit, state, seat, move)
        case Uncover():
            return _uncovering(kit, state, seat, move)
        case Award(seat=whose, points=points):
            return scored(state, whose, state.points[the_seat(kit, whose)] + points)
        case Shovel(do=cue):
            return replace(state, cue=None if cue == "stop" else cue)
    raise TypeError(f"not a move of the toolbox: {move}")


def _advanced(kit: Kit, state: ToolboxState, move: Advance) -> ToolboxState:
    track = the_track(kit, state)
    at, left = track.at(the_seat(kit, move.seat)), track.left(move.seat) or 0
    if not move.weeks:
        raise Illegal("toolbox.no_weeks", rule="TBX-15")
    if move.weeks > left:
        raise Illegal("toolbox.past_end", rule="TBX-13", n=left)
    if at + move.weeks < 0:
        raise Illegal("toolbox.before_start", rule="TBX-14", n=at)
    return replace(state, track=track.put(move.seat, at + move.weeks))


def _dialled(kit: Kit, state: ToolboxState, move: SetDial) -> ToolboxState:
    most = the_chart(kit).dial.most_knowledge
    if move.knowledge < 0:
        raise Illegal("toolbox.knowledge", rule="TBX-20", most=most)
    return replace(state, knowledge=min(move.knowledge, most))


def _drawing(kit: Kit, state: ToolboxState, seat: int, move: Draw) -> ToolboxState:
    most = the_bag(kit, move.bag).total
    whose = seat if move.seat is None else the_seat(kit, move.seat)
    if not 1 <= move.count <= most:
        raise Illegal("toolbox.count", rule="TBX-34", most=most)
    if not state.bags[move.bag].total:
        raise Illegal("toolbox.bag_empty", rule="TBX-34", bag=move.bag)
    return replace(state, hand=Drawing(whose, move.bag, move.count))


def _returned(kit: Kit, state: ToolboxState, move: ReturnFind) -> ToolboxState:
    the_bag(kit, move.bag)
    seat, find = the_seat(kit, move.seat), Find(move.bag, move.token)
    if find not in state.finds[seat]:
        raise Illegal("toolbox.no_find", rule="TBX-35", whose=kit.seats[seat], token=move.token, bag=move.bag)
    bags = state.bags | {move.bag: state.bags[move.bag].with_(move.token)}
    return replace(state, bags=bags, finds=put(state.finds, seat, without(state.finds[seat], find)))


def without(finds: tuple[Find, ...], find: Find) -> tuple[Find, ...]:
    """The finds of a seat after one was taken away."""
    at = finds.index(find)
    return (*finds[:at], *finds[at + 1 :])


def _rolling(kit: Kit, state: ToolboxState, rolling: Rolling) -> ToolboxState:
    dice = the_dice(kit)
    if not 1 <= rolling.count <= len(dice.colours):
        raise Illegal("toolbox.no_dice", rule="TBX-41", most=len(dice.colours))
    return replace(state, dice=Dice(faces=dice.faces), hand=rolling)


def _falling(kit: Kit, state: ToolboxState, seat: int) -> ToolboxState:
    if not boxed(kit, state):
        raise Illegal("toolbox.no_blocks", rule="TBX-51")
    return replace(state, hand=Falling(seat))


def _walking(kit: Kit, state: ToolboxState, seat: int, move: WalkMummies) -> ToolboxState:
    the_pyramid(kit, "mummies")
    most = len(the_dice(kit).colours)
    if move.steps is None:
        return _rolling(kit, state, Rolling(seat, most, mummies=True))
    if not 0 <= move.steps <= most:
        raise Illegal("toolbox.no_steps", rule="TBX-63", most=most)
    return walked(state, move.steps)


def _uncovering(kit: Kit, state: ToolboxState, seat: int, move: Uncover) -> ToolboxState:
    sand, at = the_sand(state), the_square(kit, move.square)
    card = sand.tops[at]
    if card is None:
        raise Illegal("toolbox.bare", rule="TBX-73", square=move.square)
    sand = sand.lift(at, card)
    hand = Uncovering((at,), seat) if sand.depths[at] else None
    return settled(kit, replace(state, sand=sand, hand=hand))


def scored(state: ToolboxState, seat: int, points: int) -> ToolboxState:
    """With a seat's tally at so many points."""
    if not LEAST_POINTS <= points <= MOST_POINTS:
        raise Illegal("toolbox.points", rule="TBX-80", least=LEAST_POINTS, most=MOST_POINTS)
    return replace(state, points=put(state.points, seat, points))
