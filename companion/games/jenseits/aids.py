"""Help for the seat whose turn it is: what every choice costs, where it leads, what is missing, and the odds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypedDict

from msgspec.structs import replace

from companion.games.jenseits.moves import Dig, Exhibit, Journey, Refresh, Retire, Take, Use, usable, ways
from companion.games.jenseits.state import PLACES, JenseitsTable
from companion.games.jenseits.terms import MOST_WEEKS
from companion.games.jenseits.view import JenseitsKnown, point_by_point
from companion.pieces.bag import Bag
from companion.pieces.odds import prospect
from companion.referee import Verdict, verdict

PLACES_AFTER_POINT = 6


class JenseitsTripAnswer(Verdict):
    """May I travel for it, in how many weeks of trip and action together (a key of `lands` if they fit), and the sites
    whose permits are up once it is done, that of a dig included; null where it may not be done."""

    total: int
    up: list[str] | None


class JenseitsChoice(JenseitsTripAnswer):
    """By land, and without a zeppelin card null, else by air."""

    zeppelin: JenseitsTripAnswer | None


class JenseitsTrip(JenseitsChoice):
    """The weeks of the trip and of the action."""

    legs: int
    action: int


class JenseitsTakeHelp(JenseitsTrip):
    """To take a card."""

    card: str


class JenseitsExhibitHelp(JenseitsTakeHelp):
    """To exhibit: `missing` says how many objects of each site."""

    missing: dict[str, int]


class JenseitsLand(TypedDict):
    """What is true after so many weeks: where the marker stands, and who is furthest back.

    `again`: the same one plays on; `over`: nobody does; `new_year`: one was passed; `up`: the sites whose permits are.
    """

    week: int
    year: int
    next: int
    again: bool
    over: bool
    new_year: bool
    up: list[str]


class JenseitsRetireHelp(Verdict):
    """How many weeks are given up; the rest as where one lands."""

    weeks: int
    over: bool
    up: list[str]


class JenseitsDigWeeks(JenseitsChoice):
    """A dig of so many weeks, and the tokens it brings."""

    weeks: int
    tokens: int


class JenseitsDigWay(TypedDict):
    """A choice of cards to use up, what is known with them, and a dig of 1 to 12 weeks."""

    use: Sequence[str]
    knowledge: JenseitsKnown
    shovels: int
    weeks: list[JenseitsDigWeeks]


class JenseitsDrawOdds(TypedDict):
    """What so many tokens may bring: the chance of at least one object, of at least one book, the points expected and
    their standard deviation, and the chances of exactly 0, 1, 2 … objects."""

    any: float
    knowledge: float
    points: float
    spread: float
    objects: Sequence[float]


class JenseitsSiteHelp(Verdict):
    """Whether any dig is possible at a site, or why none is; whether its permit is up; every choice of cards to use up;
    and with the option "odds", what each number of tokens may bring."""

    legs: int
    travel: int
    permit: bool
    first_find: str | None
    ways: list[JenseitsDigWay]
    draws: dict[str, JenseitsDrawOdds]


class JenseitsHelp(TypedDict):
    """Help for a seat: the weeks until the end, where each number of weeks leads, and what each choice takes. There are
    four `open` places, `exhibitions` at a, b and c."""

    seat: int
    left: int
    lands: dict[str, JenseitsLand]
    open: list[JenseitsTakeHelp | None]
    exhibitions: dict[str, JenseitsExhibitHelp | None]
    refresh: JenseitsTrip
    retire: JenseitsRetireHelp
    sites: dict[str, JenseitsSiteHelp]


def help_for(table: JenseitsTable) -> JenseitsHelp:
    """All help for the seat whose turn it is."""
    return {
        "seat": table.seat,
        "left": table.left,
        "lands": _lands(table),
        "open": [_take(card, table) if card else None for card in table.state.open],
        "exhibitions": {
            place: _exhibit(card, table) if card else None
            for place, card in zip(PLACES, table.state.shown, strict=True)
        },
        "refresh": _trip(Refresh(), table),
        "retire": _retire(table),
        "sites": {site: _site(table, site) for site in table.terms.sites},
    }


def _take(card: str, table: JenseitsTable) -> JenseitsTakeHelp:
    return {**_trip(Take(card), table), "card": card}


def _exhibit(card: str, table: JenseitsTable) -> JenseitsExhibitHelp:
    act = Exhibit(card)
    return {**_trip(act, table), "card": card, "missing": act.missing(table)}


def _lands(table: JenseitsTable) -> dict[str, JenseitsLand]:
    """What is true once the marker has gone on by so many weeks, as far as any move takes it."""
    longest = max(map(max, (ends.values() for ends in table.terms.legs.values()))) + max(
        MOST_WEEKS, table.refresh_weeks
    )
    return {str(weeks): _land(table, weeks) for weeks in range(1, min(longest, table.left) + 1)}


def _land(table: JenseitsTable, weeks: int) -> JenseitsLand:
    week, year = table.terms.calendar.date(table.at + weeks)
    track = table.state.track.advance(table.seat, weeks)
    return {
        "week": week,
        "year": year,
        "next": track.furthest_back,
        "again": track.furthest_back == table.seat and not track.is_over,
        "over": track.is_over,
        "new_year": table.new_year(weeks),
        "up": _up(table, table.turned_after(weeks)),
    }


def _retire(table: JenseitsTable) -> JenseitsRetireHelp:
    land = _land(table, table.left)
    return {**verdict(Retire(), table), "weeks": table.left, "over": land["over"], "up": land["up"]}


def _up(table: JenseitsTable, turned: frozenset[str]) -> list[str]:
    """The sites whose permits are up."""
    return [site for site in table.terms.sites if site not in turned]


def _trip(act: Journey, table: JenseitsTable) -> JenseitsTrip:
    """What it takes to go somewhere and act there, by land and, with a zeppelin, by air."""
    legs = table.terms.legs[table.mine.place][act.goal(table)]
    return {**_choice(act, table), "legs": legs, "action": act.action(table)}


def _choice(act: Journey, table: JenseitsTable) -> JenseitsChoice:
    flies = table.mine.counts.zeppelins > 0 and table.mine.place != act.goal(table)
    return {**_answer(act, table), "zeppelin": _answer(replace(act, zeppelin=True), table) if flies else None}


def _answer(act: Journey, table: JenseitsTable) -> JenseitsTripAnswer:
    said = verdict(act, table)
    up = _up(table, act.turned_after(table)) if said["legal"] else None
    return {**said, "total": act.cost(table), "up": up}


def _site(table: JenseitsTable, site: str) -> JenseitsSiteHelp:
    ways_to_dig = {use: [Dig(site, weeks, use) for weeks in range(1, MOST_WEEKS + 1)] for use in _uses(table, site)}
    rows = {use: [_row(dig, table) for dig in digs] for use, digs in ways_to_dig.items()}
    tokens = {dig.tokens(table) for digs in ways_to_dig.values() for dig in digs} - {0}
    return {
        "legs": table.terms.legs[table.mine.place][site],
        "travel": table.trips[site],
        "permit": site not in table.mine.turned,
        "first_find": table.terms.box.first_find if site in table.state.first_finds else None,
        **_at_all([row for each in rows.values() for row in each]),
        "ways": [_way(digs[0], table, rows[use]) for use, digs in ways_to_dig.items()],
        "draws": {str(n): odds_of(table.state.bags[site], n) for n in sorted(tokens)} if table.terms.odds else {},
    }


def _uses(table: JenseitsTable, site: str) -> tuple[tuple[Use, ...], ...]:
    """Every choice of cards to use up."""
    mine = table.mine
    special: tuple[Use, ...] = ("special_permit",) if site in mine.turned and mine.counts.special_permits else ()
    return ways((*usable(mine.counts, site), *special))


def _row(dig: Dig, table: JenseitsTable) -> JenseitsDigWeeks:
    return {"weeks": dig.weeks, "tokens": dig.tokens(table), **_choice(dig, table)}


def _way(dig: Dig, table: JenseitsTable, weeks: list[JenseitsDigWeeks]) -> JenseitsDigWay:
    """A dig using these cards, for 1 to 12 weeks."""
    known, shovels = point_by_point(dig.known(table)), dig.shovels(table)
    return {"use": dig.use, "knowledge": known, "shovels": shovels, "weeks": weeks}


def _at_all(rows: list[JenseitsDigWeeks]) -> Verdict:
    """Whether a dig is possible at a site; if not, what stands in the way of the shortest that would yield."""
    flights = [row["zeppelin"] for row in rows if row["zeppelin"]]
    legal = any(row["legal"] for row in rows) or any(flight["legal"] for flight in flights)
    nearest = next((row for row in rows if row["tokens"]), rows[-1])
    return {"legal": legal, "refusal": None if legal else nearest["refusal"]}


@lru_cache(maxsize=512)
def odds_of(bag: Bag, tokens: int) -> JenseitsDrawOdds:
    """What so many tokens from a bag may bring; everybody can know it, for all finds lie open."""
    worth = {token: int(token.partition(":")[2]) for token in bag if token.startswith("object:")}
    objects = prospect(bag, worth, tokens)
    books = prospect(bag, {token: 0 for token in bag if token.endswith("book") or token.startswith("book:")}, tokens)
    return {
        "any": round(float(objects.at_least_one), PLACES_AFTER_POINT),
        "knowledge": round(float(books.at_least_one), PLACES_AFTER_POINT),
        "points": round(float(objects.points), PLACES_AFTER_POINT),
        "spread": round(objects.spread, PLACES_AFTER_POINT),
        "objects": tuple(round(float(chance), PLACES_AFTER_POINT) for chance in objects.finds),
    }
