"""A game of The Tomb Raiders at one moment, the terms it is played on, and what a seat's hand can do at the table."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from companion.game import Finished, Option, Score, Setup, State
from companion.games.tomb_raiders.box import DECK, Museum, TombExhibition, TombRaidersBox
from companion.parts import TableView, changed
from companion.pieces.bag import Bag
from companion.pieces.box_differences import VariablePart, as_printed, net
from companion.pieces.cards import without_one
from companion.pieces.dial import Dial
from companion.pieces.piles import NONE, Pile
from companion.pieces.track import Track
from companion.secrecy import BY_SEAT, Secret, nobody, nothing

T = TypeVar("T")

Way = Literal["companion", "mixed", "real"]
Thief = Literal["blind", "chosen"]
Permit = Literal["region", "general"]

OPTIONS = (
    Option("cards", ("companion", "mixed", "real"), "companion"),
    Option("thief", ("blind", "chosen"), "blind"),
    Option("dig_help", (True, False), True),
    Option("forecast", (True, False), True),
)

SPACES = 4
"""Where cards are stored."""
MOST_WEEKS = 12
BEST = "best"
"""The professor of no region."""
GENERAL = "excavation-general"
LIKE_GENERAL = "general_excavation"
"""The action card that is good for what a general excavation card is."""
UNKNOWN = "action-"
"""An action card nobody has shown: what is known of it is how many weeks it took."""
RUBBLE = "rubble-"


class PrintedCard(NamedTuple):
    """What is printed on a card that is taken; `play_weeks` only on one for the hand."""

    kind: str
    region: str | None
    worth: int
    weeks: int
    play_weeks: int | None
    copies: int


class TombTerms:
    """What does not change while a game lasts.

    :param rules: the version of the rules; RULES.md says what the first had otherwise.
    :param way: whose the cards are: all the companion's; deck and hands real, piles the companion's; all real.
    :param thief: draws blind, as the French rules have it, or chooses, as the English ones do.
    """

    def __init__(self, setup: Setup, box: TombRaidersBox, rules: int) -> None:
        chosen = {option.name: option.default for option in OPTIONS} | setup.options
        self.rules = rules
        self.box = box
        self._kinds = {region: tuple(sorted(box.piles[region])) for region in box.regions}
        self.names: tuple[str, ...] = tuple(seat.name for seat in setup.seats)
        self.way: Way = msgspec.convert(chosen["cards"], Way)
        self.thief: Thief = msgspec.convert(chosen["thief"], Thief)
        self.helps = bool(chosen["dig_help"])
        self.foretells = bool(chosen["forecast"]) and self.way == "companion" and rules > 1
        self.regions: tuple[str, ...] = tuple(box.regions)
        self.cards = {id_: self._card(id_) for id_ in box.small_cards}
        self.exhibitions: dict[str, TombExhibition] = dict(box.exhibitions)
        self.museums: dict[str, Museum] = dict(box.museums)
        self.dial = Dial(box.chart.rows)
        self.faces = {region: Bag.of(kinds) for region, kinds in box.piles.items()}
        self.artifacts = {
            f"artifact-{name}-{value}": (name, value) for name in box.regions for value in box.regions[name].artifacts
        }
        self.artifacts |= {
            card: (name, int(card.rpartition("-")[2]))
            for name, part in box.loose.items()
            for card in part.kinds
            if card.startswith("artifact-")
        }
        """Every artifact that may come up, also those that are in another copy, by its region and worth."""
        self.least_weeks = tuple(self.dial.weeks_for(known, 1) for known in range(self.dial.most_knowledge + 1))
        given = box.hands[len(self.names)]
        permits = [permit_of(region) for region in self.regions for _ in range(given.per_region)]
        self.hand = tuple(sorted((*permits, *[GENERAL] * given.general)))
        self.playable = tuple(
            id_ for id_, card in self.cards.items() if card.play_weeks is not None and id_ != LIKE_GENERAL
        )
        """The action cards that are played by themselves."""
        self.laid_open = tuple(id_ for id_, card in self.cards.items() if card.play_weeks is None)
        """The cards that lie open before whoever takes them."""
        self.unknown = self._unknown()
        self.stored = sum(card.copies for card in self.cards.values())
        """How many cards come into the storage spaces in a whole game."""

    @property
    def seats(self) -> int:
        return len(self.names)

    @property
    def is_real(self) -> bool:
        """Whether the draw pile, the storage spaces and the hands are real."""
        return self.way != "companion"

    @property
    def real_piles(self) -> bool:
        """Whether the excavation piles are real."""
        return self.way == "real"

    @property
    def most_takes(self) -> int:
        """So many cards have been taken when the draw pile must be empty: too few are left to fill the spaces; or when
        it was found empty once."""
        return self.box.deck.takes or self.stored - SPACES + 1

    def most_in_hand(self, card: str) -> int:
        """How many of an excavation card, or of unshown cards of these weeks, one hand can have at most."""
        alike = self.unknown.get(card)
        return sum(self.cards[each].copies for each in alike) if alike else self.hand.count(card) * self.seats

    def kinds(self, region: str) -> tuple[str, ...]:
        """Every kind of card with a region's back."""
        return self._kinds[region]

    def region_of(self, artifact: str) -> str:
        """Where an artifact, or rubble, is from."""
        return self.artifacts[artifact][0] if artifact in self.artifacts else artifact.removeprefix(RUBBLE)

    def _card(self, id_: str) -> PrintedCard:
        card = self.box.small_cards[id_]
        weeks, play_weeks = card.weeks, card.play_weeks
        if card.kind == "thief" and self.thief == "chosen":
            weeks, play_weeks = self.box.thief_who_chooses.weeks, self.box.thief_who_chooses.play_weeks
        return PrintedCard(card.kind, card.region, card.value, weeks, play_weeks, card.copies)

    def _unknown(self) -> dict[str, tuple[str, ...]]:
        """The action cards by the weeks that taking one costs: what one that nobody has shown may be."""
        weeks = sorted({card.weeks for card in self.cards.values() if card.play_weeks is not None})
        return {
            f"{UNKNOWN}{n}": tuple(
                id_ for id_, card in self.cards.items() if card.weeks == n and card.play_weeks is not None
            )
            for n in weeks
        }


