"""Each box as an environment of PettingZoo (AEC): seats act one after another, the draws are the environment's.

    from companion.research.environment import BoxEnvironment
    environment = BoxEnvironment(box, players=2)
    environment.reset(seed=1)

An action is the place of a move among those that the seat that is asked can make; `info["moves"]` spells them.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from companion.research.numbering import spelling
from companion.research.position import FEATURES, GamePosition, features, open_box

PLACES = 512
"""So many moves can be told apart; where there are more, those beyond cannot be chosen."""


class BoxEnvironment(AECEnv[str, dict[str, Any], int]):  # type: ignore[misc]
    """A box at which so many sit."""

    metadata = {"render_modes": ["ansi"], "name": "digside_v0", "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, box: str, players: int = 2, render_mode: str | None = None) -> None:
        super().__init__()
        self.rules = open_box(box, players)
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(players)]
        seen = spaces.Box(0, np.inf, (FEATURES,), np.float32)
        self._observed = spaces.Dict({"observation": seen, "action_mask": spaces.Box(0, 1, (PLACES,), np.int8)})
        self._acted = spaces.Discrete(PLACES)
        self._luck = random.Random()  # noqa: S311 -- an experiment, not a table
        self.play = GamePosition(self.rules)

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._observed

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._acted

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin anew; the same seed deals the same."""
        if seed is not None:
            self._luck = random.Random(seed)  # noqa: S311
        self.play = GamePosition(self.rules)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._dealt()

    def observe(self, agent: str) -> dict[str, Any]:
        """What a seat sees, and which actions it has."""
        seat = self.possible_agents.index(agent)
        mask: Any = np.zeros(PLACES, np.int8)
        if seat == self.play.seat:
            mask[: len(self.play.moves())] = 1
        return {"observation": np.array(features(self.play.seen(seat)), np.float32), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Make a move; then what chance decides falls."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        moves = list(self.play.moves())
        if action is None or not 0 <= action < min(len(moves), PLACES):
            raise ValueError(f"{agent} has no action {action}")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.play.move(moves[action])
        self._dealt()
        self._accumulate_rewards()

    def _dealt(self) -> None:
        """Draw until somebody is asked, or all is over."""
        while self.play.chance is not None:
            outcomes, chances = zip(*self.play.outcomes(), strict=True)
            self.play.deal(self._luck.choices(outcomes, chances)[0])
        if self.play.end is not None:
            self.rewards = dict(zip(self.possible_agents, map(float, self.play.returns()), strict=True))
            self.terminations = dict.fromkeys(self.possible_agents, True)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[self.play.seat or 0]
            self.infos[self.agent_selection] = {"moves": [spelling(each) for each in self.play.moves().values()]}

    def render(self) -> str:
        """What everybody sees."""
        return self.play.seen(None).decode()

    def close(self) -> None:
        """Nothing is held."""
