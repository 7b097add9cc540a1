"""Every component of a rulebook's list has its line: what stands for it in the toolbox, or why it stays."""

from __future__ import annotations

import re

import pytest

from companion import games
from tests.games.toolbox.tools import toolbox

LISTS = {
    "horus": """1 board · 36 stone blocks · 36 numbered stickers · 8 adventurer figures · 3 mummy figures ·
        6 coloured bases · 3 black bases · 5 coloured dice · 8 adventurer cards · 4 summary cards ·
        18 rubble search cards · 18 Hededet search cards · 18 Sobek search cards · 5 idol cards ·
        1 Ankh card · 4 Horus cards · 5 Anubis cards · 5 Thoth cards · 18 mummy cards · 8 block cards""",
    "tomb_raiders": """1 storage board with time scale · 168 small cards · 1 rules leaflet · 2 excavation summaries ·
        4 time markers · 4 player cards · 22 excavation cards · 4 excavation charts""",
    "jenseits": """1 rulebook · 1 overview sheet · 1 board · 4 archaeologist figures · 4 time markers · 1 year marker ·
        85 research cards · 10 exhibition cards · 5 overview cards · 4 dials · 4 sets of 5 permits · 155 dig tokens ·
        5 cloth bags""",
    "tutankhamun": """1 plan of the site · 1 tray · 96 layer cards · 12 scarab cards · 6 barricade cards · 1 shovel ·
        50 silver coins · 20 gold coins""",
}
"""What lies in each box, as its rulebook lists it."""

BY_HAND = re.compile(r"\b(stays?|order of a turn)\b")


def table(box: str) -> dict[str, str]:
    """The components of a box's ledger, and what stands for each."""
    ledger = (games.folder(box) / "RULES.md").read_text("utf-8").partition("## Components")[2]
    rows = re.findall(r"^\| ([^|]+?) \| ([^|]+?) \|$", ledger, re.MULTILINE)
    return dict(rows[1:])


@pytest.mark.parametrize("box", games.REGISTER)
def test_every_component_of_the_rulebook_has_its_line(box: str) -> None:
    listed = [" ".join(each.split()) for each in LISTS[box].split("·")]
    assert list(table(box)) == listed


@pytest.mark.parametrize("box", games.REGISTER)
def test_what_stands_for_a_component_is_a_tool_of_its_box(box: str) -> None:
    there = {tool.name for tool in toolbox(box).kit.tools}
    for component, what in table(box).items():
        named = re.findall(r"`(\w+)`", what)
        assert named or BY_HAND.search(what), f"{component}: neither a tool nor why it stays"
        assert set(named) <= there, component


@pytest.mark.parametrize("box", games.REGISTER)
def test_no_tool_of_a_box_stands_for_nothing(box: str) -> None:
    named = {tool for what in table(box).values() for tool in re.findall(r"`(\w+)`", what)}
    assert {tool.name for tool in toolbox(box).kit.tools} - named <= {"points", "shovel", "loads"}