def permit_of(region: str) -> str:
    """The excavation card of a region."""
    return f"excavation-{region}"


class PileLook(msgspec.Struct, frozen=True):
    """What a seat has seen in a region's pile: its artifacts, and whether there is rubble, which nobody counts."""

    region: str
    artifacts: tuple[str, ...]
    rubble: bool


HIDDEN = "hidden"
"""A card of which somebody sees the back alone."""


def face_down(table: Any, cards: tuple[str, ...]) -> tuple[str, ...]:
    """So many cards, of which nobody else sees more [TTR-80]. What is known here of a real hand, all saw [TTR-81]."""
    return cards if table.terms.is_real else (HIDDEN,) * len(cards)


def uncounted(table: Any, piles: dict[str, Pile]) -> dict[str, Pile]:
    """Piles of which nobody may know how much lies there [TTR-13]; of real ones all know what has not come to light."""
    return piles if table.terms.real_piles else dict.fromkeys(piles, Pile(NONE))


class Raider(msgspec.Struct, frozen=True):
    """A seat's cards and finds.

    :param hand: the excavation and action cards in its hand that it is known to have.
    :param unknown: the action cards in its hand that nobody has shown, by the weeks they took.
    :param cards: what lies open before it: expertise, general knowledge, congresses, exhibitions, museums.
    :param assistants: so many lie before it, for its next dig.
    :param look: what it has seen in a pile, until its next move.
    """

    hand: Annotated[tuple[str, ...], Secret(face_down)]
    expertise: dict[str, int]
    unknown: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    finds: tuple[str, ...] = ()
    general: int = 0
    assistants: int = 0
    look: Annotated[PileLook | None, Secret(lambda table, look: None)] = None

    @property
    def known(self) -> int:
        """All expertise and general knowledge together [TTR-51]."""
        return sum(self.expertise.values()) + self.general


class Task(msgspec.Struct, frozen=True):
    """What a seat does at a region's pile until it is done.

    :param does: digs; draws a card blind; looks through the pile; looks, and then keeps a card.
    :param card: the action card that has been played for it.
    :param of: how many cards are to be drawn.
    :param drawn: those drawn so far; rubble waits beside the pile.
    :param counted: for so many regions it is known how many cards have come; the gaps are the urn for the next.
    :param sorted: for so many kinds of this pile it is known how many are in it.
    :param seen: the pile lies open to the seat.
    :param kept: the seat has kept an artifact of it.
    """

    does: Literal["dig", "steal", "look", "keep"]
    seat: int
    region: str
    card: str = ""
    of: int = 0
    drawn: tuple[str, ...] = ()
    counted: int = 0
    past: Annotated[int, Secret(nothing, to=nobody)] = 0
    ahead: Annotated[int, Secret(nothing, to=nobody)] = 0
    sorted: int = 0
    seen: bool = False
    kept: bool = False


