"""The rules of the shaft: draw stones from one bag as long as you dare; the second rock of a turn buries your haul."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from companion.game import Chance, Finished, Json, Outcome, Score, Setup, State
from companion.parts import SEATS, Act, ChoiceOf, Draw, Facts, RuledCorrection, TableView, changed
from companion.pieces.bag import Bag
from companion.referee import Referee, answer
from companion.refusals import Illegal, Refusal

ROCK = "rock"
Gem = Literal["agate", "beryl"]


class Terms(msgspec.Struct, frozen=True):
    """What is in the bag at the start, what each stone is worth, and who plays."""

    names: tuple[str, ...]
    stones: dict[str, int]
    worth: dict[str, int]


class Shaft(State, frozen=True):
    """A game of the shaft at one moment.

    :param kept: before each seat, the stones that are its own.
    :param haul: what this turn has brought up.
    :param reaching: a hand is in the bag.
    """

    seat: int
    bag: Bag
    kept: tuple[tuple[str, ...], ...]
    haul: tuple[str, ...] = ()
    reaching: bool = False


class Table(TableView[Shaft, Terms]):
    """The bag, the haul, and who digs."""

    @property
    def gems_left(self) -> bool:
        return any(stone != ROCK for stone in self.state.bag.counts)

    def worth(self, stones: tuple[str, ...]) -> int:
        return sum(self.terms.worth[stone] for stone in stones)

    def next_turn(self, *, kept: bool) -> Table:
        """Rocks go back into the bag, gems to the digger, or back as well; then it is the next one's turn."""
        haul, bag = self.state.haul, self.state.bag
        mine = tuple(stone for stone in haul if kept and stone != ROCK)
        for stone in haul:
            bag = bag if stone in mine else bag.with_(stone)
        own = changed(self.state.kept, self.state.seat, (*self.state.kept[self.state.seat], *mine))
        return self.replace(seat=(self.state.seat + 1) % len(own), bag=bag, kept=own, haul=(), reaching=False)


class Dig(Act[Table], frozen=True, tag="dig"):
    """Reach into the bag once more [SHA-02]."""

    def done(self, table: Table) -> Table:
        return table.replace(reaching=True)


class Climb(Act[Table], frozen=True, tag="climb"):
    """Climb out with the haul [SHA-03]."""

    def why_not(self, table: Table) -> Refusal | None:
        return None if table.state.haul else Illegal("shaft.nothing_to_carry", rule="SHA-03")

    def done(self, table: Table) -> Table:
        return table.next_turn(kept=True)

    def log_facts(self, table: Table) -> Facts:
        return {"type": "climb", "n": table.worth(table.state.haul)}


class Stone(Draw[Table]):
    """The next stone; a second rock buries the haul [SHA-04]."""

    rule = "SHA-02"

    def due(self, table: Table) -> bool:
        return table.state.reaching

    def chance(self, table: Table) -> Chance:
        odds = table.state.bag.odds()
        return Chance("stones", "stone", odds, seat=table.state.seat, rule=self.rule)

    def apply_outcome(self, table: Table, outcome: Outcome) -> Table:
        stone, haul = str(outcome), table.state.haul
        up = table.replace(bag=table.state.bag.without(stone), haul=(*haul, stone), reaching=False)
        if stone == ROCK and ROCK in haul:
            return up.next_turn(kept=False)
        return up if up.gems_left else up.next_turn(kept=True)

    def log_facts(self, table: Table, outcome: Outcome) -> Facts:
        buried = outcome == ROCK and ROCK in table.state.haul
        return {"type": "buried" if buried else "stone", "token": outcome}


Seated = Annotated[int, ChoiceOf(lambda table: range(len(table.state.kept))), SEATS]
AnyGem = Annotated[Gem, ChoiceOf(lambda table: ("agate", "beryl"))]
HowMany = Annotated[int, ChoiceOf(lambda table: range(1 + max(table.terms.stones.values())))]


class Kept(RuledCorrection[Table], frozen=True, tag="kept"):
    """So many stones of a kind lie before a seat; the bag has the others."""

    seat: Seated
    stone: AnyGem
    n: HowMany

    @classmethod
    def current_values(cls, table: Table) -> list[Kept]:
        gems: tuple[Gem, ...] = ("agate", "beryl")
        return [cls(seat, gem, own.count(gem)) for seat, own in enumerate(table.state.kept) for gem in gems]

    def why_not(self, table: Table) -> Refusal | None:
        if not 0 <= self.seat < len(table.state.kept):
            return Illegal("shaft.no_seat", rule="SHA-01", n=len(table.state.kept))
        free = table.state.bag[self.stone] + table.state.kept[self.seat].count(self.stone)
        return None if 0 <= self.n <= free else Illegal("shaft.too_many", rule="SHA-01", most=free, stone=self.stone)

    def done(self, table: Table) -> Table:
        own = table.state.kept[self.seat]
        others = tuple(stone for stone in own if stone != self.stone)
        bag, more = table.state.bag, self.n - own.count(self.stone)
        for _ in range(abs(more)):
            bag = bag.without(self.stone) if more > 0 else bag.with_(self.stone)
        return table.replace(bag=bag, kept=changed(table.state.kept, self.seat, (*others, *[self.stone] * self.n)))


class ShaftReferee(Referee[Table, Shaft]):
    """The shaft, refereed."""

    table = Table
    acts = (Dig, Climb)
    draws = (Stone(),)
    corrections = (Kept,)
    randomizers = ("stones",)
    turn_rule = "SHA-01"
    over_rule = "SHA-05"

    def agreed(self, setup: Setup, box: Any) -> Terms:
        return Terms(tuple(seat.name for seat in setup.seats), dict(box.stones), dict(box.worth))

    def start(self) -> Shaft:
        return Shaft(0, Bag.of(self.terms.stones), ((),) * len(self.terms.names))

    def players_to_move(self, table: Table) -> tuple[int, ...]:
        return (table.state.seat,) if table.gems_left or table.state.haul else ()

    def scored(self, table: Table) -> Finished:
        totals = [table.worth(own) for own in table.state.kept]
        scores = (Score(seat, total, {"stones": total}) for seat, total in enumerate(totals))
        return Finished(tuple(scores), tuple(seat for seat, total in enumerate(totals) if total == max(totals)))

    def counted(self, table: Table) -> dict[str, int]:
        lying = [*table.state.haul, *(stone for own in table.state.kept for stone in own)]
        return {stone: table.state.bag[stone] + lying.count(stone) for stone in table.terms.stones}

    def board(self, table: Table) -> Facts:
        state = table.state
        seats: list[Json] = [{"seat": seat, "stones": list(own)} for seat, own in enumerate(state.kept)]
        return {"bag": dict(state.bag.odds()), "haul": list(state.haul), "seats": seats}

    def help(self, table: Table) -> Facts:
        bag = table.state.bag
        risk = bag[ROCK] / bag.total if ROCK in table.state.haul and bag.total else 0.0
        return {
            "dig": answer(Dig(), table, risk=risk),
            "climb": answer(Climb(), table, n=table.worth(table.state.haul)),
        }
