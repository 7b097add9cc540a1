"""The markers on the track, and the calendar that it is read by."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.pieces.track import Calendar, Date, Track
from companion.refusals import Illegal

CALENDAR = Calendar(first_year=1901)
END = CALENDAR.time(1, 1904)


@st.composite
def journeys(draw: st.DrawFn) -> Track:
    """A track after some moves of any seats."""
    seats = draw(st.integers(2, 4))
    track = Track.stacked(draw(st.permutations(range(seats))), end=60)
    for seat, weeks in draw(st.lists(st.tuples(st.integers(0, seats - 1), st.integers(0, 12)), max_size=12)):
        if track.fits(seat, weeks):
            track = track.advance(seat, weeks)
    return track


@pytest.mark.rule("JVT-04")
@given(journeys())
def test_the_order_runs_from_the_furthest_back_to_the_foremost(track: Track) -> None:
    times = [track.at(seat) for seat in track.order]
    assert times == sorted(times)
    assert sorted(track.order) == list(range(len(track.times)))
    assert track.at(track.furthest_back) == min(track.times)
    assert track.foremost == max(track.times)


@pytest.mark.rule("JVT-04", "TTR-01")
@given(journeys(), st.integers(1, 12), st.data())
def test_an_arriving_marker_goes_on_top_and_moves_no_other(track: Track, weeks: int, data: st.DataObject) -> None:
    seat = data.draw(st.sampled_from(track.order))
    if not track.fits(seat, weeks):
        return
    after = track.advance(seat, weeks)
    assert after.stack(after.at(seat))[-1] == seat
    assert [other for other in after.order if other != seat] == [other for other in track.order if other != seat]
    assert after.at(seat) == track.at(seat) + weeks
    assert all(after.at(other) == track.at(other) for other in track.order if other != seat)


@given(journeys())
def test_every_marker_is_in_one_stack(track: Track) -> None:
    stacked = [seat for time in range(61) for seat in track.stack(time)]
    assert sorted(stacked) == sorted(track.order)


@pytest.mark.rule("JVT-03")
def test_the_top_of_the_first_stack_plays_first() -> None:
    track = Track.stacked([2, 0, 1], time=CALENDAR.time(16, 1901), end=END)
    assert track.furthest_back == 2
    assert track.stack(15) == (1, 0, 2)


@pytest.mark.rule("JVT-04")
def test_a_player_plays_on_until_passing_another() -> None:
    track = Track.stacked([0, 1], end=END).advance(0, 5)
    assert track.furthest_back == 1
    assert track.advance(1, 4).furthest_back == 1
    assert track.advance(1, 5).furthest_back == 1
    assert track.advance(1, 6).furthest_back == 0


def test_a_marker_that_does_not_move_stays_in_its_place_in_the_stack() -> None:
    track = Track.stacked([0, 1])
    assert track.advance(1, 0) == track


@pytest.mark.rule("JVT-06")
def test_what_fits_exactly_is_allowed_and_a_week_more_is_not() -> None:
    track = Track.stacked([0, 1], time=CALENDAR.time(48, 1903), end=END)
    assert track.left(0) == 5
    assert track.advance(0, 5).at(0) == END
    with pytest.raises(Illegal) as refused:
        track.advance(0, 6)
    assert refused.value.facts == {"weeks": 6, "left": 5}


@pytest.mark.rule("JVT-07", "JVT-08")
def test_the_game_is_over_when_every_marker_has_gone_to_the_end() -> None:
    track = Track.stacked([0, 1], end=END).retire(0)
    assert track.furthest_back == 1
    assert not track.is_over
    assert track.retire(1).is_over


@pytest.mark.rule("TTR-03")
def test_time_that_does_not_end_has_no_end_to_go_to() -> None:
    track = Track.stacked([0, 1])
    assert track.left(0) is None
    assert track.fits(0, 1000)
    assert not track.is_over
    with pytest.raises(Illegal):
        track.retire(0)


def test_a_marker_is_put_right() -> None:
    track = Track.stacked([0, 1], end=END).advance(0, 10).put(0, 3)
    assert (track.at(0), track.order) == (3, (1, 0))
    for time in (-1, END + 1):
        with pytest.raises(Illegal):
            track.put(0, time)


def test_nobody_goes_back_in_time_and_every_seat_has_one_marker() -> None:
    with pytest.raises(Illegal):
        Track.stacked([0, 1]).advance(0, -1)
    with pytest.raises(Illegal):
        Track.stacked([0, 2])


@pytest.mark.rule("JVT-01", "JVT-02")
def test_weeks_and_years_are_read_from_one_count() -> None:
    assert CALENDAR.date(0) == Date(1, 1901)
    assert CALENDAR.date(51) == Date(52, 1901)
    assert CALENDAR.date(END) == Date(1, 1904)
    assert CALENDAR.time(16, 1901) == 15


@given(st.integers(0, 500))
def test_a_date_is_the_time_it_was_read_from(time: int) -> None:
    assert CALENDAR.time(*CALENDAR.date(time)) == time


@pytest.mark.rule("JVT-09")
@pytest.mark.parametrize(("before", "after", "new_years"), [(51, 52, 1), (52, 53, 0), (0, 51, 0), (40, 110, 2)])
def test_a_new_year_begins_between_week_52_and_week_1(before: int, after: int, new_years: int) -> None:
    assert CALENDAR.new_years(before, after) == new_years
