"""Cards that lie face down before a seat: searched for in secret, seen by their owner alone, counted by everybody."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec
from msgspec.structs import replace

from companion.game import Chance, Json, Outcome
from companion.games.toolbox.cards import Cards
from companion.games.toolbox.kit import BUSY, Hand, Table, Tool
from companion.parts import UNSEEN, Act, Facts, changed
from companion.refusals import Illegal, Refusal
from companion.secrecy import BY_SEAT, Secret, nothing

RULE = "TBX-98"


class Covered(msgspec.Struct, frozen=True):
    """A card that lies face down, and the deck whose back it shows."""

    card: Annotated[str, Secret(nothing)]
    deck: str


class Search(Act[Table], frozen=True, tag="search"):
    """Draws the top card of a deck in secret: what is not for all to see lies face down before this seat."""

    deck: str

    @classmethod
    def thinkable(cls, here: Table) -> Iterator[Search]:
        return (act for deck in here.tool(Cards).searched if not (act := cls(deck)).why_not(here))

    def why_not(self, here: Table) -> Refusal | None:
        cards = here.tool(Cards)
        if self.deck not in cards.searched:
            return Illegal("toolbox.no_deck", rule=RULE, decks=cards.searched)
        return None if cards.left(self.deck) else Illegal("toolbox.deck_empty", rule=RULE, deck=self.deck)

    def done(self, here: Table) -> Table:
        return here.busy(Searching(here.seat, self.deck))


class Searching(Hand, frozen=True):
    """The top card of a deck is being looked at. What may lie there is told; what has gone would tell who has what."""

    secret = Secret(lambda here, card: card if card in here.tool(FaceDown).shown else UNSEEN)

    seat: int
    deck: str

    def asked(self, here: Table) -> Chance:
        cards = here.tool(Cards)
        left = cards.inside[self.deck]
        odds = tuple((card, left[card]) for card in cards.printed[self.deck])
        facts: Facts = {"deck": self.deck, "left": left.total}
        return Chance("decks", f"search {self.deck}", odds, seat=self.seat, rule=BUSY, veiled=True, facts=facts)

    def found(self, here: Table, outcome: Outcome) -> Table:
        cards, down, card = here.tool(Cards), here.tool(FaceDown), str(outcome)
        cards = cards.without(card, self.deck)
        if card in down.shown:
            return here.laid(cards.with_(card, self.seat)).busy()
        mine = (*down.before[self.seat], Covered(card, self.deck))
        return here.laid(cards).laid(replace(down, before=changed(down.before, self.seat, mine))).busy()

    def told(self, here: Table, outcome: Outcome) -> Facts:
        whose = here.called(self.seat)
        if outcome in here.tool(FaceDown).shown:
            return {"type": "turned_up", "deck": self.deck, "card": outcome, "taker": whose}
        unseen: Facts = {"type": "found_unseen", "deck": self.deck, "whose": whose}
        return unseen | ({"type": "found_own", "card": outcome} if outcome else {})


class ShowCards(Act[Table], frozen=True, tag="show_cards"):
    """Turns up a card that lies face down before this seat, or all of them: they lie open from then on."""

    nth: int | None = None

    @classmethod
    def thinkable(cls, here: Table) -> Iterator[ShowCards]:
        lying = here.tool(FaceDown).before[here.seat]
        yield from (cls(nth) for nth in (None, *range(len(lying))) if lying)

    def why_not(self, here: Table) -> Refusal | None:
        return here.tool(FaceDown).no_card(here.seat, self.nth)

    def meant(self, here: Table) -> tuple[Covered, ...]:
        """What is turned up."""
        lying = here.tool(FaceDown).before[here.seat]
        return lying if self.nth is None else (lying[self.nth],)

    def done(self, here: Table) -> Table:
        down, cards = here.tool(FaceDown), here.tool(Cards)
        for each in self.meant(here):
            cards = cards.with_(each.card, here.seat)
        return here.laid(cards).laid(down.without(here.seat, self.nth))

    def told(self, here: Table) -> Facts:
        shown: list[Json] = [each.card for each in self.meant(here)]
        return {"type": "show_cards", "whose": here.called(here.seat), "cards": shown}


class LayOff(Act[Table], frozen=True, tag="lay_off"):
    """Lays off a card that lies face down before this seat: it leaves the game as it lies."""

    nth: int

    @classmethod
    def thinkable(cls, here: Table) -> Iterator[LayOff]:
        return (cls(nth) for nth in range(len(here.tool(FaceDown).before[here.seat])))

    def why_not(self, here: Table) -> Refusal | None:
        return here.tool(FaceDown).no_card(here.seat, self.nth)

    def done(self, here: Table) -> Table:
        down = here.tool(FaceDown)
        laid_off = (*down.gone, down.before[here.seat][self.nth])
        return here.laid(replace(down.without(here.seat, self.nth), gone=laid_off))

    def told(self, here: Table) -> Facts:
        deck = here.tool(FaceDown).before[here.seat][self.nth].deck
        return {"type": "lay_off", "whose": here.called(here.seat), "deck": deck}


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

    def board(self, here: Table) -> Facts:
        """``hidden``: ``{before: for each seat the decks whose backs lie there, gone: those of what was laid off}``;
        the cards of a seat in the order in which they came."""
        before: list[Json] = [[each.deck for each in lying] for lying in self.before]
        return {"hidden": {"before": before, "gone": [each.deck for each in self.gone]}}

    def hand(self, here: Table) -> Facts:
        """``hidden``: ``[{card, deck}]``, what lies there before this seat."""
        mine: list[Json] = [{"card": each.card, "deck": each.deck} for each in self.before[here.seat]]
        return {"hidden": mine} if mine else {}

    def counted(self, here: Table) -> dict[str, int]:
        things: dict[str, int] = {}
        for lying in (*self.before, self.gone):
            for each in lying:
                things[f"card {each.card}"] = things.get(f"card {each.card}", 0) + 1
        return things
