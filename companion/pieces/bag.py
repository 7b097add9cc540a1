"""A bag of tokens, or a deck of cards: how many of each are in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from companion.refusals import Illegal


class Bag(msgspec.Struct, frozen=True):
    """A bag, made with `Bag.of`. Taking something out makes another bag.

    >>> bag = Bag.of({"object:4": 1, "blank": 2})
    >>> bag.odds()
    (('blank', 2), ('object:4', 1))
    >>> bag.without("object:4").odds()
    (('blank', 2),)
    >>> bag.without("object:4").with_("object:4") == bag
    True
    """

    counts: dict[str, int]
    """In the order of the tokens' names, so that equal bags have equal odds in equal order."""
    total: int

    @classmethod
    def of(cls, tokens: Mapping[str, int] | Iterable[str]) -> Bag:
        """A bag with so many of each token, or with the tokens listed.

        >>> Bag.of(["blank", "object:1", "blank"]).total
        3
        """
        counts: dict[str, int] = {}
        for token, count in tokens.items() if isinstance(tokens, Mapping) else ((token, 1) for token in tokens):
            if count < 0:
                raise Illegal("piece.bag.negative", token=token)
            if count:
                counts[token] = counts.get(token, 0) + count
        return cls(dict(sorted(counts.items())), sum(counts.values()))

    def odds(self) -> tuple[tuple[str, int], ...]:
        """What may be drawn, and how many of each there are."""
        return tuple(self.counts.items())

    def without(self, token: str, count: int = 1) -> Bag:
        """The bag after so many tokens of a kind were taken out.

        :raises Illegal: if there are not so many in it.
        """
        counts = self.counts.copy()
        left = counts.get(token, 0) - count
        if left > 0:
            counts[token] = left
        elif left == 0:
            counts.pop(token, None)
        else:
            raise Illegal("piece.bag.none_left", token=token)
        return Bag(counts, self.total - count)

    def with_(self, token: str, count: int = 1) -> Bag:
        """The bag after so many tokens of a kind were put in."""
        if count < 0:
            raise Illegal("piece.bag.negative", token=token)
        if not count:
            return self
        counts = {**self.counts, token: self.counts.get(token, 0) + count}
        if token not in self.counts:
            counts = dict(sorted(counts.items()))
        return Bag(counts, self.total + count)

    def with_all(self, tokens: Mapping[str, int] | Iterable[str]) -> Bag:
        """The bag after all these were put in.

        >>> Bag.of(["blank"]).with_all(["blank", "open_book"]).odds()
        (('blank', 2), ('open_book', 1))
        """
        bag = self
        for token, count in Bag.of(tokens).counts.items():
            bag = bag.with_(token, count)
        return bag

    def __getitem__(self, token: str) -> int:
        return self.counts.get(token, 0)

    def __contains__(self, token: object) -> bool:
        return token in self.counts

    def __iter__(self) -> Iterator[str]:
        """Each kind of token once."""
        return iter(self.counts)

    def __len__(self) -> int:
        return self.total

    def __hash__(self) -> int:
        return hash(tuple(self.counts.items()))
