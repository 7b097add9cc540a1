"""Every legal move of a seat, made fast: the moves are written once, and cut to what time and knowledge allow."""

from __future__ import annotations

from companion.game import Move
from companion.games.jenseits.checks import missing_objects, refresh_weeks, travel, weeks_left
from companion.games.jenseits.moves import MOST_WEEKS, Retire, Use
from companion.games.jenseits.piles import research_to_come
from companion.games.jenseits.printed import Printed
from companion.games.jenseits.state import Counts, JenseitsState, knowledge

RETIRE = Retire()


def legal_moves(printed: Printed, state: JenseitsState, seat: int) -> tuple[Move, ...]:
    """What a seat whose turn it is may do."""
    moves: list[Move] = []
    for zeppelin in (False, True) if state.seats[seat].counts.zeppelins else (False,):
        _takes(moves, printed, state, seat, zeppelin)
        _refreshes(moves, printed, state, seat, zeppelin)
        _exhibits(moves, printed, state, seat, zeppelin)
        _digs(moves, printed, state, seat, zeppelin)
    moves.append(RETIRE)
    return tuple(moves)


def _trip(printed: Printed, state: JenseitsState, seat: int, to: str, zeppelin: bool) -> int:
    """The weeks of a trip, or more than there are: a zeppelin flies somewhere else."""
    if not zeppelin:
        return travel(printed, state.seats[seat], to)
    return 0 if state.seats[seat].place != to else printed.end + 1


def _takes(moves: list[Move], printed: Printed, state: JenseitsState, seat: int, zeppelin: bool) -> None:
    left = weeks_left(state, seat)
    for id_ in dict.fromkeys(state.open):
        if id_ is not None:
            card = printed.research[id_]
            if _trip(printed, state, seat, card.city, zeppelin) + card.weeks <= left:
                moves.append(printed.takes[id_][zeppelin])


def _refreshes(moves: list[Move], printed: Printed, state: JenseitsState, seat: int, zeppelin: bool) -> None:
    weeks = _trip(printed, state, seat, printed.home, zeppelin) + refresh_weeks(state, seat)
    if weeks <= weeks_left(state, seat) and (any(state.open) or research_to_come(printed, state.piles)):
        moves.append(printed.refreshes[zeppelin])


def _exhibits(moves: list[Move], printed: Printed, state: JenseitsState, seat: int, zeppelin: bool) -> None:
    for id_ in state.shown:
        if id_ is not None and not missing_objects(printed, state.seats[seat].counts, id_):
            card = printed.exhibitions[id_]
            if _trip(printed, state, seat, card.city, zeppelin) + card.weeks <= weeks_left(state, seat):
                moves.append(printed.exhibits[id_][zeppelin])


def _digs(moves: list[Move], printed: Printed, state: JenseitsState, seat: int, zeppelin: bool) -> None:
    digger = state.seats[seat]
    counts = digger.counts
    left = weeks_left(state, seat)
    to_new_year = printed.calendar.weeks - state.track.at(seat) % printed.calendar.weeks
    for site in printed.sites:
        if not counts.books[site] and site not in counts.ethnology:
            continue
        trip = _trip(printed, state, seat, site, zeppelin)
        most = min(MOST_WEEKS, left - trip)
        if most < 1:
            continue
        free_from = to_new_year - trip if site in digger.turned else 1
        for use in printed.uses[usable(counts, site)]:
            if not counts.books[site] and "ethnology" not in use:
                continue
            least = printed.least_weeks[knowledge(counts, site, use).total]
            moves += printed.digs[site, use, zeppelin][max(least, free_from) - 1 : most]
            if free_from > least and counts.special_permits:
                special: tuple[Use, ...] = (*use, "special_permit")
                moves += printed.digs[site, special, zeppelin][least - 1 : min(most, free_from - 1)]


def usable(counts: Counts, site: str) -> tuple[Use, ...]:
    """The cards that a seat could use up for a dig at a site, apart from a special permit."""
    held: list[Use] = []
    if site in counts.ethnology:
        held.append("ethnology")
    if counts.assistants == 1:
        held.append("assistant")
    if counts.shovels == 1:
        held.append("shovel")
    return tuple(held)
