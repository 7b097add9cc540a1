"""A hand at the page of Jenseits von Theben, and tables played to where there is something to see."""

from __future__ import annotations

import random
import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.tables import Service, Table

SITES = ("greece", "crete", "egypt", "palestine", "mesopotamia")
LONG_DIG = 9
LITTLE = 5
Move = dict[str, Any]


def referee(service: Service, seats: int = 2, **more: Any) -> Table:
    return service.lay("jenseits", seats, mode="referee", **more)


def moves(table: Table) -> list[Move]:
    told: list[Move] = table.service.call("GET", f"/api/tables/{table.id}/moves", key=table.host)["moves"]
    return told


def wander(table: Table, steps: int, seed: int = 5) -> Table:
    """Some steps of a game: exhibitions and long digs where they can be had, else cards."""
    luck = random.Random(seed)
    for _ in range(steps):
        if table.view["ask"]["kind"] == "over":
            break
        if table.view["ask"]["kind"] == "chance":
            table.deal()
            continue
        table.press("moves", move=_wish(moves(table), luck))
    return table


def _wish(legal: list[Move], luck: random.Random) -> Move:
    for kind in ("exhibit", "dig"):
        wanted = [move for move in legal if move["type"] == kind and move.get("weeks", 9) >= 4]
        if wanted and luck.random() < 0.4:
            return luck.choice(wanted)
    return luck.choice([move for move in legal if move["type"] == "take"] or legal)


def to_a_dig(table: Table, weeks: int = 5, tokens: int = 1) -> tuple[Table, Move]:
    """On until somebody can dig so long and draw as much, and such a dig."""
    while True:
        if table.view["ask"]["kind"] == "chance":
            table.deal()
            continue
        legal = moves(table)
        drawn = {site: told["ways"][0]["weeks"] for site, told in table.view["ask"]["options"]["sites"].items()}
        for move in legal:
            plain = move["type"] == "dig" and move["weeks"] == weeks and not {"use", "zeppelin"} & move.keys()
            if plain and drawn[move["site"]][weeks - 1]["tokens"] >= tokens:
                return table, move
        books = [move for move in legal if move["type"] == "take" and move["card"].startswith("book")]
        table.press("moves", move=(books or [move for move in legal if move["type"] != "retire"])[0])


class Hand:
    """A hand at the page of the host's tablet: every move is made with what is seen there."""

    def __init__(self, page: Page, table: Table) -> None:
        self.page = page
        self.table = table

    def play(self, move: Move) -> None:
        """Make a move, and wait until the page shows the table after it."""
        seq = self.table.view["played"]
        getattr(self, move["type"])(move)
        expect(self.page.locator(f".jboard[data-played='{seq}']")).to_have_count(0)

    def take(self, move: Move) -> None:
        cards = [card and card["id"] for card in self.table.view["board"]["open"]]
        self.page.locator(".open-cards > :not(.pile)").nth(cards.index(move["card"])).click()
        self._plan(move)

    def exhibit(self, move: Move) -> None:
        shown = [card and card["id"] for card in self.table.view["board"]["exhibitions"].values()]
        self.page.locator(".exhibitions > *").nth(shown.index(move["card"])).click()
        self._plan(move)

    def refresh(self, move: Move) -> None:
        self.page.locator(".pile").click()
        self._plan(move)

    def _plan(self, move: Move) -> None:
        if move.get("zeppelin"):
            self.page.locator(".plan-sheet").get_by_role("button", name="Zeppelin").click()
        self.page.locator(".plan-sheet .do-it").click()

    def dig(self, move: Move) -> None:
        self.think(move)
        self.page.locator(".dig-sheet .do-it").click()

    def think(self, move: Move) -> None:
        """Open a site's sheet and set it to a dig."""
        self.open_site(move["site"])
        for use in move.get("use", ()):
            named = use.replace("_", " ").capitalize()
            self.page.get_by_role("group", name="Use up").get_by_role("button", name=named).click()
        if move.get("zeppelin"):
            self.page.locator(".deed").get_by_role("button", name="Zeppelin").click()
        self.page.locator(".week-choice").nth(move["weeks"] - 1).click()

    def open_site(self, site: str) -> None:
        self.page.locator(".site .hit").nth(SITES.index(site)).click()

    def retire(self, move: Move) -> None:
        self.page.locator("[data-sheet=menu]").click()
        self.page.get_by_role("button", name=re.compile("^Retire: give up")).click()
        self.page.get_by_role("button", name=re.compile("^Retire for good")).click()


def best(table: Table) -> Move:
    """What a player in a hurry does: exhibitions, long digs, then books; retires when little is left."""
    legal = moves(table)
    if table.view["ask"]["options"]["left"] <= LITTLE:
        return {"type": "retire"}
    for wanted in (
        [move for move in legal if move["type"] == "exhibit"],
        [move for move in legal if move["type"] == "dig" and move["weeks"] >= LONG_DIG],
        [move for move in legal if move["type"] == "take" and "zeppelin" not in move],
        [move for move in legal if move["type"] == "refresh"],
    ):
        if wanted:
            return max(wanted, key=lambda move: (move.get("weeks", 0), len(move.get("use", ()))))
    return {"type": "retire"}
