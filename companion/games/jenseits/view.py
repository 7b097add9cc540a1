"""What a screen shows of a game: everything lies open, so every seat and every spectator sees the same board.

``phase``        ``"opening"`` (the starting stack), ``"turn"``, ``"dig"``, ``"filling"`` or ``"over"``
``track``        as a toolbox's: ``weeks``, ``ring``, ``years``, ``start``, ``end``, ``year`` (of the marker furthest
                 back), ``markers`` ``[{seat, week, year, at, height}]`` (height 0 is the lowest of a stack), ``next``
                 (seats, who plays first)
``map``          ``home``; ``cities`` ``[id]``; ``sites`` ``[{id, colour, first_find}]``: the token for the first to
                 dig there, or null; ``routes`` ``[[from, to]]``; ``figures``: for each seat the place where it stands
``open``         four places, each null or a card
``exhibitions``  ``{"a", "b", "c"}``: each null or a card
``piles``        ``draw`` and ``aside`` (how many cards), ``parts`` (of the draw pile, from the top: ``[{research,
                 exhibitions}]``, so that people can lay real piles alike), ``discards`` (how many), ``top`` (card or
                 null), ``discarded`` ``{card id: how many}``
``bags``         as a toolbox's: ``[{bag, colour, left, start, inside, beside}]``; ``beside``: rubble that goes back
                 when the turn ends
``drawing``      null, or the dig in progress, as a toolbox's: ``{bag, seat, of, drawn}``
``finds``        as a toolbox's: for each seat ``[{bag, token}]``
``seats``        for each seat ``{place, cards, permits {site: is it up}, knowledge {site: …}, open_books, assistants,
                 shovels, cars, zeppelins, special_permits, congresses, ethnology [site], objects {site: how many}}``
                 ``knowledge`` is as the rulebook counts it, with nothing used up: ``books``, ``assistants``,
                 ``specific`` (both), ``open_books`` (as many as count, never more than the specific points), ``sum``
                 and ``total`` (read on the dial, 12 at most); ``ethnology``: what its card would add
``dial``         ``rows`` (12 by 12: knowledge, weeks), ``from`` (where the figures are from)
``refresh``      ``{seat, weeks}``: what refreshing costs the seat that is next, in Warsaw
``scores``       as they stand: for each seat ``{seat, total, parts {objects, exhibitions, congresses, majorities},
                 sites {site: points for its books}}``
``congresses``   points for 0, 1, 2 … congresses

A research card is ``{id, face, kind, city, weeks, copies, value, site}`` (``value`` and ``site`` null where it has
none), an exhibition ``{id, face, kind: "exhibition", city, weeks, size, points, objects {site: how many}}``. The
catalogue has ``name.<face>``, ``name.<city>``, ``name.<site>``, ``name.<token>`` for this game.
"""

from __future__ import annotations

from companion.game import Json
from companion.games.jenseits.checks import refresh_weeks
from companion.games.jenseits.draws import draw_wanted
from companion.games.jenseits.piles import Piles
from companion.games.jenseits.printed import Printed
from companion.games.jenseits.score import majority, score_of
from companion.games.jenseits.state import BLANK, ETHNOLOGY, PLACES, Archaeologist, JenseitsState, knowledge

Board = dict[str, Json]


def board_of(printed: Printed, state: JenseitsState) -> Board:
    """The whole table."""
    return {
        "phase": _phase(printed, state),
        "track": _track(printed, state),
        "map": _map(printed, state),
        "open": [card_of(printed, id_) for id_ in state.open],
        "exhibitions": {place: card_of(printed, id_) for place, id_ in zip(PLACES, state.shown, strict=True)},
        "piles": _piles(printed, state.piles),
        "bags": [_bag(printed, state, site) for site in printed.sites],
        "drawing": _drawing(state),
        "finds": [[{"bag": find.site, "token": find.token} for find in seat.finds] for seat in state.seats],
        "seats": [_seat(printed, seat) for seat in state.seats],
        "dial": {"rows": printed.dial.rows, "from": printed.box.origin("dial.rows")},
        "refresh": {"seat": state.track.furthest_back, "weeks": refresh_weeks(state, state.track.furthest_back)},
        "scores": [_score(printed, state, seat) for seat in range(len(state.seats))],
        "congresses": printed.box.score.congresses,
    }


def card_of(printed: Printed, id_: str | None) -> Board | None:
    """What is printed on a card; null for an empty place."""
    if id_ is None:
        return None
    if id_ in printed.exhibitions:
        shown = printed.exhibitions[id_]
        face: Board = {"id": id_, "face": id_, "kind": "exhibition", "city": shown.city, "weeks": shown.weeks}
        return {**face, "size": shown.size, "points": shown.points, "objects": dict(shown.objects)}
    card = printed.research[id_]
    face = {"id": id_, "face": printed.face(id_), "kind": card.kind, "city": card.city, "weeks": card.weeks}
    return {**face, "copies": card.copies, "value": card.value, "site": card.site}


