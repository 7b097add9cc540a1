"""Odd games, all of one make: each round seats say a number, openly or in secret; then something may be drawn."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import msgspec

from companion.game import Chance, Finished, Json, Option, Outcome, Score, Setup, State
from companion.parts import SEATS, Act, ChoiceOf, Draw, Facts, RuledCorrection, TableView, changed
from companion.referee import Referee, answer
from companion.refusals import Illegal, Refusal
from companion.secrecy import BY_SEAT, Secret, nobody

Drawn = Literal["nothing", "open", "own", "hidden"]
CARDS = (1, 2, 3)
UNSAID = 0
HIDDEN = -1


def covered(table: Any, number: int) -> int:
    """That something was said, or lies there, and not what."""
    return HIDDEN if number else UNSAID


def covered_row(table: Any, cards: tuple[int, ...]) -> tuple[int, ...]:
    return (HIDDEN,) * len(cards)


class Odd(msgspec.Struct, frozen=True):
    """What makes a game odd.

    :param together: all seats say their number at once, in secret.
    :param rounds: so many; 0 for a game that is never over.
    :param drawn: what is drawn after each round: for all to see, for the seat whose card it is, for nobody.
    :param turned_up: what was drawn for nobody may be turned up.
    """

    seats: tuple[int, int] = (2, 2)
    together: bool = False
    rounds: int = 3
    drawn: Drawn = "nothing"
    turned_up: bool = False
    corrections: bool = True
    options: tuple[Option, ...] = ()


class Terms(msgspec.Struct, frozen=True):
    names: tuple[str, ...]
    odd: Odd


class Player(msgspec.Struct, frozen=True):
    """Before a seat: what it has said this round, its points, and cards of its own."""

    said: Annotated[int, Secret(covered)] = UNSAID
    points: int = 0
    cards: Annotated[tuple[int, ...], Secret(covered_row)] = ()


class OpenPlayer(msgspec.Struct, frozen=True):
    """The same, where nothing is kept from anybody."""

    said: int = UNSAID
    points: int = 0
    cards: Annotated[tuple[int, ...], Secret(covered_row)] = ()


class Lying(State, frozen=True):
    players: Annotated[tuple[Player | OpenPlayer, ...], BY_SEAT]
    turn: int = 0
    round: int = 1
    to_draw: int = 0
    buried: Annotated[tuple[int, ...], Secret(covered_row, to=nobody)] = ()
    seen: tuple[int, ...] = ()


class Table(TableView[Lying, Terms]):
    @property
    def mine(self) -> Player | OpenPlayer:
        return self.state.players[self.seat]

    @property
    def waiting(self) -> tuple[int, ...]:
        """Who has not said a number yet."""
        rows = enumerate(self.state.players)
        return tuple(seat for seat, each in rows if not each.said)

    def with_seat(self, seat: int, **changes: object) -> Table:
        players = self.state.players
        return self.replace(players=changed(players, seat, msgspec.structs.replace(players[seat], **changes)))

    def said(self, number: int) -> Table:
        """Once all have said theirs, everybody sees them: whoever said most alone has a point."""
        there = self.with_seat(self.seat, said=number)
        if there.waiting:
            return there if self.terms.odd.together else there.replace(turn=there.waiting[0])
        numbers = [each.said for each in there.state.players]
        best = [seat for seat, each in enumerate(numbers) if each == max(numbers)]
        table = there
        for seat, each in enumerate(there.state.players):
            table = table.with_seat(seat, said=UNSAID, points=each.points + (best == [seat]))
        draws = len(numbers) if self.terms.odd.drawn == "own" else int(self.terms.odd.drawn != "nothing")
        return table.replace(turn=0, round=self.state.round + 1, to_draw=draws, seen=tuple(numbers))


class Say(Act[Table], frozen=True, tag="say"):
    """Say a number [ODD-01]."""

    number: int

    @classmethod
    def thinkable(cls, table: Table) -> tuple[Say, ...]:
        return tuple(map(cls, CARDS))

    def why_not(self, table: Table) -> Refusal | None:
        if table.mine.said:
            return Illegal("odd.said_already", rule="ODD-01")
        return None if self.number in CARDS else Illegal("odd.no_number", rule="ODD-01", most=len(CARDS))

    def done(self, table: Table) -> Table:
        return table.said(self.number)


class Bid(Say, frozen=True, tag="bid"):
    """The same in secret, whatever others have said meanwhile; the last one turns all up at once [ODD-02]."""

    number: Annotated[int, Secret(covered, passing=lambda table: table.waiting == (table.seat,))]

    def log_facts(self, table: Table) -> Facts:
        return {"type": "bid"}


class TurnUp(Act[Table], frozen=True, tag="turn_up"):
    """Turn up the last card that lies buried, which nobody has seen [ODD-03]."""

    def why_not(self, table: Table) -> Refusal | None:
        return None if table.state.buried else Illegal("odd.none_buried", rule="ODD-03")

    def done(self, table: Table) -> Table:
        *left, card = table.state.buried
        return table.replace(buried=tuple(left), seen=(*table.state.seen, card))


class Card(Draw[Table]):
    """A card, once all have said their number [ODD-03]."""

    rule = "ODD-03"
    kind: ClassVar[Drawn]

    def due(self, table: Table) -> bool:
        return table.state.to_draw > 0 and table.terms.odd.drawn == self.kind

    def chance(self, table: Table) -> Chance:
        own = len(table.state.players) - table.state.to_draw if self.kind == "own" else None
        odds: tuple[tuple[Outcome, int], ...] = tuple((card, 1) for card in CARDS)
        return Chance(
            "cards", f"card {table.state.to_draw}", odds, seat=own, rule=self.rule, hidden=self.kind == "hidden"
        )

    def apply_outcome(self, table: Table, outcome: Outcome) -> Table:
        left, card = table.replace(to_draw=table.state.to_draw - 1), int(outcome)
        match self.kind:
            case "own":
                own = len(table.state.players) - table.state.to_draw
                return left.with_seat(own, cards=(*table.state.players[own].cards, card))
            case "hidden":
                return left.replace(buried=(*table.state.buried, card))
        return left.replace(seen=(*table.state.seen, card))

    def log_facts(self, table: Table, outcome: Outcome) -> Facts:
        return {"type": "card", "n": outcome} if outcome else {"type": "card_unseen"}


class OpenCard(Card):
    kind = "open"


class OwnCard(Card):
    secret = Secret(lambda table, card: UNSAID)
    kind = "own"


class BuriedCard(Card):
    kind = "hidden"


Seat = Annotated[int, ChoiceOf(lambda table: range(len(table.state.players))), SEATS]


class Has(RuledCorrection[Table], frozen=True, tag="has"):
    """A seat has so many points."""

    seat: Seat
    points: Annotated[int, ChoiceOf(lambda table: range(4))]

    def why_not(self, table: Table) -> Refusal | None:
        fits = self.seat in range(len(table.state.players)) and 0 <= self.points < 100
        return None if fits else Illegal("odd.no_points", rule="ODD-01")

    def done(self, table: Table) -> Table:
        return table.with_seat(self.seat, points=self.points)


class OddGame(Referee[Table, Lying]):
    """A game as odd as it says."""

    table = Table
    acts = (Say,)
    turn_rule = "ODD-01"
    over_rule = "ODD-04"
    _odd: ClassVar[Odd] = Odd()

    def agreed(self, setup: Setup, box: Any) -> Terms:
        return Terms(tuple(seat.name for seat in setup.seats), self._odd)

    def start(self) -> Lying:
        player = Player() if self._odd.together else OpenPlayer()
        return Lying((player,) * len(self.terms.names))

    def players_to_move(self, table: Table) -> tuple[int, ...]:
        if 0 < self._odd.rounds < table.state.round:
            return ()
        return table.waiting if self._odd.together else (table.state.turn,)

    def scored(self, table: Table) -> Finished:
        totals = [each.points for each in table.state.players]
        scores = tuple(Score(seat, total, {"points": total}) for seat, total in enumerate(totals))
        return Finished(scores, tuple(score.seat for score in scores if score.total == max(totals)))

    def counted(self, table: Table) -> dict[str, int]:
        return {}  # nothing is ever moved

    def board(self, table: Table) -> Facts:
        seats: list[Json] = [
            {"seat": seat, "said": each.said, "points": each.points, "cards": list(each.cards)}
            for seat, each in enumerate(table.state.players)
        ]
        return {
            "round": table.state.round,
            "seats": seats,
            "seen": list(table.state.seen),
            "path": len(table.state.buried),
        }

    def hand(self, table: Table) -> Facts:
        mine = table.state.players[table.seat]
        return {"said": mine.said, "cards": list(mine.cards)}

    def help(self, table: Table) -> Facts:
        return {"say": answer(self.acts[0](2), table)}
