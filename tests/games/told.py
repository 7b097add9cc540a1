"""Whole games as they were told: kept in a file, and gone over once more, step by step."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from companion.game import Chance, Dealt, Finished, Game, Played, State, Step, Turn
from companion.play.golden import step_of

S = TypeVar("S", bound=State)
Told = dict[str, Any]


def kept_beside(test: str) -> list[Path]:
    """The files of the games that are kept beside a test."""
    return sorted(Path(test).with_name("golden").glob("*.json"))


def read(file: Path) -> Told:
    told: Told = json.loads(file.read_text(encoding="utf-8"))
    return told


def course(game: Game[S], steps: Iterable[Mapping[str, Any]]) -> Iterator[tuple[S, Step, S]]:
    """Each step with the state before and after it: an outcome where chance is asked, a move where a seat is."""
    state = game.start()
    for written in steps:
        step, before, ask = step_of(game, written), state, game.ask(state)
        assert not isinstance(step, Dealt) or isinstance(ask, Chance), (written, ask)
        assert not isinstance(step, Played) or isinstance(ask, Turn), (written, ask)
        state = game.after(state, step)
        yield before, step, state


def played_out(game: Game[S], steps: Iterable[Mapping[str, Any]]) -> S:
    """The state to which the steps lead."""
    states = [game.start(), *(after for _, _, after in course(game, steps))]
    return states[-1]


def ended(game: Game[S], state: S) -> Finished:
    """The scores of a game that is over."""
    end = game.ask(state)
    assert isinstance(end, Finished), end
    return end
