"""A long table that is asked about while it is played: whoever presses waits for none of it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from companion.play import open_tables, snapshot_keeper
from companion.play import record as records
from companion.play.hall import Hall
from companion.play.record import export
from companion.play.snapshots import FOLDER
from companion.play.table import Table
from tests.web.people import Asker
from web_ui.api import luck as rolled


class Slow:
    """Has something wait, in any thread but the test's own, until it may go on."""

    def __init__(self) -> None:
        self.asked, self.may_go_on = threading.Event(), threading.Event()
        self.thread: threading.Thread | None = None

    def __call__(self, real: Any) -> Any:
        def told(*given: Any, **named: Any) -> Any:
            if threading.current_thread() is not threading.main_thread():
                self.asked.set()
                assert self.may_go_on.wait(20)
            return real(*given, **named)

        return told

    def check_waits_for_nobody(self, here: Table, tell: Callable[[], object]) -> None:
        """While it is told, the table is not held."""
        self.thread = threading.Thread(target=tell)
        self.thread.start()
        assert self.asked.wait(20)
        assert here.lock.acquire(timeout=5), "the table is held meanwhile"
        here.lock.release()
        self.may_go_on.set()
        self.thread.join(20)


@pytest.mark.parametrize("what", ["record", "luck"])
def test_a_press_does_not_wait_for_what_is_told_of_the_whole_table(
    table: Asker, hall: Hall, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = hall.table(table.laid["table"])
    table.press("/moves", move={"type": "draw", "bag": "egypt", "count": 2, "seat": 0})
    slowly = Slow()
    monkeypatch.setattr(records, "_masked", slowly(records._masked))
    monkeypatch.setattr(rolled, "_is_secret", slowly(rolled._is_secret))
    calls = {"record": lambda: export(here), "luck": lambda: rolled.luck(here)}
    slowly.check_waits_for_nobody(here, calls[what])


@pytest.mark.parametrize("what", ["corrections", "moves", "as it was"])
def test_a_press_does_not_wait_for_what_is_worked_out_at_the_table(
    table: Asker, hall: Hall, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A guest with a seat, or the host's key, may ask for it again and again."""
    here = hall.table(table.laid["table"])
    for knowledge in (2, 3):
        table.dial(knowledge)
    slowly = Slow()
    for name in ("correction_form", "moves", "public_board"):
        monkeypatch.setattr(here.game, name, slowly(getattr(here.game, name)))
    path = {"corrections": "/corrections", "moves": "/moves", "as it was": "?seq=1"}[what]
    slowly.check_waits_for_nobody(here, lambda: table.get(path))


def test_what_took_long_is_worked_out_once_as_long_as_nobody_plays(
    table: Asker, hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, made = hall.table(table.laid["table"]).game, list[str]()
    mending = game.correction_form

    def counted(state: Any) -> Any:
        made.append("correction_form")
        return mending(state)

    monkeypatch.setattr(game, "correction_form", counted)
    first = table.get("/corrections")
    assert table.get("/corrections").data == first.data
    assert made == ["correction_form"]
    table.dial()
    assert table.get("/corrections").json["seq"] > first.json["seq"]
    assert made == ["correction_form"] * 2
    assert table.seat(0).get("/corrections").status_code == 403, "what is kept is told to nobody else"


def test_strangers_have_no_long_table_played_again(app: Flask, table: Asker, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that lies cold without a snapshot is opened for whoever has a key of it, and for the owner."""
    service = app.extensions["digside"]
    for module in (open_tables, snapshot_keeper):
        monkeypatch.setattr(module, "SHORT", 2)

    def cold() -> None:
        service.hall._at_hand.clear()
        service.hall._tables.clear()
        for file in (service.hall.folder / FOLDER).glob("*"):
            file.unlink()

    for n in range(4):
        table.dial(n % 8 + 1)
    for who in (table.spectator, table.with_key(None)):
        cold()
        refused = who.get()
        assert (refused.status_code, refused.json["error"]["code"]) == (503, "asleep")
        assert refused.headers["Retry-After"]
        assert who.get("/luck").status_code == 503
    for who in (table.seat(0), table, table.owner):
        cold()
        assert who.get().status_code == 200
    cold()
    assert table.with_key("a guess").get().status_code in {401, 503}
