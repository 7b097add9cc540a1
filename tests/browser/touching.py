"""Somebody plays with a finger who knows no rules: touches what lies open to be touched, until a move is made."""

from __future__ import annotations

import random
from collections import Counter
from http import HTTPStatus
from typing import Any
from urllib.error import HTTPError

from playwright.sync_api import Page

from tests.browser.tables import Service, Table

PICK = """([luck, answers]) => {
  const top = [...document.querySelectorAll("dialog[open], .scene-player")].at(-1);
  const places = top ? [top] : [...document.querySelectorAll(".board, .ask, .dock, .action-bar, .plan-sheet, .tabs")];
  const all = new Set(places.flatMap((place) =>
    [...place.querySelectorAll("button, [role=button], .hit, .tray-square")]));
  const NOT = ".undo, .big-stop, .stop-place, .log, .hint, [aria-disabled=true], :disabled, a";
  const can = [...all].filter((each) => !each.closest(NOT) && each.checkVisibility({ visibilityProperty: true }));
  const answer = can.filter((each) => each.matches(".main, .do-it, .deal"));
  const among = answers && answer.length > 0 ? answer : can;
  for (let tries = 0; tries < 8 && among.length > 0; tries++) {
    const one = among[Math.floor(((luck * (tries + 1)) % 1) * among.length)];
    one.scrollIntoView({ block: "nearest", inline: "nearest" });
    const { left, top: high, width, height } = one.getBoundingClientRect();
    const [x, y] = [left + width / 2, high + height / 2];
    if (one.contains(document.elementFromPoint(x, y))) return [x, y];
  }
  return null;
}"""
"""Where something can be touched: what answers, where there is such a thing, or anything else."""
ANSWERED = 0.7
REST_MS = 120
TOUCHES = 60


def touch(page: Page, table: Table, luck: random.Random, most: int = TOUCHES) -> int:
    """Touch until the table has gone on; how many touches it took, or 0 where it has not."""
    before: Any = table.view["played"]
    for nth in range(1, most + 1):
        place = page.evaluate(PICK, [luck.random(), luck.random() < ANSWERED])
        if place is not None:
            page.touchscreen.tap(*place)
        page.wait_for_timeout(REST_MS)
        if table.view["played"] != before:
            return nth
    return 0


class Session:
    """A game of three: two with phones, and one who plays by the host's device.

    :ivar phones: the pages of those who have one, by their seats.
    :ivar by_touch: how many turns of each seat were made by touch.
    """

    def __init__(self, service: Service, box: str) -> None:
        self.service = service
        self.table: Table = service.lay(box, 3, mode="referee", names=("Player 1", "Player 2", "Player 3"))
        self.phones: dict[int, Page] = {}
        self.by_touch: Counter[int] = Counter()
        self._luck = random.Random(box)

    @property
    def view(self) -> dict[str, Any]:
        view: dict[str, Any] = self.service.call("GET", f"/api/tables/{self.table.id}", key=self.table.seats[0])
        return view

    def play(self, host: str, most: int, *, touched: int) -> None:
        """Each seat plays with its own device, the one without a phone with the host's, until it is over.

        :param touched: so many turns of each phone are made by touch, the others by the same calls as its page makes.
        """
        left = dict.fromkeys(self.phones, touched)
        for _ in range(most):
            view = self.view
            if view["over"]:
                return
            ask = view["ask"]
            seat = ask["seats"][0] if ask["kind"] == "move" else (ask["seat"] or 0)
            if left.get(seat):
                left[seat] -= 1
                if touch(self.phones[seat], self.table, self._luck):
                    self.by_touch[seat] += 1
                    continue
            self._call(ask, seat, host if seat == 2 else self.table.seats[seat], host)

    def _call(self, ask: dict[str, Any], seat: int, key: str, host: str) -> None:
        """Draw, or make any move; a touch whose answer came late may have been before it."""
        try:
            if ask["kind"] == "chance":
                self.table.press("outcome", key=key, outcome=None)
            elif moves := self._moves(seat, key, host):
                self.table.press("moves", key=key, move=self._luck.choice(moves), seat=seat)
        except HTTPError as refused:
            if refused.code != HTTPStatus.CONFLICT:
                raise

    def _moves(self, seat: int, key: str, host: str) -> list[dict[str, Any]]:
        path = f"/api/tables/{self.table.id}/moves"
        eyes = f"{path}?seat={seat}" if key == host else path
        told: dict[str, list[dict[str, Any]]] = self.service.call("GET", eyes, key=key)
        return told["moves"]
