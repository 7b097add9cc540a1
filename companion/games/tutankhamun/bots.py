"""Players for trials: one at random, one with sense. Both know only what anybody at the table can know."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from statistics import fmean, pstdev

import msgspec

from companion.boxes import TutankhamunBox
from companion.game import Chance, Dealt, Finished, Move, Outcome, Played, Seat, Setup, Turn
from companion.games.tutankhamun import Tutankhamun, TutankhamunState, open_game
from companion.games.tutankhamun.aids import prospect
from companion.games.tutankhamun.moves import Barricade, Deal, Dig, NoBarricade, Pass, Scarab, Stop

Bot = Callable[[Tutankhamun, TutankhamunState, int, random.Random], Move]

WORTH_DOUBLING = 1.0  # points a dig must promise before a scarab is spent on the turn
WORTH_CLOSING = 0.5  # points a square must promise before a barricade is spent on it
LONGEST_GAME = 5_000


def at_random(game: Tutankhamun, state: TutankhamunState, seat: int, luck: random.Random) -> Move:
    """Any legal move, each as likely as any other."""
    return luck.choice(game.moves(state, seat).moves)


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
    fee = min(game.terms.pass_fee, state.purses[seat])
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
    seen = prospect(game.terms, state, depth)
    return seen.gain if seen else 0.0


def _close(game: Tutankhamun, state: TutankhamunState, luck: random.Random) -> Move:
    """Keeps the best square for the next turn, if it is worth it."""
    gain, square = _best(game, state, luck)
    return Barricade(square) if square and gain > WORTH_CLOSING else NoBarricade()


BOTS: dict[str, Bot] = {"random": at_random, "sensible": sensible}


class Summary(msgspec.Struct, frozen=True):
    """What came of some games."""

    bots: tuple[str, ...]
    scores: tuple[tuple[int, ...], ...]
    wins: tuple[float, ...]
    steps: tuple[int, ...]

    def __str__(self) -> str:
        lines = [f"{len(self.scores)} games, {fmean(self.steps):.0f} steps each"]
        for seat, bot in enumerate(self.bots):
            own = [scores[seat] for scores in self.scores]
            share = self.wins[seat] / len(self.scores)
            lines.append(f"seat {seat} ({bot}): {fmean(own):.1f} silver ± {pstdev(own):.1f}, wins {share:.1%}")
        return "\n".join(lines)


def play_out(
    box: TutankhamunBox,
    bots: Sequence[str],
    *,
    games: int,
    seed: int,
    progress: Callable[[int], None] = lambda done: None,
) -> Summary:
    """Let bots play so many games; the same seed plays them alike. A shared win counts as a share."""
    setup = Setup("tutankhamun", "referee", tuple(Seat(f"{bot} {seat}") for seat, bot in enumerate(bots)))
    game = open_game(setup, box)
    luck = random.Random(seed)  # noqa: S311 -- trials, not a table
    scores, steps, wins = [], [], [0.0] * len(bots)
    for played in range(games):
        end, length = play(game, [BOTS[bot] for bot in bots], luck)
        scores.append(tuple(score.total for score in end.scores))
        steps.append(length)
        for winner in end.winners:
            wins[winner] += 1 / len(end.winners)
        progress(played + 1)
    return Summary(tuple(bots), tuple(scores), tuple(wins), tuple(steps))


def play(game: Tutankhamun, bots: Sequence[Bot], luck: random.Random) -> tuple[Finished, int]:
    """One game to its end, and how many steps it took."""
    state = game.start()
    for steps in range(LONGEST_GAME):
        ask = game.ask(state)
        match ask:
            case Finished():
                return ask, steps
            case Chance():
                state = game.after(state, Dealt(drawn(ask, luck)))
            case Turn(seats=(seat, *_)):
                state = game.after(state, Played(seat, bots[seat](game, state, seat, luck)))
    raise RuntimeError("a game of Tutankhamun does not end")


def drawn(chance: Chance, luck: random.Random) -> Outcome:
    """An answer to a question, as likely as its weight."""
    point = luck.randrange(sum(weight for _, weight in chance.odds))
    for outcome, weight in chance.odds:
        point -= weight
        if point < 0:
            return outcome
    raise ValueError(f"nothing can fall: {chance.question}")
