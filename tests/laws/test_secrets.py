"""Secrets by construction: whoever may not see what a mark hides sees no difference, and without the mark they do."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from companion import games, secrecy
from companion.game import Step
from companion.play.evenings import evenings
from companion.play.hall import Hall
from companion.referee import Referee
from companion.secrecy import SecretPart
from hardware.face import NoRig
from tests.games.horus.test_secrets import test_in_total_secrecy_a_cure_names_no_wound
from tests.games.tutankhamun.test_secrets import (
    test_a_correction_tells_of_no_card_either,
    test_what_has_left_the_tray_is_not_listed,
)
from tests.laws import twins
from tests.laws.play import KEYS, SECRET, THOROUGH, WAYS, Way
from tests.laws.scenes import Scene, scenes
from tests.laws.twins import FALLS, Life, Mark, Place, Twins, fork_between, marks_of, referee, some_eyes, stepwise
from tests.web.conftest import UNCOUNTED
from tests.web.people import Asker
from web_ui.app import create_app

STEPS = 60 * THOROUGH
MOST_LIVES = 12
HELD_BY_EXAMPLES: dict[Mark, Callable[[], None]] = {
    ("CardBelow", FALLS): test_what_has_left_the_tray_is_not_listed,
    ("SetCard", "card"): test_a_correction_tells_of_no_card_either,
    ("Use", "wound"): test_in_total_secrecy_a_cure_names_no_wound,
}
"""What all see as it happens, and nobody is told later; and a wound of which the back tells as much: no twins begin."""
MOVES: tuple[Mark, ...] = (("Lay", "cards"), ("Ready", "discard"), ("Pack", "card"))
"""Hidden moves, to try leaks of."""

VARIANTS = {"tray", "cards", "total_secrecy"}
"""The options by which something else is secret."""

Found = dict[Mark, Place | Scene]


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_twins_that_differ_in_a_secret_alone_are_one_table_to_all_others(way: Way) -> None:
    tried: Counter[Mark] = Counter()
    for source in ("companion", "table"):
        Life(way, 0, source, tried).live(STEPS)
    assert tried.keys() <= marks_of(referee(way.table()))


@cache
def every_mark() -> set[Mark]:
    return {mark for way in WAYS for mark in marks_of(referee(way.table()))}


@cache
def found() -> Found:
    """Where each mark was tried: in scenes, and in games at random until there is a place for each."""
    places: Found = {}
    tried: Counter[Mark] = Counter()
    for number, scene in enumerate(scenes()):
        if scene.other is None:
            for seed in range(2):
                life = Life(scene.way, 2 * seed + number % 2, scene.source, tried, scene.state)
                life.live(12, first=scene.step)
                places = {**life.places, **places}
        else:
            lived(scene)
            game = referee(stepwise(scene.way, default=scene.source))
            apart = set(twins._apart(scene.state, scene.other)) & marks_of(game)
            places = {**dict.fromkeys(apart, scene), **places}
    few = (
        way._replace(seats=games.box(way.box).seats.min)
        for way in WAYS
        if not way.options or VARIANTS & dict(way.options).keys()
    )
    ways = list(dict.fromkeys(few))
    for seed in range(MOST_LIVES):
        for way in ways:
            missing = marks_of(referee(way.table())) - places.keys() - HELD_BY_EXAMPLES.keys()
            for source in ("companion", "table") if missing else ():
                life = Life(way, seed, source, tried)
                life.live(STEPS)
                places = {**life.places, **places}
        if every_mark() <= places.keys() | HELD_BY_EXAMPLES.keys():
            break
    return places


def lived(scene: Scene) -> None:
    """The law at a pair of states."""
    tables = [stepwise(scene.way, state, default=scene.source) for state in (scene.state, scene.other)]
    blind = [eyes for eyes in twins.eyes_of(tables[0]) if eyes is None or eyes != scene.seat]
    for eyes in blind:
        one, other = (twins.shown(referee(table), table.state, eyes) for table in tables)
        assert one == other, f"{eyes} sees the two apart"
    Twins(tables[0], tables[1], blind, scene.way, random.Random(1)).live()


def held_at(place: Place | Scene) -> None:
    """The law where a mark was tried."""
    if isinstance(place, Scene):
        lived(place)
        return
    table, fork = place
    luck = random.Random(2)
    eyes = {*fork.blind, *some_eyes(table, fork.one, luck)}
    for again in fork_between(table, fork.one, fork.other, sorted(eyes, key=str)):
        Twins.after(table, again, luck).live()


def test_every_mark_of_every_game_is_tried() -> None:
    assert every_mark() - found().keys() == HELD_BY_EXAMPLES.keys()


def test_no_mark_can_be_taken_away_unnoticed(monkeypatch: pytest.MonkeyPatch) -> None:
    unnoticed = []
    held: dict[Mark, Callable[[], None]] = {mark: partial(held_at, place) for mark, place in found().items()}
    for mark, hold in (held | HELD_BY_EXAMPLES).items():
        hold()
        with monkeypatch.context() as patch:
            take_away(mark, patch)
            try:
                hold()
            except AssertionError:
                continue
            unnoticed.append(mark)
    assert unnoticed == []


def take_away(mark: Mark, patch: pytest.MonkeyPatch) -> None:
    """A field, or what falls in a draw, is everybody's from now on."""
    kind, name = mark
    if name == FALLS:
        draws = {type(draw) for way in WAYS for draw in referee(way.table()).draws}
        patch.setattr(next(each for each in draws if each.__name__ == kind), "secret_of", lambda self, here: None)
        return
    parts_of = secrecy.parts_of

    def without(of: Any) -> tuple[SecretPart, ...]:
        parts = parts_of(of)
        if of.__name__ != kind:
            return parts
        return tuple(part._replace(secret=None) if part.name == name else part for part in parts)

    patch.setattr(secrecy, "parts_of", without)
    patch.setattr(twins, "parts_of", without)
    patch.setattr(Referee, "as_seen", lambda self, state, viewer, seat=0: self.at(state, seat).as_seen_by(viewer))
    patch.setattr(Referee, "_secrets_of", lambda self, state: tuple(secrecy.secrets_in(state, self.at(state))))


