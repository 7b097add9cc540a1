"""What a move costs, and why it may not be made: everything is checked here before anything changes."""

from __future__ import annotations

from typing import NamedTuple

from companion.game import Move
from companion.games.jenseits.moves import MOST_WEEKS, USES, Dig, Exhibit, Refresh, Take
from companion.games.jenseits.piles import research_to_come
from companion.games.jenseits.printed import Printed
from companion.games.jenseits.state import Archaeologist, Counts, JenseitsState, knowledge, together
from companion.refusals import Illegal


class Plan(NamedTuple):
    """A dig that is allowed: the weeks it takes, travel included, and the tokens it is good for."""

    weeks: int
    tokens: int


def weeks_of(printed: Printed, state: JenseitsState, seat: int, move: Move) -> int:
    """The weeks that a move takes in all, trip and action together.

    :raises Illegal: if it may not be made.
    """
    match move:
        case Take():
            return check_take(printed, state, seat, move)
        case Refresh():
            return check_refresh(printed, state, seat, move)
        case Exhibit():
            return check_exhibit(printed, state, seat, move)
        case Dig():
            return check_dig(printed, state, seat, move).weeks
        case _:
            return weeks_left(state, seat)


def check_take(printed: Printed, state: JenseitsState, seat: int, move: Take) -> int:
    """The weeks it takes to go and take an open card [JVT-22]."""
    if move.card not in state.open:
        raise Illegal("jenseits.not_open", rule="JVT-22", card=printed.face(move.card))
    card = printed.research[move.card]
    weeks = _travel(printed, state.seats[seat], card.city, move.zeppelin) + card.weeks
    return _fitting(state, seat, weeks)


def check_refresh(printed: Printed, state: JenseitsState, seat: int, move: Refresh) -> int:
    """The weeks it takes to have other cards opened in Warsaw [JVT-24]."""
    if not any(state.open) and not research_to_come(printed, state.piles):
        raise Illegal("jenseits.no_cards", rule="JVT-24")
    weeks = _travel(printed, state.seats[seat], printed.home, move.zeppelin) + refresh_weeks(state, seat)
    return _fitting(state, seat, weeks)


def refresh_weeks(state: JenseitsState, seat: int) -> int:
    """1 week, and 1 more for each refresh since another seat has played [JVT-24]."""
    return 1 + (state.run.refreshes if state.run.seat == seat else 0)


def check_exhibit(printed: Printed, state: JenseitsState, seat: int, move: Exhibit) -> int:
    """The weeks it takes to hold an exhibition for which a seat has the objects [JVT-50]."""
    if move.card not in state.shown:
        raise Illegal("jenseits.not_shown", rule="JVT-50", card=move.card)
    card = printed.exhibitions[move.card]
    missing = missing_objects(printed, state.seats[seat].counts, move.card)
    if missing:
        sites = [site for site, count in missing.items() for _ in range(count)]
        raise Illegal("jenseits.objects_missing", rule="JVT-50", n=len(sites), sites=sites)
    weeks = _travel(printed, state.seats[seat], card.city, move.zeppelin) + card.weeks
    return _fitting(state, seat, weeks)


def missing_objects(printed: Printed, counts: Counts, card: str) -> dict[str, int]:
    """How many objects more an exhibition asks for, by origin; knowledge tokens are none, values do not matter."""
    asked = printed.exhibitions[card].objects
    return {site: count - counts.objects[site] for site, count in asked.items() if counts.objects[site] < count}


def check_dig(printed: Printed, state: JenseitsState, seat: int, move: Dig) -> Plan:
    """The weeks a dig takes, and the tokens it is good for [JVT-40 to JVT-43]."""
    if move.site not in printed.sites:
        raise Illegal("jenseits.no_site", rule="JVT-42", site=move.site)
    if not 1 <= move.weeks <= MOST_WEEKS:
        raise Illegal("jenseits.weeks_of_a_dig", rule="JVT-42", most=MOST_WEEKS)
    digger = state.seats[seat]
    _check_use(digger.counts, move)
    tokens = _tokens(printed, digger.counts, move)
    weeks = _fitting(state, seat, _travel(printed, digger, move.site, move.zeppelin) + move.weeks)
    _check_permit(printed, state, seat, move, weeks)
    return Plan(weeks, tokens)


