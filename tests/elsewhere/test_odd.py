"""Odd games, and the skeleton that games are begun with, keep every law with no file of the tree touched."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import games
from companion.play import golden
from companion.terminal import authors, cli
from tests.elsewhere import odd
from tests.laws.play import Way
from tests.laws.test_ends import played_to_its_end

ROOT = Path(__file__).parents[2]
SHELF = os.environ[games.ELSEWHERE]


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Path]:
    """A folder for games; afterwards those are found that were there before."""
    yield tmp_path
    games.look_in(SHELF)


def digside(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "companion.terminal.cli", *map(str, words)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_odd_games_and_the_skeleton_keep_every_law(shelf: Path) -> None:
    """One seat and twelve, all at once, no draws, only secret ones, no corrections, no end."""
    folders = [*odd.write(shelf), authors.write_skeleton("my_hill", shelf)]
    checked = digside("check-game", *folders)
    assert checked.returncode == 0, checked.stdout
    assert "every law" in checked.stdout.splitlines()[-1]
    assert "skipped" not in checked.stdout


MISTAKES = {
    "loses": ("rules.py", "(*state.players[state.seat].pebbles, pebble)", "state.players[state.seat].pebbles"),
    "wordless": ("words/fr.toml", "reach = ", "reached = "),
    "lawless": ("rules.py", '_left", rule="LAW-01"', '_left", rule="LAW-99"'),
    "changed": ("rules.py", 'WHITE = "white"', 'WHITE = "black"'),
}
"""What somebody might do wrong in a game begun with the skeleton: in which file, and what for what."""
BROKEN = {
    "loses": "test_nothing_is_lost_and_nothing_made",
    "wordless": "test_all_that_can_be_done_and_chosen_has_words",
    "lawless": "test_a_refusal_tells_a_program_what_its_sentence_says_and_no_more",
    "changed": "test_a_golden_game_comes_out_the_same_and_is_told_the_same",
}
"""The law by which each is found."""


@pytest.mark.slow
def test_a_game_that_breaks_a_law_is_told_which(tmp_path: Path) -> None:
    for name, (file, right, wrong) in MISTAKES.items():
        path = authors.write_skeleton(name, tmp_path) / file
        text = path.read_text("utf-8")
        assert right in text
        path.write_text(text.replace(right, wrong), "utf-8")
    checked = digside("check-game", *(tmp_path / name for name in MISTAKES))
    assert checked.returncode == 1
    failed = [line for line in checked.stdout.splitlines() if line.startswith("FAILED")]
    for name, law in BROKEN.items():
        assert any(law in line and name in line for line in failed), (name, failed)


def test_an_end_that_hangs_on_a_report_comes_about_in_the_skeleton(shelf: Path) -> None:
    """Else the law of such ends would say nothing of it."""
    authors.write_skeleton("hanging_hill", shelf)
    games.look_in(str(shelf))
    assert played_to_its_end(Way("hanging_hill", "referee", 4)) is not None


def test_a_recorded_game_is_kept_with_its_folder(shelf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = authors.write_skeleton("kept_hill", shelf)
    assert cli.main(["golden", str(folder), "--seed", "7", "--seats", "3", "--name", "three"]) == 0
    file = folder / "golden" / "three.json"
    assert capsys.readouterr().out == f"{file}\n"
    kept = golden.read_golden(file)
    assert kept is not None
    assert (len(kept.seats), golden.replay(kept)) == (3, kept)
    assert golden.encode(kept) == file.read_bytes()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("new-game", "My Hill"), "small letters"),
        (("new-game", "there"), "already"),
        (("new-game", "toolbox"), "already"),
        (("check-game", "nowhere"), "no game in"),
        (("golden", "nowhere"), "no game in"),
        (("golden", "there", "--seats", "9"), "2 to 4"),
        (("golden", "there", "--option", "lively=true"), "lively"),
    ],
)
def test_what_an_author_gets_wrong_is_said(
    words: tuple[str, ...], told: str, shelf: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shelf)
    authors.write_skeleton("there", shelf)
    assert cli.main(words) == 1
    assert told in capsys.readouterr().err


def test_where_the_laws_are_not_it_is_said(
    shelf: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(authors, "LAWS", shelf / "laws")
    assert cli.main(["check-game", str(authors.write_skeleton("there", shelf))]) == 1
    assert "source" in capsys.readouterr().err
