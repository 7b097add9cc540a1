"""A game of The Pyramid of Horus at one moment, and the terms it is played on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from companion.game import Option, Setup, State
from companion.games.horus.box import HorusBox
from companion.games.horus.cards import HIDDEN, back, is_treasure
from companion.games.horus.events import Asking, Event, OfSeat, Phase
from companion.games.horus.plan import STRETCHES
from companion.pieces.bag import Bag
from companion.pieces.corridor import Walker
from companion.pieces.plan import Plan
from companion.refusals import Malformed
from companion.secrecy import BY_SEAT, Seats, Secret, nobody, nothing

Fate = Literal["waiting", "inside", "left", "sealed", "turned"]

NOBODY = -1
OUTSIDE = "outside"
"""Where a step from an entrance leads [HOR-60]."""
AREAS = ("den", "sand", "pond")
DICE = 5

OPTIONS = (
    Option("mummies", ("usual", "alternative"), "usual"),
    Option("total_secrecy", (False, True), False),
    Option("odds", (False, True), True),
    Option("first_keeper", (0, 1, 2, 3, 4, 5), 0, of_seats=True),
)


class Slot(msgspec.Struct, frozen=True):
    """A sarcophagus: whose god's card lies in it, and the square before it."""

    god: str
    square: str


class HorusTerms(msgspec.Struct, frozen=True):
    """What does not change during a game: the box's figures and its plan, and how the table was laid.

    :param rules: the version of the rules; RULES.md tells how the first differed.
    :param first_keeper: the seat that has the dice first.
    :param real_blocks: whether people draw the blocks, so that Digside does not know one that was looked at.
    :param real_tombs: the same for the cards in the sarcophagi.
        :param dice: the god of each die.
    """

    rules: int
    names: tuple[str, ...]
    secrecy: bool
    odds: bool
    first_keeper: int
    real_blocks: bool
    real_tombs: bool
    abilities: Mapping[str, str]
    most_cards: int
    levels: tuple[int, ...]
    dice: tuple[str, ...]
    colours: tuple[str, ...]
    faces: int
    mummies_from: int
    decks: tuple[Bag, ...]
    area_gods: tuple[str, ...]
    tombs: Mapping[str, Bag]
    idols: Mapping[str, int]
    locks: Mapping[str, tuple[int, ...]]
    diversity: tuple[int, ...]
    plan: Plan
    area: Mapping[str, str]
    squares: tuple[str, ...]
    blocks: tuple[int, ...]
    slots: tuple[Slot, ...]
    slots_at: Mapping[str, tuple[int, ...]]
    alcoves_at: Mapping[str, tuple[str, ...]]
    walkers: Mapping[str, Walker]
    box: HorusBox
    cut_off_cache: dict[frozenset[str], dict[str, tuple[int, ...]]]
    """For sets of fallen blocks: which further blocks would cut off each square."""
    charts: dict[str, object]
    """What a search has computed of the plan, once."""

    @classmethod
    def of(cls, setup: Setup, box: HorusBox, rules: int) -> HorusTerms:
        """The terms of a table whose seats and options are among those on offer.

        :raises Malformed: if the dice go first to a seat where nobody sits.
        """
        chosen = {option.name: option.default for option in OPTIONS} | setup.options
        first_keeper = int(chosen["first_keeper"])
        if first_keeper >= len(setup.seats):
            raise Malformed("horus.first_keeper", rule="HOR-01", n=first_keeper, seats=len(setup.seats))
        plan, decks = box.plan, box.decks
        slots = tuple(Slot(god, square) for god, squares in plan.sarcophagi.items() for square in squares)
        mummies = plan.alternative if chosen["mummies"] == "alternative" else plan.mummies
        return cls(
            rules=rules,
            names=tuple(seat.name for seat in setup.seats),
            secrecy=bool(chosen["total_secrecy"]),
            odds=bool(chosen["odds"]),
            first_keeper=first_keeper,
            real_blocks=setup.source("blocks") == "table",
            real_tombs=setup.source("sarcophagi") == "table",
            abilities=dict(box.adventurers),
            most_cards=box.level.cards,
            levels=tuple(box.level_of(cards) for cards in range(box.level.cards + 1)),
            dice=tuple(box.dice.gods),
            colours=tuple(box.dice.gods.values()),
            faces=box.dice.faces,
            mummies_from=box.dice.mummies_from,
            decks=tuple(Bag.of(box.search_decks[area]) for area in AREAS),
            area_gods=("rubble", decks.sand.god, decks.water.god),
            tombs={god: Bag.of(cards) for god, cards in box.sarcophagus_cards.items()},
            idols={str(god): worth for god, worth in decks.idols.items()},
            locks={str(god): numbers for god, numbers in box.locks.items()},
            diversity=box.score.diversity,
            plan=Plan.of(plan.passages, exits=plan.entrances),
            area=plan.area,
            squares=plan.squares,
            blocks=tuple(map(int, plan.blocks)),
            slots=slots,
            slots_at={
                square: tuple(at for at, slot in enumerate(slots) if slot.square == square)
                for square in dict.fromkeys(slot.square for slot in slots)
            },
            alcoves_at={
                square: tuple(god for god, squares in plan.alcoves.items() if square in squares)
                for square in dict.fromkeys(square for squares in plan.alcoves.values() for square in squares)
            },
            walkers={
                name: Walker.on(plan.corridor.stretch(mummy.stretch), at=mummy.square, towards=mummy.towards)
                for name, mummy in sorted(mummies.items(), key=lambda each: STRETCHES.index(each[1].stretch))
            },
            box=box,
            cut_off_cache={},
            charts={},
        )

    @property
    def seats(self) -> int:
        return len(self.names)

    @property
    def fills_satchels(self) -> bool:
        """Whether a satchel is filled by itself, as everybody sees which cards are treasures. To version 1 it always
        was [HOR-13]."""
        return self.rules == 1 or not self.secrecy

    def level(self, cards: int) -> int:
        """What a die has to reach for somebody with so many cards [HOR-10]."""
        return self.levels[min(cards, self.most_cards)]

    def card_from(self, deck: int, outcome: str) -> str:
        """A card of a search deck as somebody holds it: a chest is known by its back."""
        return f"chest-{self.area_gods[deck]}" if outcome == "chest" else outcome


