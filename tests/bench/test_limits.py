"""What is said at the end of benches: of each that broke, and of those after it."""

from __future__ import annotations

import pytest

from tests.bench import limits


def test_a_bench_that_breaks_is_said_and_the_others_go_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(limits, "_figures", [])

    def breaks() -> None:
        limits.limited("half", 0.5, "ms", at_most=1)
        raise ConnectionError("the answer has ended")

    assert limits.judged({"first": breaks, "second": lambda: limits.limited("whole", 1, "ms", at_most=1)}) == 1
    told = capsys.readouterr().out
    assert "first BROKEN by ConnectionError: the answer has ended; took" in told
    assert "held: whole" in told
    assert "2 of 2 limits held" in told
    assert told.endswith("broken: first\n")
