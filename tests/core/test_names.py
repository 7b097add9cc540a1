"""A game lives in three folders and one line: nowhere else is one named, nor what only one of them has."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import games
from companion.words import sentences

ROOT = Path(__file__).parents[2]
REGISTER = "companion/games/__init__.py"
READ = {".py", ".js", ".css", ".html", ".toml", ".c", ".h", ".service", ".webmanifest"}

PLAIN = {
    "last": "of an enumeration, or a day",
    **dict.fromkeys(("back", "chain", "found", "open", "over", "passed", "total", "turning"), "words of every day"),
    "a": "a letter",
    "alcoves": "what a plan may have beside its squares",
    **dict.fromkeys(("barricades", "doubled", "scarabs"), "what a tool counts, which any box may have"),
    "discards": "a pile in any box with cards",
    **dict.fromkeys(("black", "blue", "green", "red", "white", "yellow"), "colours: of dice, of a light, of a wire"),
    **dict.fromkeys(("gold", "silver"), "coins, and metals to draw with"),
    **dict.fromkeys(("earth", "layer", "layers"), "a tray has them in any box, and they are drawn with"),
    **dict.fromkeys(("book", "open_book"), "kinds of tokens in any bag"),
    **dict.fromkeys(("block", "chest", "den", "mummy", "pond", "sand"), "what the toolbox has too"),
    "rubble": "lies in bags too",
    "horus": "its line in the register",
    **dict.fromkeys(("search", "seen", "shown"), "words of every day"),
    "supply": "of power, which a bench measures",
    "at_bag": "a place for any token",
    "storage": "what a disk does, too",
    **dict.fromkeys(("best", "deck", "hand", "look", "unknown"), "what any game with cards has, and what anybody does"),
    "chart": "what a box may print in place of a dial, and the toolbox draws",
    "objects": "tokens that are worth something, in any bag",
}
"""What one game alone has a name for and a shared file may say all the same, and why."""


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


def pieces_of_one_game() -> set[str]:
    """What exactly one game has a name for, and neither another nor the toolbox nor all together."""
    own = [{key.split(".", 2)[2] for key in sentences("en", name) if ".name." in key} for name in games.REGISTER]
    shared = {key.split("name.", 1)[1] for key in sentences("en") if key.startswith("name.")}
    shared |= {key.split(".", 2)[2] for key in sentences("en", games.TOOLBOX) if ".name." in key}
    return {each for names in own for each in names if sum(each in other for other in own) == 1} - shared


def words_in(file: Path) -> Iterator[str]:
    """What stands between quotation marks in a file, by itself, and the keys of its tables; remarks are left out."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".py":
        yield from (str(each.value) for each in ast.walk(ast.parse(text)) if isinstance(each, ast.Constant))
    else:
        code = re.sub(r"/\*\*.*?\*/|^\s*//.*?$", "", text, flags=re.DOTALL | re.MULTILINE)
        yield from re.findall(r"""["'`]([\w:-]+)["'`]""", code)
        yield from re.findall(r"(?:^|[{,])\s*(\w+): ", code, re.MULTILINE)


def test_no_shared_file_knows_a_piece_that_one_game_alone_has() -> None:
    pieces = pieces_of_one_game()
    said = {
        (str(file.relative_to(ROOT)), word)
        for file in shared_files()
        if file.suffix in {".py", ".js"}
        for word in words_in(file)
        if word in pieces
    }
    assert pieces
    assert {(file, word) for file, word in said if word not in PLAIN} == set()
    assert PLAIN.keys() - {word for _, word in said} == set(), "the list is no longer than it has to be"


