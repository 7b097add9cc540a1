"""The box of Jenseits von Theben."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Annotated, ClassVar, Literal, NamedTuple, Self, get_args

import msgspec
from msgspec import Meta, structs, to_builtins

from companion.boxes.box import (
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
from companion.pieces.box_differences import EITHER, DescribedCard, VariablePart

WEEKS_IN_A_YEAR = 52
CITIES = 7
SITES = 5
TOKENS_IN_A_BAG = 30
OBJECTS_OF_A_SITE = 13
RESEARCH_CARDS = 85
MOST_TOKENS = 10
CAR_FROM = 3
"""A car shortens trips of so many legs or more."""
MOST_WORTH = 9
"""No object of any copy is worth more."""

Kind = Literal["book", "open_book", "ethnology", "assistant", "shovel", "special_permit", "congress", "car", "zeppelin"]
Size = Literal["small", "large"]
RESEARCH, DISPLAY = "research", "exhibitions"
"""The parts of the box that may have cards we do not list; a part for exhibitions of one size is named by that size."""
EXHIBITIONS: Mapping[Size, int] = {"small": 5, "large": 5}
SITES_ASKED_FOR: Mapping[Size, int] = {"small": 2, "large": 3}
"""How many sites an exhibition asks for: of the first one object, of the second two, of the third three."""
EXHIBITION_POINTS: Mapping[Size, int] = {"small": 4, "large": 5}
KINDS: tuple[Kind, ...] = get_args(Kind)
MOST_BOOKS, MOST_CARD_WEEKS = 4, 12
"""No card of any copy has more printed on it."""
EXHIBITION = "exhibition"
"""The kind of a card that is no research card."""
VALUED = frozenset({"book", "open_book", "ethnology"})
ABOUT_A_SITE = frozenset({"book", "ethnology"})


class Counting(NamedTuple):
    """What a card or a token counts as: its kind, the site it is about, and how much of it."""

    kind: str
    site: str | None
    worth: int


class Week(Part, frozen=True):
    """A week of a year, counted from 1."""

    week: Annotated[int, Meta(ge=1, le=WEEKS_IN_A_YEAR)]
    year: int


class Time(Part, frozen=True):
    """The ring of weeks, and where it begins for how many players."""

    weeks: Some
    years: tuple[int, ...]
    end: Week
    start: Mapping[int, Week]


class DialFigures(Part, frozen=True):
    """Tokens for knowledge (rows) and weeks (columns)."""

    rows: Rows


class Map(Part, frozen=True):
    """Cities, and the routes that join them and the sites."""

    start: Name
    cities: tuple[Name, ...]
    routes: tuple[tuple[Name, Name], ...]


class FirstDig(Part, frozen=True):
    """What the first to dig at a site is given."""

    value: Some


class Site(Part, frozen=True):
    """Where one digs: the tokens of its bag."""

    colour: Colour
    objects: Mapping[int, Count]
    book_of: Name
    open_books: Count
    blanks: Count


class ResearchCard(Part, frozen=True):
    """A kind of research card, and how many alike there are."""

    kind: Kind
    city: Name
    weeks: Some
    copies: Count
    value: Some | None = None
    site: Name | None = None

    @property
    def id(self) -> str:
        """For example ``book-greece-rome-2`` or ``congress-paris``."""
        return "-".join(str(part) for part in (self.kind, self.site, self.city, self.value) if part is not None)


class Research(Part, frozen=True):
    cards: tuple[ResearchCard, ...]


class Exhibition(Part, frozen=True):
    """An exhibition, and how many objects from where it asks for."""

    city: Name
    size: Size
    weeks: Some
    points: Some
    objects: Mapping[str, Some]

    @property
    def id(self) -> str:
        """For example ``exhibition-small-london``."""
        return f"exhibition-{self.size}-{self.city}"


class Exhibitions(Part, frozen=True):
    cards: tuple[Exhibition, ...]


class JenseitsScoring(Part, frozen=True):
    congresses: tuple[Count, ...]
    majority: Count
    majority_tied: Count


class JenseitsBox(Box, frozen=True, kw_only=True):
    """Everything that is printed on the components of Jenseits von Theben."""

    name: ClassVar[str] = "jenseits"
    rule_prefix: ClassVar[str] = "JVT"
    seats_of_the_rules: ClassVar[tuple[int, int]] = (2, 4)
    stated_by: ClassVar[Mapping[str, str]] = {
        "seats": "JVT-02",
        "time": "JVT-01",
        "time.start": "JVT-02",
        "time.end": "JVT-06",
        "dial": "JVT-42",
        "dial.rows.8.4": "JVT-64",
        "map": "JVT-11",
        "map.start": "JVT-10",
        "first_dig": "JVT-45",
        "sites": "JVT-45",
        "exhibitions": "JVT-50",
        "score": "JVT-60",
        "score.majority": "JVT-61",
        "score.majority_tied": "JVT-61",
    }
    replaced_whole: ClassVar[tuple[str, ...]] = ("sites.*.objects",)
    left_out_at_0: ClassVar[tuple[str, ...]] = ("exhibitions.cards.*.objects.*",)

    time: Time
    dial: DialFigures
    map: Map
    first_dig: FirstDig
    sites: Mapping[Name, Site]
    research: Research
    exhibitions: Exhibitions
    score: JenseitsScoring

    @cached_property
    def bags(self) -> Mapping[str, Mapping[str, int]]:
        """For each site the tokens in its bag at the start; the object for the first to dig there is not among them."""
        return {name: self._bag(site) for name, site in self.sites.items()}

    @cached_property
    def first_find(self) -> str:
        """The token that the first to dig at a site is given."""
        return f"object:{self.first_dig.value}"

    @cached_property
    def research_cards(self) -> Mapping[str, ResearchCard]:
        """Every kind of research card by its id."""
        return {card.id: card for card in self.research.cards}

    @cached_property
    def loose(self) -> Mapping[str, VariablePart]:
        """The research cards, and the objects of a site where no rulebook gives them."""
        loose = {
            name: VariablePart(
                f"sites.{name}.objects",
                tuple(f"object:{worth}" for worth in sorted({*site.objects, *range(1, MOST_WORTH + 1)})),
                {"type": "otherwise_bag", "site": name},
            )
            for name, site in self.sites.items()
        }
        loose[RESEARCH] = VariablePart("research.cards", tuple(self.research_cards), {"type": "otherwise_cards"})
        free = tuple(card.id for n, card in enumerate(self.exhibitions.cards, 1) if not self.is_stated(n))
        loose[DISPLAY] = VariablePart("exhibitions.cards", free, {"type": "otherwise_exhibitions"})
        return {part: each for part, each in loose.items() if self.origin(each.where) != "rules"}

    def is_stated(self, nth: int) -> bool:
        """Whether the rules show an exhibition, the first being 1."""
        return self.origin(f"exhibitions.cards.{nth}") == "rules"

    def _readings(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        """The dial; the weeks of research cards; the weeks of exhibitions, and what they ask for."""
        yield from may_rise(self.dial.rows, "dial.rows", most=MOST_TOKENS)
        weeks = tuple(range(1, MOST_CARD_WEEKS + 1))
        yield from ((f"research.cards.{index}.weeks", weeks) for index, _ in enumerate(self.research.cards, 1))
        for index, card in enumerate(self.exhibitions.cards, 1):
            yield f"exhibitions.cards.{index}.weeks", weeks
            yield from objects_may_be(card.objects, self.sites, f"exhibitions.cards.{index}.objects")

    def said_as(self, part: str) -> tuple[str, ...]:
        match part.split("."):
            case ["dial", "rows", knowledge, *weeks]:
                return ("dial", "knowledge", knowledge, *("weeks" for _ in weeks), *weeks)
            case ["research", "cards", nth, *figure]:
                card = self.research.cards[int(nth) - 1]
                return (face_of(card), card.city, *figure)
            case ["exhibitions", "cards", nth, *figures]:
                return (self.exhibitions.cards[int(nth) - 1].id, *figures)
        return super().said_as(part)

    def asks(self, part: str, said: tuple[str | int, ...]) -> tuple[str, tuple[str | int, ...]] | None:
        if EITHER in part and not said:
            return "kind", (*KINDS, EXHIBITION)
        part, said = _split_part(part, said)
        if part == RESEARCH:
            fields = _fields_of_research(self, said)
        elif part == DISPLAY:
            fields = _fields_of_an_exhibition(self, said)
        else:
            fields = _fields_of_an_exhibition(self, (part, *said))[1:] if part in EXHIBITIONS else []
        return fields[len(said)] if len(said) < len(fields) else None

    def kinds_in(self, part: str) -> Collection[str]:
        if EITHER in part:
            return (*self.research_cards, *self.exhibition_cards)
        return self.research_cards if part == RESEARCH else self.exhibition_cards

    def kind_of(self, card: DescribedCard) -> str:
        card = _of_one_part(card)
        return (self._research_card(card) if card.part == RESEARCH else self._exhibition(card)).id

    def knowing(self, described: Sequence[DescribedCard]) -> Self:
        told = [_of_one_part(card) for card in described]
        research = [self._research_card(card) for card in told if card.part == RESEARCH]
        shown = [self._exhibition(card) for card in told if card.part != RESEARCH]
        return structs.replace(
            self,
            research=Research((*self.research.cards, *research)),
            exhibitions=Exhibitions((*self.exhibitions.cards, *shown)),
        )

    def _research_card(self, card: DescribedCard) -> ResearchCard:
        """A card as it was told; of one whose kind the box has, the weeks are told nowhere."""
        told = dict(zip((field for field, _ in _fields_of_research(self, card.said)), card.said, strict=False))
        return msgspec.convert({"weeks": 1, **told, "copies": 0}, ResearchCard)

    def _exhibition(self, card: DescribedCard) -> Exhibition:
        size, city, *sites, weeks = card.said if card.part == DISPLAY else (card.part, *card.said)
        objects = {site: count for count, site in enumerate(sites, 1)}
        points = EXHIBITION_POINTS["small" if size == "small" else "large"]
        told = {"size": size, "city": city, "objects": objects, "weeks": weeks, "points": points}
        return msgspec.convert(told, Exhibition)

    def put_right(self, where: str, more: Mapping[str, int]) -> dict[str, Value]:
        if where == "exhibitions.cards":
            return {where: [to_builtins(card) for card in self.exhibitions.cards if more.get(card.id, 0) >= 0]}
        if where == "research.cards":
            cards = (structs.replace(card, copies=card.copies + more.get(card.id, 0)) for card in self.research.cards)
            return {where: [to_builtins(card) for card in cards if card.copies]}
        counts = Counter({str(worth): count for worth, count in self.sites[where.split(".")[1]].objects.items()})
        counts.update({token.partition(":")[2]: count for token, count in more.items()})
        return {where: {worth: count for worth, count in counts.items() if count}}

    @cached_property
    def exhibition_cards(self) -> Mapping[str, Exhibition]:
        """Every exhibition by its id."""
        return {card.id: card for card in self.exhibitions.cards}

    @cached_property
    def distances(self) -> Mapping[str, Mapping[str, int]]:
        """Legs of the shortest way from each place to each other one."""
        places = (*self.map.cities, *self.sites)
        return {place: legs_from(place, self.map.routes) for place in places}

    @cached_property
    def distances_by_car(self) -> Mapping[str, Mapping[str, int]]:
        """The same with a car."""
        return {
            start: {end: legs - (legs >= CAR_FROM) for end, legs in ends.items()}
            for start, ends in self.distances.items()
        }

    @cached_property
    def faces(self) -> Mapping[str, str]:
        """What each research card is, apart from its city."""
        return {id_: face_of(card) for id_, card in self.research_cards.items()}

    @cached_property
    def counting(self) -> Mapping[str, Counting]:
        """What every card and token counts as."""
        counting = {id_: Counting(card.kind, card.site, card.value or 1) for id_, card in self.research_cards.items()}
        counting |= {id_: Counting("exhibition", None, 1) for id_ in self.exhibition_cards}
        for bag in self.bags.values():
            for token in bag:
                kind, _, which = token.partition(":")
                site, worth = (None, int(which)) if kind == "object" else (which or None, 1)
                counting[token] = Counting(kind, site, worth)
        more = (token for part in self.loose.values() for token in part.kinds if token.startswith("object:"))
        counting |= {token: Counting("object", None, int(token.partition(":")[2])) for token in more}
        return counting

    def _bag(self, site: Site) -> Mapping[str, int]:
        tokens = Counter({f"object:{value}": count for value, count in site.objects.items()})
        tokens[self.first_find] -= 1
        tokens[f"book:{site.book_of}"] += 1
        tokens["open_book"] += site.open_books
        tokens["blank"] += site.blanks
        return dict(+tokens)

    def doubts(self) -> Iterator[Doubt]:
        yield from super().doubts()
        yield from self._doubts_about_time()
        yield from never_falls(self.dial.rows, "dial.rows")
        yield from self._doubts_about_the_dial()
        yield from self._doubts_about_the_map()
        for name, site in self.sites.items():
            yield from self._doubts_about_a_site(name, site)
        yield from self._doubts_about_research()
        yield from self._doubts_about_exhibitions()
        yield from doubts_about_congresses(self.score.congresses)
        if self.score.majority_tied > self.score.majority:
            yield "score.majority_tied", FigureProblem("jenseits.amiss.tie")

    def _doubts_about_time(self) -> Iterator[Doubt]:
        time = self.time
        if time.weeks != WEEKS_IN_A_YEAR:
            yield "time.weeks", FigureProblem("jenseits.amiss.weeks", weeks=WEEKS_IN_A_YEAR)
        if not time.years or time.years != tuple(range(time.years[0], time.years[0] + len(time.years))):
            yield "time.years", FigureProblem("jenseits.amiss.years_follow")
            return
        if time.end != Week(week=1, year=time.years[-1] + 1):
            yield "time.end", FigureProblem("jenseits.amiss.end")
        yield from doubts_about_seats_named(time.start, self.seats, "time.start")
        for count, start in time.start.items():
            if start.year not in time.years:
                yield f"time.start.{count}.year", FigureProblem("jenseits.amiss.no_year", year=start.year)

    def _doubts_about_the_dial(self) -> Iterator[Doubt]:
        for knowledge, row in enumerate(self.dial.rows, 1):
            for weeks, tokens in enumerate(row, 1):
                if tokens > MOST_TOKENS:
                    yield f"dial.rows.{knowledge}.{weeks}", FigureProblem("jenseits.amiss.dial", most=MOST_TOKENS)

    def _doubts_about_the_map(self) -> Iterator[Doubt]:
        cities, places = self.map.cities, {*self.map.cities, *self.sites}
        if len(set(cities)) != CITIES or len(cities) != CITIES:
            yield "map.cities", FigureProblem("jenseits.amiss.cities", cities=CITIES)
        if len(self.sites) != SITES:
            yield "sites", FigureProblem("jenseits.amiss.sites", sites=SITES)
        for name in sorted(self.sites.keys() & set(cities)):
            yield f"sites.{name}", FigureProblem("jenseits.amiss.a_city")
        if self.map.start not in cities:
            yield "map.start", FigureProblem("jenseits.amiss.no_city", place=self.map.start)
        yield from self._doubts_about_routes(places)

    def _doubts_about_routes(self, places: set[str]) -> Iterator[Doubt]:
        amiss = tuple(self._doubts_about_each_route(places))
        yield from amiss
        if not amiss:
            for place in sorted(places - legs_from(self.map.start, self.map.routes).keys()):
                yield "map.routes", FigureProblem("jenseits.amiss.no_way", place=place)

    def _doubts_about_each_route(self, places: set[str]) -> Iterator[Doubt]:
        seen: set[frozenset[str]] = set()
        for index, route in enumerate(self.map.routes, 1):
            key = f"map.routes.{index}"
            for place in route:
                if place not in places:
                    yield key, FigureProblem("jenseits.amiss.no_place", place=place)
            if route[0] == route[1]:
                yield key, FigureProblem("jenseits.amiss.one_place")
            elif frozenset(route) in seen:
                yield key, FigureProblem("jenseits.amiss.route_twice")
            seen.add(frozenset(route))

    def _doubts_about_a_site(self, name: str, site: Site) -> Iterator[Doubt]:
        key = f"sites.{name}"
        objects = sum(site.objects.values())
        if objects != OBJECTS_OF_A_SITE:
            yield f"{key}.objects", FigureProblem("jenseits.amiss.objects", n=OBJECTS_OF_A_SITE, found=objects)
        for value in site.objects:
            if value < 1:
                yield f"{key}.objects.{value}", FigureProblem("jenseits.amiss.object_worth")
        if not site.objects.get(self.first_dig.value):
            yield f"{key}.objects", FigureProblem("jenseits.amiss.no_first", value=self.first_dig.value)
        if site.book_of == name or site.book_of not in self.sites:
            yield f"{key}.book_of", FigureProblem("jenseits.amiss.own_book")
        tokens = objects - 1 + 1 + site.open_books + site.blanks
        if tokens != TOKENS_IN_A_BAG:
            yield key, FigureProblem("jenseits.amiss.bag", n=TOKENS_IN_A_BAG, found=tokens)

    def _doubts_about_research(self) -> Iterator[Doubt]:
        total = sum(card.copies for card in self.research.cards)
        if total != RESEARCH_CARDS:
            yield "research.cards", FigureProblem("amiss.cards", n=RESEARCH_CARDS, found=total)
        seen: set[str] = set()
        for index, card in enumerate(self.research.cards, 1):
            key = f"research.cards.{index}"
            if card.city not in self.map.cities:
                yield f"{key}.city", FigureProblem("jenseits.amiss.no_city", place=card.city)
            yield from self._doubts_about_what_a_card_says(card, key)
            if card.id in seen:
                yield key, FigureProblem("amiss.card_twice")
            seen.add(card.id)

    def _doubts_about_what_a_card_says(self, card: ResearchCard, key: str) -> Iterator[Doubt]:
        if (card.value is not None) != (card.kind in VALUED):
            yield f"{key}.value", FigureProblem("jenseits.amiss.value_for", kind=card.kind, kinds=sorted(VALUED))
        if (card.site is not None) != (card.kind in ABOUT_A_SITE):
            yield f"{key}.site", FigureProblem("jenseits.amiss.site_for", kind=card.kind, kinds=sorted(ABOUT_A_SITE))
        elif card.site is not None and card.site not in self.sites:
            yield f"{key}.site", FigureProblem("jenseits.amiss.no_site", place=card.site)

    def _doubts_about_exhibitions(self) -> Iterator[Doubt]:
        sizes = Counter(card.size for card in self.exhibitions.cards)
        for size, count in EXHIBITIONS.items():
            if sizes[size] != count:
                yield (
                    "exhibitions.cards",
                    FigureProblem(f"jenseits.amiss.{size}_exhibitions", n=count, found=sizes[size]),
                )
        seen: set[str] = set()
        for index, card in enumerate(self.exhibitions.cards, 1):
            key = f"exhibitions.cards.{index}"
            if card.city not in self.map.cities:
                yield f"{key}.city", FigureProblem("jenseits.amiss.no_city", place=card.city)
            if card.points != EXHIBITION_POINTS[card.size]:
                yield (
                    f"{key}.points",
                    FigureProblem(f"jenseits.amiss.{card.size}_exhibition_scores", n=EXHIBITION_POINTS[card.size]),
                )
            yield from doubts_about_objects(card.objects, self.sites, f"{key}.objects")
            if card.id in seen:
                yield key, FigureProblem("jenseits.amiss.exhibition_twice", city=card.city)
            seen.add(card.id)


Field = tuple[str, tuple[str | int, ...]]


def _split_part(part: str, said: tuple[str | int, ...]) -> tuple[str, tuple[str | int, ...]]:
    """The part that a card belongs to, where it may be of either of two, and what was said of it within that part.

    >>> _split_part("research+small", ("exhibition", "rome")), _split_part("research+small", ("car",))
    (('small', ('rome',)), ('research', ('car',)))
    """
    common, _, shown = part.partition(EITHER)
    return (shown, said[1:]) if shown and said[:1] == (EXHIBITION,) else (common, said)


def _of_one_part(card: DescribedCard) -> DescribedCard:
    return DescribedCard(*_split_part(card.part, card.said))


def _fields_of_research(box: JenseitsBox, said: tuple[str | int, ...]) -> list[Field]:
    """The fields to describe a research card by, given what was said so far; its weeks only where the kind is new."""
    fields: list[Field] = [("kind", KINDS)]
    if said and said[0] in ABOUT_A_SITE:
        fields.append(("site", tuple(box.sites)))
    fields.append(("city", box.map.cities))
    if said and said[0] in VALUED:
        fields.append(("value", tuple(range(1, MOST_BOOKS + 1))))
    whole = said[: len(fields)]
    if len(whole) == len(fields):
        told = {field: value for (field, _), value in zip(fields, whole, strict=True)}
        card = "-".join(str(told[field]) for field in ("kind", "site", "city", "value") if field in told)
        if card not in box.research_cards or len(said) > len(fields):
            fields.append(("weeks", tuple(range(1, MOST_CARD_WEEKS + 1))))
    return fields


def _fields_of_an_exhibition(box: JenseitsBox, said: tuple[str | int, ...]) -> list[Field]:
    """The fields to describe an exhibition by; the sites come in the order of `SITES_ASKED_FOR`."""
    size = said[0] if said else ""
    has = {card.city for card in box.exhibitions.cards if card.size == size}
    sites = SITES_ASKED_FOR["small" if size == "small" else "large"]
    named = said[2 : 2 + sites]
    left = [tuple(site for site in box.sites if site not in named[:nth]) for nth in range(sites)]
    objects = [(f"objects_{nth}", places) for nth, places in enumerate(left, 1)]
    return [
        ("size", tuple(EXHIBITIONS)),
        ("city", tuple(city for city in box.map.cities if city not in has)),
        *objects,
        ("weeks", tuple(range(1, MOST_CARD_WEEKS + 1))),
    ]


def face_of(card: ResearchCard) -> str:
    """What a card is, apart from its city: ``book-greece-2``, ``congress``."""
    return "-".join(str(part) for part in (card.kind, card.site, card.value) if part is not None)


def doubts_about_objects(asked: Mapping[str, int], sites: Mapping[str, Site], key: str) -> Iterator[Doubt]:
    """An exhibition asks for objects that exist."""
    if not asked:
        yield key, FigureProblem("jenseits.amiss.asks_for_nothing")
    for name, count in asked.items():
        if name not in sites:
            yield f"{key}.{name}", FigureProblem("jenseits.amiss.no_site", place=name)
        elif count > sum(sites[name].objects.values()):
            yield f"{key}.{name}", FigureProblem("jenseits.amiss.too_few_objects", n=count)


def legs_from(start: str, routes: tuple[tuple[str, str], ...]) -> Mapping[str, int]:
    """How many legs away each place is that can be reached."""
    legs, waiting = {start: 0}, deque([start])
    while waiting:
        here = waiting.popleft()
        for one, other in (*routes, *((b, a) for a, b in routes)):
            if one == here and other not in legs:
                legs[other] = legs[here] + 1
                waiting.append(other)
    return legs
