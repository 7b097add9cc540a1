"""Fast tests first, then what takes seconds, then the browser: a mistake shows early."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.pulse import Pulse

# A tiny game outside the package is under every law, on every shelf.
os.environ.setdefault("DIGSIDE_GAMES", str(Path(__file__).parent / "elsewhere"))

FAULT = "fault"
"""Under this name a test tells how soon a board was off, whichever process it runs in."""

pytest_plugins = ["tests.browser.screens"]  # a game's own folder has tests of its page, too

settings.register_profile("digside", deadline=None, print_blob=True)
settings.load_profile("digside")


@pytest.fixture
def pulse() -> Iterator[Pulse]:
    """Feels how busy this computer is."""
    felt = Pulse()
    yield felt
    felt.close()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: ("browser" in item.keywords) * 2 + ("slow" in item.keywords))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """On CI a test that is skipped has failed."""
    report = yield
    if report.skipped and os.environ.get("CI") == "true":
        report.outcome = "failed"
        report.longrepr = f"skipped on CI: {item.nodeid}: {report.longrepr}"
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """How soon the simulated boards were off after each fault."""
    took: dict[tuple[str, str], str] = {}
    for report in terminalreporter.stats.get("", []):
        for name, told in getattr(report, "user_properties", ()):
            if name == FAULT:
                cause, where, ms = told.split("\t")
                took[cause, where] = ms
    if not took:
        return
    terminalreporter.section("pump off and valve vented after a fault (limit 1000 ms)")
    columns = sorted({where for _, where in took})
    terminalreporter.write_line(" | ".join([f"{'cause':34}", *(f"{column:18}" for column in columns)]))
    for cause in sorted({cause for cause, _ in took}):
        cells = [f"{took.get((cause, column), '-'):18}" for column in columns]
        terminalreporter.write_line(" | ".join([f"{cause:34}", *cells]))
