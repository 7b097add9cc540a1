"""What nobody may know: the cards below, the quarter turns, a layer once laid, and what has left the tray."""

from __future__ import annotations

import json
import random

import pytest
from msgspec.structs import replace

from companion.game import Chance, Corrected, Dealt, Played
from companion.games.tutankhamun.corrections import SetCard, SetPurse
from companion.games.tutankhamun.layers import random_layout
from companion.games.tutankhamun.moves import Deal, Dig, Lay
from companion.games.tutankhamun.state import TutankhamunState
from companion.play.table import Actor
from companion.trials import random_outcome
from tests.games.in_play import at_the_table
from tests.games.tutankhamun.site import Site, box, game

EYES = (None, 0, 1, 2)
SEATS = 3


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
def test_a_partly_dealt_layer_shows_nobody_anything() -> None:
    table, views = game(3), set()
    for seed in range(5):
        luck, state = random.Random(seed), table.start()
        for _ in range(20):
            ask = table.ask(state)
            assert isinstance(ask, Chance)
            state = table.after(state, Dealt(random_outcome(ask, luck)))
        views.add(json.dumps([table.sees(state, eye).board for eye in EYES]))
    assert len(views) == 1


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


@pytest.mark.rule("TUT-10", "TUT-40")
def test_who_digs_where_another_has_laid_takes_nothing_back() -> None:
    """Seat 0 has laid every layer; what lies below is known to the table, and comes to light by the dig."""
    site = Site(3, tray="laid")
    while site.state.phase == "laying":
        kind = site.game.terms.kinds[len(site.state.layers)]
        site.do(Lay(random_layout(kind, random.Random(7))))
    laid = at_the_table(site.game, site.state)
    first = Actor("seat", site.seat)
    laid.play(first, laid.seq, "dig", {"type": "dig", "square": "a1"})
    assert laid.offer(first).why == "undo.revealed"


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
    put_right = Corrected(SetCard("a1", "falcon"))
    assert site.game.tells(site.state, put_right, None) == {"type": "card", "square": "a1"}
    assert site.game.hides(site.state, put_right)
    assert not game(open_memory=True).hides(site.state, put_right)
    assert not site.game.hides(site.state, Corrected(SetPurse(0, 7)))


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
                site.put_right(SetCard("a1", card))
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
