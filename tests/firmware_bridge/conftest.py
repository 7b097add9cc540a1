"""Fixtures of the firmware's tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.firmware_bridge.benches import KINDS, Bench, Host, LibraryBench, bench


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
