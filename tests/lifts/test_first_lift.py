"""The first lift after a restart: it takes the rig, which stops it, and that stop ends nothing that comes after it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hardware.events import LiftBegun, LiftFailed, LiftHeld
from tests.lifts.computer import Computer
from tests.lifts.still import Bench
from tests.web.people import Asker, sit_down

PATIENCE_MS = 30_000


def turn(computer: Computer, until: Callable[[], bool]) -> None:
    """Let time pass until something is so."""
    ends = computer.bench.ms + PATIENCE_MS
    while not until():
        assert computer.bench.ms < ends, computer.rig.state()
        computer.turn()


def first_open_square(host: Asker) -> str:
    return next(str(move["square"]) for move in host.get("/moves").json["moves"] if move["type"] == "dig")


@pytest.mark.parametrize("round_trip_ms", [0, 10, 50, 100, 150, 200])
def test_the_first_dig_after_a_restart_is_lifted(tmp_path: Path, round_trip_ms: int) -> None:
    bench = Bench(seed=1)
    before = Computer(bench, tmp_path)
    laid = sit_down(before.app, box="tutankhamun", mode="referee", seats=[{"name": "Ada"}, {"name": "Ben"}]).laid
    before.close()

    computer = Computer(bench, tmp_path)
    bench.round_trip_ms = round_trip_ms
    turn(computer, lambda: computer.is_ready)
    bench.plant.card = True
    host = Asker(computer.app, laid, laid["host"])
    answer = host.press("/moves", move={"type": "dig", "square": first_open_square(host)})
    assert answer.status_code == 202, computer.rig.state()
    turn(computer, lambda: any(isinstance(event, LiftHeld | LiftFailed) for event in computer.told))
    assert [event for event in computer.told if isinstance(event, LiftBegun | LiftHeld | LiftFailed)] == [
        LiftBegun(1, 1),
        LiftHeld(1),
    ]
    computer.close()
