"""Two tables whose layers were laid otherwise where nobody has dug yet: whoever asks, and whatever, hears the same."""

from __future__ import annotations

import random

import msgspec
import pytest

from companion.games.tutankhamun.layers import random_layout
from companion.games.tutankhamun.moves import Deal, Lay
from companion.play.record import encode, export
from companion.play.table import HOST, SPECTATOR, Actor, Table
from companion.play.view import view
from companion.refusals import Refusal
from tests.games.tutankhamun.evening import do, table
from tests.games.tutankhamun.site import game
from web_ui.api.luck import luck

SEATS = 3
ALIKE = 4  # layers from here on are laid the same way
ACTORS = (HOST, SPECTATOR, *(Actor("seat", seat) for seat in range(SEATS)))


def all_that_is_told(at: Table) -> bytes:
    """Every view, every list of moves, the record, the luck, and what corrections can say, as bytes."""
    told = [view(at, actor) for actor in ACTORS]
    told += [view(at, HOST, seat=seat) for seat in range(SEATS)]
    lists = [at.moves(actor) for actor in ACTORS]
    mending = at.game.mending(at.state)
    return msgspec.json.encode([told, lists, mending, luck(at)]) + encode(export(at))


def tried(at: Table, plain: dict[str, object], request: str) -> str:
    """What somebody hears who tries something, and the table after it."""
    try:
        if "correct" in plain:
            at.correct(HOST, at.seq, request, plain["correct"])
        elif plain["type"] == "undo":
            at.take_back(HOST, at.seq, request)
        else:
            at.play(HOST, at.seq, request, plain)
    except Refusal as refusal:
        return f"{refusal.code} {refusal.rule} {refusal}"
    return "done"


def attempt(at: Table, chance: random.Random) -> dict[str, object]:
    """Something to try, right or wrong, that uncovers no layer below those that are alike."""
    squares = game(SEATS).terms.squares
    square = chance.choice(squares)
    if chance.random() < 0.1:
        return {"correct": {"type": "card", "square": square, "card": chance.choice(("falcon", "mask", "snake_head"))}}
    kinds = ("dig", "dig", "dig", "stop", "pass", "scarab", "barricade", "no_barricade", "deal", "undo")
    kind = chance.choice(kinds)
    if kind == "dig" and at.state.depths[squares.index(square)] <= ALIKE:  # type: ignore[attr-defined]
        kind = "stop"
    return {"type": kind, "square": square} if kind in {"dig", "barricade"} else {"type": kind}


@pytest.mark.rule("TUT-40")
@pytest.mark.parametrize("open_memory", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_what_is_hidden_is_in_no_byte_that_anybody_is_sent(seed: int, open_memory: bool) -> None:
    one, other = (table(SEATS, tray="laid", odds=True, open_memory=open_memory) for _ in range(2))
    for number, kind in enumerate(game(SEATS).terms.kinds[:5], 1):
        for at, own in ((one, 1), (other, 2)):
            at_random = random.Random(f"{seed} {number} {own if number < ALIKE else 0}")
            do(at, Lay(random_layout(kind, at_random)) if number != ALIKE else Deal())
        assert all_that_is_told(one) == all_that_is_told(other)
    assert one.state.layers[:3] != other.state.layers[:3]  # type: ignore[attr-defined]
    chance = random.Random(seed)
    for step in range(60):
        plain = attempt(one, chance)
        assert tried(one, plain, f"try {step}") == tried(other, plain, f"try {step}"), plain
        assert all_that_is_told(one) == all_that_is_told(other), plain
        if one.over():
            break
