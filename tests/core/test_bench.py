"""`digside bench`, as somebody with a shovel on the kitchen table uses it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, get_args

import pytest

from companion.terminal.bench import REPORT, Benching, BenchPerson
from companion.words import LANGUAGES, say
from hardware import bench_rig
from hardware.bench import CHECKS, CheckResult, Learned, Question, Wish
from hardware.choice import FORMER, SavedChoice, keep_values, save_choice
from hardware.own_file import OWN_FILE
from hardware.rig import read_rig


class Straw:
    """A rig of straw: what its checks come to is known before."""

    CHECKS = CHECKS
    board = "Nano ATmega328P 16 MHz"

    def __init__(self, *results: CheckResult, stops_after: int | None = None) -> None:
        self.results, self.stops_after = results, stops_after
        self.kept = 0

    @contextmanager
    def opened_bench(self, rig: str | None, data: Path, hands: Any) -> Iterator[Straw]:
        hands.do("cup_in_air")
        yield self

    def run(self, checks: object) -> Iterator[CheckResult]:
        for number, result in enumerate(self.results):
            if number == self.stops_after:
                raise KeyboardInterrupt
            yield result

    def keep(self) -> tuple[SavedChoice | None, Mapping[str, float]]:
        self.kept += 1
        return None, {"shovel.slowest_pump": 0.9}


def walk(folder: Path, rig: Straw, *checks: str) -> int:
    return Benching(folder, rig, "en").run(None, checks=checks, report=None)


@pytest.fixture(autouse=True)
def _somebody_presses_enter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builtins.input", lambda: "")


def test_what_passes_is_kept_and_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rig = Straw(CheckResult("stop", "passed", {"seconds": 0.27}), CheckResult("supply", "left_out", why="not_measured"))
    assert walk(tmp_path, rig, "stop", "supply") == 0
    report = (tmp_path / REPORT).read_text()
    assert "| stop | passed | free after 0.27 s |" in report
    assert "Nano ATmega328P" in report
    assert str(tmp_path) not in report
    assert "slowest_pump = 0.9" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("typed", "language", "saw"), [("Yes", "en", True), ("oui", "fr", True), ("n", "de", False), ("", "it", None)]
)
def test_somebody_is_asked_what_was_seen_until_it_is_yes_no_or_nothing(
    monkeypatch: pytest.MonkeyPatch, typed: str, language: str, saw: bool | None
) -> None:
    lines = iter(["what?", typed])
    monkeypatch.setattr("builtins.input", lambda: next(lines))
    assert BenchPerson(language).saw("fell") is saw


def test_what_was_seen_and_what_was_left_out_are_both_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rig = Straw(CheckResult("stop", "passed", why="seen"), CheckResult("zero", "left_out", why="no_gauge"))
    assert walk(tmp_path, rig, "stop", "zero") == 0
    report = (tmp_path / REPORT).read_text()
    assert "| stop | passed | as whoever stood there saw |" in report
    assert "| the gauge at rest | left out | because it needs a gauge |" in report
    assert "1 check was left out" in capsys.readouterr().out


def test_nothing_is_kept_of_a_rig_that_failed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rig = Straw(CheckResult("stop", "failed", {"seconds": 1.6}), CheckResult("lift", "failed", why="leak"))
    assert (walk(tmp_path, rig, "stop", "lift"), rig.kept) == (1, 0)
    assert "Pull the supply’s plug" in capsys.readouterr().out
    assert say("en", "shovel.fault.leak", {}) in (tmp_path / REPORT).read_text()


def test_who_breaks_off_has_the_report_of_what_was_made(tmp_path: Path) -> None:
    made = CheckResult("zero", "passed", {"kpa": 0.1, "spread": 0.2})
    assert walk(tmp_path, Straw(made, made, stops_after=1), "zero", "stop") == 1
    assert (tmp_path / REPORT).read_text().count("| passed |") == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_check_wish_and_reason_has_its_sentence(language: str) -> None:
    keys = [f"bench.{how}.{check}" for how in ("check", "passed", "failed") for check in CHECKS]
    keys += [f"bench.ask.{wish}" for wish in get_args(Wish) if wish != "nothing"] + ["bench.ask.volts"]
    keys += [f"bench.ask.{question}" for question in get_args(Question)]
    assert [key for key in keys if say(language, key, {"kpa": 1, "seconds": 1}) == key] == []


def test_what_was_learned_goes_into_the_file_of_whoever_wrote_it(tmp_path: Path) -> None:
    save_choice(tmp_path, "nano", "/dev/mine")
    file = tmp_path / OWN_FILE
    mine = file.read_text() + "\n[shovel]  # soft cards\nslowest_pump = 0.85  # a guess\ntarget_kpa = 10\n"
    file.write_text(mine)
    kept = keep_values(tmp_path, bench_rig.values_of(Learned(slowest_pump=0.92, reference_v=4.71)))
    rig = read_rig(file).rig
    assert kept == SavedChoice(file, tmp_path / FORMER)
    assert (rig.shovel.slowest_pump, rig.shovel.target_kpa, rig.sensor.reference_v) == (0.92, 10, 4.71)
    assert "# soft cards\nslowest_pump = 0.92  # a guess\n" in file.read_text()
    assert (tmp_path / FORMER).read_text() == mine


def test_where_nobody_has_chosen_a_rig_nothing_is_written(tmp_path: Path) -> None:
    assert keep_values(tmp_path, {"shovel.slowest_pump": 0.9}) is None
    assert list(tmp_path.iterdir()) == []


def test_a_rig_that_is_none_is_refused_by_a_sentence(tmp_path: Path) -> None:
    with (
        pytest.raises(bench_rig.RigProblem, match="there is no rig to be checked"),
        bench_rig.opened_bench(
            None,
            tmp_path,
            object(),  # type: ignore[arg-type]
        ),
    ):
        pass
