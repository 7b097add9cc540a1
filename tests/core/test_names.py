"""A game lives in three folders and one line: nowhere else is one named, nor what only one of them has."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from companion import games

ROOT = Path(__file__).parents[2]
REGISTER = "companion/games/__init__.py"
READ = {".py", ".js", ".css", ".html", ".toml", ".c", ".h", ".service", ".webmanifest"}


def shared_files() -> list[Path]:
    """Every file of ours that belongs to no game; tests lay tables of some game or other."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    own = [f"{place}/{name}/" for name in games.REGISTER for place in ("companion/games", "web_ui/static/boards")]
    return [
        ROOT / file
        for file in listed
        if not file.startswith(("tests/", "web_ui/static/vendor/", *own)) and Path(file).suffix in READ
    ]


def names() -> re.Pattern[str]:
    """The names of the games, as they are written in code and in sentences."""
    words = {word for name in games.REGISTER for word in (name, name.replace("_", "[ -]?"))}
    return re.compile(rf"(?<![a-z])({'|'.join(sorted(words))})(?![a-z])", re.IGNORECASE)


def test_no_file_outside_its_folders_names_a_game() -> None:
    named = {
        str(file.relative_to(ROOT)): sorted(set(found))
        for file in shared_files()
        if (found := names().findall(file.read_text(encoding="utf-8")))
    }
    assert named.pop(REGISTER), "the register has a line for each"
    assert named == {}


def test_the_shell_knows_no_piece_of_one_game() -> None:
    """What moves, corrections and draws of one game are called is said in no shared script."""
    tags = {
        str(kind.__struct_config__.tag)
        for name, mode in games.registered()
        if mode == "referee" and (kind_of := games.kind(games.box(name), mode))
        for kind in (*kind_of.open_game.acts, *kind_of.open_game.mends)  # type: ignore[attr-defined]
    }
    apart = {"boards", "rig"}  # the rig's page tells of the rig, and no table
    shared = [file for file in shared_files() if file.suffix == ".js" and not apart & set(file.parts)]
    said = {
        f"{file.relative_to(ROOT)}: {tag}"
        for file in shared
        for tag in tags
        if re.search(rf"""type: ["']{tag}["']|^\s*{tag}: \(""", file.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert said == set()
