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
from companion.games.jenseits.state import (
    BLANK,
    ETHNOLOGY,
    PLACES,
    Counts,
    JenseitsTable,
    Knowledge,
    knowledge,
    majority,
    score_of,
)
from companion.parts import Facts


def board_of(table: JenseitsTable) -> Facts:
    """The whole table."""
    state, terms = table.state, table.terms
    seats = [table.by(seat) for seat in range(len(state.seats))]
    first = table.by(state.track.furthest_back)
    return {
        "phase": _phase(table),
        "track": _track(table),
        "map": _map(table),
        "open": [card_of(table, card) for card in state.open],
        "exhibitions": {place: card_of(table, card) for place, card in zip(PLACES, state.shown, strict=True)},
        "piles": _piles(table),
        "bags": [_bag(table, site) for site in terms.sites],
        "drawing": _drawing(table),
        "finds": [[{"bag": find.site, "token": find.token} for find in seat.finds] for seat in state.seats],
        "seats": [_seat(seat) for seat in seats],
        "dial": {"rows": terms.dial.rows, "from": terms.box.origin("dial.rows")},
        "refresh": {"seat": first.seat, "weeks": first.refresh_weeks},
        "scores": [_score(seat) for seat in seats],
        "congresses": terms.box.score.congresses,
    }


def card_of(table: JenseitsTable, id_: str | None) -> Facts | None:
    """What is printed on a card; null for an empty place."""
    if id_ is None:
        return None
    face: Facts = {"id": id_, "face": table.terms.face(id_)}
    if id_ in table.terms.exhibitions:
        shown = table.terms.exhibitions[id_]
        face |= {"kind": "exhibition", "city": shown.city, "weeks": shown.weeks}
        return face | {"size": shown.size, "points": shown.points, "objects": dict(shown.objects)}
    card = table.terms.research[id_]
    face |= {"kind": card.kind, "city": card.city, "weeks": card.weeks}
    return face | {"copies": card.copies, "value": card.value, "site": card.site}


def _phase(table: JenseitsTable) -> str:
    if table.state.digging is not None:
        return "dig"
    if table.stacking:
        return "opening"
    if table.state.turning or table.filling:
        return "filling"
    return "over" if table.state.track.is_over else "turn"


def _track(table: JenseitsTable) -> Facts:
    terms, track = table.terms, table.state.track
    markers: list[Json] = []
    for seat in range(len(table.state.seats)):
        at = track.at(seat)
        week, year = terms.calendar.date(at)
        height = track.stack(at).index(seat)
        markers.append({"seat": seat, "week": week, "year": year, "at": at, "height": height})
    return {
        "weeks": terms.calendar.weeks,
        "ring": True,
        "years": terms.box.time.years,
        "start": terms.calendar.date(terms.begin)._asdict(),
        "end": terms.calendar.date(terms.end)._asdict(),
        "year": terms.calendar.date(track.at(track.furthest_back)).year,
        "markers": markers,
        "next": track.order,
    }


def _map(table: JenseitsTable) -> Facts:
    box, first_finds = table.terms.box, table.state.first_finds
    sites: list[Json] = [
        {"id": site, "colour": box.sites[site].colour, "first_find": box.first_find if site in first_finds else None}
        for site in table.terms.sites
    ]
    return {
        "home": table.terms.home,
        "cities": box.map.cities,
        "sites": sites,
        "routes": box.map.routes,
        "figures": [seat.place for seat in table.state.seats],
    }


def _piles(table: JenseitsTable) -> Facts:
    piles = table.state.piles
    return {
        "draw": piles.size,
        "parts": [{"research": pile.research, "exhibitions": pile.exhibitions} for pile in piles.draw],
        "aside": piles.aside.size,
        "discards": len(piles.discards),
        "top": card_of(table, piles.discards[-1] if piles.discards else None),
        "discarded": {card: piles.discards.count(card) for card in dict.fromkeys(piles.discards)},
    }


def _bag(table: JenseitsTable, site: str) -> Facts:
    bag, digging = table.state.bags[site], table.digging
    return {
        "bag": site,
        "colour": table.terms.box.sites[site].colour,
        "left": bag.total,
        "start": sum(table.terms.box.bags[site].values()),
        "inside": dict(bag.odds()),
        "beside": digging.drawn.count(BLANK) if digging.site == site else 0,
    }


def _drawing(table: JenseitsTable) -> Facts | None:
    digging = table.state.digging
    if digging is None:
        return None
    return {"bag": digging.site, "seat": digging.seat, "of": digging.of, "drawn": digging.drawn}


def _seat(table: JenseitsTable) -> Facts:
    mine, counts = table.mine, table.mine.counts
    return {
        "place": mine.place,
        "cards": [card_of(table, card) for card in mine.cards],
        "permits": {site: site not in mine.turned for site in table.terms.sites},
        "knowledge": {site: _knowledge(counts, site) for site in table.terms.sites},
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


def _knowledge(counts: Counts, site: str) -> Facts:
    """What a seat knows with nothing used up, and what its ethnology card would add."""
    adds = ETHNOLOGY if site in counts.ethnology else 0
    return {**point_by_point(knowledge(counts, site)), "ethnology": adds}


def point_by_point(known: Knowledge) -> Facts:
    """How much a seat knows about a site."""
    return {
        "books": known.books,
        "ethnology": known.ethnology,
        "assistants": known.assistants,
        "specific": known.specific,
        "open_books": known.open_books,
        "sum": known.specific + known.open_books,
        "total": known.total,
    }


def _score(table: JenseitsTable) -> Facts:
    score = score_of(table)
    sites = {site: majority(table, site) for site in table.terms.sites}
    return {"seat": table.seat, "total": score.total, "parts": score.parts, "sites": sites}
