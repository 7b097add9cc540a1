"""The toolbox speaks four languages, and says all it has to say in each."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import companion.games.toolbox
from companion.games.toolbox.corrections import CORRECTION_TYPES
from companion.games.toolbox.moves import MOVE_TYPES
from companion.words import LANGUAGES, own, sentences
from tests.games.toolbox.tools import toolbox

CODE = Path(companion.games.toolbox.__file__).parent
TOOLS = ("track", "dial", "bags", "dice", "blocks", "mummies", "tray", "points", "shovel")
"""A box says of each that it does not hold it."""
OUTCOMES = ("start", "drawn", "die", "last_die", "falls", "comes_to_light")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_has_its_sentence_and_every_sentence_its_refusal(language: str) -> None:
    used = {key for file in CODE.glob("*.py") for key in re.findall(r'"(toolbox\.\w+)"', file.read_text("utf-8"))}
    assert {key for key in sentences(language, "toolbox") if key.count(".") == 1} == used


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_has_its_line_in_the_log(language: str) -> None:
    types = [str(made.__struct_config__.tag) for made in (*MOVE_TYPES, *CORRECTION_TYPES)]
    assert len(set(types)) == len(types), "a move and a correction would share a sentence"
    log = "toolbox.log."
    said = {key.removeprefix(log) for key in sentences(language, "toolbox") if key.startswith(log)}
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
    unnamed = []
    for box in ("jenseits", "tomb_raiders", "horus", "tutankhamun"):
        kit = toolbox(box).kit
        things = {thing for bag in kit.bags.values() for thing in (*kit.bags, *bag)}
        things |= {card for layer in kit.layers.cards for card in layer} if kit.layers else set()
        things |= set(kit.pyramid.mummies) if kit.pyramid else set()
        things |= set(kit.dice.colours) if kit.dice else set()
        things |= set(TOOLS)
        unnamed += [thing for thing in sorted(things) if own(language, f"name.{thing}", (box, "toolbox")) is None]
    assert not unnamed
