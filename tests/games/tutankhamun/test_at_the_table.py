"""The game at a table: sealed luck, taking back, the record, reports from a real tray."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.tutankhamun.corrections import SetCard
from companion.games.tutankhamun.moves import Deal, Dig, Lay, Pass, Scarab, Stop
from companion.play.entries import MaskedEntry, MovePlayed
from companion.play.proof import verify
from companion.play.record import export
from companion.play.table import HOST, Actor, Table
from companion.play.view import view
from companion.refusals import Illegal
from tests.games.tutankhamun.site import Site, box, do, laid_table


def asked(at: Table) -> Any:
    shown: Any = view(at)
    return shown["ask"]


@pytest.mark.rule("TUT-03", "TUT-05")
def test_a_dealt_tray_is_ready_without_a_press() -> None:
    fresh = laid_table(tray="dealt")
    assert asked(fresh)["kind"] == "move"
    shown: Any = view(fresh)
    assert shown["luck"]["draws"] == 15 + 4 * (1 + 6) + 1


@pytest.mark.rule("TUT-12", "TUT-40")
def test_who_has_seen_a_card_cannot_take_the_dig_back() -> None:
    at = laid_table(tray="dealt")
    seat = Actor("seat", 1)
    do(at, Scarab(), seat)
    assert at.offer(seat).open
    do(at, Dig("b2"), seat)
    assert not at.offer(seat).open
    assert at.offer(HOST).open


@pytest.mark.rule("TUT-40")
def test_a_layer_laid_by_hand_is_masked_in_the_record_until_the_end() -> None:
    at = laid_table(tray="laid")
    lay = next(move for move in at.moves(HOST).moves if isinstance(move, Lay))
    do(at, lay)
    while Deal() in at.moves(HOST).moves:
        do(at, Deal())
    lines = export(at).entries
    assert isinstance(lines[0].entry, MaskedEntry)
    while not at.over():
        do(at, Pass() if Pass() in at.moves(HOST).moves else at.moves(HOST).moves[0])
    assert isinstance(export(at).entries[0].entry, MovePlayed)
    assert verify(export(at)).holds


@pytest.mark.rule("TUT-03")
def test_the_cards_of_a_real_tray_are_reported() -> None:
    at = laid_table(tray="physical")
    do(at, Dig("a1"))
    ask = asked(at)
    assert (ask["kind"], ask["source"], ask["waits"]) == ("chance", "table", True)
    with pytest.raises(Illegal):
        at.answer(HOST, at.seq, "press", None)
    at.answer(HOST, at.seq, "report", "bracelet")
    do(at, Stop())
    shown: Any = view(at)
    assert shown["board"]["seats"][1]["total"] == 12


@pytest.mark.rule("TUT-40")
def test_the_log_of_a_whole_game_names_no_card() -> None:
    at = laid_table(tray="dealt")
    for square in ("a1", "b2", "c3"):
        if Dig(square) in at.moves(HOST).moves:
            do(at, Dig(square))
    shown: Any = view(at)
    said = repr([line["what"] for line in shown["log"]])
    assert not any(card in said for card in box().values)


@pytest.mark.rule("TUT-40")
def test_the_host_closes_a_table_and_its_tray_is_turned_up() -> None:
    at = laid_table(tray="dealt")
    before: Any = view(at)
    assert "found" not in before["board"]
    at.end(HOST, at.seq, "enough")
    shown: Any = view(at)
    assert [len(layer) for layer in shown["board"]["found"]["layers"]] == [16] * 6
    assert verify(export(at)).holds


@pytest.mark.rule("TUT-03", "TUT-12")
def test_a_card_is_asked_for_by_what_its_layer_has_left() -> None:
    site = Site().do(Dig("a1"))
    chance = site.chance
    assert (chance.randomizer, chance.question, chance.seat) == ("cards", "card a1 5", 2)
    assert (chance.hidden, chance.pressed) == (False, True)
    assert chance.facts == {"square": "a1", "layer": 5}
    assert dict(chance.odds) == dict(box().layers[5])
    site.fall("falcon").do(Dig("b1"))
    assert dict(site.chance.odds) == dict(box().layers[5]) | {"falcon": 0}
    assert sum(weight for _, weight in site.chance.odds) == 15


@pytest.mark.rule("TUT-02")
@pytest.mark.parametrize("card", ["mask", "earth", "gold", "", 3])
def test_a_card_the_layer_does_not_have_is_not_believed(card: str | int) -> None:
    site = Site().do(Dig("a1"))
    refusal = site.refused(card)
    assert (refusal.key, refusal.rule) == ("core.cannot_fall", "TUT-02")


@pytest.mark.rule("TUT-02")
def test_no_card_comes_to_light_more_often_than_there_are() -> None:
    site = Site().dig("a1", "chain").do(Dig("a2"))
    refusal = site.refused("chain")
    assert (refusal.key, refusal.rule) == ("tutankhamun.none_unseen", "TUT-02")


@pytest.mark.rule("TUT-12")
def test_a_move_waits_until_the_card_is_reported() -> None:
    site = Site().do(Dig("a1"))
    refusal = site.refused(Dig("b1"), seat=2)
    assert (refusal.key, refusal.rule) == ("core.chance_first", "TUT-12")
    assert site.board["turn"]["uncovering"] == "a1"
    assert site.square("a1")["top"] is None
    assert site.game.moves(site.state, 2).moves == ()


def test_two_cards_that_stuck_together_are_put_right() -> None:
    site = Site().dig("a1", "chain").put_right(SetCard("a1", "pectoral", depth=3))
    assert site.square("a1") == {"square": "a1", "depth": 3, "top": "pectoral", "barricade": None}
    assert site.board["cards_left"] == 93
    # the card between was never seen, so it is still among those that may come
    site.do(Dig("b1")).fall("bracelet").do(Dig("b1"))
    assert sum(weight for _, weight in site.chance.odds) == 16


def test_a_card_put_back_covers_what_was_seen() -> None:
    site = Site().dig("a1", "chain").dig("a1", "falcon").put_right(SetCard("a1", "chain", depth=5))
    assert (site.square("a1")["depth"], site.square("a1")["top"]) == (5, "chain")
    site.do(Dig("a1"))
    assert dict(site.chance.odds) == dict(box().layers[4])
    site = Site().dig("a1", "chain").put_right(SetCard("a1", "earth", depth=6))
    assert site.square("a1")["top"] == "earth"
    assert site.board["cards_left"] == 96
