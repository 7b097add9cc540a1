"""Decks that are drawn from, places on the table where cards lie open, and the cards before each seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Annotated

import msgspec
from msgspec.structs import replace

from companion.game import Chance, Outcome
from companion.games.toolbox import seen
from companion.games.toolbox.kit import BUSY, Hand, Stocks, ToolboxTable
from companion.parts import Act, Facts, changed
from companion.pieces.bag import Bag
from companion.pieces.box_differences import EITHER, BoxDifference, as_printed
from companion.refusals import Illegal, Refusal
from companion.secrecy import Secret, nothing

OUT = "out"
"""The place of what has left the game; every box with cards has one."""

DISCARDS = "discards"
"""The place from which a deck is shuffled anew, where there is one."""

BACK = "back:"
"""How a deck tells a card that goes face down onto a pile: only its back is seen."""

Spot = str | int
"""A place by its name, a deck by its own, or a seat."""


class Portion(msgspec.Struct, frozen=True):
    """A part of a deck: so many of its common cards, which nobody has seen, with these cards shuffled in."""

    common: int
    own: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        return self.common + len(self.own)


class TurnUp(Act[ToolboxTable], frozen=True, tag="turn_up"):
    """Turns up a card of a deck: it goes where such cards go, or to a place or a seat that is named."""

    sampled = True

    deck: str
    to: Spot | None = None

    @classmethod
    def thinkable(cls, table: ToolboxTable) -> Iterator[TurnUp]:
        cards = table.tool(Cards)
        elsewhere = {*cards.lids.values(), *cards.searched}
        for name in cards.inside:
            if cards.left(name) and name not in elsewhere:
                yield cls(name)
        yield from (cls(deck, place) for place, deck in cards.lids.items() if cards.lies_under(place))

    def why_not(self, table: ToolboxTable) -> Refusal | None:
        cards = table.tool(Cards)
        if self.deck not in cards.printed:
            return Illegal("toolbox.no_deck", rule="TBX-22", decks=tuple(cards.printed))
        if self.deck in cards.searched:
            return Illegal("toolbox.in_secret", rule="TBX-98", deck=self.deck)
        if refusal := cards.no_spot(table, self.to):
            return refusal
        if self.deck in cards.lids.values() and cards.lids.get(str(self.to)) != self.deck:
            return Illegal("toolbox.no_lid", rule="TBX-25", deck=self.deck)
        if isinstance(self.to, str) and self.to in cards.lids and cards.lids[self.to] != self.deck:
            return Illegal("toolbox.no_lid", rule="TBX-25", deck=self.deck)
        there = self.to in cards.read or cards.left(self.deck)
        return None if there else Illegal("toolbox.deck_empty", rule="TBX-23", deck=self.deck)

    def done(self, table: ToolboxTable) -> ToolboxTable:
        return table.busy(Turning(table.seat, self.deck, self.to))


class Turning(Hand, frozen=True):
    """The top card of a deck is being turned up."""

    seat: int
    deck: str
    to: Spot | None = None

    def chance(self, table: ToolboxTable) -> Chance:
        cards = table.tool(Cards)
        question = f"top of {self.deck}" if self.to is None else f"top of {self.deck} to {self.to}"
        read = bool(cards.read_of(self.deck))
        facts: Facts = {"deck": self.deck, "left": cards.lying_in(self.deck)}
        odds = cards.odds(self.deck, self.to)
        return Chance("decks", question, odds, seat=self.seat, rule=BUSY, veiled=read, facts=facts)

    def off_list_outcomes(self, table: ToolboxTable) -> tuple[str, ...]:
        """More of the deck's common cards, and one of those shuffled in that has been told just now."""
        cards = table.tool(Cards)
        common = table.loose(self.deck).off_list_outcomes(cards.inside[self.deck]) if self._is_common(table) else ()
        return (*common, *(card for card in cards.told_of(table) if self._in_place_of(table, card)))

    def amend_for(self, table: ToolboxTable, outcome: str) -> ToolboxTable:
        cards = table.tool(Cards)
        if outcome not in cards.sorts:
            return table.exchanged(cards, self.deck, outcome)
        fewer = self._in_place_of(table, outcome)
        top, *below = cards.portions[self.deck]
        top = replace(top, own=tuple(sorted((*(card for card in top.own if card != fewer), outcome))))
        more = BoxDifference(table.loose(cards.strange).where, outcome, fewer)
        return table.shown_otherwise((more,)).laid(replace(cards, portions=cards.portions | {self.deck: (top, *below)}))

    def unknown_card_part(self, table: ToolboxTable) -> str:
        """Of the deck's common cards, of those shuffled in, or, told apart by what comes first, of either."""
        box, cards = table.terms.box, table.tool(Cards)
        if box is None:
            return ""
        has_room = self._is_common(table) and table.loose(self.deck).has_room(cards.inside[self.deck])
        sorts = {cards.sorts[card] for card in self._shuffled_in(table) if card in table.loose(cards.strange).kinds}
        shown = cards.strange if len(sorts) > 1 else "".join(sorts)
        parts = (self.deck if has_room and box.asks(self.deck, ()) is not None else "", shown)
        return EITHER.join(filter(None, parts))

    def _shuffled_in(self, table: ToolboxTable) -> tuple[str, ...]:
        """Those that may be on top of the cards that were shuffled into the deck."""
        top = table.tool(Cards).portions.get(self.deck, ())[:1]
        return top[0].own if top else ()

    def _in_place_of(self, table: ToolboxTable, card: str) -> str:
        """The card of the same sort in whose place another is: one that no rule states; "" where there is none."""
        cards = table.tool(Cards)
        free = table.loose(cards.strange).kinds
        alike = (each for each in self._shuffled_in(table) if each in free and cards.sorts[each] == cards.sorts[card])
        return next(alike, "")

    def _is_common(self, table: ToolboxTable) -> bool:
        """Whether one of the deck's common cards may be on top, which nobody has read."""
        cards = table.tool(Cards)
        return not cards.read_of(self.deck) and bool(cards.portions.get(self.deck, (Portion(1),))[0].common)

    def apply_outcome(self, table: ToolboxTable, outcome: Outcome) -> ToolboxTable:
        cards, card = table.tool(Cards), str(outcome)
        if card.startswith(BACK):
            return table.laid(cards.without(card, self.deck)).came(card.removeprefix(BACK)).busy()
        cards, spot = cards if self.to in cards.read else cards.without(card, self.deck), self.spot(table, card)
        cards = cards.pushed(card) if spot in cards.row else cards.with_(card, spot)
        return table.laid(cards.opened(self.to)).busy()

    def withdrawn(self, table: ToolboxTable) -> ToolboxTable:
        """A card of the only kind that is left is certain, and nobody is asked for it."""
        odds = table.tool(Cards).odds(self.deck, self.to)
        if "decks" in table.terms.real and self.off_list_outcomes(table):
            return table
        return self.apply_outcome(table, odds[0][0]) if len(odds) == 1 else table

    def spot(self, table: ToolboxTable, card: str) -> Spot:
        """Where the card goes: to the place that was named, else where such cards go, else before who turned it up."""
        return self.seat if self.to is None and card not in table.tool(Cards).goes else self._named(table, card)

    def _named(self, table: ToolboxTable, card: str) -> Spot:
        return table.tool(Cards).goes[card] if self.to is None else self.to

    def log_facts(self, table: ToolboxTable, outcome: Outcome) -> Facts:
        if str(outcome).startswith(BACK):
            return {"type": "back", "bag": str(outcome).removeprefix(BACK)}
        to = table.called(self.spot(table, str(outcome)))
        return {"type": "turned_up", "deck": self.deck, "card": outcome, "taker": to}


