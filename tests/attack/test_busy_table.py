"""A long table that is asked about while it is played: whoever presses waits for none of it."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from companion.play import record as records
from companion.play.hall import Hall
from companion.play.record import export
from tests.web.people import Asker
from web_ui.api import luck as rolled


@pytest.mark.parametrize("what", ["record", "luck"])
def test_a_press_does_not_wait_for_what_is_told_of_the_whole_table(
    table: Asker, hall: Hall, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = hall.table(table.laid["table"])
    table.press("/moves", move={"type": "draw", "bag": "egypt", "count": 2, "seat": 0})
    asked, may_go_on = threading.Event(), threading.Event()

    def slowly(real: Any) -> Any:
        def told(*given: Any, **named: Any) -> Any:
            if threading.current_thread() is telling:
                asked.set()
                assert may_go_on.wait(20)
            return real(*given, **named)

        return told

    monkeypatch.setattr(records, "_masked", slowly(records._masked))
    monkeypatch.setattr(rolled, "_is_secret", slowly(rolled._is_secret))
    calls = {"record": lambda: export(here), "luck": lambda: rolled.luck(here)}
    telling = threading.Thread(target=calls[what])
    telling.start()
    assert asked.wait(20)
    assert here.lock.acquire(timeout=5), "the table is held while it is told"
    here.lock.release()
    may_go_on.set()
    telling.join(20)
