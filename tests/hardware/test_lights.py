"""The time track of light: what each pixel shows, what is sent of it, and what a rig file may say of it."""

from __future__ import annotations

import random
import time
import warnings
from collections.abc import Sequence
from pathlib import Path

import pytest
from gpiozero import SPISoftwareFallback
from gpiozero.pins.mock import MockFactory
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.messages import LIGHTS_MOST_MA
from hardware.events import ShowTrack
from hardware.face import NotUsable, Rig
from hardware.faults import RigProblem
from hardware.lights import DARK, SEATS, SPI_RATE, Colour, LightTrack, SpiLights
from hardware.rig import open_rig
from hardware.rig_file import LightsPart, parse_rig
from tests.hardware.ears import PATIENCE

FULL = LightsPart(brightness=1.0)
GPIO = 'kind = "gpio"\n[gpio]\npump = 17\nvalve = 27\n'


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

    def close(self) -> None:
        self.fill(0, len(self.shown), DARK)


def lit(lights: ShowTrack, part: LightsPart = FULL) -> tuple[Colour, ...]:
    track = LightTrack(Pixels(), part)
    track.show(lights)
    return track.wanted


def test_a_marker_shines_at_its_week_and_brightest_on_its_turn() -> None:
    wanted = lit(ShowTrack(((3, 0), (40, 1)), 0))
    assert wanted[3] == SEATS[0]
    assert wanted[40] == tuple(round(each * 0.35) for each in SEATS[1])
    assert [place for place, colour in enumerate(wanted[:52]) if colour != DARK] == [3, 40]


def test_of_a_stack_one_sees_the_topmost() -> None:
    assert lit(ShowTrack(((7, 2), (7, 1)), None))[7] == tuple(round(each * 0.35) for each in SEATS[2])


def test_the_weeks_of_a_planned_dig_glow_ahead_of_the_marker_and_on_the_ring() -> None:
    wanted = lit(ShowTrack(((50, 1),), 1, 5))
    assert [place for place, colour in enumerate(wanted[:52]) if colour != DARK] == [0, 1, 2, 3, 50, 51]
    assert wanted[52:] == (SEATS[1],) * 5 + (DARK,) * 7


def test_the_ring_glows_for_whoever_is_asked() -> None:
    assert set(lit(ShowTrack((), 4))[52:]) == {tuple(round(each * 0.1) for each in SEATS[4])}
    assert set(lit(ShowTrack((), None))[52:]) == {DARK}


def test_the_first_week_is_where_the_strip_begins_for_its_maker() -> None:
    assert lit(ShowTrack(((0, 0),), 0), LightsPart(brightness=1.0, first=10))[10] == SEATS[0]


PICTURES = st.builds(
    ShowTrack,
    st.lists(st.tuples(st.integers(0, 51), st.integers(0, 5)), max_size=6).map(tuple),
    st.none() | st.integers(0, 5),
    st.integers(0, 52),
)
PARTS = st.builds(LightsPart, st.integers(0, 52), st.integers(1, 12), st.integers(0, 51))


@given(PARTS, st.lists(PICTURES, max_size=6), st.integers(0, 2**32))
def test_whatever_is_shown_arrives_bit_by_bit_though_the_board_comes_and_goes(
    part: LightsPart, pictures: list[ShowTrack], seed: int
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
        ('kind = "none"\n[lights]\n', "rig.toml:2: the lights hang on a board or on a Pi's SPI, and here is neither"),
        (f'{GPIO}[sensor]\ntype = "mpx5100dp"\nchannel = 0\n[lights]\n', "rig.toml:8: GPIO 8 is used twice: sensor"),
        (f"{GPIO}[panel]\nbuzzer = 10\n[lights]\n", "rig.toml:6: GPIO 10 is used twice: lights and panel.buzzer"),
        ('kind = "sim"\n[lights]\nweeks = 0\nring = 0\n', "rig.toml:2: these lights have no pixel"),
        ('kind = "sim"\n[panel]\nlamps = [7]\n[lights]\n', "rig.toml:3: lamp line 7 is used twice: lights"),
        ('kind = "sim"\n[lights]\nweeks = 60\n', "rig.toml:3: lights.weeks: expected a whole number of at most 52"),
    ],
)
def test_what_cannot_be_is_refused_by_a_sentence(text: str, reason: str) -> None:
    with pytest.raises(RigProblem, match=f"^{reason}"):
        parse_rig(text, "rig.toml")


class StripAtSpi:
    """A strip of pixels at a Pi's SPI: it reads signs of three bits, and begins anew after a pause."""

    rate = 0

    def __init__(self) -> None:
        self.shown: list[Colour] = []
        self.closed = False

    def transfer(self, data: Sequence[int]) -> None:
        assert self.rate == 2_400_000
        bits = "".join(f"{byte:08b}" for byte in data)
        silence = bits.index("1")
        assert silence >= 50e-6 * self.rate, "the pixels would go on where they were"
        signs = [bits[at : at + 3] for at in range(silence, silence + 64 * 24 * 3, 3)]
        assert set(signs) <= {"100", "110"}
        assert "1" not in bits[silence + 64 * 24 * 3 :]
        sent = bytes(
            int("".join("01"[sign == "110"] for sign in signs[at : at + 8]), 2) for at in range(0, len(signs), 8)
        )
        self.shown = [(sent[at + 1], sent[at], sent[at + 2]) for at in range(0, len(sent), 3)]

    def close(self) -> None:
        self.closed = True


def at_a_pi(folder: Path, strip: object, monkeypatch: pytest.MonkeyPatch, pins: MockFactory) -> Rig:
    monkeypatch.setattr(pins, "spi", lambda **_: strip)
    (folder / "rig.toml").write_text(f"{GPIO}[lights]\nbrightness = 1.0\n")
    return open_rig(data=folder)


def test_a_pi_drives_them_by_its_spi_within_the_same_budget_and_leaves_them_dark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pins: MockFactory
) -> None:
    strip = StripAtSpi()
    with at_a_pi(tmp_path, strip, monkeypatch, pins) as rig:
        rig.cue(ShowTrack(((3, 0), (7, 1)), 0, 2))
        ends = time.monotonic() + PATIENCE
        while strip.shown[3] != SEATS[0] or strip.shown[53] == DARK:
            assert time.monotonic() < ends, strip.shown
            time.sleep(0.01)
        assert strip.shown[4] == tuple(round(each * 0.15) for each in SEATS[0])
    assert set(strip.shown) == {DARK}
    assert strip.closed


def test_at_full_white_a_pi_lets_them_draw_no_more_than_a_board_does() -> None:
    strip = StripAtSpi()
    strip.rate = SPI_RATE
    SpiLights(strip).fill(0, 64, (255, 255, 255))
    draws_ma = 64 + sum(map(sum, strip.shown)) * 20 / 255
    assert 0.95 * LIGHTS_MOST_MA < draws_ma <= LIGHTS_MOST_MA


def test_a_pi_whose_spi_is_off_is_told_how_to_switch_it_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pins: MockFactory
) -> None:
    def no_hardware(**_: object) -> None:
        warnings.warn(SPISoftwareFallback("failed to initialize hardware SPI"), stacklevel=1)

    monkeypatch.setattr(pins, "spi", no_hardware)
    (tmp_path / "rig.toml").write_text(f"{GPIO}[lights]\n")
    with pytest.raises(NotUsable, match=r"rig.toml:5: the SPI cannot be used: switch it on by raspi-config"):
        open_rig(data=tmp_path)
    assert pins.pin(17).function == "input"
