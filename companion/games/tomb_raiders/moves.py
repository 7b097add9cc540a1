"""What a seat can do in its turn: each move knows what might be done, what bars it, what it costs, and what follows."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import islice, product

from msgspec import structs

from companion.games.tomb_raiders.box import Museum
from companion.games.tomb_raiders.state import (
    GENERAL,
    LIKE_GENERAL,
    MOST_WEEKS,
    UNKNOWN,
    Permit,
    PrintedCard,
    RegionKnowledge,
    Task,
    TombTable,
    permit_of,
)
from companion.parts import Act, Facts, changed
from companion.pieces.box_differences import ANOTHER
from companion.refusals import Illegal, Refusal

PERMITS: tuple[Permit, ...] = ("region", "general")
EXAMPLES = 24
"""So many choices of artifacts for a museum are listed, where there are more."""


class TombAct(Act[TombTable], frozen=True):
    """What a seat does in its turn; while it has a pile open before it, it keeps a card of that first [TTR-32]."""

    def barred(self, table: TombTable) -> Refusal | None:
        """Why it may not be done, apart from that."""
        raise NotImplementedError

    def weeks_of(self, table: TombTable) -> int:
        """The weeks that it takes."""
        raise NotImplementedError

    def price(self, table: TombTable) -> int:
        return self.weeks_of(table)

    def why_not(self, table: TombTable) -> Refusal | None:
        if table.choosing:
            return Illegal("tomb_raiders.keep_first", rule="TTR-32", region=table.task.region)
        return self.barred(table)

    def log_facts(self, table: TombTable) -> Facts:
        tag = str(self.__struct_config__.tag)
        return {"type": tag, "who": table.terms.names[table.seat], "seat": table.seat, "n": self.weeks_of(table)}


class Take(TombAct, frozen=True, tag="take"):
    """Take a card from storage, and pay its weeks [TTR-20]. Where storage is real it may be another than the box says:
    then the table names it."""

    card: str

    @classmethod
    def thinkable(cls, table: TombTable) -> Iterator[Take]:
        if table.choosing:
            return
        if table.terms.is_real:
            unseen = table.state.deck
            yield from (_take(card) for card in table.terms.laid_open if card in unseen.counts)
            yield from (_take(kind) for kind in table.terms.unknown if table.unshown(kind) > 0)
            if table.some_unseen or table.terms.rules == 1:
                yield _take(ANOTHER)
        else:
            yield from (_take(card) for card in dict.fromkeys(table.state.storage) if card is not None)

    def barred(self, table: TombTable) -> Refusal | None:
        if table.terms.is_real:
            return self._not_there(table)
        if self.card not in table.state.storage:
            return Illegal("tomb_raiders.not_stored", rule="TTR-20", card=self.card)
        return None

    def _not_there(self, table: TombTable) -> Refusal | None:
        """Where cards are real, one that goes into a hand stays unknown, and none is taken that others have."""
        terms = table.terms
        if self.card == ANOTHER and (table.some_unseen or terms.rules == 1):
            return None
        if self.card in terms.cards and terms.cards[self.card].play_weeks is not None:
            return Illegal("tomb_raiders.unnamed", rule="TTR-81", card=self.card)
        left = table.unshown(self.card) if self.card in terms.unknown else table.state.deck[self.card]
        if (self.card in terms.cards or self.card in terms.unknown) and left > 0:
            return None
        return Illegal("tomb_raiders.none_left", rule="TTR-20", card=self.card)

    def weeks_of(self, table: TombTable) -> int:
        card = table.terms.cards.get(self.card)
        if self.card == ANOTHER:
            return 0
        return int(self.card.removeprefix(UNKNOWN)) if card is None else card.weeks

    def done(self, table: TombTable) -> TombTable:
        """An action card goes into the hand, any other lies open; then the space is filled [TTR-12, TTR-20]."""
        if self.card == ANOTHER:
            return table.replace(taking=True)
        paid, card, takes = table.paid(self.weeks_of(table)), self.card, table.state.takes + 1
        if not table.terms.is_real:
            place = table.state.storage.index(card)
            paid = paid.replace(storage=changed(table.state.storage, place, None), takes=takes)
        else:
            deck = table.state.deck if card in table.terms.unknown else table.state.deck.without(card)
            paid = paid.replace(deck=deck, takes=takes, turned=table.state.turned + 1)
        for_hand = card in table.terms.unknown or table.terms.cards[card].play_weeks is not None
        there = paid.in_hand(card) if for_hand else paid.laid(card)
        return self._told_of_the_pile(there) if table.terms.is_real else there

    def _told_of_the_pile(self, there: TombTable) -> TombTable:
        """Whether a real draw pile is empty is asked once it may be, by what has been taken. To version 1, it then had
        to be [TTR-70]."""
        most = there.terms.most_takes
        if there.terms.rules > 1:
            return there.replace(topping=there.terms.way == "mixed" or there.taken >= most - 1)
        over, takes = there.state.takes >= most, there.state.takes
        return there.replace(topping=not over and (there.terms.way == "mixed" or takes == most - 1), is_over=over)

    def log_facts(self, table: TombTable) -> Facts:
        if self.card == ANOTHER:
            return {**super().log_facts(table), "type": "take_another"}
        return {**super().log_facts(table), "card": self.card}


@cache
def _take(card: str) -> Take:
    return Take(card)


class Play(TombAct, frozen=True, tag="play"):
    """Play an action card from the hand [TTR-30]. With a pile open before the seat: the artifact it keeps of it. Of a
    real hand it may be one more than the box says: then it is shown first, and the table names it."""

    card: str
    region: str | None = None
    artifact: str | None = None

    @classmethod
    def thinkable(cls, table: TombTable) -> Iterator[Play]:
        terms, task = table.terms, table.task
        if table.choosing:
            look = table.mine.look
            yield from (cls(task.card, artifact=card) for card in dict.fromkeys(look.artifacts if look else ()))
            return
        for card in _playable(table):
            if terms.cards[card].kind == "scientist":
                yield from (cls(card, region) for region in terms.regions)
            else:
                yield cls(card)
        if table.beyond:
            yield cls(ANOTHER)

    def why_not(self, table: TombTable) -> Refusal | None:
        if not table.choosing:
            return self.barred(table)
        task = table.task
        if self.card != task.card or self.artifact is None or self.region is not None:
            return Illegal("tomb_raiders.keep_first", rule="TTR-32", region=task.region)
        if self.artifact in table.terms.artifacts and self._is_seen(table):
            return None
        return Illegal("tomb_raiders.not_in_pile", rule="TTR-32", card=self.artifact)

    def _is_seen(self, table: TombTable) -> bool:
        """Whether the artifact lies in the open pile; its seat knows so by what it sees there."""
        look = table.mine.look
        return self.artifact in (look.artifacts if table.masked and look else table.pile(table.task.region).cards)

    def barred(self, table: TombTable) -> Refusal | None:
        if self.card == ANOTHER and table.beyond:
            is_alone = self.region is None and self.artifact is None
            return None if is_alone else Illegal("tomb_raiders.no_choice", rule="TTR-30", card=self.card)
        printed = table.terms.cards.get(self.card)
        return self._not_playable(table, printed) if printed else self._no_action()

    def _no_action(self) -> Refusal:
        return Illegal("tomb_raiders.no_action", rule="TTR-30", card=self.card)

    def _not_playable(self, table: TombTable, printed: PrintedCard) -> Refusal | None:
        """Why a card that there is cannot be played now."""
        if printed.play_weeks is None:
            return self._no_action()
        if printed.kind == LIKE_GENERAL:
            return Illegal("tomb_raiders.for_a_dig", rule="TTR-35")
        if not table.holds(self.card):
            return Illegal("tomb_raiders.not_in_hand", rule="TTR-30", card=self.card)
        if printed.kind == "scientist" and self.region not in table.terms.regions:
            return Illegal("tomb_raiders.which_pile", rule="TTR-33")
        if printed.kind != "scientist" and self.region is not None:
            return Illegal("tomb_raiders.no_choice", rule="TTR-30", card=self.card)
        return None if self.artifact is None else Illegal("tomb_raiders.look_first", rule="TTR-32")

    def weeks_of(self, table: TombTable) -> int:
        """The weeks are paid when it is played; what is kept afterwards takes none, and to show a card neither."""
        return 0 if table.choosing or self.card == ANOTHER else table.terms.cards[self.card].play_weeks or 0

    def done(self, table: TombTable) -> TombTable:
        if table.choosing and self.artifact is not None:
            region = table.task.region
            left = table.with_pile(region, table.pile(region).without(self.artifact)).with_artifact(self.artifact)
            return left.replace(task=structs.replace(table.task, kept=True)).done()
        if self.card == ANOTHER:
            return table.replace(naming=True)
        printed = table.terms.cards[self.card]
        there = table.parted(self.card).paid(self.weeks_of(table))
        if printed.kind == "assistant":
            return there.replace(seats=there.seated(assistants=there.mine.assistants + 1))
        region = self.region or printed.region or ""
        there = there.out_of_the_game(self.card)
        if printed.kind == "scientist":
            return there.begun(Task("look", table.seat, region, self.card))
        if printed.kind == "thief" and table.terms.thief == "blind":
            return there.begun(Task("steal", table.seat, region, self.card, of=1))
        return there.begun(Task("keep", table.seat, region, self.card))

    def log_facts(self, table: TombTable) -> Facts:
        facts = {**super().log_facts(table), "card": self.card}
        if table.choosing:
            return {**facts, "type": "keep", "token": self.artifact}
        if self.card == ANOTHER:
            return {**super().log_facts(table), "type": "show_another"}
        return {**facts, "type": "play_at", "region": self.region} if self.region is not None else facts


class Dig(TombAct, frozen=True, tag="dig"):
    """Dig in a region for 1 to 12 weeks, with its excavation card or a general one [TTR-40 to TTR-43]."""

    from_hand = True

    region: str
    weeks: int
    permit: Permit

    @classmethod
    def thinkable(cls, table: TombTable) -> Iterator[Dig]:
        every = product(table.terms.regions, range(1, MOST_WEEKS + 1), PERMITS)
        return (cls(region, weeks, permit) for region, weeks, permit in every)

    def barred(self, table: TombTable) -> Refusal | None:
        if self.region not in table.terms.regions:
            return Illegal("tomb_raiders.no_region", rule="TTR-40", region=self.region)
        if not 1 <= self.weeks <= MOST_WEEKS:
            return Illegal("tomb_raiders.weeks_of_a_dig", rule="TTR-42", most=MOST_WEEKS)
        return self._no_card(table) or self._nothing_to_draw(table)

    def _no_card(self, table: TombTable) -> Refusal | None:
        """A dig needs an excavation card [TTR-40]."""
        if self.with_card(table) is not None:
            return None
        if self.permit == "general":
            return Illegal("tomb_raiders.no_general", rule="TTR-40")
        return Illegal("tomb_raiders.no_permit", rule="TTR-40", region=self.region)

    def _nothing_to_draw(self, table: TombTable) -> Refusal | None:
        """It needs expertise [TTR-40], and a chart that shows a card [TTR-42]."""
        known = self.known(table)
        if not known.expertise:
            return Illegal("tomb_raiders.knows_nothing", rule="TTR-40", region=self.region)
        if self.cards(table):
            return None
        least = table.terms.least_weeks[known.total]
        if least is None:
            return Illegal("tomb_raiders.never", rule="TTR-42", points=known.total)
        return Illegal("tomb_raiders.too_short", rule="TTR-42", n=least, points=known.total)

    def with_card(self, table: TombTable) -> str | None:
        """The card that is laid down for it; None where the hand has none."""
        cards = (permit_of(self.region),) if self.permit == "region" else (GENERAL, LIKE_GENERAL)
        return next((card for card in cards if table.holds(card)), None)

    def known(self, table: TombTable) -> RegionKnowledge:
        """What the seat knows about the region."""
        return table.knowledge(self.region)

    def cards(self, table: TombTable) -> int:
        """How many cards the chart shows [TTR-42]."""
        return table.terms.dial.tokens(self.known(table).total, self.weeks)

    def weeks_of(self, table: TombTable) -> int:
        return self.weeks

    def done(self, table: TombTable) -> TombTable:
        """Card and assistants leave the game, the weeks are paid; then cards are drawn, one by one."""
        card, assistants = self.with_card(table) or "", table.mine.assistants
        there = table.parted(card).paid(self.weeks).out_of_the_game(card, *["assistant"] * assistants)
        there = there.replace(seats=there.seated(assistants=0)) if assistants else there
        return there.begun(Task("dig", table.seat, self.region, of=self.cards(table)))

    def log_facts(self, table: TombTable) -> Facts:
        facts: Facts = {"region": self.region, "cards": self.cards(table), "permit": self.permit}
        return {**super().log_facts(table), **facts}


class Exhibit(TombAct, frozen=True, tag="exhibit"):
    """Hold an exhibition that is on display [TTR-60]."""

    card: str

    @classmethod
    def thinkable(cls, table: TombTable) -> Iterator[Exhibit]:
        return (cls(card) for card in on_display(table) if card in table.terms.exhibitions)

    def barred(self, table: TombTable) -> Refusal | None:
        if self.card not in table.terms.exhibitions or self.card not in on_display(table):
            return Illegal("tomb_raiders.not_shown", rule="TTR-60", card=self.card)
        lacking = [region for region, count in self.missing(table, 0).items() for _ in range(count)]
        return (
            Illegal("tomb_raiders.artifacts_missing", rule="TTR-60", n=len(lacking), regions=lacking)
            if lacking
            else None
        )

    def missing(self, table: TombTable, step: int) -> dict[str, int]:
        """How many artifacts more a step asks for, by region; values do not matter."""
        asked, mine = table.terms.exhibitions[self.card].steps[step].objects, by_region(table.mine.finds)
        return {region: count - mine[region] for region, count in asked.items() if mine[region] < count}

    def steps(self, table: TombTable) -> int:
        """How many of its steps the seat's artifacts reach."""
        every = range(len(table.terms.exhibitions[self.card].steps))
        return next((step for step in every if self.missing(table, step)), len(every))

    def weeks_of(self, table: TombTable) -> int:
        """The weeks of the last step that is reached; of the first, where none is."""
        return table.terms.exhibitions[self.card].steps[max(0, self.steps(table) - 1)].weeks

    def done(self, table: TombTable) -> TombTable:
        return removed(table, self.card).paid(self.weeks_of(table)).laid(self.card)

    def log_facts(self, table: TombTable) -> Facts:
        card = table.terms.exhibitions[self.card]
        return {
            **super().log_facts(table),
            "card": self.card,
            "points": card.points,
            "regions": list(card.steps[0].objects),
        }


