"""The table shows otherwise: markers, figures, permits, tokens and cards put right, so that none is lost or made."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from companion.game import Correction
from companion.games.jenseits.printed import Printed
from companion.games.jenseits.putting import put_card, put_token, take_card, take_token
from companion.games.jenseits.state import BLANK, Archaeologist, JenseitsState, Where, seated
from companion.pieces.track import Track
from companion.refusals import Illegal, Malformed


class SetMarker(Correction, frozen=True, tag="marker"):
    """A marker stands on another week, on top of the others there or below them all."""

    seat: int
    week: int
    year: int
    on_top: bool = True


class SetFigure(Correction, frozen=True, tag="figure"):
    """A figure stands in another place."""

    seat: int
    place: str


class SetPermit(Correction, frozen=True, tag="permit"):
    """A permit shows its other side."""

    seat: int
    site: str
    up: bool


class SetToken(Correction, frozen=True, tag="token"):
    """A token lies elsewhere: in the ``bag``, on the ``site`` for the first to dig there, or before a seat."""

    site: str
    token: str
    origin: Where = msgspec.field(name="from")
    to: Where


class SetCard(Correction, frozen=True, tag="card"):
    """A card lies elsewhere: in the ``pile``, ``aside``, on the ``discards``, ``open``, at ``a``, ``b`` or ``c``, or
    before a seat."""

    card: str
    origin: Where = msgspec.field(name="from")
    to: Where


CORRECTIONS: tuple[type[Correction], ...] = (SetMarker, SetFigure, SetPermit, SetToken, SetCard)


def corrected(printed: Printed, state: JenseitsState, correction: Correction) -> JenseitsState:
    """The state after the table was put right."""
    match correction:
        case SetMarker():
            return _marker(printed, state, correction)
        case SetFigure():
            return _figure(printed, state, correction)
        case SetPermit():
            return _permit(printed, state, correction)
        case SetToken():
            return _token(printed, state, correction)
        case SetCard():
            return _card(printed, state, correction)
        case _:
            raise Malformed("core.not_a_correction", reason=type(correction).__name__)


def _marker(printed: Printed, state: JenseitsState, to: SetMarker) -> JenseitsState:
    _seat(state, to.seat)
    if len(state.stack) < len(state.seats):
        raise Illegal("jenseits.markers_first", rule="JVT-03")
    if not 1 <= to.week <= printed.calendar.weeks:
        raise Illegal("jenseits.no_week", rule="JVT-01", most=printed.calendar.weeks)
    at = printed.calendar.time(to.week, to.year)
    if not 0 <= at <= printed.end:
        week, year = printed.calendar.date(printed.end)
        raise Illegal("jenseits.no_time", rule="JVT-06", year=printed.calendar.first_year, end=week, last=year)
    track = state.track.put(to.seat, at)
    return replace(state, track=track if to.on_top else _below(track, to.seat))


def _below(track: Track, seat: int) -> Track:
    """The marker slipped under the others of its stack."""
    for other in track.stack(track.at(seat)):
        if other != seat:
            track = track.put(other, track.at(other))
    return track


def _figure(printed: Printed, state: JenseitsState, to: SetFigure) -> JenseitsState:
    if to.place not in printed.legs:
        raise Illegal("jenseits.no_place", rule="JVT-10", place=to.place)
    figure = replace(_seat(state, to.seat), place=to.place)
    return replace(state, seats=seated(state, to.seat, figure))


def _permit(printed: Printed, state: JenseitsState, to: SetPermit) -> JenseitsState:
    holder = _seat(state, to.seat)
    if to.site not in printed.sites:
        raise Illegal("jenseits.no_site", rule="JVT-42", site=to.site)
    turned = holder.turned - {to.site} if to.up else holder.turned | {to.site}
    return replace(state, seats=seated(state, to.seat, replace(holder, turned=turned)))


def _token(printed: Printed, state: JenseitsState, to: SetToken) -> JenseitsState:
    if to.site not in printed.sites:
        raise Illegal("jenseits.no_site", rule="JVT-42", site=to.site)
    if state.digging is not None and state.digging.site == to.site:
        raise Illegal("jenseits.dig_first", rule="JVT-44", site=to.site)
    if to.token == BLANK:
        raise Illegal("jenseits.blanks_stay", rule="JVT-44")
    _seats_exist(state, to.origin, to.to)
    taken = take_token(printed, state, to.site, to.token, to.origin)
    if taken is None:
        raise Illegal("jenseits.token_not_there", rule="JVT-45", token=to.token, site=to.site)
    put = put_token(printed, taken, to.site, to.token, to.to)
    if put is None:
        raise Illegal("jenseits.token_not_to_there", rule="JVT-45", token=to.token, site=to.site)
    return put


def _card(printed: Printed, state: JenseitsState, to: SetCard) -> JenseitsState:
    if to.card not in printed.research and to.card not in printed.exhibitions:
        raise Illegal("jenseits.no_card", rule="JVT-20", card=to.card)
    _seats_exist(state, to.origin, to.to)
    taken = take_card(printed, state, to.card, to.origin)
    if taken is None:
        raise Illegal("jenseits.card_not_there", rule="JVT-20", card=printed.face(to.card))
    put = put_card(printed, taken, to.card, to.to)
    if put is None:
        raise Illegal("jenseits.card_not_to_there", rule="JVT-20", card=printed.face(to.card))
    return replace(put, turning=put.turning and bool(put.piles.which()))


def _seats_exist(state: JenseitsState, *places: Where) -> None:
    for place in places:
        if isinstance(place, int):
            _seat(state, place)


def _seat(state: JenseitsState, seat: int) -> Archaeologist:
    if not 0 <= seat < len(state.seats):
        raise Illegal("jenseits.no_seat", n=len(state.seats))
    return state.seats[seat]