@pytest.mark.parametrize(
    ("suffix", "said"),
    [
        (".py", 'signs = {"palestine": 1}'),
        (".py", 'if site == "palestine":\n    pass'),
        (".js", "const FINDS = { palestine: 1 };"),
        (".js", "const FINDS = {\n  palestine: 1,\n};"),
        (".js", "const site = `palestine`;"),
    ],
)
def test_the_search_sees_a_piece(suffix: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / f"file{suffix}"
    file.write_text(said)
    assert "palestine" in words_in(file)


def test_the_shell_asks_for_no_piece() -> None:
    """What is asked of everybody has no place for a square, a site or a stone: a game asks with its own words."""
    assert {key: said for key, said in sentences("en").items() if key.startswith("ui.ask.") and "{" in said} == {}


def test_the_shell_knows_no_piece_of_one_game() -> None:
    """What moves, corrections and draws of one game are called is said in no shared script."""
    tags = {
        str(kind.__struct_config__.tag)
        for name, mode in games.registered()
        if mode == "referee" and (kind_of := games.kind(games.box(name), mode))
        for kind in (*kind_of.open_game.acts, *kind_of.open_game.corrections)  # type: ignore[attr-defined]
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


def ours() -> Iterator[tuple[str, ast.Module]]:
    """Every module of the package, the games' and the skeleton's with them, by its place."""
    listed = subprocess.run(["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for place in listed.split():
        if not place.startswith("tests/"):
            yield place, ast.parse((ROOT / place).read_text(encoding="utf-8"))


def tag_of(node: ast.ClassDef) -> str | None:
    """The word by which a move or a correction is written down."""
    tags = (each.value.value for each in node.keywords if each.arg == "tag" and isinstance(each.value, ast.Constant))
    return next((str(tag) for tag in tags), None)


def test_no_two_public_classes_share_a_name() -> None:
    """But for one deed that several games know: a move or a correction that is written down by the same word."""
    found: dict[str, list[tuple[str, str | None]]] = {}
    for place, tree in ours():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found.setdefault(node.name, []).append((place, tag_of(node)))
    shared = {name: where for name, where in found.items() if len(where) > 1}
    assert {
        name: where
        for name, where in shared.items()
        if len({tag for _, tag in where} | {None}) > 2
        or any(tag is None for _, tag in where)
        or len({Path(place).parent for place, _ in where}) < len(where)
    } == {}


FEW = 8
"""In so many modules a public function or method may have the same name by chance."""

MEANS = {
    # What resources and running things share.
    "close": "let go of what is held: a file, a thread, a connection",
    "start": "begin to run; of a game: its first state",
    "stop": "end what runs, at once and safely",
    "run": "go through all of it, until it is done",
    "main": "the entry of a program",
    "listen": "have a function called with what is new",
    "read": "take in what somebody wrote",
    "state": "how it is at this moment",
    "forget": "drop what was remembered",
    "check": "see whether it is as it has to be, and do something where it is not",
    "ask": "what is asked now; or ask it",
    "of": "a value made out of another (a constructor)",
    "at": "where something stands; or what stands there",
    "known": "what is there to be known of something",
    # What games write: companion/parts.py, companion/referee.py, companion/games/toolbox/kit.py.
    "agreed": "the terms of a table",
    "players_to_move": "whose turn it is",
    "thinkable": "the moves of a kind that could be meant",
    "why_not": "the refusal of a move, an outcome or a correction",
    "done": "the table after a move or a correction",
    "log_facts": "what the log tells of it",
    "due": "whether a draw, or something that recurs, is next",
    "chance": "the question of a draw",
    "apply_outcome": "the table after an outcome",
    "off_list_outcomes": "outcomes that only our figures exclude",
    "amend_for": "the table as it must be for such an outcome",
    "offered_values": "what a field of a correction may say",
    "current_values": "corrections that say what is so",
    "withdrawn": "the table once a hand has what it wanted",
    "listed": "the moves that a screen lists",
    "loose": "parts of a box whose counts no rule fixes",
    "counted": "how many there are of everything, for the law that nothing is lost",
    "scored": "points",
    "to_show": "the outcomes that are to be seen at a table to learn at",
    "board": "what everybody sees",
    "hand": "what one seat alone sees",
    "help": "help before a move",
    "laid_out": "as it comes out of the box",
}
"""Names that many modules have, each with the one meaning that it has in all of them."""


def test_a_public_function_name_that_many_modules_have_means_one_thing() -> None:
    places: dict[str, set[str]] = {}
    for place, tree in ours():
        for scope in ast.walk(tree):
            if isinstance(scope, ast.Module | ast.ClassDef):
                for each in scope.body:
                    if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef) and not each.name.startswith("_"):
                        places.setdefault(each.name, set()).add(place)
    assert {name: sorted(where) for name, where in places.items() if len(where) > FEW and name not in MEANS} == {}
    assert {name for name in MEANS if len(places.get(name, ())) < FEW / 2} == set(), "no longer than it has to be"
