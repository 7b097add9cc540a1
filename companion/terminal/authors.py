"""What helps whoever adds a game: a skeleton to begin with, golden games to keep, and a verdict on the whole."""

from __future__ import annotations

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from companion.refusals import AsTyped, Malformed

Added = Callable[[str, str, Callable[[Any], int]], argparse.ArgumentParser]
"""Adds a command: its name, what it is about, what runs it."""

ROOT = Path(__file__).parents[2]
SKELETON = ROOT / "companion" / "skeleton" / "newgame"
LAWS = ROOT / "tests" / "laws"
NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")


def add_to(added: Added) -> None:
    """Add the commands."""
    new = added("new-game", "write a small game to begin one of your own with", run_new)
    new.add_argument("name", help="what it is called: small letters, digits and _")
    new.add_argument("--to", type=Path, default=Path(), metavar="DIR", help="where its folder goes (default: here)")
    golden = added("golden", "play a game at random and keep it among the golden games of its folder", run_golden)
    golden.add_argument("folder", type=Path, help="the folder of the game")
    golden.add_argument("--seed", type=int, default=1, help="another seed, another game (default: %(default)s)")
    golden.add_argument("--seats", type=int, help="how many play (default: as few as can)")
    golden.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="as when a table is laid")
    golden.add_argument("--name", help="what the file is called (default: by the seed)")
    check = added("check-game", "hold a game against every law that a game has to keep", run_check)
    check.add_argument("folders", type=Path, nargs="+", metavar="folder", help="the folder of the game")


def run_new(options: argparse.Namespace) -> int:
    """Write the skeleton under another name."""
    written = write_skeleton(options.name, options.to)
    shelf = written.parent.resolve()
    print(f"{written} is there. Next:")
    print(f"  digside check-game {written}")
    print(f"  DIGSIDE_GAMES={shelf} digside serve")
    return 0


def write_skeleton(name: str, where: Path) -> Path:
    """The folder of a new game.

    :raises Malformed: where the name is none, or there is such a folder or such a game.
    """
    from companion import games

    if not NAME.fullmatch(name):
        raise Malformed("cli.game_name", name=AsTyped(name))
    folder = where / name
    if folder.exists() or name in (*games.REGISTER, games.TOOLBOX):
        raise Malformed("cli.game_there", folder=AsTyped(str(folder)))
    words = name.split("_")
    called = {
        "newgame": name,
        "NewGame": "".join(map(str.capitalize, words)),
        "New Game": " ".join(map(str.capitalize, words)),
        "NEW": (re.sub("[^A-Z]", "", name.upper()) + "XXX")[:3],
    }
    for file in sorted(SKELETON.rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts:
            text = file.read_text(encoding="utf-8")
            for old, new in called.items():
                text = text.replace(old, new)
            to = folder / file.relative_to(SKELETON)
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_text(text, encoding="utf-8")
    return folder


def run_golden(options: argparse.Namespace) -> int:
    """Play one game, and keep it."""
    from companion import games
    from companion.play import golden

    folder: Path = options.folder.resolve()
    _expect_games([folder])
    with _shelf([folder]) as shelf:
        games.look_in(shelf)
        told = golden.at_random(folder.name, random.Random(options.seed), options.seats, _said(options.option))  # noqa: S311
    file = folder / "golden" / f"{options.name or f'seed_{options.seed}'}.json"
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(golden.encode(told))
    print(file)
    return 0


def run_check(options: argparse.Namespace) -> int:
    """Hold games against the laws, and say how it went."""
    from companion.terminal.cli import language
    from companion.words import say

    if not LAWS.is_dir() or find_spec("pytest") is None:
        raise Malformed("cli.no_laws", folder=AsTyped(str(LAWS)))
    folders = [*dict.fromkeys(folder.resolve() for folder in options.folders)]
    _expect_games(folders)
    names = ",".join(folder.name for folder in folders)
    with _shelf(folders) as shelf:
        judged = subprocess.run(  # noqa: S603 -- our own tests
            [sys.executable, "-B", "-m", "pytest", str(LAWS), "-p", "no:cacheprovider", "--tb=short", "--no-header"],
            cwd=ROOT,
            env={**os.environ, "DIGSIDE_GAMES": shelf, "DIGSIDE_CHECK": names, "PYTHONDONTWRITEBYTECODE": "1"},
            check=False,
        )
    print(say(language(), "cli.game_broken" if judged.returncode else "cli.game_holds", {"name": AsTyped(names)}))
    return 1 if judged.returncode else 0


def _expect_games(folders: Sequence[Path]) -> None:
    """Refuse a folder that is no game, and two games of one name.

    :raises Malformed: if it is none.
    """
    for folder in folders:
        if [each.name for each in folders].count(folder.name) > 1:
            raise Malformed("cli.game_there", folder=AsTyped(folder.name))
        if not (folder / "__init__.py").is_file():
            raise Malformed("cli.no_game_there", folder=AsTyped(str(folder)))


@contextmanager
def _shelf(folders: Sequence[Path]) -> Iterator[str]:
    """A folder in which these games are, and nothing else."""
    with tempfile.TemporaryDirectory() as shelf:
        for folder in folders:
            (Path(shelf) / folder.name).symlink_to(folder, target_is_directory=True)
        yield shelf


def _said(options: Sequence[str]) -> dict[str, bool | int | str]:
    """Options as they are typed: ``NAME=VALUE``."""
    said: dict[str, bool | int | str] = {}
    for option in options:
        name, _, value = option.partition("=")
        plain: dict[str, bool] = {"true": True, "false": False}
        said[name] = plain[value] if value in plain else int(value) if value.isdecimal() else value
    return said