def test_a_hall_and_its_service_answer_alike(tmp_path: Path) -> None:
    """Whole answers, with their headers: nothing on the way tells by a size or a mark either."""
    forks = {type(place.table.game): place for place in found().values() if isinstance(place, Place)}
    tried = 0
    for kind, (before, fork) in forks.items():
        if before._positions[0].state != before.game.start():  # a scene is in no journal
            continue
        answers = []
        for number, step in enumerate((fork.one, fork.other)):
            table = twins.twin_of(before)
            twins.pressed(table, step)
            hall = Hall(tmp_path / kind.__name__ / str(number))
            hall.journal.lay(table.laid, SECRET, KEYS, table.written)
            answers.append([*answered(hall, table.laid.table, fork.blind), hall.tables(), evenings(hall)])
            hall.close()
        for one, other in zip(*answers, strict=True):
            assert repr(one) == repr(other), fork
        tried += 1
    assert tried or not forks


def answered(hall: Hall, table: str, blind: frozenset[int | None]) -> list[object]:
    """What a service answers to all who ask it for a table."""
    app = create_app(hall, NoRig(), settings=UNCOUNTED)
    answers: list[object] = []
    for eyes in sorted(blind, key=str):
        asker = Asker(app, {"table": table, "seats": KEYS.seats}, None if eyes is None else KEYS.seats[eyes])
        for path in (
            "",
            "/aids",
            "/lessons",
            "/possible",
            "/setting-up",
            "/moves",
            "/record",
            "/luck",
            "/course",
            "/story",
            "/draws",
            "/otherwise",
        ):
            told = asker.get(path)
            assert told.status_code == 200 or path not in ("", "/record"), told.text
            headers = [each for each in told.headers if each[0] != "Date"]
            answers.append((eyes, path, told.status_code, headers, told.data))
    app.extensions["digside"].close()
    return answers


@pytest.mark.parametrize("leak", ["board", "log", "help", "record"])
@pytest.mark.parametrize("mark", MOVES, ids=str)
def test_a_leak_of_a_hidden_move_is_noticed(mark: Mark, leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    place = found()[mark]
    assert isinstance(place, Place)
    kind = type(place.table.game)
    plant = dict(planted(kind))[leak]
    monkeypatch.setattr(kind, *plant)
    with pytest.raises(AssertionError):
        held_at(place)


def planted(kind: Any) -> Iterator[tuple[str, tuple[str, Any]]]:
    """Leaks by their names: what of a game is replaced, and by what."""
    public_board, tells, aids = kind.public_board, kind.tells, kind.aids

    def board(self: Any, state: Any, *, settled: bool = True) -> Any:
        return public_board(self, state, settled=settled) | {"leak": repr(state)}

    def log(self: Any, before: Any, step: Step, seat: int | None) -> Any:
        return tells(self, before, step, seat) | {"leak": repr(step)}

    def help_(self: Any, state: Any, seat: int | None) -> Any:
        return aids(self, state, seat) | {"leak": repr(state)}

    yield "board", ("public_board", board)
    yield "log", ("tells", log)
    yield "help", ("aids", help_)
    yield "record", ("hides", lambda self, before, step: False)
