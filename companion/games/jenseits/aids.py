"""Help for the seat whose turn it is: what every choice costs, where it leads, what is missing, and the odds.

``seat``, ``left``   for whom, and the weeks until the end
``lands``            ``{weeks: {week, year, next, again, new_year}}``: after so many weeks the marker stands there,
                     that seat would be furthest back (``again``: it is the same one), and permits would have turned
                     up again
``open``             for each of the four places null or ``{card, legs, action, …answer}``
``exhibitions``      for a, b and c null or ``{card, legs, action, missing {site: how many objects}, …answer}``
``refresh``          ``{legs, action, …answer}``
``retire``           ``{weeks}``: how many weeks are given up
``sites``            ``{site: {legs, travel, permit, first_find, refused, ways, draws}}``: ``permit`` is up or not;
                     ``refused`` says why no dig is possible at all, else it is null; ``ways`` has an entry for every
                     choice of cards to use up: ``{use, knowledge, shovels, weeks}``, with ``weeks`` ``[{weeks,
                     tokens, …answer}]`` for 1 to 12 weeks; ``knowledge`` is as on the board, with what is used;
                     ``draws`` ``{tokens: odds}``, if the table wants them: ``any`` (chance of at least one object),
                     ``knowledge`` (of at least one book), ``points`` (expected), ``spread`` (standard deviation),
                     ``objects`` (chances of exactly 0, 1, 2 … objects)

An answer is ``total`` (weeks of trip and action together: a key of ``lands`` if they fit), ``legal``, ``refused``
(null, or ``{key, rule, facts}`` as in a refusal), and ``zeppelin``: null without a zeppelin card, else an answer
for flying.
"""

from __future__ import annotations

from functools import lru_cache

from companion.game import Json, Move
from companion.games.jenseits.checks import (
    missing_objects,
    refresh_weeks,
    shovels,
    travel,
    weeks_left,
    weeks_of,
)
from companion.games.jenseits.choices import usable
from companion.games.jenseits.draws import draw_wanted
from companion.games.jenseits.moves import MOST_WEEKS, Use
from companion.games.jenseits.printed import Printed, ways
from companion.games.jenseits.state import PLACES, JenseitsState, knowledge
from companion.games.jenseits.view import Board, knowledge_of
from companion.pieces.bag import Bag
from companion.pieces.odds import prospect
from companion.refusals import Refusal


def aids_for(printed: Printed, state: JenseitsState, seat: int | None, *, odds: bool) -> Board:
    """All help for the seat whose turn it is, also for those who look on; nothing for another seat."""
    asked = state.track.furthest_back
    if seat not in (None, asked) or state.track.is_over or draw_wanted(printed, state):
        return {}
    return _aids(printed, state, asked, odds=odds)


def _aids(printed: Printed, state: JenseitsState, seat: int, *, odds: bool) -> Board:
    return {
        "seat": seat,
        "left": weeks_left(state, seat),
        "lands": _lands(printed, state, seat),
        "open": [_open_card(printed, state, seat, card) for card in state.open],
        "exhibitions": {
            place: _exhibition(printed, state, seat, card) for place, card in zip(PLACES, state.shown, strict=True)
        },
        "refresh": _refresh(printed, state, seat),
        "retire": {"weeks": weeks_left(state, seat)},
        "sites": {site: _site(printed, state, seat, site, odds=odds) for site in printed.sites},
    }


def _lands(printed: Printed, state: JenseitsState, seat: int) -> Board:
    at = state.track.at(seat)
    lands: Board = {}
    longest = max(map(max, (ends.values() for ends in printed.legs.values()))) + MOST_WEEKS
    for weeks in range(1, min(longest, weeks_left(state, seat)) + 1):
        track = state.track.advance(seat, weeks)
        week, year = printed.calendar.date(at + weeks)
        after = track.furthest_back
        new_year = printed.calendar.new_years(at, at + weeks) > 0
        lands[str(weeks)] = {
            "week": week, "year": year, "next": after, "again": after == seat, "new_year": new_year
        }  # fmt: skip
    return lands


def _answer(printed: Printed, state: JenseitsState, seat: int, total: int, move: Move) -> Board:
    """Whether a move is legal, and if not, why."""
    refused = _refused(printed, state, seat, move)
    return {"total": total, "legal": refused is None, "refused": refused}


def _refused(printed: Printed, state: JenseitsState, seat: int, move: Move) -> Board | None:
    try:
        weeks_of(printed, state, seat, move)
    except Refusal as refusal:
        return {"key": refusal.key, "rule": refusal.rule, "facts": dict(refusal.facts)}
    return None


