"""A game of The Pyramid of Horus at one moment, and the terms it is played on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from companion.game import Option, Setup, State
from companion.games.horus.box import HorusBox
from companion.games.horus.plan import STRETCHES
from companion.pieces.bag import Bag
from companion.pieces.corridor import Walker
from companion.pieces.plan import Plan
from companion.refusals import Malformed

Phase = Literal["entering", "ready", "rolling", "acting", "walking", "falling", "passing", "chests", "over"]
Fate = Literal["waiting", "inside", "left", "sealed", "turned"]
Roll = Literal["", "action", "mummy", "lock", "chest"]
Due = Literal["", "dice", "search", "open", "read", "look", "block"]
Asking = Literal["", "enter", "ready", "act", "jump", "discard", "decide"]

NOBODY = -1
OUTSIDE = "outside"
"""Where a step from an entrance leads [HOR-60]."""
AREAS = ("den", "sand", "pond")
DICE = 5

OPTIONS = (
    Option("mummies", ("usual", "alternative"), "usual"),
    Option("total_secrecy", (False, True), False),
    Option("odds", (False, True), True),
    Option("first_keeper", (0, 1, 2, 3, 4, 5), 0),
)


class Slot(msgspec.Struct, frozen=True):
    """A sarcophagus: whose god's card lies in it, and the square before it."""

    god: str
    square: str


class Terms(msgspec.Struct, frozen=True):
    """What does not change while a game lasts: the box's figures and its plan, and how the table was laid.

    :param first_keeper: the seat that has the dice first.
    :param real_blocks: whether the blocks are drawn at the table, so that Digside never knows one that is looked at.
    :param real_tombs: the same for what lies in the sarcophagi.
    :param steps: for each square those that one can step to, blocks apart.
    :param dice: the god of each die.
    """

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
    reckoned: dict[frozenset[str], dict[str, tuple[int, ...]]]
    """What blocks would cut off which square, for each set of fallen ones that was asked for."""

    @classmethod
    def of(cls, setup: Setup, box: HorusBox) -> Terms:
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
            reckoned={},
        )

    @property
    def seats(self) -> int:
        return len(self.names)

    def level(self, cards: int) -> int:
        """What a die has to reach for somebody with so many cards [HOR-10]."""
        return self.levels[min(cards, self.most_cards)]

    def card_from(self, deck: int, outcome: str) -> str:
        """A card of a search deck as somebody holds it: a chest is known by its back."""
        return f"chest-{self.area_gods[deck]}" if outcome == "chest" else outcome


class Adventurer(msgspec.Struct, frozen=True):
    """What a seat has on the table.

    :param who: which of the eight; nobody before they are chosen.
    :param square: where the figure stands; nothing where it does not stand inside.
    :param rests: where somebody was sealed in.
    :param used: whether the ability has been used [HOR-70].
    :param eased: whether endurance makes this round's level one lower [HOR-73].
    :param chests: what the dice for the chests showed.
    """

    who: str = ""
    square: str = ""
    rests: str = ""
    fate: Fate = "waiting"
    cards: tuple[str, ...] = ()
    used: bool = False
    eased: bool = False
    level: int = 0
    actions: int = 0
    chests: tuple[int, ...] = ()


class Mummy(msgspec.Struct, frozen=True):
    """A mummy in its stretch of the corridor.

    :param lying: whether it was shot, and gets up when the mummies walk next [HOR-71].
    :param seat: whose adventurer it was [HOR-43].
    """

    name: str
    walker: Walker
    lying: bool = False
    seat: int = NOBODY

    @property
    def at(self) -> str:
        return self.walker.at


class Sarcophagus(msgspec.Struct, frozen=True):
    """What is known of a sarcophagus.

    :param card: the card in it, once that was drawn; nobody may see it before it is open.
    :param reader: the seat that has read it [HOR-74].
    """

    card: str = ""
    is_open: bool = False
    looted: bool = False
    reader: int = NOBODY


class Shown(msgspec.Struct, frozen=True):
    """A card that is shown to all for a moment [HOR-32]."""

    seat: int
    card: str


class HorusState(State, frozen=True):
    """A game of The Pyramid of Horus at one moment. Seats index `adventurers`, dice are in the order of the terms.

    :param seat: whose part of the phase it is.
    :param asking: what is asked for just now, and of whom: `asked`.
    :param due: what is to be drawn next; `roll` says what dice are rolled for, where it is dice.
    :param action_dice: the roll that serves all this round; 0 is a die still to fall.
    :param lock: the god whose lock `lock_dice` lie for.
    :param searching: the deck that is searched; `tomb` the sarcophagus that is opened or read.
    :param fresh: the wound that was just received [HOR-76, HOR-78]; in total secrecy any card that lies face down.
    :param jumping: who has to jump, in order; `dodged` whether the first of them does so unhurt [HOR-72].
    :param dropping: whether a block is to fall because the idol of Horus was taken [HOR-36].
    :param settling: whether a block has fallen, and it is still to be seen whom it shuts in.
    :param seer: by what a block was looked at this round, and `looker` who did [HOR-51].
    :param looked: the block that was looked at: the looker's secret, and unknown to Digside where blocks are real.
    :param kept: whether that block is the one to fall; None while that is open.
    :param cast_off: the cards beside the board.
    """

    phase: Phase
    keeper: int
    seat: int
    adventurers: tuple[Adventurer, ...]
    mummies: tuple[Mummy, ...]
    decks: tuple[Bag, ...]
    tombs: Mapping[str, Bag]
    sarcophagi: tuple[Sarcophagus, ...]
    idols: tuple[str, ...]
    boxed: tuple[int, ...]
    fallen: tuple[int, ...] = ()
    round: int = 0
    asking: Asking = ""
    asked: int = NOBODY
    due: Due = ""
    roll: Roll = ""
    action_dice: tuple[int, ...] = ()
    mummy_dice: tuple[int, ...] = ()
    lock_dice: tuple[int, ...] = ()
    lock: str = ""
    searching: int = NOBODY
    tomb: int = NOBODY
    fresh: str = ""
    shown: Shown | None = None
    jumping: tuple[int, ...] = ()
    dodged: bool = False
    dropping: bool = False
    settling: bool = False
    seer: str = ""
    looker: int = NOBODY
    looked: int = 0
    kept: bool | None = None
    cast_off: tuple[str, ...] = ()
