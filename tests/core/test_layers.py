"""An arrow between layers may only point down: who may import whom."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OURS = {"companion", "hardware", "firmware_bridge", "web_ui"}

SHARED = ("companion.games.bundle", "companion.games.toolbox")
"""What every game may know of its neighbours."""

MAY_IMPORT = {
    "firmware_bridge": {"firmware_bridge"},
    "hardware": {"hardware", "firmware_bridge"},
    "companion.pieces": {"companion.pieces", "companion.refusals"},
    "companion.boxes": {"companion.boxes", "companion.pieces", "companion.refusals"},
    "companion.games": {
        "companion.games",
        "companion.boxes",
        "companion.pieces",
        "companion.game",
        "companion.referee",
        "companion.refusals",
        "companion.words",
        "companion.trials",
        "companion.drawing",
        "companion.keepsake",
    },
    "companion.referee": {"companion.game", "companion.refusals"},
    "companion.drawing": {"companion.drawing", "companion.game", "companion.refusals", "companion.words"},
    "companion.keepsake": {"companion.keepsake", "companion.game", "companion.refusals", "companion.words"},
    "companion.words": {"companion.words", "companion.refusals"},
    "companion.rulebook": {"companion.game", "companion.words"},
    "companion.trials": {"companion.game"},
    "companion": {"companion"},
    "companion.terminal.cli": {"companion", "web_ui", "hardware"},  # the front door
    "web_ui": {"web_ui", "companion", "hardware"},
}


def imports(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def name_of(file: Path) -> str:
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def layer_of(module: str) -> str:
    return max((layer for layer in MAY_IMPORT if within(module, layer)), key=len)


def within(module: str, layer: str) -> bool:
    return module == layer or module.startswith(f"{layer}.")


def sources() -> list[Path]:
    return sorted(file for package in OURS for file in (ROOT / package).rglob("*.py"))


@pytest.mark.parametrize("file", sources(), ids=name_of)
def test_imports_point_down(file: Path) -> None:
    allowed = MAY_IMPORT[layer_of(name_of(file))]
    ours = [name for name in imports(file) if name.split(".")[0] in OURS]
    wrong = [name for name in ours if not any(within(name, layer) or within(layer, name) for layer in allowed)]
    assert not wrong


@pytest.mark.parametrize("file", sources(), ids=name_of)
def test_a_game_knows_no_other_game(file: Path) -> None:
    module = name_of(file).split(".")
    if module[:2] != ["companion", "games"] or len(module) < 3:
        return
    may = [".".join(module[:3]), *SHARED]
    known = [name for name in imports(file) if within(name, "companion.games") and name != "companion.games"]
    assert not [name for name in known if not any(within(name, each) for each in may)]


@pytest.mark.parametrize("file", sorted((ROOT / "web_ui").rglob("*.py")), ids=name_of)
def test_the_web_layer_knows_no_rule(file: Path) -> None:
    rules = [f"companion.games.{game.name}" for game in (ROOT / "companion" / "games").iterdir() if game.is_dir()]
    assert not [name for name in imports(file) if any(within(name, layer) for layer in ("companion.pieces", *rules))]


@pytest.mark.parametrize("file", sorted((ROOT / "companion").rglob("*.py")), ids=name_of)
def test_the_companion_names_no_device(file: Path) -> None:
    assert "/dev/" not in file.read_text(encoding="utf-8")


def test_the_guard_sees_a_wrong_arrow(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text("from web_ui import app\nimport companion.play.table\n")
    assert {"web_ui", "web_ui.app", "companion.play.table"} == set(imports(wrong))
