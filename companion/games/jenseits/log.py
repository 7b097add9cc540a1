"""Steps as the log tells them: ``log.jenseits.<type>`` is the sentence, the other fields fill it.

``take`` ``refresh`` ``exhibit`` ``dig`` ``retire``
    A move: ``who``, ``n`` weeks in all; ``card`` and its ``face`` and ``city``, or ``site``, ``weeks``, ``tokens``.
``take_using`` ``refresh_using`` ``exhibit_using`` ``dig_using``
    The same, where cards were used up: ``uses`` names them.
``token``
    A draw: ``whose``, ``site``, ``token``, ``nth`` of ``of``.
``open`` ``coming`` ``exhibition`` ``marker``
    A card was opened; an exhibition came from the pile, and which one it is; a starting marker placed.
``set_marker`` ``set_figure`` ``set_permit_up`` ``set_permit_turned`` ``set_token`` ``set_card``
    A correction.
"""

from __future__ import annotations

from companion.game import Corrected, Correction, Dealt, Json, Move, Outcome, Played, Step
from companion.games.jenseits.checks import check_dig, weeks_of
from companion.games.jenseits.corrections import SetCard, SetFigure, SetMarker, SetPermit, SetToken
from companion.games.jenseits.moves import Dig, Exhibit, Refresh, Take
from companion.games.jenseits.piles import EXHIBITION
from companion.games.jenseits.printed import Printed
from companion.games.jenseits.state import JenseitsState, Where

Facts = dict[str, Json]


def told(printed: Printed, names: tuple[str, ...], before: JenseitsState, step: Step) -> Facts:
    """What a step was, for the log."""
    match step:
        case Played(seat=seat, move=move):
            return {"who": names[seat], "seat": seat, **_move(printed, before, seat, move)}
        case Dealt(outcome=outcome):
            return _draw(printed, names, before, outcome)
        case Corrected(correction=correction):
            return _correction(printed, names, correction)


def _move(printed: Printed, before: JenseitsState, seat: int, move: Move) -> Facts:
    n = weeks_of(printed, before, seat, move)
    match move:
        case Take(card=id_):
            card = printed.research[id_]
            facts: Facts = {"card": id_, "face": printed.face(id_), "city": card.city}
            return _using("take", n, move.zeppelin) | facts
        case Refresh():
            facts = {"city": printed.home}
            return _using("refresh", n, move.zeppelin) | facts
        case Exhibit(card=id_):
            exhibition = printed.exhibitions[id_]
            facts = {"card": id_, "face": id_, "city": exhibition.city, "points": exhibition.points}
            return _using("exhibit", n, move.zeppelin) | facts
        case Dig(site=site, weeks=weeks):
            plan = check_dig(printed, before, seat, move)
            facts = {"site": site, "weeks": weeks, "tokens": plan.tokens, "first": site in before.first_finds}
            return _using("dig", n, move.zeppelin, move.use) | facts
        case _:
            return {"type": "retire", "n": n}


def _using(kind: str, weeks: int, zeppelin: bool, use: tuple[str, ...] = ()) -> Facts:
    uses = (*(("zeppelin",) if zeppelin else ()), *use)
    return {"type": f"{kind}_using" if uses else kind, "n": weeks, "uses": uses}


def _draw(printed: Printed, names: tuple[str, ...], before: JenseitsState, outcome: Outcome) -> Facts:
    digging = before.digging
    if digging is not None:
        whose: Facts = {"type": "token", "whose": names[digging.seat], "seat": digging.seat}
        return {**whose, "site": digging.site, "token": outcome, "nth": len(digging.drawn) + 1, "of": digging.of}
    if isinstance(outcome, int):
        return {"type": "marker", "whose": names[outcome], "seat": outcome, "nth": len(before.stack) + 1}
    if outcome in printed.exhibitions:
        return {"type": "exhibition", "card": outcome, "face": outcome, "city": printed.exhibitions[outcome].city}
    if outcome == EXHIBITION:
        return {"type": "coming"}
    place = before.open.index(None) + 1
    card = printed.research[outcome]
    return {"type": "open", "card": outcome, "face": printed.face(outcome), "city": card.city, "place": place}


def _correction(printed: Printed, names: tuple[str, ...], correction: Correction) -> Facts:
    match correction:
        case SetMarker(seat=seat, week=week, year=year):
            return {"type": "set_marker", "whose": names[seat], "seat": seat, "week": week, "year": year}
        case SetFigure(seat=seat, place=place):
            return {"type": "set_figure", "whose": names[seat], "seat": seat, "place": place}
        case SetPermit(seat=seat, site=site, up=up):
            return {
                "type": "set_permit_up" if up else "set_permit_turned",
                "whose": names[seat],
                "seat": seat,
                "site": site,
            }
        case SetToken(site=site, token=token, origin=origin, to=to):
            return {"type": "set_token", "site": site, "token": token, **_way(names, origin, to)}
        case SetCard(card=card, origin=origin, to=to):
            return {"type": "set_card", "card": card, "face": printed.face(card), **_way(names, origin, to)}
        case _:
            return {"type": "set"}


def _way(names: tuple[str, ...], origin: Where, to: Where) -> Facts:
    return {"from": _place(names, origin), "to": _place(names, to)}


def _place(names: tuple[str, ...], place: Where) -> str:
    """A seat by its player's name, a place of the table by a name of the catalogue."""
    return names[place] if isinstance(place, int) else f"at_{place}"
