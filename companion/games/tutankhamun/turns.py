"""A turn at the tray: what each move does, how a turn ends, and when the game does (TUT-10 to TUT-20)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.game import Chance, Outcome, can_fall
from companion.games.tutankhamun.layers import with_card
from companion.games.tutankhamun.state import NOWHERE, Terms, TutankhamunState, Uncovered, added, changed
from companion.games.tutankhamun.unseen import unseen_in
from companion.refusals import Illegal


def scarab(state: TutankhamunState) -> TutankhamunState:
    """Everything this turn counts double (TUT-11)."""
    return replace(state, doubled=True, scarabs=added(state.scarabs, state.seat, -1))


def dig(state: TutankhamunState, at: int) -> TutankhamunState:
    """The top card leaves the tray; what lies below is about to show, unless it was the last (TUT-12, TUT-17)."""
    state = replace(
        state,
        depths=added(state.depths, at, -1),
        lifted=state.lifted + 1,
        digs=state.digs + 1,
        dug=tuple(square for square in state.dug if square != at),
        passed=(),
        last=None,
    )
    return replace(state, phase="uncovering", digging=at) if state.depths[at] else state


def ask_for_card(terms: Terms, state: TutankhamunState) -> Chance:
    """The card below the one just lifted: the one that lies there, or in a real tray any its layer has left.

    Where nobody may count, a real tray's question names every card of the layer, also one of which none is left.
    """
    at = state.digging
    layer = state.depths[at] - 1
    known = state.layers[layer][at]
    return Chance(
        "cards",
        f"card {terms.squares[at]} {layer + 1}",
        ((known, 1),) if known else _may_show(terms, state, layer),
        seat=state.seat,
        rule="TUT-10",
        pressed=not known,
        veiled=not known and not terms.odds,
        facts={"square": terms.squares[at], "layer": layer + 1},
    )


def _may_show(terms: Terms, state: TutankhamunState, layer: int) -> tuple[tuple[Outcome, int], ...]:
    unseen = unseen_in(terms, state, layer)
    if terms.odds or terms.open_memory:
        return tuple(unseen.items())
    return tuple((card, unseen.get(card, 0)) for card, _ in terms.kinds[layer].cards)


def uncover(terms: Terms, state: TutankhamunState, outcome: Outcome) -> TutankhamunState:
    """A good card adds to the takings, a bad one ends the turn (TUT-13, TUT-14)."""
    chance = ask_for_card(terms, state)
    if not can_fall(chance, outcome):
        if (outcome, 0) in chance.odds:
            raise Illegal("tutankhamun.none_unseen", rule="TUT-02", card=outcome, n=state.depths[state.digging])
        raise Illegal("core.cannot_fall", rule="TUT-02", outcome=outcome)
    at, card = state.digging, str(outcome)
    points = terms.values[card] * state.factor
    state = replace(
        state,
        phase="digging",
        layers=with_card(state.layers, state.depths[at] - 1, at, card),
        digging=NOWHERE,
        dug=(*state.dug, at),
        last=Uncovered(state.seat, at, card, points),
    )
    if points < 0:
        return _end_turn(terms, _pay(_without_takings(state), -points))
    return unless_ended(terms, replace(state, takings=state.takings + points, bank=state.bank - points))


def stop(terms: Terms, state: TutankhamunState) -> TutankhamunState:
    """This turn's takings become the player's own (TUT-13)."""
    return _end_turn(terms, _keep_takings(state))


def pass_by(terms: Terms, state: TutankhamunState) -> TutankhamunState:
    """A turn without digging costs its fee (TUT-15); all still in, one after another, end the game so (TUT-20)."""
    return _end_turn(terms, _pay(replace(state, passed=(*state.passed, state.seat), last=None), terms.pass_fee))


def barricade(state: TutankhamunState, at: int) -> TutankhamunState:
    """A barricade closes a square, and the turn is over (TUT-16)."""
    hands = added(state.barricades, state.seat, -1)
    return next_turn(replace(state, barricades=hands, standing=changed(state.standing, state.seat, at)))


def next_turn(state: TutankhamunState) -> TutankhamunState:
    """Clockwise to the next still in. Where a turn begins, or would, a barricade of that seat goes (TUT-10, TUT-16)."""
    seat = state.seat
    while True:
        seat = (seat + 1) % len(state.playing)
        state = _without_barricade(state, seat)
        if state.playing[seat]:
            return replace(state, phase="digging", seat=seat)


def leave(terms: Terms, state: TutankhamunState, seat: int) -> TutankhamunState:
    """A seat goes home: its money goes to the bank, its cards out of the game, and its turn is over."""
    if seat != state.seat:
        return _out(state, seat)
    return _end_turn(terms, _out(_without_takings(state), seat))


def unless_ended(terms: Terms, state: TutankhamunState) -> TutankhamunState:
    """The end: one player is left, every card is uncovered, or all still in have passed (TUT-20)."""
    if state.phase not in {"digging", "closing"}:
        return state
    still_in = [seat for seat, playing in enumerate(state.playing) if playing]
    all_open = max(state.depths) <= 1
    if len(still_in) > 1 and not all_open and not set(still_in) <= set(state.passed):
        return state
    return _over(_keep_takings(state))


def closed(state: TutankhamunState) -> TutankhamunState:
    """The host ends the game as it stands: what was set aside is nobody's, and the tray is turned up."""
    return state if state.phase == "over" else _over(replace(_without_takings(state), digging=NOWHERE))


def _over(state: TutankhamunState) -> TutankhamunState:
    return replace(state, phase="over", doubled=False, scarabs_gone=state.scarabs_gone + state.doubled)


def _end_turn(terms: Terms, state: TutankhamunState) -> TutankhamunState:
    """The scarab goes; who is still in and has a barricade may set it; then it is the next one's turn."""
    gone = state.scarabs_gone + state.doubled
    state = replace(state, phase="closing", doubled=False, digs=0, dug=(), scarabs_gone=gone)
    state = unless_ended(terms, state)
    if state.phase == "over" or state.barricades[state.seat]:
        return state
    return next_turn(state)


def _keep_takings(state: TutankhamunState) -> TutankhamunState:
    return replace(state, purses=added(state.purses, state.seat, state.takings), takings=0)


def _without_takings(state: TutankhamunState) -> TutankhamunState:
    return replace(state, bank=state.bank + state.takings, takings=0)


def _pay(state: TutankhamunState, silver: int) -> TutankhamunState:
    """Pay the bank, or leave the game."""
    if state.purses[state.seat] < silver:
        return _out(state, state.seat)
    return replace(state, purses=added(state.purses, state.seat, -silver), bank=state.bank + silver)


def _out(state: TutankhamunState, seat: int) -> TutankhamunState:
    return replace(
        state,
        playing=changed(state.playing, seat, False),
        purses=changed(state.purses, seat, 0),
        bank=state.bank + state.purses[seat],
        scarabs=changed(state.scarabs, seat, 0),
        scarabs_gone=state.scarabs_gone + state.scarabs[seat],
        barricades=changed(state.barricades, seat, 0),
        barricades_gone=state.barricades_gone + state.barricades[seat],
    )


def _without_barricade(state: TutankhamunState, seat: int) -> TutankhamunState:
    if state.standing[seat] == NOWHERE:
        return state
    standing = changed(state.standing, seat, NOWHERE)
    return replace(state, standing=standing, barricades_gone=state.barricades_gone + 1)
