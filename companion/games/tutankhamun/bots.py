"""Players for trials: one at random, one with sense. Both know only what anybody at the table can know."""

from __future__ import annotations

import random
from collections.abc import Sequence

from companion.game import Move
from companion.games.tutankhamun.aids import prospect
from companion.games.tutankhamun.moves import Barricade, Deal, Dig, NoBarricade, Pass, Scarab, Stop
from companion.games.tutankhamun.rules import Tutankhamun
from companion.games.tutankhamun.state import TutankhamunState
from companion.trials import Bot, at_random

WORTH_DOUBLING = 1.0  # points a dig must promise before a scarab is spent on the turn
WORTH_CLOSING = 0.5  # points a square must promise before a barricade is spent on it


def sensible(game: Tutankhamun, state: TutankhamunState, seat: int, luck: random.Random) -> Move:
    """Digs while a card is expected to bring more than it is expected to cost, and else stops."""
    if state.phase == "laying":
        return Deal()
    if state.phase == "closing":
        return _close(game, state, luck)
    gain, square = _best(game, state, luck)
    if square is None:
        return Stop() if state.digs else Pass()
    if state.digs:
        return Dig(square) if gain > 0 else Stop()
    if gain > WORTH_DOUBLING and state.scarabs[seat] and not state.doubled:
        return Scarab()
    fee = min(game.terms.outfit.pass_fee, state.purses[seat])
    return Dig(square) if gain > -fee else Pass()


def _best(game: Tutankhamun, state: TutankhamunState, luck: random.Random) -> tuple[float, str | None]:
    """The square that promises most, and what; a square's last card brings nothing and risks nothing."""
    diggable = [at for at, depth in enumerate(state.depths) if depth and at not in state.standing]
    gains = {depth: _gain(game, state, depth) for depth in {state.depths[at] for at in diggable}}
    if not gains:
        return 0.0, None
    depth = max(gains, key=gains.__getitem__)
    best = luck.choice([at for at in diggable if state.depths[at] == depth])
    return gains[depth], game.terms.squares[best]


def _gain(game: Tutankhamun, state: TutankhamunState, depth: int) -> float:
    seen = prospect(game.at(state), depth)
    return seen.gain if seen else 0.0


def _close(game: Tutankhamun, state: TutankhamunState, luck: random.Random) -> Move:
    """Keeps the best square for the next turn, if it is worth it."""
    gain, square = _best(game, state, luck)
    return Barricade(square) if square and gain > WORTH_CLOSING else NoBarricade()


BOTS: dict[str, Bot] = {"random": at_random, "sensible": sensible}


def ending(state: TutankhamunState, _: Sequence[Move]) -> str:
    """Why the game was over: one player was left, all had passed, or no card lay under another."""
    if sum(state.playing) == 1:
        return "one_left"
    return "all_passed" if max(state.depths) > 1 else "cleared"
