"""Where `digside check-game` is at work, only the laws that are about its games are held."""

from __future__ import annotations

import pytest

from tests.laws.play import CHECKED, Way


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not CHECKED:
        return
    about = [item for item in items if _is_about(item)]
    config.hook.pytest_deselected(items=[item for item in items if item not in about])
    items[:] = about


def _is_about(item: pytest.Item) -> bool:
    """Whether a law is held against one of the games."""
    params = getattr(getattr(item, "callspec", None), "params", {})
    told = {param.box if isinstance(param, Way) else param for param in params.values() if isinstance(param, Way | str)}
    return not told.isdisjoint(CHECKED)
