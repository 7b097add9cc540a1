"""Bags of tokens, or piles of cards, from which hands draw; and the finds before each seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from typing import Annotated, Any, Literal

import msgspec
from msgspec.structs import replace

from companion.game import Chance, FieldTable, Outcome
from companion.games.toolbox import seen
from companion.games.toolbox.cards import BACK, Cards
from companion.games.toolbox.kit import BUSY, Hand, Stocks, ToolboxTable
from companion.parts import SEATS, Act, ChoiceOf, Facts, RuledCorrection, changed
from companion.pieces.bag import Bag
from companion.pieces.box_differences import as_printed
from companion.pieces.piles import NONE, Pile, are_among
from companion.refusals import Illegal, Refusal
from companion.secrecy import Secret, nobody

BLANK = "blank"
TOKENS = range(1, 13)
"""How many are listed to be drawn; more can be drawn too."""


class FoundToken(msgspec.Struct, frozen=True):
    """A token before a seat, and the bag it came from."""

    bag: str
    token: str


class DrawTokens(Act[ToolboxTable], frozen=True, tag="draw"):
    """Draws tokens from a bag for a seat; for whoever acts, if none is named."""

    sampled = True

    bag: str
    count: int
    seat: int | None = None

    @classmethod
    def thinkable(cls, table: ToolboxTable) -> Iterator[DrawTokens]:
        bags = table.tool(Bags)
        return (cls(name, count) for name in bags.inside if bags.lies(name) for count in TOKENS)

    def why_not(self, table: ToolboxTable) -> Refusal | None:
        bags = table.tool(Bags)
        if refusal := bags.no_bag(self.bag) or table.no_seat(self.seat):
            return refusal
        if not 1 <= self.count <= bags.printed[self.bag].total:
            return Illegal("toolbox.count", rule="TBX-34", most=bags.printed[self.bag].total)
        return None if bags.lies(self.bag) else Illegal("toolbox.bag_empty", rule="TBX-34", bag=self.bag)

    def done(self, table: ToolboxTable) -> ToolboxTable:
        sorting = table.tool(Bags).sorting(self.bag)
        return table.busy(*sorting, DrawingHand(self.keeper_of(table), self.bag, self.count))

    def log_facts(self, table: ToolboxTable) -> Facts:
        return super().log_facts(table) | {"whose": table.called(self.keeper_of(table)), "n": self.count}

    def keeper_of(self, table: ToolboxTable) -> int:
        """The seat that keeps what is drawn."""
        return table.seat if self.seat is None else self.seat


class DrawingHand(Hand, frozen=True):
    """A hand is in a bag. What it has drawn stays out until it has drawn all it wants."""

    seat: int
    bag: str
    count: int
    drawn: tuple[str, ...] = ()

    def chance(self, table: ToolboxTable) -> Chance:
        bags = table.tool(Bags)
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

    def off_list_outcomes(self, table: ToolboxTable) -> tuple[str, ...]:
        return table.loose(self.bag).off_list_outcomes(table.tool(Bags).inside[self.bag])

    def amend_for(self, table: ToolboxTable, outcome: str) -> ToolboxTable:
        return table.exchanged(table.tool(Bags), self.bag, outcome)

    def apply_outcome(self, table: ToolboxTable, outcome: Outcome) -> ToolboxTable:
        token = str(outcome)
        bags = table.tool(Bags).without(FoundToken(self.bag, token), "bag")
        if token != BLANK:
            bags = bags.with_(FoundToken(self.bag, token), self.seat)
        return table.laid(bags).busy(replace(self, drawn=(*self.drawn, token)))

    def withdrawn(self, table: ToolboxTable) -> ToolboxTable:
        """Rubble goes back once the whole draw is over."""
        bags = table.tool(Bags)
        bag = bags.inside[self.bag]
        if len(self.drawn) < self.count and bags.lies(self.bag):
            return table
        rubble = self.drawn.count(BLANK)
        inside = bags.inside | {self.bag: bag.with_(BLANK, rubble)}
        backs = bags.backs | {self.bag: bags.backs[self.bag] + rubble} if bags.real else bags.backs
        return table.laid(replace(bags, inside=inside, backs=backs, last=self)).busy()

    def log_facts(self, table: ToolboxTable, outcome: Outcome) -> Facts:
        told: Facts = {"type": "drawn", "whose": table.called(self.seat), "seat": self.seat, "bag": self.bag}
        return told | {"token": outcome, "nth": len(self.drawn) + 1, "of": self.count}

    def shown(self) -> seen.ToolboxDrawShown:
        """As the board has it."""
        return {"bag": self.bag, "seat": self.seat, "of": self.count, "drawn": list(self.drawn)}


class Sorting(Hand, frozen=True):
    """What came onto a pile is sorted, before a hand reaches in: of each kind so many are among the cards unseen."""

    bag: str
    sorted: int = 0

    def chance(self, table: ToolboxTable) -> Chance:
        bags = table.tool(Bags)
        pile, kinds = bags.piles[self.bag], tuple(bags.printed[self.bag].counts)
        kind = kinds[self.sorted]
        same, others = pile.faces[kind], sum(pile.faces[other] for other in kinds[self.sorted + 1 :])
        odds = are_among(same, others, pile.unturned, bags.printed[self.bag][kind])
        return Chance("tokens", f"lie {self.bag} {kind}", odds, pressed=False, hidden=True)

    def apply_outcome(self, table: ToolboxTable, outcome: Outcome) -> ToolboxTable:
        bags = table.tool(Bags)
        kind = tuple(bags.printed[self.bag].counts)[self.sorted]
        pile = bags.piles[self.bag].known(kind, int(outcome))
        after = table.laid(bags.with_pile(self.bag, pile))
        done = self.sorted + 1 == len(bags.printed[self.bag].counts)
        return after.busy() if done else after.busy(replace(self, sorted=self.sorted + 1))

    def log_facts(self, table: ToolboxTable, outcome: Outcome) -> Facts:
        return {"type": "sorted", "bag": self.bag}


class AddBack(Act[ToolboxTable], frozen=True, tag="add_back"):
    """A card with a region's back came from a real deck, onto its pile."""

    bag: str

    @classmethod
    def thinkable(cls, table: ToolboxTable) -> Iterator[AddBack]:
        return (act for bag in table.tool(Bags).printed if not (act := cls(bag)).why_not(table))

    def why_not(self, table: ToolboxTable) -> Refusal | None:
        bags = table.tool(Bags)
        if refusal := bags.no_bag(self.bag):
            return refusal
        if not bags.deck or self.back not in table.tool(Cards).inside[bags.deck]:
            return Illegal("toolbox.no_back", rule="TBX-38", bag=self.bag)
        return None

    @property
    def back(self) -> str:
        """The card as the deck has it."""
        return f"{BACK}{self.bag}"

    def done(self, table: ToolboxTable) -> ToolboxTable:
        bags = table.tool(Bags)
        return table.laid(table.tool(Cards).without(self.back, bags.deck)).laid(bags.grown(self.bag))


