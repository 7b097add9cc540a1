"""WebKit, to which an iPad's Safari is kin, and Firefox: a table is played in them as it is in Chromium."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.drivers import BROWSERS
from tests.browser.flows import SHORT
from tests.browser.screens import TABLET
from tests.browser.tables import Service

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("name", BROWSERS)
def test_a_table_is_laid_and_played(own_service: Service, tmp_path: Path, name: str) -> None:
    (home := tmp_path / name).mkdir()
    with BROWSERS[name](home) as window:
        window.size(**TABLET)
        for flow in SHORT:
            flow(window, own_service)
            assert window.wrongs() == [], flow.__name__
