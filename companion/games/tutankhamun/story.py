"""What the story of a table is told by: the purses, the worth of a card from below, turns passed."""

from __future__ import annotations

from msgspec.structs import replace

from companion.account import Account, Board, PossibleFind, SeatScore
from companion.game import Chance, Move, Setup
from companion.games.tutankhamun.moves import Pass
from companion.games.tutankhamun.rules import Tutankhamun
from companion.games.tutankhamun.state import TutankhamunState


def standings(game: Tutankhamun, board: Board) -> tuple[SeatScore, ...]:
    """What is in each purse."""
    return tuple(SeatScore(seat["total"]) for seat in board["seats"])


def may_be_found(game: Tutankhamun, before: TutankhamunState, chance: Chance) -> tuple[PossibleFind, ...]:
    """The cards of the layer below that had not shown yet, as whoever paid attention could count them."""
    if chance.randomizer != "cards":
        return ()
    table, layer = game.at(before), before.depths[before.digging] - 1
    unseen, about_to_show = table.unseen(layer), before.layers[layer][before.digging]
    if about_to_show:
        unseen[about_to_show] += 1
    values = table.terms.values
    return tuple(PossibleFind(card, values[card] * before.factor, n) for card, n in unseen.items() if n)


def idle(game: Tutankhamun, before: TutankhamunState, seat: int, move: Move) -> int:
    """A turn that is passed."""
    return int(isinstance(move, Pass))


def once_more(setup: Setup) -> Setup:
    """The lowest layer goes to the next seat, and with it who digs first."""
    first = int(setup.options.get("first_layer", 0))
    return replace(setup, options={**setup.options, "first_layer": (first + 1) % len(setup.seats)})


ACCOUNT = Account(standings, may_be_found, idle, once_more)
