"""Three who check the same games: Digside itself, a stranger's program, and the script of the page of the luck."""

from __future__ import annotations

import ast
import json
import random
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import playwright
import pytest

from companion import games
from companion.game import Seat, Setup, Turn
from companion.play import record as records
from companion.play.hall import Hall
from companion.play.record import draws_of, encode, encode_draws, export, verify
from companion.play.stirring import promise
from companion.play.table import HOST, Actor, Table
from companion.play.view import view
from companion.refusals import Illegal
from tests.attack import stranger

PAGE = Path(__file__).parents[2] / "web_ui" / "static" / "luck" / "proof.js"
RUNNER = Path(playwright.__file__).parent / "driver" / "node"
"""Comes with what drives the browsers: a machine need not have another."""
NODE = """
import {{ prove }} from "{page}";
import {{ readFileSync }} from "node:fs";
const cases = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(cases.map(([record, draws, seen]) => prove(record, draws, seen))));
"""
ADA, BEN, CLEO = (Actor("seat", seat) for seat in range(3))


def played(folder: Path, box: str, seed: int) -> tuple[Table, list[tuple[int, str]]]:
    """A game with steps back, rounds of stirring, and a pinch that is not told; and the heads that were seen."""
    hall, luck = Hall(folder), random.Random(seed)
    table = hall.lay(Setup(box, "referee", (Seat("Ada"), Seat("Ben"), Seat("Zoë \u2028 🐪"))))
    heads = [(0, str(view(table)["head"]))]
    for step in range(60):
        if step % 20 == 5:
            for actor, who in ((ADA, "0"), (HOST, "host"), (CLEO, "2")):
                table.commit(actor, table.seq, f"commit {step} {who}", promise(who, f"pinch {step}"))
            for actor in (CLEO, HOST, *([ADA] if step > 20 else [])):
                table.open(actor, table.seq, f"open {step} {actor}", f"pinch {step}")
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
        table.close(HOST, table.seq, "the end")
    return table, heads


REFEREED = [name for name in games.names() if "referee" in games.modes(name)]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Any, Any, Any]]:
    """Games of every referee as somebody else is given them, and what a device saw of each."""
    made = []
    for seed, box in enumerate(REFEREED * 2):
        table, heads = played(tmp_path_factory.mktemp("data"), box, seed)
        assert verify(export(table), noted=records.Noted(table.laid.seal, tuple(heads))).holds
        record, draws = json.loads(encode(export(table))), json.loads(encode_draws(draws_of(table)))
        made.append((record, draws, {"seal": table.laid.seal, "heads": heads}))
    return made


def spoilt(record: Any, draws: Any) -> list[tuple[str, Any]]:
    """A record with one thing changed, in each of several ways."""

    def doctored(change: str) -> Any:
        other = json.loads(json.dumps(record))
        entries = other["entries"]
        fell = [line["entry"] for line in entries if line["entry"]["kind"] == "outcome"]
        odds = {each["seq"]: [outcome for outcome, weight in each["odds"] if weight] for each in draws["draws"]}
        match change:
            case "name":
                other["laid"]["setup"]["seats"][0]["name"] = "Eve"
            case "outcome":
                line = next(line for line in entries if len(odds.get(line["seq"], ())) > 1)
                line["entry"]["outcome"] = next(each for each in odds[line["seq"]] if each != line["entry"]["outcome"])
            case "pinch":
                next(line["entry"] for line in entries if line["entry"]["kind"] == "open")["pinch"] = "a better one"
            case "hour":
                entries[-1]["at"] += 1
            case "dropped":
                entries.pop()
            case "secret":
                other["secret"] = "00" * 32
            case "seal":
                other["laid"]["seal"] = "ab" * 32
        assert fell
        return other

    return [(change, doctored(change)) for change in ("name", "outcome", "pinch", "hour", "dropped", "secret", "seal")]


def test_the_stranger_knows_nothing_of_digside() -> None:
    tree = ast.parse(Path(stranger.__file__).read_text(encoding="utf-8"))
    brought = {
        name.name if isinstance(node, ast.Import) else node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in node.names
    }
    assert brought == {"hashlib", "hmac", "json", "pathlib", "sys", "typing"}


def test_a_stranger_finds_what_we_find(told: list[tuple[Any, Any, Any]]) -> None:
    for record, draws, saw in told:
        assert stranger.verify(record, draws, saw["seal"], saw["heads"][-1][1]) == len(draws["draws"]) > 10
        for change, other in spoilt(record, draws):
            with pytest.raises(stranger.Doubt, match="secret" if change in {"secret", "seal"} else "chain"):
                stranger.verify(other, draws)


def test_the_page_finds_what_we_find(told: list[tuple[Any, Any, Any]]) -> None:
    cases: list[Any] = []
    wanted: list[str | None] = []
    for record, draws, saw in told:
        cases.append((record, draws["draws"], saw))
        wanted.append(None)
        cases.append((record, draws["draws"], {**saw, "heads": [[3, "ab" * 32]]}))
        wanted.append("head")
        for change, other in spoilt(record, draws):
            cases.append((other, draws["draws"], None))
            wanted.append("secret" if change in {"secret", "seal"} else "chain")
        blind = json.loads(json.dumps(dict(spoilt(record, draws))["outcome"]))
        blind["laid"]["chain"] = 0
        cases.append((blind, draws["draws"], None))
        wanted.append("draw")
    script = NODE.format(page=PAGE.as_uri())
    ran = subprocess.run(
        [RUNNER, "--input-type=module", "-e", script],
        input=json.dumps(cases),
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(ran.stdout)
    assert [each["fault"] and each["fault"]["why"] for each in found] == wanted
    assert all(each["draws"] > 10 for each, why in zip(found, wanted, strict=True) if why is None)


def test_nobody_is_told_the_draws_before_the_end(tmp_path: Path) -> None:
    table = Hall(tmp_path).lay(Setup(REFEREED[0], "referee", (Seat("Ada"), Seat("Ben"))))
    with pytest.raises(Illegal):
        draws_of(table)