def _answers(
    printed: Printed, state: JenseitsState, seat: int, to: str, action: int, by_land: Move, by_air: Move
) -> Board:
    """What it takes to go somewhere and act there, by land and, with a zeppelin, by air."""
    mine = state.seats[seat]
    flies = mine.counts.zeppelins > 0 and mine.place != to
    return {
        **_answer(printed, state, seat, travel(printed, mine, to) + action, by_land),
        "zeppelin": _answer(printed, state, seat, action, by_air) if flies else None,
    }


def _open_card(printed: Printed, state: JenseitsState, seat: int, id_: str | None) -> Board | None:
    if id_ is None:
        return None
    card = printed.research[id_]
    return {
        "card": id_,
        "legs": printed.legs[state.seats[seat].place][card.city],
        "action": card.weeks,
        **_answers(printed, state, seat, card.city, card.weeks, *printed.takes[id_]),
    }


def _exhibition(printed: Printed, state: JenseitsState, seat: int, id_: str | None) -> Board | None:
    if id_ is None:
        return None
    card = printed.exhibitions[id_]
    mine = state.seats[seat]
    return {
        "card": id_,
        "legs": printed.legs[mine.place][card.city],
        "action": card.weeks,
        "missing": missing_objects(printed, mine.counts, id_),
        **_answers(printed, state, seat, card.city, card.weeks, *printed.exhibits[id_]),
    }


def _refresh(printed: Printed, state: JenseitsState, seat: int) -> Board:
    weeks = refresh_weeks(state, seat)
    return {
        "legs": printed.legs[state.seats[seat].place][printed.home],
        "action": weeks,
        **_answers(printed, state, seat, printed.home, weeks, *printed.refreshes),
    }


def _site(printed: Printed, state: JenseitsState, seat: int, site: str, *, odds: bool) -> Board:
    mine = state.seats[seat]
    rows = {use: _weeks(printed, state, seat, site, use) for use in _choices_of_use(state, seat, site)}
    tokens = {row["tokens"] for weeks in rows.values() for row in weeks if isinstance(row["tokens"], int)}
    return {
        "legs": printed.legs[mine.place][site],
        "travel": travel(printed, mine, site),
        "permit": site not in mine.turned,
        "first_find": printed.box.first_find if site in state.first_finds else None,
        "refused": _why_not_at_all(list(rows.values())),
        "ways": [
            {
                "use": use,
                "knowledge": knowledge_of(mine, site, use),
                "shovels": shovels(mine.counts, use),
                "weeks": weeks,
            }
            for use, weeks in rows.items()
        ],
        "draws": {str(n): odds_of(state.bags[site], n) for n in sorted(tokens) if n} if odds else {},
    }


def _choices_of_use(state: JenseitsState, seat: int, site: str) -> tuple[tuple[Use, ...], ...]:
    mine = state.seats[seat]
    special: tuple[Use, ...] = ("special_permit",) if site in mine.turned and mine.counts.special_permits else ()
    return ways((*usable(mine.counts, site), *special))


def _weeks(printed: Printed, state: JenseitsState, seat: int, site: str, use: tuple[Use, ...]) -> list[Board]:
    """A dig of 1 to 12 weeks, using these cards."""
    counts = state.seats[seat].counts
    known, more = knowledge(counts, site, use), shovels(counts, use)
    rows: list[Board] = []
    for weeks in range(1, MOST_WEEKS + 1):
        on_dial = printed.dial.tokens(known.total, weeks) if known.books + known.ethnology else 0
        moves = (printed.digs[site, use, flying][weeks - 1] for flying in (False, True))
        answers = _answers(printed, state, seat, site, weeks, *moves)
        rows.append({"weeks": weeks, "tokens": on_dial + more if on_dial else 0, **answers})
    return rows


def _why_not_at_all(rows: list[list[Board]]) -> Json:
    """Why no dig is possible at a site: what stands in the way of the shortest that would yield."""
    answers = [row for weeks in rows for row in weeks]
    flights = [row["zeppelin"] for row in answers if isinstance(row["zeppelin"], dict)]
    if any(answer["legal"] for answer in (*answers, *flights)):
        return None
    return next((row["refused"] for row in answers if row["tokens"]), answers[-1]["refused"])


@lru_cache(maxsize=512)
def odds_of(bag: Bag, tokens: int) -> Board:
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


PLACES_AFTER_POINT = 6
