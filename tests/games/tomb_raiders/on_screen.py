"""Hands at the page of The Tomb Raiders, and tables played to where there is something to see."""

from __future__ import annotations

import random
import urllib.error
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.tables import Service, Table

Move = dict[str, Any]
GREEN = "green_back"


def laid(service: Service, seats: int = 2, **more: Any) -> Table:
    return service.lay("tomb_raiders", seats, mode="referee", **more)


def moves(table: Table, seat: int) -> list[Move]:
    """What a seat may do."""
    told: list[Move] = table.service.call("GET", f"/api/tables/{table.id}/moves", key=table.seats[seat])["moves"]
    return told


def seen_by(table: Table, seat: int) -> dict[str, Any]:
    """The table as a seat sees it."""
    view: dict[str, Any] = table.service.call("GET", f"/api/tables/{table.id}", key=table.seats[seat])
    return view


def settled(table: Table, luck: random.Random | None = None) -> Table:
    """On until somebody is to move: what is Digside's is dealt, of real cards the next is green, or any that can be."""
    while (ask := table.view["ask"])["kind"] == "chance":
        if ask["source"] == "companion":
            table.deal()
            continue
        outcomes = [outcome for outcome, weight in ask["odds"] if weight != 0]
        told = [GREEN] * (GREEN in outcomes) + (luck or random.Random(1)).sample(outcomes, len(outcomes))
        next(outcome for outcome in told if _dealt(table, outcome))
    return table


def _dealt(table: Table, outcome: str) -> bool:
    try:
        table.deal(outcome)
    except urllib.error.HTTPError:
        return False
    return True


def wish(legal: list[Move], luck: random.Random) -> Move:
    """What somebody might do: present what can be presented, use the hand, dig long, else take a card."""
    by_kind: dict[str, list[Move]] = {}
    for move in legal:
        if move["type"] != "dig" or move["weeks"] >= 4:
            by_kind.setdefault(move["type"], []).append(move)
    for kind, often in (("exhibit", 1.0), ("play", 0.7), ("dig", 0.5), ("museum", 0.1)):
        if kind in by_kind and luck.random() < often:
            return luck.choice(by_kind[kind])
    return luck.choice(by_kind.get("take") or legal)


def wander(table: Table, steps: int, seed: int = 5, *, until: Callable[[dict[str, Any]], bool] | None = None) -> Table:
    """Some moves of a game, or until there is something to see."""
    luck = random.Random(seed)
    for _ in range(steps):
        view = table.view
        if view["ask"]["kind"] == "chance":
            view = settled(table, luck).view
        if view["over"] or (until and until(view)):
            break
        table.press("moves", move=wish(moves(table, view["ask"]["seat"]), luck))
    return table


class Hand:
    """A hand at a phone, or at the tablet that is handed over: every move is made with what is seen there."""

    def __init__(self, page: Page, table: Table) -> None:
        self.page = page
        self.table = table

    @property
    def on_phone(self) -> bool:
        return bool(self.page.evaluate("innerWidth < 600"))

    def touch(self, thing: Locator) -> None:
        thing.tap() if self.on_phone else thing.click()

    def play(self, move: Move) -> None:
        """Make a move, and wait until the page shows the table after it."""
        seq = self.table.view["played"]
        kind = "keep" if move.get("artifact") else "play_card" if move["type"] == "play" else move["type"]
        getattr(self, kind)(move)
        expect(self.page.locator(f".tr-board[data-played='{seq}']")).to_have_count(0)

    def tab(self, name: str) -> None:
        if self.on_phone:
            self.touch(self.page.locator(f"#tab-{name}"))

    def open_hand(self) -> None:
        """On the tablet it is handed over and held open; a screen reader presses, which cannot hold."""
        self.tab("hand")
        if not self.on_phone:
            self.page.locator(".ask .tr-open-hand").dispatch_event("click", {"detail": 0})
            self.page.wait_for_selector(".tr-hand-sheet .tr-hand")

    def take(self, move: Move) -> None:
        """Touched once it is thought about, touched again it is taken."""
        self.tab("cards")
        storage = self.table.view["board"]["storage"]
        card = self.page.locator(".tr-storage > *").nth(storage.index(move["card"]))
        self.touch(card)
        expect(card).to_have_attribute("aria-pressed", "true")
        self.deed()

    def exhibit(self, move: Move) -> None:
        self.tab("cards")
        self.touch(self._shown(move))
        self.deed()

    def museum(self, move: Move) -> None:
        self.tab("cards")
        self.touch(self._shown(move))
        sheet = self.page.locator("dialog")
        finds = sorted(self.table.view["board"]["seats"][self.table.view["ask"]["seat"]]["finds"])
        for given in sheet.locator(".tr-pick[aria-pressed=true]").all()[::-1]:
            self.touch(given)
        wanted = list(move["artifacts"])
        for place, artifact in enumerate(finds):
            if artifact in wanted:
                wanted.remove(artifact)
                self.touch(sheet.locator(".tr-pick").nth(place))
        self.deed()

    def dig(self, move: Move) -> None:
        self.open_hand()
        seat = self.table.view["ask"]["seat"]
        held = [card["id"] for card in seen_by(self.table, seat)["you"]["hand"]]
        general = "excavation-general" if "excavation-general" in held else "general_excavation"
        card = f"excavation-{move['region']}" if move["permit"] == "region" else general
        self.touch(self.page.locator(".tr-held").nth(held.index(card)))
        if move["permit"] == "general":
            self._region(move)
        self.touch(self.page.locator(".tr-week").nth(move["weeks"] - 1))
        self.deed()

    def play_card(self, move: Move) -> None:
        """It is touched, its pile chosen where it asks for one, and done."""
        self.open_hand()
        held = [card["id"] for card in seen_by(self.table, self.table.view["ask"]["seat"])["you"]["hand"]]
        self.touch(self.page.locator(".tr-held").nth(held.index(move["card"])))
        if move.get("region"):
            self._region(move)
        self.deed()

    def keep(self, move: Move) -> None:
        self.open_hand()
        options = seen_by(self.table, self.table.view["ask"]["seat"])["ask"]["options"]
        self.touch(self.page.locator(".tr-pick").nth(options["keep"]["artifacts"].index(move["artifact"])))
        self.deed()

    def deed(self) -> None:
        self.touch(self.page.locator(".do-it:visible:not([aria-disabled])"))

    def _shown(self, move: Move) -> Locator:
        board = self.table.view["board"]
        shown = [card["id"] for card in (*board["exhibitions"], *board["museums"])]
        return self.page.locator(".tr-ticket").nth(shown.index(move["card"]))

    def _region(self, move: Move) -> None:
        regions = [region["id"] for region in self.table.view["board"]["regions"]]
        self.touch(self.page.locator(".tr-regions .button").nth(regions.index(move["region"])))
