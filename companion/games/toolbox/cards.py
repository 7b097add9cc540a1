"""Decks that are drawn from, places on the table where cards lie open, and the cards before each seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from companion.game import Chance, Json, Outcome
from companion.games.toolbox.kit import BUSY, Hand, Table, Tool
from companion.pieces.bag import Bag
from companion.referee import Act, Facts, changed
from companion.refusals import Illegal, Refusal

OUT = "out"
"""The place of what has left the game; every box with cards has one."""

Spot = str | int
"""A place by its name, a deck by its own, or a seat."""


class TurnUp(Act[Table], frozen=True, tag="turn_up"):
    """Turns up a card of a deck: it goes where such cards go, or to a place or a seat that is named."""

    sampled = True

    deck: str
    to: Spot | None = None

    @classmethod
    def thinkable(cls, here: Table) -> Iterator[TurnUp]:
        cards = here.tool(Cards)
        lidded = set(cards.lids.values())
        for name, deck in cards.inside.items():
            if deck.total and name not in lidded:
                yield cls(name)
        yield from (cls(deck, place) for place, deck in cards.lids.items() if cards.inside[deck].total)

    def why_not(self, here: Table) -> Refusal | None:
        cards = here.tool(Cards)
        if self.deck not in cards.printed:
            return Illegal("toolbox.no_deck", rule="TBX-22", decks=tuple(cards.printed))
        if refusal := cards.no_spot(here, self.to):
            return refusal
        if self.deck in cards.lids.values() and cards.lids.get(str(self.to)) != self.deck:
            return Illegal("toolbox.no_lid", rule="TBX-25", deck=self.deck)
        if isinstance(self.to, str) and self.to in cards.lids and cards.lids[self.to] != self.deck:
            return Illegal("toolbox.no_lid", rule="TBX-25", deck=self.deck)
        return None if cards.inside[self.deck].total else Illegal("toolbox.deck_empty", rule="TBX-23", deck=self.deck)

    def done(self, here: Table) -> Table:
        return here.busy(Turning(here.seat, self.deck, self.to))


class Turning(Hand, frozen=True):
    """The top card of a deck is being turned up."""

    seat: int
    deck: str
    to: Spot | None = None

    def asked(self, here: Table) -> Chance:
        deck = here.tool(Cards).inside[self.deck]
        question = f"top of {self.deck}" if self.to is None else f"top of {self.deck} to {self.to}"
        facts: Facts = {"deck": self.deck, "left": deck.total}
        return Chance("decks", question, deck.odds(), seat=self.seat, rule=BUSY, facts=facts)

    def found(self, here: Table, outcome: Outcome) -> Table:
        cards, card = here.tool(Cards), str(outcome)
        return here.laid(cards.without(card, self.deck).with_(card, self.spot(here, card)).opened(self.to)).busy()

    def settled(self, here: Table) -> Table:
        """A card of the only kind that is left is certain, and nobody is asked for it."""
        kinds = tuple(here.tool(Cards).inside[self.deck].counts)
        return self.found(here, kinds[0]) if len(kinds) == 1 else here

    def spot(self, here: Table, card: str) -> Spot:
        """Where the card goes: to the place that was named, else where such cards go, else before who turned it up."""
        return self.seat if self.to is None and card not in here.tool(Cards).goes else self._named(here, card)

    def _named(self, here: Table, card: str) -> Spot:
        return here.tool(Cards).goes[card] if self.to is None else self.to

    def told(self, here: Table, outcome: Outcome) -> Facts:
        to = here.called(self.spot(here, str(outcome)))
        return {"type": "turned_up", "deck": self.deck, "card": outcome, "taker": to}


class LayCard(Act[Table], frozen=True, tag="lay_card", rename={"giver": "from", "taker": "to"}):
    """Lays a card that lies open elsewhere: before a seat, on a place, or back into the deck it came from."""

    sampled = True

    card: str
    giver: Spot
    taker: Spot

    @classmethod
    def thinkable(cls, here: Table) -> Iterator[LayCard]:
        cards = here.tool(Cards)
        for spot, lying in cards.spots():
            for card in dict.fromkeys(lying):
                for taker in (*here.seats, OUT):
                    if taker != spot:
                        yield cls(card, spot, taker)

    def why_not(self, here: Table) -> Refusal | None:
        cards = here.tool(Cards)
        if refusal := cards.no_spot(here, self.giver) or cards.no_spot(here, self.taker):
            return refusal
        if self.giver == self.taker:
            return Illegal("toolbox.same_place", rule="TBX-24")
        if self.card not in cards.lying(self.giver):
            return Illegal("toolbox.card_not_there", rule="TBX-24", card=self.card)
        if isinstance(self.taker, str) and self.taker in cards.printed and self.card not in cards.printed[self.taker]:
            return Illegal("toolbox.strange_card", rule="TBX-24", card=self.card, deck=self.taker)
        return None

    def done(self, here: Table) -> Table:
        cards = here.tool(Cards).without(self.card, self.giver).with_(self.card, self.taker)
        return here.laid(cards)

    def told(self, here: Table) -> Facts:
        giver, taker = here.called(self.giver), here.called(self.taker)
        return super().told(here) | {"giver": giver, "taker": taker}


class Cards(Tool, frozen=True):
    """Decks and places.

    :param printed: what each deck is made of.
    :param places: what lies open on each place at the start.
    :param goes: the places where cards go that are turned up; any other lies before the seat.
    :param lids: the places under whose lid a card of a deck still lies.
    :param origins: where the figures of each deck are from.
    :param clock: the deck at whose end the game is over; "" where none is a clock.
    :param open_: what lies open on each place.
    :param before: what lies before each seat.
    """

    name = "cards"
    acts = (TurnUp, LayCard)

    printed: dict[str, Bag]
    places: dict[str, tuple[str, ...]]
    goes: dict[str, str] = msgspec.field(default_factory=dict)
    lids: dict[str, str] = msgspec.field(default_factory=dict)
    origins: dict[str, str] = msgspec.field(default_factory=dict)
    clock: str = ""
    inside: dict[str, Bag] = msgspec.field(default_factory=dict)
    open_: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    before: tuple[tuple[str, ...], ...] = ()

    def laid_out(self, seats: int) -> Cards:
        open_ = {**self.places, OUT: self.places.get(OUT, ())}
        return replace(self, inside=self.printed, open_=open_, before=((),) * seats)

    def no_spot(self, here: Table, spot: Spot | None) -> Refusal | None:
        """Why a place cannot be meant: there is none of the name, nor a deck, nor such a seat."""
        if isinstance(spot, str):
            known = spot in self.open_ or spot in self.printed
            return None if known else Illegal("toolbox.no_place", rule="TBX-24", place=spot)
        return here.no_seat(spot)

    def lying(self, spot: Spot) -> tuple[str, ...]:
        """What lies open on a place or before a seat; of a deck nothing does."""
        return self.before[spot] if isinstance(spot, int) else self.open_.get(spot, ())

    def spots(self) -> Iterator[tuple[Spot, tuple[str, ...]]]:
        """Every place and seat, and what lies open there."""
        yield from self.open_.items()
        yield from enumerate(self.before)

    def with_(self, card: str, spot: Spot) -> Cards:
        """With one card more on a place, before a seat, or in a deck."""
        if isinstance(spot, int):
            return replace(self, before=changed(self.before, spot, (*self.before[spot], card)))
        if spot in self.printed:
            return replace(self, inside=self.inside | {spot: self.inside[spot].with_(card)})
        return replace(self, open_=self.open_ | {spot: (*self.open_[spot], card)})

    def without(self, card: str, spot: Spot) -> Cards:
        """Without a card that is on a place, before a seat, or in a deck."""
        if isinstance(spot, str) and spot in self.printed:
            return replace(self, inside=self.inside | {spot: self.inside[spot].without(card)})
        lying = self.lying(spot)
        at = lying.index(card)
        left = (*lying[:at], *lying[at + 1 :])
        if isinstance(spot, int):
            return replace(self, before=changed(self.before, spot, left))
        return replace(self, open_=self.open_ | {spot: left})

    def opened(self, place: Spot | None) -> Cards:
        """With the lid of a place taken off."""
        return replace(self, lids={name: deck for name, deck in self.lids.items() if name != place})

    def board(self, here: Table) -> Facts:
        """Decks and cards.

        =========  ====================================================================================================
        ``decks``  ``[{deck, left, of, lidded, from}]``: how many cards each has; ``lidded`` where they lie under lids
        ``cards``  ``{places: [{place, cards, lid}], before: for each seat its cards, over: the clock has run out}``
        =========  ====================================================================================================
        """
        lidded = set(self.lids.values())
        decks: list[Json] = [
            {
                "deck": name,
                "left": self.inside[name].total,
                "of": deck.total,
                "lidded": name in lidded,
                "from": self.origins.get(name, "rules"),
            }
            for name, deck in self.printed.items()
        ]
        places: list[Json] = [
            {"place": place, "cards": list(cards), "lid": self.lids.get(place)} for place, cards in self.open_.items()
        ]
        over = bool(self.clock) and not self.inside[self.clock].total
        before: list[Json] = [list(cards) for cards in self.before]
        return {"decks": decks, "cards": {"places": places, "before": before, "over": over}}

    def counted(self, here: Table) -> dict[str, int]:
        """Every card, wherever it lies."""
        things: Counter[str] = Counter()
        for deck in self.inside.values():
            things.update({f"card {card}": count for card, count in deck.odds()})
        for _, lying in self.spots():
            things.update(f"card {card}" for card in lying)
        return dict(things)
