"""Bags of tokens, or piles of cards, from which hands draw; and the finds before each seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from typing import Annotated, Literal

import msgspec
from msgspec.structs import replace

from companion.game import Chance, Json, Outcome, Together
from companion.games.toolbox.kit import BUSY, Hand, Table, Tool
from companion.pieces.bag import Bag
from companion.referee import SEATS, Act, Facts, Mend, Says, changed
from companion.refusals import Illegal, Refusal

BLANK = "blank"
TOKENS = range(1, 13)
"""How many are listed to be drawn; more can be drawn too."""


class Find(msgspec.Struct, frozen=True):
    """A token before a seat, and the bag it came from."""

    bag: str
    token: str


class Draw(Act[Table], frozen=True, tag="draw"):
    """Draws tokens from a bag for a seat; for whoever acts, if none is named."""

    sampled = True

    bag: str
    count: int
    seat: int | None = None

    @classmethod
    def thinkable(cls, here: Table) -> Iterator[Draw]:
        return (cls(name, count) for name, bag in here.tool(Bags).inside.items() if bag.total for count in TOKENS)

    def why_not(self, here: Table) -> Refusal | None:
        bags = here.tool(Bags)
        if refusal := bags.no_bag(self.bag) or here.no_seat(self.seat):
            return refusal
        if not 1 <= self.count <= bags.printed[self.bag].total:
            return Illegal("toolbox.count", rule="TBX-34", most=bags.printed[self.bag].total)
        return None if bags.inside[self.bag].total else Illegal("toolbox.bag_empty", rule="TBX-34", bag=self.bag)

    def done(self, here: Table) -> Table:
        return here.busy(Drawing(self.whose(here), self.bag, self.count))

    def told(self, here: Table) -> Facts:
        return super().told(here) | {"whose": here.called(self.whose(here)), "n": self.count}

    def whose(self, here: Table) -> int:
        """The seat that keeps what is drawn."""
        return here.seat if self.seat is None else self.seat


class Drawing(Hand, frozen=True):
    """A hand is in a bag. What it has drawn stays out until it has drawn all it wants."""

    seat: int
    bag: str
    count: int
    drawn: tuple[str, ...] = ()

    def asked(self, here: Table) -> Chance:
        bags = here.tool(Bags)
        inside = bags.inside[self.bag]
        return Chance(
            "tokens",
            f"token {self.bag}",
            tuple((token, inside[token]) for token in bags.printed[self.bag]) if bags.uncounted else inside.odds(),
            seat=self.seat,
            rule=BUSY,
            veiled=bags.uncounted,
            facts={"site": self.bag, "nth": len(self.drawn) + 1, "of": self.count},
        )

    def found(self, here: Table, outcome: Outcome) -> Table:
        token = str(outcome)
        bags = here.tool(Bags).without(Find(self.bag, token), "bag")
        if token != BLANK:
            bags = bags.with_(Find(self.bag, token), self.seat)
        return here.laid(bags).busy(replace(self, drawn=(*self.drawn, token)))

    def settled(self, here: Table) -> Table:
        """Rubble goes back once the whole draw is over."""
        bags = here.tool(Bags)
        bag = bags.inside[self.bag]
        if len(self.drawn) < self.count and bag.total:
            return here
        inside = bags.inside | {self.bag: bag.with_(BLANK, self.drawn.count(BLANK))}
        return here.laid(replace(bags, inside=inside, last=self)).busy()

    def told(self, here: Table, outcome: Outcome) -> Facts:
        told: Facts = {"type": "drawn", "whose": here.called(self.seat), "seat": self.seat, "bag": self.bag}
        return told | {"token": outcome, "nth": len(self.drawn) + 1, "of": self.count}

    def shown(self) -> Facts:
        """As the board has it."""
        return {"bag": self.bag, "seat": self.seat, "of": self.count, "drawn": list(self.drawn)}


class ReturnFind(Act[Table], frozen=True, tag="return_find"):
    """Puts a find back into its bag."""

    seat: int
    bag: str
    token: str

    @classmethod
    def thinkable(cls, here: Table) -> Iterator[ReturnFind]:
        for seat, finds in enumerate(here.tool(Bags).finds):
            yield from (cls(seat, find.bag, find.token) for find in dict.fromkeys(finds))

    def why_not(self, here: Table) -> Refusal | None:
        bags = here.tool(Bags)
        if refusal := bags.no_bag(self.bag) or here.no_seat(self.seat):
            return refusal
        if Find(self.bag, self.token) in bags.finds[self.seat]:
            return None
        whose = here.called(self.seat)
        return Illegal("toolbox.no_find", rule="TBX-35", whose=whose, token=self.token, bag=self.bag)

    def done(self, here: Table) -> Table:
        find = Find(self.bag, self.token)
        return here.laid(here.tool(Bags).without(find, self.seat).with_(find, "bag"))

    def told(self, here: Table) -> Facts:
        return super().told(here) | {"whose": here.called(self.seat)}


Place = Literal["bag"] | int
"""The bag, or a seat."""


def places(here: Table) -> tuple[Place, ...]:
    """Where a token can be."""
    return ("bag", *here.seats)


AnyBag = Annotated[str, Says(lambda here: here.tool(Bags).printed)]
AnyToken = Annotated[str, Says(lambda here: {find.token for find, _ in here.tool(Bags).lying()})]
AnyPlace = Annotated[Place, Says(places, lambda here: {"bag": ("at_bag",)}), SEATS]


class Token(Mend[Table], frozen=True, tag="token", rename={"giver": "from", "taker": "to"}):
    """A token is elsewhere."""

    bag: AnyBag
    token: AnyToken
    giver: AnyPlace
    taker: AnyPlace

    @classmethod
    def sayable(cls, here: Table) -> tuple[Together, ...]:
        """Every token where it lies, and every other place."""
        lying = tuple((find.bag, find.token, place) for find, place in here.tool(Bags).lying())
        elsewhere = tuple(permutations(places(here), 2))
        return Together(("bag", "token", "from"), lying), Together(("from", "to"), elsewhere)

    def why_not(self, here: Table) -> Refusal | None:
        bags, find = here.tool(Bags), Find(self.bag, self.token)
        if refusal := bags.no_bag(self.bag):
            return refusal
        if self.giver == self.taker:
            return Illegal("toolbox.place", rule="TBX-92")
        if self.token == BLANK:
            return Illegal("toolbox.rubble", rule="TBX-92")
        if refusal := self._no_seat(here, self.giver):
            return refusal
        if not bags.has(find, self.giver):
            return Illegal("toolbox.no_token", rule="TBX-92", token=self.token)
        return self._no_seat(here, self.taker)

    def done(self, here: Table) -> Table:
        find = Find(self.bag, self.token)
        return here.laid(here.tool(Bags).without(find, self.giver).with_(find, self.taker)).settled()

    def told(self, here: Table) -> Facts:
        return super().told(here) | {"giver": here.called(self.giver), "taker": here.called(self.taker)}

    def _no_seat(self, here: Table, place: Place) -> Refusal | None:
        return None if place == "bag" else here.no_seat(place)


class Bags(Tool, frozen=True):
    """The bags, or piles.

    :param printed: what is in each at the start.
    :param origins: where the figures of each are from.
    :param uncounted: nobody may know how much is in one [TBX-36].
    :param finds: what lies before each seat, in the order drawn.
    :param last: the draw that ended last.
    """

    name = "bags"
    acts = (Draw, ReturnFind)
    mends = (Token,)

    printed: dict[str, Bag]
    colours: dict[str, str]
    origins: dict[str, str]
    uncounted: bool = False
    inside: dict[str, Bag] = msgspec.field(default_factory=dict)
    finds: tuple[tuple[Find, ...], ...] = ()
    last: Drawing | None = None

    def laid_out(self, seats: int) -> Bags:
        return replace(self, inside=self.printed, finds=((),) * seats)

    def no_bag(self, bag: str) -> Refusal | None:
        """Why a bag cannot be meant: there is none of the name."""
        return None if bag in self.printed else Illegal("toolbox.no_bag", rule="TBX-30", bags=tuple(self.printed))

    def has(self, find: Find, place: Place) -> bool:
        """Whether such a token is in its bag, or before a seat."""
        return find.token in self.inside[find.bag] if place == "bag" else find in self.finds[place]

    def with_(self, find: Find, place: Place) -> Bags:
        """With one more token in its bag, or before a seat."""
        if place == "bag":
            return replace(self, inside=self.inside | {find.bag: self.inside[find.bag].with_(find.token)})
        return replace(self, finds=changed(self.finds, place, (*self.finds[place], find)))

    def without(self, find: Find, place: Place) -> Bags:
        """Without a token that is in its bag, or before a seat."""
        if place == "bag":
            return replace(self, inside=self.inside | {find.bag: self.inside[find.bag].without(find.token)})
        finds = self.finds[place]
        at = finds.index(find)
        return replace(self, finds=changed(self.finds, place, (*finds[:at], *finds[at + 1 :])))

    def lying(self) -> Iterator[tuple[Find, Place]]:
        """Every token but rubble, and where it lies; in a pile that nobody may count any may still be."""
        for name, whole in self.printed.items():
            inside = whole if self.uncounted else self.inside[name]
            yield from ((Find(name, token), "bag") for token in sorted(inside) if token != BLANK)
            for seat, finds in enumerate(self.finds):
                for token in sorted({find.token for find in finds if find.bag == name}):
                    yield Find(name, token), seat

    def board(self, here: Table) -> Facts:
        """Bags, finds and the draws.

        ===============  ===============================================================================================
        ``bags``         ``[{bag, colour, left, start, inside: {token: count}, from}]``; ``left`` and ``inside`` are
                         null where nobody may count
        ``drawing``      ``{bag, seat, of, drawn}`` while a hand is in a bag, else null
        ``last_draw``    the draw that ended last, likewise
        ``finds``        for each seat ``[{bag, token}]``
        ===============  ===============================================================================================
        """
        bags: list[Json] = [
            {
                "bag": name,
                "colour": self.colours[name],
                "left": None if self.uncounted else self.inside[name].total,
                "start": printed.total,
                "inside": None if self.uncounted else dict(self.inside[name].odds()),
                "from": self.origins[name],
            }
            for name, printed in self.printed.items()
        ]
        hand = here.state.hand
        return {
            "bags": bags,
            "drawing": hand.shown() if isinstance(hand, Drawing) else None,
            "last_draw": self.last.shown() if self.last else None,
            "finds": [[{"bag": find.bag, "token": find.token} for find in finds] for finds in self.finds],
        }

    def help(self) -> Facts:
        """The chances of one token from each bag."""
        if self.uncounted:
            return {}
        return {"bags": {name: chances(bag) for name, bag in self.inside.items() if bag.total}}

    def counted(self, here: Table) -> dict[str, int]:
        """Tokens in bags, before seats and in a hand."""
        things: Counter[str] = Counter()
        for name, bag in self.inside.items():
            things.update({f"{name} {token}": count for token, count in bag.odds()})
        things.update(f"{find.bag} {find.token}" for finds in self.finds for find in finds)
        hand = here.state.hand
        if isinstance(hand, Drawing):
            things[f"{hand.bag} {BLANK}"] += hand.drawn.count(BLANK)
        return +things


def chances(bag: Bag) -> dict[str, float]:
    """How likely an object is, and rubble."""
    objects = sum(count for token, count in bag.odds() if token.startswith("object:"))
    return {"objects": round(objects / bag.total, 4), "blank": round(bag[BLANK] / bag.total, 4)}
