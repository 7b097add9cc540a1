"""An arrow between layers may only point down: who may import whom."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
OURS = {"companion", "hardware", "firmware_bridge", "web_ui"}

SHARED = ("companion.games.bundle", "companion.games.toolbox")
"""What every game may know of its neighbours."""

MAY_IMPORT = {
    "firmware_bridge": {"firmware_bridge"},
    "hardware": {"hardware", "firmware_bridge"},
    "companion.secrecy": set(),
    "companion.pieces": {"companion.pieces", "companion.refusals", "companion.secrecy"},
    "companion.boxes": {"companion.boxes", "companion.pieces", "companion.refusals", "companion.whole_file"},
    "companion.games": {
        "companion.games",
        "companion.boxes",
        "companion.pieces",
        "companion.game",
        "companion.parts",
        "companion.printed",
        "companion.referee",
        "companion.refusals",
        "companion.secrecy",
        "companion.starting_markers",
        "companion.words",
        "companion.trials",
        "companion.account",
        "companion.drawing",
        "companion.keepsake",
        "companion.lessons",
        "companion.search.insight",
    },
    "companion.search": {
        "companion.search",
        "companion.game",
        "companion.pieces.bag",
        "companion.referee",
        "companion.refusals",
        "companion.secrecy",
        "companion.trials",
    },
    "companion.lessons": {"companion.game", "companion.parts", "companion.refusals"},
    "companion.parts": {
        "companion.game",
        "companion.pieces.box_differences",
        "companion.refusals",
        "companion.secrecy",
    },
    "companion.referee": {
        "companion.game",
        "companion.parts",
        "companion.pieces.box_differences",
        "companion.refusals",
        "companion.secrecy",
    },
    "companion.printed": {
        "companion.boxes",
        "companion.game",
        "companion.parts",
        "companion.pieces.box_differences",
        "companion.referee",
        "companion.refusals",
    },
    "companion.starting_markers": {"companion.game", "companion.parts", "companion.pieces.track"},
    "companion.drawing": {"companion.drawing", "companion.game", "companion.refusals", "companion.words"},
    "companion.keepsake": {"companion.keepsake", "companion.game", "companion.refusals", "companion.words"},
    "companion.words": {"companion.words", "companion.refusals"},
    "companion.words.__main__": {"companion.words", "companion.games"},  # for who translates
    "companion.rulebook": {"companion.game", "companion.games", "companion.lessons", "companion.words"},
    "companion.trials": {"companion.game", "companion.refusals"},
    "companion.account": {"companion.game"},
    "companion": {"companion"},
    "hardware.package.build": {"hardware", "companion"},
    "hardware.package.pages": {"hardware", "companion"},  # what helps with the commands is made of them
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


def arrows(module: str) -> set[tuple[str, str]]:
    """What each file of a module or package imports of ours, as (who, whom)."""
    files = {name_of(file): file for file in sources() if within(name_of(file), module)}
    assert files, module
    return {(who, whom) for who, file in files.items() for whom in imports(file) if whom.split(".")[0] in OURS}


def test_imports_point_down() -> None:
    def points_down(who: str, whom: str) -> bool:
        return any(within(whom, layer) or within(layer, whom) for layer in MAY_IMPORT[layer_of(who)])

    found = {arrow for package in OURS for arrow in arrows(package)}
    assert not sorted(arrow for arrow in found if not points_down(*arrow))


def test_a_game_knows_no_other_game() -> None:
    def knows_another(who: str, whom: str) -> bool:
        own = ".".join(who.split(".")[:3])
        return whom != "companion.games" and not any(within(whom, each) for each in (own, *SHARED))

    found = {(who, whom) for who, whom in arrows("companion.games") if within(whom, "companion.games")}
    assert not sorted(arrow for arrow in found if arrow[0] != "companion.games" and knows_another(*arrow))


def test_the_web_layer_knows_no_rule() -> None:
    rules = [f"companion.games.{game.name}" for game in (ROOT / "companion" / "games").iterdir() if game.is_dir()]
    known = {
        (who, whom) for who, whom in arrows("web_ui") for layer in ("companion.pieces", *rules) if within(whom, layer)
    }
    assert not sorted(known)


def test_the_companion_names_no_device() -> None:
    ours = sorted((ROOT / "companion").rglob("*.py"))
    assert not [name_of(file) for file in ours if "/dev/" in file.read_text(encoding="utf-8")]


def test_the_guard_sees_a_wrong_arrow(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text("from web_ui import app\nimport companion.play.table\n")
    assert {"web_ui", "web_ui.app", "companion.play.table"} == set(imports(wrong))