def _tokens(printed: Printed, counts: Counts, move: Dig) -> int:
    """What the dial shows for the knowledge, and what the shovels add [JVT-41 to JVT-43]."""
    known = knowledge(counts, move.site, move.use)
    if not known.books + known.ethnology:
        raise Illegal("jenseits.knows_nothing", rule="JVT-41", site=move.site)
    on_dial = printed.dial.tokens(known.total, move.weeks)
    if not on_dial:
        n = printed.least_weeks[known.total] - move.weeks
        raise Illegal("jenseits.no_tokens", rule="JVT-42", n=n, points=known.total, weeks=move.weeks)
    return on_dial + shovels(counts, move.use)


def shovels(counts: Counts, use: tuple[str, ...]) -> int:
    """How many tokens more the shovels are good for; a lone one only if it is used up [JVT-43]."""
    return 1 if "shovel" in use else together(counts.shovels)


def _check_use(counts: Counts, move: Dig) -> None:
    """Only what lies before the seat is used up, and each once."""
    if move.use != tuple(use for use in USES if use in move.use):
        raise Illegal("jenseits.use_order", rule="JVT-25", use=USES)
    if "ethnology" in move.use and move.site not in counts.ethnology:
        raise Illegal("jenseits.no_ethnology", rule="JVT-30", site=move.site)
    if "assistant" in move.use and counts.assistants != 1:
        raise Illegal("jenseits.not_a_lone_assistant", rule="JVT-31", n=counts.assistants)
    if "shovel" in move.use and counts.shovels != 1:
        raise Illegal("jenseits.not_a_lone_shovel", rule="JVT-43", n=counts.shovels)
    if "special_permit" in move.use and not counts.special_permits:
        raise Illegal("jenseits.no_special_permit", rule="JVT-40")


def _check_permit(printed: Printed, state: JenseitsState, seat: int, move: Dig, weeks: int) -> None:
    """The time is paid before the dig: into the new year, the permit is up again [JVT-09, JVT-40]."""
    at = state.track.at(seat)
    crosses = printed.calendar.new_years(at, at + weeks) > 0
    turned = move.site in state.seats[seat].turned and not crosses
    if turned and "special_permit" not in move.use:
        to_new_year = printed.calendar.weeks - at % printed.calendar.weeks
        longer = to_new_year - weeks
        if move.weeks + longer > MOST_WEEKS:
            raise Illegal("jenseits.permit_used_for_long", rule="JVT-40", site=move.site, n=to_new_year)
        raise Illegal("jenseits.permit_used", rule="JVT-40", site=move.site, n=longer)
    if not turned and "special_permit" in move.use:
        raise Illegal("jenseits.permit_is_up", rule="JVT-40", site=move.site)


def _travel(printed: Printed, seat: Archaeologist, to: str, zeppelin: bool) -> int:
    """The weeks of a trip, by the shortest way [JVT-11 to JVT-13]."""
    if not zeppelin:
        return travel(printed, seat, to)
    if not seat.counts.zeppelins:
        raise Illegal("jenseits.no_zeppelin", rule="JVT-13")
    if seat.place == to:
        raise Illegal("jenseits.no_trip", rule="JVT-13", place=to)
    return 0


def travel(printed: Printed, seat: Archaeologist, to: str) -> int:
    """The weeks of a trip without a zeppelin."""
    return (printed.by_car if seat.counts.cars else printed.legs)[seat.place][to]


def _fitting(state: JenseitsState, seat: int, weeks: int) -> int:
    """No marker goes past the end [JVT-06]."""
    left = weeks_left(state, seat)
    if weeks > left:
        raise Illegal("jenseits.weeks_left", rule="JVT-06", n=weeks - left, weeks=weeks, left=left)
    return weeks


def weeks_left(state: JenseitsState, seat: int) -> int:
    """How many weeks a seat has until the end."""
    return (state.track.end or 0) - state.track.at(seat)
