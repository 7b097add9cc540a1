"""Help for the seat that is asked: what is legal and why not, what each choice costs, and the odds.

While a turn is under way::

    {"actions": {"scarab": {"legal": true, "refusal": null},
                 "stop": {"legal": false, "refusal": {"code": "illegal", "key": "tutankhamun.nothing_dug",
                                                      "rule": "TUT-15", "facts": {"fee": 3}}},
                 "pass": {"legal": true, "refusal": null, "costs": 3, "leaves": false}, "no_barricade": {…}},
     "squares": {"a1": {"dig": {"legal": true, "refusal": null}, "barricade": {"legal": false, "refusal": {…}},
                        "odds": {"layer": 5, "unseen": 16, "good": 0.5, "nothing": 0.3, "bad": 0.2,
                                 "expected": 0.9, "gain": 0.4, "ruin": 0.0, "worst": 3}}}}

``odds`` is there with the option of that name, where a card lies below: the chance of a card that adds to the takings,
of one worth nothing and of one that ends the turn; the expected points, doubled by a scarab; the expected change of
what the player will have, lost takings and purse reckoned in; the chance that it sends them out of the game; the most
it can cost. They count what has not been uncovered yet in the layer below, and so remember for the players what
TUT-40 leaves to their memory; so the option is off unless it is chosen.
While a layer is due: ``{"actions": {"lay": {…}, "deal": {…}}, "squares": {}}``.
"""

from __future__ import annotations

import msgspec

from companion.games.tutankhamun.moves import Barricade, Deal, Dig, NoBarricade, Pass, Scarab, Stop
from companion.games.tutankhamun.tray import TutankhamunTable
from companion.parts import Facts
from companion.referee import answer


class CardProspect(msgspec.Struct, frozen=True):
    """What the next card on a square may be, in shares of one, and what that means for the player."""

    layer: int
    unseen: int
    good: float
    nothing: float
    bad: float
    expected: float
    gain: float
    ruin: float
    worst: int


def help_for(table: TutankhamunTable) -> Facts:
    """Help for the seat that is asked."""
    state, fee = table.state, table.terms.outfit.pass_fee
    if state.phase == "laying":
        legal = answer(Deal(), table)
        return {"actions": {"lay": legal, "deal": legal}, "squares": {}}
    odds = {depth: prospect(table, depth) for depth in set(state.depths)} if table.terms.odds else {}
    squares = zip(table.terms.squares, state.depths, strict=True)
    return {
        "actions": {
            "scarab": answer(Scarab(), table),
            "stop": answer(Stop(), table),
            "pass": answer(Pass(), table, costs=fee, leaves=state.purses[state.seat] < fee),
            "no_barricade": answer(NoBarricade(), table),
        },
        "squares": {square: _square(table, square, odds.get(depth)) for square, depth in squares},
    }


def _square(table: TutankhamunTable, square: str, seen: CardProspect | None) -> Facts:
    told: Facts = {"dig": answer(Dig(square), table), "barricade": answer(Barricade(square), table)}
    return told | {"odds": msgspec.to_builtins(seen)} if seen else told


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
