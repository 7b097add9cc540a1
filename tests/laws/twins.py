"""Two tables that differ in one secret alone, played on by the same presses: what everybody else receives of both.

What is secret is read off the marks (`companion.secrecy`). Twins begin with one step that looks the same to some and is
not: another card that falls, another card laid down, another correction. From then on whatever is pressed at one is
pressed at the other. Whoever the marks do not show the difference to must not be able to tell the twins apart by a
single byte; whoever they show it to is not looked at any more.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, Self, get_args, get_type_hints

import msgspec
from msgspec import Struct

from companion import games
from companion.game import Chance, Corrected, Dealt, Finished, Outcome, Played, Source, State, Step, Turn
from companion.parts import Draw
from companion.play.dealer import SealedDealer
from companion.play.position import Position
from companion.play.record import encode, export
from companion.play.story import account_of, course
from companion.play.table import HOST, SPECTATOR, Actor, Table
from companion.play.tail import Tail
from companion.play.teaching import deeds, lessons_due
from companion.play.view import aids_in_json, view_in_json, view_in_parts
from companion.referee import Referee
from companion.refusals import Refusal
from companion.search.choice import think
from companion.search.insight import NO_INSIGHT
from companion.search.players import insight_of
from companion.secrecy import parts_of, seen_by
from tests.laws.near import any_correction, misses, read, strings
from tests.laws.play import SECRET, Way, any_step
from web_ui.api.luck import luck as luck_told
from web_ui.devices import event_told, table_state
from web_ui.house import events_since, table_now
from web_ui.metrics import Metrics, Now
from web_ui.streams import view_event
from web_ui.views import Tracked

Mark = tuple[str, str]
"""The kind of thing that has a secret, and the field; a draw has "falls"."""
Eyes = int | None
FALLS = "falls"
TRIES = 12
COURSES = 16
"""So many courses a bot plays before it chooses."""
OTHERS = 6
"""So many other outcomes or moves are looked at in a place where twins might begin."""


class Dealer(SealedDealer):
    """Deals what a test wants."""

    falls: Outcome = ""

    def deal(self, draw: int, chance: Chance, stirs: object) -> Outcome:
        return self.falls


def stepwise(way: Way, state: State | None = None, **sources: Any) -> Table:
    """A table at which each draw is a press of its own; begun at a state, where one is given."""
    table = way.table("press", **sources)
    if state is not None:
        table._positions = Tail([Position(table._rules, state)])
    table.dealer = Dealer(SECRET)
    table._flow = lambda made: made  # type: ignore[method-assign]
    return table


def twin_of(table: Table) -> Table:
    """The same table, which goes on by itself."""
    twin = table.fork()
    twin._requests, twin.read = dict(table._requests), {}
    return twin


def pressed(table: Table, step: Step) -> None:
    """Make a step at a table as the host does."""
    request = f"press {table.seq}"
    match step:
        case Played(seat=seat, move=move):
            table.play(HOST, table.seq, request, msgspec.to_builtins(move), seat=seat)
        case Corrected(correction=correction):
            table.correct(HOST, table.seq, request, msgspec.to_builtins(correction))
        case Dealt(outcome=outcome):
            ask = table.ask()
            reported = isinstance(ask, Chance) and table.setup.source(ask.randomizer) == "table"
            table.dealer.falls = outcome  # type: ignore[attr-defined]
            table.answer(HOST, table.seq, request, outcome if reported else None)


def referee(table: Table) -> Referee[Any, Any]:
    game = table.game
    assert isinstance(game, Referee)
    return game


def eyes_of(table: Table) -> tuple[Eyes, ...]:
    return (None, *range(len(table.setup.seats)))


def as_shown(game: Referee[Any, Any], state: Any, step: Step, eyes: Eyes) -> object:
    """A step as somebody sees it, by its marks."""
    match step:
        case Played(seat=seat, move=move):
            return seat, seen_by(eyes, move, game.at(state, seat), seat)
        case Corrected(correction=correction):
            return seen_by(None, correction, game.at(state))
        case Dealt(outcome=outcome):
            here = game.at(state)
            draw = game._due(here)
            return outcome if draw is None else draw.seen(here, outcome, eyes)


def after(game: Referee[Any, Any], state: Any, step: Step) -> Any:
    """The state after a step; None where it is refused."""
    try:
        return game.after(state, step)
    except Refusal:
        return None


class Fork(NamedTuple):
    """Two steps that look the same to some, and lead to tables that differ in what is secret."""

    one: Step
    other: Step
    blind: frozenset[Eyes]
    marks: frozenset[Mark]


def forks(table: Table, step: Step, luck: random.Random, most: int = OTHERS) -> Iterator[Fork]:
    """What could be done in place of a step without everybody seeing it.

    Who sees two steps alike sees the tables after them alike, unless all see it as it happens; and who sees the tables
    alike is told the same.
    """
    eyes = some_eyes(table, step, luck)
    for other in instead(table, step, luck, most):
        yield from fork_between(table, step, other, eyes)


def fork_between(table: Table, step: Step, other: Step, eyes: Iterable[Eyes]) -> Iterator[Fork]:
    """The fork between two steps, if it is one; the laws are held at it."""
    game, state = referee(table), table.state
    reached, there = after(game, state, step), after(game, state, other)
    if reached is not None and there is not None and there != reached:
        passing = is_passing(game, state, step)
        blind = {each for each in eyes if shown(game, reached, each) == shown(game, there, each)}
        readers = (None,) if isinstance(step, Corrected) or is_hidden(table.ask()) else eyes
        for each in readers:
            if as_shown(game, state, step, each) == as_shown(game, state, other, each):
                assert each in blind or passing, (
                    f"{each} sees {step} and {other} alike, but not {unlike(game, reached, there, each)} after them: "
                    "that wants a mark, too; a mark of what all see as it happens is `passing`"
                )
        for each in blind:
            told = [game.tells(state, made, each) for made in (step, other)]
            assert told[0] == told[1], f"{each} sees the tables after {step} and {other} alike, and is told {told}"
            also = [game.follows(state, made) for made in (step, other)]
            assert also[0] == also[1], f"{each} sees the tables after {step} and {other} alike, and reads {also}"
        if blind:
            yield Fork(step, other, frozenset(blind), frozenset(marks_apart(game, state, step, other, reached, there)))


def unlike(game: Referee[Any, Any], one: Any, two: Any, eyes: Eyes) -> list[str]:
    """The fields of two states that somebody sees apart."""
    seen = [shown(game, state, eyes) for state in (one, two)]
    return [name for name in one.__struct_fields__ if getattr(seen[0], name) != getattr(seen[1], name)]


def is_hidden(ask: object) -> bool:
    """Whether something falls that nobody sees: where it lies open to somebody from then on, they see it there."""
    return isinstance(ask, Chance) and ask.hidden


def some_eyes(table: Table, step: Step, luck: random.Random) -> tuple[Eyes, ...]:
    """Everybody who looks on, and a few seats, among them the one whose step it is."""
    ask, seats = table.ask(), range(len(table.setup.seats))
    own = step.seat if isinstance(step, Played) else ask.seat if isinstance(ask, Chance) else None
    others = [seat for seat in seats if seat != own]
    return (None, *(() if own is None else (own,)), *luck.sample(others, min(2, len(others))))


def is_passing(game: Referee[Any, Any], state: Any, step: Step) -> bool:
    """Whether all see a step as it happens."""
    here = game.at(state, step.seat if isinstance(step, Played) else 0)
    match step:
        case Dealt():
            draw = game._due(here)
            secrets = [draw.secret_of(here)] if draw is not None else []
        case Played(move=made) | Corrected(correction=made):
            secrets = [part.secret for part in parts_of(type(made))]
    return any(secret.passing(here) for secret in secrets if secret is not None)


def instead(table: Table, step: Step, luck: random.Random, most: int) -> list[Step]:
    """Other steps of the same kind."""
    game, state, ask = referee(table), table.state, table.ask()
    steps: list[Step] = []
    match step:
        case Dealt() if isinstance(ask, Chance):
            besides = game.off_list_outcomes(state)  # that the box says otherwise is told to all, if not how
            steps = [Dealt(each) for each in (besides if step.outcome in besides else possible(ask))]
        case Played(seat=seat, move=move):
            steps = [Played(seat, each) for each in game.moves(state, seat).moves if type(each) is type(move)]
        case Corrected(correction=correction):
            steps = [Corrected(each) for each in offered(game, state, type(correction))]
    steps = [each for each in steps if each != step]
    luck.shuffle(steps)
    if not isinstance(step, Dealt):  # few of many are alike
        alike = as_shown(game, state, step, None)
        steps.sort(key=lambda each: as_shown(game, state, each, None) != alike)
    return steps[:most]


def offered(game: Referee[Any, Any], state: Any, kind: type[Any]) -> list[Any]:
    """What a correction offers."""
    if game.unavailable_reason(kind) is not None:
        return []
    rows = [(each.fields, row) for each in kind.offered_values(game.as_seen(state, None)) for row in each.rows]
    said = ({"type": kind.__struct_config__.tag, **dict(zip(fields, row, strict=True))} for fields, row in rows)
    return [made for each in said if (made := read(each, (kind,))) is not None]


def shown(game: Referee[Any, Any], state: Any, eyes: Eyes) -> object:
    """The state as somebody sees it, by its marks."""
    return game.as_seen(state, eyes).state


# The marks themselves.


def marks_of(game: Referee[Any, Any]) -> set[Mark]:
    """All marks of a game: in its state, its moves, its corrections and its draws."""
    found = {(kind.__name__, name) for kind in kinds_in(type(game.start())) for name in secret_fields(kind)}
    offered = [*game.offered(), *(kind for kind in game.corrections if game.unavailable_reason(kind) is None)]
    found |= {(kind.__name__, name) for kind in offered for name in secret_fields(kind)}
    kinds: list[Any] = [type(draw) for draw in game.draws]
    marked = (kind for kind in kinds if kind.secret or kind.secret_of is not Draw.secret_of)
    return found | {(kind.__name__, FALLS) for kind in marked}


def secret_fields(kind: Any) -> list[str]:
    return [part.name for part in parts_of(kind) if part.secret is not None]


def kinds_in(hint: Any) -> Iterator[type[Any]]:
    """Every kind of struct that a value of some type may have in it."""
    yield from _kinds_in(hint, set())


def _kinds_in(hint: Any, known: set[Any]) -> Iterator[type[Any]]:
    if isinstance(hint, type) and issubclass(hint, Struct) and hint not in known:
        known.add(hint)
        if not hint.__subclasses__():
            yield hint
        for part in get_type_hints(hint, include_extras=True).values():
            yield from _kinds_in(part, known)
        for kind in hint.__subclasses__():
            yield from _kinds_in(kind, known)
    for part in get_args(hint):
        yield from _kinds_in(part, known)


def marks_apart(game: Referee[Any, Any], state: Any, step: Step, other: Step, one: Any, two: Any) -> Iterator[Mark]:
    """The marks of what differs between two steps, and between the tables after them."""
    match step, other:
        case Dealt(), Dealt():
            draw = game._due(game.at(state))
            secret = draw.secret_of(game.at(state)) if draw is not None else None
            if secret is not None and as_shown(game, state, step, None) != step.outcome:
                yield type(draw).__name__, FALLS
        case Played(move=move), Played(move=another):
            yield from _apart(move, another)
        case Corrected(correction=mend), Corrected(correction=another):
            yield from _apart(mend, another)
    yield from _apart(one, two)


def _apart(one: Any, two: Any) -> Iterator[Mark]:
    """The marks of what differs between two things."""
    if isinstance(one, Struct) and type(one) is type(two):
        for part in parts_of(type(one)):
            mine, theirs = getattr(one, part.name), getattr(two, part.name)
            if mine != theirs and part.secret is not None:
                yield type(one).__name__, part.name
            if mine != theirs:
                yield from _apart(mine, theirs)
    elif isinstance(one, dict) and isinstance(two, dict):
        for key in one.keys() & two.keys():
            yield from _apart(one[key], two[key])
    elif isinstance(one, tuple) and isinstance(two, tuple):
        for mine, theirs in zip(one, two, strict=False):
            yield from _apart(mine, theirs)


# What is received of a table.


class Twins:
    """Two tables, press by press the same.

    :param blind: who must not be able to tell them apart.
    """

    FOLLOWED = 10

    def __init__(self, one: Table, other: Table, blind: Iterable[Eyes], of: object, luck: random.Random) -> None:
        self.one = one
        self.other = other
        self.blind = set(blind)
        self.luck = luck
        self.of = of
        self.presses = 0
        self._moved: Played | None = None
        self._screens: dict[tuple[int, Eyes], Tracked] = {}

    @classmethod
    def after(cls, table: Table, fork: Fork, luck: random.Random) -> Self:
        """The twins that begin with a fork."""
        one, other = twin_of(table), twin_of(table)
        pressed(one, fork.one)
        pressed(other, fork.other)
        return cls(one, other, fork.blind, fork, luck)

    def live(self) -> None:
        """Play them on, and compare all along."""
        self.compare(whole=True)
        for count in range(self.FOLLOWED):
            if not self.go_on():
                return
            self.compare(whole=count == self.FOLLOWED // 2)
        self.go_back()

    def go_back(self) -> None:
        """The host takes back what was done last: nobody can tell what it was."""
        if all(waits(each) and each.offer(HOST).open for each in (self.one, self.other)):
            for each in (self.one, self.other):
                each.take_back(HOST, each.seq, "back")
            self.compare(whole=False)

    def go_on(self) -> bool:
        """Make a press at both; False where the game is over, or the twins part."""
        step = self._same_step()
        if step is None:
            return False
        mine, theirs = step
        pressed(self.one, mine)
        pressed(self.other, theirs)
        self.presses += 1
        self._moved = mine if isinstance(mine, Played) else self._moved
        if isinstance(self.one.ask(), Finished):
            return False
        if not waits(self.one):
            return True
        game = referee(self.one)
        learnt = {
            eyes for eyes in self.blind if shown(game, self.one.state, eyes) != shown(game, self.other.state, eyes)
        }
        moved, self._moved = self._moved, None
        if moved is not None and moved.seat in learnt:
            assert not any(each.offer(Actor("seat", moved.seat)).open for each in (self.one, self.other)), (
                f"{moved} shows its seat what it did not know, and can be taken back"
            )
        self.blind -= learnt
        return bool(self.blind)

    def _same_step(self) -> tuple[Step, Step] | None:
        """What can be done at both, and looks the same to all who must not tell them apart."""
        game, ask = referee(self.one), self.one.ask()
        assert not waits(self.one) or self._asks_alike(), f"they are asked otherwise: {ask} and {self.other.ask()}"
        if isinstance(ask, Finished) or isinstance(self.other.ask(), Finished):
            return None
        for _ in range(TRIES):
            step = any_step(game, self.one.state, ask, self.luck)
            others = [step]
            if isinstance(step, Dealt) and step.outcome not in possible(self.other.ask()):
                others = [Dealt(each) for each in possible(self.other.ask())]
                self.luck.shuffle(others)
            for other in others:
                if after(game, self.other.state, other) is not None and self._looks_alike(step, other):
                    return step, other
        return None

    def _asks_alike(self) -> bool:
        """Whether the same is asked at both, as far as everybody sees; it need not be where everybody was shown."""
        return None not in self.blind or open_part(self.one.ask()) == open_part(self.other.ask())

    def _looks_alike(self, step: Step, other: Step) -> bool:
        game = referee(self.one)
        return step == other or all(
            as_shown(game, self.one.state, step, eyes) == as_shown(game, self.other.state, other, eyes)
            for eyes in self.blind
        )

    def compare(self, *, whole: bool) -> None:
        """Every byte is the same at both.

        :param whole: also what changes seldom, or is dear to make.
        """
        if not waits(self.one) or isinstance(self.one.ask(), Finished):  # then the scores tell
            return
        mine, theirs = (received(each, self.blind, whole=whole) for each in (self.one, self.other))
        for (what, here), (_, there) in zip(mine, theirs, strict=True):
            assert here == there, f"{what}: {first_difference(here, there)} after {self.of} and {self.presses} presses"
        for eyes in sorted(self.blind, key=str):
            here, there = (self._told_changes(each, eyes) for each in (self.one, self.other))
            assert here == there, f"{eyes} changes: {first_difference(here, there)} after {self.of}"
        if whole:
            self._mistakes()

    def _told_changes(self, table: Table, eyes: Eyes) -> bytes:
        """What a screen that asks for changes is told since the last comparison."""
        parts = view_in_parts(table, SPECTATOR if eyes is None else Actor("seat", eyes))
        screen = self._screens.get((id(table), eyes))
        if screen is None:
            screen = self._screens[id(table), eyes] = Tracked(table.seq, parts)
            return screen.since(None)
        return screen.goes_on(table.seq, parts) or b""

    def _mistakes(self) -> None:
        """Whoever does what cannot be done hears the same at both."""
        ask, game = self.one.ask(), referee(self.one)
        tries: list[Step] = []
        if isinstance(ask, Turn):
            for seat in sorted(seat for seat in ask.seats if seat in self.blind):
                listed = game.moves(self.one.state, seat).moves
                tries += [Played(seat, move) for move in misses(game.move_types, listed, self.luck, 8)]
        if None in self.blind and game.correction_types:
            words = sorted(strings(game.sees(self.one.state, None).board))
            made = (any_correction(game.correction_types, words, self.luck) for _ in range(8))
            tries += [Corrected(each) for each in made if each is not None]
        for step in tries:
            mine, theirs = (heard(each, step) for each in (self.one, self.other))
            assert mine == theirs, f"{step}: {mine} and {theirs}"


def heard(table: Table, step: Step) -> object:
    """What somebody hears who tries a step."""
    try:
        table.game.after(table.state, step)
    except Refusal as refusal:
        return refusal.plain(), str(refusal)
    return "done"


def possible(ask: object) -> list[Outcome]:
    return [each for each, weight in ask.odds if weight] if isinstance(ask, Chance) else []


def waits(table: Table) -> bool:
    """Whether a table waits for somebody, and anything is shown of it: it does not while it deals by itself."""
    ask = table.ask()
    return not isinstance(ask, Chance) or ask.pressed or table.setup.source(ask.randomizer) == "table"


def open_part(ask: Any) -> object:
    """What is shown to everybody of what comes next."""
    if isinstance(ask, Chance) and ask.hidden:
        return "hidden", ask.seat, ask.randomizer
    if isinstance(ask, Chance) and ask.veiled:
        return msgspec.structs.replace(ask, odds=tuple((outcome, 1) for outcome, _ in ask.odds))
    return ask


def received(table: Table, blind: Iterable[Eyes], *, whole: bool) -> Iterator[tuple[str, bytes]]:
    """All bytes that somebody receives of a table, and what is told of it elsewhere."""
    for eyes in sorted(blind, key=str):
        actor = SPECTATOR if eyes is None else Actor("seat", eyes)
        seen = view_in_json(table, actor)
        yield f"{eyes} view", seen
        yield f"{eyes} stream", view_event(table.seq, seen)
        yield f"{eyes} help", aids_in_json(table, eyes)
        yield f"{eyes} moves", msgspec.json.encode(table.moves(actor))
        handed = view_in_json(table, HOST, seat=eyes)
        yield f"{eyes} on the tablet", handed
        yield f"{eyes} is taught", msgspec.json.encode([lesson.id for lesson in lessons_due(table, eyes)])
        if whole:
            yield f"{eyes} can do", msgspec.json.encode(deeds(table, eyes, "en"))
        if eyes is not None and whole:
            yield f"{eyes} as a bot", chosen(table, eyes)
    if None in blind and whole:
        yield "corrections", msgspec.json.encode(table.game.correction_form(table.state))
        yield "luck", msgspec.json.encode(luck_told(table))
        yield "record", encode(export(table))
        yield "course", msgspec.json.encode(course(table, account_of(table)))
        seen_by_all = msgspec.json.decode(view_in_json(table))
        now = table_now(seen_by_all, table.game, account_of(table))
        yield "broker", table_state(now, calls=False)
        yield "broker's events", b"".join(event_told(now, each) for each in events_since(seen_by_all, 0))
        yield "metrics", b"".join(counted(table))
        yield "noted", msgspec.json.encode(table.game.noted(table.state, None))


def chosen(table: Table, seat: int) -> bytes:
    """What a bot in a seat would do, with what the game adds to the search and without it."""
    brought, ask = games.bundle(table.setup.box).refereed, table.ask()
    if table.setup.mode != "referee" or brought is None or not isinstance(ask, Turn) or seat not in ask.seats:
        return b""
    insights = (insight_of(brought()), NO_INSIGHT)
    choices = [think(table.game, each, table.state, seat, simulations=COURSES, seed=table.seq) for each in insights]
    return repr(choices).encode()


def counted(table: Table) -> Iterator[bytes]:
    """What the metrics count of a table's entries; the rest of them are times and the machine."""
    metrics = Metrics(_never)
    if table.seq:
        metrics.stepped(table, table.written)
    for sample in (each for counter in metrics._entries.collect() for each in counter.samples):
        if sample.name.endswith("_total"):
            yield repr(sample[:3]).encode()


