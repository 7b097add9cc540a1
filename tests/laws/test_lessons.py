"""Lessons: every rule that somebody decides by has one, each is told in time and only where it applies."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from companion import games
from companion.game import ALONE, ARRANGED, TEACH, AnyGame, Chance, Finished, Move, Played, Seat, Setup, State, Turn
from companion.lessons import REASONS, Lesson, SeenLine, TeachingCourse, due, line_of, moment_of
from companion.parts import Act
from companion.play.hall import Hall
from companion.play.proof import verify
from companion.play.record import decode, draws_of, encode, export
from companion.play.table import HOST, Table
from companion.play.teaching import deeds, lesson_told
from companion.referee import Referee
from companion.trials import Bot
from companion.words import LANGUAGES, known, sentences
from tests.attack import stranger
from tests.laws.play import GAMES, NAMES, Presser, Way, at_random

TAUGHT = [name for name, mode in GAMES if games.course_of(name, mode)]


def values_of(name: str) -> tuple[bool | int | str, ...]:
    """How a game can be taught."""
    options = games.kind(games.box(name), "referee").options
    return next(option.values for option in options if option.name == TEACH)


ARRANGING = [name for name in TAUGHT if ARRANGED in values_of(name)]
SCREENS = Path(__file__).parents[2] / "web_ui" / "static"
GAMES_PLAYED = 20
RULE = re.compile(r"\.rules\.\w+\.([A-Z]{3}-\d\d)$")
NO_MORE = r"(?![\w-])"
SENTENCE = re.compile(r"[.!?](?:\s|$)")
LONGEST = 240
"""Characters of a lesson: two sentences that are read while others wait."""
GIVES_UP = ({"type": "retire"}, {"type": "pass"}, {"type": "step", "to": "outside"})


def course_of(name: str) -> TeachingCourse:
    course = games.course_of(name, "referee")
    assert course is not None
    return course


@pytest.mark.parametrize("name", TAUGHT)
def test_every_rule_has_a_lesson_or_a_reason_why_it_needs_none(name: str) -> None:
    course = course_of(name)
    ledger = {found[1] for key in sentences("en", name) if (found := RULE.search(key))}
    taught = {rule for lesson in course.lessons for rule in lesson.rules}
    assert taught | set(course.untaught) == ledger
    assert not taught & set(course.untaught)
    assert set(course.untaught.values()) <= set(REASONS)


@pytest.mark.parametrize("name", TAUGHT)
def test_a_lesson_is_two_sentences_and_a_reason_in_each_language(name: str) -> None:
    course, refereed = course_of(name), games.bundle(name).refereed
    assert refereed is not None
    keys = {f"lesson.{lesson.id}.{part}" for lesson in course.lessons for part in ("said", "why")}
    keys |= {f"setting_up.{step.id}" for step in course.setting_up} | {f"place.{place}" for place in course.plan}
    keys |= {f"exercise.{each.id}.{part}" for each in course.exercises for part in ("said", "why")}
    keys |= {f"now.{kind.__struct_config__.tag}" for kind in refereed().rules.acts}
    for language in LANGUAGES:
        said = {key.removeprefix(f"{name}.") for key in sentences(language, name)}
        areas = {"lesson", "setting_up", "place", "exercise", "now"}
        assert {key for key in said if key.split(".")[0] in areas} - {"now.price"} == keys, language
        for lesson in course.lessons:
            told = lesson_told(name, "referee", lesson, language)
            assert len(SENTENCE.findall(told.said)) <= 2, f"{language} {told.id}"
            assert len(told.said) <= LONGEST, f"{language} {told.id}"
            assert told.rule_said
    for step in course.setting_up:
        assert set(step.places) <= set(course.plan)


@pytest.mark.parametrize("name", [name for name in TAUGHT if name in games.REGISTER])
def test_what_a_lesson_lights_is_on_the_board(name: str) -> None:
    text = scripts(name)
    for lesson in course_of(name).lessons:
        assert re.search(rf"(?<![\w-]){lesson.lights}(?![\w-])", text), f"{lesson.id} lights {lesson.lights}"
    for place in course_of(name).plan:
        drawing = (SCREENS / "boards" / name / "set_up.js").read_text("utf-8")
        assert re.search(rf"^  {place}: ", drawing, re.MULTILINE), f"nothing is drawn on the plan for {place}"
    said = re.findall(r'has\("(\w+)"\)', drawing)
    assert set(said) <= {step.id for step in course_of(name).setting_up}


@cache
def scripts(name: str) -> str:
    """All scripts that draw the board of a game."""
    found = (*(SCREENS / "boards" / name).glob("*.js"), *SCREENS.glob("pieces/*.js"), *SCREENS.glob("chrome/*.js"))
    return "\n".join(script.read_text("utf-8") for script in found)


class Telling(NamedTuple):
    """A lesson as a device told it: at which of the moves of a game."""

    reader: int | None
    lesson: str
    move: int


def any_kind(game: AnyGame, state: State, seat: int, luck: random.Random) -> Move:
    """A move of any kind; giving up is not one of them, where there is anything else."""
    moves = game.moves(state, seat).moves
    going_on = [move for move in moves if msgspec.to_builtins(move) not in GIVES_UP] or list(moves)
    kind = luck.choice(sorted({type(move) for move in going_on}, key=str))
    return luck.choice([move for move in going_on if type(move) is kind])


class Device:
    """A device as a page tells lessons on it: one at a move, and a second only if its moment passes."""

    def __init__(self, course: TeachingCourse) -> None:
        self.rest, self.told, self.last, self.here = course.rest, set[str](), -course.rest, 0

    def tells(self, due_now: list[Lesson], move: int) -> Iterator[Lesson]:
        self.here = self.here if move == self.last else 0
        for lesson in due_now:
            if self.here < 2 if lesson.now else not self.here and move - self.last >= self.rest:
                self.here, self.last = self.here + 1, move
                self.told.add(lesson.id)
                yield lesson


class Lived(NamedTuple):
    """A game with a screen for all and a device for each seat.

    :param told: what was told, when.
    :param untold: moves that a seat made, and dice for actions that fell, before its device had told of them.
    :param late: cards that a seat took, and whether its device had told of them by its next turn.
    """

    moves: int
    told: list[Telling]
    untold: list[str]
    late: list[tuple[str, bool]]


CARD_TAKEN: dict[str, Callable[[Any, Any], str]] = {
    "jenseits": lambda terms, card: str(terms.counting[card][0]),
    "tomb_raiders": lambda terms, card: str(terms.cards[card].kind),
}
TOLD_BY = {"tomb_raiders": "raiders", "general": "general_knowledge", "general_excavation": "for_any"}
"""The lessons about kinds of cards that have another name."""


def taught_in(way: Way, seed: int) -> Lived:
    """A game at random, and what was told when."""
    game, course = way.game(), course_of(way.box)
    readers = (None, *range(way.seats))
    lines: dict[int | None, list[SeenLine]] = {reader: [] for reader in readers}
    devices = {reader: Device(course) for reader in readers}
    lived, taken = Lived(0, [], [], []), dict[int, str]()
    moves = 0
    for moment in at_random(game, random.Random(seed), 3_000, any_kind):
        if isinstance(moment.ask, Turn):
            for reader, device in devices.items():
                now = due(course, moment_of(game, moment.before, reader, lines[reader]), device.told)
                check_applies(game, moment.before, moment.ask, reader, now)
                lived.told.extend(Telling(reader, lesson.id, moves) for lesson in device.tells(now, moves))
        if isinstance(moment.step, Played):
            player, move = moment.step.seat, moment.step.move
            known_here = devices[player].told
            lived.untold.extend(each.id for each in course.lessons if is_untold(each, move, known_here))
            if kind := taken.pop(player, None):
                lived.late.append((kind, kind not in known_here))
            if kind := card_lesson(way.box, game, move):
                taken[player] = kind
            moves += 1
        elif getattr(moment.ask, "randomizer", "") == "action_dice":
            lived.untold.extend("dice" for device in devices.values() if "dice" not in device.told)
        whose = moment.step.seat if isinstance(moment.step, Played) else getattr(moment.ask, "seat", None)
        for reader in readers:
            lines[reader].append(line_of(game, moment.before, moment.step, reader, whose))
    return lived._replace(moves=moves)


@pytest.mark.parametrize("name", TAUGHT)
def test_a_screen_for_all_asks_nobody_while_only_bots_are_asked(name: str) -> None:
    game, course = Way(name, "referee", 2).game(), course_of(name)
    steps = at_random(game, random.Random(name), 200, any_kind)
    before = next(each.before for each in steps if isinstance(each.ask, Turn))
    with_people, with_bots = (moment_of(game, before, None, (), bots) for bots in ((), range(2)))
    assert with_people
    assert with_people.asked
    assert with_bots
    assert not with_bots.asked
    assert all(lesson.anytime or lesson.line for lesson in due(course, with_bots))
    assert len(due(course, with_bots)) < len(due(course, with_people))


def is_untold(lesson: Lesson, move: Move, told: set[str]) -> bool:
    """Whether a lesson that cannot wait is about such a move, and was not told."""
    return lesson.now and lesson.act is not None and isinstance(move, lesson.act) and lesson.id not in told


def card_lesson(box: str, game: Any, move: Any) -> str | None:
    """The lesson about the kind of card that somebody takes."""
    if box not in CARD_TAKEN or type(move).__name__ != "Take":
        return None
    kind = CARD_TAKEN[box](game.terms, move.card)
    lesson = TOLD_BY.get(kind, kind) if box == "tomb_raiders" else kind
    return lesson if any(each.id == lesson for each in course_of(box).lessons) else None


def check_applies(game: AnyGame, state: State, ask: Turn, reader: int | None, now: list[Any]) -> None:
    """Nothing is told about a move that nobody may make, or to somebody whom it does not concern."""
    seat = ask.seats[0] if reader is None else reader
    acts = [lesson.act for lesson in now if lesson.act is not None]
    listed = {type(move) for move in game.moves(state, seat).moves} if acts and seat in ask.seats else set()
    for lesson in now:
        assert lesson.act is None or lesson.act in listed, f"{lesson.id} is told to {reader}, who may not do it"
        assert lesson.anytime or lesson.line or seat in ask.seats, f"{lesson.id} is told to {reader} out of turn"


@cache
def games_of(name: str) -> list[Lived]:
    seats = games.box(name).seats
    every = range(seats.min, seats.max + 1)
    return [taught_in(Way(name, "referee", every[seed % len(every)]), seed) for seed in range(GAMES_PLAYED)]


@pytest.mark.parametrize("name", TAUGHT)
def test_what_there_is_to_learn_is_told_in_the_first_half_of_a_game(name: str) -> None:
    wanted = {lesson.id for lesson in course_of(name).lessons if not lesson.seldom}
    late = [
        missing
        for lived in games_of(name)
        if (missing := wanted - {each.lesson for each in lived.told if each.move <= lived.moves / 2})
    ]
    assert len(late) <= GAMES_PLAYED // 20, late
    assert any(lived.told for lived in games_of(name))


@pytest.mark.parametrize("name", TAUGHT)
def test_a_rule_is_told_before_whoever_needs_it_does_what_it_is_about(name: str) -> None:
    """What cannot wait is told before the move, or the roll; a kind of card at the latest in the turn after the one in
    which somebody has taken one."""
    assert [lived.untold for lived in games_of(name) if lived.untold] == []
    cards = [late for lived in games_of(name) for _, late in lived.late]
    assert sum(cards) <= len(cards) / 50, [each for lived in games_of(name) for each in lived.late if each[1]]
    assert bool(cards) == (name in CARD_TAKEN)


@pytest.mark.parametrize("name", TAUGHT)
def test_a_screen_is_quiet_once_it_has_told_what_there_is(name: str) -> None:
    for lived in games_of(name):
        for_all = [each for each in lived.told if each.reader is None]
        assert len({each.lesson for each in for_all}) == len(for_all)
        wanted = {lesson.id for lesson in course_of(name).lessons if not lesson.seldom}
        late = [each for each in for_all if each.move > lived.moves / 2 and each.lesson in wanted]
        assert len(late) <= 3


# Draws that are arranged to show what there is.


def at_a_lesson(name: str, seats: int, where: Path) -> Table:
    setup = Setup(name, "referee", tuple(map(Seat, NAMES[:seats])), options={TEACH: ARRANGED})
    return Hall(where).lay(setup, secret=bytes(range(32)))


@pytest.mark.parametrize("name", ARRANGING)
def test_arranged_luck_is_on_the_seal_and_recomputed_by_everybody(name: str, tmp_path: Path) -> None:
    table = at_a_lesson(name, games.box(name).seats.max, tmp_path)
    presser = Presser(table, random.Random(name))
    list(presser.go_on(600))
    if not table.over():
        table.end(HOST, table.seq, presser.fresh())
    record = export(table)
    assert record.laid.setup.options[TEACH] == ARRANGED
    proof = verify(decode(encode(record)))
    assert proof.holds
    assert proof.arranged
    draws = json.loads(msgspec.json.encode({"draws": list(draws_of(table))}))
    assert stranger.verify(json.loads(encode(record)), draws) == proof.draws


@pytest.mark.parametrize("name", ARRANGING)
def test_luck_is_luck_after_what_was_to_be_seen(name: str) -> None:
    """Arranged draws can fall by themselves, too; they are few, and the same state is always asked the same."""
    arranged = Way(name, "referee", games.box(name).seats.max, ((TEACH, ARRANGED),)).game()
    plain = Way(name, "referee", games.box(name).seats.max).game()
    share = []
    for seed in range(4):
        for moment in at_random(arranged, random.Random(seed), 1_500, any_kind):
            ask = moment.ask
            if not isinstance(ask, Chance):
                continue
            open_, usual = dict(ask.odds), dict(plain.ask(moment.before).odds)  # type: ignore[union-attr]
            assert all(weight in (0, usual[outcome]) for outcome, weight in open_.items())
            share.append(open_ != usual)
    assert any(share)
    assert sum(share) < len(share) / 10


def led(name: str, done: list[str], bot: Bot) -> Bot:
    """Whoever sits first makes the moves that they are led to, and notes which; the others and all else are a bot's."""

    def choose(game: AnyGame, state: State, seat: int, luck: random.Random) -> Move:
        moment, left = moment_of(game, state, seat), course_of(name).exercises[len(done) :]
        move = left[0].move(moment) if moment and left and seat == 0 else None
        if move is None:
            return bot(game, state, seat, luck)
        assert msgspec.to_builtins(move) in map(msgspec.to_builtins, game.moves(state, seat).moves)
        done.append(left[0].id)
        assert all(is_drawn(name, light) for light in left[0].way(moment))
        return move

    return choose


