"""The box of The Adventurers: The Pyramid of Horus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta

from companion.boxes.box import Box, Count, Edge, Name, Part, Some, Value
from companion.boxes.problems import Doubt, FigureProblem
from companion.games.horus.plan import GODS, God, PlanOfThePyramid
from companion.pieces.box_differences import BoxDifference, FigureOverride, VariablePart
from companion.refusals import AsTyped

CARDS_OF_A_DECK = 18
ADVENTURERS = 8
MOST_CARDS = 12
SARCOPHAGI: Mapping[God, int] = {"anubis": 5, "thoth": 5, "horus": 4}
DIVERSITY = (0, 1, 3, 6, 10, 15)
DICE = 5

COLOURS = ("green", "yellow", "blue", "black", "red", "white")
"""Those of dice that have a name and a drawing."""
MOST_WORTH = 12
"""More than a treasure of any copy is worth."""
MOST_OF_A_NECKLACE = 6
WALLS = "plan.walls"
DICE_OF = "dice:"
"""Before the god of a die, as a part of the box."""

Equipment = Literal["antidote", "medical_kit", "crowbar", "udjat", "satchel"]
Face = Annotated[int, Meta(ge=1, le=6)]


class LevelStep(Part, frozen=True):
    """With `up_to` cards a die counts from `level` on."""

    up_to: Some
    level: Face


class LoadLevel(Part, frozen=True):
    """How much somebody may carry, and how hard it weighs."""

    cards: Some
    steps: tuple[LevelStep, ...]


class DiceFigures(Part, frozen=True):
    """The dice, one in the colour of each god."""

    faces: Annotated[int, Meta(ge=6, le=6)]
    mummies_from: Face
    gods: Mapping[God, Name]


class RubbleDeck(Part, frozen=True):
    equipment: Mapping[Equipment, Count]
    necklaces: tuple[Some, ...]
    snakes: Count

    @property
    def cards(self) -> Mapping[str, int]:
        """Each kind of card with its number: ``crowbar``, ``necklace-2``, ``snake``."""
        necklaces = Counter(f"necklace-{value}" for value in self.necklaces)
        equipment: Mapping[str, int] = dict(self.equipment.items())
        return {**equipment, **necklaces, "snake": self.snakes}


class SandDeck(Part, frozen=True):
    god: God
    treasures: tuple[Some, ...]
    chests: Count
    scorpions: Count

    @property
    def cards(self) -> Mapping[str, int]:
        """Each kind of card with its number: ``treasure-hededet-3``, ``chest``, ``scorpion``."""
        return {**treasure_cards(self.god, self.treasures), "chest": self.chests, "scorpion": self.scorpions}


class WaterDeck(Part, frozen=True):
    god: God
    treasures: tuple[Some, ...]
    chests: Count
    crocodiles: Count

    @property
    def cards(self) -> Mapping[str, int]:
        """Each kind of card with its number: ``treasure-sobek-5``, ``chest``, ``crocodile``."""
        return {**treasure_cards(self.god, self.treasures), "chest": self.chests, "crocodile": self.crocodiles}


class Decks(Part, frozen=True):
    rubble: RubbleDeck
    sand: SandDeck
    water: WaterDeck
    sarcophagi: Mapping[God, tuple[Some, ...]]
    idols: Mapping[God, Some]


class HorusScoring(Part, frozen=True):
    diversity: tuple[Count, ...]


class HorusBox(Box, frozen=True, kw_only=True):
    """Everything that is printed on the components of The Pyramid of Horus."""

    name: ClassVar[str] = "horus"
    rule_prefix: ClassVar[str] = "HOR"
    rule_of_walls: ClassVar[str] = "HOR-31"
    seats_of_the_rules: ClassVar[tuple[int, int]] = (2, 6)
    stated_by: ClassVar[Mapping[str, str]] = {
        "seats": "HOR-01",
        "adventurers": "HOR-01",
        "level.cards": "HOR-12",
        "level.steps": "HOR-14",
        "dice": "HOR-20",
        "dice.mummies_from": "HOR-40",
        "dice.gods.sobek": "HOR-21",
        "decks": "HOR-32",
        "locks": "HOR-34",
        "score": "HOR-62",
    }

    adventurers: Mapping[Name, Name]
    level: LoadLevel
    dice: DiceFigures
    decks: Decks
    locks: Mapping[God, tuple[Face, ...]]
    score: HorusScoring
    plan: PlanOfThePyramid

    @cached_property
    def search_decks(self) -> Mapping[str, Mapping[str, int]]:
        """For each area that can be searched the cards of its deck."""
        return {"den": self.decks.rubble.cards, "sand": self.decks.sand.cards, "pond": self.decks.water.cards}

    @cached_property
    def sarcophagus_cards(self) -> Mapping[str, Mapping[str, int]]:
        """The cards that are laid into the sarcophagi of each god."""
        return {god: treasure_cards(god, values) for god, values in self.decks.sarcophagi.items()}

    @cached_property
    def loose(self) -> Mapping[str, VariablePart]:
        """For each deck its treasures or necklaces by their worth, for each god the cards in its sarcophagi, and for
        each die the colours that it may have."""
        decks = self.decks
        parts = {
            "den": ("decks.rubble.necklaces", "necklace", decks.rubble.necklaces, MOST_OF_A_NECKLACE),
            "sand": ("decks.sand.treasures", f"treasure-{decks.sand.god}", decks.sand.treasures, MOST_WORTH),
            "pond": ("decks.water.treasures", f"treasure-{decks.water.god}", decks.water.treasures, MOST_WORTH),
            **{
                str(god): (f"decks.sarcophagi.{god}", f"treasure-{god}", worths, MOST_WORTH)
                for god, worths in decks.sarcophagi.items()
            },
        }
        loose = {
            part: VariablePart(
                where,
                tuple(f"{of}-{worth}" for worth in sorted({*printed, *range(1, most + 1)})),
                {"type": "otherwise_deck", "deck": part},
            )
            for part, (where, of, printed, most) in parts.items()
        }
        for god in self.dice.gods:
            stated = {self.dice.gods[each] for each in self.dice.gods if self._is_stated(f"dice.gods.{each}")}
            colours = tuple(colour for colour in COLOURS if colour not in stated)
            loose[f"{DICE_OF}{god}"] = VariablePart(f"dice.gods.{god}", colours, {"type": "otherwise_die", "god": god})
        return {part: each for part, each in loose.items() if not self._is_stated(each.where)}

    @cached_property
    def marked(self) -> tuple[str, ...]:
        """What bears a figure that no source tells: dice in a colour of ours, cards of a worth of ours, levels."""
        keys = {f"die-{each}": f"dice.gods.{each}" for each in self.dice.gods}
        keys |= {f"idol-{each}": f"decks.idols.{each}" for each in self.decks.idols}
        keys |= {f"treasure-{each}": f"decks.sarcophagi.{each}" for each in self.decks.sarcophagi}
        keys |= {f"treasure-{self.decks.sand.god}": "decks.sand.treasures"}
        keys |= {f"treasure-{self.decks.water.god}": "decks.water.treasures", "necklace": "decks.rubble.necklaces"}
        keys |= {f"level-{step.level}": f"level.steps.{nth}.up_to" for nth, step in enumerate(self.level.steps, 1)}
        return tuple(what for what, key in keys.items() if self.origin(key) == "house")

    def _readings(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        """What the idols are worth, and up to how many cards each level goes."""
        for god in self.decks.idols:
            yield f"decks.idols.{god}", tuple(range(1, MOST_WORTH + 1))
        ends = [0, *(step.up_to for step in self.level.steps)]
        for index in range(1, len(ends) - 1):
            yield f"level.steps.{index}.up_to", tuple(range(ends[index - 1] + 1, ends[index + 1]))

    @cached_property
    def edges(self) -> Mapping[str, Edge]:
        return {} if self._is_stated(WALLS) else {_edge(*each.squares): each for each in self.plan.edges}

    @cached_property
    def reads(self) -> Mapping[str, int]:
        """The walls too: 1 where there is one."""
        solid = {frozenset(wall) for wall in self.plan.walls}
        return {**super().reads, **{_edge(*pair): int(frozenset(pair) in solid) for pair in self.plan.touching}}

    def _put(self, tree: dict[str, Any], figure: FigureOverride) -> None:
        if not _is_edge(figure.key):
            return super()._put(tree, figure)
        squares, walls = _squares_of(figure.key), tree["plan"]["walls"]
        others = [wall for wall in walls if {*wall} != {*squares}]
        tree["plan"]["walls"] = [*others, [*squares]] if figure.value else others
        return None

    def noted(self, differing: Sequence[BoxDifference], reads: Sequence[FigureOverride] = ()) -> dict[str, Value]:
        """The walls are noted whole."""
        walls = [each for each in reads if _is_edge(each.key)]
        figures = super().noted(differing, [each for each in reads if each not in walls])
        if walls:
            figures[WALLS] = [list(wall) for wall in self.as_shown((), walls).plan.walls]
        return figures

    def told_of(self, figure: FigureOverride) -> dict[str, Any]:
        if not _is_edge(figure.key):
            return super().told_of(figure)
        square, beside = _squares_of(figure.key)
        told = "otherwise_wall" if figure.value else "otherwise_no_wall"
        return {"type": told, "key": WALLS, "square": square, "beside": beside, "what": WALLS, "n": figure.value}

    def said_as(self, part: str) -> tuple[str, ...]:
        match part.split("."):
            case ["level", "steps", step, *figure]:
                return ("load_level", str(self.level.steps[int(step) - 1].level), *figure)
            case ["decks", "idols", god]:
                return (f"idol-{god}",)
        return tuple(part.split(".")[-1:])

    def _is_stated(self, key: str) -> bool:
        return self.origin(key) == "rules"

    def put_right(self, where: str, more: Mapping[str, int]) -> dict[str, Value]:
        if where.startswith("dice."):
            return {where: next(colour for colour, count in more.items() if count > 0)}
        part = next(part for part, loose in self.loose.items() if loose.where == where)
        counts: Counter[str] = Counter({**self.sarcophagus_cards, **self.search_decks}[part])
        counts.update(more)
        kinds = self.loose[part].kinds
        return {where: sorted(int(card.rpartition("-")[2]) for card in counts.elements() if card in kinds)}

    def level_of(self, cards: int) -> int:
        """What a die has to reach for somebody with so many cards."""
        return next(step.level for step in self.level.steps if cards <= step.up_to)

    def doubts(self) -> Iterator[Doubt]:
        yield from super().doubts()
        if len(self.adventurers) != ADVENTURERS or len(set(self.adventurers.values())) != ADVENTURERS:
            yield "adventurers", FigureProblem("horus.amiss.adventurers", adventurers=ADVENTURERS)
        yield from self._doubts_about_levels()
        if len(set(self.dice.gods.values())) != len(self.dice.gods):
            yield "dice.gods", FigureProblem("horus.amiss.die_colours")
        yield from self._doubts_about_decks()
        yield from self._doubts_about_gods()
        for god, numbers in self.locks.items():
            if not numbers or len(numbers) > DICE or list(numbers) != sorted(set(numbers)):
                yield f"locks.{god}", FigureProblem("horus.amiss.lock", most=DICE)
        if self.score.diversity != DIVERSITY:
            yield "score.diversity", FigureProblem("amiss.rules_say", figure=AsTyped(", ".join(map(str, DIVERSITY))))
        for key, reason in self.plan.doubts(SARCOPHAGI):
            yield f"plan.{key}", reason

    def _doubts_about_levels(self) -> Iterator[Doubt]:
        steps = self.level.steps
        if self.level.cards != MOST_CARDS:
            yield "level.cards", FigureProblem("horus.amiss.most_cards", most=MOST_CARDS)
        if not steps or steps[-1].up_to != self.level.cards:
            yield "level.steps", FigureProblem("horus.amiss.last_step", most=self.level.cards)
        for index, (before, step) in enumerate(pairwise(steps), 2):
            if step.up_to <= before.up_to or step.level <= before.level:
                yield f"level.steps.{index}", FigureProblem("horus.amiss.steps_rise")

    def _doubts_about_decks(self) -> Iterator[Doubt]:
        for key, deck in zip(("rubble", "sand", "water"), self.search_decks.values(), strict=True):
            total = sum(deck.values())
            if total != CARDS_OF_A_DECK:
                yield f"decks.{key}", FigureProblem("amiss.cards", n=CARDS_OF_A_DECK, found=total)
        for god, count in SARCOPHAGI.items():
            cards = sum(self.sarcophagus_cards.get(god, {}).values())
            if cards != count:
                yield f"decks.sarcophagi.{god}", FigureProblem("amiss.cards", n=count, found=cards)
        for god in self.decks.sarcophagi:
            if god not in SARCOPHAGI:
                yield f"decks.sarcophagi.{god}", FigureProblem("horus.amiss.no_sarcophagi")

    def _doubts_about_gods(self) -> Iterator[Doubt]:
        for key, said in (
            ("dice.gods", self.dice.gods),
            ("decks.idols", self.decks.idols),
            ("locks", self.locks),
            ("plan.alcoves", self.plan.alcoves),
        ):
            for god in GODS:
                if god not in said:
                    yield f"{key}.{god}", FigureProblem("horus.amiss.god_missing")
        if self.decks.sand.god == self.decks.water.god:
            yield "decks.water.god", FigureProblem("horus.amiss.two_gods")


def _edge(square: str, beside: str) -> str:
    """The key of what is between two squares."""
    return f"{WALLS}.{square}-{beside}"


def _is_edge(key: str) -> bool:
    return key.startswith(f"{WALLS}.")


def _squares_of(key: str) -> tuple[str, str]:
    square, _, beside = key.rpartition(".")[2].partition("-")
    return square, beside


def treasure_cards(god: str, values: tuple[int, ...]) -> Mapping[str, int]:
    """Treasures of a god as cards: ``treasure-thoth-6``."""
    return dict(Counter(f"treasure-{god}-{value}" for value in values))
