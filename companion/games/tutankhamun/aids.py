"""Help for the seat that is asked: what is legal and why not, what each choice costs, and the odds.

While a turn is under way::

    {"actions": {"scarab": {"legal": true},
                 "stop": {"legal": false, "refusal": {"key": "tutankhamun.nothing_dug", "rule": "TUT-15",
                                                      "facts": {"fee": 3}}},
                 "pass": {"legal": true, "costs": 3, "leaves": false}, "no_barricade": {…}},
     "squares": {"a1": {"dig": {"legal": true}, "barricade": {"legal": false, "refusal": {…}},
                        "odds": {"layer": 5, "unseen": 16, "good": 0.5, "nothing": 0.3, "bad": 0.2,
                                 "expected": 0.9, "gain": 0.4, "ruin": 0.0, "worst": 3}}}}

``odds`` is there with the option of that name, where a card lies below: the chance of a card that adds to the takings,
of one worth nothing and of one that ends the turn; the expected points, doubled by a scarab; the expected change of
what the player will have, lost takings and purse reckoned in; the chance that it sends them out of the game; the most
it can cost. They count what has not been uncovered yet in the layer below, and so remember for the players what
TUT-40 leaves to their memory; so the option is off unless it is chosen.
While a layer is due: ``{"actions": {"lay": {"legal": true}, "deal": {"legal": true}}, "squares": {}}``.
"""

from __future__ import annotations

import msgspec

from companion.game import Json
from companion.games.tutankhamun.legal import (
    why_not_barricade,
    why_not_close,
    why_not_deal,
    why_not_dig,
    why_not_pass,
    why_not_scarab,
    why_not_stop,
)
from companion.games.tutankhamun.state import Terms, TutankhamunState
from companion.games.tutankhamun.unseen import unseen_in
from companion.refusals import Refusal


class Prospect(msgspec.Struct, frozen=True):
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


def aids(terms: Terms, state: TutankhamunState, seat: int | None) -> dict[str, Json]:
    """Help for a seat; the shared tablet (None) helps whoever is asked."""
    if seat not in {None, state.seat}:
        return {}
    if state.phase == "laying":
        legal = _legal(why_not_deal(state))
        return {"actions": {"lay": legal, "deal": legal}, "squares": {}}
    if state.phase not in {"digging", "closing"}:
        return {}
    actions: dict[str, Json] = {
        "scarab": _legal(why_not_scarab(state)),
        "stop": _legal(why_not_stop(terms, state)),
        "pass": _legal(why_not_pass(state))
        | {"costs": terms.pass_fee, "leaves": state.purses[state.seat] < terms.pass_fee},
        "no_barricade": _legal(why_not_close(state)),
    }
    odds = {depth: prospect(terms, state, depth) for depth in set(state.depths)} if terms.odds else {}
    squares: dict[str, Json] = {
        square: _square(terms, state, square, odds.get(depth))
        for square, depth in zip(terms.squares, state.depths, strict=True)
    }
    return {"actions": actions, "squares": squares}


def _square(terms: Terms, state: TutankhamunState, square: str, seen: Prospect | None) -> dict[str, Json]:
    told: dict[str, Json] = {
        "dig": _legal(why_not_dig(terms, state, square)),
        "barricade": _legal(why_not_barricade(terms, state, square)),
    }
    return told | {"odds": msgspec.to_builtins(seen)} if seen else told


def _legal(refusal: Refusal | None) -> dict[str, Json]:
    if refusal is None:
        return {"legal": True}
    facts: dict[str, Json] = dict(refusal.facts)
    return {"legal": False, "refusal": {"key": refusal.key, "rule": refusal.rule, "facts": facts}}


def prospect(terms: Terms, state: TutankhamunState, depth: int) -> Prospect | None:
    """What the next card of a pile so deep may be, by the count of what has not shown; None where none lies below."""
    if depth < 2:
        return None
    unseen = unseen_in(terms, state, depth - 2)
    total = sum(unseen.values())
    points = [(terms.values[card] * state.factor, count) for card, count in unseen.items()]
    purse = state.purses[state.seat]
    bad = [(-value, count) for value, count in points if value < 0]
    lost = sum((state.takings + min(cost, purse)) * count for cost, count in bad)
    won = sum(value * count for value, count in points if value > 0)
    return Prospect(
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
