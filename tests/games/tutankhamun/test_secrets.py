"""What nobody may know: the cards below, the quarter turns, a layer once laid, and what has left the tray."""

from __future__ import annotations

import json
import random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.game import Chance, Corrected, Dealt, Finished, Played
from companion.games.tutankhamun.corrections import Purse, Shown
from companion.games.tutankhamun.layers import random_layout, turned
from companion.games.tutankhamun.moves import Deal, Dig, Lay
from companion.games.tutankhamun.rules import Tutankhamun
from companion.games.tutankhamun.state import TutankhamunState
from companion.play.record import encode, export
from companion.play.table import HOST, SPECTATOR, Actor, Table
from companion.play.view import view
from companion.refusals import Refusal
from companion.trials import at_random, drawn
from tests.games.tutankhamun.site import Site, box, do, game, laid_table
from web_ui.api.luck import luck

EYES = (None, 0, 1, 2)
SEATS = 3
ALIKE = 4  # layers from here on are laid the same way
ACTORS = (HOST, SPECTATOR, *(Actor("seat", seat) for seat in range(SEATS)))


def told_to_all(table: Tutankhamun, state: TutankhamunState) -> Any:
    """All that anybody is shown of a state: views, help, what is asked, which moves there are."""
    ask = table.ask(state)
    asked: Any = ask
    if isinstance(ask, Chance):
        # a screen hears of a hidden question nothing, and of a dig in the companion's own tray the card with the answer
        asked = (ask.randomizer, ask.question, ask.seat, ask.facts)
    seen = [(table.sees(state, eye), table.aids(state, eye)) for eye in EYES]
    return seen, asked, [table.moves(state, seat) for seat in range(3)], table.tally(state)


def otherwise_hidden(state: TutankhamunState, luck: random.Random, spare: int = -1) -> TutankhamunState:
    """The same table with all cards shuffled that lie under others, and another number of quarter turns."""
    layers = []
    for number, layer in enumerate(state.layers):
        below = [at for at in range(16) if state.depths[at] > number + 1 and at != spare]
        if state.phase in {"laying", "dealing"}:
            below = list(range(16))
        cards = [layer[at] for at in below]
        luck.shuffle(cards)
        changed = list(layer)
        for at, card in zip(below, cards, strict=True):
            changed[at] = card
        layers.append(tuple(changed))
    return replace(state, layers=tuple(layers), quarters=luck.randrange(4))


@pytest.mark.rule("TUT-40")
@pytest.mark.parametrize("tray", ["dealt", "laid"])
@pytest.mark.parametrize("open_memory", [False, True])
def test_tables_that_differ_only_in_what_is_hidden_look_the_same_to_everybody(tray: str, open_memory: bool) -> None:
    table = game(3, tray=tray, odds=True, open_memory=open_memory)
    differed = 0
    for seed in range(6):
        luck, state = random.Random(seed), table.start()
        while not isinstance(ask := table.ask(state), Finished):
            other = otherwise_hidden(state, luck)
            differed += other != state
            assert told_to_all(table, other) == told_to_all(table, state)
            if not differed % 20:
                assert table.mending(other) == table.mending(state)
            if isinstance(ask, Chance):
                step: Played | Dealt = Dealt(drawn(ask, luck))
            else:
                step = Played(ask.seats[0], at_random(table, state, ask.seats[0], luck))
            assert table.tells(other, step, 0) == table.tells(state, step, 0)
            state = table.after(state, step)
    assert differed > 100


@pytest.mark.rule("TUT-40")
def test_a_partly_dealt_layer_shows_nobody_anything() -> None:
    table, views = game(3), set()
    for seed in range(5):
        luck, state = random.Random(seed), table.start()
        for _ in range(20):
            ask = table.ask(state)
            assert isinstance(ask, Chance)
            state = table.after(state, Dealt(drawn(ask, luck)))
        views.add(json.dumps([table.sees(state, eye).board for eye in EYES]))
    assert len(views) == 1


@pytest.mark.rule("TUT-40")
@pytest.mark.parametrize("tray", ["dealt", "laid"])
def test_nothing_tells_the_quarter_turns_before_the_end(tray: str) -> None:
    site = Site(3, tray=tray)
    while site.state.phase == "laying":
        site.do(Deal())
    for quarters in range(4):
        layers = tuple(turned(layer, 4, quarters) for layer in site.state.layers)
        other = replace(site.state, quarters=quarters, layers=layers)
        assert told_to_all(site.game, other) == told_to_all(site.game, site.state)
    assert "quarters" not in json.dumps([site.sees(eye) for eye in EYES])


