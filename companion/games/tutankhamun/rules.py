"""Who is asked, what is legal, and what follows: the rules of Tutankhamun."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.game import Ask, Choices, Corrected, Dealt, Move, Outcome, Played, Step, Turn
from companion.games.tutankhamun.corrections import corrected
from companion.games.tutankhamun.laying import (
    ask_for_layer,
    ask_for_quarters,
    deal,
    layer_due,
    layer_lies,
    let_deal,
    real_tray,
    turn_tray,
    ways_to_lay,
)
from companion.games.tutankhamun.legal import why_not
from companion.games.tutankhamun.moves import Barricade, Deal, Dig, Lay, NoBarricade, Pass, Scarab, Stop
from companion.games.tutankhamun.score import tally
from companion.games.tutankhamun.state import NOWHERE, Terms, TutankhamunState
from companion.games.tutankhamun.turns import (
    ask_for_card,
    barricade,
    dig,
    next_turn,
    pass_by,
    scarab,
    stop,
    uncover,
    unless_ended,
)
from companion.refusals import Illegal, Over


def start(terms: Terms) -> TutankhamunState:
    """Everybody has their purse and cards (TUT-01); the first layer is due, or all lie in the real tray."""
    state = TutankhamunState(
        phase="laying",
        seat=terms.owner(0),
        purses=(terms.money,) * terms.seats,
        scarabs=(terms.scarabs,) * terms.seats,
        barricades=(terms.barricades,) * terms.seats,
        playing=(True,) * terms.seats,
        standing=(NOWHERE,) * terms.seats,
        bank=-terms.money * terms.seats,
        depths=(0,) * len(terms.squares),
    )
    return real_tray(terms, state) if terms.tray == "physical" else layer_due(terms, state)


def ask(terms: Terms, state: TutankhamunState) -> Ask:
    """What comes next."""
    match state.phase:
        case "over":
            return tally(terms, state)
        case "dealing":
            return ask_for_layer(terms, state)
        case "turning":
            return ask_for_quarters()
        case "uncovering":
            return ask_for_card(terms, state)
        case _:
            return Turn((state.seat,))


def moves(terms: Terms, state: TutankhamunState, seat: int) -> Choices:
    """Every legal move of a seat; for the laying of a layer some of the many layouts."""
    thinkable: tuple[Move, ...] = ()
    match state.phase:
        case "laying" if seat == state.seat:
            return Choices((Deal(), *ways_to_lay(terms, state)), more=True)
        case "digging":
            thinkable = (Scarab(), Stop(), Pass(), *map(Dig, terms.squares))
        case "closing":
            thinkable = (NoBarricade(), *map(Barricade, terms.squares))
    return Choices(tuple(move for move in thinkable if why_not(terms, state, seat, move) is None))


def after(terms: Terms, state: TutankhamunState, step: Step) -> TutankhamunState:
    """The state after a step; what is not allowed is refused and changes nothing."""
    match step:
        case Played(seat=seat, move=move):
            if refusal := why_not(terms, state, seat, move):
                raise refusal
            return PLAYED[type(move)](terms, state, move)
        case Dealt(outcome=outcome):
            return _dealt(terms, state, outcome)
        case Corrected(correction=correction):
            if state.phase == "over":
                raise Over("core.over", rule="TUT-20")
            return unless_ended(terms, corrected(terms, state, correction))


def _dealt(terms: Terms, state: TutankhamunState, outcome: Outcome) -> TutankhamunState:
    match state.phase:
        case "dealing":
            return deal(terms, state, outcome)
        case "turning":
            return turn_tray(terms, state, outcome)
        case "uncovering":
            return uncover(terms, state, outcome)
        case _:
            raise Illegal("core.no_draw")


PLAYED: dict[type[Move], Callable[[Terms, TutankhamunState, Any], TutankhamunState]] = {
    Lay: lambda terms, state, move: layer_lies(terms, state, move.cards),
    Deal: lambda terms, state, _move: let_deal(terms, state),
    Scarab: lambda _terms, state, _move: scarab(state),
    Dig: lambda terms, state, move: dig(state, terms.squares.index(move.square)),
    Stop: lambda terms, state, _move: stop(terms, state),
    Pass: lambda terms, state, _move: pass_by(terms, state),
    Barricade: lambda terms, state, move: barricade(state, terms.squares.index(move.square)),
    NoBarricade: lambda _terms, state, _move: next_turn(state),
}
