"""How much a seat knows about a site."""

from __future__ import annotations

import pytest

from companion.games.jenseits.moves import USES, Dig
from companion.games.jenseits.state import knowledge, together
from tests.games.jenseits.expedition import Expedition


@pytest.mark.rule("JVT-30")
def test_books_on_cards_and_tokens_count_for_their_site_only() -> None:
    table = Expedition()
    table.give(0, "book-crete-rome-2", "book-greece-london-3")
    table.find(0, "greece", "book:crete")
    assert knowledge(table.who().counts, "crete").books == 3
    assert knowledge(table.who().counts, "greece").books == 3
    assert knowledge(table.who().counts, "egypt").total == 0


@pytest.mark.rule("JVT-30")
def test_an_ethnology_card_adds_2_if_used_and_is_kept_if_not() -> None:
    table = Expedition()
    table.give(0, "ethnology-crete-paris-2", "book-crete-rome-2")
    assert knowledge(table.who().counts, "crete").total == 2
    assert knowledge(table.who().counts, "crete", ("ethnology",)).total == 4
    table.stand(0, "crete")
    table.set(1, 40, 1901)
    table.dig("crete", 6)
    assert "ethnology-crete-paris-2" in table.who().cards
    assert table.state.digging is not None
    assert table.state.digging.of == 1


@pytest.mark.rule("JVT-30")
def test_ethnology_of_another_site_is_no_use() -> None:
    table = Expedition()
    table.give(0, "ethnology-crete-paris-2", "book-greece-london-3")
    assert table.refuses(Dig("greece", 8, ("ethnology",))).rule == "JVT-30"


@pytest.mark.rule("JVT-30", "JVT-43")
@pytest.mark.parametrize(("alike", "worth"), [(0, 0), (1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (6, 4), (7, 4), (9, 6)])
def test_pairs_count_1_and_trios_2(alike: int, worth: int) -> None:
    best = max(2 * trios + pairs for trios in range(4) for pairs in range(5) if 3 * trios + 2 * pairs <= alike)
    assert together(alike) == worth == best


@pytest.mark.rule("JVT-30")
def test_assistants_help_at_every_site_and_are_kept() -> None:
    table = Expedition()
    table.give(0, "assistant-paris", "assistant-paris", "assistant-rome", "book-crete-rome-2")
    assert knowledge(table.who().counts, "crete").total == 4
    table.stand(0, "crete")
    table.dig("crete", 2)
    assert table.who().counts.assistants == 3


@pytest.mark.rule("JVT-31")
def test_a_lone_assistant_can_be_used_up_for_a_point() -> None:
    table = Expedition()
    table.give(0, "assistant-paris", "book-crete-rome-2")
    assert knowledge(table.who().counts, "crete").total == 2
    table.stand(0, "crete")
    table.dig("crete", 3, "assistant")
    assert table.who().counts.assistants == 0
    assert "assistant-paris" in table.state.piles.discards


@pytest.mark.rule("JVT-31")
@pytest.mark.parametrize("held", [0, 2, 3])
def test_only_a_lone_assistant_is_used_up(held: int) -> None:
    table = Expedition()
    table.give(0, "book-crete-rome-2", *["assistant-paris", "assistant-paris", "assistant-rome"][:held])
    assert table.refuses(Dig("crete", 6, ("assistant",))).rule == "JVT-31"


@pytest.mark.rule("JVT-32")
def test_open_books_count_as_far_as_there_is_specific_knowledge() -> None:
    table = Expedition()
    table.give(0, "open_book-paris-2", "open_book-berlin-2", "open_book-rome-1", "book-crete-rome-2")
    table.find(0, "greece", "open_book")
    known = knowledge(table.who().counts, "crete")
    assert table.who().counts.open_books == 6
    assert (known.specific, known.open_books, known.total) == (2, 2, 4)
    assert knowledge(table.who().counts, "greece").total == 0


@pytest.mark.rule("JVT-32")
def test_what_is_used_up_makes_room_for_more_open_books() -> None:
    table = Expedition()
    table.give(0, "open_book-paris-2", "open_book-berlin-2", "ethnology-crete-paris-2", "assistant-rome")
    known = knowledge(table.who().counts, "crete", ("ethnology", "assistant"))
    assert (known.specific, known.open_books, known.total) == (3, 3, 6)


@pytest.mark.rule("JVT-33", "JVT-64")
def test_more_than_12_points_are_read_as_12() -> None:
    table = Expedition()
    table.give(0, "book-crete-rome-2", "book-crete-moscow-3", "book-crete-vienna-2", "book-crete-paris-2")
    table.give(0, "open_book-paris-2", "open_book-berlin-2", "open_book-london-2")
    known = knowledge(table.who().counts, "crete")
    assert (known.specific, known.open_books, known.total) == (9, 6, 12)


def test_the_uses_are_those_of_the_contract() -> None:
    assert USES == ("ethnology", "assistant", "shovel", "special_permit")
