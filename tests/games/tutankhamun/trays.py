"""Tables of Tutankhamun for the browser tests: dug, to be laid, passed out; and how a hand finds its way on them."""

from __future__ import annotations

import random
import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.tables import Service, Table

SQUARES = [f"{column}{row}" for row in range(1, 5) for column in "abcd"]


def dig(service: Service, seats: int = 2, **options: object) -> Table:
    """A tray that is laid and turned, or real."""
    return service.lay("tutankhamun", seats, mode="referee", options=options).begun()


def dug(service: Service, digs: int, seats: int = 4, seed: int = 3, **options: object) -> Table:
    """A game in which some have dug and set barricades."""
    table, luck = dig(service, seats, **options), random.Random(seed)
    while digs and (view := table.view)["ask"]["kind"] == "move":
        aids, turn = view["ask"]["options"], view["board"]["turn"]
        if view["board"]["phase"] == "closing":
            free = [square for square, aid in aids["squares"].items() if aid["barricade"]["legal"]]
            table.move("barricade", square=luck.choice(free)) if free and luck.random() < 0.5 else table.move(
                "no_barricade"
            )
        elif turn["digs"] == 3:
            table.move("stop")
        else:
            open_ones = [square for square, aid in aids["squares"].items() if aid["dig"]["legal"]]
            table.move("dig", square=luck.choice(open_ones))
            digs -= 1
    return table


def in_a_turn(table: Table) -> Table:
    """Nobody is asked for a barricade."""
    return table.move("no_barricade") if table.view["board"]["phase"] == "closing" else table


def passed(table: Table) -> Table:
    """All who are still in pass, and the tray is turned up."""
    while (view := table.view)["ask"]["kind"] == "move":
        actions = view["ask"]["options"]["actions"]
        kind = next(kind for kind in ("pass", "stop", "no_barricade") if actions[kind]["legal"])
        table.move(kind)
    return table


def to_lay(service: Service, layer: int = 2) -> tuple[Table, list[str]]:
    """A tray whose layers are laid by hand, up to one that is due, and a legal way to lay that one."""
    table = service.lay("tutankhamun", 3, mode="referee", options={"tray": "laid"})
    for _ in range(layer - 1):
        table.move("deal")
    moves = service.call("GET", f"/api/tables/{table.id}/moves", key=table.host)["moves"]
    return table, next(move["cards"] for move in moves if move["type"] == "lay")


def square(page: Page, name: str) -> Any:
    return page.get_by_role("button", name=re.compile(f"^{name}: "))


def depth(table: Table, name: str) -> int:
    cards: int = next(each["depth"] for each in table.view["board"]["tray"]["squares"] if each["square"] == name)
    return cards


def lifting(page: Page, name: str = "b2") -> None:
    """A lift of a square's card has begun on the page."""
    square(page, name).click()
    page.get_by_role("button", name=re.compile("^(Lift with the shovel|Try again)$")).click()
    expect(page.locator(".tut-lifting.tut-bar")).to_be_visible()
