"""How many bytes a step is on a live line in the middle of a game, as our pages ask for it, and how long they take."""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from companion.game import Chance, Setup
from companion.play.hall import Hall
from companion.play.show import bots_of
from companion.play.table import HOST, SPECTATOR, Actor, Table
from companion.play.view import aids_in_json, view_in_json, view_in_parts
from tests.bench.evenings import BOXES, MODES, SEATS
from tests.bench.limits import limited
from web_ui.views import Tracked

BEFORE = 60  # entries before the middle of a game
STEPS = 80
GAMES = 2
AT_MOST = {"jenseits": 4.0}  # kB, the median
OTHERS_AT_MOST = 3.0
VIEWERS: tuple[Actor, ...] = (SPECTATOR, Actor("seat", 0), HOST)


def main() -> None:
    for box in BOXES:
        for mode in MODES:
            measure(box, mode)


def measure(box: str, mode: Any) -> None:
    """Games of one kind, as three kinds of viewers are told of them."""
    luck = random.Random(27)
    told, whole, apart, took = list[int](), list[int](), list[int](), list[float]()
    for _ in range(GAMES):
        for table in middle(box, mode, luck):
            for actor in VIEWERS:
                whole.append(len(view_in_json(table, actor)))
                if mode == "referee" and actor == HOST:
                    apart.append(len(aids_in_json(table, None)))
                began = time.thread_time()
                event = told_of(table, actor)
                if event is not None:
                    took.append(time.thread_time() - began)
                    told.append(len(event))
    name = f"{box} {mode}, {len(SEATS)} seats"
    limit = AT_MOST.get(box, OTHERS_AT_MOST)
    tenth = sorted(told)[len(told) * 9 // 10] / 1000
    figures = f"one in ten over {tenth:.2f}; the whole view {statistics.median(whole) / 1000:.1f}"
    limited(f"a step on a stream, {name}", statistics.median(told) / 1000, "kB", at_most=limit, more=figures)
    print(f"its making, {name}: {statistics.median(took) * 1e6:.0f} us of processor for each kind of viewer")
    if apart:
        print(f"help that is asked for apart, {name}: {statistics.median(apart) / 1000:.1f} kB")


def middle(box: str, mode: Any, luck: random.Random) -> Iterator[Table]:
    """A game after each press in its middle; refereed ones are played by those who know how."""
    with tempfile.TemporaryDirectory() as folder:
        hall = Hall(Path(folder))
        table = hall.lay(Setup(box, mode, SEATS), secret=luck.randbytes(32), kept=False)
        SCREENS.clear()
        for _ in range(BEFORE + STEPS):
            if table.over():
                break
            press(table, luck)
            if table.seq > BEFORE:
                yield table
        hall.close()


SCREENS: dict[Actor, Tracked] = {}


def told_of(table: Table, actor: Actor) -> bytes | None:
    """What somebody is told who has all before it; None the first time."""
    parts = view_in_parts(table, actor)
    if actor not in SCREENS:
        SCREENS[actor] = Tracked(table.seq, parts)
        return None
    return SCREENS[actor].goes_on(table.seq, parts)


def press(table: Table, luck: random.Random) -> None:
    """Somebody does what there is to do."""
    seq, ask = table.seq, table.ask()
    if isinstance(ask, Chance):
        table.answer(HOST, seq, f"press {seq}", None)
        return
    bots = bots_of(table.setup.box) if table.setup.mode == "referee" else {}
    made: Any
    if bots:
        bot, seat = [*bots.values()][-1], luck.choice(ask.seats)  # type: ignore[union-attr]
        made = msgspec.to_builtins(bot(table.game, table.state, seat, luck))
        table.play(HOST, seq, f"press {seq}", made, seat=seat)
    else:
        made = msgspec.to_builtins(luck.choice(table.moves(HOST).moves))
        table.play(HOST, seq, f"press {seq}", made)


if __name__ == "__main__":
    main()
