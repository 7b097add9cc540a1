"""The rules of Jenseits von Theben: who is asked, and what follows from a move. The ids are those of RULES.md."""

from __future__ import annotations

from msgspec.structs import replace

from companion.game import Ask, Chance, Finished, Move, Turn
from companion.games.jenseits.checks import check_dig, check_exhibit, check_refresh, check_take
from companion.games.jenseits.draws import dig_ended, draw_wanted
from companion.games.jenseits.moves import Dig, Exhibit, Refresh, Retire, Take
from companion.games.jenseits.printed import Printed
from companion.games.jenseits.score import finished
from companion.games.jenseits.state import (
    Archaeologist,
    Digging,
    Find,
    JenseitsState,
    Run,
    seated,
    with_holdings,
)
from companion.refusals import Malformed, NotYourTurn, Over

TURNS = tuple(Turn((seat,)) for seat in range(4))


def ask(printed: Printed, state: JenseitsState) -> Ask:
    """What comes next: a draw, the turn of the seat furthest back, or the end [JVT-04, JVT-08]."""
    draw = draw_wanted(printed, state)
    if draw is not None:
        return draw
    if state.track.is_over:
        return finished(printed, state)
    return TURNS[state.track.furthest_back]


def played(printed: Printed, state: JenseitsState, seat: int, move: Move) -> JenseitsState:
    """The state after a move of a seat."""
    _its_turn(printed, state, seat)
    match move:
        case Take():
            return _take(printed, state, seat, move)
        case Dig():
            return _dig(printed, state, seat, move)
        case Refresh():
            return _refresh(printed, state, seat, move)
        case Exhibit():
            return _exhibit(printed, state, seat, move)
        case Retire():
            return _retire(printed, state, seat)
        case _:
            raise Malformed("core.not_a_move", reason=type(move).__name__)


def _its_turn(printed: Printed, state: JenseitsState, seat: int) -> None:
    """Only the seat furthest back plays, and only when nothing is to be drawn [JVT-04]."""
    wanted = ask(printed, state)
    if isinstance(wanted, Finished):
        raise Over("core.over", rule="JVT-08")
    if isinstance(wanted, Chance):
        raise NotYourTurn("jenseits.draw_first", rule="JVT-04")
    if seat not in wanted.seats:
        raise NotYourTurn("core.not_your_turn", rule="JVT-04")


def _take(printed: Printed, state: JenseitsState, seat: int, move: Take) -> JenseitsState:
    """The card comes to lie before the seat; its place is filled at the end of the turn [JVT-22]."""
    weeks = check_take(printed, state, seat, move)
    state = _gone(printed, state, seat, printed.research[move.card].city, weeks, zeppelin=move.zeppelin)
    place = state.open.index(move.card)
    taker = state.seats[seat]
    taker = with_holdings(printed, taker, (*taker.cards, move.card), taker.finds)
    return replace(state, open=(*state.open[:place], None, *state.open[place + 1 :]), seats=seated(state, seat, taker))


def _refresh(printed: Printed, state: JenseitsState, seat: int, move: Refresh) -> JenseitsState:
    """The open cards go to the discards; four others are opened [JVT-24]."""
    weeks = check_refresh(printed, state, seat, move)
    state = _gone(printed, state, seat, printed.home, weeks, zeppelin=move.zeppelin)
    cards = tuple(card for card in state.open if card is not None)
    return replace(
        state,
        piles=state.piles.discard(*cards),
        open=(None,) * len(state.open),
        run=Run(seat, state.run.refreshes + 1),
    )


def _exhibit(printed: Printed, state: JenseitsState, seat: int, move: Exhibit) -> JenseitsState:
    """The exhibition is the seat's, the objects too; its place stays empty [JVT-50, JVT-51]."""
    weeks = check_exhibit(printed, state, seat, move)
    state = _gone(printed, state, seat, printed.exhibitions[move.card].city, weeks, zeppelin=move.zeppelin)
    holder = state.seats[seat]
    holder = with_holdings(printed, holder, (*holder.cards, move.card), holder.finds)
    return replace(
        state,
        shown=tuple(None if card == move.card else card for card in state.shown),
        seats=seated(state, seat, holder),
    )


def _dig(printed: Printed, state: JenseitsState, seat: int, move: Dig) -> JenseitsState:
    """The time is paid and cards are used up; then tokens are drawn, one by one [JVT-42 to JVT-45]."""
    plan = check_dig(printed, state, seat, move)
    state = _gone(printed, state, seat, move.site, plan.weeks, zeppelin=move.zeppelin)
    for use in move.use:
        state = _used_up(printed, state, seat, use, move.site if use == "ethnology" else None)
    if move.site in state.first_finds:
        state = _first_find(printed, state, seat, move.site)
    digging = Digging(seat, move.site, min(plan.tokens, state.bags[move.site].total))
    state = replace(state, digging=digging)
    return state if digging.of else dig_ended(state, digging)


def _first_find(printed: Printed, state: JenseitsState, seat: int, site: str) -> JenseitsState:
    """The first to dig at a site is given the object that lies there [JVT-45]."""
    digger = state.seats[seat]
    finds = (*digger.finds, Find(site, printed.box.first_find))
    digger = with_holdings(printed, digger, digger.cards, finds)
    return replace(state, seats=seated(state, seat, digger), first_finds=state.first_finds - {site})


def _retire(printed: Printed, state: JenseitsState, seat: int) -> JenseitsState:
    """The marker goes straight to the end [JVT-07]."""
    weeks = printed.end - state.track.at(seat)
    return _gone(printed, state, seat, state.seats[seat].place, weeks)


def _gone(
    printed: Printed, state: JenseitsState, seat: int, to: str, weeks: int, *, zeppelin: bool = False
) -> JenseitsState:
    """The figure has gone somewhere, and the time of trip and action is paid, once, together [JVT-11]."""
    if zeppelin:
        state = _used_up(printed, state, seat, "zeppelin")
    at = state.track.at(seat)
    traveller = replace(state.seats[seat], place=to)
    if printed.calendar.new_years(at, at + weeks):
        traveller = _new_year(traveller)
    return replace(
        state,
        track=state.track.advance(seat, weeks),
        seats=seated(state, seat, traveller),
        run=state.run if state.run.seat == seat else Run(seat),
    )


def _new_year(archaeologist: Archaeologist) -> Archaeologist:
    """From week 52 to week 1 all permits turn up again [JVT-09]."""
    return replace(archaeologist, turned=frozenset())


def _used_up(printed: Printed, state: JenseitsState, seat: int, kind: str, site: str | None = None) -> JenseitsState:
    """A card that is used up goes to the discards [JVT-25]."""
    user = state.seats[seat]
    at = next(at for at, card in enumerate(user.cards) if _is(printed, card, kind, site))
    card, cards = user.cards[at], user.cards[:at] + user.cards[at + 1 :]
    user = with_holdings(printed, user, cards, user.finds)
    return replace(state, seats=seated(state, seat, user), piles=state.piles.discard(card))


def _is(printed: Printed, card: str, kind: str, site: str | None) -> bool:
    return card in printed.research and (printed.research[card].kind, printed.research[card].site) == (kind, site)