def _phase(printed: Printed, state: JenseitsState) -> str:
    if state.digging is not None:
        return "dig"
    if len(state.stack) < len(state.seats):
        return "opening"
    if draw_wanted(printed, state) is not None:
        return "filling"
    return "over" if state.track.is_over else "turn"


def _track(printed: Printed, state: JenseitsState) -> Board:
    track = state.track
    start, end = (printed.calendar.date(at) for at in (printed.start[len(state.seats)], printed.end))
    markers: list[Json] = []
    for seat in range(len(state.seats)):
        at = track.at(seat)
        week, year = printed.calendar.date(at)
        height = track.stack(at).index(seat)
        markers.append({"seat": seat, "week": week, "year": year, "at": at, "height": height})
    return {
        "weeks": printed.calendar.weeks,
        "ring": True,
        "years": printed.box.time.years,
        "start": start._asdict(),
        "end": end._asdict(),
        "year": printed.calendar.date(track.at(track.furthest_back)).year,
        "markers": markers,
        "next": track.order,
    }


def _map(printed: Printed, state: JenseitsState) -> Board:
    sites: list[Json] = [
        {
            "id": site,
            "colour": printed.box.sites[site].colour,
            "first_find": printed.box.first_find if site in state.first_finds else None,
        }
        for site in printed.sites
    ]
    return {
        "home": printed.home,
        "cities": printed.cities,
        "sites": sites,
        "routes": printed.box.map.routes,
        "figures": [seat.place for seat in state.seats],
    }


def _piles(printed: Printed, piles: Piles) -> Board:
    discarded = {card: piles.discards.count(card) for card in dict.fromkeys(piles.discards)}
    return {
        "draw": piles.size,
        "parts": [{"research": pile.research, "exhibitions": pile.exhibitions} for pile in piles.draw],
        "aside": piles.aside.size,
        "discards": len(piles.discards),
        "top": card_of(printed, piles.discards[-1] if piles.discards else None),
        "discarded": discarded,
    }


def _bag(printed: Printed, state: JenseitsState, site: str) -> Board:
    bag, digging = state.bags[site], state.digging
    beside = digging.drawn.count(BLANK) if digging is not None and digging.site == site else 0
    return {
        "bag": site,
        "colour": printed.box.sites[site].colour,
        "left": bag.total,
        "start": sum(printed.box.bags[site].values()),
        "inside": dict(bag.odds()),
        "beside": beside,
    }


def _drawing(state: JenseitsState) -> Board | None:
    digging = state.digging
    if digging is None:
        return None
    return {"bag": digging.site, "seat": digging.seat, "of": digging.of, "drawn": digging.drawn}


def _seat(printed: Printed, seat: Archaeologist) -> Board:
    counts = seat.counts
    return {
        "place": seat.place,
        "cards": [card_of(printed, card) for card in seat.cards],
        "permits": {site: site not in seat.turned for site in printed.sites},
        "knowledge": {site: _knowledge(seat, site) for site in printed.sites},
        "open_books": counts.open_books,
        "assistants": counts.assistants,
        "shovels": counts.shovels,
        "cars": counts.cars,
        "zeppelins": counts.zeppelins,
        "special_permits": counts.special_permits,
        "congresses": counts.congresses,
        "ethnology": sorted(counts.ethnology),
        "objects": counts.objects,
    }


def _knowledge(seat: Archaeologist, site: str) -> Board:
    """What a seat knows with nothing used up, and what its ethnology card would add."""
    adds = ETHNOLOGY if site in seat.counts.ethnology else 0
    return {**knowledge_of(seat, site), "ethnology": adds}


def knowledge_of(seat: Archaeologist, site: str, use: tuple[str, ...] = ()) -> Board:
    """How much a seat knows about a site with the cards it uses, point by point."""
    known = knowledge(seat.counts, site, use)
    return {
        "books": known.books,
        "ethnology": known.ethnology,
        "assistants": known.assistants,
        "specific": known.specific,
        "open_books": known.open_books,
        "sum": known.specific + known.open_books,
        "total": known.total,
    }


def _score(printed: Printed, state: JenseitsState, seat: int) -> Board:
    score = score_of(printed, state, seat)
    sites = {site: majority(printed, state, seat, site) for site in printed.sites}
    return {"seat": seat, "total": score.total, "parts": score.parts, "sites": sites}