class Donate(TombAct, frozen=True, tag="museum"):
    """Give artifacts to a museum that is on display [TTR-61]."""

    card: str
    artifacts: tuple[str, ...]

    def __post_init__(self) -> None:
        """The artifacts may be named in any order: the same gift is the same move."""
        structs.force_setattr(self, "artifacts", tuple(sorted(self.artifacts)))

    @classmethod
    def thinkable(cls, table: TombTable) -> Iterator[Donate]:
        for card in on_display(table):
            if card in table.terms.museums and table.terms.museums[card].artifacts <= len(table.mine.finds):
                yield from (cls(card, gift) for gift in gifts(table, table.terms.museums[card].artifacts))

    @classmethod
    def is_sampled(cls, table: TombTable) -> bool:
        shown = (table.terms.museums[card] for card in on_display(table) if card in table.terms.museums)
        return any(are_many(table, museum.artifacts) for museum in shown if museum.artifacts <= len(table.mine.finds))

    def barred(self, table: TombTable) -> Refusal | None:
        museum = self.museum(table)
        if museum is None or self.card not in on_display(table):
            return Illegal("tomb_raiders.not_shown", rule="TTR-61", card=self.card)
        if len(self.artifacts) != museum.artifacts:
            return Illegal("tomb_raiders.so_many", rule="TTR-61", n=museum.artifacts)
        lacking = sorted((Counter(self.artifacts) - Counter(table.mine.finds)).elements())
        return Illegal("tomb_raiders.not_yours", rule="TTR-61", cards=lacking) if lacking else None

    def museum(self, table: TombTable) -> Museum | None:
        return table.terms.museums.get(self.card)

    def weeks_of(self, table: TombTable) -> int:
        return table.terms.museums[self.card].weeks

    def done(self, table: TombTable) -> TombTable:
        return removed(table, self.card).paid(self.weeks_of(table)).given_up(self.artifacts).laid(self.card)

    def log_facts(self, table: TombTable) -> Facts:
        points = table.terms.museums[self.card].points
        return {**super().log_facts(table), "card": self.card, "artifacts": list(self.artifacts), "points": points}


