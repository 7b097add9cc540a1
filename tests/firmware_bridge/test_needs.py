"""A missing tool is seen: skipped with the line that installs it, and a failure on CI."""

from __future__ import annotations

import pytest

from tests.needs import needs_file, needs_program


def test_a_missing_program_skips_with_the_line_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="apt install gcc-avr"):
        needs_program("no-such-avr-gcc", apt="gcc-avr")


def test_on_ci_a_missing_program_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="apt install libsimavr-dev"):
        needs_file("/no/such/header.h", apt="libsimavr-dev")


def test_a_program_that_is_there_is_found() -> None:
    assert needs_program("sh", apt="dash").endswith("/sh")
