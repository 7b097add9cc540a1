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
from companion.games.jenseits.state import PLACES, JenseitsTable
from companion.games.jenseits.terms import MOST_WEEKS
from companion.games.jenseits.view import point_by_point
from companion.parts import Facts
from companion.pieces.bag import Bag
from companion.pieces.odds import prospect
from companion.referee import answer

PLACES_AFTER_POINT = 6


def help_for(table: JenseitsTable) -> Facts:
    """All help for the seat whose turn it is."""
    return {
        "seat": table.seat,
        "left": table.left,
        "lands": _lands(table),
        "open": [card and _journey(Take(card), table, card=card) for card in table.state.open],
        "exhibitions": {
            place: card and _journey(Exhibit(card), table, card=card, missing=Exhibit(card).missing(table))
            for place, card in zip(PLACES, table.state.shown, strict=True)
        },
        "refresh": _journey(Refresh(), table),
        "retire": _retire(table),
        "sites": {site: _site(table, site) for site in table.terms.sites},
    }


def _lands(table: JenseitsTable) -> Facts:
    """What is true once the marker has gone on by so many weeks, as far as any move takes it."""
    longest = max(map(max, (ends.values() for ends in table.terms.legs.values()))) + max(
        MOST_WEEKS, table.refresh_weeks
    )
    return {str(weeks): _land(table, weeks) for weeks in range(1, min(longest, table.left) + 1)}


def _land(table: JenseitsTable, weeks: int) -> Facts:
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


def _retire(table: JenseitsTable) -> Facts:
    land = _land(table, table.left)
    return answer(Retire(), table, weeks=table.left, over=land["over"], up=land["up"])


def _up(table: JenseitsTable, turned: frozenset[str]) -> list[str]:
    """The sites whose permits are up."""
    return [site for site in table.terms.sites if site not in turned]


def _journey(act: Journey, table: JenseitsTable, **facts: Json) -> Facts:
    """What it takes to go somewhere and act there, by land and, with a zeppelin, by air."""
    legs = table.terms.legs[table.mine.place][act.goal(table)]
    return {**facts, "legs": legs, "action": act.action(table), **_answers(act, table)}


def _answers(act: Journey, table: JenseitsTable) -> Facts:
    flies = table.mine.counts.zeppelins > 0 and table.mine.place != act.goal(table)
    return {**_answer(act, table), "zeppelin": _answer(replace(act, zeppelin=True), table) if flies else None}


def _answer(act: Journey, table: JenseitsTable) -> Facts:
    said = answer(act, table, total=act.cost(table))
    return {**said, "up": _up(table, act.turned_after(table)) if said["legal"] else None}


def _site(table: JenseitsTable, site: str) -> Facts:
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


def _row(dig: Dig, table: JenseitsTable) -> Facts:
    return {"weeks": dig.weeks, "tokens": dig.tokens(table), **_answers(dig, table)}


def _way(dig: Dig, table: JenseitsTable, weeks: list[Facts]) -> Facts:
    """A dig using these cards, for 1 to 12 weeks."""
    known, shovels = point_by_point(dig.known(table)), dig.shovels(table)
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