class ReadTomb(Act[ToolboxTable], frozen=True, tag="read_tomb"):
    """Reads what lies under a lid, which stays closed; this seat alone sees it."""

    place: str

    @classmethod
    def thinkable(cls, table: ToolboxTable) -> Iterator[ReadTomb]:
        return (act for place in table.tool(Cards).lids if not (act := cls(place)).why_not(table))

    def why_not(self, table: ToolboxTable) -> Refusal | None:
        cards = table.tool(Cards)
        if self.place not in cards.lids:
            return Illegal("toolbox.no_closed", rule="TBX-29", places=tuple(cards.lids))
        if cards.real:
            return Illegal("toolbox.real_tombs", rule="TBX-29")
        if table.seat in cards.readers(self.place):
            return Illegal("toolbox.read_already", rule="TBX-29", place=self.place)
        deck = cards.lids[self.place]
        return None if cards.lies_under(self.place) else Illegal("toolbox.deck_empty", rule="TBX-29", deck=deck)

    def done(self, table: ToolboxTable) -> ToolboxTable:
        return table.busy(ReadingHand(table.seat, self.place))


class ReadingHand(Hand, frozen=True):
    """What lies under a lid is being read. It is drawn once: whoever reads it later, or opens it, finds the same."""

    secret = Secret(nothing)

    seat: int
    place: str

    def chance(self, table: ToolboxTable) -> Chance:
        cards, deck = table.tool(Cards), table.tool(Cards).lids[self.place]
        odds, read = cards.odds(deck, self.place), bool(cards.read_of(deck))
        facts: Facts = {"deck": deck, "left": cards.lying_in(deck)}
        return Chance("decks", f"read {self.place}", odds, seat=self.seat, rule=BUSY, veiled=read, facts=facts)

    def apply_outcome(self, table: ToolboxTable, outcome: Outcome) -> ToolboxTable:
        return table.laid(table.tool(Cards).with_read(self.place, str(outcome), self.seat)).busy()

    def withdrawn(self, table: ToolboxTable) -> ToolboxTable:
        """What can be but one card is certain, and nobody is asked for it."""
        cards = table.tool(Cards)
        odds = cards.odds(cards.lids[self.place], self.place)
        return self.apply_outcome(table, odds[0][0]) if len(odds) == 1 else table

    def log_facts(self, table: ToolboxTable, outcome: Outcome) -> Facts:
        return {"type": "read", "whose": table.called(self.seat), "place": self.place}


