"""Three guided readings, and the thresholds that follow."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.calibration import Calibration, CalibrationFile, Reading
from hardware.faults import ShovelRefused
from hardware.vacuum import Thresholds
from tests.hardware.stand import Stand

GOOD = Calibration().taking("ambient", 0.4).taking("open", 1.9).taking("sealed", 14.4)


def test_the_readings_are_freed_of_the_sensors_own_error() -> None:
    assert Calibration(ambient=0.4, open=1.5, sealed=14.0) == GOOD
    assert GOOD.thresholds == Thresholds(held=7.75, lost=5.75, clear=1.5)


def test_held_is_at_least_six_where_the_tile_allows_it() -> None:
    assert Thresholds.between(open_kpa=1.0, sealed_kpa=9.0).held == 6.0


@given(st.floats(0, 6), st.floats(3, 40))
def test_thresholds_can_be_reached_and_told_apart(open_kpa: float, swing: float) -> None:
    sealed = open_kpa + swing
    limits = Thresholds.between(open_kpa, sealed)
    assert open_kpa < limits.lost < limits.held < sealed
    assert 0 < limits.clear < limits.lost


@pytest.mark.parametrize(
    ("before", "reading", "kpa", "code"),
    [
        (Calibration(), "open", 1.5, "ambient_first"),
        (Calibration(), "sealed", 12.0, "ambient_first"),
        (Calibration(ambient=0.0), "sealed", 12.0, "open_first"),
        (Calibration(), "ambient", 3.5, "ambient_off"),
        (Calibration(), "ambient", -3.5, "ambient_off"),
        (Calibration(ambient=0.0), "open", 7.0, "open_high"),
        (Calibration(ambient=0.0, open=1.5), "sealed", 4.4, "cup_leaks"),
    ],
)
def test_a_bad_calibration_is_refused_with_the_reason(
    before: Calibration, reading: Reading, kpa: float, code: str
) -> None:
    with pytest.raises(ShovelRefused) as refused:
        before.taking(reading, kpa)
    assert refused.value.code == code


def test_an_earlier_reading_discards_the_later_ones() -> None:
    assert GOOD.taking("open", 2.0).complete is False
    assert GOOD.taking("ambient", 0.0) == Calibration(ambient=0.0)


def test_a_calibration_is_kept_and_found_again(tmp_path: Path) -> None:
    file = CalibrationFile(tmp_path / "data" / "calibration.json", "sim mpx5100dp")
    assert file.load() == Calibration()
    file.save(GOOD)
    assert file.load() == GOOD
    assert [kept.name for kept in file.path.parent.iterdir()] == ["calibration.json"]


def test_the_calibration_of_another_sensor_is_not_used(tmp_path: Path) -> None:
    path = tmp_path / "calibration.json"
    CalibrationFile(path, "sim mpx5100dp").save(GOOD)
    assert CalibrationFile(path, "serial mpxv7025dp").load() == Calibration()


@pytest.mark.parametrize("text", ["", "{}", '{"sensor":"s","calibration":{"ambient":"x"}}', "\x00"])
def test_a_damaged_file_is_reported_and_not_used(tmp_path: Path, text: str, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "calibration.json"
    path.write_text(text)
    assert CalibrationFile(path, "s").load() == Calibration()
    assert "is not usable" in caplog.text


def test_a_save_that_fails_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = CalibrationFile(tmp_path / "calibration.json", "s")
    file.save(GOOD)
    monkeypatch.setattr("os.fsync", lambda handle: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        file.save(Calibration())
    monkeypatch.undo()
    assert file.load() == GOOD
    assert json.loads(file.path.read_text())["sensor"] == "s"
    assert len(list(tmp_path.iterdir())) == 1


def take(stand: Stand, reading: Reading) -> Calibration | ShovelRefused:
    outcome: list[Calibration | ShovelRefused] = []
    stand.shovel.measure(reading, stand.now, outcome.append)
    while not outcome:
        stand.tick()
    stand.until("off")
    stand.pass_time(0.2)
    return outcome[0]


def test_three_guided_readings_set_the_thresholds() -> None:
    stand = Stand()
    take(stand, "ambient")
    stand.air.card = False
    take(stand, "open")
    assert not stand.shovel.state(stand.now).calibrated
    stand.air.card = True
    taken = take(stand, "sealed")
    assert isinstance(taken, Calibration)
    state = stand.shovel.state(stand.now)
    assert state.calibrated
    assert state.thresholds == taken.thresholds
    assert stand.told == []


def test_a_reading_keeps_the_pump_within_the_limits_of_a_lift() -> None:
    stand = Stand()
    take(stand, "ambient")
    stand.air.card = False
    stand.shovel.measure("open", stand.now, lambda _: None)
    stand.pass_time(0.5)
    assert stand.air.closed
    assert stand.shovel.state(stand.now).measuring == "open"
    with pytest.raises(ShovelRefused, match="busy"):
        stand.grip()
    stand.until("releasing", within=2.0)
    assert stand.air.safe


@pytest.mark.parametrize("reading", ["ambient", "open"])
def test_a_stop_interrupts_a_reading(reading: Reading) -> None:
    stand = Stand(calibration=Calibration(ambient=0.0))
    outcome: list[Calibration | ShovelRefused] = []
    stand.shovel.measure(reading, stand.now, outcome.append)
    stand.pass_time(0.5)
    stand.shovel.stop()
    stand.tick()
    assert stand.air.safe
    assert isinstance(outcome[0], ShovelRefused)
    assert outcome[0].code == "interrupted"


def test_a_silent_sensor_gives_too_few_readings() -> None:
    stand = Stand()
    stand.air.silent = True
    outcome = take(stand, "ambient")
    assert isinstance(outcome, ShovelRefused)
    assert outcome.code == "too_few_readings"


def test_there_is_nothing_to_calibrate_without_a_gauge() -> None:
    stand = Stand("switch")
    with pytest.raises(ShovelRefused, match="no_sensor"):
        stand.shovel.measure("ambient", stand.now, lambda _: None)
