"""What every registered game has to bring along."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_type_hints

import msgspec
import pytest

from companion import games
from companion.game import AnyGame, Chance, Corrected, Json, Mode, Outcome, Played, Step, Turn, scope_of
from companion.parts import ChanceFacts, LogFacts
from companion.refusals import Refusal
from companion.words import LANGUAGES, catalogue, known, own
from tests.laws.near import any_correction, misses, strings
from tests.laws.play import GAMES, THOROUGH, WAYS, Moment, Way, at_random


def area(box: str, mode: Mode) -> str:
    """The scope that speaks for a game."""
    return scope_of(box, mode)[-1]


TESTS = Path(__file__).parents[1] / "games"
LEDGERS = sorted({area(*game) for game in GAMES})

all_games = pytest.mark.parametrize(("box", "mode"), GAMES, ids=["-".join(game) for game in GAMES])


@pytest.mark.parametrize("name", LEDGERS)
def test_a_game_writes_its_rules_down_and_names_no_other(name: str) -> None:
    ledger = games.folder(name) / "RULES.md"
    ids = set(re.findall(r"\b[A-Z]{3}-\d\d\b", ledger.read_text("utf-8")))
    code = "".join(file.read_text("utf-8") for file in games.folder(name).glob("*.py"))
    assert set(re.findall(r'rule="([A-Z]{3}-\d\d)"', code)) <= ids


@all_games
def test_a_game_has_golden_games(box: str, mode: Mode) -> None:
    places = (TESTS / area(box, mode), games.folder(box))  # a game from elsewhere has all in one folder
    assert [each for place in places for each in place.glob("golden/*.json")], "games that come out the same for ever"


@all_games
def test_all_that_can_be_done_and_chosen_has_words(box: str, mode: Mode) -> None:
    way, scope = Way(box, mode, games.box(box).seats.max), scope_of(box, mode)
    game, kind = way.game(), games.kind(games.box(box), mode)
    told = {f"log.{move.__struct_config__.tag}" for move in game.move_types}
    told |= {f"correction.{mended.__struct_config__.tag}" for mended in game.correction_types}
    told |= {f"score.{part}" for score in game.tally(game.start()).scores for part in score.parts}
    chosen = {f"option.{option.name}" for option in kind.options} | {f"name.{name}" for name in kind.randomizers}
    chosen |= {
        f"value.{value}" for option in kind.options for value in option.values if isinstance(value, str) and value
    }
    fields = {field.encode_name for kind in game.correction_types for field in msgspec.structs.fields(kind)}
    for language in LANGUAGES:
        assert known(language, f"{box}.title")
        assert not sorted(key for key in told if own(language, key, scope[-1:]) is None)
        assert not sorted(key for key in chosen if own(language, key, scope) is None)
        assert not [
            each
            for each in fields
            if not (own(language, f"field.{each}", scope[-1:]) or known(language, f"ui.field.{each}"))
        ]


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_every_line_of_the_log_and_every_refusal_has_its_sentence_and_its_type(way: Way) -> None:
    wanted: set[str] = set()
    game, luck = way.game(), random.Random(str(way))
    for seed in range(2 * THOROUGH):
        for moment in at_random(game, random.Random(seed), 250):
            wanted.add(line(way, game.tells(moment.before, moment.step, None)))
            if isinstance(moment.ask, Chance):
                is_typed(way, moment.ask.facts, rules_of(way).chance_facts)
                for outcome, _ in moment.ask.odds:
                    msgspec.convert(outcome, rules_of(way).outcomes.get(moment.ask.randomizer, Outcome))
            if luck.random() < 0.1:
                wanted |= said_of_mistakes(way, game, moment, luck)
    assert not [(language, key) for language in LANGUAGES for key in sorted(wanted - catalogue(language).keys())]


def rules_of(way: Way) -> Any:
    """The class by which a game is played."""
    return next(each.rules for each in games.played_by() if each.box in {way.box, None} and each.mode == way.mode)


def is_typed(way: Way, facts: Mapping[str, Json], kind: Any) -> None:
    """Facts are those of their type, which is in the API's document; a game outside of Digside need not type them."""
    msgspec.convert(facts, kind)
    if kind not in {LogFacts, ChanceFacts}:
        assert facts.keys() <= get_type_hints(kind).keys(), (way, facts)


def line(way: Way, told: Mapping[str, Json]) -> str:
    """The sentence of a line of the log, which has its type; of what is printed all games say the same."""
    is_typed(way, told, rules_of(way).logged)
    scope = "" if f"log.{told['type']}" in catalogue("en") else f"{area(way.box, way.mode)}."
    return f"{scope}log.{told['type']}"


def said_of_mistakes(way: Way, game: AnyGame, moment: Moment, luck: random.Random) -> set[str]:
    """The sentences of near misses that are refused, and of corrections that are not."""
    words, found = sorted(strings(game.sees(moment.before, None).board)), set()
    steps: list[Step] = []
    if isinstance(moment.ask, Turn):
        seat = moment.ask.seats[0]
        listed = game.moves(moment.before, seat).moves
        steps += [Played(seat, move) for move in misses(game.move_types, listed, luck, 4)]
    corrections = (any_correction(game.correction_types, words, luck) for _ in range(4))
    steps += [Corrected(correction) for correction in corrections if correction is not None]
    for step in steps:
        try:
            game.after(moment.before, step)
            found.add(line(way, game.tells(moment.before, step, None)))
        except Refusal as refusal:
            found.add(refusal.key)
    return found


def test_every_name_of_a_language_is_a_name_in_all() -> None:
    english = catalogue("en").keys()
    for language in LANGUAGES:
        assert sorted(catalogue(language).keys() ^ english) == []
