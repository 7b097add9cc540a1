"""Where a table shows what the figures of its box rule out: what may be so all the same, and what changes for it.

A deck, a layer or a pile has as many cards as the rules say. So a card that it should not have comes in the place of
another: of those that are unseen, the one of which most are. If that one comes up too, the table says so again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated

import msgspec

from companion.pieces.bag import Bag
from companion.secrecy import Seats, Secret, nothing

EVERYBODY = -1
ANOTHER = "another_kind"
"""What is said of a card of a kind that the box does not have, before it is told what it is."""


EITHER = "+"
"""Between two parts of a box, of either of which a card may be."""


def _for_its_eyes(each: BoxDifference, seat: int | None) -> Seats:
    return None if each.eyes == EVERYBODY else (each.eyes,)


class BoxDifference(msgspec.Struct, frozen=True):
    """One thing more than the box says, in the place of another.

    :param where: the key of the figure in the box.
    :param more: what there is one more of.
    :param fewer: what there is one fewer of.
    :param eyes: the seat that alone may know before the end; `EVERYBODY`, where no one else is kept from it.
    """

    where: str
    more: Annotated[str, Secret(nothing, to=_for_its_eyes)]
    fewer: Annotated[str, Secret(nothing, to=_for_its_eyes)]
    eyes: int = EVERYBODY


class FigureOverride(msgspec.Struct, frozen=True):
    """A figure that is printed otherwise: its key in the box, in which lists are counted from 1, and what it is."""

    key: str
    value: int


class DescribedCard(msgspec.Struct, frozen=True):
    """A card of a kind that the box does not have.

    :param part: the part of the box that it belongs to.
    :param said: what is printed on it, in the order in which the box asks for it.
    """

    part: str
    said: tuple[str | int, ...] = ()


class VariablePart(msgspec.Struct, frozen=True):
    """A part of a box of which no rule says how many there are of each kind: it may be otherwise in another copy.

    :param where: the key of its figure in the box.
    :param kinds: those of which there may be more or fewer.
    :param told: how a difference is told: the key of a sentence as ``type``, and what fills it.
    :param together: more of its kinds, so many of each, that are there all together or not at all.

    >>> loose = VariablePart("layers.5", ("chain", "falcon", "mask"))
    >>> loose.off_list_outcomes({"falcon": 2, "snake_body": 1})
    ('chain', 'mask')
    >>> [each.fewer for each in loose.exchanged({"falcon": 2, "snake_body": 1}, "mask")]
    ['falcon']
    >>> loose.off_list_outcomes({"snake_body": 1})
    ()
    >>> pair = VariablePart("layers.1", ("chain",), together={"head": 1, "tail": 1})
    >>> pair.off_list_outcomes({"chain": 1}), pair.off_list_outcomes({"chain": 2})
    ((), ('head', 'tail'))
    >>> len(pair.exchanged({"chain": 2}, "head"))
    2
    """

    where: str
    kinds: tuple[str, ...]
    told: dict[str, str | int] = {}
    together: dict[str, int] = {}

    def off_list_outcomes(self, unseen: Mapping[str, int] | Bag) -> tuple[str, ...]:
        """What may come up though none of it is left: as long as a card is unseen in whose place it can be."""
        lying = _counts(unseen)
        free = sum(lying.get(kind, 0) for kind in self.kinds)
        if not free:
            return ()
        fits = free >= sum(self.together.values()) and not any(lying.get(kind) for kind in self.together)
        return tuple(kind for kind in (*self.kinds, *(self.together if fits else ())) if not lying.get(kind))

    def has_room(self, unseen: Mapping[str, int] | Bag) -> bool:
        """Whether a card is unseen in whose place another can be."""
        return any(_counts(unseen).get(kind) for kind in self.kinds)

    def exchanged(self, unseen: Mapping[str, int] | Bag, more: str, eyes: int = EVERYBODY) -> tuple[BoxDifference, ...]:
        """One more of a kind, or all that come with it, each in the place of the commonest that is unseen."""
        left = Counter({kind: _counts(unseen).get(kind, 0) for kind in self.kinds})
        made = []
        for kind, count in self.together.items() if more in self.together else ((more, 1),):
            for _ in range(count):
                fewer = max(self.kinds, key=left.__getitem__)
                left[fewer] -= 1
                made.append(BoxDifference(self.where, kind, fewer, eyes))
        return tuple(made)


NOTHING_LOOSE = VariablePart("", ())
"""A part of a box of which the rules say all."""


def net(differing: Sequence[BoxDifference], where: str) -> Counter[str]:
    """How many more, or fewer, of each kind a part of the box has than it says."""
    counts: Counter[str] = Counter()
    for each in differing:
        if each.where == where:
            counts[each.more] += 1
            counts[each.fewer] -= 1
    return Counter({kind: count for kind, count in counts.items() if count})


def places(differing: Sequence[BoxDifference]) -> tuple[str, ...]:
    """The parts of the box that are otherwise, in the order the table showed it."""
    return tuple(where for where in dict.fromkeys(each.where for each in differing) if net(differing, where))


def changed_bag(bag: Bag, exchanged: Sequence[BoxDifference]) -> Bag:
    """A bag with each exchanged for the other."""
    for each in exchanged:
        bag = bag.without(each.fewer).with_(each.more)
    return bag


def as_printed(census: Mapping[str, int], differing: Sequence[BoxDifference], name: str = "{}") -> dict[str, int]:
    """A count of all things as it would be in a copy that has what the box says.

    :param name: what a thing is called in the count.
    """
    counts = Counter(census)
    for each in differing:
        counts[name.format(each.more)] -= 1
        counts[name.format(each.fewer)] += 1
    return dict(counts)


def _counts(unseen: Mapping[str, int] | Bag) -> Mapping[str, int]:
    return unseen.counts if isinstance(unseen, Bag) else unseen
