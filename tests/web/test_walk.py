"""One press, through every module it enters: as `docs/architecture.md` tells it."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from flask import Flask

from tests.web.people import Asker, sit_down

ROOT = Path(__file__).parents[2]
LAYERS = ("web_ui", "companion", "hardware", "firmware_bridge")
PAGE = ROOT / "docs" / "architecture.md"


class Walk:
    """Notes in which order modules of ours are entered, in all threads that begin while it is made."""

    def __init__(self) -> None:
        self.notes = False
        self.modules: dict[str, None] = {}

    def enter(self, frame: FrameType, event: str, arg: object) -> None:
        if self.notes and event == "call":
            file = Path(frame.f_code.co_filename)
            if file.is_relative_to(ROOT) and file.relative_to(ROOT).parts[0] in LAYERS:
                module = str(file.relative_to(ROOT))
                if self.modules or module == SPINE[0]:  # what the press before has left to do is no part of it
                    self.modules.setdefault(module)


@contextmanager
def walking() -> Iterator[Walk]:
    """Have calls noted; before the service has begun its threads."""
    walk = Walk()
    threading.setprofile(walk.enter)
    sys.setprofile(walk.enter)
    try:
        yield walk
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def press(host: Asker, seq: int, knowledge: int) -> None:
    move = {"type": "dial", "knowledge": knowledge}
    answer = host.post("/moves", {"seq": seq, "request": f"press {knowledge}", "move": move})
    assert answer.status_code == 200, answer.text


def told() -> list[str]:
    """The modules that the page names, in its order."""
    section = PAGE.read_text(encoding="utf-8").partition("## One press\n")[2].partition("\n## ")[0]
    return re.findall(r"^\| `([a-z_/]+\.py)` \|", section, re.MULTILINE)


SPINE = ("web_ui/asgi.py", "web_ui/scheduler.py", "web_ui/api/tables.py", "companion/play/table.py")
AFTER = ("companion/referee.py", "companion/play/sqlite_journal.py", "web_ui/views.py", "companion/play/view.py")
"""The way itself; beside it threads of their own go on, and come when they come."""


def test_a_press_goes_through_the_modules_that_the_page_names(app: Flask) -> None:
    """A press in a toolbox that nobody watches, after another: what is made once is there."""
    begun = threading.Event()
    with walking() as walk:
        host = sit_down(app)
        press(host, host.view["seq"], 1)
        app.extensions["digside"].views.later(begun.set)
        assert begun.wait(10), "who plays together is noted with the first press, by another thread"
        seq = host.view["seq"]
        walk.notes = True
        press(host, seq, 2)
        walk.notes = False
    walked = list(walk.modules)
    assert set(walked) == set(told())
    for order in (walked, told()):
        assert [each for each in order if each in SPINE + AFTER] == [*SPINE, *AFTER]