class LookThrough(Act[ToolboxTable], frozen=True, tag="look_through"):
    """Looks through a pile; this seat alone sees it."""

    bag: str

    @classmethod
    def thinkable(cls, table: ToolboxTable) -> Iterator[LookThrough]:
        return (act for bag in table.tool(Bags).printed if not (act := cls(bag)).why_not(table))

    def why_not(self, table: ToolboxTable) -> Refusal | None:
        bags = table.tool(Bags)
        if refusal := bags.no_bag(self.bag):
            return refusal
        if not bags.piles or bags.real:
            return Illegal("toolbox.own_pile", rule="TBX-39")
        return None if bags.lies(self.bag) else Illegal("toolbox.bag_empty", rule="TBX-39", bag=self.bag)

    def done(self, table: ToolboxTable) -> ToolboxTable:
        bags = table.tool(Bags)
        looking = table.laid(replace(bags, looker=table.seat, looked=self.bag))
        return looking.busy(*sorting) if (sorting := bags.sorting(self.bag)) else looking

    def log_facts(self, table: ToolboxTable) -> Facts:
        return super().log_facts(table) | {"whose": table.called(table.seat)}


class KeepOne(Act[ToolboxTable], frozen=True, tag="keep_one"):
    """Keeps a card of the pile that was looked through; or none, and the pile is closed."""

    sampled = True

    token: str | None = None

    @classmethod
    def thinkable(cls, table: ToolboxTable) -> Iterator[KeepOne]:
        bags = table.tool(Bags)
        if bags.looked and bags.looker == table.seat:
            yield cls()
            yield from (cls(token) for token in bags.inside[bags.looked] if token != BLANK)

    def why_not(self, table: ToolboxTable) -> Refusal | None:
        bags = table.tool(Bags)
        if not bags.looked or bags.looker != table.seat:
            return Illegal("toolbox.not_looking", rule="TBX-39")
        if self.token is not None and (self.token == BLANK or self.token not in bags.inside[bags.looked]):
            return Illegal("toolbox.no_token", rule="TBX-39", token=self.token)
        return None

    def done(self, table: ToolboxTable) -> ToolboxTable:
        bags = table.tool(Bags)
        if self.token is not None:
            find = FoundToken(bags.looked, self.token)
            bags = bags.without(find, "bag").with_(find, table.seat)
        return table.laid(replace(bags, looker=-1, looked=""))

    def log_facts(self, table: ToolboxTable) -> Facts:
        kept: Facts = {"type": "keep_none"} if self.token is None else super().log_facts(table)
        return kept | {"whose": table.called(table.seat), "bag": table.tool(Bags).looked}


