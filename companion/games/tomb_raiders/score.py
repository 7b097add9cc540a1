"""The score of The Tomb Raiders, at the end or as it stands."""

from __future__ import annotations

from companion.game import Finished, Score
from companion.games.tomb_raiders.state import BEST, Table


def score_of(here: Table) -> Score:
    """What a seat has: artifacts, presentations, professors, congresses, and the weeks it is behind [TTR-71]."""
    mine, terms, printed = here.mine, here.terms, here.terms.box
    held = [name for name, seat in here.state.professors.items() if seat == here.seat]
    row = printed.score.congresses
    parts = {
        "artifacts": sum(terms.artifacts[card][1] for card in mine.finds),
        "exhibitions": sum(terms.exhibitions[card].points for card in mine.cards if card in terms.exhibitions),
        "professors": sum(
            (printed.professors.best_knowledge if name == BEST else printed.professors.region).points for name in held
        ),
        "museums": sum(terms.museums[card].points for card in mine.cards if card in terms.museums),
        "congresses": row[min(mine.cards.count("congress"), len(row) - 1)],
        "weeks": (here.state.track.foremost - here.at) // printed.score.weeks_per_point_behind,
    }
    return Score(here.seat, sum(parts.values()), parts)


def finished(here: Table) -> Finished:
    """Most points win; of those who have as many, whoever is furthest back; on one week they share it [TTR-72]."""
    scores = tuple(score_of(here.by(seat)) for seat in range(here.terms.seats))
    track = here.state.track
    best = max((score.total, -track.at(score.seat)) for score in scores)
    return Finished(scores, tuple(score.seat for score in scores if (score.total, -track.at(score.seat)) == best))
