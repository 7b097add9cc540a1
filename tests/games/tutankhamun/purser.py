"""Money reckoned from the steps alone, by the rulebook: a second opinion beside the referee."""

from __future__ import annotations

from companion.game import Dealt, Played, Step
from companion.games.tutankhamun.moves import Pass, Scarab, Stop
from companion.games.tutankhamun.state import TutankhamunState
from tests.games.tutankhamun.site import box


class Purser:
    """Keeps the purses of a game; who cannot pay is left with nothing."""

    def __init__(self, seats: int) -> None:
        self.purses = [10] * seats
        self.aside = 0
        self.factor = 1
        self.values = box().values

    def follow(self, before: TutankhamunState, step: Step, *, is_last: bool) -> None:
        match step:
            case Played(move=Scarab()):
                self.factor = 2
            case Played(move=Pass()):
                self.pay(before.seat, 3)
            case Played(move=Stop()):
                self.keep(before.seat)
            case Dealt(outcome=card) if before.phase == "uncovering":
                points = self.values[str(card)] * self.factor
                if points < 0:
                    self.pay(before.seat, -points)
                else:
                    self.aside += points
                    if is_last:
                        self.keep(before.seat)
            case _:
                pass

    def keep(self, seat: int) -> None:
        self.purses[seat] += self.aside
        self.aside, self.factor = 0, 1

    def pay(self, seat: int, silver: int) -> None:
        self.purses[seat] = max(self.purses[seat] - silver, 0)
        self.aside, self.factor = 0, 1