class Reached(msgspec.Struct, frozen=True):
    """What everybody saw when a hand reached into a pile, however many cards lay there.

    :param turned: after how many green cards, with how many `ahead`.
    :param of: how many cards were to be drawn; 0 where the pile was looked through.
    :param artifacts: how many were found, or kept; `rubble` came up and went back.
    :param drawn_out: nothing was left.
    """

    turned: int
    ahead: int
    of: int
    artifacts: int
    rubble: int
    drawn_out: bool = False


NO_TASK = Task("look", -1, "")


class TombState(State, frozen=True):
    """One moment of the game.

    :param deck: the green-backed cards nobody has seen: in the draw pile; where cards are real, also those that lie in
        storage, on display, or unshown in a hand.
    :param storage: the cards of the storage spaces, `None` where it is to be filled; nothing where they are real.
    :param shown: exhibitions and museums on display; nothing where they are real.
    :param gone: what has left the game.
    :param turned: how many green cards have come from the draw pile; where that is real, how often a space was filled.
    :param settled: `turned` when it was last worked out what has come onto the piles.
    :param professors: who holds each, by region and `BEST`.
    :param topping: the table is to say what lies on top of the real draw pile.
    :param taking: somebody takes a card from real storage that the table is to name.
    :param reached: what everybody saw of each pile, each time that a hand reached into it.
    :param naming: whoever plays shows an action card of a real hand that the table is to name.
    """

    track: Track
    seats: Annotated[tuple[Raider, ...], BY_SEAT]
    deck: Bag
    piles: Annotated[dict[str, Pile], Secret(uncounted, to=nobody)]
    storage: tuple[str | None, ...]
    stack: tuple[int, ...] = ()
    shown: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    turned: int = 0
    settled: int = -1
    takes: int = 0
    professors: dict[str, int] = msgspec.field(default_factory=dict)
    reached: dict[str, tuple[Reached, ...]] = msgspec.field(default_factory=dict)
    task: Task | None = None
    topping: bool = False
    taking: bool = False
    naming: bool = False
    is_over: bool = False


class RegionKnowledge(NamedTuple):
    """How much a seat knows about a region, as the rulebook counts it [TTR-41]."""

    expertise: int
    general: int  # as much as counts
    assistants: int
    total: int  # for the chart


