"""The score of Jenseits von Theben, at the end or as it stands."""

from __future__ import annotations

from companion.game import Score
from companion.games.jenseits.state import Table
from companion.games.jenseits.terms import Terms

PARTS = ("objects", "exhibitions", "congresses", "majorities")


def score_of(here: Table) -> Score:
    """What a seat has: objects, exhibitions, congresses, and the most books about a site [JVT-60, JVT-61]."""
    mine, terms = here.mine, here.terms
    parts = {
        "objects": mine.counts.points,
        "exhibitions": sum(terms.exhibitions[card].points for card in mine.cards if card in terms.exhibitions),
        "congresses": congresses(terms, mine.counts.congresses),
        "majorities": sum(majority(here, site) for site in terms.sites),
    }
    return Score(here.seat, sum(parts.values()), parts)


def congresses(terms: Terms, attended: int) -> int:
    """What so many congresses are worth; more than 7 are worth no more than 7 [JVT-60]."""
    row = terms.box.score.congresses
    return row[min(attended, len(row) - 1)]


def majority(here: Table, site: str) -> int:
    """What a seat scores for its books about a site: 5 if it has the most, 3 if another has as many [JVT-61]."""
    books = [other.counts.books[site] for other in here.state.seats]
    mine = here.mine.counts.books[site]
    if not mine or mine < max(books):
        return 0
    return here.terms.box.score.majority if books.count(mine) == 1 else here.terms.box.score.majority_tied
