"""What a screen shows of a game: everything lies open, so every seat and every spectator sees the same board.

The catalogue has ``name.<face>``, ``name.<city>``, ``name.<site>``, ``name.<token>`` for this game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NotRequired, TypedDict

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


class JenseitsCard(TypedDict):
    """A card. An exhibition has `size`, `points` and how many `objects` of each site it asks for; a research card
    `copies`, `value` and `site`, the last two null where it has none."""

    id: str
    face: str
    kind: str
    city: str
    weeks: int
    size: NotRequired[str]
    points: NotRequired[int]
    objects: NotRequired[dict[str, int]]
    copies: NotRequired[int]
    value: NotRequired[int | None]
    site: NotRequired[str | None]


class JenseitsDate(TypedDict):
    """A week of a year."""

    week: int
    year: int


class JenseitsMarkerShown(TypedDict):
    """A seat's marker: `at` counts weeks from the first, which is 0; height 0 is the lowest of a stack."""

    seat: int
    week: int
    year: int
    at: int
    height: int


class JenseitsTrack(TypedDict):
    """The time track; `year` is of the marker furthest back, `next` the seats, who plays first."""

    weeks: int
    ring: bool
    years: Sequence[int]
    start: JenseitsDate
    end: JenseitsDate
    year: int
    markers: list[JenseitsMarkerShown]
    next: Sequence[int]


class JenseitsSite(TypedDict):
    """A site; `first_find` is the token for the first to dig there, or null."""

    id: str
    colour: str
    first_find: str | None


class JenseitsMap(TypedDict):
    """The map; `routes` are pairs of places, `figures` for each seat the place where it stands."""

    home: str
    cities: Sequence[str]
    sites: list[JenseitsSite]
    routes: Sequence[Sequence[str]]
    figures: list[str]


class JenseitsPile(TypedDict):
    """A part of the draw pile, so that people can lay real piles alike: how much research, and which exhibitions."""

    research: int
    exhibitions: Sequence[str]


class JenseitsPiles(TypedDict):
    """How many cards lie to be drawn (and in which parts, from the top), aside, and laid off; of those, how many of
    which."""

    draw: int
    parts: list[JenseitsPile]
    aside: int
    discards: int
    top: JenseitsCard | None
    discarded: dict[str, int]


class JenseitsBagShown(TypedDict):
    """A bag; `beside` is rubble that goes back when the turn ends."""

    bag: str
    colour: str
    left: int
    start: int
    inside: dict[str, int]
    beside: int


class JenseitsDrawing(TypedDict):
    """The dig in progress."""

    bag: str
    seat: int
    of: int
    drawn: Sequence[str]


class JenseitsFind(TypedDict):
    """A token that a seat has found."""

    bag: str
    token: str


class JenseitsKnown(TypedDict):
    """What a seat knows about a site, as the rulebook counts it.

    `specific` are books and assistants, `open_books` as many as count, never more than the specific points; `total` is
    read on the dial, 12 at most. On the board nothing is used up, and `ethnology` is what its card would add.
    """

    books: int
    ethnology: int
    assistants: int
    specific: int
    open_books: int
    sum: int
    total: int


class JenseitsSeat(TypedDict):
    """A seat: `permits` are up or not, `objects` are counted by site."""

    place: str
    cards: list[JenseitsCard]
    permits: dict[str, bool]
    knowledge: dict[str, JenseitsKnown]
    open_books: int
    assistants: int
    shovels: int
    cars: int
    zeppelins: int
    special_permits: int
    congresses: int
    ethnology: list[str]
    objects: Mapping[str, int]


JenseitsDialShown = TypedDict("JenseitsDialShown", {"rows": Sequence[Sequence[int]], "from": str})
"""The dial, 12 by 12: knowledge, weeks; and where its figures are from."""


class JenseitsRefreshCost(TypedDict):
    """What refreshing costs the seat that is next, in Warsaw."""

    seat: int
    weeks: int


class JenseitsSeatScore(TypedDict):
    """What a seat has as it stands, and for its books at each site."""

    seat: int
    total: int
    parts: dict[str, int]
    sites: dict[str, int]


class JenseitsBoard(TypedDict):
    """The board of Jenseits von Theben. There are four `open` places, `exhibitions` at a, b and c; `congresses` are the
    points for 0, 1, 2 … of them."""

    phase: Literal["opening", "turn", "dig", "filling", "over"]
    track: JenseitsTrack
    map: JenseitsMap
    open: list[JenseitsCard | None]
    exhibitions: dict[str, JenseitsCard | None]
    piles: JenseitsPiles
    bags: list[JenseitsBagShown]
    drawing: JenseitsDrawing | None
    finds: list[list[JenseitsFind]]
    seats: list[JenseitsSeat]
    dial: JenseitsDialShown
    refresh: JenseitsRefreshCost
    scores: list[JenseitsSeatScore]
    congresses: Sequence[int]