class TombTable(TableView[TombState, TombTerms]):
    """The table as a seat's hand finds it."""

    __slots__ = ()

    @property
    def mine(self) -> Raider:
        """The seat's cards and finds."""
        return self.state.seats[self.seat]

    @property
    def at(self) -> int:
        """The week of the seat's marker."""
        return self.state.track.times[self.seat]

    @property
    def stacking(self) -> bool:
        """Whether the markers are still being stacked [TTR-01]."""
        return len(self.state.stack) < len(self.state.seats)

    @property
    def over(self) -> bool:
        """Whether the draw pile is empty: where it is real, it is the table that says so [TTR-70]."""
        return self.state.is_over or (not self.terms.is_real and not self.state.deck.total)

    @property
    def taken(self) -> int:
        """How many cards have been taken from storage, by where they lie now [TTR-70]."""
        state, kinds = self.state, self.terms.cards
        unseen = sum(count for card, count in state.deck.counts.items() if card in kinds)
        stored = sum(card is not None for card in state.storage)
        return self.terms.stored - unseen - stored + sum(len(mine.unknown) for mine in state.seats)

    @property
    def some_unseen(self) -> bool:
        """Whether any card for the storage spaces may still come, or be taken, as far as the box says."""
        unseen = self.state.deck.counts
        return any(card in unseen for card in self.terms.laid_open) or any(map(self.is_unshown, self.terms.unknown))

    @property
    def filling(self) -> bool:
        """Whether a storage space waits for a card, and there is one to come [TTR-11]."""
        return None in self.state.storage and not self.over

    @property
    def task(self) -> Task:
        """What somebody does at a pile."""
        return self.state.task or NO_TASK

    @property
    def choosing(self) -> bool:
        """Whether a seat has the pile open before it and is to keep a card."""
        return self.task.seen

    def cards_of(self, region: str) -> dict[str, int]:
        """All cards of a region: as the box says, and as the table has shown otherwise."""
        printed = self.terms.faces[region].counts
        if not self.state.otherwise:
            return printed
        more = net(self.state.otherwise, self.terms.box.loose_at(region).where)
        return {card: n for card in {**printed, **more} if (n := printed.get(card, 0) + more[card])}

    def pile(self, region: str) -> Pile:
        return self.state.piles[region]

    def knowledge(self, region: str, *, more_assistants: int = 0) -> RegionKnowledge:
        """What the seat knows about a region, with the assistants before it [TTR-34, TTR-41]."""
        mine = self.mine
        expertise = mine.expertise[region]
        general, assistants = min(mine.general, expertise), mine.assistants + more_assistants
        total = min(expertise + general + assistants, self.terms.dial.most_knowledge)
        return RegionKnowledge(expertise, general, assistants, total)

    # Cards that nobody has shown.

    def unshown(self, kind: str) -> int:
        """How many of the unseen action cards of these weeks are in no hand, as far as anybody knows."""
        unseen = sum(self.state.deck[card] for card in self.terms.unknown[kind])
        return unseen - sum(mine.unknown.count(kind) for mine in self.state.seats)

    def is_unshown(self, kind: str) -> bool:
        """Whether one of these is in no hand, as far as anybody knows."""
        return self.unshown(kind) > 0

    def kind_of_unknown(self, card: str) -> str | None:
        """What an action card goes by while nobody has shown it; None for any other card."""
        printed = self.terms.cards.get(card)
        return None if printed is None or printed.play_weeks is None else f"{UNKNOWN}{printed.weeks}"

    def may_be(self, card: str) -> str | None:
        """Which of the seat's unshown cards may be this one; None where none may."""
        kind = self.kind_of_unknown(card) if self.state.deck[card] else None
        return kind if kind in self.mine.unknown else None

    def holds(self, card: str) -> bool:
        """Whether a card is, or may be, in the seat's hand."""
        mine = self.mine
        return card in mine.hand or (bool(mine.unknown) and self.may_be(card) is not None)

    @property
    def beyond(self) -> tuple[str, ...]:
        """The action cards that one in the hand may be though none is left of what the box says: those of which no rule
        says how many there are."""
        unshown, deck = self.mine.unknown, self.state.deck
        if not unshown or not self.open_deck.has_room(deck):
            return ()
        free = self.terms.box.loose_at(DECK).kinds
        return tuple(card for card in free if not deck[card] and self.kind_of_unknown(card) in unshown)

    @property
    def open_deck(self) -> VariablePart:
        """The cards of the draw pile that are laid open by whoever takes them, as far as no rule says how many."""
        loose = self.terms.box.loose_at(DECK)
        return replace(loose, kinds=tuple(card for card in loose.kinds if card in self.terms.laid_open))

    # The verbs of the table.

    def seated(self, **changes: object) -> tuple[Raider, ...]:
        """All seats, with changes at this one."""
        return changed(self.state.seats, self.seat, replace(self.mine, **changes))

    def paid(self, weeks: int) -> TombTable:
        """The marker has gone on by so many weeks; what the seat saw in a pile lies behind it."""
        table = self if self.mine.look is None else self.replace(seats=self.seated(look=None))
        return table.replace(track=table.state.track.advance(table.seat, weeks))

    def parted(self, card: str) -> TombTable:
        """A card has gone from the hand; one that nobody had shown is known now."""
        mine = self.mine
        if card in mine.hand:
            return self.replace(seats=self.seated(hand=without_one(mine.hand, card)))
        return self.shown(card)

    def shown(self, card: str) -> TombTable:
        """A card of the hand that nobody had shown is known now: it is one of the unknown ones no more."""
        seats = self.seated(unknown=without_one(self.mine.unknown, self.may_be(card) or ""))
        return self.replace(seats=seats, deck=self.state.deck.without(card))

    def out_of_the_game(self, *cards: str) -> TombTable:
        """These cards have left the game."""
        return self.replace(gone=(*self.state.gone, *cards))

    def in_hand(self, card: str) -> TombTable:
        """With a card more in the hand: one that is known, or one that nobody has shown."""
        mine = self.mine
        if card in self.terms.unknown:
            return self.replace(seats=self.seated(unknown=(*mine.unknown, card)))
        return self.replace(seats=self.seated(hand=(*mine.hand, card)))

    def laid(self, card: str) -> TombTable:
        """With a card more open before the seat; professors go where they now belong [TTR-50, TTR-51]."""
        mine, printed = self.mine, self.terms.cards.get(card)
        changes: dict[str, object] = {"cards": (*mine.cards, card)}
        if printed is not None and printed.region is not None:
            changes["expertise"] = mine.expertise | {printed.region: mine.expertise[printed.region] + printed.worth}
        elif printed is not None and printed.kind == "general":
            changes["general"] = mine.general + printed.worth
        table = self.replace(seats=self.seated(**changes))
        return table.with_professors() if len(changes) > 1 else table

    def picked_up(self, card: str) -> TombTable:
        """With a card less before the seat."""
        mine, printed = self.mine, self.terms.cards.get(card)
        changes: dict[str, object] = {"cards": without_one(mine.cards, card)}
        if printed is not None and printed.region is not None:
            changes["expertise"] = mine.expertise | {printed.region: mine.expertise[printed.region] - printed.worth}
        elif printed is not None and printed.kind == "general":
            changes["general"] = mine.general - printed.worth
        return self.replace(seats=self.seated(**changes))

    def with_professors(self) -> TombTable:
        """Every professor is with whoever has most of what it asks for; who is first keeps it from those who have as
        much [TTR-50, TTR-51]."""
        held = {name: self._professor(name) for name in (*self.terms.regions, BEST)}
        return self.replace(professors={name: seat for name, seat in held.items() if seat is not None})

    def _professor(self, name: str) -> int | None:
        asked = self.terms.box.professors
        least = asked.best_knowledge.threshold if name == BEST else asked.region.threshold
        points = [mine.known if name == BEST else mine.expertise[name] for mine in self.state.seats]
        most, holder = max(points), self.state.professors.get(name)
        if most < least:
            return None
        return holder if holder is not None and points[holder] == most else points.index(most)

    def with_artifact(self, artifact: str) -> TombTable:
        """With an artifact more before the seat."""
        return self.replace(seats=self.seated(finds=(*self.mine.finds, artifact)))

    def given_up(self, artifacts: tuple[str, ...]) -> TombTable:
        """Artifacts have gone from the seat, and left the game [TTR-61]."""
        finds = self.mine.finds
        for artifact in artifacts:
            finds = without_one(finds, artifact)
        return self.replace(seats=self.seated(finds=finds)).out_of_the_game(*artifacts)

    def with_pile(self, region: str, pile: Pile) -> TombTable:
        return self.replace(piles=self.state.piles | {region: pile})

    def begun(self, task: Task) -> TombTable:
        """Somebody reaches for a pile: first it is worked out what lies there, where that is the companion's."""
        state, terms = self.state, self.terms
        if terms.real_piles:
            return self.replace(
                task=replace(task, counted=len(terms.regions), sorted=len(terms.kinds(task.region)))
            ).on()
        counted = len(terms.regions) if terms.is_real or state.settled == state.turned else 0
        kinds = len(terms.kinds(task.region)) - 1
        is_known = state.piles[task.region].settled == state.turned
        past, ahead = self._gaps()
        task = replace(task, counted=counted, past=past, ahead=ahead, sorted=kinds if is_known else 0)
        return self.replace(task=task).on()

    def _gaps(self) -> tuple[int, int]:
        """How many gaps between green cards are past since the piles were settled, and how many are ahead."""
        state = self.state
        return state.turned - state.settled, state.deck.total

    def on(self) -> TombTable:
        """What is done at a pile, after one step of it; over, where there is nothing more to do."""
        task, terms = self.task, self.terms
        if task.counted < len(terms.regions) or task.sorted < len(terms.kinds(task.region)) - 1:
            return self
        if terms.real_piles:
            return self.done() if task.does == "look" or 0 < task.of <= len(task.drawn) else self
        table = self
        if table.pile(task.region).settled != table.state.turned:
            table = table._settled()
        pile = table.pile(task.region)
        if task.does in {"dig", "steal"}:
            is_left = pile.cards.total or terms.rules > 1  # that nothing is left is said, like what is found
            return table if len(task.drawn) < task.of and is_left else table.done()
        has_artifacts = any(card in terms.artifacts for card in pile.cards)
        return table.done() if task.seen and not (task.does == "keep" and has_artifacts) else table

    def _settled(self) -> TombTable:
        """What is left of the unturned is of the last kind."""
        region = self.task.region
        pile, turned = self.pile(region), self.state.turned
        last = self.terms.kinds(region)[-1]
        return self.replace(settled=turned).with_pile(region, replace(pile.known(last, pile.unturned), settled=turned))

    def done(self, *, drawn_out: bool = False) -> TombTable:
        """What was done at a pile is over: rubble goes back onto it [TTR-31, TTR-43]."""
        task = self.task
        rubble = f"{RUBBLE}{task.region}"
        aside, pile = task.drawn.count(rubble), self.pile(task.region)
        if self.terms.real_piles:
            pile = replace(pile, faces=pile.faces.with_(rubble, aside))
        else:
            pile = pile.with_(rubble, aside)
        there = self.with_pile(task.region, pile).replace(task=None)
        return there.remembering(task, drawn_out=drawn_out) if self.terms.foretells else there

    def remembering(self, task: Task, *, drawn_out: bool) -> TombTable:
        """With what everybody has seen of a pile [TTR-13]."""
        if task.does == "look":
            return self
        state, rubble = self.state, task.drawn.count(f"{RUBBLE}{task.region}")
        found = int(task.kept) if task.does == "keep" else len(task.drawn) - rubble
        seen = Reached(state.turned, state.deck.total, task.of, found, rubble, drawn_out)
        before = state.reached.get(task.region, ())
        return self.replace(reached=state.reached | {task.region: (*before, seen)})