def on_display(table: TombTable) -> tuple[str, ...]:
    """The exhibitions and museums that can be had: where cards are real, all that nobody has yet."""
    if not table.terms.is_real:
        return table.state.shown
    every = (*table.terms.exhibitions, *table.terms.museums)
    return tuple(card for card in every if card in table.state.deck)


def removed(table: TombTable, card: str) -> TombTable:
    """Without a card on display."""
    if table.terms.is_real:
        return table.replace(deck=table.state.deck.without(card))
    at = table.state.shown.index(card)
    return table.replace(shown=table.state.shown[:at] + table.state.shown[at + 1 :])


def gifts(table: TombTable, count: int) -> Sequence[tuple[str, ...]]:
    """Choices of so many artifacts of a seat, the cheapest first: all there are, or a fair sample of many."""
    return _gifts(_by_worth(table), count)[0]


def are_many(table: TombTable, count: int) -> bool:
    """Whether there are more such choices than are listed."""
    return _gifts(_by_worth(table), count)[1]


def _by_worth(table: TombTable) -> tuple[str, ...]:
    """The artifacts of a seat, the least first."""
    return tuple(sorted(table.mine.finds, key=lambda card: (table.terms.artifacts[card][1], card)))


@lru_cache(maxsize=4096)
def _gifts(finds: tuple[str, ...], count: int) -> tuple[tuple[tuple[str, ...], ...], bool]:
    """Choices of so many, and whether there are more of them."""
    every = list(islice(_choices(tuple(Counter(finds).items()), count), EXAMPLES + 1))
    if len(every) <= EXAMPLES:
        return tuple(tuple(sorted(gift)) for gift in every), False
    found = {tuple(sorted(finds[:count])): None}
    luck = random.Random(f"{count} {finds}")  # noqa: S311 -- examples, by which nothing is dealt
    while len(found) < EXAMPLES:
        found[tuple(sorted(luck.sample(finds, count)))] = None
    return tuple(found), True


def _choices(kinds: tuple[tuple[str, int], ...], count: int) -> Iterator[tuple[str, ...]]:
    """Every choice of so many, each once; first of all as many of the first kinds as there are."""
    if not count:
        yield ()
    elif kinds:
        (card, copies), *others = kinds
        for n in range(min(copies, count), -1, -1):
            yield from ((card,) * n + rest for rest in _choices(tuple(others), count - n))


@lru_cache(maxsize=4096)
def by_region(finds: tuple[str, ...]) -> Counter[str]:
    """How many of these artifacts are from each region."""
    return Counter(find.removeprefix("artifact-").rpartition("-")[0] for find in finds)


def _playable(table: TombTable) -> list[str]:
    """The action cards that are, or may be, in the hand."""
    hand, unknown = table.mine.hand, table.mine.unknown
    return [card for card in table.terms.playable if card in hand or (unknown and table.may_be(card))]