class FirstFind(Act[ToolboxTable], frozen=True, tag="first_find"):
    """A seat is the first to dig at a site: what lies open there goes to it."""

    bag: str
    seat: int

    @classmethod
    def thinkable(cls, table: ToolboxTable) -> Iterator[FirstFind]:
        return (cls(bag, seat) for bag in table.tool(Bags).first for seat in table.seats)

    def why_not(self, table: ToolboxTable) -> Refusal | None:
        bags = table.tool(Bags)
        if refusal := bags.no_bag(self.bag) or table.no_seat(self.seat):
            return refusal
        return None if self.bag in bags.first else Illegal("toolbox.no_first", rule="TBX-37", bag=self.bag)

    def done(self, table: ToolboxTable) -> ToolboxTable:
        bags = table.tool(Bags)
        first = {bag: token for bag, token in bags.first.items() if bag != self.bag}
        return table.laid(replace(bags, first=first).with_(FoundToken(self.bag, bags.first[self.bag]), self.seat))

    def log_facts(self, table: ToolboxTable) -> Facts:
        return super().log_facts(table) | {"whose": table.called(self.seat), "token": table.tool(Bags).first[self.bag]}


class GiveAway(Act[ToolboxTable], frozen=True, tag="give_away"):
    """A find leaves the game."""

    seat: int
    bag: str
    token: str

    @classmethod
    def thinkable(cls, table: ToolboxTable) -> Iterator[GiveAway]:
        bags = table.tool(Bags)
        if bags.piles:
            for seat, finds in enumerate(bags.finds):
                yield from (cls(seat, find.bag, find.token) for find in dict.fromkeys(finds))

    def why_not(self, table: ToolboxTable) -> Refusal | None:
        if not table.tool(Bags).piles:
            return Illegal("toolbox.nothing_leaves", rule="TBX-35")
        return ReturnFind(self.seat, self.bag, self.token).why_not(table)

    def done(self, table: ToolboxTable) -> ToolboxTable:
        find, bags = FoundToken(self.bag, self.token), table.tool(Bags)
        return table.laid(replace(bags.without(find, self.seat), gone=(*bags.gone, find)))

    def log_facts(self, table: ToolboxTable) -> Facts:
        return super().log_facts(table) | {"whose": table.called(self.seat)}


