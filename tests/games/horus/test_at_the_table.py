"""At a table in play: who draws what, real dice reported at once, and what is put on the record."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.drawing.paper import Paper
from companion.game import Chance, Finished, Seat, Setup, Source, Turn
from companion.games.horus.bots import planner
from companion.games.horus.facts import OUTCOMES
from companion.games.horus.state import HorusState
from companion.games.horus.uses import Use
from companion.play.hall import Hall
from companion.play.proof import verify
from companion.play.record import export
from companion.play.table import HOST, Table
from companion.play.view import view
from companion.refusals import Refusal
from companion.terminal import telling
from companion.terminal.board import board_lines as pictured
from tests.games.horus.pyramids import NAMES, acting, opened

Lay = Callable[..., Table]
press = count()


@pytest.fixture
def lay(tmp_path: Path) -> Iterator[Lay]:
    halls: list[Hall] = []

    def laid(seats: int = 2, **sources: Source) -> Table:
        halls.append(Hall(tmp_path / str(len(halls))))
        names = tuple(Seat(name) for name in NAMES[:seats])
        return halls[-1].lay(Setup("horus", "referee", names, dict(sources)), secret=bytes(32))

    yield laid
    for hall in halls:
        hall.close()


def play(table: Table, move: dict[str, Any], seat: int) -> None:
    table.play(HOST, table.seq, f"m{next(press)}", move, seat=seat)


def report(table: Table, outcome: Any) -> None:
    table.answer(HOST, table.seq, f"o{next(press)}", outcome)


def state_of(table: Table) -> HorusState:
    assert isinstance(table.state, HorusState)
    return table.state


def chance_of(table: Table) -> Chance:
    asked = table.ask()
    assert isinstance(asked, Chance)
    return asked


@pytest.mark.rule("HOR-20", "HOR-34", "HOR-40")
def test_real_dice_are_reported_at_once_and_only_those_that_were_rolled(lay: Lay) -> None:
    table = lay(default="table")
    play(table, {"type": "enter", "adventurer": "sarti", "square": "1"}, 0)
    play(table, {"type": "enter", "adventurer": "rice", "square": "2"}, 1)
    assert chance_of(table).facts["left"] == 5
    with pytest.raises(Refusal):
        report(table, [6, 6, 6, 6, 6, 6])
    with pytest.raises(Refusal):
        report(table, [6, 6, 7])
    assert chance_of(table).facts["left"] == 5, "all or none"
    report(table, [6, 5, 2, 1, 1])
    assert state_of(table).adventurers[0].actions == 3
    table.correct(HOST, table.seq, f"c{next(press)}", {"type": "figure", "seat": 0, "square": "A1"})
    play(table, {"type": "pick"}, 0)
    report(table, [1, 2, 6, 6, 6])
    play(table, {"type": "pick", "reroll": [2, 4]}, 0)
    assert chance_of(table).facts["left"] == 2
    report(table, [3, 5])
    assert state_of(table).adventurers[0].cards == ("idol-sobek",)
    play(table, {"type": "end"}, 0)
    play(table, {"type": "end"}, 1)
    report(table, [4, 4, 1, 1, 1])
    assert [mummy.walker.at for mummy in state_of(table).mummies] != ["A3", "H2", "T3"]
    report(table, 36)
    assert state_of(table).fallen == (36,)


@pytest.mark.rule("HOR-52", "HOR-61")
@pytest.mark.parametrize("chest", [False, True], ids=["game over", "chest dice"])
def test_a_block_that_sealed_the_last_one_in_by_mistake_is_put_right(lay: Lay, *, chest: bool) -> None:
    """Whatever follows at once: as long as nobody has confirmed the end, the report is taken back."""
    table = lay(default="table")
    play(table, {"type": "enter", "adventurer": "sarti", "square": "1"}, 0)
    play(table, {"type": "enter", "adventurer": "rice", "square": "2"}, 1)
    report(table, [6, 5, 2, 1, 1])
    for correction in (
        {"type": "figure", "seat": 1, "square": "33"},
        *({"type": "fallen", "number": number, "fallen": True} for number in (13, 14, 16)),
        *([{"type": "card", "card": "chest-sobek", "from": "pond", "to": 0}] if chest else []),
    ):
        table.correct(HOST, table.seq, f"c{next(press)}", correction)
    play(table, {"type": "step", "to": "outside"}, 0)
    play(table, {"type": "end"}, 1)
    report(table, [1, 1, 1, 1, 1])
    asked = chance_of(table)
    report(table, 15)
    assert [each.fate for each in state_of(table).adventurers] == ["left", "sealed"]
    assert table.over() is not chest
    assert not table.settled()
    if chest:
        assert chance_of(table).randomizer == "chest_dice"
    table.take_back(HOST, table.seq, f"u{next(press)}", table.offer(HOST).to)
    assert chance_of(table) == asked
    report(table, 36)
    assert [each.fate for each in state_of(table).adventurers] == ["left", "inside"]
    assert not table.over()


@pytest.mark.parametrize("real", [(), ("blocks", "search"), ("action_dice", "sarcophagi"), tuple(OUTCOMES)], ids=str)
def test_sources_are_mixed_at_will(lay: Lay, real: tuple[str, ...]) -> None:
    table = lay(3, **dict.fromkeys(real, "table"))
    luck = random.Random(str(real))
    for _ in range(3_000):
        asked = table.ask()
        match asked:
            case Finished():
                break
            case Chance():
                assert asked.randomizer in real
                report(table, luck.choice([outcome for outcome, weight in asked.odds if weight]))
            case Turn(seats=(seat, *_)):
                move = planner(table.game, state_of(table), seat, luck)  # type: ignore[arg-type]
                play(table, msgspec.to_builtins(move), seat)
    assert table.over()
    proof = verify(export(table))
    assert proof.holds, proof


@pytest.mark.rule("HOR-32", "HOR-82")
def test_a_real_card_is_reported_and_is_then_its_owners_secret(lay: Lay) -> None:
    table = lay(search="table")
    play(table, {"type": "enter", "adventurer": "sarti", "square": "1"}, 0)
    play(table, {"type": "enter", "adventurer": "rice", "square": "2"}, 1)
    while state_of(table).asking != "act":
        play(table, {"type": "ready"}, state_of(table).seat_asked)
    seat = state_of(table).seat_asked
    play(table, {"type": "search"}, seat)
    asked: Any = view(table)["ask"]
    assert asked["source"] == "table"
    assert {weight for _, weight in asked["odds"]} == {None}, "which have gone is for those who watched"
    report(table, "necklace-3")
    play(table, {"type": "end"}, seat)
    shown: Any = view(table)["board"]
    assert shown["seats"][seat]["backs"] == ["rubble"]
    assert "necklace-3" not in str(view(table))
    mine: Any = view(table, HOST, seat=seat)["you"]
    assert [card["card"] for card in mine["cards"]] == ["necklace-3"]


def test_in_characters_mummies_are_told_apart_and_walls_are_drawn(lay: Lay) -> None:
    drawn = "\n".join(telling.board("en", view(lay(seats=2), HOST), 100))
    signs = re.findall(r"!([A-Z]\w*)", drawn)
    assert len(signs) == len(set(signs)) == 3
    assert "|" in drawn
    assert "--------" in drawn
    assert "level 2*" in drawn  # from how many cards on it holds is our own figure
    assert re.search(r"Horus +10\* +1-2-3-4-5 +red die", drawn)


def test_in_characters_all_that_stands_on_the_plan_is_drawn() -> None:
    """Sarcophagi, alcoves, ways in, areas; the dice by their colours, and those that are cursed."""
    cards = {0: ("idol-sobek", "treasure-sobek-5")}
    playing = opened(acting("5", "A2", cards=cards, who=("sarti", "wahab"), actions=(0, 1)), "anubis", "A1")
    playing.does(Use(ability="linguistics")).falls("treasure-anubis-7")
    drawn = "\n".join(pictured(Paper("en", NAMES[:2], 100, ("horus",)), playing.board(), "horus"))
    plan = drawn[: drawn.index("blocks")].split("way in")[0]
    for sign in (" ^1.", " 17:", " 35~", " A1u ", " A3=", " NW=n", " T5=n", " A4= "):
        assert sign in plan, sign
    assert " A1u 4*" in drawn, "what lies in an open one"
    assert "A2= (read by Ben)" in drawn
    assert "treasure-anubis-7" not in drawn
    assert re.search(r"green die +yellow die", drawn)
    assert "cursed: green die" in drawn
