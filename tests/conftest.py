"""Fast tests first, then what takes seconds, then the browser: a mistake shows early."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.pulse import Pulse
from tests.venue.database import Database

# A tiny game outside the package is under every law, on every shelf.
os.environ.setdefault("DIGSIDE_GAMES", str(Path(__file__).parent / "elsewhere"))

FAULT = "fault"
"""Under this name a test tells how soon a board was off, whichever process it runs in."""

AFTERWARDS = "afterwards"
"""Under this name a test tells what a table shows after a fault."""

pytest_plugins = ["tests.browser.screens"]  # a game's own folder has tests of its page, too

settings.register_profile("digside", deadline=None, print_blob=True)
settings.load_profile("digside")


@pytest.fixture
def pulse() -> Iterator[Pulse]:
    """Feels how busy this computer is."""
    felt = Pulse()
    yield felt
    felt.close()


@pytest.fixture(scope="session")
def database() -> Iterator[Database]:
    """PostgreSQL, started when the first test wants it."""
    started = Database()
    yield started
    started.stop()


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


Told = dict[tuple[str, str], str]


@pytest.fixture
def matrix(request: pytest.FixtureRequest) -> Iterator[Told]:
    """What is known of each fault (cause, where), for the table at the end."""
    yield from _kept(request, FAULT)


@pytest.fixture
def afterwards(request: pytest.FixtureRequest) -> Iterator[Told]:
    """What a table shows after each fault (fault and phase, kind of table), for the table at the end."""
    yield from _kept(request, AFTERWARDS)


def _kept(request: pytest.FixtureRequest, kind: str) -> Iterator[Told]:
    found: Told = {}
    yield found
    request.node.user_properties.extend((kind, "\t".join((*place, what))) for place, what in found.items())


TABLES = {
    FAULT: "pump off and valve vented after a fault (limit 800 ms)",
    AFTERWARDS: "what the table shows after a fault",
}


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """How soon the simulated boards were off after each fault, and what the tables showed then."""
    reports = terminalreporter.stats.get("", [])
    told = [each for report in reports for each in getattr(report, "user_properties", ())]
    for kind, title in TABLES.items():
        lines = [line.split("\t") for name, line in told if name == kind]
        if lines:
            terminalreporter.section(title)
            _tell_table(terminalreporter, {(cause, where): what for cause, where, what in lines})


def _tell_table(terminalreporter: pytest.TerminalReporter, told: Told) -> None:
    columns = sorted({where for _, where in told})
    wide = {where: max(len(what) for what in (where, *told.values())) for where in columns}
    terminalreporter.write_line(" | ".join([f"{'cause':34}", *(f"{column:{wide[column]}}" for column in columns)]))
    for cause in sorted({cause for cause, _ in told}):
        cells = [f"{told.get((cause, column), '-'):{wide[column]}}" for column in columns]
        terminalreporter.write_line(" | ".join([f"{cause:34}", *cells]))
