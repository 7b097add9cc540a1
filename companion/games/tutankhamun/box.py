"""The box of Tutankhamun."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from companion.boxes.box import Box, Count, Name, Part, Some, Worth
from companion.boxes.problems import Amiss, Doubt

SIDE = 4
LAYERS = 6
TWO_OBELISKS_AND_A_SNAKE = {
    "obelisk_base": 2,
    "obelisk_middle": 2,
    "obelisk_top": 2,
    "snake_head": 1,
    "snake_body": 1,
    "snake_tail": 1,
}
WITH_OBELISKS = range(2, LAYERS)


class Outfit(Part, frozen=True):
    """What everybody begins with, and what a turn without digging costs, in silver."""

    silver: Count
    gold: Count
    gold_in_silver: Some
    scarabs: Count
    barricades: Count
    pass_fee: Count


class Coins(Part, frozen=True):
    """The coins that lie in the box."""

    silver: Count
    gold: Count


class Squares(Part, frozen=True):
    """The tray has `side` times `side` squares."""

    side: Some


class TutankhamunBox(Box, frozen=True, kw_only=True):
    """Everything that is printed on the components of Tutankhamun."""

    name: ClassVar[str] = "tutankhamun"
    rule_prefix: ClassVar[str] = "TUT"
    seats_of_the_rules: ClassVar[tuple[int, int]] = (2, 6)
    stated_by: ClassVar[Mapping[str, str]] = {
        "seats": "TUT-01",
        "purse": "TUT-01",
        "purse.pass_fee": "TUT-15",
        "coins": "TUT-01",
        "tray": "TUT-02",
        "layers": "TUT-02",
    }
    replaced_whole: ClassVar[tuple[str, ...]] = ("layers.*",)

    purse: Outfit
    tray: Squares
    values: Mapping[Name, Worth]
    layers: Mapping[int, Mapping[Name, Count]]
    coins: Coins | None = None
    """A box that was kept before they were counted does not say."""

    @property
    def house_worths(self) -> tuple[Name, ...]:
        """The cards whose worth is our stand-in."""
        return tuple(card for card, worth in self.values.items() if worth and self.origin(f"values.{card}") == "house")

    def doubts(self) -> Iterator[Doubt]:
        yield from super().doubts()
        if self.tray.side != SIDE:
            yield "tray.side", Amiss("tutankhamun.amiss.side", side=SIDE)
        if set(self.layers) != set(range(1, LAYERS + 1)):
            yield "layers", Amiss("tutankhamun.amiss.layers", layers=LAYERS)
        for number, layer in self.layers.items():
            yield from self._doubts_about_a_layer(number, layer)

    def _doubts_about_a_layer(self, number: int, layer: Mapping[str, int]) -> Iterator[Doubt]:
        total = sum(layer.values())
        if total != SIDE * SIDE:
            yield f"layers.{number}", Amiss("amiss.cards", n=SIDE * SIDE, found=total)
        for kind in layer:
            if kind not in self.values:
                yield f"layers.{number}.{kind}", Amiss("tutankhamun.amiss.no_value")
            elif number == LAYERS and self.values[kind]:
                yield f"layers.{number}.{kind}", Amiss("tutankhamun.amiss.top_counts")
        for kind, count in TWO_OBELISKS_AND_A_SNAKE.items():
            wanted = count if number in WITH_OBELISKS else 0
            if layer.get(kind, 0) != wanted:
                yield f"layers.{number}.{kind}", Amiss("amiss.so_many_expected", n=wanted, found=layer.get(kind, 0))