class ReturnFind(Act[ToolboxTable], frozen=True, tag="return_find"):
    """Puts a find back into its bag."""

    seat: int
    bag: str
    token: str

    @classmethod
    def thinkable(cls, table: ToolboxTable) -> Iterator[ReturnFind]:
        for seat, finds in enumerate(table.tool(Bags).finds):
            yield from (cls(seat, find.bag, find.token) for find in dict.fromkeys(finds))

    def why_not(self, table: ToolboxTable) -> Refusal | None:
        bags = table.tool(Bags)
        if refusal := bags.no_bag(self.bag) or table.no_seat(self.seat):
            return refusal
        if FoundToken(self.bag, self.token) in bags.finds[self.seat]:
            return None
        whose = table.called(self.seat)
        return Illegal("toolbox.no_find", rule="TBX-35", whose=whose, token=self.token, bag=self.bag)

    def done(self, table: ToolboxTable) -> ToolboxTable:
        find = FoundToken(self.bag, self.token)
        return table.laid(table.tool(Bags).without(find, self.seat).with_(find, "bag"))

    def log_facts(self, table: ToolboxTable) -> Facts:
        return super().log_facts(table) | {"whose": table.called(self.seat)}


Place = Literal["bag"] | int
"""The bag, or a seat."""


def places(table: ToolboxTable) -> tuple[Place, ...]:
    """Where a token can be."""
    return ("bag", *table.seats)


AnyBag = Annotated[str, ChoiceOf(lambda table: table.tool(Bags).printed)]
AnyToken = Annotated[str, ChoiceOf(lambda table: {find.token for find, _ in table.tool(Bags).lying()})]
AnyPlace = Annotated[Place, ChoiceOf(places, lambda table: {"bag": ("at_bag",)}), SEATS]


class SetToken(RuledCorrection[ToolboxTable], frozen=True, tag="token", rename={"giver": "from", "taker": "to"}):
    """A token is elsewhere."""

    bag: AnyBag
    token: AnyToken
    giver: AnyPlace
    taker: AnyPlace

    @classmethod
    def offered_values(cls, table: ToolboxTable) -> tuple[FieldTable, ...]:
        """Every token where it lies, and every other place."""
        bags = table.tool(Bags)
        known = places(table)[1:] if bags.piles and not bags.real else places(table)
        lying = tuple((find.bag, find.token, place) for find, place in bags.lying() if place in known)
        elsewhere = tuple(permutations(known, 2))
        return FieldTable(("bag", "token", "from"), lying), FieldTable(("from", "to"), elsewhere)

    def why_not(self, table: ToolboxTable) -> Refusal | None:
        bags, find = table.tool(Bags), FoundToken(self.bag, self.token)
        if refusal := bags.no_bag(self.bag):
            return refusal
        if self.giver == self.taker:
            return Illegal("toolbox.place", rule="TBX-92")
        if self.token == BLANK:
            return Illegal("toolbox.rubble", rule="TBX-92")
        if refusal := self._no_seat(table, self.giver):
            return refusal
        there = bags.may_mend(self.giver, self.taker) and bags.has(find, self.giver)
        return (
            self._no_seat(table, self.taker) if there else Illegal("toolbox.no_token", rule="TBX-92", token=self.token)
        )

    def done(self, table: ToolboxTable) -> ToolboxTable:
        find = FoundToken(self.bag, self.token)
        return table.laid(table.tool(Bags).without(find, self.giver).with_(find, self.taker)).withdrawn()

    def log_facts(self, table: ToolboxTable) -> Facts:
        return super().log_facts(table) | {"giver": table.called(self.giver), "taker": table.called(self.taker)}

    def _no_seat(self, table: ToolboxTable, place: Place) -> Refusal | None:
        return None if place == "bag" else table.no_seat(place)


def _uncounted_piles(table: Any, piles: dict[str, Pile]) -> dict[str, Pile]:
    return dict.fromkeys(piles, Pile(NONE))


def _uncounted_backs(table: Any, backs: dict[str, int]) -> dict[str, int]:
    return {name: min(count, 1) for name, count in backs.items()}


