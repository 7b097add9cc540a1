"""Fast tests first, then what takes seconds, then the browser: a mistake shows early."""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import settings

# A tiny game outside the package is under every law, on every shelf.
os.environ.setdefault("DIGSIDE_GAMES", str(Path(__file__).parent / "elsewhere"))

settings.register_profile("digside", deadline=None, print_blob=True)
settings.load_profile("digside")


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
