"""The box of Tutankhamun."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import ClassVar

from companion.boxes.box import Box, Count, Name, Part, Some, Value, Worth
from companion.boxes.problems import Doubt, FigureProblem
from companion.pieces.box_differences import VariablePart

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
MOST_WORTH, MOST_HARM = 12, 20
"""More than a card of any copy brings, or costs."""
LOWEST = 1
"""The layer that has obelisks and a snake in some copies, and none in others."""


class Outfit(Part, frozen=True):
    """What everybody begins with, and what a turn without digging costs, in silver."""

    silver: Count
    gold: Count
    gold_in_silver: Some
    scarabs: Count
    barricades: Count
    pass_fee: Count


class CoinSupply(Part, frozen=True):
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
    coins: CoinSupply | None = None
    """A box that was kept before they were counted does not say."""

    def _readings(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        """What the cards are worth; a danger stays one, and the blank layer is worth nothing."""
        for card, worth in self.values.items():
            if card not in self.layers[LAYERS]:
                yield f"values.{card}", tuple(range(-MOST_HARM, 0) if worth < 0 else range(MOST_WORTH + 1))

    def said_as(self, part: str) -> tuple[str, ...]:
        return ("worth", *part.split(".")[1:])

    @property
    def house_worths(self) -> tuple[Name, ...]:
        """The cards whose worth is our stand-in."""
        return tuple(card for card, worth in self.values.items() if worth and self.origin(f"values.{card}") == "house")

    @cached_property
    def loose(self) -> Mapping[str, VariablePart]:
        """For each layer by its number, below the blank one, the cards of which it may have more or fewer: any that is
        neither blank nor a piece of the obelisks and the snake; in the lowest these too, where it is to have none."""
        blank = self.layers[LAYERS]
        cards = tuple(card for card in self.values if card not in TWO_OBELISKS_AND_A_SNAKE and card not in blank)
        return {
            str(number): VariablePart(
                f"layers.{number}", cards, {"type": "otherwise_layer", "layer": number}, self._pieces_to_come(number)
            )
            for number in range(1, LAYERS)
            if self.origin(f"layers.{number}") != "rules"
        }

    def _pieces_to_come(self, number: int) -> dict[str, int]:
        has_pieces = any(self.layers[number].get(piece) for piece in TWO_OBELISKS_AND_A_SNAKE)
        return TWO_OBELISKS_AND_A_SNAKE if number == LOWEST and not has_pieces else {}

    def put_right(self, where: str, more: Mapping[str, int]) -> dict[str, Value]:
        counts = Counter(self.layers[int(where.partition(".")[2])])
        counts.update(more)
        return {where: {card: count for card, count in counts.items() if count > 0}}

    def doubts(self) -> Iterator[Doubt]:
        yield from super().doubts()
        if self.tray.side != SIDE:
            yield "tray.side", FigureProblem("tutankhamun.amiss.side", side=SIDE)
        if set(self.layers) != set(range(1, LAYERS + 1)):
            yield "layers", FigureProblem("tutankhamun.amiss.layers", layers=LAYERS)
        for number, layer in self.layers.items():
            yield from self._doubts_about_a_layer(number, layer)

    def _doubts_about_a_layer(self, number: int, layer: Mapping[str, int]) -> Iterator[Doubt]:
        total = sum(layer.values())
        if total != SIDE * SIDE:
            yield f"layers.{number}", FigureProblem("amiss.cards", n=SIDE * SIDE, found=total)
        for kind in layer:
            if kind not in self.values:
                yield f"layers.{number}.{kind}", FigureProblem("tutankhamun.amiss.no_value")
            elif number == LAYERS and self.values[kind]:
                yield f"layers.{number}.{kind}", FigureProblem("tutankhamun.amiss.top_counts")
        has_pieces = number in WITH_OBELISKS or (
            number == LOWEST and any(layer.get(kind) for kind in TWO_OBELISKS_AND_A_SNAKE)
        )
        for kind, count in TWO_OBELISKS_AND_A_SNAKE.items():
            wanted = count if has_pieces else 0
            if layer.get(kind, 0) != wanted:
                yield (
                    f"layers.{number}.{kind}",
                    FigureProblem("amiss.so_many_expected", n=wanted, found=layer.get(kind, 0)),
                )