def _never() -> Now:
    raise AssertionError("nobody asks how things are")


def first_difference(here: bytes, there: bytes) -> str:
    at = next((n for n, (one, other) in enumerate(zip(here, there, strict=False)) if one != other), 0)
    return f"…{here[max(0, at - 120) : at + 60]!r} and …{there[max(0, at - 120) : at + 60]!r}"


class Place(NamedTuple):
    """Where a mark was tried: the table, and the fork."""

    table: Table
    fork: Fork


# Lives of games, in which twins begin again and again.


class Life:
    """A game at random, in which twins begin wherever a mark was seldom tried.

    :param tried: how often each mark has been tried.
    """

    def __init__(self, way: Way, seed: int, source: Source, tried: Counter[Mark], state: State | None = None) -> None:
        self.table = stepwise(way, state, default=source)
        self.places: dict[Mark, Place] = {}
        self.luck = random.Random(f"{way} {seed} {source}")
        self.tried = tried
        self.made: Counter[object] = Counter()
        self.corrects = 0.06 if seed % 2 else 0.3

    def live(self, steps: int, enough: int = 2, first: Step | None = None) -> None:
        """Play so many steps; each mark that was not tried `enough` times is tried where it can be."""
        for _ in range(steps):
            ask = self.table.ask()
            if isinstance(ask, Finished):
                return
            step = first or self._step(ask)
            first = None
            kind = type(step.move) if isinstance(step, Played) else type(step)
            marked = isinstance(step, Dealt) or any(part.secret is not None for part in parts_of(kind))
            if marked or self.luck.random() < 0.15:
                self._fork(step, enough)
            pressed(self.table, step)

    def _step(self, ask: Turn | Chance) -> Step:
        """Something that can be done, the rarer the likelier; now and then a correction."""
        game, state, luck = referee(self.table), self.table.state, self.luck
        if waits(self.table) and luck.random() < self.corrects and game.correction_types:
            offers = offered(game, state, luck.choice(game.correction_types))
            for correction in luck.sample(offers, min(3, len(offers))):
                if after(game, state, Corrected(correction)) is not None:
                    return Corrected(correction)
        if isinstance(ask, Turn):
            seat = luck.choice(ask.seats)
            moves = game.moves(state, seat).moves
            kinds = sorted(dict.fromkeys(map(type, moves)), key=lambda kind: self.made[kind] + luck.random() * 6)
            self.made[kinds[0]] += 1
            return Played(seat, luck.choice([move for move in moves if type(move) is kinds[0]]))
        besides = game.off_list_outcomes(state)
        if besides and luck.random() < 0.2:
            return Dealt(luck.choice(besides))
        return any_step(game, state, ask, luck)

    def _fork(self, step: Step, enough: int) -> None:
        """Begin twins with a step, where there can be any, and play them on."""
        for fork in forks(self.table, step, self.luck):
            if all(self.tried[mark] >= enough for mark in fork.marks):
                continue
            self.tried.update(fork.marks)
            Twins.after(self.table, fork, self.luck).live()
            for mark in fork.marks:
                self.places.setdefault(mark, Place(twin_of(self.table), fork))
            return
