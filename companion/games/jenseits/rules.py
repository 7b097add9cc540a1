"""Jenseits von Theben, refereed: two to four archaeologists, three years, five sites. The ids are those of RULES.md."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import Any

from companion.game import Chance, Finished, Option, Outcome, Played, Setup, Step
from companion.games.jenseits.aids import JenseitsHelp, help_for
from companion.games.jenseits.arranged import to_show
from companion.games.jenseits.corrections import SetCard, SetFigure, SetMarker, SetPermit, SetToken
from companion.games.jenseits.draws import DugToken, JenseitsMarker, NewPile, OpenedCard, TurnedUp
from companion.games.jenseits.facts import OUTCOMES, JenseitsChanceFacts, JenseitsLogFacts
from companion.games.jenseits.moves import Dig, Exhibit, Refresh, Retire, Take, Use, usable, ways
from companion.games.jenseits.piles import research_to_come
from companion.games.jenseits.state import (
    JenseitsState,
    JenseitsTable,
    counted_in_all,
    first_state,
    knowledge,
    score_of,
    together,
)
from companion.games.jenseits.terms import MOST_WEEKS, JenseitsTerms
from companion.games.jenseits.view import JenseitsBoard, board_of
from companion.parts import Act, Facts
from companion.printed import FigurePrinted
from companion.referee import Referee

LEARNER = 0
"""The seat of whoever learns in a small game: it is on top of the stack."""
SMALL_GAME = 24
"""Weeks of a small game for one who learns."""
Moves = list[Act[JenseitsTable]]
Left = dict[str, int]
"""By place: the weeks left after the trip there."""


class Jenseits(Referee[JenseitsTable, JenseitsState]):
    """The referee. Everything lies open: every seat sees and hears the same."""

    table = JenseitsTable
    acts = (Take, Refresh, Dig, Exhibit, Retire)
    draws = (DugToken(), JenseitsMarker(), TurnedUp(), NewPile(), OpenedCard())
    corrections = (SetMarker, SetFigure, SetPermit, SetToken, SetCard, FigurePrinted)
    randomizers: tuple[str, ...] = tuple(OUTCOMES)
    outcomes = OUTCOMES
    logged = JenseitsLogFacts
    chance_facts = JenseitsChanceFacts
    options = (Option("dig_help", (True, False), True),)
    turn_rule = "JVT-04"
    over_rule = "JVT-08"
    newest_rules = 2
    terms: JenseitsTerms

    def agreed(self, setup: Setup, box: Any) -> JenseitsTerms:
        names, odds = tuple(seat.name for seat in setup.seats), bool(setup.options.get("dig_help", True))
        return JenseitsTerms(box, names, rules=self.rules_version, odds=odds)

    def start(self) -> JenseitsState:
        return first_state(self.terms)

    def players_to_move(self, table: JenseitsTable) -> tuple[int, ...]:
        """Whoever is furthest back, until every marker is at the end [JVT-04, JVT-08]."""
        track = table.state.track
        return () if track.is_over else (track.furthest_back,)

    def listed(self, table: JenseitsTable) -> Iterator[Act[JenseitsTable]]:
        return iter(listed_moves(table))

    def scored(self, table: JenseitsTable) -> Finished:
        """Most points win; a tie is shared [JVT-62]."""
        scores = tuple(score_of(table.by(seat)) for seat in range(len(table.state.seats)))
        most = max(score.total for score in scores)
        return Finished(scores, tuple(score.seat for score in scores if score.total == most))

    def counted(self, table: JenseitsTable) -> Mapping[str, int]:
        return counted_in_all(table.state, table.terms.box.first_find)

    def is_short_over(self, table: JenseitsTable) -> bool:
        """A small game ends when all markers are some weeks on from where they began."""
        return min(table.state.track.times) >= table.terms.begin + SMALL_GAME

    def to_show(self, table: JenseitsTable, chance: Chance) -> Collection[Outcome]:
        """In a small game whoever learns begins; for what else is to be seen, see `arranged.py`."""
        if chance.randomizer == "start":
            return [LEARNER] if self.is_small else ()
        return to_show(table, chance)

    def follows(self, before: JenseitsState, step: Step) -> list[Facts]:
        """What assistants are worth, once there is one more [JVT-30, JVT-31]."""
        if not (isinstance(step, Played) and isinstance(step.move, Take)):
            return []
        after: JenseitsState = self.after(before, step)
        have, had = (state.seats[step.seat].counts.assistants for state in (after, before))
        whose = self.terms.names[step.seat]
        return [{"type": "assistants", "whose": whose, "n": have, "points": together(have)}] if have > had else []

    def board(self, table: JenseitsTable) -> JenseitsBoard:
        return board_of(table)

    def help(self, table: JenseitsTable) -> JenseitsHelp:
        return help_for(table)


def listed_moves(table: JenseitsTable) -> Moves:
    """The legal moves of the seat to move. Written for speed: it builds only those that time, knowledge and permits
    allow. A test in tests/laws compares them with `why_not` of each move."""
    moves: Moves = []
    left, mine = table.left, table.mine
    _by_way(moves, table, table.terms.left_after(mine.place, left, by_car=mine.counts.cars > 0), flown=False)
    if mine.counts.zeppelins:
        _by_way(moves, table, {place: left if place != mine.place else 0 for place in table.trips}, flown=True)
    moves.append(Retire())
    return moves


def _by_way(moves: Moves, table: JenseitsTable, left: Left, *, flown: bool) -> None:
    _takes(moves, table, left, flown)
    _refreshes(moves, table, left, flown)
    _exhibits(moves, table, left, flown)
    _digs(moves, table, left, flown)


def _takes(moves: Moves, table: JenseitsTable, left: Left, flown: bool) -> None:
    for id_ in dict.fromkeys(table.state.open):
        if id_ is not None:
            card = table.terms.research[id_]
            if card.weeks <= left[card.city]:
                moves.append(Take(id_, zeppelin=flown))


def _refreshes(moves: Moves, table: JenseitsTable, left: Left, flown: bool) -> None:
    if table.refresh_weeks <= left[table.terms.home] and (
        any(table.state.open) or research_to_come(table.terms, table.state.piles)
    ):
        moves.append(Refresh(zeppelin=flown))


def _exhibits(moves: Moves, table: JenseitsTable, left: Left, flown: bool) -> None:
    for id_ in table.state.shown:
        if id_ is not None:
            card, exhibit = table.terms.exhibitions[id_], Exhibit(id_, zeppelin=flown)
            if card.weeks <= left[card.city] and not exhibit.missing(table):
                moves.append(exhibit)


def _digs(moves: Moves, table: JenseitsTable, left: Left, flown: bool) -> None:
    counts = table.mine.counts
    for site in table.terms.sites:
        if not left[site] or not (counts.books[site] or site in counts.ethnology):
            continue
        up_from = _up_from(table, site, 0 if flown else table.trips[site])
        for use in _ways(usable(counts, site)):
            known = knowledge(counts, site, use)
            if not known.opens_a_dig:
                continue
            least = table.terms.least_weeks[known.total]
            moves += _digs_of(site, use, flown)[max(least, up_from) - 1 : left[site]]
            if counts.special_permits:
                moves += _digs_of(site, (*use, "special_permit"), flown)[least - 1 : min(left[site], up_from - 1)]


def _up_from(table: JenseitsTable, site: str, trip: int) -> int:
    """The fewest weeks a dig must take for its permit to be valid. A used one never is; in version 1 it was, where the
    dig reached the new year [JVT-09]."""
    if site not in table.mine.turned:
        return 1
    return max(1, table.to_new_year - trip) if table.terms.rules == 1 else MOST_WEEKS + 1


@cache
def _ways(held: tuple[Use, ...]) -> tuple[tuple[Use, ...], ...]:
    return ways(held)


@cache
def _digs_of(site: str, use: tuple[Use, ...], flown: bool) -> tuple[Dig, ...]:
    """The same dig for 1, 2, … 12 weeks."""
    return tuple(Dig(site, weeks, use, zeppelin=flown) for weeks in range(1, MOST_WEEKS + 1))
