"""Pyramids for tests: laid out as a test wants them, and played by saying who does what and what falls."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from msgspec.structs import replace

from companion.boxes import load
from companion.game import Chance, Dealt, Finished, Move, Outcome, Played, Seat, Setup, Turn
from companion.games.horus.box import HorusBox
from companion.games.horus.events import Acting, parts_of_a_round
from companion.games.horus.pyramid import Pyramid
from companion.games.horus.rules import Horus
from companion.games.horus.state import Adventurer, HorusState, Mummy, Sarcophagus
from companion.pieces.corridor import Walker
from companion.refusals import Refusal

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Fay")
WHO = ("gore", "sarti", "chartier", "wahab", "rasputin", "watanabe")


def _box() -> HorusBox:
    found = load(HorusBox)
    assert isinstance(found, HorusBox)
    return found


BOX = _box()


def box_with(text: str) -> HorusBox:
    """Our box with what an owner's file says laid over it."""
    with TemporaryDirectory() as folder:
        (Path(folder) / "horus.toml").write_text(text, encoding="utf-8")
        found = load(HorusBox, overrides=Path(folder))
    assert isinstance(found, HorusBox)
    return found


def table(
    seats: int = 2,
    *,
    box: HorusBox = BOX,
    sources: Mapping[str, Any] | None = None,
    rules: int | None = None,
    **options: bool | int | str,
) -> Horus:
    """A table at which nothing has been played."""
    names = tuple(Seat(name) for name in NAMES[:seats])
    return Horus(Setup("horus", "referee", names, dict(sources or {}), options=options), box, rules)


class Playing:
    """A game at one moment, and what is done in it, said in few words."""

    def __init__(self, game: Horus, state: HorusState) -> None:
        self.game = game
        self.state = state

    def does(self, *moves: Move, seat: int | None = None) -> Playing:
        """The seat that is asked, or another, makes these moves."""
        for move in moves:
            self.state = self.game.after(self.state, Played(self.state.seat_asked if seat is None else seat, move))
        return self

    def falls(self, *outcomes: Outcome) -> Playing:
        """These come up, one after another."""
        for outcome in outcomes:
            self.state = self.game.after(self.state, Dealt(outcome))
        return self

    def refused(self, move: Move, seat: int | None = None) -> Refusal:
        """How a move is refused, which changes nothing."""
        before = repr(self.state)
        try:
            self.does(move, seat=seat)
        except Refusal as refusal:
            assert repr(self.state) == before
            return refusal
        raise AssertionError(f"{move} was accepted")

    @property
    def ask(self) -> Turn | Chance | Finished:
        return self.game.ask(self.state)

    @property
    def chance(self) -> Chance:
        asked = self.ask
        assert isinstance(asked, Chance)
        return asked

    @property
    def here(self) -> Pyramid:
        """The table as the hand that is asked finds it."""
        return self.game.at(self.state, max(0, self.state.seat_asked))

    def seat(self, seat: int) -> Adventurer:
        return self.state.adventurers[seat]

    def cards(self, seat: int) -> tuple[str, ...]:
        return self.seat(seat).cards

    def board(self, seat: int | None = None) -> Any:
        return self.game.sees(self.state, seat).board

    def you(self, seat: int) -> Any:
        return self.game.sees(self.state, seat).you

    def listed(self) -> tuple[Move, ...]:
        return self.game.moves(self.state, self.state.seat_asked).moves

    def aids(self, seat: int | None = None) -> Any:
        return self.game.aids(self.state, seat)


def acting(
    *squares: str,
    who: Sequence[str] = WHO,
    cards: Mapping[int, Sequence[str]] | None = None,
    actions: int | Sequence[int] = 3,
    mummies: Mapping[str, tuple[str, str]] | None = None,
    fallen: Sequence[int] = (),
    game: Horus | None = None,
    **changes: Any,
) -> Playing:
    """A game in the middle of the actions of seat 0: an adventurer on each square, with these cards and actions.

    :param mummies: where those stand that a test names, and what they look at; the others stay where they begin.
    """
    game = game or table(len(squares))
    state = game.start()
    counts = (actions,) * len(squares) if isinstance(actions, int) else tuple(actions)
    held = {seat: tuple(cards[seat]) if cards and seat in cards else () for seat in range(len(squares))}
    placed = tuple(
        Adventurer(who[seat], square, fate="inside", cards=held[seat], level=2, actions=counts[seat])
        for seat, square in enumerate(squares)
    )
    decks, tombs = list(state.decks), dict(state.tombs)
    idols = tuple(god for god in state.idols if not any(f"idol-{god}" in each for each in held.values()))
    for card in (card for each in held.values() for card in each):
        for at, deck in enumerate(decks):
            name = "chest" if card.startswith("chest") else card
            if name in deck and game.terms.card_from(at, name) == card:
                decks[at] = deck.without(name)
                break
        for god, bag in tombs.items():
            if card in bag:
                tombs[god] = bag.without(card)
    laid: dict[str, Any] = {"decks": tuple(decks), **changes}
    parts = parts_of_a_round(tuple(range(len(squares))))
    state = replace(
        state,
        pending=parts[parts.index(Acting(0)) :],
        round=1,
        adventurers=placed,
        keeper=0,
        idols=idols,
        tombs=tombs,
        mummies=tuple(_stood(mummy, mummies or {}) for mummy in state.mummies),
        fallen=tuple(fallen),
        boxed=tuple(number for number in state.boxed if number not in fallen),
        action_dice=(1,) * 5,
        **laid,
    )
    return Playing(game, game.at(state).flowed().state)


def _stood(mummy: Mummy, where: Mapping[str, tuple[str, str]]) -> Mummy:
    if mummy.name not in where:
        return mummy
    at, towards = where[mummy.name]
    return replace(mummy, walker=Walker.on(mummy.walker.stretch, at=at, towards=towards))


def opened(playing: Playing, god: str, square: str, card: str = "") -> Playing:
    """With a sarcophagus that holds this card, open."""
    state, terms = playing.state, playing.game.terms
    at = next(n for n, slot in enumerate(terms.slots) if (slot.god, slot.square) == (god, square))
    bag = state.tombs[god]
    found = card or next(iter(bag))
    tombs = {**state.tombs, god: bag.without(found)}
    row = tuple(Sarcophagus(found, is_open=True) if n == at else tomb for n, tomb in enumerate(state.sarcophagi))
    return Playing(playing.game, replace(state, tombs=tombs, sarcophagi=row))


def lingering(game: Horus, state: HorusState, seat: int, luck: random.Random) -> Move:
    """At random, but for the way out: so a game lasts until the ceiling is down."""
    moves = [move for move in game.moves(state, seat).moves if getattr(move, "to", "") != "outside"]
    return luck.choice(moves)
