"""Odd games, all of one make: each round seats say a number, openly or in secret; then something may be drawn."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import msgspec

from companion.game import Chance, Finished, Json, Option, Outcome, Score, Setup, State
from companion.parts import SEATS, Act, Draw, Facts, Here, Mend, Says, changed
from companion.referee import Referee, answer
from companion.refusals import Illegal, Refusal
from companion.secrecy import BY_SEAT, Secret, nobody

Drawn = Literal["nothing", "open", "own", "hidden"]
CARDS = (1, 2, 3)
UNSAID = 0
HIDDEN = -1


def covered(here: Any, number: int) -> int:
    """That something was said, or lies there, and not what."""
    return HIDDEN if number else UNSAID


def covered_row(here: Any, cards: tuple[int, ...]) -> tuple[int, ...]:
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


class Table(Here[Lying, Terms]):
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
        return self.but(players=changed(players, seat, msgspec.structs.replace(players[seat], **changes)))

    def said(self, number: int) -> Table:
        """Once all have said theirs, everybody sees them: whoever said most alone has a point."""
        there = self.with_seat(self.seat, said=number)
        if there.waiting:
            return there if self.terms.odd.together else there.but(turn=there.waiting[0])
        numbers = [each.said for each in there.state.players]
        best = [seat for seat, each in enumerate(numbers) if each == max(numbers)]
        here = there
        for seat, each in enumerate(there.state.players):
            here = here.with_seat(seat, said=UNSAID, points=each.points + (best == [seat]))
        draws = len(numbers) if self.terms.odd.drawn == "own" else int(self.terms.odd.drawn != "nothing")
        return here.but(turn=0, round=self.state.round + 1, to_draw=draws, seen=tuple(numbers))


class Say(Act[Table], frozen=True, tag="say"):
    """Say a number [ODD-01]."""

    number: int

    @classmethod
    def thinkable(cls, here: Table) -> tuple[Say, ...]:
        return tuple(map(cls, CARDS))

    def why_not(self, here: Table) -> Refusal | None:
        if here.mine.said:
            return Illegal("odd.said_already", rule="ODD-01")
        return None if self.number in CARDS else Illegal("odd.no_number", rule="ODD-01", most=len(CARDS))

    def done(self, here: Table) -> Table:
        return here.said(self.number)


class Bid(Say, frozen=True, tag="bid"):
    """The same in secret, whatever others have said meanwhile; the last one turns all up at once [ODD-02]."""

    number: Annotated[int, Secret(covered, passing=lambda here: here.waiting == (here.seat,))]

    def told(self, here: Table) -> Facts:
        return {"type": "bid"}


class TurnUp(Act[Table], frozen=True, tag="turn_up"):
    """Turn up the last card that lies buried, which nobody has seen [ODD-03]."""

    def why_not(self, here: Table) -> Refusal | None:
        return None if here.state.buried else Illegal("odd.none_buried", rule="ODD-03")

    def done(self, here: Table) -> Table:
        *left, card = here.state.buried
        return here.but(buried=tuple(left), seen=(*here.state.seen, card))


class Card(Draw[Table]):
    """A card, once all have said their number [ODD-03]."""

    rule = "ODD-03"
    kind: ClassVar[Drawn]

    def due(self, here: Table) -> bool:
        return here.state.to_draw > 0 and here.terms.odd.drawn == self.kind

    def asked(self, here: Table) -> Chance:
        own = len(here.state.players) - here.state.to_draw if self.kind == "own" else None
        odds: tuple[tuple[Outcome, int], ...] = tuple((card, 1) for card in CARDS)
        return Chance(
            "cards", f"card {here.state.to_draw}", odds, seat=own, rule=self.rule, hidden=self.kind == "hidden"
        )

    def fallen(self, here: Table, outcome: Outcome) -> Table:
        left, card = here.but(to_draw=here.state.to_draw - 1), int(outcome)
        match self.kind:
            case "own":
                own = len(here.state.players) - here.state.to_draw
                return left.with_seat(own, cards=(*here.state.players[own].cards, card))
            case "hidden":
                return left.but(buried=(*here.state.buried, card))
        return left.but(seen=(*here.state.seen, card))

    def told(self, here: Table, outcome: Outcome) -> Facts:
        return {"type": "card", "n": outcome} if outcome else {"type": "card_unseen"}


class OpenCard(Card):
    kind = "open"


class OwnCard(Card):
    secret = Secret(lambda here, card: UNSAID)
    kind = "own"


class BuriedCard(Card):
    kind = "hidden"


Seat = Annotated[int, Says(lambda here: range(len(here.state.players))), SEATS]


class Has(Mend[Table], frozen=True, tag="has"):
    """A seat has so many points."""

    seat: Seat
    points: Annotated[int, Says(lambda here: range(4))]

    def why_not(self, here: Table) -> Refusal | None:
        fits = self.seat in range(len(here.state.players)) and 0 <= self.points < 100
        return None if fits else Illegal("odd.no_points", rule="ODD-01")

    def done(self, here: Table) -> Table:
        return here.with_seat(self.seat, points=self.points)


class OddGame(Referee[Table, Lying]):
    """A game as odd as it says."""

    here = Table
    acts = (Say,)
    turn_rule = "ODD-01"
    over_rule = "ODD-04"
    _odd: ClassVar[Odd] = Odd()

    def agreed(self, setup: Setup, box: Any) -> Terms:
        return Terms(tuple(seat.name for seat in setup.seats), self._odd)

    def start(self) -> Lying:
        player = Player() if self._odd.together else OpenPlayer()
        return Lying((player,) * len(self.terms.names))

    def whose(self, here: Table) -> tuple[int, ...]:
        if 0 < self._odd.rounds < here.state.round:
            return ()
        return here.waiting if self._odd.together else (here.state.turn,)

    def scored(self, here: Table) -> Finished:
        totals = [each.points for each in here.state.players]
        scores = tuple(Score(seat, total, {"points": total}) for seat, total in enumerate(totals))
        return Finished(scores, tuple(score.seat for score in scores if score.total == max(totals)))

    def counted(self, here: Table) -> dict[str, int]:
        return {}  # nothing is ever moved

    def board(self, here: Table) -> Facts:
        seats: list[Json] = [
            {"seat": seat, "said": each.said, "points": each.points, "cards": list(each.cards)}
            for seat, each in enumerate(here.state.players)
        ]
        return {
            "round": here.state.round,
            "seats": seats,
            "seen": list(here.state.seen),
            "path": len(here.state.buried),
        }

    def hand(self, here: Table) -> Facts:
        mine = here.state.players[here.seat]
        return {"said": mine.said, "cards": list(mine.cards)}

    def help(self, here: Table) -> Facts:
        return {"say": answer(self.acts[0](2), here)}