SEARCHED = {"snake": 0, "scorpion": 1, "crocodile": 2}
"""The deck that a wound comes from."""


def as_it_lies(table: Any, card: str) -> str:
    """A card as everybody but its owner sees it: the back of one that lies face down [HOR-32, HOR-81, HOR-82]."""
    if is_treasure(card):
        return f"{HIDDEN}-{back(card)}"
    if table.terms.secrecy and card in SEARCHED:
        return f"{HIDDEN}-{table.terms.area_gods[SEARCHED[card]]}"
    return card


def as_they_lie(table: Any, cards: tuple[str, ...]) -> tuple[str, ...]:
    """The same for several. The backs come last, so that their order does not tell which one has gone."""
    seen = [as_it_lies(table, card) for card in cards]
    backs = {one for one, card in zip(seen, cards, strict=True) if one != card}
    return (*(one for one in seen if one not in backs), *sorted(one for one in seen if one in backs))


def how_many(bag: Bag) -> Bag:
    """A deck as everybody sees it: how many cards it has."""
    return Bag({}, bag.total)


def backs_of(table: Any, decks: tuple[Bag, ...]) -> tuple[Bag, ...]:
    """The search decks as everybody sees them."""
    return tuple(map(how_many, decks))


def closed_tombs(table: Any, tombs: Mapping[str, Bag]) -> Mapping[str, Bag]:
    """The cards in closed sarcophagi as everybody sees them: what is left would tell what somebody has read."""
    return {god: how_many(bag) for god, bag in tombs.items()}


class Adventurer(msgspec.Struct, frozen=True):
    """What a seat has on the table.

    :param who: which of the eight; nobody before they are chosen.
    :param square: where the figure stands; nothing where it does not stand inside.
    :param rests: where the adventurer was sealed in.
    :param packed: the cards that the owner has put into satchels, in total secrecy [HOR-13].
    :param used: whether the ability has been used [HOR-70].
    :param eased: whether endurance lowers this round's level by one [HOR-73].
    :param chests: what was rolled for the chests.
    """

    who: str = ""
    square: str = ""
    rests: str = ""
    fate: Fate = "waiting"
    cards: Annotated[tuple[str, ...], Secret(as_they_lie)] = ()
    packed: Annotated[tuple[str, ...], Secret(as_they_lie)] = ()
    used: bool = False
    eased: bool = False
    level: int = 0
    actions: int = 0
    chests: tuple[int, ...] = ()


