"""What a seat may still hope for: the digs that its knowledge, its permits and its weeks allow, best first.

This is an estimate for the bot with sense, made from what everybody can see. It knows nothing of the cards to come.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import NamedTuple

from companion.games.jenseits.state import Archaeologist, Counts, JenseitsState, congresses, knowledge, together
from companion.games.jenseits.terms import MOST_WEEKS, JenseitsTerms
from companion.pieces.bag import Bag

TRIP = 2  # weeks to a site, on average
PRICE = 0.75  # points a week is worth elsewhere
DECAY = 0.75  # what is left of a bag for each later dig
HOPE = 0.9  # what a point to come is worth now
WEEK = 0.15  # points a week costs even if there is time enough
FLIGHT = 1.6  # points for a zeppelin
RIDE = 0.03  # points for a car, for each week left
EXTRA_DIG = 2.0  # points for a special permit
CONGRESSES_TO_COME = 0.9  # points that each congress adds to the worth of the next ones
HELPERS = 0.5  # points for a lone assistant or shovel
CLOSER = 1.0  # points that the last objects for an exhibition are worth beyond their own
NEAR = 0.3  # what is left of that for each object which another site must bring


class Stay(NamedTuple):
    """A dig that may come: its points and the weeks it takes, the trip included."""

    points: float
    weeks: int

    @property
    def each_week(self) -> float:
        return self.points / self.weeks


def prospects(terms: JenseitsTerms, state: JenseitsState, seat: Archaeologist, at: int) -> float:
    """The points that a seat may still dig up from this time on, and what its cards are good for."""
    left = terms.end - at
    if left <= 0:
        return 0.0
    return HOPE * _digs_to_come(terms, state, seat, at) + _helpful(seat.counts, left) + WEEK * left


def _digs_to_come(terms: JenseitsTerms, state: JenseitsState, seat: Archaeologist, at: int) -> float:
    """The best digs that fit into the weeks left; of the last one only the part that fits."""
    left = float(terms.end - at)
    years_to_come = (terms.end - 1 - at) // terms.calendar.weeks
    stays = []
    for site in terms.sites:
        stays += _stays(terms, state.bags[site], seat, site, (site not in seat.turned) + years_to_come)
    points = 0.0
    for stay in sorted(stays, key=lambda stay: stay.each_week, reverse=True):
        part = min(1.0, left / stay.weeks)
        points += stay.points * part
        left -= stay.weeks * part
        if left <= 0:
            break
    return points


def _stays(terms: JenseitsTerms, bag: Bag, seat: Archaeologist, site: str, digs: int) -> list[Stay]:
    """The digs to come at a site, one for each year; the ethnology card is for the first of them."""
    counts = seat.counts
    worth, more = token_worth(bag), together(counts.shovels)
    stays: list[Stay] = []
    for nth in range(digs):
        use = ("ethnology",) if site in counts.ethnology and not nth else ()
        known = knowledge(counts, site, use)
        if known.books + known.ethnology:
            stay = best_stay(terms, known.total, more, round(worth * DECAY**nth, 2))
            if stay is not None:
                stays.append(stay)
    return stays


@lru_cache(maxsize=8192)
def best_stay(terms: JenseitsTerms, total: int, more: int, worth: float) -> Stay | None:
    """The dig that is best for its time, with so much knowledge and tokens worth so much."""
    stays = [
        Stay((tokens + more) * worth, weeks + TRIP)
        for weeks in range(1, MOST_WEEKS + 1)
        if (tokens := terms.dial.tokens(total, weeks))
    ]
    return max(stays, key=lambda stay: stay.points - PRICE * stay.weeks, default=None)


@lru_cache(maxsize=512)
def token_worth(bag: Bag) -> float:
    """The points of a token from a bag, on average; a book is worth about a point."""
    points = 0
    for token, count in bag.counts.items():
        kind, _, which = token.partition(":")
        points += count * (int(which) if kind == "object" else kind != "blank")
    return points / (bag.total or 1)


def shown_off(
    terms: JenseitsTerms, state: JenseitsState, seat: Archaeologist, site: str, tokens: int, left: int
) -> float:
    """What so many tokens from a site are worth for the exhibitions shown, with so many weeks left after them."""
    bag, mine = state.bags[site], seat.counts.objects
    hope = 0.0
    for card in state.shown:
        if card is None or left <= terms.exhibitions[card].weeks:
            continue
        missing = {origin: count - mine[origin] for origin, count in terms.exhibitions[card].objects.items()}
        elsewhere = sum(max(0, count) for origin, count in missing.items() if origin != site)
        if missing.get(site, 0) > 0:
            hope += CLOSER * NEAR**elsewhere * objects_likely(bag, tokens, missing[site])
    return hope


@lru_cache(maxsize=8192)
def objects_likely(bag: Bag, tokens: int, wanted: int) -> float:
    """The chance that at least so many of the tokens drawn from a bag are objects, as if each were put back."""
    share = sum(count for token, count in bag.counts.items() if token.startswith("object")) / (bag.total or 1)
    fewer = (comb(tokens, n) * share**n * (1 - share) ** (tokens - n) for n in range(wanted))
    return 1 - sum(fewer)


def _helpful(counts: Counts, left: int) -> float:
    """What cards are good for that neither score nor know."""
    lone = (counts.assistants == 1) + (counts.shovels == 1)
    return (
        FLIGHT * min(counts.zeppelins, left / TRIP)
        + (RIDE * left if counts.cars else 0)
        + EXTRA_DIG * counts.special_permits * (left > MOST_WEEKS)
        + HELPERS * lone * (left > MOST_WEEKS)
    )


def scored(terms: JenseitsTerms, state: JenseitsState, who: int, seat: Archaeologist, left: int) -> float:
    """What a seat has for sure, and what its congresses and books will probably bring."""
    counts = seat.counts
    hope = left / terms.end
    attended = congresses(terms, counts.congresses) + CONGRESSES_TO_COME * hope * counts.congresses
    shown = sum(terms.exhibitions[card].points for card in seat.cards if card in terms.exhibitions)
    return counts.points + attended + shown + sum(_lead(terms, state, who, seat, site) for site in terms.sites)


def _lead(terms: JenseitsTerms, state: JenseitsState, who: int, seat: Archaeologist, site: str) -> float:
    """What the books about a site will probably score."""
    mine = seat.counts.books[site]
    others = max(other.counts.books[site] for at, other in enumerate(state.seats) if at != who)
    if not mine or mine < others:
        return 0.0
    score = terms.box.score
    return score.majority_tied if mine == others else score.majority_tied + (score.majority - score.majority_tied) * 0.5