class LayCard(Act[ToolboxTable], frozen=True, tag="lay_card", rename={"giver": "from", "taker": "to"}):
    """Lays a card that lies open elsewhere: before a seat, on a place, or back into the deck it came from."""

    sampled = True

    card: str
    giver: Spot
    taker: Spot

    @classmethod
    def thinkable(cls, table: ToolboxTable) -> Iterator[LayCard]:
        cards = table.tool(Cards)
        for spot, lying in cards.spots():
            for card in dict.fromkeys(lying):
                for taker in (*table.seats, OUT):
                    if taker != spot:
                        yield cls(card, spot, taker)

    def why_not(self, table: ToolboxTable) -> Refusal | None:
        cards = table.tool(Cards)
        if refusal := cards.no_spot(table, self.giver) or cards.no_spot(table, self.taker):
            return refusal
        if self.giver == self.taker:
            return Illegal("toolbox.same_place", rule="TBX-24")
        if self.card not in cards.lying(self.giver):
            return Illegal("toolbox.card_not_there", rule="TBX-24", card=self.card)
        if isinstance(self.taker, str) and self.taker in cards.printed and not cards.of_deck(self.card, self.taker):
            return Illegal("toolbox.strange_card", rule="TBX-24", card=self.card, deck=self.taker)
        return None

    def done(self, table: ToolboxTable) -> ToolboxTable:
        cards = table.tool(Cards).without(self.card, self.giver).with_(self.card, self.taker)
        return table.laid(cards)

    def log_facts(self, table: ToolboxTable) -> Facts:
        giver, taker = table.called(self.giver), table.called(self.taker)
        return super().log_facts(table) | {"giver": giver, "taker": taker}