def is_drawn(name: str, light: str) -> bool:
    """Whether the board gives one of its parts such a name, or makes one that begins so."""
    begins, colon, _ = light.partition(":")
    return re.search(rf"(?<![\w-]){begins}{colon or NO_MORE}", scripts(name)) is not None


@pytest.mark.parametrize("name", [name for name in TAUGHT if ALONE in values_of(name)])
def test_a_small_game_is_led_at_first_and_over_soon_and_somebody_has_won_it(name: str) -> None:
    refereed, course = games.bundle(name).refereed, course_of(name)
    assert refereed is not None
    bot = list(refereed().bots.values())[-1]
    for seed in range(3):
        game, done = Way(name, "referee", 3, ((TEACH, ALONE),)).game(), list[str]()
        steps = list(at_random(game, random.Random(seed), 2_000, led(name, done, bot)))
        own = [each.step.seat == 0 for each in steps if isinstance(each.step, Played)]
        assert own[0]
        assert done == [each.id for each in course.exercises]
        assert sum(own) <= 25
        end = game.ask(steps[-1].after)
        assert isinstance(end, Finished)
        assert end.winners


# What can be done now.


def turns(way: Way, seed: int) -> Iterator[Table]:
    table = way.table()
    presser = Presser(table, random.Random(seed))
    for _ in presser.go_on(60):
        if isinstance(table.ask(), Turn):
            yield table


