"""Laying a table: choices that would contradict each other cannot be made."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion import games
from companion.game import Mode, Option, Seat, Setup, Source
from companion.play.hall import Hall
from companion.refusals import Malformed

SEATS = (Seat("Ada"), Seat("Ben"))
SOURCES: tuple[Source, ...] = ("companion", "table")


@pytest.mark.parametrize(("box", "mode"), games.registered())
def test_a_source_that_can_be_chosen_holds_whatever_else_is_chosen(box: str, mode: Mode) -> None:
    kind = games.kind(games.box(box), mode)
    for option, value in _choices(kind.options):
        for source in SOURCES:
            asked = dict.fromkeys(kind.to_choose, source)
            settled = kind.settled(Setup(box, mode, SEATS, asked, options={option: value} if option else {}))
            assert {each: settled.source(each) for each in kind.to_choose} == asked


def test_who_lays_the_layers_decides_who_reports_them(tmp_path: Path) -> None:
    assert games.kind(games.box("tutankhamun"), "referee").to_choose == ()
    hall = Hall(tmp_path)
    setup = Setup("tutankhamun", "referee", SEATS, {"layers": "table"})
    with pytest.raises(Malformed) as refused:
        hall.lay(setup)
    assert refused.value.key == "core.source_decided"
    assert hall.tables() == []
    fitting = msgspec.structs.replace(setup, sources={"cards": "table"}, options={"tray": "physical"})
    assert hall.lay(fitting).setup.source("cards") == "table"


def _choices(options: tuple[Option, ...]) -> list[tuple[str, Any]]:
    return [("", None), *((option.name, value) for option in options for value in option.values)]
