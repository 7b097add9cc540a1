"""Three who check the same games: Digside itself, a stranger's program, and a phone."""

from __future__ import annotations

import ast
import json
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser

from companion import games
from companion.game import Seat, Setup, Turn
from companion.play import proof as proofs
from companion.play.hall import Hall
from companion.play.proof import verify
from companion.play.record import draws_of, encode, encode_draws, export
from companion.play.table import HOST, Table
from companion.play.view import view
from companion.refusals import Illegal
from tests.attack import stranger
from tests.attack.phone import proved_by_phone
from tests.core.devices import Device


def played(folder: Path, box: str, seed: int) -> tuple[Table, list[tuple[int, str]]]:
    """A game with steps back, devices that stir and one that sleeps; and the heads that were seen."""
    hall, luck = Hall(folder), random.Random(seed)
    table = hall.lay(Setup(box, "referee", (Seat("Ada"), Seat("Ben"), Seat("Zoë \u2028 🐪"))))
    heads = [(0, str(view(table)["head"]))]
    joins = [Device(name) for name in ("host", "2", "0", "1")]
    devices = [*joins]
    for step in range(60):
        if step % 10 == 5 and step < 40:
            joins.pop().join(table)
            for device in devices:
                if device.is_asked(table) and not (device.name == "0" and step > 20):
                    device.tell(table)
        ask = table.ask()
        if isinstance(ask, Turn):
            table.play(HOST, table.seq, f"{step}", msgspec.to_builtins(luck.choice(table.moves(HOST).moves)))
        else:
            table.answer(HOST, table.seq, f"{step}", None)
        if step % 7 == 0 and table.offer(HOST).open and step < 50:
            table.take_back(HOST, table.seq, f"back {step}")
        if step % 9 == 0:
            heads.append((table.seq, str(view(table)["head"])))
        if table.over():
            break
    if not table.over():
        table.end(HOST, table.seq, "the end")
    return table, heads


REFEREED = [name for name in games.names() if "referee" in games.modes(name)]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Any, Any, Any]]:
    """Games of every referee as somebody else is given them, and what a device saw of each."""
    made = []
    for seed, box in enumerate(REFEREED * 2):
        table, heads = played(tmp_path_factory.mktemp("data"), box, seed)
        assert verify(export(table), noted=proofs.SeenHeads(table.laid.seal, tuple(heads))).holds
        record, draws = json.loads(encode(export(table))), json.loads(encode_draws(draws_of(table)))
        made.append((record, draws, {"seal": table.laid.seal, "heads": heads}))
    return made


def test_the_stranger_knows_nothing_of_digside() -> None:
    tree = ast.parse(Path(stranger.__file__).read_text(encoding="utf-8"))
    brought = {
        name.name if isinstance(node, ast.Import) else node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in node.names
    }
    assert brought == {"collections.abc", "hashlib", "hmac", "json", "pathlib", "sys", "typing"}


def test_a_stranger_finds_what_we_find(told: list[tuple[Any, Any, Any]]) -> None:
    for record, draws, saw in told:
        assert stranger.verify(record, draws, saw) == len(draws["draws"]) > 10


@pytest.mark.browser
def test_a_phone_finds_what_we_find(told: list[tuple[Any, Any, Any]], browser: Browser) -> None:
    for (_, draws, _), found in zip(told, proved_by_phone(browser, told), strict=True):
        assert (found["fault"], found["draws"]) == (None, len(draws["draws"]))


def test_nobody_is_told_the_draws_before_the_end(tmp_path: Path) -> None:
    table = Hall(tmp_path).lay(Setup(REFEREED[0], "referee", (Seat("Ada"), Seat("Ben"))))
    with pytest.raises(Illegal):
        draws_of(table)
