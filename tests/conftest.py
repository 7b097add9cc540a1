"""Fast tests first, then what takes seconds, then the browser: a mistake shows early."""

from __future__ import annotations

import pytest
from hypothesis import settings

settings.register_profile("digside", deadline=None, print_blob=True)
settings.load_profile("digside")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: ("browser" in item.keywords) * 2 + ("slow" in item.keywords))
