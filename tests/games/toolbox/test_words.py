"""The toolbox speaks four languages, and says all it has to say in each."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import companion.games.toolbox
from companion.games.toolbox import Toolbox
from companion.games.toolbox.bags import Bags
from companion.games.toolbox.dice import DiceSet
from companion.games.toolbox.pyramid import Mummies
from companion.games.toolbox.tray import Tray
from companion.words import LANGUAGES, catalogue
from tests.games.toolbox.tools import toolbox

CODE = Path(companion.games.toolbox.__file__).parent
WORDS = Path(companion.games.toolbox.__file__).parents[2] / "words"
OUTCOMES = ("start", "drawn", "die", "last_die", "falls", "comes_to_light")


def flat(tree: dict[str, object], prefix: str = "") -> dict[str, object]:
    """The sentences of a fragment by their dotted keys."""
    found: dict[str, object] = {}
    for key, value in tree.items():
        if isinstance(value, dict) and value.keys() != {"one", "other"}:
            found |= flat(value, f"{prefix}{key}.")
        else:
            found[prefix + key] = value
    return found


def fragment(language: str, area: str) -> dict[str, object]:
    return flat(tomllib.loads((WORDS / language / f"{area}.toml").read_text(encoding="utf-8")))


def slots(sentence: object) -> set[str]:
    """What a sentence is filled with. A count may be left unsaid where it is 1."""
    return set(re.findall(r"{(\w+)}", str(sentence))) - {"n"}


@pytest.mark.parametrize("area", ["toolbox", "pieces"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_says_the_same_things(language: str, area: str) -> None:
    english, other = fragment("en", area), fragment(language, area)
    assert other.keys() == english.keys()
    for key, sentence in other.items():
        assert slots(sentence) == slots(english[key]), key
        assert isinstance(sentence, dict) == isinstance(english[key], dict), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_has_its_sentence_and_every_sentence_its_refusal(language: str) -> None:
    used = {key for file in CODE.glob("*.py") for key in re.findall(r'"(toolbox\.\w+)"', file.read_text("utf-8"))}
    said = {key for key in fragment(language, "toolbox") if key.startswith("toolbox.")}
    assert said == used


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_has_its_line_in_the_log(language: str) -> None:
    types = [str(made.__struct_config__.tag) for made in (*Toolbox.acts, *Toolbox.mends)]
    assert len(set(types)) == len(types), "a move and a correction would share a sentence"
    said = {key.removeprefix("log.toolbox.") for key in fragment(language, "toolbox") if key.startswith("log.")}
    assert said == {*types, *OUTCOMES}


def test_every_rule_named_in_the_code_is_in_the_ledger() -> None:
    ledger = set(re.findall(r"^- (TBX-\d\d)", (CODE / "RULES.md").read_text("utf-8"), re.MULTILINE))
    named = {rule for file in CODE.glob("*.py") for rule in re.findall(r"TBX-\d\d", file.read_text("utf-8"))}
    tested = {
        rule
        for file in Path(__file__).parent.glob("test_*.py")
        for rule in re.findall(r"TBX-\d\d", file.read_text("utf-8"))
    }
    assert named <= ledger
    assert tested == ledger


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_token_and_card_has_a_name(language: str) -> None:
    words = catalogue(language)
    tools = [tool for box in ("jenseits", "tomb_raiders", "horus", "tutankhamun") for tool in toolbox(box).kit.tools]
    bags = [tool.printed for tool in tools if isinstance(tool, Bags)]
    things = {thing for each in bags for bag in each.values() for thing in (*each, *bag)}
    things |= {card for tool in tools if isinstance(tool, Tray) for layer in tool.cards for card in layer}
    things |= {name for tool in tools if isinstance(tool, Mummies) for name in tool.walkers}
    things |= {colour for tool in tools if isinstance(tool, DiceSet) for colour in tool.colours}
    things |= {tool.name for tool in tools}
    assert not [thing for thing in sorted(things) if f"name.{thing}" not in words]
