"""The table shows otherwise: what can be put right, and that nothing is lost or made by it."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from companion.game import Correction
from companion.games.toolbox.hands import settled
from companion.games.toolbox.kit import Kit
from companion.games.toolbox.rules import scored, without
from companion.games.toolbox.state import BLANK, Find, ToolboxState, put
from companion.games.toolbox.there import the_bag, the_pyramid, the_sand, the_seat, the_square, the_track
from companion.pieces.corridor import Walker
from companion.refusals import Illegal

Place = Literal["bag"] | int
"""The bag, or a seat."""


class Marker(Correction, frozen=True, tag="marker"):
    """A marker stands on another week, counted from the first of the track, which is 0."""

    seat: int
    at: int


class Token(Correction, frozen=True, tag="token", rename={"giver": "from", "taker": "to"}):
    """A token is elsewhere."""

    bag: str
    token: str
    giver: Place
    taker: Place


class Block(Correction, frozen=True, tag="fallen"):
    """A block has fallen, or it has not."""

    number: int
    fallen: bool


class Mummy(Correction, frozen=True, tag="mummy"):
    """A mummy stands elsewhere, or looks the other way."""

    mummy: str
    square: str
    towards: str


class Card(Correction, frozen=True, tag="card"):
    """Another card lies open on a square."""

    square: str
    card: str


class Points(Correction, frozen=True, tag="points"):
    """A tally is another."""

    seat: int
    points: int


CORRECTION_TYPES: tuple[type[Correction], ...] = (Marker, Token, Block, Mummy, Card, Points)


def corrected(kit: Kit, state: ToolboxState, correction: Correction) -> ToolboxState:
    """The state as the table shows it. It may be put right with a hand in the bag, too."""
    match correction:
        case Marker(seat=seat, at=at):
            return _marker(kit, state, seat, at)
        case Token():
            return settled(kit, _token(kit, state, correction))
        case Block(number=number, fallen=fallen):
            return settled(kit, _block(kit, state, number, fallen=fallen))
        case Mummy():
            return _mummy(kit, state, correction)
        case Card():
            return settled(kit, _card(kit, state, correction))
        case Points(seat=seat, points=points):
            return scored(state, the_seat(kit, seat), points)
    raise TypeError(f"not a correction of the toolbox: {correction}")


def _marker(kit: Kit, state: ToolboxState, seat: int, at: int) -> ToolboxState:
    track = the_track(kit, state)
    the_seat(kit, seat)
    if not 0 <= at <= (track.end or 0):
        raise Illegal("toolbox.no_week", rule="TBX-91", most=track.end or 0)
    return replace(state, track=track.put(seat, at))


def _token(kit: Kit, state: ToolboxState, wrong: Token) -> ToolboxState:
    the_bag(kit, wrong.bag)
    if wrong.giver == wrong.taker:
        raise Illegal("toolbox.place", rule="TBX-92")
    if wrong.token == BLANK:
        raise Illegal("toolbox.rubble", rule="TBX-92")
    find = Find(wrong.bag, wrong.token)
    return _given(kit, _taken(kit, state, wrong.giver, find), wrong.taker, find)


def _taken(kit: Kit, state: ToolboxState, giver: Place, find: Find) -> ToolboxState:
    """Without a token, in a bag or before a seat."""
    bag = state.bags[find.bag]
    there = find.token in bag if giver == "bag" else find in state.finds[the_seat(kit, giver)]
    if not there:
        raise Illegal("toolbox.no_token", rule="TBX-92", token=find.token)
    if giver == "bag":
        return replace(state, bags=state.bags | {find.bag: bag.without(find.token)})
    return replace(state, finds=put(state.finds, giver, without(state.finds[giver], find)))


def _given(kit: Kit, state: ToolboxState, taker: Place, find: Find) -> ToolboxState:
    """With a token, in its bag or before a seat."""
    if taker == "bag":
        return replace(state, bags=state.bags | {find.bag: state.bags[find.bag].with_(find.token)})
    seat = the_seat(kit, taker)
    return replace(state, finds=put(state.finds, seat, (*state.finds[seat], find)))


def _block(kit: Kit, state: ToolboxState, number: int, *, fallen: bool) -> ToolboxState:
    most = the_pyramid(kit, "blocks").blocks
    if not 1 <= number <= most:
        raise Illegal("toolbox.no_block", rule="TBX-93", most=most)
    if fallen == (number in state.fallen):
        key = "toolbox.block_fallen" if fallen else "toolbox.block_boxed"
        raise Illegal(key, rule="TBX-93", block=number)
    others = tuple(other for other in state.fallen if other != number)
    return replace(state, fallen=(*others, number) if fallen else others)


def _mummy(kit: Kit, state: ToolboxState, wrong: Mummy) -> ToolboxState:
    the_pyramid(kit, "mummies")
    mummy = state.mummies.get(wrong.mummy)
    if mummy is None:
        raise Illegal("toolbox.no_mummy", rule="TBX-94", mummies=tuple(state.mummies))
    if wrong.square not in mummy.stretch:
        raise Illegal("toolbox.mummy_square", rule="TBX-94", mummy=wrong.mummy, squares=mummy.stretch)
    ends = (mummy.stretch[0], mummy.stretch[-1])
    if wrong.towards not in ends:
        raise Illegal("toolbox.mummy_towards", rule="TBX-94", mummy=wrong.mummy, squares=ends)
    put_right = Walker.on(mummy.stretch, at=wrong.square, towards=wrong.towards)
    walked = {name: entered for name, entered in state.walked.items() if name != wrong.mummy}
    return replace(state, mummies=state.mummies | {wrong.mummy: put_right}, walked=walked)


def _card(kit: Kit, state: ToolboxState, wrong: Card) -> ToolboxState:
    sand, square = the_sand(state), the_square(kit, wrong.square)
    card = sand.tops[square]
    if card is None:
        raise Illegal("toolbox.unseen", rule="TBX-95", square=wrong.square)
    if wrong.card not in sand.unseen[sand.depths[square] - 1]:
        raise Illegal("toolbox.no_card", rule="TBX-95", square=wrong.square, card=wrong.card)
    return replace(state, sand=sand.turn_down(square, card).turn_up(square, wrong.card))
