"""A bot plays along in the terminal, in the last seats."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

from companion.game import Seat, Setup
from companion.games.jenseits.bots import sensible
from companion.play.entries import MovePlayed
from companion.play.hall import Hall
from companion.terminal.session import Terminal
from tests.core.test_cli import digside


def test_a_bot_moves_whenever_it_is_asked(tmp_path: Path) -> None:
    hall, said = Hall(tmp_path), StringIO()
    table = hall.lay(Setup("jenseits", "referee", (Seat("Ada"), Seat("bot"))), secret=bytes(32))
    Terminal(table, "en", bots={1: sensible}, heard=StringIO("\n\n\n\nAda: retire\n\n\n"), said=said).run()
    moved = [line.entry.seat for line in table.written if isinstance(line.entry, MovePlayed)]
    hall.close()
    assert moved.count(0) == 1
    assert moved.count(1) > 3


def test_a_bot_is_named_by_its_level_and_the_game_is_refereed(tmp_path: Path) -> None:
    played = digside("play", "horus", "--with", "curious", "--with", "sensible", data=tmp_path, typed="quit\n")
    assert played.returncode == 0, played.stderr
    assert "curious 1" in played.stdout
    assert "sensible 2" in played.stdout
    refused = digside("play", "horus", "--with", "clever", data=tmp_path)
    assert refused.returncode == 1
    assert "clever" in refused.stderr
    assert len(digside("hall", data=tmp_path).stdout.splitlines()) == 1, "no table is laid for a bot that there is not"