def first_state(terms: TombTerms) -> TombState:
    """The table as it is laid, before the markers are stacked and the first card is opened."""
    mine = Raider(terms.hand, dict.fromkeys(terms.regions, 0))
    greens = {id_: card.copies for id_, card in terms.cards.items()}
    greens |= dict.fromkeys((*terms.exhibitions, *terms.museums), 1)
    return TombState(
        track=Track.stacked(tuple(range(terms.seats))),
        seats=(mine,) * terms.seats,
        deck=Bag.of(greens),
        piles={region: Pile(faces) for region, faces in terms.faces.items()},
        storage=() if terms.is_real else (None,) * SPACES,
        topping=terms.way == "mixed",
    )


def score_of(table: TombTable) -> Score:
    """What a seat has: artifacts, presentations, professors, congresses, and the weeks it is behind [TTR-71]."""
    mine, terms, printed = table.mine, table.terms, table.terms.box
    held = [name for name, seat in table.state.professors.items() if seat == table.seat]
    row = printed.score.congresses
    parts = {
        "artifacts": sum(terms.artifacts[card][1] for card in mine.finds),
        "exhibitions": sum(terms.exhibitions[card].points for card in mine.cards if card in terms.exhibitions),
        "professors": sum(
            (printed.professors.best_knowledge if name == BEST else printed.professors.region).points for name in held
        ),
        "museums": sum(terms.museums[card].points for card in mine.cards if card in terms.museums),
        "congresses": row[min(mine.cards.count("congress"), len(row) - 1)],
        "weeks": (table.state.track.foremost - table.at) // printed.score.weeks_per_point_behind,
    }
    return Score(table.seat, sum(parts.values()), parts)


def finished(table: TombTable) -> Finished:
    """Most points win; of those who have as many, whoever is furthest back; on one week they share it [TTR-72]."""
    scores = tuple(score_of(table.by(seat)) for seat in range(table.terms.seats))
    track = table.state.track
    best = max((score.total, -track.at(score.seat)) for score in scores)
    return Finished(scores, tuple(score.seat for score in scores if (score.total, -track.at(score.seat)) == best))


def counted_in_all(state: TombState) -> dict[str, int]:
    """How many there are of every card, in all places together; no step changes it."""
    census: Counter[str] = Counter(state.deck.counts)
    for pile in state.piles.values():
        census.update(pile.faces.counts)
        census.update(pile.cards.counts)
    if state.task is not None:
        census.update(card for card in state.task.drawn if card.startswith(RUBBLE))
    census.update(card for card in state.storage if card is not None)
    census.update(state.shown)
    census.update(state.gone)
    for mine in state.seats:
        census.update(mine.hand)
        census.update(mine.cards)
        census.update(mine.finds)
        census["assistant"] += mine.assistants
    return as_printed(census, state.otherwise)
