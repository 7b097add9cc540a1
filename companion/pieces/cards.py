"""Cards in a row, as a hand or a display has them."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


def without_one(cards: tuple[T, ...], card: T) -> tuple[T, ...]:
    """These cards but for one of that kind.

    >>> without_one(("snake", "udjat", "snake"), "snake")
    ('udjat', 'snake')

    :raises ValueError: if it is not among them
    """
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]
