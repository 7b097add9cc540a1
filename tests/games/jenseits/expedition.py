"""A table of Jenseits von Theben in a test: the scene is laid by corrections, moves and draws are told."""

from __future__ import annotations

from companion.boxes import load
from companion.game import Chance, Corrected, Correction, Dealt, Move, Outcome, Played, Seat, Setup, Turn
from companion.games.jenseits.box import JenseitsBox
from companion.games.jenseits.corrections import SetCard, SetFigure, SetMarker, SetPermit, SetToken
from companion.games.jenseits.moves import Dig, Retire, Use
from companion.games.jenseits.piles import EXHIBITION
from companion.games.jenseits.rules import Jenseits
from companion.games.jenseits.state import Archaeologist, JenseitsState
from companion.refusals import Refusal
from tests.games.in_play import InPlay

NAMES = ("Ada", "Ben", "Cleo", "Dora")
OPEN = ("book-greece-berlin-3", "book-crete-moscow-3", "book-egypt-london-3", "book-palestine-london-3")
"""The cards that lie open unless a test says otherwise: they belong to no scene."""


def box() -> JenseitsBox:
    return load(JenseitsBox)


def game(seats: int = 2, *, rules: int | None = None, **options: bool | int | str) -> Jenseits:
    setup = Setup("jenseits", "referee", tuple(Seat(name) for name in NAMES[:seats]), options=options)
    return Jenseits(setup, box(), rules)


class Expedition(InPlay[Jenseits, JenseitsState]):
    """A game in play, its starting markers stacked with seat 0 on top and its first cards opened."""

    def __init__(
        self,
        seats: int = 2,
        *,
        opened: tuple[str, ...] = OPEN,
        stack: tuple[int, ...] | None = None,
        rules: int | None = None,
    ) -> None:
        self.game = game(seats, rules=rules)
        self.state = self.game.start()
        for seat in (stack or tuple(range(seats)))[: seats - 1]:
            self.deal(seat)
        for card in opened:
            self.deal(card)

    def who(self, seat: int = 0) -> Archaeologist:
        return self.state.seats[seat]

    def at(self, seat: int = 0) -> int:
        return self.state.track.at(seat)

    def week(self, seat: int = 0) -> tuple[int, int]:
        return tuple(self.game.terms.calendar.date(self.at(seat)))  # type: ignore[return-value]

    def deal(self, outcome: Outcome) -> None:
        self.state = self.game.after(self.state, Dealt(outcome))

    def draw(self, *tokens: str) -> None:
        for token in tokens:
            self.deal(token)

    def turn_up(self, exhibition: str) -> None:
        """An exhibition comes from the draw pile, and it is this one."""
        self.deal(EXHIBITION)
        self.deal(exhibition)

    def play(self, move: Move) -> None:
        """The seat that is asked makes a move; nothing is drawn."""
        self.state = self.game.after(self.state, Played(self.seat, move))

    def go(self, move: Move) -> None:
        """The seat that is asked makes a move; rubble is drawn, and open places are filled with the likeliest cards."""
        self.play(move)
        while isinstance(ask := self.game.ask(self.state), Chance):
            odds = {outcome: weight for outcome, weight in ask.odds if outcome != EXHIBITION}
            self.deal("blank" if "blank" in odds else max(odds, key=odds.__getitem__))

    def dig(self, site: str, weeks: int, *use: Use, zeppelin: bool = False) -> None:
        self.play(Dig(site, weeks, use, zeppelin=zeppelin))

    def refuses(self, move: Move, seat: int | None = None) -> Refusal:
        """A move is refused, is in no list, and has changed nothing."""
        seat = self.seat if seat is None else seat
        assert move not in self.game.moves(self.state, seat).moves
        return self._refused(Played(seat, move))

    def refuses_draw(self, outcome: Outcome) -> Refusal:
        return self._refused(Dealt(outcome))

    def refuses_correction(self, correction: Correction) -> Refusal:
        return self._refused(Corrected(correction))

    def _refused(self, step: Played | Dealt | Corrected) -> Refusal:
        before = repr(self.state)
        try:
            self.game.after(self.state, step)
        except Refusal as refusal:
            assert repr(self.state) == before
            return refusal
        raise AssertionError(f"{step} was not refused")

    def put(self, correction: Correction) -> None:
        self.state = self.game.after(self.state, Corrected(correction))

    def give(self, seat: int, *cards: str) -> None:
        """Cards from the draw pile, or the pile aside, for a seat."""
        for card in cards:
            self.put(SetCard(card, self._where(card), seat))

    def show(self, place: str, card: str) -> None:
        self.put(SetCard(card, self._where(card), place))

    def find(self, seat: int, site: str, *tokens: str) -> None:
        for token in tokens:
            self.put(SetToken(site, token, "bag", seat))

    def stand(self, seat: int, place: str) -> None:
        self.put(SetFigure(seat, place))

    def set(self, seat: int, week: int, year: int, *, on_top: bool = True) -> None:
        self.put(SetMarker(seat, week, year, on_top))

    def permit(self, seat: int, site: str, *, up: bool) -> None:
        self.put(SetPermit(seat, site, up))

    def _where(self, card: str) -> str:
        return "aside" if card in self.state.piles.aside.exhibitions else "pile"


def retire_all(expedition: Expedition) -> None:
    while isinstance(expedition.game.ask(expedition.state), Turn):
        expedition.play(Retire())
