"""The score of Jenseits von Theben, at the end or as it stands."""

from __future__ import annotations

from companion.game import Finished, Score
from companion.games.jenseits.printed import Printed
from companion.games.jenseits.state import JenseitsState

PARTS = ("objects", "exhibitions", "congresses", "majorities")


def finished(printed: Printed, state: JenseitsState) -> Finished:
    """Most points win; a tie is shared [JVT-62]."""
    scores = tuple(score_of(printed, state, seat) for seat in range(len(state.seats)))
    most = max(score.total for score in scores)
    return Finished(scores, tuple(score.seat for score in scores if score.total == most))


def score_of(printed: Printed, state: JenseitsState, seat: int) -> Score:
    """A seat's score: objects, exhibitions, congresses, and the most books about a site [JVT-60, JVT-61]."""
    mine = state.seats[seat]
    parts = {
        "objects": mine.counts.points,
        "exhibitions": sum(printed.exhibitions[card].points for card in mine.cards if card in printed.exhibitions),
        "congresses": congresses(printed, mine.counts.congresses),
        "majorities": sum(majority(printed, state, seat, site) for site in printed.sites),
    }
    return Score(seat, sum(parts.values()), parts)


def congresses(printed: Printed, attended: int) -> int:
    """What so many congresses are worth; more than 7 are worth no more than 7 [JVT-60]."""
    row = printed.box.score.congresses
    return row[min(attended, len(row) - 1)]


def majority(printed: Printed, state: JenseitsState, seat: int, site: str) -> int:
    """What a seat scores for its books about a site: 5 if it has the most, 3 if another has as many [JVT-61]."""
    books = [other.counts.books[site] for other in state.seats]
    mine = books[seat]
    if not mine or mine < max(books):
        return 0
    return printed.box.score.majority if books.count(mine) == 1 else printed.box.score.majority_tied
