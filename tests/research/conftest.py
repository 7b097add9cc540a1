"""What the libraries' own tests say of the adapters is tried where they are installed: ``make research``."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

NEEDS = {"openspiel": "pyspiel", "pettingzoo": "pettingzoo", "home_assistant": "homeassistant"}
"""Which library a test is for, by a word in its name."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests of a library that is not there: it is no part of what a service or its tests need."""
    absent = [word for word, library in NEEDS.items() if find_spec(library) is None]
    left_out = [item for item in items if any(word in item.name for word in absent)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


def pytest_report_header(config: pytest.Config) -> str | None:
    absent = [library for library in NEEDS.values() if find_spec(library) is None]
    return f"left out: tests of {' and '.join(absent)} (make research)" if absent else None
