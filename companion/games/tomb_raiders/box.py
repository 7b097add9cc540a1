"""The box of Thebes: The Tomb Raiders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar, Literal, Self

from msgspec import convert, structs, to_builtins

from companion.boxes.box import (
    MOST_OBJECTS,
    Box,
    Colour,
    Count,
    Name,
    Part,
    Rows,
    Some,
    Value,
    doubts_about_congresses,
    doubts_about_seats_named,
    may_rise,
    never_falls,
    objects_may_be,
)
from companion.boxes.problems import Doubt, FigureProblem
from companion.pieces.box_differences import BoxDifference, DescribedCard, FigureOverride, VariablePart

REGIONS = 4
CARDS_OF_A_REGION = 20
OTHER_CARDS = 83
EXCAVATION_CARDS = 22
TAKES = "deck.takes"
TO_THE_END = "takes_to_the_end"
"""The key of how many cards are taken until the draw pile is empty, and what that is called."""
DECK = "draw_pile"
"""The part of the box that may have cards of kinds that it does not have here."""
MOST_CARDS_OF_A_DIG, MOST_CARD_WEEKS, MOST_POINTS, MOST_KNOWLEDGE_OF_A_CARD = 12, 12, 20, 5
"""More than is printed in any copy."""
MOST_WORTH = 9
MOST_STEPS = 4
"""More than an artifact of any copy is worth."""

Kind = Literal[
    "expertise",
    "general",
    "congress",
    "thief",
    "tomb_raiders",
    "scientist",
    "assistant",
    "general_excavation",
]
ACTIONS = frozenset({"thief", "tomb_raiders", "scientist", "assistant", "general_excavation"})
OF_A_REGION = frozenset({"expertise", "thief", "tomb_raiders"})
VALUED = frozenset({"expertise", "general"})


class ExcavationCards(Part, frozen=True):
    """Excavation cards: those that a player begins with, or all that lie in the box."""

    per_region: Count
    general: Count


class ExcavationChart(Part, frozen=True):
    """Cards for knowledge (rows) and weeks (columns)."""

    rows: Rows


class Region(Part, frozen=True):
    """A region's artifacts by value, and its worthless cards."""

    colour: Colour
    artifacts: Mapping[int, Count]
    rubble: Count


class Professor(Part, frozen=True):
    threshold: Some
    points: Count


class Professors(Part, frozen=True):
    region: Professor
    best_knowledge: Professor


class DeckCard(Part, frozen=True):
    """A line of the deck's list: a kind of card, once, for each region or for one, and how many alike there are."""

    kind: Kind
    weeks: Some
    copies: Count
    each_region: bool = False
    region: Name | None = None
    value: Some | None = None
    play_weeks: Count | None = None


class SmallCard(Part, frozen=True):
    """A card that is taken from the storage spaces."""

    id: str
    kind: Kind
    region: str | None
    value: int
    weeks: int
    play_weeks: int | None
    copies: int

    @property
    def is_action(self) -> bool:
        """Whether it is kept in the hidden hand."""
        return self.play_weeks is not None


class Thief(Part, frozen=True):
    """The weeks that are printed on a thief, for tables where it chooses."""

    weeks: Some
    play_weeks: Some


class ExhibitionStep(Part, frozen=True):
    """What has to be shown in all, and the weeks it then takes."""

    objects: Mapping[str, Some]
    weeks: Some


class TombExhibition(Part, frozen=True):
    points: Some
    steps: tuple[ExhibitionStep, ...]


class Museum(Part, frozen=True):
    artifacts: Some
    points: Some
    weeks: Some


class Deck(Part, frozen=True):
    """The cards of the draw pile but for artifacts.

    :param takes: after how many cards that were taken the draw pile was found empty; else it follows from the cards.
    """

    cards: tuple[DeckCard, ...]
    exhibitions: tuple[TombExhibition, ...]
    museums: tuple[Museum, ...]
    takes: Some | None = None


class TombScoring(Part, frozen=True):
    congresses: tuple[Count, ...]
    weeks_per_point_behind: Some