@pytest.mark.parametrize("name", TAUGHT)
def test_what_can_be_done_is_what_is_legal_and_all_else_says_why_not(name: str) -> None:
    for table in turns(Way(name, "referee", games.box(name).seats.min), 5):
        ask = table.ask()
        assert isinstance(ask, Turn)
        seat = ask.seats[0]
        legal = {msgspec.to_builtins(move)["type"] for move in table.game.moves(table.state, seat).moves}
        told = deeds(table, seat, "de")
        assert {each.type for each in told if each.ways} == legal
        assert [each.type for each in told] == [each.type for each in told if each.ways] + [
            each.type for each in told if not each.ways
        ]
        assert all(not known("de", each.message) for deed in told for each in deed.barred)


HELD: dict[str, Callable[[Any, int], int | None]] = {
    "horus": lambda state, seat: state.adventurers[seat].actions if state.adventurers[seat].fate == "inside" else None,
    "jenseits": lambda state, seat: -state.track.at(seat),
    "tomb_raiders": lambda state, seat: -state.track.at(seat),
    "tutankhamun": lambda state, seat: state.purses[seat] if state.playing[seat] else None,
}
"""What a seat has left of that in which a game is paid; None where it is out of the game."""


@pytest.mark.parametrize("name", HELD)
def test_what_a_move_is_said_to_cost_is_what_is_paid(name: str) -> None:
    game, left, costs = Way(name, "referee", games.box(name).seats.min).game(), HELD[name], set[int | None]()
    assert isinstance(game, Referee)
    played = (moment for seed in range(4) for moment in at_random(game, random.Random(seed), 200))
    for before, seat in ((each.before, each.step.seat) for each in played if isinstance(each.step, Played)):
        had = left(before, seat)
        for move in game.moves(before, seat).moves[:12]:
            assert isinstance(move, Act)
            has = left(game.after(before, Played(seat, move)), seat)
            if had is None or has is None:
                continue
            cost = move.price(game.at(before, seat))
            assert (cost or 0) == max(0, had - has), move
            costs.add(cost)
    assert len(costs) > 1
