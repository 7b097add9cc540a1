"""Help for the seat whose turn it is: what every choice costs, where it leads, what is missing, and the odds.

``seat``, ``left``   for whom, and the weeks until the end
``lands``            ``{weeks: {week, year, next, again, over, new_year, up}}``: after so many weeks the marker stands
                     there and that seat is furthest back (``again``: the same one plays on), or the game is ``over``;
                     whether a new year was passed, and the sites whose permits are ``up``
``open``             for each of the four places null or ``{card, legs, action, …answer}``
``exhibitions``      for a, b and c null or ``{card, legs, action, missing {site: how many objects}, …answer}``
``refresh``          ``{legs, action, …answer}``
``retire``           ``{weeks, over, up, …answer}``: how many weeks are given up; the rest as in ``lands``
``sites``            ``{site: {legs, travel, permit, first_find, ways, draws, …answer}}``: ``permit`` is up or not; the
                     answer says whether any dig is possible, or why none is; ``ways`` has an entry for every choice of
                     cards to use up: ``{use, knowledge, shovels, weeks}``, with ``weeks`` ``[{weeks,
                     tokens, …answer}]`` for 1 to 12 weeks; ``knowledge`` is as on the board, with what is used;
                     ``draws`` ``{tokens: odds}``, if the table wants them: ``any`` (chance of at least one object),
                     ``knowledge`` (of at least one book), ``points`` (expected), ``spread`` (standard deviation),
                     ``objects`` (chances of exactly 0, 1, 2 … objects)

An answer is ``legal`` and ``refusal``: null, or ``{code, key, rule, facts}``. Where one travels for it, it has
``total`` (weeks of trip and action together: a key of ``lands`` if they fit), ``up`` (the sites whose permits are up
once it is done, that of a dig included; null where it may not be done), and ``zeppelin``: null without a zeppelin card,
else an answer for flying.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from companion.game import Json
from companion.games.jenseits.moves import Dig, Exhibit, Journey, Refresh, Retire, Take, Use, usable, ways
from companion.games.jenseits.state import PLACES, Table
from companion.games.jenseits.terms import MOST_WEEKS
from companion.games.jenseits.view import point_by_point
from companion.parts import Facts
from companion.pieces.bag import Bag
from companion.pieces.odds import prospect
from companion.referee import answer

PLACES_AFTER_POINT = 6


def help_for(here: Table) -> Facts:
    """All help for the seat whose turn it is."""
    return {
        "seat": here.seat,
        "left": here.left,
        "lands": _lands(here),
        "open": [card and _journey(Take(card), here, card=card) for card in here.state.open],
        "exhibitions": {
            place: card and _journey(Exhibit(card), here, card=card, missing=Exhibit(card).missing(here))
            for place, card in zip(PLACES, here.state.shown, strict=True)
        },
        "refresh": _journey(Refresh(), here),
        "retire": _retire(here),
        "sites": {site: _site(here, site) for site in here.terms.sites},
    }


def _lands(here: Table) -> Facts:
    """What is true once the marker has gone on by so many weeks, as far as any move takes it."""
    longest = max(map(max, (ends.values() for ends in here.terms.legs.values()))) + max(MOST_WEEKS, here.refresh_weeks)
    return {str(weeks): _land(here, weeks) for weeks in range(1, min(longest, here.left) + 1)}


def _land(here: Table, weeks: int) -> Facts:
    week, year = here.terms.calendar.date(here.at + weeks)
    track = here.state.track.advance(here.seat, weeks)
    return {
        "week": week,
        "year": year,
        "next": track.furthest_back,
        "again": track.furthest_back == here.seat and not track.is_over,
        "over": track.is_over,
        "new_year": here.new_year(weeks),
        "up": _up(here, here.turned_after(weeks)),
    }


def _retire(here: Table) -> Facts:
    land = _land(here, here.left)
    return answer(Retire(), here, weeks=here.left, over=land["over"], up=land["up"])


def _up(here: Table, turned: frozenset[str]) -> list[str]:
    """The sites whose permits are up."""
    return [site for site in here.terms.sites if site not in turned]


def _journey(act: Journey, here: Table, **facts: Json) -> Facts:
    """What it takes to go somewhere and act there, by land and, with a zeppelin, by air."""
    legs = here.terms.legs[here.mine.place][act.goal(here)]
    return {**facts, "legs": legs, "action": act.action(here), **_answers(act, here)}


def _answers(act: Journey, here: Table) -> Facts:
    flies = here.mine.counts.zeppelins > 0 and here.mine.place != act.goal(here)
    return {**_answer(act, here), "zeppelin": _answer(replace(act, zeppelin=True), here) if flies else None}


def _answer(act: Journey, here: Table) -> Facts:
    said = answer(act, here, total=act.cost(here))
    return {**said, "up": _up(here, act.turned_after(here)) if said["legal"] else None}


def _site(here: Table, site: str) -> Facts:
    ways_to_dig = {use: [Dig(site, weeks, use) for weeks in range(1, MOST_WEEKS + 1)] for use in _uses(here, site)}
    rows = {use: [_row(dig, here) for dig in digs] for use, digs in ways_to_dig.items()}
    tokens = {dig.tokens(here) for digs in ways_to_dig.values() for dig in digs} - {0}
    return {
        "legs": here.terms.legs[here.mine.place][site],
        "travel": here.trips[site],
        "permit": site not in here.mine.turned,
        "first_find": here.terms.box.first_find if site in here.state.first_finds else None,
        **_at_all([row for each in rows.values() for row in each]),
        "ways": [_way(digs[0], here, rows[use]) for use, digs in ways_to_dig.items()],
        "draws": {str(n): odds_of(here.state.bags[site], n) for n in sorted(tokens)} if here.terms.odds else {},
    }


def _uses(here: Table, site: str) -> tuple[tuple[Use, ...], ...]:
    """Every choice of cards to use up."""
    mine = here.mine
    special: tuple[Use, ...] = ("special_permit",) if site in mine.turned and mine.counts.special_permits else ()
    return ways((*usable(mine.counts, site), *special))


def _row(dig: Dig, here: Table) -> Facts:
    return {"weeks": dig.weeks, "tokens": dig.tokens(here), **_answers(dig, here)}


def _way(dig: Dig, here: Table, weeks: list[Facts]) -> Facts:
    """A dig using these cards, for 1 to 12 weeks."""
    known, shovels = point_by_point(dig.known(here)), dig.shovels(here)
    return {"use": dig.use, "knowledge": known, "shovels": shovels, "weeks": weeks}


def _at_all(rows: list[Facts]) -> Facts:
    """Whether a dig is possible at a site; if not, what stands in the way of the shortest that would yield."""
    flights = [row["zeppelin"] for row in rows if isinstance(row["zeppelin"], dict)]
    legal = any(row["legal"] for row in (*rows, *flights))
    nearest = next((row for row in rows if row["tokens"]), rows[-1])
    return {"legal": legal, "refusal": None if legal else nearest["refusal"]}


@lru_cache(maxsize=512)
def odds_of(bag: Bag, tokens: int) -> Facts:
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
