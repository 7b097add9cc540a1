"""The toolbox speaks four languages, and says all it has to say in each."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import companion.games.toolbox
from companion.games.toolbox import Toolbox
from companion.games.toolbox.bags import Bags
from companion.games.toolbox.cards import Cards
from companion.games.toolbox.dice import DiceSet
from companion.games.toolbox.pyramid import Mummies
from companion.games.toolbox.tray import TrayTool
from companion.words import LANGUAGES, own, sentences
from tests.games.toolbox.tools import toolbox

CODE = Path(companion.games.toolbox.__file__).parent
TOOLS = (
    "track",
    "dial",
    "bags",
    "dice",
    "blocks",
    "mummies",
    "tray",
    "cards",
    "hidden",
    "loads",
    "permits",
    "ways",
    "turns",
    "takings",
    "points",
    "shovel",
)
"""A box says of each that it does not hold it."""
OUTCOMES = (
    "otherwise_die",
    "start",
    "drawn",
    "die",
    "last_die",
    "falls",
    "comes_to_light",
    "turned_up",
    "chest",
    "looked",
    "read",
    "found_unseen",
    "found_own",
    "back",
    "sorted",
    "keep_none",
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_has_its_sentence_and_every_sentence_its_refusal(language: str) -> None:
    used = {key for file in CODE.glob("*.py") for key in re.findall(r'"(toolbox\.\w+)"', file.read_text("utf-8"))}
    assert {key for key in sentences(language, "toolbox") if key.count(".") == 1} == used


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_has_its_line_in_the_log(language: str) -> None:
    types = [str(made.__struct_config__.tag) for made in (*Toolbox.acts, *Toolbox.corrections)]
    assert len(set(types)) == len(types), "a move and a correction would share a sentence"
    log = "toolbox.log."
    said = {key.removeprefix(log) for key in sentences(language, "toolbox") if key.startswith(log)}
    assert said == {*types, *OUTCOMES} - {"printed", "wall"}, "of what is printed all games say the same"


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


def is_named(language: str, thing: str, scope: tuple[str, ...]) -> bool:
    """Whether a thing has a name, or its parts have: each but the numbers."""
    parts = [part for part in re.split("[-:]", thing) if not re.fullmatch(r"[A-Z]*\d*|[A-Z]+", part)]
    return (
        all(own(language, f"name.{each}", scope) for each in parts) or own(language, f"name.{thing}", scope) is not None
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_token_and_card_has_a_name(language: str) -> None:
    unnamed = []
    for box in ("jenseits", "tomb_raiders", "horus", "tutankhamun"):
        tools = toolbox(box).kit.tools
        things = {tool.name for tool in tools}
        for tool in tools:
            if isinstance(tool, Bags):
                things |= {thing for name, bag in tool.printed.items() for thing in (name, *bag)}
            if isinstance(tool, TrayTool):
                things |= {card for layer in tool.cards for card in layer}
            if isinstance(tool, Mummies):
                things |= set(tool.walkers)
            if isinstance(tool, DiceSet):
                things |= {*tool.colours, *tool.locks}
            if isinstance(tool, Cards):
                things |= {*tool.printed, *tool.places, *(card for deck in tool.printed.values() for card in deck)}
                things |= {card for lying in tool.places.values() for card in lying}
        unnamed += [thing for thing in sorted(things) if not is_named(language, thing, (box, "toolbox"))]
    assert not unnamed