class Shuffle(Act[ToolboxTable], frozen=True, tag="shuffle"):
    """The discards, and what was set aside, are shuffled into a deck that has run out."""

    deck: str

    @classmethod
    def thinkable(cls, table: ToolboxTable) -> Iterator[Shuffle]:
        return (act for deck in table.tool(Cards).portions if not (act := cls(deck)).why_not(table))

    def why_not(self, table: ToolboxTable) -> Refusal | None:
        cards = table.tool(Cards)
        if self.deck not in cards.portions:
            return Illegal("toolbox.no_deck", rule="TBX-28", decks=tuple(cards.portions))
        if cards.left(self.deck):
            return Illegal("toolbox.deck_left", rule="TBX-28", n=cards.left(self.deck))
        aside = cards.aside.get(self.deck, Portion(0))
        return None if cards.open_[DISCARDS] or aside.size else Illegal("toolbox.nothing_to_shuffle", rule="TBX-28")

    def done(self, table: ToolboxTable) -> ToolboxTable:
        cards = table.tool(Cards)
        deck, aside = cards.inside[self.deck], cards.aside.get(self.deck, Portion(0))
        common = tuple(card for card in cards.open_[DISCARDS] if card in cards.printed[self.deck])
        own = tuple(card for card in cards.open_[DISCARDS] if card not in cards.printed[self.deck])
        for card in common:
            deck = deck.with_(card)
        portion = Portion(aside.common + len(common), tuple(sorted((*aside.own, *own))))
        shuffled = replace(
            cards,
            inside=cards.inside | {self.deck: deck},
            portions=cards.portions | {self.deck: (portion,)},
            aside={name: rest for name, rest in cards.aside.items() if name != self.deck},
            open_=cards.open_ | {DISCARDS: ()},
        )
        return table.laid(shuffled)


class UnderLid(msgspec.Struct, frozen=True):
    """A card that lies under a closed lid, and the seats that have read it."""

    card: Annotated[str, Secret(nothing, to=lambda lid, seat: lid.readers)]
    readers: tuple[int, ...]


