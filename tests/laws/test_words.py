"""Every sentence is said somewhere: no key lies idle, neither among those that all share nor in a game."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

import companion
from companion import games
from companion.account import never_idle
from companion.boxes.shapes import named_fields, shape_of, words_in
from companion.drawing.paper import Paper
from companion.game import Chance, Corrected, Json, Turn, scope_of
from companion.pieces.box_differences import ANOTHER
from companion.play.hosting import By
from companion.refusals import Refusal
from companion.terminal.board import board_lines, held
from companion.words import catalogue, sentences, shelved
from tests.laws.near import any_correction, strings
from tests.laws.play import CHECKED, WAYS, Way, at_random

pytestmark = pytest.mark.slow

ROOT = Path(companion.__file__).parents[1]
CODE = [
    *(file for part in ("companion", "hardware", "web_ui") for file in (ROOT / part).rglob("*.py")),
    *(file for name in games.names() if name not in games.REGISTER for file in games.folder(name).rglob("*.py")),
]
SCRIPTS = [
    *(file for file in (ROOT / "web_ui" / "static").rglob("*.js") if "vendor" not in file.parts),
    *(file for board in games.boards().values() for file in board.rglob("*.js")),
]
BOARDS = ROOT / "web_ui" / "static" / "boards"
QUOTED = re.compile(r"""["'`]([\w:.-]+)["'`]""")
WITH_HOLES = re.compile(r"""["'`]((?:[\w.:-]*\$?\{[^{}]+\})+[\w.:-]*)["'`]""")
HOLE = re.compile(r"(?:\\\$)?\\\{.*?\\\}")
NAMED = re.compile(r"""\bname\("(\w+)"\)|\["#\w{6}", "(\w+)"\]""")
BY_WHOM = {
    "log": ("play/view.py", "parts.py", "referee.py", "printed.py", "pieces/box_differences.py"),
    "bots": ("terminal/trials.py",),
    "doctor": ("terminal/doctor.py",),
}
"""Areas whose keys are put together in one place, from words that stand there."""


def read(files: list[Path]) -> str:
    return "\n".join(file.read_text("utf-8") for file in files)


CODE_TEXT, SCRIPTS_TEXT = read(CODE), read(SCRIPTS)


@cache
def quoted(text: str) -> frozenset[str]:
    """Everything that stands between quotation marks, as it is."""
    return frozenset(QUOTED.findall(text))


@cache
def shapes(text: str) -> tuple[re.Pattern[str], ...]:
    """What stands between quotation marks with holes in it that are filled later."""
    found = {each for each in WITH_HOLES.findall(text) if re.search(r"[a-z]", re.sub(r"\$?\{[^{}]+\}", "", each))}
    return tuple(re.compile(HOLE.sub(r"[\\w:-]+", re.escape(each)) + "$") for each in sorted(found))


def stands_in(text: str, word: str) -> bool:
    """Whether a word stands there, or can be put together there."""
    return word in quoted(text) or any(shape.match(word) for shape in shapes(text))


def keys_in(text: str, key: str) -> bool:
    """Whether a whole key stands there; one that is put together begins with its area and one part more."""
    near = key.rpartition(".")[0] if key.count(".") > 1 else key
    fits = [shape for shape in shapes(text) if shape.pattern.startswith(re.escape(near.split(".")[0] + "."))]
    return key in quoted(text) or any(shape.match(key) for shape in fits)


@cache
def folder_of(scope: str) -> str:
    """The code of a game and the scripts of its board."""
    scripts = [file for file in SCRIPTS if file.name.startswith(f"{scope}.") or BOARDS / scope in file.parents]
    return read([*games.folder(scope).glob("*.py"), *scripts])


class Ear(Paper):
    """Paper that remembers whose name was asked for."""

    def __init__(self, way: Way) -> None:
        super().__init__("en", [seat.name for seat in way.setup().seats], 100, scope_of(way.box, way.mode))
        self.heard: set[str] = set()

    def said(self, thing: Json) -> str:
        self.heard.add(str(thing))
        return super().said(thing)


@cache
def values(way: Way) -> frozenset[str]:
    """The words that are told at a table: of its pieces, its draws, its log, and what can be put right."""
    game, luck, ear = way.game(), random.Random(str(way)), Ear(way)
    found = {*games.kind(games.box(way.box), way.mode).randomizers}
    for count, moment in enumerate(at_random(game, luck, 400)):
        board = game.sees(moment.after, None).board
        list(board_lines(ear, board, ear.scope[-1]))
        if count % 3 == 0:  # the next hand is nearly the same
            list(held(ear, game.sees(moment.after, 0).you or {}, ear.scope[-1]))
        found |= set(told(board)) | set(told(game.tells(moment.before, moment.step, None)))
        found |= set(told(game.follows(moment.before, moment.step)))
        if isinstance(moment.ask, Chance):
            found |= {str(outcome) for outcome, _ in moment.ask.odds} | set(told(moment.ask.facts))
        if isinstance(moment.ask, Turn):
            found |= set(told(game.aids(moment.before, moment.ask.seats[0])))
        found |= put_right(way, game, moment.before, luck)
    found |= {kind for part in games.box(way.box).loose.values() for kind in part.kinds}  # as another copy may have it
    can = game.correction_form(game.start())
    found |= {name for names in can.names.values() for name in names} | set(told(msgspec.to_builtins(can.tables)))
    return frozenset(found | ear.heard | {ANOTHER})


def put_right(way: Way, game: Any, state: Any, luck: random.Random) -> set[str]:
    """The words of a correction that can be made now."""
    correction = any_correction(game.correction_types, sorted(strings(game.sees(state, None).board)), luck)
    if correction is None:
        return set()
    try:
        game.after(state, Corrected(correction))
    except Refusal:
        return set()
    return set(told(game.tells(state, Corrected(correction), None)))


def told(value: Any) -> Iterator[str]:
    """The words in a value, and the parts of one that is named by its parts; what its parts are called is not told."""
    if isinstance(value, str):
        yield value
        yield from re.split("[-:]", value)
    elif isinstance(value, dict):
        for part in value.values():
            yield from told(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from told(part)


def ways(scope: str) -> list[Way]:
    """The tables at which a scope's names are said."""
    return [way for way in WAYS if not scope or scope in scope_of(way.box, way.mode)]


@cache
def things(scope: str) -> frozenset[str]:
    """Whatever may be called by its name in a scope."""
    written = {word for each in NAMED.findall(SCRIPTS_TEXT) for word in each if word}
    return frozenset(written.union(*(values(way) for way in ways(scope)), get_args(By), {"companion", "table"}))


def declared(scope: str) -> dict[str, set[str]]:
    """What a game declares: its kinds of moves and corrections, its draws, its score, its options."""
    found: dict[str, set[str]] = {
        area: set() for area in ("log", "ask", "correction", "field", "score", "option", "value")
    }
    for way in ways(scope):
        game, kind = way.game(), games.kind(games.box(way.box), way.mode)
        for option in kind.options:
            found["option"].add(option.name)
            found["value"] |= {str(value) for value in option.values}
        if scope == scope_of(way.box, way.mode)[-1]:
            found["log"] |= {str(kind.__struct_config__.tag) for kind in (*game.move_types, *game.correction_types)}
            found["correction"] |= {str(kind.__struct_config__.tag) for kind in game.correction_types}
            found["field"] |= {
                each.encode_name for kind in game.correction_types for each in msgspec.structs.fields(kind)
            }
            found["ask"] |= set(game.randomizers)
            found["score"] |= {part for score in game.tally(game.start()).scores for part in score.parts}
    return found


def was_a_version(scope: str, leaf: str) -> bool:
    """Whether tables still go on by the version of the rules of which a sentence is."""
    return int(leaf.partition(".")[0]) in games.kind(games.box(scope), "referee").versions[:-1]


def lets_time_pass(scope: str) -> bool:
    """Whether there are weeks, or turns, that are told as let go by."""
    refereed = games.bundle(scope).refereed
    account = refereed().account if refereed else None
    return account is not None and account.idle is not never_idle


def fields_of(box: str) -> set[str]:
    """What the figures of a box are called by, and what can be chosen among them."""
    shape = shape_of(games.bundle(box).box)
    return {*named_fields(shape), *words_in(shape)}


READ_AS_THEY_STAND = ("title", "rules", "rulings", "order")
TAUGHT = ("lesson", "setting_up", "place", "exercise", "now")
"""What is taught: `test_lessons` holds that these are the words of the lessons and acts, and no others."""


def is_said(scope: str, key: str) -> bool:
    """Whether somebody says a sentence of a game."""
    area, _, leaf = key.removeprefix(f"{scope}.").partition(".")
    if area in (*READ_AS_THEY_STAND, *TAUGHT) or (area == "rules_of_version" and was_a_version(scope, leaf)):
        return True  # read as they stand
    if (
        f"{area}.{leaf}" in catalogue("en") or not leaf or area == "ui" or area in shelved()
    ):  # what others say too may be said in a game's own words
        return keys_in(CODE_TEXT, key) if not leaf else key.removeprefix(f"{scope}.") in catalogue("en")
    if area == "name":
        own = folder_of(scope)
        written = re.search(rf"""say\(["']name\.{leaf}["']""", own) or re.search(
            rf'^[A-Z_]+ = "{leaf}"$', own, re.MULTILINE
        )
        return bool(leaf in things(scope) or written or any(shape.match(leaf) for shape in shapes(own)))
    if area in ("page", "keepsake"):
        shared = f'text("{leaf}")' in SCRIPTS_TEXT  # by what draws for every game in that game's words
        return shared or keys_in(SCRIPTS_TEXT if area == "page" else CODE_TEXT, key)
    if area == "bots":
        return leaf == "mean" or leaf.startswith("kind.") or stands_in(folder_of(scope), leaf)
    of_time = area == "evening" and leaf == "idle" and lets_time_pass(scope)
    of_box = (area == "amiss" and keys_in(CODE_TEXT, key)) or (area == "figure" and leaf in fields_of(scope))
    return of_box or of_time or leaf in declared(scope).get(area, ()) or stands_in(folder_of(scope), leaf)


def is_said_by_all(key: str) -> bool:
    """Whether somebody says a sentence that all share."""
    area, _, leaf = key.partition(".")
    if area == "name":
        return leaf in things("")
    if key.startswith("ui.field."):
        return any(leaf.removeprefix("field.") in declared(scope)["field"] for scope in shelved())
    if area in BY_WHOM:
        by_whom = read([ROOT / "companion" / each for each in BY_WHOM[area]])
        return stands_in(by_whom, leaf) or leaf == "mean" or leaf.startswith("kind.")
    if area == "drawn":
        return f'say("{leaf}"' in CODE_TEXT
    if area == "figure":
        return any(leaf in fields_of(each) for each in games.names())
    return keys_in(CODE_TEXT, key) or keys_in(SCRIPTS_TEXT, key)


@pytest.mark.parametrize("scope", [scope for scope in shelved() if not CHECKED or scope in CHECKED])
def test_no_sentence_of_a_game_lies_idle(scope: str) -> None:
    assert [key for key in sentences("en", scope) if not is_said(scope, key)] == []


def test_no_sentence_that_all_share_lies_idle() -> None:
    assert [key for key in sentences("en") if not is_said_by_all(key)] == []


@pytest.mark.parametrize("idle", ["nobody_says_this", "log.nothing_of_this", "name.nothing_of_this"])
def test_the_law_sees_what_lies_idle(idle: str) -> None:
    scope = shelved()[0]
    assert not is_said(scope, f"{scope}.{idle}")