class TombRaidersBox(Box, frozen=True, kw_only=True):
    """Everything that is printed on the components of The Tomb Raiders."""

    name: ClassVar[str] = "tomb_raiders"
    rule_prefix: ClassVar[str] = "TTR"
    seats_of_the_rules: ClassVar[tuple[int, int]] = (2, 4)
    stated_by: ClassVar[Mapping[str, str]] = {
        "seats": "TTR-10",
        "hands": "TTR-10",
        "chart.rows.4.11": "TTR-44",
        "professors.region": "TTR-50",
        "professors.best_knowledge": "TTR-51",
        "deck.cards.7": "TTR-31",
        "deck.cards.8": "TTR-32",
        "deck.cards.11": "TTR-35",
        "deck.exhibitions": "TTR-60",
        "thief_who_chooses": "TTR-36",
        "score": "TTR-71",
    }
    replaced_whole: ClassVar[tuple[str, ...]] = ("regions.*.artifacts",)
    left_out_at_0: ClassVar[tuple[str, ...]] = ("deck.exhibitions.*.steps.*.objects.*",)

    hands: Mapping[int, ExcavationCards]
    chart: ExcavationChart
    regions: Mapping[Name, Region]
    professors: Professors
    deck: Deck
    thief_who_chooses: Thief = Thief(weeks=3, play_weeks=4)
    """A box that was kept before it was asked for does not say."""
    score: TombScoring
    excavation: ExcavationCards | None = None
    """All excavation cards; a box that was kept before they were counted does not say."""

    @cached_property
    def excavation_cards(self) -> Mapping[str, int]:
        """Each kind of large card by its id: ``excavation-greece``, ``excavation-general``."""
        lying = self.excavation or self._all_hands
        return {
            **{f"excavation-{name}": lying.per_region for name in self.regions},
            "excavation-general": lying.general,
        }

    @cached_property
    def piles(self) -> Mapping[str, Mapping[str, int]]:
        """For each region its artifacts and rubble: ``artifact-greece-4``, ``rubble-greece``."""
        return {name: _pile(name, region) for name, region in self.regions.items()}

    @cached_property
    def loose(self) -> Mapping[str, VariablePart]:
        """For each region its artifacts by their worth, and its rubble; and the cards of the draw pile of which no rule
        says how many there are."""
        free = (n for n, _ in enumerate(self.deck.cards) if self.origin(f"deck.cards.{n + 1}.copies") != "rules")
        cards = dict.fromkeys(card.id for n in free for card in self._cards_of(self.deck.cards[n]))
        return {DECK: VariablePart("deck.cards", tuple(cards), {"type": "otherwise_cards"})} | self._loose_piles

    @cached_property
    def _loose_piles(self) -> dict[str, VariablePart]:
        return {
            name: VariablePart(
                f"regions.{name}",
                (*(f"artifact-{name}-{worth}" for worth in _worths(region)), f"rubble-{name}"),
                {"type": "otherwise_pile", "region": name},
            )
            for name, region in self.regions.items()
            if self.origin(f"regions.{name}.artifacts") != "rules"
        }

    def _readings(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        """The chart; what professors, museums and exhibitions give, take and ask for; the weeks of what lies open."""
        yield from may_rise(self.chart.rows, "chart.rows", most=MOST_CARDS_OF_A_DIG)
        weeks, points = tuple(range(1, MOST_CARD_WEEKS + 1)), tuple(range(1, MOST_POINTS + 1))
        yield from ((f"professors.{which}.points", points) for which in ("region", "best_knowledge"))
        for n, line in enumerate(self.deck.cards, 1):
            if line.kind not in ACTIONS:
                yield f"deck.cards.{n}.weeks", weeks
        for n, _ in enumerate(self.deck.museums, 1):
            yield f"deck.museums.{n}.artifacts", tuple(range(1, MOST_OBJECTS + 1))
            yield f"deck.museums.{n}.points", points
            yield f"deck.museums.{n}.weeks", weeks
        for n, card in enumerate(self.deck.exhibitions, 1):
            yield f"deck.exhibitions.{n}.points", points
            yield from self._steps_may_be(card.steps, f"deck.exhibitions.{n}.steps")

    def _steps_may_be(self, steps: tuple[ExhibitionStep, ...], key: str) -> Iterator[tuple[str, tuple[int, ...]]]:
        """A later step asks for no less, and takes fewer weeks. One of no weeks is not there: the last may be missing,
        and one more may follow it."""
        none = ExhibitionStep({}, MOST_CARD_WEEKS + 1)
        most = ExhibitionStep(dict.fromkeys(self.regions, MOST_OBJECTS), 0)
        for n, (before, step, after) in enumerate(zip((none, *steps), steps, (*steps[1:], most), strict=False), 1):
            none_or_more = (0,) if n == len(steps) > 1 else ()
            yield f"{key}.{n}.weeks", (*none_or_more, *range(after.weeks + 1, before.weeks))
            for place, values in objects_may_be(step.objects, self.regions, f"{key}.{n}.objects"):
                region = place.rpartition(".")[2]
                least, most_of_it = before.objects.get(region, 0), after.objects.get(region, 0)
                yield place, tuple(value for value in values if least <= value <= most_of_it)
        if len(steps) < MOST_STEPS and steps[-1].weeks > 1:
            yield f"{key}.{len(steps) + 1}.weeks", tuple(range(steps[-1].weeks))

    def as_shown(self, described: Sequence[DescribedCard], reads: Sequence[FigureOverride]) -> Self:
        """Step by step: one that is new asks for as much as the one before it."""
        return super().as_shown(described, sorted(reads, key=_step_by_step))

    def _put(self, tree: dict[str, Any], figure: FigureOverride) -> None:
        """A step of an exhibition comes, or goes, with its weeks; one that is not there asks for nothing."""
        match figure.key.split("."):
            case ["deck", "exhibitions", nth, "steps", step, *what]:
                steps, at = tree["deck"]["exhibitions"][int(nth) - 1]["steps"], int(step) - 1
            case _:
                return super()._put(tree, figure)
        if what == ["weeks"] and not figure.value:
            del steps[at:]
        elif what == ["weeks"] and at == len(steps):
            steps.append({"objects": dict(steps[-1]["objects"]), "weeks": figure.value})
        elif at < len(steps):
            super()._put(tree, figure)
        return None

    def noted(self, differing: Sequence[BoxDifference], reads: Sequence[FigureOverride] = ()) -> dict[str, Value]:
        """The steps of an exhibition are noted whole."""
        figures: dict[str, Value] = {}
        for key, value in super().noted(differing, reads).items():
            match key.split("."):
                case ["deck", "exhibitions", nth, "steps", *_]:
                    steps = self.deck.exhibitions[int(nth) - 1].steps
                    figures[f"deck.exhibitions.{nth}.steps"] = [to_builtins(step) for step in steps]
                case _:
                    figures[key] = value
        return figures

    def said_as(self, part: str) -> tuple[str, ...]:
        match part.split("."):
            case ["chart", "rows", knowledge, *weeks]:
                said = ("chart", "knowledge", knowledge, *("weeks" for _ in weeks), *weeks)
            case ["professors", which, *figure]:
                said = ("professor", *((which,) if which == "best_knowledge" else ()), *figure)
            case ["deck", "cards", n, *figure]:
                card = self._cards_of(self.deck.cards[int(n) - 1])[0]
                said = (card.kind, *((str(card.value),) if card.value else ()), *figure)
            case ["deck", "takes"]:
                said = (TO_THE_END,)
            case ["deck", table, n, *figures]:
                said = (
                    f"{table.removesuffix('s')}-{n}",
                    *("exhibition_step" if each == "steps" else each for each in figures),
                )
            case _:
                said = super().said_as(part)
        return said

    def asks(self, part: str, said: tuple[str | int, ...]) -> tuple[str, tuple[str | int, ...]] | None:
        """Of a card that lies open before whoever takes it."""
        if part != DECK:
            return None
        of_a_region = bool(said) and said[0] in OF_A_REGION
        asked: list[tuple[str, tuple[str | int, ...]]] = [
            ("kind", tuple(sorted(VALUED))),
            *((("region", tuple(self.regions)),) if of_a_region else ()),
            ("value", tuple(range(1, MOST_KNOWLEDGE_OF_A_CARD + 1))),
        ]
        if len(said) >= len(asked):
            card = "-".join(map(str, said[: len(asked)]))
            if card not in self.small_cards or len(said) > len(asked):
                asked.append(("weeks", tuple(range(1, MOST_CARD_WEEKS + 1))))
        return asked[len(said)] if len(said) < len(asked) else None

    def kinds_in(self, part: str) -> Collection[str]:
        return self.small_cards

    def kind_of(self, card: DescribedCard) -> str:
        return "-".join(map(str, card.said[: 3 if card.said[0] in OF_A_REGION else 2]))

    def knowing(self, described: Sequence[DescribedCard]) -> Self:
        lines = (*self.deck.cards, *(_line(card) for card in described))
        return structs.replace(self, deck=structs.replace(self.deck, cards=lines))

    def _cards_put_right(self, more: Mapping[str, int]) -> list[Value]:
        """The deck's list with so many more of each kind; a line for one region, where the regions differ."""
        lines, extra = [], Counter(more)
        for line in self.deck.cards:
            alike = [card.id for card in self._cards_of(line)]
            most = min(extra[card] for card in alike)
            changed = max(-line.copies, most)
            lines.append(structs.replace(line, copies=line.copies + changed))
            extra.subtract(dict.fromkeys(alike, changed))
        kinds = {card.id: (line, card.region) for line in self.deck.cards for card in self._cards_of(line)}
        for card, count in extra.items():
            if count > 0:
                line, region = kinds[card]
                lines.append(structs.replace(line, each_region=False, region=region, copies=count))
        told_only = [line.copies == 0 for line in self.deck.cards]
        none = {n for n, (line, told) in enumerate(zip(lines, told_only, strict=False)) if told and not line.copies}
        return [to_builtins(line) for n, line in enumerate(lines) if n not in none]

    def put_right(self, where: str, more: Mapping[str, int]) -> dict[str, Value]:
        if where == "deck.cards":
            return {where: self._cards_put_right(more)}
        name = where.partition(".")[2]
        counts = Counter({token_of(card): count for card, count in self.piles[name].items()})
        counts.update({token_of(card): count for card, count in more.items()})
        rubble = counts.pop("blank", 0)
        artifacts = {token.partition(":")[2]: count for token, count in sorted(counts.items()) if count}
        return {f"{where}.artifacts": artifacts, f"{where}.rubble": rubble}

    @cached_property
    def small_cards(self) -> Mapping[str, SmallCard]:
        """Every kind of storage card by its id: ``expertise-greece-2``, ``thief-egypt``, ``congress``."""
        cards: dict[str, SmallCard] = {}
        for card in (card for line in self.deck.cards for card in self._cards_of(line)):
            more = cards[card.id].copies if card.id in cards else 0
            cards[card.id] = structs.replace(card, copies=card.copies + more)
        return cards

    def _cards_of(self, line: DeckCard) -> tuple[SmallCard, ...]:
        """The kinds of cards that a line is about."""
        return tuple(_small_card(line, region) for region in (self.regions if line.each_region else (line.region,)))

    @cached_property
    def exhibitions(self) -> Mapping[str, TombExhibition]:
        """Every exhibition by its id: ``exhibition-1``."""
        return {f"exhibition-{index}": card for index, card in enumerate(self.deck.exhibitions, 1)}

    @cached_property
    def museums(self) -> Mapping[str, Museum]:
        """Every museum by its id: ``museum-1``."""
        return {f"museum-{index}": card for index, card in enumerate(self.deck.museums, 1)}

    @cached_property
    def draw_pile(self) -> Mapping[str, int]:
        """The small cards besides the professors, as they are shuffled together at the start."""
        cards = {card.id: card.copies for card in self.small_cards.values()}
        for pile in self.piles.values():
            cards |= pile
        return cards | dict.fromkeys((*self.exhibitions, *self.museums), 1)

    def doubts(self) -> Iterator[Doubt]:
        yield from super().doubts()
        yield from doubts_about_seats_named(self.hands, self.seats, "hands")
        yield from self._doubts_about_excavation_cards()
        yield from never_falls(self.chart.rows, "chart.rows")
        if len(self.regions) != REGIONS:
            yield "regions", FigureProblem("tomb_raiders.amiss.regions", regions=REGIONS)
        for name, region in self.regions.items():
            yield from _doubts_about_a_region(name, region)
        yield from self._doubts_about_the_deck()
        for index, exhibition in enumerate(self.deck.exhibitions, 1):
            yield from self._doubts_about_an_exhibition(exhibition, f"deck.exhibitions.{index}.steps")
        yield from doubts_about_congresses(self.score.congresses)

    @property
    def _all_hands(self) -> ExcavationCards:
        """As many cards as the hands of the largest need take."""
        players = self.hands.items()
        return ExcavationCards(
            max(n * hand.per_region for n, hand in players), max(n * hand.general for n, hand in players)
        )

    def _doubts_about_excavation_cards(self) -> Iterator[Doubt]:
        if self.excavation is None:
            return
        total = sum(self.excavation_cards.values())
        if total != EXCAVATION_CARDS:
            yield "excavation", FigureProblem("amiss.cards", n=EXCAVATION_CARDS, found=total)
        for players, hand in self.hands.items():
            if (
                hand.per_region * players > self.excavation.per_region
                or hand.general * players > self.excavation.general
            ):
                yield f"hands.{players}", FigureProblem("tomb_raiders.amiss.excavation_cards")

    def _doubts_about_the_deck(self) -> Iterator[Doubt]:
        seen: set[tuple[str, int | None, str | None]] = set()
        for index, line in enumerate(self.deck.cards, 1):
            key = f"deck.cards.{index}"
            yield from _doubts_about_a_line(line, key)
            if line.region is not None and line.region not in self.regions:
                yield f"{key}.region", FigureProblem("tomb_raiders.amiss.no_region", place=line.region)
            if (line.kind, line.value, line.region) in seen:
                yield key, FigureProblem("amiss.card_twice")
            seen.add((line.kind, line.value, line.region))
        total = sum(line.copies * (len(self.regions) if line.each_region else 1) for line in self.deck.cards)
        total += len(self.deck.exhibitions) + len(self.deck.museums)
        if total != OTHER_CARDS:
            yield "deck", FigureProblem("tomb_raiders.amiss.deck", n=OTHER_CARDS, found=total)

    def _doubts_about_an_exhibition(self, card: TombExhibition, key: str) -> Iterator[Doubt]:
        if not card.steps:
            yield key, FigureProblem("tomb_raiders.amiss.asks_for_nothing")
        for index, step in enumerate(card.steps, 1):
            for region in step.objects:
                if region not in self.regions:
                    yield f"{key}.{index}.objects.{region}", FigureProblem("tomb_raiders.amiss.no_region", place=region)
            if not step.objects:
                yield f"{key}.{index}.objects", FigureProblem("tomb_raiders.amiss.asks_for_nothing")
        for index, (before, step) in enumerate(pairwise(card.steps), 2):
            if any(step.objects.get(region, 0) < count for region, count in before.objects.items()):
                yield f"{key}.{index}.objects", FigureProblem("tomb_raiders.amiss.step_adds")
            if step.weeks >= before.weeks:
                yield f"{key}.{index}.weeks", FigureProblem("tomb_raiders.amiss.step_saves")


def _step_by_step(figure: FigureOverride) -> tuple[int, int, bool]:
    """Where a figure of an exhibition's steps comes: a step's weeks, then what it asks for, then the next step's."""
    match figure.key.split("."):
        case ["deck", "exhibitions", nth, "steps", step, *what]:
            return int(nth), int(step), what != ["weeks"]
    return 0, 0, False


def token_of(card: str) -> str:
    """A card of a region's pile as bags name it; a token stays one.

    >>> token_of("artifact-greece-4"), token_of("rubble-greece"), token_of("object:4")
    ('object:4', 'blank', 'object:4')
    """
    kind, _, worth = card.rpartition("-")
    return "blank" if kind == "rubble" else f"object:{worth}" if kind else card


def _worths(region: Region) -> list[int]:
    return sorted({*region.artifacts, *range(1, MOST_WORTH + 1)})


def _pile(name: str, region: Region) -> Mapping[str, int]:
    artifacts = {f"artifact-{name}-{value}": count for value, count in region.artifacts.items() if count}
    return artifacts | {f"rubble-{name}": region.rubble}


def _line(card: DescribedCard) -> DeckCard:
    """A card as it was told, of which there is none yet."""
    kind, *where, value, weeks = card.said
    told = {"kind": kind, "region": where[0] if where else None, "value": value, "weeks": weeks, "copies": 0}
    return convert(told, DeckCard)


def _small_card(line: DeckCard, region: str | None) -> SmallCard:
    parts = (line.kind, region, line.value)
    return SmallCard(
        id="-".join(str(part) for part in parts if part is not None),
        kind=line.kind,
        region=region,
        value=line.value or 0,
        weeks=line.weeks,
        play_weeks=line.play_weeks,
        copies=line.copies,
    )


def _doubts_about_a_region(name: str, region: Region) -> Iterator[Doubt]:
    total = sum(region.artifacts.values()) + region.rubble
    if total != CARDS_OF_A_REGION:
        yield f"regions.{name}", FigureProblem("amiss.cards", n=CARDS_OF_A_REGION, found=total)
    for value in region.artifacts:
        if value < 1:
            yield f"regions.{name}.artifacts.{value}", FigureProblem("tomb_raiders.amiss.artifact_worth")


def _doubts_about_a_line(line: DeckCard, key: str) -> Iterator[Doubt]:
    if (line.value is not None) != (line.kind in VALUED):
        yield f"{key}.value", FigureProblem("tomb_raiders.amiss.value_for", kind=line.kind, kinds=sorted(VALUED))
    if (line.play_weeks is not None) != (line.kind in ACTIONS):
        yield (
            f"{key}.play_weeks",
            FigureProblem("tomb_raiders.amiss.play_weeks_for", kind=line.kind, kinds=sorted(ACTIONS)),
        )
    if (line.each_region or line.region is not None) != (line.kind in OF_A_REGION):
        yield (
            f"{key}.each_region",
            FigureProblem("tomb_raiders.amiss.each_region_for", kind=line.kind, kinds=sorted(OF_A_REGION)),
        )
    if line.kind in {"thief", "tomb_raiders"} and (line.copies != 1 or line.region is not None):
        yield f"{key}.copies", FigureProblem("tomb_raiders.amiss.one_each")
