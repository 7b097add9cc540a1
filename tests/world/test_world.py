"""Histories from a seed: whatever fails on disks, between machines or of their power, nothing acknowledged is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.world.mutants import MUTANTS, NOTHING_RESTS_ON, ROOT, not_taken_out
from tests.world.running import crashes, histories, made_disk

AT_ONCE = 50
"""Histories in one process; `make soak` lets 4,000 happen."""


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_disk(tmp_path_factory.mktemp("disk"))


@pytest.mark.parametrize("first", range(0, 200, AT_ONCE))
def test_histories_break_no_law(disk: Path, first: int) -> None:
    ran = histories(disk, first, AT_ONCE)
    assert ran.held, ran.said[-4000:]


def test_whatever_keeps_a_step_is_taken_out_in_a_soak() -> None:
    """Each of them stands once where it is looked for: what is mended there has to be taken out anew."""
    for mutant in MUTANTS:
        assert (ROOT / mutant.file).read_text("utf-8").count(mutant.old) == 1, mutant.name


def test_each_sync_and_each_rename_is_taken_out_in_a_soak() -> None:
    """Whoever writes one more says what misses it, or that nothing rests on it."""
    assert not_taken_out() == NOTHING_RESTS_ON


@pytest.mark.parametrize(("survives", "first", "sparser"), [("nothing", 1, 1), ("any", 3, 1), ("all but one", 4, 8)])
@pytest.mark.parametrize(
    ("kind", "every"),
    [
        ("restore", 29),
        ("restore once more", 43),
        ("restore as wished", 47),
        ("restore over damage", 29),
        ("bring and restore", 47),
        ("first start", 11),
        ("new format", 11),
        ("move from", 7),
        ("move to", 7),
    ],
)
def test_what_dies_at_a_call_of_it_has_happened_or_not(
    disk: Path, kind: str, every: int, survives: str, first: int, sparser: int
) -> None:
    """Calls at regular distances; `make soak` lets a machine die at each of them, and each time leaves all there is."""
    ran = crashes(disk, kind, survives, first, every * sparser)
    assert ran.held, ran.said[-4000:]
    assert int(ran.said), "calls were there to die at"