def board_of(table: JenseitsTable) -> JenseitsBoard:
    """The whole table."""
    state, terms = table.state, table.terms
    seats = [table.by(seat) for seat in range(len(state.seats))]
    first = table.by(state.track.furthest_back)
    return {
        "phase": _phase(table),
        "track": _track(table),
        "map": _map(table),
        "open": [_card_at(table, card) for card in state.open],
        "exhibitions": {place: _card_at(table, card) for place, card in zip(PLACES, state.shown, strict=True)},
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


def card_of(table: JenseitsTable, id_: str) -> JenseitsCard:
    """What is printed on a card."""
    face = table.terms.face(id_)
    if id_ in table.terms.exhibitions:
        shown = table.terms.exhibitions[id_]
        return {
            "id": id_,
            "face": face,
            "kind": "exhibition",
            "city": shown.city,
            "weeks": shown.weeks,
            "size": shown.size,
            "points": shown.points,
            "objects": dict(shown.objects),
        }
    card = table.terms.research[id_]
    return {
        "id": id_,
        "face": face,
        "kind": card.kind,
        "city": card.city,
        "weeks": card.weeks,
        "copies": card.copies,
        "value": card.value,
        "site": card.site,
    }


def _card_at(table: JenseitsTable, id_: str | None) -> JenseitsCard | None:
    """What lies at a place; null where it is empty."""
    return None if id_ is None else card_of(table, id_)


def _phase(table: JenseitsTable) -> Literal["opening", "turn", "dig", "filling", "over"]:
    if table.state.digging is not None:
        return "dig"
    if table.stacking:
        return "opening"
    if table.state.turning or table.filling:
        return "filling"
    return "over" if table.state.track.is_over else "turn"


def _track(table: JenseitsTable) -> JenseitsTrack:
    terms, track = table.terms, table.state.track
    markers: list[JenseitsMarkerShown] = []
    for seat in range(len(table.state.seats)):
        at = track.at(seat)
        week, year = terms.calendar.date(at)
        height = track.stack(at).index(seat)
        markers.append({"seat": seat, "week": week, "year": year, "at": at, "height": height})
    return {
        "weeks": terms.calendar.weeks,
        "ring": True,
        "years": terms.box.time.years,
        "start": _dated(table, terms.begin),
        "end": _dated(table, terms.end),
        "year": terms.calendar.date(track.at(track.furthest_back)).year,
        "markers": markers,
        "next": track.order,
    }


def _dated(table: JenseitsTable, at: int) -> JenseitsDate:
    week, year = table.terms.calendar.date(at)
    return {"week": week, "year": year}


def _map(table: JenseitsTable) -> JenseitsMap:
    box, first_finds = table.terms.box, table.state.first_finds
    sites: list[JenseitsSite] = [
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


def _piles(table: JenseitsTable) -> JenseitsPiles:
    piles = table.state.piles
    return {
        "draw": piles.size,
        "parts": [{"research": pile.research, "exhibitions": pile.exhibitions} for pile in piles.draw],
        "aside": piles.aside.size,
        "discards": len(piles.discards),
        "top": _card_at(table, piles.discards[-1] if piles.discards else None),
        "discarded": {card: piles.discards.count(card) for card in dict.fromkeys(piles.discards)},
    }


def _bag(table: JenseitsTable, site: str) -> JenseitsBagShown:
    bag, digging = table.state.bags[site], table.digging
    return {
        "bag": site,
        "colour": table.terms.box.sites[site].colour,
        "left": bag.total,
        "start": sum(table.terms.box.bags[site].values()),
        "inside": dict(bag.odds()),
        "beside": digging.drawn.count(BLANK) if digging.site == site else 0,
    }


def _drawing(table: JenseitsTable) -> JenseitsDrawing | None:
    digging = table.state.digging
    if digging is None:
        return None
    return {"bag": digging.site, "seat": digging.seat, "of": digging.of, "drawn": digging.drawn}


def _seat(table: JenseitsTable) -> JenseitsSeat:
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


def _knowledge(counts: Counts, site: str) -> JenseitsKnown:
    """What a seat knows with nothing used up, and what its ethnology card would add."""
    adds = ETHNOLOGY if site in counts.ethnology else 0
    return {**point_by_point(knowledge(counts, site)), "ethnology": adds}


def point_by_point(known: Knowledge) -> JenseitsKnown:
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


def _score(table: JenseitsTable) -> JenseitsSeatScore:
    score = score_of(table)
    sites = {site: majority(table, site) for site in table.terms.sites}
    return {"seat": table.seat, "total": score.total, "parts": score.parts, "sites": sites}
