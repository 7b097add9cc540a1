"""Why a seat may not do something now: each answer is a refusal that names its rule, or None where it may."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.game import Move
from companion.games.tutankhamun.layers import Layout, fault
from companion.games.tutankhamun.moves import Barricade, Deal, Dig, Lay, NoBarricade, Pass, Scarab, Stop
from companion.games.tutankhamun.state import NOWHERE, Terms, TutankhamunState
from companion.refusals import Illegal, Malformed, NotYourTurn, Over, Refusal


def why_not(terms: Terms, state: TutankhamunState, seat: int, move: Move) -> Refusal | None:
    """Why a seat may not make a move."""
    if state.phase == "over":
        return Over("core.over", rule="TUT-20")
    if state.phase in {"dealing", "turning", "uncovering"}:
        return Illegal("core.chance_first", rule="TUT-12" if state.phase == "uncovering" else "TUT-03")
    if seat != state.seat:
        return NotYourTurn("core.not_your_turn", rule="TUT-02" if state.phase == "laying" else "TUT-10")
    return WHY_NOT[type(move)](terms, state, move)


def why_not_deal(state: TutankhamunState) -> Refusal | None:
    return None if state.phase == "laying" else Illegal("tutankhamun.layers_lie", rule="TUT-03")


def why_not_lay(terms: Terms, state: TutankhamunState, cards: Layout) -> Refusal | None:
    if refusal := why_not_deal(state):
        return refusal
    wrong = fault(terms.kinds[len(state.layers)], cards)
    return wrong and Illegal(wrong.key, rule=wrong.rule, **wrong.facts)


def _why_not_play(state: TutankhamunState, rule: str) -> Refusal | None:
    """All but laying and closing a turn needs a turn that is under way."""
    if state.phase == "laying":
        return Illegal("tutankhamun.lay_first", rule="TUT-02", n=len(state.layers) + 1)
    return Illegal("tutankhamun.turn_ended", rule=rule) if state.phase == "closing" else None


def why_not_scarab(state: TutankhamunState) -> Refusal | None:
    if refusal := _why_not_play(state, "TUT-11"):
        return refusal
    if state.doubled:
        return Illegal("tutankhamun.scarab_lies", rule="TUT-11")
    if state.digs:
        return Illegal("tutankhamun.scarab_late", rule="TUT-11")
    return None if state.scarabs[state.seat] else Illegal("tutankhamun.no_scarab", rule="TUT-11")


def why_not_dig(terms: Terms, state: TutankhamunState, square: str) -> Refusal | None:
    if square not in terms.squares:
        return _no_square(terms, square)
    if refusal := _why_not_play(state, "TUT-12"):
        return refusal
    at = terms.squares.index(square)
    if not state.depths[at]:
        return Illegal("tutankhamun.bare", rule="TUT-12", square=square)
    owner = state.barricaded_by(at)
    if owner is not None:
        return Illegal("tutankhamun.barricaded", rule="TUT-16", square=square, player=terms.names[owner])
    return None


def why_not_stop(terms: Terms, state: TutankhamunState) -> Refusal | None:
    if refusal := _why_not_play(state, "TUT-13"):
        return refusal
    return None if state.digs else Illegal("tutankhamun.nothing_dug", rule="TUT-15", fee=terms.pass_fee)


def why_not_pass(state: TutankhamunState) -> Refusal | None:
    if refusal := _why_not_play(state, "TUT-15"):
        return refusal
    return Illegal("tutankhamun.has_dug", rule="TUT-15") if state.digs else None


def why_not_close(state: TutankhamunState) -> Refusal | None:
    return None if state.phase == "closing" else Illegal("tutankhamun.turn_runs", rule="TUT-16")


def why_not_barricade(terms: Terms, state: TutankhamunState, square: str) -> Refusal | None:
    if square not in terms.squares:
        return _no_square(terms, square)
    if refusal := why_not_close(state):
        return refusal if state.barricades[state.seat] else Illegal("tutankhamun.no_barricade", rule="TUT-16")
    if state.standing[state.seat] != NOWHERE:  # only a correction leads here
        return Illegal("tutankhamun.stands_already", rule="TUT-16")
    owner = state.barricaded_by(terms.squares.index(square))
    if owner is not None:
        return Illegal("tutankhamun.barricade_there", rule="TUT-16", square=square, player=terms.names[owner])
    return None


def _no_square(terms: Terms, square: str) -> Malformed:
    return Malformed("tutankhamun.no_square", square=square, first=terms.squares[0], last=terms.squares[-1])


WHY_NOT: dict[type[Move], Callable[[Terms, TutankhamunState, Any], Refusal | None]] = {
    Lay: lambda terms, state, move: why_not_lay(terms, state, move.cards),
    Deal: lambda _terms, state, _move: why_not_deal(state),
    Scarab: lambda _terms, state, _move: why_not_scarab(state),
    Dig: lambda terms, state, move: why_not_dig(terms, state, move.square),
    Stop: lambda terms, state, _move: why_not_stop(terms, state),
    Pass: lambda _terms, state, _move: why_not_pass(state),
    Barricade: lambda terms, state, move: why_not_barricade(terms, state, move.square),
    NoBarricade: lambda _terms, state, _move: why_not_close(state),
}
