"""Trips, cars and zeppelins."""

from __future__ import annotations

from itertools import product

import pytest

from companion.games.jenseits.moves import Dig, Refresh, Retire, Take
from tests.games.jenseits.expedition import Expedition, box


def brute_force(start: str, end: str) -> int:
    """The shortest way, found by trying all ways of up to 6 legs: nothing of the game's own search is used."""
    frontier, legs = {start}, 0
    routes = box().map.routes
    while end not in frontier:
        frontier = {b for a, b in (*routes, *((b, a) for a, b in routes)) if a in frontier}
        legs += 1
        assert legs < 12
    return legs


def floyd() -> dict[tuple[str, str], int]:
    """All distances at once, by letting every place in turn be a stop on the way."""
    places = (*box().map.cities, *box().sites)
    far = {(a, b): 0 if a == b else 99 for a, b in product(places, places)}
    for a, b in box().map.routes:
        far[a, b] = far[b, a] = 1
    for stop, a, b in product(places, places, places):
        far[a, b] = min(far[a, b], far[a, stop] + far[stop, b])
    return far


@pytest.mark.rule("JVT-10")
def test_all_figures_start_in_warsaw_and_may_share_a_place() -> None:
    table = Expedition(4)
    assert [seat.place for seat in table.state.seats] == ["warsaw"] * 4


@pytest.mark.rule("JVT-11")
def test_distances_are_the_shortest_ways_and_the_same_both_ways() -> None:
    table = Expedition()
    legs = table.game.terms.legs
    for (a, b), far in floyd().items():
        assert legs[a][b] == legs[b][a] == far == brute_force(a, b)


@pytest.mark.rule("JVT-11")
def test_trip_and_action_are_paid_together() -> None:
    table = Expedition(opened=("congress-london", *("shovel-rome", "shovel-moscow", "car-moscow")))
    table.play(Take("congress-london"))
    assert table.at() == 2 + 2, "Warsaw, Berlin, London, and two weeks for the congress"
    assert table.who().place == "london"


@pytest.mark.rule("JVT-11")
def test_who_is_there_already_pays_for_the_action_only() -> None:
    table = Expedition()
    table.play(Refresh())
    assert table.at() == 1


@pytest.mark.rule("JVT-12")
@pytest.mark.parametrize(("place", "legs"), [("berlin", 1), ("rome", 2), ("paris", 2), ("crete", 2), ("egypt", 3)])
def test_a_car_shortens_trips_of_three_legs_or_more(place: str, legs: int) -> None:
    table = Expedition(opened=("shovel-rome", "shovel-moscow", "car-moscow", "book-greece-berlin-3"))
    table.give(0, "car-rome")
    table.stand(0, place)
    table.play(Refresh())
    assert table.at() == legs - (legs >= 3) + 1
    assert "car-rome" in table.who().cards, "a car is kept"


@pytest.mark.rule("JVT-12")
def test_two_cars_are_no_faster_than_one() -> None:
    table = Expedition()
    table.give(0, "car-rome", "car-moscow")
    table.stand(0, "egypt")
    table.play(Refresh())
    assert table.at() == 2 + 1


@pytest.mark.rule("JVT-12")
def test_a_car_helps_only_its_owner() -> None:
    table = Expedition()
    table.give(1, "car-rome")
    table.stand(0, "egypt")
    table.play(Refresh())
    assert table.at() == 3 + 1


@pytest.mark.rule("JVT-13", "JVT-25")
def test_a_zeppelin_makes_a_trip_take_no_time_and_is_discarded() -> None:
    table = Expedition()
    table.give(0, "zeppelin-rome")
    table.stand(0, "egypt")
    assert {Refresh(), Refresh(zeppelin=True)} <= set(table.moves), "the player chooses"
    table.play(Refresh(zeppelin=True))
    assert table.at() == 1
    assert table.who().place == "warsaw"
    assert "zeppelin-rome" not in table.who().cards
    assert "zeppelin-rome" in table.state.piles.discards


@pytest.mark.rule("JVT-13")
def test_a_zeppelin_flies_to_every_kind_of_action() -> None:
    table = Expedition()
    table.give(0, "zeppelin-rome", "book-mesopotamia-london-3", "book-mesopotamia-london-2")
    table.dig("mesopotamia", 1, zeppelin=True)
    assert table.at() == 1
    assert table.who().place == "mesopotamia"


@pytest.mark.rule("JVT-13")
def test_without_a_zeppelin_nobody_flies() -> None:
    table = Expedition()
    table.stand(0, "egypt")
    for move in (Refresh(zeppelin=True), Take("book-egypt-london-3", zeppelin=True)):
        assert table.refuses(move).rule == "JVT-13"


@pytest.mark.rule("JVT-13")
def test_a_zeppelin_needs_a_trip() -> None:
    table = Expedition()
    table.give(0, "zeppelin-rome", "book-greece-london-3")
    assert table.refuses(Refresh(zeppelin=True)).key == "jenseits.no_trip"
    table.stand(0, "greece")
    assert table.refuses(Dig("greece", 4, zeppelin=True)).rule == "JVT-13"


@pytest.mark.rule("JVT-13")
def test_the_second_zeppelin_is_still_there_after_the_first_has_flown() -> None:
    table = Expedition()
    table.give(0, "zeppelin-rome", "zeppelin-vienna")
    table.stand(0, "egypt")
    table.go(Refresh(zeppelin=True))
    assert table.who().counts.zeppelins == 1
    table.go(Retire())
