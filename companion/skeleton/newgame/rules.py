"""The rules of New Game: draw a pebble in your turn; who has most white ones wins."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from companion.game import Chance, Finished, Json, Outcome, Score, Setup, State
from companion.parts import SEATS, Act, ChoiceOf, Draw, Facts, RuledCorrection, TableView, changed
from companion.pieces.bag import Bag
from companion.referee import Referee, answer
from companion.refusals import Illegal, Refusal
from companion.secrecy import BY_SEAT

WHITE = "white"


class NewGameTerms(msgspec.Struct, frozen=True):
    """What does not change while a game lasts: who plays, and what was in the bag."""

    names: tuple[str, ...]
    pebbles: dict[str, int]


class Player(msgspec.Struct, frozen=True):
    """What lies before a seat. A field that is not everybody's to see bears a mark: `companion/secrecy.py`."""

    pebbles: tuple[str, ...] = ()


class Lying(State, frozen=True):
    """What lies on the table at one moment, and nothing else.

    :param reaching: a hand is in the bag.
    """

    seat: int
    bag: Bag
    players: Annotated[tuple[Player, ...], BY_SEAT]
    reaching: bool = False


class NewGameTable(TableView[Lying, NewGameTerms]):
    """The table as a hand finds it, with its verbs: each answers the table after it."""

    def with_pebbles(self, seat: int, pebbles: tuple[str, ...]) -> NewGameTable:
        return self.replace(players=changed(self.state.players, seat, Player(pebbles)))


class Reach(Act[NewGameTable], frozen=True, tag="reach"):
    """Reach into the bag [NEW-02]."""

    def done(self, table: NewGameTable) -> NewGameTable:
        return table.replace(reaching=True)


class Pebble(Draw[NewGameTable]):
    """The pebble that comes up; then it is the next one's turn [NEW-02]."""

    rule = "NEW-02"

    def due(self, table: NewGameTable) -> bool:
        return table.state.reaching and table.state.bag.total > 0  # a correction may have taken the last one

    def chance(self, table: NewGameTable) -> Chance:
        return Chance("pebbles", "pebble", table.state.bag.odds(), seat=table.state.seat, rule=self.rule)

    def apply_outcome(self, table: NewGameTable, outcome: Outcome) -> NewGameTable:
        state, pebble = table.state, str(outcome)
        mine = table.with_pebbles(state.seat, (*state.players[state.seat].pebbles, pebble))
        following = (state.seat + 1) % len(state.players)
        return mine.replace(bag=state.bag.without(pebble), seat=following, reaching=False)

    def log_facts(self, table: NewGameTable, outcome: Outcome) -> Facts:
        return {"type": "pebble", "token": outcome}


Seat = Annotated[int, ChoiceOf(lambda table: range(len(table.state.players))), SEATS]
AnyPebble = Annotated[str, ChoiceOf(lambda table: table.terms.pebbles)]


class Lies(RuledCorrection[NewGameTable], frozen=True, tag="lies"):
    """The table shows otherwise: a pebble of the bag lies before a seat."""

    seat: Seat
    pebble: AnyPebble

    def why_not(self, table: NewGameTable) -> Refusal | None:
        if self.seat not in range(len(table.state.players)):
            return Illegal("newgame.no_seat", rule="NEW-01", n=len(table.state.players))
        if self.pebble in table.state.bag:
            return None
        return Illegal("newgame.none_left", rule="NEW-01", pebble=self.pebble)

    def done(self, table: NewGameTable) -> NewGameTable:
        mine = table.with_pebbles(self.seat, (*table.state.players[self.seat].pebbles, self.pebble))
        return mine.replace(bag=table.state.bag.without(self.pebble))


class NewGame(Referee[NewGameTable, Lying]):
    """New Game, refereed."""

    table = NewGameTable
    acts = (Reach,)
    draws = (Pebble(),)
    corrections = (Lies,)
    randomizers = ("pebbles",)
    turn_rule = "NEW-01"
    over_rule = "NEW-03"

    def agreed(self, setup: Setup, box: Any) -> NewGameTerms:
        return NewGameTerms(tuple(seat.name for seat in setup.seats), dict(box.pebbles))

    def start(self) -> Lying:
        return Lying(0, Bag.of(self.terms.pebbles), (Player(),) * len(self.terms.names))

    def players_to_move(self, table: NewGameTable) -> tuple[int, ...]:
        """Who is asked for a move; nobody, once the game is over."""
        return (table.state.seat,) if table.state.bag.total else ()

    def scored(self, table: NewGameTable) -> Finished:
        totals = [player.pebbles.count(WHITE) for player in table.state.players]
        scores = tuple(Score(seat, total, {"white": total}) for seat, total in enumerate(totals))
        return Finished(scores, tuple(score.seat for score in scores if score.total == max(totals)))

    def counted(self, table: NewGameTable) -> dict[str, int]:
        """How many of each thing there are in all places together: no step may change it."""
        lying = [pebble for player in table.state.players for pebble in player.pebbles]
        return {pebble: table.state.bag[pebble] + lying.count(pebble) for pebble in self.terms.pebbles}

    def board(self, table: NewGameTable) -> Facts:
        """What a screen is told; the table is as everybody sees it."""
        seats: list[Json] = [
            {"seat": seat, "pebbles": list(each.pebbles)} for seat, each in enumerate(table.state.players)
        ]
        return {"bag": dict(table.state.bag.odds()), "seats": seats}

    def help(self, table: NewGameTable) -> Facts:
        return {"reach": answer(Reach(), table)}
