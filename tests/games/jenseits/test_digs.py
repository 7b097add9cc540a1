"""Permits, digs, bags, and how much a seat knows about a site."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.game import Played
from companion.games.jenseits.moves import USES, Dig, Refresh, Take
from companion.games.jenseits.state import knowledge, together
from companion.pieces.bag import Bag
from tests.games.jenseits.expedition import Expedition, box


def digger(*cards: str, site: str = "greece", seats: int = 2) -> Expedition:
    """Seat 0 stands at a site with these cards, and has the turn for long."""
    table = Expedition(seats)
    table.give(0, *cards)
    table.stand(0, site)
    for seat in range(1, seats):
        table.set(seat, 30, 1903)
    return table


@pytest.mark.rule("JVT-40", "JVT-46")
def test_a_permit_is_good_for_one_dig_in_a_year() -> None:
    table = digger("book-greece-london-3")
    table.dig("greece", 3)
    table.draw("blank")
    assert table.who().turned == {"greece"}
    assert table.refuses(Dig("greece", 3)).rule == "JVT-40"
    table.set(0, 52, 1901)
    table.go(Refresh())
    assert Dig("greece", 3) in table.moves


@pytest.mark.rule("JVT-40", "JVT-25")
def test_a_special_permit_allows_a_second_dig_and_is_discarded() -> None:
    table = digger("book-greece-london-3", "special_permit-london")
    table.permit(0, "greece", up=False)
    assert table.refuses(Dig("greece", 3)).rule == "JVT-40"
    table.dig("greece", 3, "special_permit")
    table.draw("object:5")
    assert table.who().turned == {"greece"}
    assert table.who().counts.special_permits == 0
    assert table.refuses(Dig("greece", 3, ("special_permit",))).rule == "JVT-40"


@pytest.mark.rule("JVT-40")
def test_two_special_permits_allow_two_more_digs() -> None:
    table = digger("book-greece-london-3", "special_permit-london", "special_permit-moscow")
    for use in ((), ("special_permit",), ("special_permit",)):
        table.go(Dig("greece", 3, use))
    assert table.who().counts.special_permits == 0


@pytest.mark.rule("JVT-40")
def test_a_special_permit_is_not_wasted_where_the_permit_is_good() -> None:
    table = digger("book-greece-london-3", "special_permit-london")
    assert table.refuses(Dig("greece", 3, ("special_permit",))).key == "jenseits.permit_is_up"


@pytest.mark.rule("JVT-40")
def test_permits_are_each_seats_own() -> None:
    table = digger("book-greece-london-3")
    table.permit(1, "greece", up=False)
    assert Dig("greece", 3) in table.moves


@pytest.mark.rule("JVT-41")
def test_assistants_and_open_books_alone_are_not_enough() -> None:
    table = digger("assistant-paris", "assistant-paris", "assistant-rome", "open_book-paris-2")
    assert table.refuses(Dig("greece", 12)).rule == "JVT-41"
    assert not any(isinstance(move, Dig) for move in table.moves)


@pytest.mark.rule("JVT-41")
def test_a_book_or_its_ethnology_card_is_enough() -> None:
    table = digger("ethnology-greece-moscow-2")
    assert table.refuses(Dig("greece", 6)).rule == "JVT-41"
    table.dig("greece", 6, "ethnology")
    table = digger("book-greece-moscow-1")
    table.dig("greece", 8)
    table = digger()
    table.find(0, "crete", "book:greece")
    table.dig("greece", 8)
    assert table.chance.facts == {"site": "greece", "nth": 1, "of": 1}


@pytest.mark.rule("JVT-42")
def test_the_dial_says_how_many_tokens_and_none_is_no_dig() -> None:
    table = digger("book-greece-london-2")
    refusal = table.refuses(Dig("greece", 5))
    assert refusal.rule == "JVT-42"
    assert refusal.facts["n"] == 1
    table.dig("greece", 10)
    assert table.at() == 10
    assert table.chance.facts["of"] == 2


@pytest.mark.rule("JVT-42")
@pytest.mark.parametrize("weeks", [-1, 0, 13, 100])
def test_a_dig_takes_1_to_12_weeks(weeks: int) -> None:
    assert digger("book-greece-london-3").refuses(Dig("greece", weeks)).rule == "JVT-42"


@pytest.mark.rule("JVT-42")
def test_one_digs_at_sites_only() -> None:
    assert digger("book-greece-london-3").refuses(Dig("rome", 3)).rule == "JVT-42"


@pytest.mark.rule("JVT-42")
def test_an_announced_dig_stands() -> None:
    table = digger("book-greece-london-3", "book-greece-london-2")
    table.dig("greece", 6)
    for move in (Dig("greece", 1), Refresh()):
        assert table.refuses(move, seat=0).rule == "JVT-44"


@pytest.mark.rule("JVT-43")
@pytest.mark.parametrize(("held", "more"), [(0, 0), (1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (6, 4)])
def test_shovels_dig_up_more_and_are_kept(held: int, more: int) -> None:
    shovels = ["shovel-london", "shovel-london", "shovel-rome", "shovel-rome", "shovel-moscow", "shovel-moscow"]
    table = digger("book-greece-london-3", *shovels[:held])
    table.dig("greece", 3)
    assert table.chance.facts["of"] == 1 + more
    assert table.who().counts.shovels == held


@pytest.mark.rule("JVT-43")
def test_a_lone_shovel_can_be_used_up() -> None:
    table = digger("book-greece-london-3", "shovel-rome")
    table.dig("greece", 3, "shovel")
    assert table.chance.facts["of"] == 2
    assert table.who().counts.shovels == 0


@pytest.mark.rule("JVT-43")
@pytest.mark.parametrize("held", [0, 2])
def test_only_a_lone_shovel_is_used_up(held: int) -> None:
    table = digger("book-greece-london-3", *["shovel-london", "shovel-rome"][:held])
    assert table.refuses(Dig("greece", 3, ("shovel",))).rule == "JVT-43"


@pytest.mark.rule("JVT-43", "JVT-42")
def test_shovels_do_not_make_a_dig_of_a_dial_that_shows_nothing() -> None:
    table = digger("book-greece-london-2", "shovel-london", "shovel-rome", "shovel-moscow")
    assert table.refuses(Dig("greece", 5)).rule == "JVT-42"


@pytest.mark.rule("JVT-44")
def test_tokens_are_drawn_one_by_one_from_what_is_still_in_the_bag() -> None:
    table = digger("book-greece-london-3", "book-greece-london-2")
    table.dig("greece", 6)
    assert table.chance.facts["of"] == 4
    assert sum(weight for _, weight in table.chance.odds) == 30
    table.draw("blank", "object:6", "blank")
    assert sum(weight for _, weight in table.chance.odds) == 27
    assert dict(table.chance.odds)["blank"] == 14, "rubble waits beside the bag until the dig is over"
    assert "object:6" not in dict(table.chance.odds)
    table.draw("open_book")
    assert table.state.digging is None
    assert table.state.bags["greece"].total == 28
    assert table.state.bags["greece"]["blank"] == 16, "rubble goes back when the turn ends"
    assert [find.token for find in table.who().finds] == ["object:1", "object:6", "open_book"]


@pytest.mark.rule("JVT-44")
def test_what_is_not_in_the_bag_cannot_be_drawn() -> None:
    table = digger("book-greece-london-3")
    table.dig("greece", 3)
    for token in ("object:7", "book:greece", "nonsense", 4):
        assert table.refuses_draw(token).rule == "JVT-44"


@pytest.mark.rule("JVT-44")
@pytest.mark.parametrize(("left", "drawn"), [(3, 3), (0, 0)])
def test_a_bag_with_fewer_tokens_is_emptied(left: int, drawn: int) -> None:
    table = digger("book-greece-london-3", "book-greece-london-2", "book-greece-rome-2", "book-greece-berlin-1")
    table.state = replace(table.state, bags={**table.state.bags, "greece": Bag.of({"blank": left})})
    table.dig("greece", 8)
    for _ in range(drawn):
        table.draw("blank")
    assert table.state.digging is None
    assert table.state.bags["greece"].total == left
    assert table.who().turned == {"greece"}


@pytest.mark.rule("JVT-45")
def test_each_bag_begins_with_30_tokens() -> None:
    table = Expedition()
    for site, bag in table.state.bags.items():
        objects = sum(count for token, count in bag.odds() if token.startswith("object:"))
        books = [token for token in bag if token.startswith("book:")]
        assert (bag.total, objects, bag["blank"], bag["open_book"]) == (30, 12, 16, 1)
        assert len(books) == 1
        assert bag[books[0]] == 1
        assert books[0] != f"book:{site}"


@pytest.mark.rule("JVT-45")
def test_the_first_to_dig_at_a_site_is_given_the_object_that_lies_there() -> None:
    table = digger("book-greece-london-3")
    table.give(1, "book-greece-rome-2")
    table.stand(1, "greece")
    table.dig("greece", 3)
    assert table.who(0).finds == (("greece", "object:1"),)
    assert "greece" not in table.state.first_finds
    table.draw("blank")
    table.set(0, 40, 1903)
    table.dig("greece", 6)
    table.draw("blank")
    assert table.who(1).finds == ()
    assert table.state.first_finds == {"crete", "egypt", "palestine", "mesopotamia"}


@pytest.mark.rule("JVT-46")
def test_the_permit_is_up_until_the_last_token_is_drawn() -> None:
    table = digger("book-greece-london-3", "book-greece-london-2")
    table.dig("greece", 4)
    table.draw("blank", "blank")
    assert table.who().turned == frozenset()
    table.draw("blank")
    assert table.who().turned == {"greece"}


@pytest.mark.rule("JVT-45")
def test_there_are_155_tokens() -> None:
    assert sum(sum(bag.values()) for bag in box().bags.values()) + len(box().sites) == 155


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


@pytest.mark.rule("JVT-30")
def test_what_assistants_are_worth_is_told_as_one_more_is_taken() -> None:
    table = Expedition(opened=("assistant-rome", "congress-paris", "car-rome", "car-moscow"))
    table.give(0, "assistant-paris", "assistant-paris")
    took = Played(0, Take("assistant-rome"))
    assert table.game.follows(table.state, took) == [{"type": "assistants", "whose": "Ada", "n": 3, "points": 2}]


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


@pytest.mark.rule("JVT-42")
def test_there_is_one_dial() -> None:
    """What a dig draws, what help says it draws and what the board shows are the same figures, in all 144 cells."""
    table = Expedition()
    rows = table.game.sees(table.state, None).board["dial"]["rows"]  # type: ignore[index, call-overload]
    assert rows == box().dial.rows
    for points in range(1, 13):
        for weeks in range(1, 13):
            assert table.game.terms.dial.tokens(points, weeks) == rows[points - 1][weeks - 1]
    assert table.game.terms.dial.tokens(40, 4) == rows[11][3]
