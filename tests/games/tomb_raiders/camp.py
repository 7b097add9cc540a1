"""A table of The Tomb Raiders in a test: the scene is laid from what lies face down, moves and draws are told."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion import games
from companion.game import Chance, Corrected, Correction, Dealt, Move, Outcome, Played, Seat, Setup, Step
from companion.games.tomb_raiders.draws import GREEN
from companion.games.tomb_raiders.rules import TombRaiders
from companion.games.tomb_raiders.state import Raider, TombState, TombTable
from companion.pieces.bag import Bag
from companion.pieces.piles import Pile
from companion.refusals import Refusal
from tests.games.in_play import InPlay

NAMES = ("Ada", "Ben", "Cleo", "Dora")
STORED = ("general-1", "expertise-crete-1", "congress", "scientist")
"""What lies in storage unless a test says otherwise."""


def game(seats: int = 2, *, rules: int | None = None, **options: bool | int | str) -> TombRaiders:
    """A game with nothing played."""
    setup = Setup("tomb_raiders", "referee", tuple(Seat(name) for name in NAMES[:seats]), options=options)
    return TombRaiders(TombRaiders.settled(setup), games.box("tomb_raiders"), rules)


class Camp(InPlay[TombRaiders, TombState]):
    """A game in play: the markers are stacked with seat 0 on top, and the storage spaces are filled."""

    def __init__(
        self,
        seats: int = 2,
        *,
        stored: tuple[str, ...] = STORED,
        rules: int | None = None,
        **options: bool | int | str,
    ) -> None:
        self.game = game(seats, rules=rules, **options)
        self.state = self.game.start()
        for seat in range(seats - 1):
            self.deal(seat)
        if self.game.terms.is_real:
            self.tell_the_top()
        else:
            self.draw(*stored)

    def here(self, seat: int = 0) -> TombTable:
        return self.game.at(self.state, seat)

    def who(self, seat: int = 0) -> Raider:
        return self.state.seats[seat]

    def at(self, seat: int = 0) -> int:
        return self.state.track.at(seat)

    def put(self, seat: int, week: int) -> None:
        """A marker stands there, on top."""
        self.state = replace(self.state, track=self.state.track.put(seat, week))

    def give(self, seat: int, *cards: str) -> None:
        """Cards from the draw pile lie before a seat, or are in its hand."""
        for card in cards:
            here = self.here(seat).replace(deck=self.state.deck.without(card))
            printed = here.terms.cards[card]
            self.state = (here.laid(card) if printed.play_weeks is None else here.in_hand(card)).state

    def find(self, seat: int, *artifacts: str) -> None:
        """Artifacts lie before a seat."""
        for artifact in artifacts:
            region = self.game.terms.region_of(artifact)
            pile = self.state.piles[region]
            here = self.here(seat).with_pile(region, replace(pile, faces=pile.faces.without(artifact)))
            self.state = here.with_artifact(artifact).state

    def show(self, *cards: str) -> None:
        """Exhibitions and museums are on display."""
        for card in cards:
            deck = self.state.deck.without(card)
            self.state = replace(self.state, deck=deck, shown=(*self.state.shown, card))

    def lie(self, region: str, *cards: str) -> None:
        """These cards lie on a pile, and no other; the rest is still to come."""
        faces = self.game.terms.faces[region]
        for card in (*cards, *(card for mine in self.state.seats for card in mine.finds if card in faces)):
            faces = faces.without(card)
        pile = Pile(faces, 0, Bag.of(cards), self.state.turned)
        self.state = replace(self.state, piles=self.state.piles | {region: pile}, settled=self.state.turned)

    def ready_to_dig(self, seat: int = 0, region: str = "egypt", *more: str) -> None:
        """The seat knows enough about a region: 4 points, and what else is said."""
        self.give(seat, f"expertise-{region}-3", f"expertise-{region}-1", *more)

    def deal(self, outcome: Outcome) -> None:
        self.state = self.game.after(self.state, Dealt(outcome))

    def draw(self, *outcomes: Outcome) -> None:
        for outcome in outcomes:
            self.deal(outcome)

    def tell_the_top(self, *backs: str) -> None:
        """Where the draw pile is real and asked about: these backs, then a green one."""
        if isinstance(ask := self.game.ask(self.state), Chance) and ask.question in ("top", "end"):
            self.draw(*backs, GREEN)

    def play(self, move: Move) -> None:
        """The seat that is asked makes a move; nothing is drawn."""
        self.state = self.game.after(self.state, Played(self.seat, move))

    def refuses(self, move: Move, seat: int | None = None) -> Refusal:
        """A move is refused, is in no list, and has changed nothing."""
        seat = self.seat if seat is None else seat
        assert move not in self.game.moves(self.state, seat).moves
        return self._refused(Played(seat, move))

    def correct(self, correction: Correction) -> None:
        census = self.game.census(self.state)
        self.state = self.game.after(self.state, Corrected(correction))
        assert self.game.census(self.state) == census

    def refuses_correction(self, correction: Correction) -> Refusal:
        return self._refused(Corrected(correction))

    def _refused(self, step: Step) -> Refusal:
        before = repr(self.state)
        with pytest.raises(Refusal) as refused:
            self.game.after(self.state, step)
        assert repr(self.state) == before
        assert "{" not in refused.value.said("en", ("tomb_raiders",))
        return refused.value
