"""Tutankhamun in a test: a game whose moves and cards are named, and a whole table in memory."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from companion.boxes import content_of, load
from companion.game import (
    Chance,
    Corrected,
    Correction,
    Dealt,
    Finished,
    Json,
    Move,
    Outcome,
    Played,
    Seat,
    Setup,
    Step,
)
from companion.games.tutankhamun.box import TutankhamunBox
from companion.games.tutankhamun.moves import Dig, NoBarricade, Pass, Scarab, Stop
from companion.games.tutankhamun.rules import Tutankhamun
from companion.games.tutankhamun.state import TutankhamunState
from companion.play.dealer import SealedDealer
from companion.play.entries import Keys, Laid
from companion.play.journal import NoJournal
from companion.play.opening import table_of
from companion.play.table import HOST, Actor, Table
from companion.refusals import Refusal
from companion.trials import random_outcome
from companion.words import LANGUAGES
from tests.games.in_play import InPlay

SECRET = bytes(range(32))
NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Faye")


def box() -> TutankhamunBox:
    found = load(TutankhamunBox)
    assert isinstance(found, TutankhamunBox)
    return found


def setup(seats: int = 3, **options: bool | int | str) -> Setup:
    return Setup("tutankhamun", "referee", tuple(Seat(name) for name in NAMES[:seats]), options=options)


def game(seats: int = 3, **options: bool | int | str) -> Tutankhamun:
    return Tutankhamun(setup(seats, **options), box())


class Site(InPlay[Tutankhamun, TutankhamunState]):
    """A game in play. In a real tray, which is the default here, `dig` is told which card comes to light."""

    def __init__(self, seats: int = 3, *, seed: int = 1, **options: bool | int | str) -> None:
        self.game = game(seats, **({"tray": "physical"} | options))
        self.luck = random.Random(seed)
        self.state = self.game.start()
        self.follow_hidden()

    @property
    def is_over(self) -> bool:
        return isinstance(self.game.ask(self.state), Finished)

    @property
    def board(self) -> Any:
        return self.game.sees(self.state, None).board

    @property
    def aids(self) -> Any:
        return self.game.aids(self.state, None)

    def square(self, name: str) -> Any:
        return next(square for square in self.board["tray"]["squares"] if square["square"] == name)

    def do(self, *moves: Move) -> Site:
        for move in moves:
            self.state = self.game.after(self.state, Played(self.seat, move))
            self.follow_hidden()
        return self

    def dig(self, square: str, card: Outcome | None = None) -> Site:
        self.do(Dig(square))
        return self if card is None else self.fall(card)

    def fall(self, *outcomes: Outcome) -> Site:
        for outcome in outcomes:
            self.state = self.game.after(self.state, Dealt(outcome))
        return self

    def uncover(self, square: str) -> Site:
        """A dig, and what lies below as the companion knows it, or as likely as it is."""
        self.do(Dig(square))
        return self.fall(random_outcome(self.chance, self.luck)) if self.state.phase == "uncovering" else self

    def put_right(self, correction: Correction) -> Site:
        self.state = self.game.after(self.state, Corrected(correction))
        return self

    def pass_turn(self) -> Site:
        """Pass, and set no barricade."""
        return self.do(Pass()).close()

    def stop(self) -> Site:
        return self.do(Stop()).close()

    def close(self) -> Site:
        if self.state.phase == "closing":
            self.do(NoBarricade())
        return self

    def scarab(self) -> Site:
        return self.do(Scarab())

    def refused(self, what: Move | Correction | Outcome, *, seat: int | None = None) -> Refusal:
        """The refusal of a move of the seat that is asked, of a correction, or of an outcome."""
        match what:
            case Move():
                step: Step = Played(self.seat if seat is None else seat, what)
            case Correction():
                step = Corrected(what)
            case _:
                step = Dealt(what)
        with pytest.raises(Refusal) as refused:
            self.game.after(self.state, step)
        for language in LANGUAGES:
            sentence = refused.value.said(language)
            assert sentence != refused.value.key
            assert "{" not in sentence, "all that the sentence asks for is told"
        return refused.value

    def follow_hidden(self) -> None:
        while isinstance(ask := self.game.ask(self.state), Chance) and ask.hidden:
            self.state = self.game.after(self.state, Dealt(random_outcome(ask, self.luck)))

    def sees(self, seat: int | None) -> tuple[Any, Any]:
        seen = self.game.sees(self.state, seat)
        return seen.board, seen.you


def told(site: Site, move: Move) -> dict[str, Json]:
    return site.game.tells(site.state, Played(site.seat, move), None)


def laid_table(seats: int = 2, **options: bool | int | str) -> Table:
    """A table in memory, with a secret that is known and a clock that stands."""
    laid_setup = Tutankhamun.settled(setup(seats, **options))
    content = msgspec.json.decode(msgspec.json.encode(content_of(box())))
    laid = Laid("test", 1, laid_setup, content, box().digest, 1, SealedDealer(SECRET).seal, "test")
    return begun(table_of(laid, SECRET, Keys("host", ("a", "b")), NoJournal(), clock=lambda: 1))


def begun(fresh: Table) -> Table:
    if isinstance(fresh.ask(), Chance) and fresh.setup.source("layers") == "companion":
        fresh.answer(HOST, fresh.seq, "begin", None)
    return fresh


def do(at: Table, move: Move, actor: Actor = HOST) -> None:
    at.play(actor, at.seq, f"{at.seq}", msgspec.to_builtins(move))


class Purser:
    """Keeps the purses by the steps alone, a second opinion beside the referee; who cannot pay is left with nothing."""

    def __init__(self, seats: int) -> None:
        self.purses = [10] * seats
        self.aside = 0
        self.factor = 1
        self.values = box().values

    def follow(self, before: TutankhamunState, step: Step, *, is_last: bool) -> None:
        match step:
            case Played(move=Scarab()):
                self.factor = 2
            case Played(move=Pass()):
                self.pay(before.seat, 3)
            case Played(move=Stop()):
                self.keep(before.seat)
            case Dealt(outcome=card) if before.phase == "uncovering":
                points = self.values[str(card)] * self.factor
                if points < 0:
                    self.pay(before.seat, -points)
                else:
                    self.aside += points
                    if is_last:
                        self.keep(before.seat)
            case _:
                pass

    def keep(self, seat: int) -> None:
        self.purses[seat] += self.aside
        self.aside, self.factor = 0, 1

    def pay(self, seat: int, silver: int) -> None:
        self.purses[seat] = max(self.purses[seat] - silver, 0)
        self.aside, self.factor = 0, 1
