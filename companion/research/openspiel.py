"""Each box as a game of OpenSpiel.

    import pyspiel
    from companion.research import openspiel
    openspiel.register()
    game = pyspiel.load_game(f"digside_{box}(players=2)")

Chance is explicit. What a seat gets is its share of the win, less everybody's, so that returns add up to nothing. What
a seat observes is all that it sees, as JSON; as a vector, how often each of its parts is there, by their hashes.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

from companion import games
from companion.game import Move
from companion.research.numbering import ACTIONS, numbered, spelling
from companion.research.position import FEATURES, GamePosition, features, open_box
from companion.search.insight import NO_INSIGHT, Insight
from companion.search.players import insight_of
from companion.search.worlds import as_known, redealt
from companion.trials import LONGEST_GAME, Bot

MOST_OUTCOMES = 1 << 17
"""More than any question has answers."""


def boxes() -> tuple[str, ...]:
    """The boxes that have a referee."""
    return tuple(name for name, mode in games.registered() if mode == "referee")


def register() -> None:
    """Make every box known to OpenSpiel, once."""
    known = set(pyspiel.registered_names())
    for box in boxes():
        if (kind := _type_of(box)).short_name not in known:
            pyspiel.register_game(kind, _maker(box))


def _maker(box: str) -> Any:
    """What makes the game: a class, as OpenSpiel lets go of it after Python has ended; a function would be freed."""

    class OfABox(BoxGame):
        def __init__(self, params: dict[str, Any] | None = None) -> None:
            super().__init__(box, params or {})

    return OfABox


def _type_of(box: str) -> Any:
    printed = games.box(box)
    return pyspiel.GameType(
        short_name=f"digside_{box}",
        long_name=f"{printed.title}, by Digside",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=printed.seats.max,
        min_num_players=printed.seats.min,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": printed.seats.min},
    )


class BoxGame(pyspiel.Game):  # type: ignore[misc]
    """A box for so many players."""

    def __init__(self, box: str, params: dict[str, Any]) -> None:
        self.box = box
        self.players = int(params.get("players", games.box(box).seats.min))
        self.rules = open_box(box, self.players)
        info = pyspiel.GameInfo(
            num_distinct_actions=ACTIONS,
            max_chance_outcomes=MOST_OUTCOMES,
            num_players=self.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=LONGEST_GAME,
        )
        super().__init__(_type_of(box), info, params)

    def new_initial_state(self) -> BoxState:
        """The game before the first step."""
        return BoxState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> BoxObserver:
        """Who looks on from a seat."""
        return BoxObserver(params)


class BoxState(pyspiel.State):  # type: ignore[misc]
    """A game at one moment."""

    def __init__(self, game: BoxGame) -> None:
        super().__init__(game)
        self.game = game
        self.play = GamePosition(game.rules)

    def current_player(self) -> int:
        if self.play.end is not None:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self.play.seat is None else self.play.seat

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.play.moves()) if player == self.play.seat else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.play.outcomes()

    def _apply_action(self, action: int) -> None:
        if self.play.chance is not None:
            self.play.deal(action)
        else:
            self.play.move(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            odds = self.play.chance.odds if self.play.chance is not None else ()
            return f"{odds[action][0]}" if action < len(odds) else str(action)
        move = self.play.moves().get(action)
        return spelling(move).decode() if move is not None else str(action)

    def is_terminal(self) -> bool:
        return self.play.end is not None

    def returns(self) -> list[float]:
        return list(self.play.returns())

    def __str__(self) -> str:
        return self.play.seen(None).decode()

    def imagined(self, seat: int, luck: random.Random) -> BoxState:
        """A state as likely as any that looks to a seat as this one does; this one, where none was found."""
        other = BoxState(self.game)
        other.play = self.play.copy()
        insight = _insight(self.game.box)
        rules, state = self.game.rules, self.play.state
        if insight.imagine is not None:
            world = insight.imagine(rules, (insight.knows or as_known)(rules, state, seat), seat, luck)
        else:
            world = redealt(rules, state, seat, luck)
        other.play.state = state if world is None else world
        return other


def _insight(box: str) -> Insight:
    brought = games.bundle(box).refereed
    return (insight_of(brought()) if brought is not None else None) or NO_INSIGHT


class BoxObserver:
    """What a seat sees, as a vector and as a string."""

    def __init__(self, params: Any) -> None:
        if params:
            raise ValueError(f"there is nothing to be set: {params}")
        self.tensor: Any = np.zeros(FEATURES, np.float32)
        self.dict = {"seen": self.tensor}

    def set_from(self, state: BoxState, player: int) -> None:
        """Look from a seat."""
        self.tensor[:] = features(state.play.seen(player))

    def string_from(self, state: BoxState, player: int) -> str:
        """What a seat sees, in words."""
        return state.play.seen(player).decode()


class _ByBytes(ismcts.ISMCTSBot):  # type: ignore[misc]
    """OpenSpiel's own search, to which a node is what a seat sees."""

    def get_state_key(self, state: BoxState) -> tuple[int, bytes]:
        seat = state.current_player()
        return seat, state.play.seen(seat)


class _Rollouts(mcts.Evaluator):  # type: ignore[misc]
    """Values a state by one game at random, as OpenSpiel's evaluator does, without copying it by its history."""

    def __init__(self, luck: random.Random) -> None:
        self._luck = luck

    def evaluate(self, state: BoxState) -> list[float]:
        play = state.play.copy()
        for _ in range(LONGEST_GAME):
            if play.end is not None:
                break
            if play.chance is not None:
                outcomes, chances = zip(*play.outcomes(), strict=True)
                play.deal(self._luck.choices(outcomes, chances)[0])
            else:
                play.choose(self._luck.choice(play.choices()))
        return list(play.returns())

    def prior(self, state: BoxState) -> list[tuple[int, float]]:
        actions = state.legal_actions()
        return [(action, 1.0 / len(actions)) for action in actions]


def ismcts_bot(box: str, seats: int, simulations: int, *, seed: int = 1) -> Bot:
    """OpenSpiel's ISMCTS with so many simulations, as a player for trials."""
    register()
    game = pyspiel.load_game(f"digside_{box}(players={seats})")
    noise, luck = np.random.RandomState(seed), random.Random(seed)  # noqa: S311 -- a yardstick of a bench
    bot = _ByBytes(
        game,
        _Rollouts(luck),
        uct_c=2.0,
        max_simulations=simulations,
        random_state=noise,
        allow_inconsistent_action_sets=True,
    )
    bot.set_resampler(lambda state, seat: state.imagined(seat, luck))

    def plays(rules: Any, state: Any, seat: int, _: random.Random) -> Move:
        root = BoxState(game)
        root.play = GamePosition(game.rules, state)
        return numbered(rules.moves(state, seat).moves)[int(bot.step(root))]

    return plays
