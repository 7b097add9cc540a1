"""A game in a folder outside the package is found, played, drawn, corrected, taken back, recorded and proved."""

from __future__ import annotations

import io
import random
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from companion import games
from companion.game import Seat, Setup
from companion.play.hall import Hall
from companion.play.proof import verify
from companion.play.record import decode, encode, export
from companion.play.table import HOST, Table
from companion.refusals import Illegal
from companion.terminal.session import Terminal
from tests.laws.play import Presser

ROOT = Path(__file__).parents[2]
SECRET = bytes(range(32))


@pytest.fixture
def table(tmp_path: Path) -> Table:
    setup = Setup("shaft", "referee", (Seat("Ada"), Seat("Ben")))
    return Hall(tmp_path).lay(setup, secret=SECRET)


def test_it_is_found_with_no_other_file_touched() -> None:
    assert "shaft" in games.names()
    assert ("shaft", "referee") in games.registered()
    assert games.box("shaft").title == "The Shaft"
    assert games.folder("shaft").parent.name == "elsewhere"


def test_a_folder_that_does_not_say_what_it_brings_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "hole").mkdir()
    (tmp_path / "hole" / "__init__.py").write_text("GAMES = None\n")
    monkeypatch.setattr(games, "_elsewhere", lambda: {"hole": tmp_path / "hole"})
    with pytest.raises(TypeError, match="GAME must be a Bundle"):
        games.bundle("hole")


def test_it_is_played_to_its_end_recorded_and_proved(table: Table) -> None:
    presser = Presser(table, random.Random(3))
    assert list(presser.go_on(5_000))
    assert table.over()
    record = decode(encode(export(table)))
    proof = verify(record)
    assert proof.holds
    assert proof.draws > 10


def test_the_second_rock_of_a_turn_buries_the_haul(tmp_path: Path) -> None:
    setup = Setup("shaft", "referee", (Seat("Ada"), Seat("Ben")), {"stones": "table"})
    table = Hall(tmp_path).lay(setup)
    for nth, stone in enumerate(("beryl", "rock", "rock")):
        table.play(HOST, table.seq, f"dig {nth}", {"type": "dig"})
        table.answer(HOST, table.seq, f"stone {nth}", stone)
    board = table.game.sees(table.state, None).board
    assert board["haul"] == []
    assert board["bag"] == {"agate": 12, "beryl": 4, "rock": 5}
    assert table.ask().seats == (1,)  # type: ignore[union-attr]


def test_it_is_corrected_and_taken_back(table: Table) -> None:
    with pytest.raises(Illegal, match="There is nothing to carry up yet"):
        table.play(HOST, 0, "too soon", {"type": "climb"})
    table.correct(HOST, 0, "put right", {"type": "kept", "seat": 1, "stone": "beryl", "n": 2})
    assert table.game.tally(table.state).scores[1].total == 6
    table.take_back(HOST, 1, "back")
    assert table.game.tally(table.state).scores[1].total == 0


def test_the_terminal_draws_it_and_speaks_its_words(table: Table) -> None:
    typed, said = io.StringIO("dig\nclimb\nboard\nmoves\n"), io.StringIO()
    assert Terminal(table, "fr", heard=typed, said=said).run() == 0
    lines = said.getvalue()
    assert "Ada plonge la main dans le sac" in lines
    assert "agate ×" in lines
    assert "béryl" in lines


def test_it_has_a_keepsake() -> None:
    from companion.keepsake.panel import Panels

    refereed = games.bundle("shaft").refereed
    assert refereed is not None
    assert isinstance(refereed().panels, Panels)


@pytest.mark.slow
def test_the_command_line_knows_it() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "companion.terminal.cli", "play", "shaft", "--bots", "3", "--games", "20"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "The Shaft" in ran.stdout


def test_it_is_small() -> None:
    """A game is cheap: rules of about 150 lines, and few files."""
    folder = games.folder("shaft")
    lines = (folder / "rules.py").read_text(encoding="utf-8").splitlines()
    assert len([line for line in lines if line.strip()]) <= 150
    assert len([file for file in folder.rglob("*") if file.is_file() and "__pycache__" not in file.parts]) <= 13


def test_the_picture_of_its_end_is_drawn(table: Table) -> None:
    list(Presser(table, random.Random(5)).go_on(5_000))
    from web_ui.api.tables import keepsake_of

    picture = Image.open(io.BytesIO(keepsake_of(table, "de")))
    assert picture.size == (2480, 1748)
