"""What chance decides: tokens, cards and exhibitions that are turned up, the stack of starting markers."""

from __future__ import annotations

from msgspec.structs import replace

from companion.game import Chance, Outcome
from companion.games.jenseits.piles import EXHIBITION, ready, research_to_come
from companion.games.jenseits.printed import Printed
from companion.games.jenseits.state import (
    BLANK,
    PLACES,
    Digging,
    Find,
    JenseitsState,
    seated,
    starting_track,
    with_holdings,
)
from companion.refusals import Illegal


def draw_wanted(printed: Printed, state: JenseitsState) -> Chance | None:
    """The draw that comes next, if one does: a token of the dig, a starting marker, a card for an empty place, and
    which exhibition it is, if it is one."""
    if state.digging is not None:
        return _token_wanted(state, state.digging)
    if _marker_due(state):
        return _marker_wanted(state)
    if state.turning:
        return Chance("exhibitions", "exhibition", state.piles.which(), pressed=False, facts={"place": PLACES[0]})
    if _card_due(printed, state):
        return _card_wanted(printed, state)
    return None


def dealt(printed: Printed, state: JenseitsState, outcome: Outcome) -> JenseitsState:
    """The state after a draw."""
    if state.digging is not None:
        return _token_drawn(printed, state, state.digging, outcome)
    if _marker_due(state):
        return _marker_placed(printed, state, outcome)
    if state.turning:
        return _exhibition_turned_up(printed, state, outcome)
    if _card_due(printed, state):
        return _card_turned_up(printed, state, outcome)
    raise Illegal("jenseits.nothing_to_draw", rule="JVT-04")


def _card_due(printed: Printed, state: JenseitsState) -> bool:
    return None in state.open and research_to_come(printed, state.piles)


def _marker_due(state: JenseitsState) -> bool:
    return len(state.stack) < len(state.seats)


def _token_wanted(state: JenseitsState, digging: Digging) -> Chance:
    return Chance(
        "tokens",
        f"token {digging.site}",
        state.bags[digging.site].odds(),
        seat=digging.seat,
        rule="JVT-44",
        facts={"site": digging.site, "nth": len(digging.drawn) + 1, "of": digging.of},
    )


def _card_wanted(printed: Printed, state: JenseitsState) -> Chance:
    place = state.open.index(None) + 1
    odds = ready(printed, state.piles).odds()
    return Chance("cards", f"card {place}", odds, pressed=False, facts={"place": place})


def _marker_wanted(state: JenseitsState) -> Chance:
    left = tuple((seat, 1) for seat in range(len(state.seats)) if seat not in state.stack)
    nth = len(state.stack) + 1
    return Chance("start", f"marker {nth}", left, of="seats", facts={"nth": nth, "of": len(state.seats)})


def _token_drawn(printed: Printed, state: JenseitsState, digging: Digging, token: Outcome) -> JenseitsState:
    """Finds stay with the seat; blanks wait beside the bag [JVT-44]."""
    bag = state.bags[digging.site]
    if not isinstance(token, str) or token not in bag:
        raise Illegal("jenseits.not_in_bag", rule="JVT-44", token=str(token), site=digging.site)
    digging = replace(digging, drawn=(*digging.drawn, token))
    state = replace(state, bags={**state.bags, digging.site: bag.without(token)}, digging=digging)
    if token != BLANK:
        digger = state.seats[digging.seat]
        digger = with_holdings(printed, digger, digger.cards, (*digger.finds, Find(digging.site, token)))
        state = replace(state, seats=seated(state, digging.seat, digger))
    return state if len(digging.drawn) < digging.of else dig_ended(state, digging)


def dig_ended(state: JenseitsState, digging: Digging) -> JenseitsState:
    """Blanks go back into the bag, and the permit is turned down [JVT-44, JVT-46]."""
    site = digging.site
    digger = state.seats[digging.seat]
    return replace(
        state,
        bags={**state.bags, site: state.bags[site].with_(BLANK, digging.drawn.count(BLANK))},
        seats=seated(state, digging.seat, replace(digger, turned=digger.turned | {site})),
        digging=None,
    )


def _card_turned_up(printed: Printed, state: JenseitsState, card: Outcome) -> JenseitsState:
    """A research card fills the first empty place; of an exhibition it is asked which one it is [JVT-22, JVT-23]."""
    piles = ready(printed, state.piles)
    if not isinstance(card, str) or not piles.can_show(card):
        raise Illegal("jenseits.not_on_top", rule="JVT-20", card=printed.face(str(card)))
    if card == EXHIBITION:
        return replace(state, piles=piles, turning=True)
    place = state.open.index(None)
    return replace(state, piles=piles.without(card), open=(*state.open[:place], card, *state.open[place + 1 :]))


def _exhibition_turned_up(printed: Printed, state: JenseitsState, card: Outcome) -> JenseitsState:
    """The exhibition pushes those that are there [JVT-23]."""
    if not isinstance(card, str) or (card, 1) not in state.piles.which():
        raise Illegal("jenseits.not_on_top", rule="JVT-20", card=printed.face(str(card)))
    shown, out = pushed(state.shown, card)
    return replace(state, piles=state.piles.without(card).discard(*out), shown=shown, turning=False)


def pushed(shown: tuple[str | None, ...], card: str) -> tuple[tuple[str | None, ...], tuple[str, ...]]:
    """An exhibition comes to a: what lay there goes to b, from b to c, from c to the discards; an empty place stops it.

    >>> pushed(("x", None, "y"), "new")
    (('new', 'x', 'y'), ())
    >>> pushed(("x", "y", "z"), "new")
    (('new', 'x', 'y'), ('z',))
    """
    if None in shown:
        gap = shown.index(None)
        return (card, *shown[:gap], *shown[gap + 1 :]), ()
    return (card, *shown[:-1]), tuple(pushed_out for pushed_out in shown[-1:] if pushed_out)


def _marker_placed(printed: Printed, state: JenseitsState, seat: Outcome) -> JenseitsState:
    """The next marker of the starting stack, from the top; the last one is what is left [JVT-03]."""
    left = [other for other in range(len(state.seats)) if other not in state.stack]
    if not isinstance(seat, int) or isinstance(seat, bool) or seat not in left:
        raise Illegal("jenseits.not_to_be_placed", rule="JVT-03")
    stack = (*state.stack, seat)
    if len(left) > 2:
        return replace(state, stack=stack)
    stack = (*stack, *(other for other in left if other != seat))
    return replace(state, stack=stack, track=starting_track(printed, stack))
