"""A crowd at one shovel: what anybody may do, done at random, and the world failing now and then."""

from __future__ import annotations

import random
from collections.abc import Callable

from tests.lifts.hands import HOST, SEATS, Hands

CUES = ("grip", "release", "stop")
PAGE = (*CUES, "confirm", "clear")
PANEL = (*PAGE, "shovel", "undo", "deal", "dig", "stir")


class Crowd:
    """Presses whatever there is; a lift that nobody disturbs is mostly carried through.

    :param hands: what they press with.
    """

    def __init__(self, hands: Hands, seed: int) -> None:
        self._hands = hands
        self._luck = random.Random(seed)
        self._does: list[tuple[str, int, Callable[[], object]]] = [
            ("whole lifts", 12, self._lift),
            ("digs asked for", 5, self._dig),
            ("cards laid on or taken off", 4, self._card),
            ("pauses", 6, self._wait),
            ("buttons of the page", 3, lambda: hands.shovel(self._anybody, self._luck.choice(PAGE))),
            ("buttons of the panel", 3, lambda: hands.panel(self._luck.choice(PANEL))),
            ("steps taken back", 1, lambda: hands.undo(self._anybody)),
            ("luck stirred", 1, lambda: hands.press(self._anybody, "stir", commit="5" * 64)),
            ("other moves", 1, lambda: hands.other_move(self._anybody, self._luck.randrange(30))),
            ("moves of the shovel", 1, self._tell_shovel),
            ("faults", 2, self._fail),
            ("rigs put by, tables ended", 1, self._put_by_or_end),
            ("fresh starts", 1, hands.go_on),
        ]

    def press(self) -> None:
        """Somebody does something."""
        ((name, _, do),) = self._luck.choices(self._does, [weight for _, weight, _ in self._does])
        self._hands.figures["actions"] += 1
        self._hands.figures[f"did: {name}"] += 1
        do()

    @property
    def _anybody(self) -> int:
        return self._luck.randrange(HOST, len(SEATS))

    def _dig(self) -> None:
        self._hands.dig(self._anybody, self._luck.choice(["a1", "a2", "d4"]))

    def _card(self) -> None:
        self._hands.bench.plant.card = self._luck.random() < 0.7

    def _wait(self) -> None:
        self._hands.run(self._luck.choice([20, 60, 200, 700, 1500, 4000]))

    def _tell_shovel(self) -> None:
        if self._hands.mode == "toolbox":
            do = self._luck.choice(CUES)
            self._hands.press(self._anybody, "moves", move={"type": "shovel", "do": do})

    def _lift(self) -> None:
        """A card is asked for, gripped, carried and let go by one of four ways; somebody may come in between."""
        hands = self._hands
        hands.to_a_dig()
        hands.bench.plant.card = True
        if hands.dig(hands.asked_seat, self._luck.choice(hands.squares)).status_code != 202:
            return
        if self._luck.random() < 0.3:
            self._disturb()
        hands.run(self._luck.randrange(600, 2500))
        ways: list[Callable[[], object]] = [
            lambda: hands.shovel(hands.asked_seat, "release"),
            lambda: hands.shovel(HOST, "release"),
            lambda: hands.panel("release"),
            lambda: hands.panel("shovel"),
        ]
        self._luck.choice(ways)()
        if self._luck.random() < 0.3:
            hands.panel(self._luck.choice(["grip", "release"]))
        hands.bench.plant.card = False
        hands.run(1200)

    def _disturb(self) -> None:
        hands = self._hands
        self._luck.choice(
            [
                lambda: hands.press(self._anybody, "stir", commit="6" * 64),
                lambda: hands.panel(self._luck.choice(["grip", "stop", "undo"])),
                lambda: hands.other_move(self._anybody, self._luck.randrange(30)),
                lambda: hands.dig(self._anybody, "a1"),
                self._fail,
            ]
        )()

    def _fail(self) -> None:
        bench = self._hands.bench
        self._luck.choice(
            [
                bench.hang,
                bench.brown_out,
                lambda: setattr(bench, "plugged", False),
                lambda: setattr(bench.plant, "leak", self._luck.choice([0.4, 1.0])),
                lambda: setattr(bench.plant, "card", False),
                self._hands.mend,
            ]
        )()

    def _put_by_or_end(self) -> None:
        self._luck.choice([self._hands.claim, self._hands.claim, self._hands.end])()
