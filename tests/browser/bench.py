"""The simulated rig beside a table, to be poked and waited for."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from tests.browser.tables import Service, Table

PATIENCE = 20.0


class Bench:
    """What stands beside a table, and its host's hand on it."""

    def __init__(self, service: Service, table: Table) -> None:
        self.service = service
        self.table = table

    @property
    def state(self) -> dict[str, Any]:
        told: dict[str, Any] = self.service.call("GET", "/api/rig")
        return told

    @property
    def shovel(self) -> dict[str, Any]:
        told: dict[str, Any] = self.state["shovel"]
        return told

    def poke(self, doing: str, value: float | None = None) -> Bench:
        return self._ask("world", {"do": doing} | ({} if value is None else {"value": value}))

    def hand(self, doing: str) -> Bench:
        return self._ask("shovel", {"do": doing})

    def read(self, *readings: str) -> Bench:
        for reading in readings:
            self.at_rest()
            self.poke("card" if reading == "sealed" else "no_card")._ask("calibrate", {"reading": reading})
        return self.at_rest()

    def until(self, is_so: Callable[[dict[str, Any]], bool]) -> Bench:
        end = time.monotonic() + PATIENCE
        while not is_so(self.shovel):
            assert time.monotonic() < end, self.shovel
            time.sleep(0.02)
        return self

    def at_rest(self) -> Bench:
        return self.until(
            lambda shovel: shovel["state"] == "off" and not shovel["resting"] and (shovel["vacuum_kpa"] or 0) < 1
        )

    def holding(self) -> Bench:
        return self.at_rest().poke("card").hand("grip").until(lambda shovel: shovel["state"] == "holding")

    def take(self) -> Bench:
        """Have the rig, whichever table has it now."""
        self.service.call("POST", f"/api/tables/{self.table.id}/rig", {}, self.service.owner)
        return self

    def tidy(self) -> Bench:
        """As it was at the start: nothing on the cup, nothing broken."""
        if self.shovel["state"] not in {"off", "fault"}:
            self.hand("stop")
        self.poke("replug").poke("no_card").poke("leak", 0)
        self.until(lambda shovel: self.state["link"]["connected"])
        if self.shovel["fault"]:
            self.hand("clear")
        return self.at_rest()

    def _ask(self, what: str, body: dict[str, object]) -> Bench:
        self.service.call("POST", f"/api/rig/{what}", body, self.service.owner)
        return self


def gripping(bench: Bench) -> None:
    bench.poke("no_card").hand("grip")


def held(bench: Bench) -> None:
    bench.holding()


def doubted(bench: Bench) -> None:
    bench.holding().poke("leak", 1).until(lambda shovel: bool(shovel["doubt"]))


def nothing_lifted(bench: Bench) -> None:
    bench.poke("no_card").hand("grip").until(lambda shovel: bool(shovel["outcome"]) and shovel["state"] == "off")


def faulty(bench: Bench) -> None:
    bench.holding().poke("brown_out").until(lambda shovel: shovel["state"] == "fault")


def unplugged(bench: Bench) -> None:
    bench.poke("unplug").until(lambda shovel: shovel["state"] == "fault")


def calibrated(bench: Bench) -> None:
    bench.read("ambient", "open", "sealed")


def resting(bench: Bench) -> None:
    bench.at_rest()


POSTURES: dict[str, Callable[[Bench], None]] = {
    each.__name__: each for each in (resting, gripping, held, doubted, nothing_lifted, faulty, unplugged, calibrated)
}
