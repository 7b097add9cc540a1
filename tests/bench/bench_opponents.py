"""How well bots play: paired games with the same draws and the seats swapped, and how fast courses are played.

``GAMES=200 python -m tests.bench opponents`` plays the whole table, days of a processor: name a box, and run
several beside each other. Without ``GAMES`` it is a short one that tells little: two games with 24 courses a decision.

===============  =====================================================================================================
``GAMES``        so many games in each row
``SIMULATIONS``  so many courses a decision instead of those of the levels, without a clock
``SECONDS``      so long the sharpest level may think instead of its own limit
``BOXES``        the boxes, with commas
``SEATS``        how many sit there: 2, or 2,3,4
===============  =====================================================================================================

OpenSpiel's own ISMCTS plays where open_spiel is installed (``pip install -e .[research]``), with as many simulations.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from companion import games
from companion.game import Chance, Dealt, Finished, Played, Seat, Setup, Turn
from companion.play.hall import Hall
from companion.play.table import HOST
from companion.play.thinking import BotQuestion, Thinker
from companion.search.choice import think
from companion.search.contests import Contest, contest
from companion.search.levels import CURIOUS, SHARP, STEADY, player, thinker
from companion.search.luck import CommonLuck
from companion.search.players import Roster, insight_of
from companion.search.study import study
from companion.trials import Bot
from tests.bench.limits import judged, limited

GAMES = int(os.environ.get("GAMES", "2"))
SIMULATIONS = int(os.environ.get("SIMULATIONS", "0" if "GAMES" in os.environ else "24"))
SECONDS = float(os.environ.get("SECONDS", str(SHARP.seconds)))
SEATS = tuple(map(int, os.environ.get("SEATS", "2").split(",")))
SEED = 2026


def boxes() -> tuple[str, ...]:
    named = os.environ.get("BOXES", "")
    return tuple(named.split(",")) if named else tuple(name for name, mode in games.registered() if mode == "referee")


def game_of(box: str, seats: int) -> Any:
    printed = games.box(box)
    setup = Setup(box, "referee", tuple(Seat(f"bot {seat}") for seat in range(seats)))
    return games.open_game(games.with_defaults(setup, printed), printed)


def challengers(box: str) -> dict[str, Bot]:
    """The levels; with so many courses where that is said."""
    brought = games.bundle(box).refereed
    assert brought is not None
    insight = insight_of(brought())
    if SIMULATIONS:
        return {f"{SIMULATIONS} courses": thinker(SIMULATIONS, insight)}
    levels = (CURIOUS, STEADY, replace(SHARP, seconds=SECONDS))
    return {level.name: player(level, insight) for level in levels}


def told(box: str, seats: int, who: str, against: str, found: Contest) -> str:
    won, ahead = found.won, found.ahead
    return (
        f"{box} {seats} seats, {who} against {against}: won {won.mean:.1%} ± {won.within:.1%} of {found.games}, "
        f"{found.points:.1f} points to {found.others:.1f} ({ahead.mean:+.1f} ± {ahead.within:.1f}), "
        f"{found.seconds * 1000:.0f} ms a decision, slowest {found.slowest:.2f} s"
    )


def rows(box: str, seats: int) -> Iterator[tuple[str, str, Bot, Bot]]:
    """Who plays whom."""
    brought = games.bundle(box).refereed
    assert brought is not None
    roster, bots = Roster.of(brought()), challengers(box)
    best, best_bot = list(bots.items())[-1]
    for name, bot in bots.items():
        yield name, roster.yardstick, bot, roster.bots[roster.yardstick]
    yield best, "random", best_bot, roster.bots["random"]
    names = list(bots)
    for weaker, stronger in pairwise(names):
        yield stronger, weaker, bots[stronger], bots[weaker]
    if (ismcts := _ismcts(box, seats)) is not None:
        courses = SIMULATIONS or STEADY.simulations
        yield (
            f"{courses} courses",
            f"OpenSpiel's ISMCTS with {courses}",
            thinker(courses, insight_of(brought())),
            ismcts,
        )


def _ismcts(box: str, seats: int) -> Bot | None:
    """OpenSpiel's own search, where it is installed."""
    if find_spec("pyspiel") is None:
        return None
    from companion.research.openspiel import ismcts_bot

    return ismcts_bot(box, seats, SIMULATIONS or STEADY.simulations)


def speed(box: str) -> str:
    """Courses a second on a processor, from a moment in the middle of a game."""
    game, brought = game_of(box, 2), games.bundle(box).refereed
    assert brought is not None
    insight, roster = insight_of(brought()), Roster.of(brought())
    state, chance, luck, turns = game.start(), CommonLuck(SEED), random.Random(SEED), 0
    while not isinstance(ask := game.ask(state), Finished):
        if isinstance(ask, Chance):
            state = game.after(state, Dealt(chance.drawn(ask)))
            continue
        seat = ask.seats[0]
        turns += 1
        if turns > 20 and len(game.moves(state, seat).moves) > 3:
            break
        state = game.after(state, Played(seat, roster.bots[roster.yardstick](game, state, seat, luck)))
    begin = time.process_time()
    thought = think(game, insight, state, seat, simulations=200, seed=SEED)
    return f"{box}: {thought.courses / (time.process_time() - begin):,.0f} courses a second"


def memory(box: str) -> float:
    """The most that a thinking process has had, in megabytes, after a decision of the sharpest level."""
    with tempfile.TemporaryDirectory() as folder:
        hall, thinker = Hall(Path(folder)), Thinker()
        setup = Setup(box, "referee", tuple(Seat(f"bot {seat}") for seat in range(2)))
        table = hall.lay(setup, secret=bytes(32))
        while not isinstance(ask := table.ask(), Turn):
            table.answer(HOST, table.seq, f"draw {table.seq}", None)
        thinker.ask(BotQuestion.of(table.laid, table.state, ask.seats[0], SHARP.name, SEED)).result(60)
        status = Path(f"/proc/{thinker.pid}/status").read_text(encoding="ascii")
        thinker.close()
        hall.close()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) / 1024


def studied(box: str) -> float:
    """Seconds of a processor that the study of a game among today's bots takes."""
    game, brought = game_of(box, 2), games.bundle(box).refereed
    assert brought is not None
    roster = Roster.of(brought())
    bot, state, chance, luck, steps = (
        roster.bots[roster.yardstick],
        game.start(),
        CommonLuck(SEED),
        random.Random(1),
        [],
    )
    while not isinstance(ask := game.ask(state), Finished):
        chosen = None if isinstance(ask, Chance) else bot(game, state, ask.seats[0], luck)
        steps.append(Dealt(chance.drawn(ask)) if chosen is None else Played(ask.seats[0], chosen))
        state = game.after(state, steps[-1])
    begin = time.process_time()
    study(game, insight_of(brought()), steps)
    return time.process_time() - begin


def main() -> None:
    for box in boxes():
        print(speed(box), flush=True)
        limited(f"{box}: memory of a thinking process", memory(box), "MB", at_most=120)
        limited(f"{box}: study of a game", studied(box), "s of a processor", at_most=120)
    for box in boxes():
        for seats in (n for n in SEATS if games.box(box).seats.min <= n <= games.box(box).seats.max):
            for who, against, bot, other in rows(box, seats):
                found = contest(game_of(box, seats), bot, other, games=GAMES, seed=SEED)
                print(told(box, seats, who, against, found), flush=True)


if __name__ == "__main__":
    sys.exit(judged({"opponents": main}))
