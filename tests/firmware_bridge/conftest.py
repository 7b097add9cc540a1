"""Fixtures of the firmware's tests, and the fault matrix that they print at the end."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.firmware_bridge.benches import KINDS, Bench, Host, LibraryBench, Pulse, bench

MATRIX = pytest.StashKey[dict[tuple[str, str], str]]()


@pytest.fixture(params=KINDS)
def board(request: pytest.FixtureRequest) -> Iterator[Bench]:
    """A board of each kind in turn."""
    under_test = bench(request.param)
    yield under_test
    under_test.close()


@pytest.fixture
def host(board: Bench) -> Host:
    """The far end of the wire of each kind of board."""
    return Host(board)


@pytest.fixture
def core() -> LibraryBench:
    """The core in this process."""
    under_test = bench("library")
    assert isinstance(under_test, LibraryBench)
    return under_test


@pytest.fixture
def pulse() -> Iterator[Pulse]:
    """Feels how busy this computer is."""
    felt = Pulse()
    yield felt
    felt.close()


@pytest.fixture
def matrix(request: pytest.FixtureRequest) -> dict[tuple[str, str], str]:
    """What is known of each fault (cause, where), for the table at the end."""
    return request.config.stash.setdefault(MATRIX, {})


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    results = config.stash.get(MATRIX, {})
    if not results:
        return
    terminalreporter.section("pump off and valve vented after a fault (limit 1000 ms)")
    columns = sorted({where for _, where in results})
    rows = list(dict.fromkeys(cause for cause, _ in results))
    terminalreporter.write_line(" | ".join([f"{'cause':34}", *(f"{column:18}" for column in columns)]))
    for cause in rows:
        cells = [f"{results.get((cause, column), '-'):18}" for column in columns]
        terminalreporter.write_line(" | ".join([f"{cause:34}", *cells]))
