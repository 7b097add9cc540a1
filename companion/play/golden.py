"""Golden games: whole games as they were played, kept with how they came out and what everybody was told on the way."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Mapping
from functools import reduce
from operator import or_
from pathlib import Path
from typing import Any, Literal

import msgspec

from companion import games
from companion.game import (
    AnyGame,
    Chance,
    Corrected,
    Correction,
    Dealt,
    Finished,
    Mode,
    Move,
    Played,
    Seat,
    Setup,
    Source,
    Step,
)
from companion.refusals import Malformed
from companion.trials import random_outcome

MOST_STEPS = 400
"""A game that takes longer is closed as it stands."""


class Golden(msgspec.Struct, frozen=True, omit_defaults=True):
    """A whole game.

    :param steps: ``{"seat", "move"}``, ``{"outcome"}`` or ``{"correction"}``, one after another.
    :param closed: the host ended it as it stood.
    :param told: what everybody was told of the steps, and which are masked in a record: its SHA-256.
    """

    box: str
    rules: int
    seats: tuple[str, ...]
    steps: tuple[dict[str, Any], ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    told: str
    mode: Mode = "referee"
    options: dict[str, bool | int | str] = {}
    sources: dict[str, Source] = {}
    closed: bool = False
    format: Literal["digside-golden"] = "digside-golden"


def read_golden(file: Path) -> Golden | None:
    """A golden game; None where a file holds something else."""
    content = file.read_bytes()
    if b'"digside-golden"' not in content:
        return None
    return msgspec.json.decode(content, type=Golden)


def encode(golden: Golden) -> bytes:
    """As a file has it: a step to a line."""
    whole: dict[str, Any] = msgspec.to_builtins(golden)
    steps = whole.pop("steps")
    head = ",\n".join(f" {_json(name)}: {_json(part)}" for name, part in {"format": golden.format, **whole}.items())
    lines = ",\n".join(f"  {_json(step)}" for step in steps)
    return f'{{\n{head},\n "steps": [\n{lines}\n ]\n}}\n'.encode()


def _json(value: object) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=0).decode()


def game_of(golden: Golden) -> AnyGame:
    """The game, as it was laid."""
    return _game(golden.box, golden.mode, golden.seats, golden.options, golden.sources, golden.rules)


def _game(
    box: str,
    mode: Mode,
    seats: tuple[str, ...],
    options: dict[str, bool | int | str],
    sources: dict[str, Source],
    rules: int | None,
) -> AnyGame:
    found = games.box(box)
    setup = Setup(box, mode, tuple(map(Seat, seats)), dict(sources), options=dict(options))
    return games.open_game(games.with_defaults(setup, found), found, rules)


def as_golden(game: AnyGame, setup: Golden, played: list[tuple[Any, Step]], last: Any) -> Golden:
    """The game that was played, as it is kept."""
    over = isinstance(game.ask(last), Finished)
    end = game.tally(last if over else game.closed(last))
    return msgspec.structs.replace(
        setup,
        steps=tuple(_written(step) for _, step in played),
        scores=tuple(score.total for score in end.scores),
        winners=end.winners,
        told=digest(game, played),
        closed=not over,
    )


def digest(game: AnyGame, played: list[tuple[Any, Step]]) -> str:
    """What everybody was told of these steps, and which of them a record masks."""
    told = hashlib.sha256()
    for before, step in played:
        told.update(msgspec.json.encode([game.tells(before, step, None), game.hides(before, step)], order="sorted"))
    return told.hexdigest()


def course(golden: Golden) -> tuple[AnyGame, list[tuple[Any, Step]], Any]:
    """The game, each step with the state before it, and the last state.

    :raises Refusal: where a step is not allowed any more.
    """
    game, played = game_of(golden), list[tuple[Any, Step]]()
    state = game.start()
    for written in golden.steps:
        step = step_of(game, written)
        played.append((state, step))
        state = game.after(state, step)
    return game, played, state


def replay(golden: Golden) -> Golden:
    """The same game, played once more as it is written: it should come out the same.

    :raises Refusal: where a step is not allowed any more.
    """
    game, played, last = course(golden)
    return as_golden(game, golden, played, last)


def step_of(game: AnyGame, written: Mapping[str, Any]) -> Step:
    """A step from its line."""
    if "outcome" in written:
        return Dealt(written["outcome"])
    if "correction" in written:
        corrections: Any = reduce(or_, game.correction_types)
        return Corrected(msgspec.convert(written["correction"], corrections))
    moves: Any = reduce(or_, game.move_types)
    return Played(written["seat"], msgspec.convert(written["move"], moves))


def _written(step: Step) -> dict[str, Any]:
    match step:
        case Played(seat=seat, move=move):
            return {"seat": seat, "move": _plain(move)}
        case Dealt(outcome=outcome):
            return {"outcome": outcome}
        case Corrected(correction=correction):
            return {"correction": _plain(correction)}


def _plain(said: Move | Correction) -> dict[str, Any]:
    """As a file has it, with lists for tuples."""
    fields: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(said))
    return fields


def at_random(
    name: str, luck: random.Random, seats: int | None = None, options: dict[str, bool | int | str] | None = None
) -> Golden:
    """A refereed game at random, to its end or for so many steps.

    :raises Malformed: where nobody referees this box.
    """
    if "referee" not in games.modes(name):
        raise Malformed("core.no_game", box=name, mode="referee")
    people = tuple(f"Player {nth + 1}" for nth in range(seats or games.box(name).seats.min))
    game = _game(name, "referee", people, options or {}, {}, None)
    setup = Golden(name, game.rules_version, people, (), (), (), "", options=options or {})
    state, played = game.start(), list[tuple[Any, Step]]()
    while not isinstance(ask := game.ask(state), Finished) and len(played) < MOST_STEPS:
        if isinstance(ask, Chance):
            step: Step = Dealt(random_outcome(ask, luck))
        else:
            seat = luck.choice(ask.seats)
            step = Played(seat, luck.choice(list(_one_of_each(game, state, seat))))
        played.append((state, step))
        state = game.after(state, step)
    return as_golden(game, setup, played, state)


def _one_of_each(game: AnyGame, state: Any, seat: int) -> Iterator[Move]:
    """A move of each kind that a seat may make."""
    kinds: dict[type[Move], list[Move]] = {}
    for move in game.moves(state, seat).moves:
        kinds.setdefault(type(move), []).append(move)
    return (moves[len(moves) // 2] for moves in kinds.values())