class Mummy(msgspec.Struct, frozen=True):
    """A mummy in its stretch of the corridor.

    :param lying: whether it was shot, and gets up when the mummies walk next [HOR-71].
    :param seat: whose adventurer it was [HOR-43].
    :param risen: whether it has just risen, and touches nobody before it walks or the next round begins [HOR-43].
    """

    name: str
    walker: Walker
    lying: bool = False
    seat: int = NOBODY
    risen: bool = False

    @property
    def at(self) -> str:
        return self.walker.at

    @property
    def wounds(self) -> bool:
        """Whether it touches an adventurer who comes onto its square."""
        return not (self.lying or self.risen)


def _who_has_read(tomb: Sarcophagus, seat: int | None) -> Seats:
    return None if tomb.is_open else (tomb.reader,)


class Sarcophagus(msgspec.Struct, frozen=True):
    """What is known of a sarcophagus.

    :param card: the card in it, once that was drawn; nobody but its reader may see it before it is open.
    :param reader: the seat that has read it [HOR-74].
    """

    card: Annotated[str, Secret(nothing, to=_who_has_read)] = ""
    is_open: bool = False
    looted: bool = False
    reader: int = NOBODY


class ShownCard(msgspec.Struct, frozen=True):
    """A card that is shown to all for a moment [HOR-32]."""

    seat: int
    card: str


class HorusState(State, frozen=True):
    """A game of The Pyramid of Horus at one moment. Seats index `adventurers`, dice are in the order of the terms.

    :param pending: what happens next, in this order; the game is over when nothing is pending.
    :param action_dice: the roll that serves all this round; 0 is a die still to fall.
    :param lock: the god whose lock `lock_dice` lie for.
    :param fresh: the wound that was just received [HOR-76, HOR-78]; in total secrecy any card that lies face down.
    :param seer: by what a block was looked at this round, and `looker` who did [HOR-51].
    :param looked: the block that was looked at: the looker's secret, and unknown to Digside where blocks are real.
    :param kept: whether that block is the one to fall; None while that is open.
    :param cast_off: the cards beside the board.
    """

    keeper: int
    adventurers: Annotated[tuple[Adventurer, ...], BY_SEAT]
    mummies: tuple[Mummy, ...]
    decks: Annotated[tuple[Bag, ...], Secret(backs_of, to=nobody)]
    tombs: Annotated[Mapping[str, Bag], Secret(closed_tombs, to=nobody)]
    sarcophagi: tuple[Sarcophagus, ...]
    idols: tuple[str, ...]
    boxed: tuple[int, ...]
    pending: tuple[Event, ...] = ()
    fallen: tuple[int, ...] = ()
    round: int = 0
    action_dice: tuple[int, ...] = ()
    mummy_dice: tuple[int, ...] = ()
    lock_dice: tuple[int, ...] = ()
    lock: str = ""
    fresh: Annotated[str, Secret(as_it_lies, to=lambda state, seat: (state.seat,))] = ""
    shown: ShownCard | None = None
    seer: str = ""
    looker: int = NOBODY
    looked: Annotated[int, Secret(nothing, to=lambda state, seat: (state.looker,))] = 0
    kept: bool | None = None
    cast_off: Annotated[tuple[str, ...], Secret(as_they_lie, to=nobody)] = ()

    @property
    def asking(self) -> Asking:
        """What a seat has to decide now; "" where something is to be drawn, or the game is over."""
        return self.pending[0].asking if self.pending else ""

    @property
    def seat_asked(self) -> int:
        """The seat that has to decide; `NOBODY` where none has."""
        first = self.pending[0] if self.pending else None
        return first.seat if isinstance(first, OfSeat) else NOBODY

    @property
    def phase(self) -> Phase:
        """The part of the round that is under way."""
        return next((event.phase for event in self.pending if event.phase), "over")

    @property
    def seat(self) -> int:
        """Whose part of the phase it is; the keeper of the dice, where it is nobody's."""
        part = next((event for event in self.pending if event.phase), None)
        return part.seat if isinstance(part, OfSeat) else self.keeper