class Cards(Stocks, frozen=True):
    """Decks and places.

    :param places: what lies open on each place at the start.
    :param goes: the places where cards go that are turned up; any other lies before the seat.
    :param lids: the places under whose lid a card of a deck still lies.
    :param real: whether the cards lie at the table, so that nobody here knows one that is read.
    :param origins: where the figures of each deck are from.
    :param dealt: what lies before each seat at the start.
    :param clock: the deck at whose end the game is over; "" where none is a clock.
    :param portions: the parts of a deck from the top, where other cards are shuffled into some of its common ones.
    :param aside: the part of a deck that waits aside until it has run out.
    :param strange: the part of the box that the cards are of which are shuffled into a deck.
    :param sorts: of which sort each of them is.
    :param searched: the decks that are searched in secret, and not turned up.
    :param worth: what is printed on a card that does not bear it in its name.
    :param house: the cards, or sorts of cards, whose worth is a figure of ours.
    :param row: places of one card each: what goes to the first pushes on what lies there, and out of the last.
    :param open_: what lies open on each place.
    :param before: what lies before each seat.
    :param read: what lies under the lids that somebody has read.
    """

    name = "cards"
    as_it_lies = ("portions", "aside")
    acts = (TurnUp, ReadTomb, LayCard, Shuffle)

    places: dict[str, tuple[str, ...]]
    goes: dict[str, str] = msgspec.field(default_factory=dict)
    lids: dict[str, str] = msgspec.field(default_factory=dict)
    origins: dict[str, str] = msgspec.field(default_factory=dict)
    dealt: tuple[str, ...] = ()
    clock: str = ""
    portions: dict[str, tuple[Portion, ...]] = msgspec.field(default_factory=dict)
    aside: dict[str, Portion] = msgspec.field(default_factory=dict)
    row: tuple[str, ...] = ()
    open_: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    before: tuple[tuple[str, ...], ...] = ()
    real: bool = False
    read: dict[str, UnderLid] = msgspec.field(default_factory=dict)
    searched: tuple[str, ...] = ()
    worth: dict[str, int] = msgspec.field(default_factory=dict)
    house: tuple[str, ...] = ()
    strange: str = ""
    sorts: dict[str, str] = msgspec.field(default_factory=dict)

    def laid_out(self, seats: int) -> Cards:
        open_ = {**self.places, OUT: self.places.get(OUT, ())}
        return replace(self, inside=self.printed, open_=open_, before=(self.dealt,) * seats)

    def inside_seen_by(self, viewer: int | None) -> dict[str, Bag]:
        """Of decks of which somebody alone has seen a card how many are left: what is left would tell which it was."""
        told = (name in self.searched or self.read_of(name) for name in self.inside)
        rows = zip(self.inside.items(), told, strict=True)
        return {name: Bag({}, bag.total) if secret else bag for (name, bag), secret in rows}

    def told_of(self, table: ToolboxTable) -> Iterator[str]:
        """Cards that were told of as shuffled into a deck, and lie nowhere yet."""
        lying, box = {each.more for each in table.state.otherwise}, table.terms.box
        told = (box.kind_of(each) for each in table.state.described) if box else iter(())
        return (card for card in told if card in self.sorts and card not in lying)

    def left(self, deck: str) -> int:
        """How many cards of a deck nobody knows."""
        if deck in self.portions:
            return sum(portion.size for portion in self.portions[deck])
        return self.inside[deck].total

    def lying_in(self, deck: str) -> int:
        """How many cards a deck has, with those under lids that somebody has read."""
        return self.left(deck) + len(self.read_of(deck))

    def lies_under(self, place: str) -> bool:
        """Whether anything lies under a lid."""
        return place in self.read or self.left(self.lids[place]) > 0

    def read_of(self, deck: str) -> tuple[str, ...]:
        """The cards of a deck that somebody has read, and that still lie under their lids."""
        return tuple(each.card for place, each in self.read.items() if self.lids[place] == deck)

    def readers(self, place: str) -> tuple[int, ...]:
        """The seats that know what lies under a lid."""
        return self.read[place].readers if place in self.read else ()

    def odds(self, deck: str, place: Spot | None = None) -> tuple[tuple[str, int], ...]:
        """What may be on top of a deck, or under the lid of a place, and its weight: of all that its lids hide, so that
        what is listed does not tell what somebody has read."""
        if read := self.read_of(deck):
            likely = {self.read[str(place)].card: 1} if place in self.read else self.inside[deck].counts
            return tuple((card, likely.get(card, 0)) for card in self.inside[deck].with_all(read))
        if deck not in self.portions:
            return self.inside[deck].odds()
        top, unseen = self.portions[deck][0], self.inside[deck]
        if not top.own:
            return unseen.odds()
        common = tuple((card, count * top.common) for card, count in unseen.odds() if top.common)
        return (*common, *((card, unseen.total if top.common else 1) for card in top.own))

    def of_deck(self, card: str, deck: str) -> bool:
        """Whether a card is one of a deck's."""
        return card in self.printed[deck] or (deck in self.portions and card in self.goes)

    def pushed(self, card: str) -> Cards:
        """With a card on the first place of the row; what lay there goes on, as far as nothing is free."""
        open_ = dict(self.open_)
        for place in self.row:
            there, open_[place] = open_[place], (card,)
            if not there:
                return replace(self, open_=open_)
            card = there[0]
        return replace(self, open_=open_ | {DISCARDS: (*open_[DISCARDS], card)})

    def no_spot(self, table: ToolboxTable, spot: Spot | None) -> Refusal | None:
        """Why a place cannot be meant: there is none of the name, nor a deck, nor such a seat."""
        if isinstance(spot, str):
            known = spot in self.open_ or spot in self.printed
            return None if known else Illegal("toolbox.no_place", rule="TBX-24", place=spot)
        return table.no_seat(spot)

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
        if spot in self.portions:
            top, *below = self.portions[spot] or (Portion(0),)
            if card not in self.printed[spot]:
                thicker = replace(top, own=tuple(sorted((*top.own, card))))
                return replace(self, portions=self.portions | {spot: (thicker, *below)})
            thicker = replace(top, common=top.common + 1)
            more = replace(self, portions=self.portions | {spot: (thicker, *below)})
            return replace(more, inside=self.inside | {spot: self.inside[spot].with_(card)})
        if spot in self.printed:
            return replace(self, inside=self.inside | {spot: self.inside[spot].with_(card)})
        return replace(self, open_=self.open_ | {spot: (*self.open_[spot], card)})

    def without(self, card: str, spot: Spot) -> Cards:
        """Without a card that is on a place, before a seat, or in a deck."""
        if isinstance(spot, str) and spot in self.portions:
            top, *below = self.portions[spot]
            own = card in top.own
            at = top.own.index(card) if own else len(top.own)
            top = replace(top, own=top.own[:at] + top.own[at + 1 :], common=top.common - (not own))
            parts = (top, *below) if top.size else tuple(below)
            inside = self.inside if own else self.inside | {spot: self.inside[spot].without(card)}
            return replace(self, portions=self.portions | {spot: parts}, inside=inside)
        if isinstance(spot, str) and spot in self.printed:
            return replace(self, inside=self.inside | {spot: self.inside[spot].without(card)})
        lying = self.lying(spot)
        at = lying.index(card)
        left = (*lying[:at], *lying[at + 1 :])
        if isinstance(spot, int):
            return replace(self, before=changed(self.before, spot, left))
        return replace(self, open_=self.open_ | {spot: left})

    def with_read(self, place: str, card: str, seat: int) -> Cards:
        """With what lies under the lid of a place known to one seat more."""
        cards = self if place in self.read else self.without(card, self.lids[place])
        return replace(cards, read=self.read | {place: UnderLid(card, (*self.readers(place), seat))})

    def opened(self, place: Spot | None) -> Cards:
        """With the lid of a place taken off."""
        return replace(
            self,
            lids={name: deck for name, deck in self.lids.items() if name != place},
            read={name: each for name, each in self.read.items() if name != place},
        )

    def board(self, table: ToolboxTable) -> seen.ToolboxBoard:
        return {
            "decks": [self._deck_shown(name) for name in self.printed],
            "cards": {
                "places": [self._place_shown(place) for place in self.open_],
                "before": [list(cards) for cards in self.before],
                "over": bool(self.clock) and not self.left(self.clock),
                "worth": dict(self.worth),
                "house": list(self.house),
            },
        }

    def _deck_shown(self, name: str) -> seen.ToolboxDeckShown:
        told: seen.ToolboxDeckShown = {
            "deck": name,
            "left": self.lying_in(name),
            "of": self.printed[name].total,
            "lidded": name in self.lids.values(),
            "from": self.origins.get(name, "rules"),
        }
        if name in self.searched:
            told["searched"] = True
        return told

    def _place_shown(self, place: str) -> seen.ToolboxPlaceShown:
        told: seen.ToolboxPlaceShown = {"place": place, "cards": list(self.open_[place]), "lid": self.lids.get(place)}
        if place in self.lids and not self.real:
            told["readers"] = list(self.readers(place))
        return told

    def hand(self, table: ToolboxTable) -> seen.ToolboxOwn:
        mine: list[seen.ToolboxCardRead] = [
            {"place": place, "card": each.card} for place, each in self.read.items() if table.seat in each.readers
        ]
        return {"read": mine} if mine else {}

    def counted(self, table: ToolboxTable) -> dict[str, int]:
        """Every card, wherever it lies."""
        things = Counter(f"card {each.card}" for each in self.read.values())
        for deck in self.inside.values():
            things.update({f"card {card}": count for card, count in deck.odds() if not card.startswith(BACK)})
        for name, portions in self.portions.items():
            rest = (*portions, *((self.aside[name],) if name in self.aside else ()))
            things.update(f"card {card}" for portion in rest for card in portion.own)
        for _, lying in self.spots():
            things.update(f"card {card}" for card in lying)
        parts = {table.loose(part).where for part in (*self.inside, self.strange)}
        of = [each for each in table.state.otherwise if each.where in parts]
        return as_printed(things, of, "card {}")
