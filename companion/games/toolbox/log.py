"""What the log says of a step: its type and fields, and what a sentence needs besides."""

from __future__ import annotations

import msgspec

from companion.game import Corrected, Correction, Dealt, Json, Move, Played, Step
from companion.games.toolbox.corrections import Block, Marker, Points, Token
from companion.games.toolbox.hands import dealt
from companion.games.toolbox.kit import Kit
from companion.games.toolbox.moves import Advance, Award, Draw, ReturnFind, Roll, SetDial, WalkMummies
from companion.games.toolbox.state import Drawing, Falling, Hand, Rolling, Stacking, ToolboxState, Uncovering
from companion.games.toolbox.there import colour_of_die, the_chart, the_layers

Facts = dict[str, Json]


def told(kit: Kit, before: ToolboxState, step: Step) -> Facts:
    """The same for everybody. The sentence is ``log.toolbox.<type>``."""
    match step:
        case Played(seat=seat, move=move):
            return _fields(move) | _of_a_move(kit, seat, move)
        case Dealt() if before.hand is not None:
            return _of_an_outcome(kit, before, before.hand, step)
        case Corrected(correction=correction):
            return _fields(correction) | _of_a_correction(kit, correction)
    return {}


def _fields(made: Move | Correction) -> Facts:
    fields: Facts = msgspec.to_builtins(made)
    return fields


def _of_a_move(kit: Kit, seat: int, move: Move) -> Facts:  # noqa: PLR0911 -- a line for each kind of move
    match move:
        case Advance(seat=whose, weeks=weeks):
            return {"whose": _name(kit, whose), "n": abs(weeks), "way": "forward" if weeks > 0 else "backward"}
        case SetDial(knowledge=knowledge):
            return {"reads": min(knowledge, the_chart(kit).dial.most_knowledge)}
        case Draw(seat=whose, count=count):
            return {"whose": _name(kit, seat if whose is None else whose), "n": count}
        case ReturnFind(seat=whose):
            return {"whose": _name(kit, whose)}
        case Roll(count=count):
            return {"n": count}
        case WalkMummies(steps=steps):
            return {"walk": "as_rolled" if steps is None else steps}
        case Award(seat=whose, points=points):
            return {"whose": _name(kit, whose), "n": abs(points), "way": "more" if points >= 0 else "less"}
    return {}


def _of_an_outcome(kit: Kit, before: ToolboxState, hand: Hand, step: Dealt) -> Facts:
    match hand:
        case Stacking(top_first=top_first):
            whose = _name(kit, step.outcome)
            return {"type": "start", "whose": whose, "seat": step.outcome, "place": len(top_first) + 1}
        case Drawing(seat=seat, bag=bag, count=count, drawn=drawn):
            drawn_as: Facts = {"type": "drawn", "whose": _name(kit, seat), "seat": seat, "bag": bag}
            return drawn_as | {"token": step.outcome, "nth": len(drawn) + 1, "of": count}
        case Rolling() as rolling:
            return _of_a_die(kit, before, rolling, step)
        case Falling():
            return {"type": "falls", "block": step.outcome}
        case Uncovering(squares=squares):
            return {"type": "comes_to_light", "square": the_layers(kit).squares[squares[0]]}


def _of_a_die(kit: Kit, before: ToolboxState, rolling: Rolling, step: Dealt) -> Facts:
    nth = len(before.dice.shown) + 1
    facts: Facts = {"type": "die", "die": colour_of_die(kit, nth), "face": step.outcome, "nth": nth}
    if rolling.mummies and nth == rolling.count and kit.dice is not None:
        after = dealt(kit, before, step)
        return facts | {"type": "last_die", "n": after.dice.at_least(kit.dice.mummies_from)}
    return facts


def _of_a_correction(kit: Kit, correction: Correction) -> Facts:
    match correction:
        case Marker(seat=seat, at=at):
            return {"whose": _name(kit, seat), "date": _date(kit, at)}
        case Token(giver=giver, taker=taker):
            return {"giver": _name(kit, giver), "taker": _name(kit, taker)}
        case Block(fallen=fallen):
            return {"state": "has_fallen" if fallen else "is_boxed"}
        case Points(seat=seat, points=points):
            return {"whose": _name(kit, seat), "n": points}
    return {}


def _name(kit: Kit, place: str | int) -> str:
    """The name of a seat; a bag keeps its own."""
    return kit.seats[place] if isinstance(place, int) else place


def _date(kit: Kit, at: int) -> str:
    if kit.time is None or kit.time.calendar is None:
        return str(at)
    week, year = kit.time.calendar.date(at)
    return f"{week}/{year}"
