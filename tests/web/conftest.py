"""A service over a fresh hall with the rig of a test, asked through Flask's own client."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from companion.play.hall import Hall
from hardware.face import NoRig, Rig
from tests.web.live import STARTED
from tests.web.people import Asker, Browser, sit_down
from web_ui.app import create_app
from web_ui.rate import Pace
from web_ui.settings import Settings

WILD = Pace(1e9, 1e9)
UNCOUNTED = Settings(taps=WILD, looks=WILD, layings=WILD, guesses=WILD)


@pytest.fixture(scope="session", autouse=True)
def nothing_left_running() -> Iterator[None]:
    """A test that fails in the middle leaves no service behind."""
    yield
    for process in STARTED:
        process.kill()
        process.wait()


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    """Tables in a folder of the test's own."""
    hall = Hall(tmp_path / "data")
    yield hall
    hall.close()


@pytest.fixture
def rig() -> Rig:
    """Nothing beside the table, unless a test says otherwise."""
    return NoRig()


@pytest.fixture
def app(hall: Hall, rig: Rig) -> Iterator[Flask]:
    """The application."""
    app = create_app(hall, rig, settings=UNCOUNTED)
    yield app
    app.extensions["digside"].close()


@pytest.fixture
def client(app: Flask) -> Browser:
    """A browser that keeps its cookies."""
    return Browser(app)


@pytest.fixture
def table(app: Flask) -> Asker:
    """The host at a table of Ada and Ben, with all that is drawn at the start drawn."""
    return sit_down(app)
