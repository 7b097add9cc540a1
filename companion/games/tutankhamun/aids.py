"""Help for the seat that is asked: what is legal and why not, what each choice costs, and the odds.

The odds count what has not been uncovered yet in the layer below, and so remember for the players what TUT-40 leaves to
their memory; so the option is off unless it is chosen.
"""

from __future__ import annotations

from typing import NotRequired, TypedDict

import msgspec

from companion.games.tutankhamun.moves import Barricade, Deal, Dig, NoBarricade, Pass, Scarab, Stop
from companion.games.tutankhamun.tray import TutankhamunTable
from companion.parts import Act
from companion.referee import Verdict, verdict


class CardProspect(msgspec.Struct, frozen=True):
    """What the next card on a square may be, in shares of one, and what that means for the player.

    `good` adds to the takings, `bad` ends the turn. `expected` are the points, doubled by a scarab; `gain` the change
    of what the player will have, lost takings and purse reckoned in; `ruin` the chance that it sends them out of the
    game; `worst` the most it can cost.
    """

    layer: int
    unseen: int
    good: float
    nothing: float
    bad: float
    expected: float
    gain: float
    ruin: float
    worst: int


class TutankhamunTurnAnswer(Verdict):
    """May I; to pass also what it costs, and whether that sends one out of the game."""

    costs: NotRequired[int]
    leaves: NotRequired[bool]


class TutankhamunSquareHelp(TypedDict):
    """May I dig there, or put up a barricade; the odds with the option of that name, where a card lies below."""

    dig: Verdict
    barricade: Verdict
    odds: NotRequired[CardProspect]


class TutankhamunHelp(TypedDict):
    """Help for a seat: while a layer is due `lay` and `deal`; while a turn is under way what it can do, and where."""

    actions: dict[str, TutankhamunTurnAnswer]
    squares: dict[str, TutankhamunSquareHelp]


def help_for(table: TutankhamunTable) -> TutankhamunHelp:
    """Help for the seat that is asked."""
    state, fee = table.state, table.terms.outfit.pass_fee
    if state.phase == "laying":
        legal = _may(Deal(), table)
        return {"actions": {"lay": legal, "deal": legal}, "squares": {}}
    odds = {depth: prospect(table, depth) for depth in set(state.depths)} if table.terms.odds else {}
    passing: TutankhamunTurnAnswer = {**verdict(Pass(), table), "costs": fee, "leaves": state.purses[state.seat] < fee}
    squares = zip(table.terms.squares, state.depths, strict=True)
    return {
        "actions": {
            "scarab": _may(Scarab(), table),
            "stop": _may(Stop(), table),
            "pass": passing,
            "no_barricade": _may(NoBarricade(), table),
        },
        "squares": {square: _square(table, square, odds.get(depth)) for square, depth in squares},
    }


def _may(act: Act[TutankhamunTable], table: TutankhamunTable) -> TutankhamunTurnAnswer:
    said = verdict(act, table)
    return {"legal": said["legal"], "refusal": said["refusal"]}


def _square(table: TutankhamunTable, square: str, seen: CardProspect | None) -> TutankhamunSquareHelp:
    told: TutankhamunSquareHelp = {"dig": verdict(Dig(square), table), "barricade": verdict(Barricade(square), table)}
    if seen:
        told["odds"] = msgspec.to_builtins(seen)
    return told


def prospect(table: TutankhamunTable, depth: int) -> CardProspect | None:
    """What the next card of a pile so deep may be, by the count of what has not shown; None where none lies below."""
    if depth < 2:
        return None
    state, unseen = table.state, table.unseen(depth - 2)
    total = sum(unseen.values())
    points = [(table.terms.values[card] * state.factor, count) for card, count in unseen.items() if count]
    purse = state.purses[state.seat]
    bad = [(-value, count) for value, count in points if value < 0]
    lost = sum((state.takings + min(cost, purse)) * count for cost, count in bad)
    won = sum(value * count for value, count in points if value > 0)
    return CardProspect(
        layer=depth - 1,
        unseen=total,
        good=sum(count for value, count in points if value > 0) / total,
        nothing=sum(count for value, count in points if value == 0) / total,
        bad=sum(count for _, count in bad) / total,
        expected=sum(value * count for value, count in points) / total,
        gain=(won - lost) / total,
        ruin=sum(count for cost, count in bad if cost > purse) / total,
        worst=max((cost for cost, _ in bad), default=0),
    )
