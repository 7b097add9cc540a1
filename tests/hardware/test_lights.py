"""The time track of light: what each pixel shows, what is sent of it, and what a rig file may say of it."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.events import Lights
from hardware.faults import RigProblem
from hardware.lights import DARK, SEATS, Colour, LightTrack
from hardware.rig_file import LightsPart, parse_rig

FULL = LightsPart(brightness=1.0)


class Pixels:
    """Pixels that remember; out of reach while the board is away."""

    def __init__(self) -> None:
        self.shown: list[Colour] = [(9, 9, 9)] * 64
        self.away = False
        self.asked = 0

    def fill(self, first: int, count: int, colour: Colour) -> None:
        if self.away:
            raise OSError("no board")
        self.asked += 1
        self.shown[first : first + count] = [colour] * count


def lit(lights: Lights, part: LightsPart = FULL) -> tuple[Colour, ...]:
    track = LightTrack(Pixels(), part)
    track.show(lights)
    return track.wanted


def test_a_marker_shines_at_its_week_and_brightest_on_its_turn() -> None:
    wanted = lit(Lights(((3, 0), (40, 1)), 0))
    assert wanted[3] == SEATS[0]
    assert wanted[40] == tuple(round(each * 0.35) for each in SEATS[1])
    assert [place for place, colour in enumerate(wanted[:52]) if colour != DARK] == [3, 40]


def test_of_a_stack_one_sees_the_topmost() -> None:
    assert lit(Lights(((7, 2), (7, 1)), None))[7] == tuple(round(each * 0.35) for each in SEATS[2])


def test_the_weeks_of_a_planned_dig_glow_ahead_of_the_marker_and_on_the_ring() -> None:
    wanted = lit(Lights(((50, 1),), 1, 5))
    assert [place for place, colour in enumerate(wanted[:52]) if colour != DARK] == [0, 1, 2, 3, 50, 51]
    assert wanted[52:] == (SEATS[1],) * 5 + (DARK,) * 7


def test_the_ring_glows_for_whoever_is_asked() -> None:
    assert set(lit(Lights((), 4))[52:]) == {tuple(round(each * 0.1) for each in SEATS[4])}
    assert set(lit(Lights((), None))[52:]) == {DARK}


def test_the_first_week_is_where_the_strip_begins_for_its_maker() -> None:
    assert lit(Lights(((0, 0),), 0), LightsPart(brightness=1.0, first=10))[10] == SEATS[0]


PICTURES = st.builds(
    Lights,
    st.lists(st.tuples(st.integers(0, 51), st.integers(0, 5)), max_size=6).map(tuple),
    st.none() | st.integers(0, 5),
    st.integers(0, 52),
)
PARTS = st.builds(LightsPart, st.integers(0, 52), st.integers(1, 12), st.integers(0, 51))


@given(PARTS, st.lists(PICTURES, max_size=6), st.integers(0, 2**32))
def test_whatever_is_shown_arrives_bit_by_bit_though_the_board_comes_and_goes(
    part: LightsPart, pictures: list[Lights], seed: int
) -> None:
    pixels, luck = Pixels(), random.Random(seed)
    track = LightTrack(pixels, part)
    for picture in pictures:
        track.show(picture)
        for _ in range(luck.randrange(4)):
            pixels.away = luck.random() < 0.2
            if pixels.away:
                pixels.shown = [(8, 8, 8)] * 64
                track.refresh()  # as the rig's loop does once the board is back
            before = pixels.asked
            try:
                track.tick()
            except OSError:
                assert pixels.away
            assert pixels.asked - before <= 1
    pixels.away = False
    for _ in range(65):
        track.tick()
    assert tuple(pixels.shown[: len(track.wanted)]) == track.wanted
    asked = pixels.asked
    track.tick()
    assert pixels.asked == asked, "what is shown is not sent again"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('kind = "gpio"\n[gpio]\npump = 17\nvalve = 27\n[lights]\n', "rig.toml:5: the lights hang on a board"),
        ('kind = "sim"\n[lights]\nweeks = 0\nring = 0\n', "rig.toml:2: these lights have no pixel"),
        ('kind = "sim"\n[panel]\nlamps = [7]\n[lights]\n', "rig.toml:3: lamp line 7 is used twice: lights"),
        ('kind = "sim"\n[lights]\nweeks = 60\n', "rig.toml:3: lights.weeks: expected a whole number of at most 52"),
    ],
)
def test_what_cannot_be_is_refused_by_a_sentence(text: str, reason: str) -> None:
    with pytest.raises(RigProblem, match=f"^{reason}"):
        parse_rig(text, "rig.toml")
