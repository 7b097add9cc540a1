"""A game in which all seats decide at once: each bids in secret, and until then may push the price up."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

import msgspec

from companion.game import Finished, Pace, Score, Seat, Setup, State
from companion.parts import Act, Facts, TableView, changed
from companion.play.dealer import SealedDealer
from companion.play.entries import Keys, Laid
from companion.play.journal import Journal, NoJournal
from companion.play.table import Table
from companion.referee import Referee
from companion.refusals import Illegal, Refusal
from companion.secrecy import BY_SEAT, Secret

SECRET = bytes(range(32))
KEYS = Keys("host-key", ("ada-key", "ben-key", "cleo-key"))
BIDS = (1, 2, 3, 4)
COVERED = -1


def covered(table: Any, bid: int) -> int:
    """That there is a bid, and not which."""
    return COVERED if bid else 0


class Bidder(msgspec.Struct, frozen=True):
    """A seat: what it bids this round, and how many lots it has."""

    bid: Annotated[int, Secret(covered)] = 0
    lots: int = 0


class Auction(State, frozen=True):
    bidders: Annotated[tuple[Bidder, ...], BY_SEAT]
    price: int = 1
    round: int = 1
    shown: tuple[int, ...] = ()


class Room(TableView[Auction, int]):
    """The room, for so many rounds."""

    def with_bid(self, bid: int) -> Room:
        """Once all have bid, everybody sees the bids; whoever bid most alone has the lot."""
        mine = msgspec.structs.replace(self.state.bidders[self.seat], bid=bid)
        bidders = changed(self.state.bidders, self.seat, mine)
        bids = tuple(each.bid for each in bidders)
        if not all(bids):
            return self.replace(bidders=bidders)
        won = bids.index(max(bids)) if bids.count(max(bids)) == 1 else None
        after = tuple(Bidder(lots=each.lots + (seat == won)) for seat, each in enumerate(bidders))
        return self.replace(bidders=after, round=self.state.round + 1, price=1, shown=bids)


class Bid(Act[Room], frozen=True, tag="bid"):
    """Bid in secret: it depends on nothing that others do."""

    amount: Annotated[int, Secret(covered)]

    @classmethod
    def thinkable(cls, table: Room) -> Iterable[Bid]:
        return map(cls, BIDS)

    def why_not(self, table: Room) -> Refusal | None:
        return None if self.amount in BIDS else Illegal("bids.no_bid", rule="BID-1")

    def done(self, table: Room) -> Room:
        return table.with_bid(self.amount)

    def log_facts(self, table: Room) -> Facts:
        return {"type": "bid"} if self.amount == COVERED else {"type": "bid_own", "n": self.amount}


class Push(Act[Room], frozen=True, tag="push"):
    """Push the price up by one: whoever does has seen the price."""

    def why_not(self, table: Room) -> Refusal | None:
        return None if table.state.price < max(BIDS) else Illegal("bids.dear", rule="BID-2")

    def done(self, table: Room) -> Room:
        return table.replace(price=table.state.price + 1)

    def depends_on(self, table: Room) -> object:
        return table.state.price


class Bids(Referee[Room, Auction]):
    table, acts = Room, (Bid, Push)
    turn_rule, over_rule = "BID-3", "BID-4"

    def agreed(self, setup: Setup, box: Any) -> int:
        return 3

    def start(self) -> Auction:
        return Auction(bidders=(Bidder(),) * len(self.setup.seats))

    def players_to_move(self, table: Room) -> tuple[int, ...]:
        if table.state.round > table.terms:
            return ()
        return tuple(seat for seat, each in enumerate(table.state.bidders) if not each.bid)

    def scored(self, table: Room) -> Finished:
        lots = [each.lots for each in table.state.bidders]
        scores = tuple(Score(seat, each, {"lots": each}) for seat, each in enumerate(lots))
        return Finished(scores, tuple(seat for seat, each in enumerate(lots) if each == max(lots)))

    def counted(self, table: Room) -> dict[str, int]:
        return {"seats": len(table.state.bidders)}

    def board(self, table: Room) -> Facts:
        bids = [each.bid for each in table.state.bidders]
        return {"bids": bids, "price": table.state.price, "shown": list(table.state.shown)}

    def hand(self, table: Room) -> Facts:
        return {"bid": table.state.bidders[table.seat].bid}

    def help(self, table: Room) -> Facts:
        return {"price": table.state.price}


def bidding(seats: int = 2, pace: Pace = "flow") -> Bids:
    """The game for so many."""
    return Bids(Setup("bids", "referee", tuple(map(Seat, ("Ada", "Ben", "Cleo")[:seats])), pace=pace), None)


def auction(journal: Journal | NoJournal | None = None, seats: int = 2) -> Table:
    """A table for so many; where a journal has it already, the same as another process has it."""
    game, kept = bidding(seats), journal or NoJournal()
    new = Laid("bids", 1, game.setup, {}, "-", 1, SealedDealer(SECRET).seal, "test")
    if not isinstance(kept, NoJournal) and not kept.knows(new.table):
        kept.lay(new, SECRET, KEYS)
    written = () if isinstance(kept, NoJournal) else tuple(kept.entries("bids"))
    return Table(game, new, SECRET, KEYS, journal=kept, clock=lambda: 1, written=written)
