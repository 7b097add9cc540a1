"""Cards that lie face down before a seat: searched for in secret, seen by their owner alone, counted by everybody."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec
from msgspec.structs import replace

from companion.game import Chance, Json, Outcome
from companion.games.toolbox import seen
from companion.games.toolbox.cards import Cards
from companion.games.toolbox.kit import BUSY, Hand, Tool, ToolboxTable
from companion.parts import UNSEEN, Act, Facts, changed
from companion.refusals import Illegal, Refusal
from companion.secrecy import BY_SEAT, Secret, nothing

RULE = "TBX-98"


class Covered(msgspec.Struct, frozen=True):
    """A card that lies face down, and the deck whose back it shows."""

    card: Annotated[str, Secret(nothing)]
    deck: str


class Search(Act[ToolboxTable], frozen=True, tag="search"):
    """Draws the top card of a deck in secret: what is not for all to see lies face down before this seat."""

    deck: str

    @classmethod
    def thinkable(cls, table: ToolboxTable) -> Iterator[Search]:
        return (act for deck in table.tool(Cards).searched if not (act := cls(deck)).why_not(table))

    def why_not(self, table: ToolboxTable) -> Refusal | None:
        cards = table.tool(Cards)
        if self.deck not in cards.searched:
            return Illegal("toolbox.no_deck", rule=RULE, decks=cards.searched)
        return None if cards.left(self.deck) else Illegal("toolbox.deck_empty", rule=RULE, deck=self.deck)

    def done(self, table: ToolboxTable) -> ToolboxTable:
        return table.busy(SearchingHand(table.seat, self.deck))


class SearchingHand(Hand, frozen=True):
    """The top card of a deck is being looked at. What may lie there is told; what has gone would tell who has what."""

    secret = Secret(lambda table, card: card if card in table.tool(FaceDown).shown else UNSEEN)

    seat: int
    deck: str

    def chance(self, table: ToolboxTable) -> Chance:
        cards = table.tool(Cards)
        left = cards.inside[self.deck]
        odds = tuple((card, left[card]) for card in cards.printed[self.deck])
        facts: Facts = {"deck": self.deck, "left": left.total}
        return Chance("decks", f"search {self.deck}", odds, seat=self.seat, rule=BUSY, veiled=True, facts=facts)

    def apply_outcome(self, table: ToolboxTable, outcome: Outcome) -> ToolboxTable:
        cards, down, card = table.tool(Cards), table.tool(FaceDown), str(outcome)
        cards = cards.without(card, self.deck)
        if card in down.shown:
            return table.laid(cards.with_(card, self.seat)).busy()
        mine = (*down.before[self.seat], Covered(card, self.deck))
        return table.laid(cards).laid(replace(down, before=changed(down.before, self.seat, mine))).busy()

    def log_facts(self, table: ToolboxTable, outcome: Outcome) -> Facts:
        whose = table.called(self.seat)
        if outcome in table.tool(FaceDown).shown:
            return {"type": "turned_up", "deck": self.deck, "card": outcome, "taker": whose}
        unseen: Facts = {"type": "found_unseen", "deck": self.deck, "whose": whose}
        return unseen | ({"type": "found_own", "card": outcome} if outcome else {})


class ShowCards(Act[ToolboxTable], frozen=True, tag="show_cards"):
    """Turns up a card that lies face down before this seat, or all of them: they lie open from then on."""

    nth: int | None = None

    @classmethod
    def thinkable(cls, table: ToolboxTable) -> Iterator[ShowCards]:
        lying = table.tool(FaceDown).before[table.seat]
        yield from (cls(nth) for nth in (None, *range(len(lying))) if lying)

    def why_not(self, table: ToolboxTable) -> Refusal | None:
        return table.tool(FaceDown).no_card(table.seat, self.nth)

    def meant(self, table: ToolboxTable) -> tuple[Covered, ...]:
        """What is turned up."""
        lying = table.tool(FaceDown).before[table.seat]
        return lying if self.nth is None else (lying[self.nth],)

    def done(self, table: ToolboxTable) -> ToolboxTable:
        down, cards = table.tool(FaceDown), table.tool(Cards)
        for each in self.meant(table):
            cards = cards.with_(each.card, table.seat)
        return table.laid(cards).laid(down.without(table.seat, self.nth))

    def log_facts(self, table: ToolboxTable) -> Facts:
        shown: list[Json] = [each.card for each in self.meant(table)]
        return {"type": "show_cards", "whose": table.called(table.seat), "cards": shown}


class LayOff(Act[ToolboxTable], frozen=True, tag="lay_off"):
    """Lays off a card that lies face down before this seat: it leaves the game as it lies."""

    nth: int

    @classmethod
    def thinkable(cls, table: ToolboxTable) -> Iterator[LayOff]:
        return (cls(nth) for nth in range(len(table.tool(FaceDown).before[table.seat])))

    def why_not(self, table: ToolboxTable) -> Refusal | None:
        return table.tool(FaceDown).no_card(table.seat, self.nth)

    def done(self, table: ToolboxTable) -> ToolboxTable:
        down = table.tool(FaceDown)
        laid_off = (*down.gone, down.before[table.seat][self.nth])
        return table.laid(replace(down.without(table.seat, self.nth), gone=laid_off))

    def log_facts(self, table: ToolboxTable) -> Facts:
        deck = table.tool(FaceDown).before[table.seat][self.nth].deck
        return {"type": "lay_off", "whose": table.called(table.seat), "deck": deck}


class FaceDown(Tool, frozen=True):
    """What lies face down.

    :param shown: the cards that lie open all the same.
    :param before: before each seat, in the order in which they came there.
    :param gone: what has been laid off.
    """

    name = "hidden"
    acts = (Search, ShowCards, LayOff)

    shown: tuple[str, ...]
    before: Annotated[tuple[tuple[Covered, ...], ...], BY_SEAT] = ()
    gone: tuple[Covered, ...] = ()

    def laid_out(self, seats: int) -> FaceDown:
        return replace(self, before=((),) * seats)

    def no_card(self, seat: int, nth: int | None) -> Refusal | None:
        """Why a card cannot be meant: so many do not lie face down before a seat."""
        lying = len(self.before[seat])
        there = lying > 0 if nth is None else 0 <= nth < lying
        return None if there else Illegal("toolbox.no_covered", rule=RULE, n=lying)

    def without(self, seat: int, nth: int | None) -> FaceDown:
        """Without one of the cards before a seat, or all of them."""
        lying = self.before[seat]
        left = () if nth is None else (*lying[:nth], *lying[nth + 1 :])
        return replace(self, before=changed(self.before, seat, left))

    def carried(self, seat: int) -> int:
        """How many cards lie there before a seat."""
        return len(self.before[seat])

    def board(self, table: ToolboxTable) -> seen.ToolboxBoard:
        before = [[each.deck for each in lying] for lying in self.before]
        return {"hidden": {"before": before, "gone": [each.deck for each in self.gone]}}

    def hand(self, table: ToolboxTable) -> seen.ToolboxOwn:
        mine: list[seen.ToolboxCardHidden] = [
            {"card": each.card, "deck": each.deck} for each in self.before[table.seat]
        ]
        return {"hidden": mine} if mine else {}

    def counted(self, table: ToolboxTable) -> dict[str, int]:
        things: dict[str, int] = {}
        for lying in (*self.before, self.gone):
            for each in lying:
                things[f"card {each.card}"] = things.get(f"card {each.card}", 0) + 1
        return things
