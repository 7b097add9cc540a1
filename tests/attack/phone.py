"""What a phone's page of the luck finds, in a browser."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Route

SCRIPTS = Path(__file__).parents[2] / "web_ui" / "static"
PROVE = """async (cases) => {
  const { prove } = await import("/static/luck/proof.js");
  return cases.map(([record, draws, seen]) => prove(record, draws.draws, seen));
}"""


def proved_by_phone(browser: Browser, games: Sequence[tuple[Any, Any, Any]]) -> list[Any]:
    """What it says of records, each with its draws and what it saw of the game."""
    page = browser.new_page()
    try:
        page.route("**/*", _script)
        page.goto("http://digside.test/")
        found: list[Any] = page.evaluate(PROVE, [[*game] for game in games])
        return found
    finally:
        page.close()


def _script(route: Route) -> None:
    name = route.request.url.partition("/static/")[2]
    if name:
        route.fulfill(body=(SCRIPTS / name).read_text("utf-8"), content_type="text/javascript")
    else:
        route.fulfill(body="<!doctype html>", content_type="text/html")
