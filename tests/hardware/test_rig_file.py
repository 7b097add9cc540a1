"""A rig file is read strictly: the first mistake stops the start, with file, line and reason."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.faults import RigProblem
from hardware.rig import PRESETS, read_rig
from hardware.rig_file import parse_rig

GPIO = 'kind = "gpio"\n[gpio]\npump = 17\nvalve = 27\n'

AT_BOOT = {
    **dict.fromkeys((0, 1), "is used while the Pi starts, to ask a HAT what it is"),
    **dict.fromkeys((2, 3), "is pulled up to 3.3 V by 1.8 kΩ on the Pi itself"),
    **dict.fromkeys((4, 5, 6, 7, 8), "is pulled up while the Pi starts"),
    **dict.fromkeys((14, 15), "belongs to the serial console"),
}
MISTAKES = [
    ("", 1, "kind is missing"),
    ("kind = gpio", 1, "is not TOML"),
    ('kind = "sim"\n\n[sim\nurl = "sim://"', 3, "is not TOML"),
    ('kind = "steam"', 1, 'kind cannot be "steam"'),
    ('kind = "sim"\nspeed = 3', 2, "speed is not known here"),
    ('kind = "sim"\n[sim]\nurl = "sim://"\nport = "x"', 4, "sim.port is not known here"),
    (GPIO + "pumps = 3", 5, "gpio.pumps is not known here"),
    ('kind = "gpio"\n[gpio]\npump = 17', 2, "valve is missing in [gpio]"),
    ('kind = "gpio"', 1, "needs a table [gpio]"),
    ('kind = "serial"', 1, "needs a table [serial]"),
    (GPIO + "[serial]\nport = '/dev/x'", 5, '[serial] says nothing where kind is "gpio"'),
    ('kind = "gpio"\n[gpio]\npump = 17\nvalve = 28', 4, "gpio.valve: expected a whole number of at most 27"),
    ('kind = "gpio"\n[gpio]\npump = "17"\nvalve = 27', 3, "gpio.pump: expected a whole number, got a text in quotes"),
    ('kind = "gpio"\n[gpio]\npump = 17\nvalve = 17', 4, "GPIO 17 is used twice: gpio.pump and gpio.valve"),
    *((f'kind = "gpio"\n[gpio]\npump = {pin}\nvalve = 27', 3, f"GPIO {pin} {why}") for pin, why in AT_BOOT.items()),
    (
        GPIO.replace("27", "8"),
        4,
        "GPIO 8 is pulled up while the Pi starts, and the valve would run; take one of GPIO 12",
    ),
    (
        GPIO + "active_high = false",
        3,
        "GPIO 17 is pulled down while the Pi starts, which is on where active_high is false",
    ),
    (GPIO + "[panel]\nlamps = [5, 6]\nturn = 6", 7, "GPIO 6 is used twice: panel.lamps and panel.turn"),
    (GPIO + "[panel]\nlamps = [5, 5]", 6, "GPIO 5 is used twice"),
    (GPIO + "[panel]\nlamps = [5, 99]", 6, "panel.lamps: expected a whole number of at most 27"),
    (GPIO + "[panel.buttons]\nstop = 5\ngrip = 17", 7, "GPIO 17 is used twice: gpio.pump and panel.buttons.grip"),
    (GPIO + "[panel]\nbuttons = { stop = 5, grip = 5 }", 6, "GPIO 5 is used twice"),
    (GPIO + '[panel.buttons]\n"seat:0" = 5\n"seat:1" = 5', 7, "GPIO 5 is used twice"),
    (GPIO + '[panel.buttons]\n"Stop!" = 5', 5, "panel.buttons: a name has small letters"),
    (GPIO + '[sensor]\ntype = "nose"', 6, 'there is no sensor "nose"'),
    (GPIO + '[sensor]\ntype = "switch"', 6, "needs a pin"),
    (GPIO + '[sensor]\ntype = "switch"\npin = 27', 7, "GPIO 27 is used twice: gpio.valve and sensor.pin"),
    (GPIO + '[sensor]\ntype = "mpx5100dp"', 6, "needs the channel of an MCP3008"),
    (GPIO + '[sensor]\ntype = "mpx5100dp"\npin = 5', 7, "only a switch has a pin"),
    (GPIO + '[sensor]\ntype = "mpx5100dp"\nchannel = 9', 7, "sensor.channel: expected a whole number of at most 7"),
    (GPIO + '[sensor]\ntype = "line"\nzero_v = 0.2', 6, "needs zero_v and v_per_kpa"),
    (GPIO + '[panel.buttons]\nstop = 10\n[sensor]\ntype = "mpx5100dp"\nchannel = 0', 6, "GPIO 10 is used twice"),
    ('kind = "sim"\n[sensor]\ntype = "switch"', 3, "a vacuum switch goes to a Pi's pin"),
    ('kind = "sim"\n[sensor]\ntype = "mpx5100dp"\nchannel = 0', 4, "the board has one input"),
    ('kind = "sim"\n[panel]\nlamps = [1, 9]', 3, "the board has lines 1 to 8, and no 9"),
    ('kind = "sim"\n[panel]\nlamps = [1, 2]\nturn = 2', 4, "lamp line 2 is used twice"),
    ('kind = "sim"\n[panel]\nbuzzer = 3', 3, "a buzzer of its own"),
    (GPIO + "[shovel]\nlongest_s = 16", 6, "shovel.longest_s: expected a number of at most 15.0"),
    (GPIO + "[shovel]\ntarget_kpa = 7", 6, "shovel.target_kpa: expected a number of at least 8.0"),
    (GPIO + "[shovel]\ntarget_kpa = 20\nblocked_kpa = 18", 7, "blocked_kpa must be above"),
    (GPIO + "[shovel]\nlongest_s = 5\nprime_s = 5", 7, "prime_s must be less than"),
    ('kind = "sim"\n[sensor]\ntype = "mpxv7025dp"\n[shovel]\ntarget_kpa = 28', 5, "sees no more than 27 kPa"),
    (GPIO + '[sensor]\ntype = "none"\ncloses_at_kpa = 5', 7, "only a switch closes"),
    (GPIO + '[sensor]\ntype = "none"\nchannel = 2', 7, "only a gauge has a channel"),
    ('kind = "sim"\n[sensor]\ntype = "mpx5100dp"\nzero_v = 0.3', 4, 'only a sensor of type "line" has zero_v'),
    ('kind = "serial"\n[serial]\nport = []', 3, "names no port"),
    ('kind = "serial"\n[serial]\nport = 3', 3, "expected a text in quotes or a list, got a whole number"),
    ('kind = "sim"\n[panel]\npull_up = false', 3, "says nothing here"),
    ('kind = "sim"\n\n[[panel]]\nturn = 3', 3, "panel: expected a table, got a list"),
    (GPIO + '[display]\ntype = "png"', 6, "needs a file"),
    (GPIO + '[display]\ntype = "sh1106"\nfile = "x.png"', 7, 'only a display of type "png" has a file'),
    (GPIO + '[display]\ntype = "ssd1306"\n[panel]\nturn = 2', 8, "GPIO 2 is used twice"),
]


def test_a_mistake_is_shown_where_it_is(subtests: pytest.Subtests) -> None:
    for text, line, reason in MISTAKES:
        with subtests.test(reason):
            with pytest.raises(RigProblem) as caught:
                parse_rig(text, "rig.toml")
            assert reason in caught.value.reason
            assert caught.value.line == line
            assert str(caught.value).startswith(f"rig.toml:{line}: " if line else "rig.toml: ")


def test_a_file_may_begin_with_an_editors_mark(tmp_path: Path) -> None:
    (tmp_path / "rig.toml").write_text('\ufeffkind = "none"\n', encoding="utf-8")
    assert read_rig(tmp_path / "rig.toml").rig.kind == "none"


@pytest.mark.parametrize("active_high", [True, False])
def test_the_pins_a_refusal_names_are_taken(active_high: bool) -> None:
    """For every pin there is: it is taken, or the refusal names pins that are, and that nothing else has."""
    for pin in range(28):
        lamp = 22 if active_high else 4
        text = (
            f'kind = "gpio"\n[gpio]\npump = {{pump}}\nvalve = {20 if active_high else 6}\n'
            f"active_high = {str(active_high).lower()}\n[panel]\nlamps = [{lamp}]\n"
        )
        try:
            parse_rig(text.format(pump=pin), "rig.toml")
        except RigProblem as problem:
            if "used twice" in problem.reason:
                continue
            named = [int(number) for number in problem.reason.rpartition("take one of GPIO ")[2].split(", ")]
            assert named
            assert lamp not in named
            for other in named:
                parse_rig(text.format(pump=other), "rig.toml")


@pytest.mark.parametrize("name", PRESETS)
def test_the_presets_are_right(name: str) -> None:
    assert read_rig(name).rig.kind == {"nano": "serial", "pico": "serial"}.get(name, name)


def test_buttons_and_lamps_of_the_board_have_lines_of_their_own() -> None:
    rig = parse_rig('kind = "sim"\n[panel]\nlamps = [1, 2]\nbuttons = { stop = 1, grip = 2 }', "rig.toml")
    assert rig.panel.buttons == {"stop": 1, "grip": 2}


def test_a_sensor_of_ones_own_is_a_line() -> None:
    rig = parse_rig(
        GPIO + '[sensor]\ntype = "line"\nzero_v = 0.5\nv_per_kpa = 0.04\nchannel = 1\nreference_v = 3.3', "r"
    )
    transducer = rig.sensor.transducer()
    assert transducer is not None
    kpa = transducer.kpa(0.98 / 3.3)
    assert kpa == pytest.approx(12.0)


@given(st.text(alphabet=st.sampled_from('kindgposim =[]".\n17#{}'), max_size=80))
def test_silly_input_is_a_problem_and_no_crash(text: str) -> None:
    with suppress(RigProblem):
        parse_rig(text, "rig.toml")
