"""The cards that somebody can hold: what each is, what it is worth, and how many they count as.

A card is called by what it is: ``treasure-sobek-5``, ``necklace-2``, ``chest-hededet`` (by the deck it lay in),
``idol-horus``; equipment and wounds by their kind alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from companion.pieces.cards import without_one

IDOL = "idol"
TREASURES = frozenset({"treasure", "chest", "necklace"})
HIDDEN = "hidden"
"""A card of which somebody sees no more than its back, and so the pile it is from: ``hidden-sobek``."""
EQUIPMENT = ("antidote", "medical_kit", "crowbar", "udjat", "satchel")
WOUNDS = ("snake", "scorpion", "crocodile", "mummy", "block")
CURED_BY = {"antidote": ("snake", "scorpion"), "medical_kit": ("crocodile", "block")}
"""Which wounds a piece of equipment heals [HOR-70]."""
IN_A_SATCHEL = 2
"""So many treasures a satchel holds [HOR-13]."""


@cache
def kind(card: str) -> str:
    """What a card is.

    >>> kind("treasure-sobek-5"), kind("snake")
    ('treasure', 'snake')
    """
    return card.partition("-")[0]


@cache
def god(card: str) -> str:
    """The god of a treasure or an idol; nothing for any other card, nor for a chest or a necklace [HOR-62].

    >>> god("treasure-sobek-5"), god("idol-horus"), god("chest-sobek")
    ('sobek', 'horus', '')
    """
    return card.split("-")[1] if kind(card) in ("treasure", "idol") else ""


@cache
def value(card: str) -> int:
    """What is printed on a treasure or a necklace; nothing on any other card.

    >>> value("treasure-sobek-5"), value("necklace-2"), value("chest-sobek")
    (5, 2, 0)
    """
    return int(card.rpartition("-")[2]) if kind(card) in ("treasure", "necklace") else 0


@cache
def back(card: str) -> str:
    """Which pile a treasure that lies face down is from, as its back tells everybody.

    >>> back("treasure-thoth-6"), back("chest-sobek"), back("necklace-1"), back("hidden-sobek")
    ('thoth', 'sobek', 'rubble', 'sobek')
    """
    return card.split("-")[1] if kind(card) in ("treasure", "chest", HIDDEN) else "rubble"


@cache
def is_treasure(card: str) -> bool:
    """Whether it is kept face down: a treasure, a chest or a necklace; or may be one, for all that is seen of it."""
    return kind(card) in TREASURES or kind(card) == HIDDEN


@cache
def is_wound(card: str) -> bool:
    """Whether it is a wound, which nobody lays off for nothing [HOR-11]."""
    return card in WOUNDS


def counts(cards: Iterable[str]) -> int:
    """How many cards these count as: a satchel and what it holds are one [HOR-10, HOR-13].

    >>> counts(("satchel", "necklace-1", "necklace-2", "chest-sobek", "snake"))
    3
    """
    held = tuple(cards)
    satchels = held.count("satchel")
    treasures = sum(map(is_treasure, held)) if satchels else 0
    return len(held) - min(IN_A_SATCHEL * satchels, treasures)


def less(cards: tuple[str, ...], others: Iterable[str]) -> tuple[str, ...]:
    """These cards but for all of the others.

    >>> less(("snake", "udjat", "snake"), ("snake", "udjat"))
    ('snake',)
    """
    for card in others:
        cards = without_one(cards, card)
    return cards


def seen_as(card: str) -> str:
    """A card as its deck names it: a chest is a chest.

    >>> seen_as("chest-sobek"), seen_as("necklace-2")
    ('chest', 'necklace-2')
    """
    return "chest" if kind(card) == "chest" else card