@pytest.mark.rule("TUT-40", "TUT-03")
def test_only_the_owner_is_shown_the_cards_to_lay_and_only_while_laying() -> None:
    site = Site(3, tray="laid")
    assert site.sees(0)[1] == {"lay": {"layer": 1, "cards": dict(site.game.terms.kinds[0].cards)}}
    assert site.sees(1)[1] == site.sees(2)[1] == {"lay": None}
    assert site.sees(None)[1] is None
    site.do(Lay(random_layout(site.game.terms.kinds[0], random.Random(7))))
    assert site.sees(0)[1] == {"lay": None}
    assert all(square["top"] is None for square in site.board["tray"]["squares"])


@pytest.mark.rule("TUT-40")
def test_the_log_tells_that_a_layer_was_laid_and_not_how() -> None:
    site = Site(3, tray="laid")
    lay = Lay(random_layout(site.game.terms.kinds[0], random.Random(7)))
    for eye in EYES:
        assert site.game.tells(site.state, Played(0, lay), eye) == {"type": "lay", "layer": 1}
    dealing = site.game.after(site.state, Played(0, Deal()))
    told = {json.dumps(site.game.tells(dealing, Dealt(card), 0)) for card in ("mask", "chain", "falcon")}
    assert told == {'{"type": "deal_card", "layer": 1, "n": 1, "of": 16}'}


@pytest.mark.rule("TUT-40")
def test_what_has_left_the_tray_is_not_listed() -> None:
    site = Site().dig("a1", "falcon").dig("a1", "bracelet")
    # what the layers are made of and what cards are worth stands in the rulebook
    for eye in EYES:
        board = site.sees(eye)[0]
        shown = {**board, "layers": None, "tray": board["tray"]["squares"]}
        assert "bracelet" in json.dumps(shown)
        assert "falcon" not in json.dumps(shown)
        assert "removed" not in shown
    told = site.do(Dig("b1")).game.tells(site.state, Dealt("chain"), 2)
    assert told == {"type": "uncover", "square": "b1"}


@pytest.mark.rule("TUT-40")
def test_with_open_memory_what_has_left_the_tray_is_listed() -> None:
    site = Site(open_memory=True).dig("a1", "falcon").dig("a1", "bracelet")
    assert site.board["removed"] == [
        {"square": "a1", "layer": 6, "card": "earth"},
        {"square": "a1", "layer": 5, "card": "falcon"},
    ]
    told = site.do(Dig("b1")).game.tells(site.state, Dealt("scorpion"), 2)
    assert told == {"type": "uncover_card", "square": "b1", "card": "scorpion", "points": -3}


@pytest.mark.rule("TUT-40")
def test_a_correction_tells_of_no_card_either() -> None:
    site = Site(tray="dealt").uncover("a1").close()
    put_right = Corrected(Shown("a1", "falcon"))
    assert site.game.tells(site.state, put_right, None) == {"type": "card", "square": "a1"}
    assert site.game.hides(site.state, put_right)
    assert not game(open_memory=True).hides(site.state, put_right)
    assert not site.game.hides(site.state, Corrected(Purse(0, 7)))


@pytest.mark.rule("TUT-40")
def test_a_question_about_a_real_tray_counts_for_the_players_only_with_the_odds() -> None:
    assert Site().do(Dig("a1")).chance.veiled
    assert not Site(odds=True).do(Dig("a1")).chance.veiled


@pytest.mark.rule("TUT-40", "TUT-02")
@pytest.mark.parametrize("told", [{}, {"odds": True}, {"open_memory": True}], ids=str)
def test_a_question_about_a_real_tray_does_not_tell_what_has_left_it(told: dict[str, bool]) -> None:
    site = Site(**told).dig("a1", "scorpion").close().do(Dig("a2"))
    asked = {card for card, _ in site.chance.odds}
    assert asked == set(box().layers[5]) - ({"scorpion"} if told else set())
    assert site.refused("scorpion").rule == "TUT-02"


@pytest.mark.rule("TUT-40")
def test_a_correction_is_taken_or_refused_alike_whatever_is_hidden() -> None:
    site = Site(tray="dealt", seed=3).uncover("a1")
    luck = random.Random(1)
    for card in site.game.terms.values:
        heard = set()
        for _ in range(8):
            site.state = otherwise_hidden(site.state, luck)
            before = site.state
            try:
                site.put_right(Shown("a1", card))
                heard.add("taken")
            except ValueError as refusal:
                heard.add(str(refusal))
            site.state = before
        assert len(heard) == 1


@pytest.mark.rule("TUT-40")
def test_a_refused_layer_says_nothing_of_the_layers_below() -> None:
    heard = set()
    for seed in range(5):
        site = Site(tray="laid").do(Lay(random_layout(Site().game.terms.kinds[0], random.Random(seed))))
        heard.add(str(site.refused(Lay(("chain",) * 16))))
    assert len(heard) == 1


def all_that_is_told(at: Table) -> bytes:
    """Views, lists of moves, the record, the luck, what corrections can say and where they begin, as bytes."""
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
    one, other = (laid_table(SEATS, tray="laid", odds=True, open_memory=open_memory) for _ in range(2))
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