class Bags(Stocks, frozen=True):
    """The bags, or piles.

    :param origins: where the figures of each are from.
    :param uncounted: nobody may know how much is in one [TBX-36].
    :param has_first: whether something lies open on the sites at the start.
    :param piles: piles that begin empty and grow; what lies on one is known once a hand reached in.
    :param deck: from which they grow.
    :param real: whether the cards of the piles are drawn at the table, and only their number is known here.
    :param backs: of real piles, how many cards lie on each.
    :param first: what lies open on sites for the first to dig there.
    :param finds: what lies before each seat, in the order drawn.
    :param gone: what has left the game.
    :param looked: the pile that a seat, the `looker`, is looking through; "" where nobody is.
    :param last: the draw that ended last.
    """

    name = "bags"
    acts = (DrawTokens, ReturnFind, AddBack, LookThrough, KeepOne, GiveAway, FirstFind)
    corrections = (SetToken,)

    colours: dict[str, str]
    origins: dict[str, str]
    uncounted: bool = False
    has_first: bool = False
    piles: Annotated[dict[str, Pile], Secret(_uncounted_piles, to=nobody)] = msgspec.field(default_factory=dict)
    deck: str = ""
    real: bool = False
    backs: Annotated[dict[str, int], Secret(_uncounted_backs, to=nobody)] = msgspec.field(default_factory=dict)
    first: dict[str, str] = msgspec.field(default_factory=dict)
    finds: tuple[tuple[FoundToken, ...], ...] = ()
    gone: tuple[FoundToken, ...] = ()
    looker: int = -1
    looked: str = ""
    last: DrawingHand | None = None

    def laid_out(self, seats: int) -> Bags:
        empty = dict.fromkeys(self.piles, NONE) if self.piles and not self.real else {}
        backs = dict.fromkeys(self.printed, 0) if self.real else {}
        return replace(self, inside=self.printed | empty, backs=backs, finds=((),) * seats)

    def inside_seen_by(self, viewer: int | None) -> dict[str, Bag]:
        """Of bags that nobody may count whether anything is in one, and no more; whoever looks through one sees that
        one [TBX-36]."""
        if not self.uncounted:
            return self.inside
        lies = {name: bag.total > 0 if self.real else self.lies(name) for name, bag in self.inside.items()}
        seen = {name: Bag({}, int(there)) for name, there in lies.items()}
        looks = viewer is not None and self.looked and viewer == self.looker
        return seen | {self.looked: self.inside[self.looked]} if looks else seen

    def lies(self, bag: str) -> bool:
        """Whether anything lies in a bag, or on a pile."""
        if self.real:
            return self.backs[bag] > 0
        return self.inside[bag].total > 0 or (bag in self.piles and self.piles[bag].unturned > 0)

    def grown(self, bag: str) -> Bags:
        """With one card more on a pile, of which only the back was seen."""
        if self.real:
            return replace(self, backs=self.backs | {bag: self.backs[bag] + 1})
        return replace(self, piles=self.piles | {bag: self.piles[bag].come(1)})

    def comes(self, table: ToolboxTable, back: str) -> ToolboxTable:
        """A card whose back is a region's goes onto its pile."""
        return table.laid(self.grown(back)) if back in self.piles else table

    def sorting(self, bag: str) -> tuple[Sorting, ...]:
        """The hand that first sorts what came onto a pile, where something did."""
        unsorted = bag in self.piles and not self.real and self.piles[bag].unturned
        return (Sorting(bag),) if unsorted else ()

    def with_pile(self, bag: str, pile: Pile) -> Bags:
        """With a pile of which more is known: what is known lies in its bag."""
        inside = self.inside[bag]
        for kind, count in pile.cards.odds():
            inside = inside.with_(kind, count)
        return replace(self, piles=self.piles | {bag: replace(pile, cards=NONE)}, inside=self.inside | {bag: inside})

    def no_bag(self, bag: str) -> Refusal | None:
        """Why a bag cannot be meant: there is none of the name."""
        return None if bag in self.printed else Illegal("toolbox.no_bag", rule="TBX-30", bags=tuple(self.printed))

    def may_mend(self, giver: Place, taker: Place) -> bool:
        """Whether a hand may go into a pile: not into one of which nobody may know what lies there."""
        return not self.piles or self.real or "bag" not in (giver, taker)

    def has(self, find: FoundToken, place: Place) -> bool:
        """Whether such a token is in its bag, or before a seat."""
        return find.token in self.inside[find.bag] if place == "bag" else find in self.finds[place]

    def with_(self, find: FoundToken, place: Place) -> Bags:
        """With one more token in its bag, or before a seat."""
        if place == "bag":
            backs = self.backs | {find.bag: self.backs[find.bag] + 1} if self.real else self.backs
            return replace(self, inside=self.inside | {find.bag: self.inside[find.bag].with_(find.token)}, backs=backs)
        return replace(self, finds=changed(self.finds, place, (*self.finds[place], find)))

    def without(self, find: FoundToken, place: Place) -> Bags:
        """Without a token that is in its bag, or before a seat."""
        if place == "bag":
            backs = self.backs | {find.bag: self.backs[find.bag] - 1} if self.real else self.backs
            inside = self.inside | {find.bag: self.inside[find.bag].without(find.token)}
            return replace(self, inside=inside, backs=backs)
        finds = self.finds[place]
        at = finds.index(find)
        return replace(self, finds=changed(self.finds, place, (*finds[:at], *finds[at + 1 :])))

    def lying(self) -> Iterator[tuple[FoundToken, Place]]:
        """Every token but rubble, and where it lies; in a pile that nobody may count any may still be."""
        for name, whole in self.printed.items():
            inside = whole if self.uncounted else self.inside[name]
            yield from ((FoundToken(name, token), "bag") for token in sorted(inside) if token != BLANK)
            for seat, finds in enumerate(self.finds):
                for token in sorted({find.token for find in finds if find.bag == name}):
                    yield FoundToken(name, token), seat

    def board(self, table: ToolboxTable) -> seen.ToolboxBoard:
        hand = table.state.hand
        told: seen.ToolboxBoard = {
            "bags": [self._bag_shown(name) for name in self.printed],
            "drawing": hand.shown() if isinstance(hand, DrawingHand) else None,
            "last_draw": self.last.shown() if self.last else None,
            "finds": [[{"bag": find.bag, "token": find.token} for find in finds] for finds in self.finds],
        }
        if self.piles:
            told["looking"] = {"seat": self.looker, "bag": self.looked} if self.looked else None
        return told

    def _bag_shown(self, name: str) -> seen.ToolboxBagShown:
        told: seen.ToolboxBagShown = {
            "bag": name,
            "colour": self.colours[name],
            "left": None if self.uncounted else self.inside[name].total,
            "start": self.printed[name].total,
            "inside": None if self.uncounted else dict(self.inside[name].odds()),
            "from": self.origins[name],
        }
        if self.has_first:
            told["first"] = self.first.get(name)
        if self.piles:
            told["empty"] = not self.lies(name)
        return told

    def hand(self, table: ToolboxTable) -> seen.ToolboxOwn:
        if not self.piles:
            return {}
        looks = self.looked and self.looker == table.seat and not table.state.hands
        return {"look": {"bag": self.looked, "cards": dict(self.inside[self.looked].odds())} if looks else None}

    def help(self) -> seen.ToolboxHelp:
        """The chances of one token from each bag."""
        if self.uncounted:
            return {}
        return {"bags": {name: chances(bag) for name, bag in self.inside.items() if bag.total}}

    def counted(self, table: ToolboxTable) -> dict[str, int]:
        """Tokens in bags, before seats and in a hand."""
        things: Counter[str] = Counter()
        for name, bag in self.inside.items():
            things.update({f"{name} {token}": count for token, count in bag.odds()})
        things.update(f"{find.bag} {find.token}" for finds in (*self.finds, self.gone) for find in finds)
        things.update(f"{name} {token}" for name, token in self.first.items())
        for name, pile in self.piles.items():
            if not self.real:
                things.update({f"{name} {token}": count for token, count in pile.faces.odds()})
        hand = table.state.hand
        if isinstance(hand, DrawingHand):
            things[f"{hand.bag} {BLANK}"] += hand.drawn.count(BLANK)
        for name in self.inside:
            of = [each for each in table.state.otherwise if each.where == table.loose(name).where]
            things = Counter(as_printed(things, of, f"{name} {{}}"))
        return +things


def chances(bag: Bag) -> dict[str, float]:
    """How likely an object is, and rubble."""
    objects = sum(count for token, count in bag.odds() if token.startswith("object:"))
    return {"objects": round(objects / bag.total, 4), "blank": round(bag[BLANK] / bag.total, 4)}
