"""The cards nobody sees: piles whose order is unknown, so that every draw has the odds of a shuffled pile.

A research card that lies face down is as likely in any place among those, in whichever pile; so one bag holds them all,
and a pile is only how many research cards it has and which exhibitions are mixed among them.
"""

from __future__ import annotations

from collections import Counter
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from companion.games.jenseits.terms import JenseitsTerms
from companion.pieces.bag import Bag
from companion.pieces.cards import without_one

T = TypeVar("T")
Odds = tuple[tuple[str, int], ...]

OPEN = 4
"""Research cards that lie open."""

EXHIBITION = "exhibition"
"""What comes from a pile where an exhibition does; which one is a draw of its own."""

SHUFFLED = "shuffled"
"""What is said once a new draw pile is shuffled."""


class DrawPile(msgspec.Struct, frozen=True):
    """A pile face down: so many research cards, with these exhibitions among them."""

    research: int = 0
    exhibitions: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        return self.research + len(self.exhibitions)


class Piles(msgspec.Struct, frozen=True):
    """The draw pile from the top, the pile set aside, and the discards.

    :param hidden: the research cards that lie face down, in the draw pile or aside.
    :param draw: the piles that make up the draw pile; one is used up before the next begins.
    """

    hidden: Bag
    draw: tuple[DrawPile, ...]
    aside: DrawPile
    discards: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """How many cards the draw pile has."""
        return sum(pile.size for pile in self.draw)

    def odds(self) -> Odds:
        """Every research card that can be on top of the draw pile, or an exhibition, with its weight [JVT-20]."""
        top = self.draw[0]
        if not top.exhibitions:
            return self.hidden.odds()
        if not top.research:
            return ((EXHIBITION, len(top.exhibitions)),)
        if top.research == self.hidden.total:
            return (*self.hidden.odds(), (EXHIBITION, len(top.exhibitions)))
        cards = [(card, count * top.research) for card, count in self.hidden.odds()]
        return (*cards, (EXHIBITION, len(top.exhibitions) * self.hidden.total))

    def which(self) -> Odds:
        """Every exhibition that can be on top of the draw pile, each as likely as any other [JVT-20]."""
        return tuple((card, 1) for card in self.draw[0].exhibitions) if self.draw else ()

    def can_show(self, card: str) -> bool:
        """Whether this research card, or an exhibition, can be on top of the draw pile."""
        top = self.draw[0]
        if card == EXHIBITION:
            return bool(top.exhibitions)
        return top.research > 0 and card in self.hidden

    def without(self, card: str) -> Piles:
        """After this card came from the top of the draw pile."""
        top, *below = self.draw
        if card in top.exhibitions:
            top, hidden = replace(top, exhibitions=without_one(top.exhibitions, card)), self.hidden
        else:
            top, hidden = replace(top, research=top.research - 1), self.hidden.without(card)
        return replace(self, hidden=hidden, draw=(top, *below) if top.size else tuple(below))

    def discard(self, *cards: str) -> Piles:
        """With these cards on the discards."""
        return replace(self, discards=self.discards + cards)

    def with_oneless(self, card: str, place: str) -> Piles | None:
        """Without a card that somebody took out of the draw ``pile``, the pile ``aside`` or the ``discards``."""
        if place == "discards" and card in self.discards:
            return replace(self, discards=without_one(self.discards, card))
        piles = {"pile": self.draw, "aside": (self.aside,)}.get(place, ())
        for at, pile in enumerate(piles):
            if card in pile.exhibitions:
                slimmer = replace(pile, exhibitions=without_one(pile.exhibitions, card))
                return self._with(place, (*piles[:at], slimmer, *piles[at + 1 :]))
            if pile.research and card in self.hidden:
                slimmer = replace(pile, research=pile.research - 1)
                slim = self._with(place, (*piles[:at], slimmer, *piles[at + 1 :]))
                return replace(slim, hidden=self.hidden.without(card))
        return None

    def with_one_more(self, card: str, place: str, *, research: bool) -> Piles | None:
        """With a card that somebody slipped in: a research card into the upper pile, an exhibition into the lower."""
        if place == "discards":
            return self.discard(card)
        piles = {"pile": self.draw or (DrawPile(),), "aside": (self.aside,)}.get(place)
        if piles is None:
            return None
        if research:
            thicker = replace(piles[0], research=piles[0].research + 1)
            return replace(self._with(place, (thicker, *piles[1:])), hidden=self.hidden.with_(card))
        thicker = replace(piles[-1], exhibitions=tuple(sorted((*piles[-1].exhibitions, card))))
        return self._with(place, (*piles[:-1], thicker))

    def _with(self, place: str, piles: tuple[DrawPile, ...]) -> Piles:
        if place == "aside":
            return replace(self, aside=piles[0])
        return replace(self, draw=tuple(pile for pile in piles if pile.size))


def laid_out(terms: JenseitsTerms, seats: int) -> Piles:
    """The piles at the start: four cards to open, then those of the draw pile [JVT-20]."""
    copies = {id_: card.copies for id_, card in terms.research.items()}
    small = _of_size(terms, "small")
    large = _of_size(terms, "large")
    rest = sum(copies.values()) - OPEN
    if seats == 2:
        first = (rest + 1) // 2
        draw, aside = (DrawPile(first), DrawPile(rest - first, small + large)), DrawPile()
    else:
        first, second, third = ((rest + n) // 3 for n in (2, 1, 0))
        draw, aside = (DrawPile(first), DrawPile(second, small)), DrawPile(third, large)
    return Piles(Bag.of(copies), (DrawPile(OPEN), *draw), aside)


def ready(terms: JenseitsTerms, piles: Piles) -> Piles:
    """Shuffled anew if the draw pile has run out: the discards, the first time with the pile set aside [JVT-21]."""
    if piles.draw:
        return piles
    discarded = Counter(piles.discards)
    research = {card: discarded[card] + piles.hidden[card] for card in terms.research}
    shown = discarded.keys() | set(piles.aside.exhibitions)
    pile = DrawPile(sum(research.values()), tuple(card for card in terms.exhibitions if card in shown))
    return Piles(Bag.of(research), (pile,) if pile.size else (), DrawPile())


def research_to_come(terms: JenseitsTerms, piles: Piles) -> bool:
    """Whether a research card can still be turned up; if all are in the seats' hands, an open place stays empty."""
    return piles.hidden.total > 0 or any(card in terms.research for card in piles.discards)


def _of_size(terms: JenseitsTerms, size: str) -> tuple[str, ...]:
    return tuple(id_ for id_, card in terms.exhibitions.items() if card.size == size)
