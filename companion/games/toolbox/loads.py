"""What everybody carries, the level it makes, and the actions that the dice give for it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.games.toolbox import seen
from companion.games.toolbox.cards import Cards
from companion.games.toolbox.face_down import FaceDown
from companion.games.toolbox.kit import Tool, ToolboxTable
from companion.parts import Act, Facts, changed
from companion.refusals import Illegal, Refusal


class Carry(Act[ToolboxTable], frozen=True, tag="carry"):
    """Counts cards that lie before a seat and that no deck here dealt: so many more, or fewer."""

    seat: int
    cards: int

    @classmethod
    def thinkable(cls, table: ToolboxTable) -> Iterator[Carry]:
        for seat in table.seats:
            yield from (act for more in (-1, 1) if not (act := cls(seat, more)).why_not(table))

    def why_not(self, table: ToolboxTable) -> Refusal | None:
        if refusal := table.no_seat(self.seat):
            return refusal
        loads = table.tool(Loads)
        if not self.cards or not 0 <= loads.carried(table, self.seat) + self.cards <= loads.most:
            return Illegal("toolbox.carried", rule="TBX-26", most=loads.most)
        return None

    def done(self, table: ToolboxTable) -> ToolboxTable:
        loads = table.tool(Loads)
        return table.laid(
            replace(loads, by_hand=changed(loads.by_hand, self.seat, loads.by_hand[self.seat] + self.cards))
        )

    def log_facts(self, table: ToolboxTable) -> Facts:
        n = table.tool(Loads).carried(table, self.seat) + self.cards
        return super().log_facts(table) | {"whose": table.called(self.seat), "n": n}


class Loads(Tool, frozen=True):
    """The table of levels, and what everybody carries.

    :param levels: what a die has to reach, for each number of cards.
    :param curses: for each card that curses a die, the die's colour.
    :param origins: where the level for each number of cards is from.
    :param by_hand: for each seat the cards that were counted by hand.
    :param actions: what the last roll of all dice gave each seat.
    """

    name = "loads"
    acts = (Carry,)

    levels: tuple[int, ...]
    curses: dict[str, str]
    origins: tuple[str, ...]
    by_hand: tuple[int, ...] = ()
    actions: tuple[int, ...] = ()

    def laid_out(self, seats: int) -> Loads:
        return replace(self, by_hand=(0,) * seats)

    @property
    def most(self) -> int:
        """More than this nobody carries."""
        return len(self.levels) - 1

    def carried(self, table: ToolboxTable, seat: int) -> int:
        """How many cards lie before a seat."""
        covered = table.tool(FaceDown).carried(seat) if FaceDown.name in table.state.tools else 0
        return self.by_hand[seat] + len(table.tool(Cards).before[seat]) + covered

    def level(self, table: ToolboxTable, seat: int) -> int:
        """What a die has to reach for a seat."""
        return self.levels[max(0, min(self.carried(table, seat), self.most))]

    def cursed(self, table: ToolboxTable, seat: int) -> tuple[str, ...]:
        """The colours of the dice that do not count for a seat."""
        before = table.tool(Cards).before[seat]
        return tuple(colour for card, colour in self.curses.items() if card in before)

    def rolled(self, table: ToolboxTable, dice: dict[str, int]) -> Loads:
        """After all dice were rolled: so many actions has each seat."""
        return replace(self, actions=tuple(self._given(table, seat, dice) for seat in table.seats))

    def _given(self, table: ToolboxTable, seat: int, dice: dict[str, int]) -> int:
        cursed, level = self.cursed(table, seat), self.level(table, seat)
        return sum(face >= level for colour, face in dice.items() if colour not in cursed)

    def board(self, table: ToolboxTable) -> seen.ToolboxBoard:
        return {
            "loads": [
                {
                    "cards": self.carried(table, seat),
                    "level": self.level(table, seat),
                    "from": self.origins[max(0, min(self.carried(table, seat), self.most))],
                    "cursed": list(self.cursed(table, seat)),
                    "actions": self.actions[seat] if self.actions else None,
                }
                for seat in table.seats
            ],
            "levels": list(self.levels),
        }
