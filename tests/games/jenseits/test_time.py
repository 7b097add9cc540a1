"""Weeks, years, whose turn it is; trips, cars and zeppelins."""

from __future__ import annotations

from itertools import product

import pytest

from companion.game import Finished, Turn
from companion.games.jenseits.moves import Dig, Refresh, Retire, Take
from companion.refusals import NotYourTurn, Over
from tests.games.jenseits.expedition import OPEN, Expedition, box, retire_all


@pytest.mark.rule("JVT-01")
def test_after_week_52_comes_week_1_of_the_next_year() -> None:
    table = Expedition()
    table.set(0, 52, 1901)
    assert table.at() == 51
    table.set(1, 2, 1902)
    table.go(Refresh())
    assert table.week() == (1, 1902)


@pytest.mark.rule("JVT-02")
@pytest.mark.parametrize(("seats", "start"), [(2, (1, 1901)), (3, (16, 1901)), (4, (1, 1902))])
def test_more_players_start_later(seats: int, start: tuple[int, int]) -> None:
    table = Expedition(seats)
    assert {table.week(seat) for seat in range(seats)} == {start}


@pytest.mark.rule("JVT-03")
def test_the_top_of_the_starting_stack_plays_first() -> None:
    table = Expedition(3, stack=(2, 0, 1))
    assert table.seat == 2
    table.play(Retire())
    assert table.seat == 0
    table.play(Retire())
    assert table.seat == 1


@pytest.mark.rule("JVT-03")
def test_each_place_of_the_stack_is_drawn_from_the_markers_left() -> None:
    table = Expedition(3, stack=(2, 0, 1))
    table.state = table.game.start()
    assert table.chance.randomizer == "start"
    assert dict(table.chance.odds) == {0: 1, 1: 1, 2: 1}
    table.deal(1)
    assert dict(table.chance.odds) == {0: 1, 2: 1}
    assert table.refuses_draw(1).rule == "JVT-03"
    assert table.refuses_draw("0").rule == "JVT-03"
    assert table.refuses_draw(True).rule == "JVT-03"
    table.deal(2)
    assert table.state.stack == (1, 2, 0), "the last marker is what is left"
    for card in OPEN:
        table.deal(card)
    assert table.seat == 1


@pytest.mark.rule("JVT-04")
def test_who_is_furthest_back_plays_again_and_again() -> None:
    table = Expedition()
    table.set(1, 10, 1901)
    for week in (2, 4, 7):
        table.go(Refresh())
        assert table.week() == (week, 1901)
        assert table.seat == 0
    table.go(Refresh())
    assert table.week() == (11, 1901)
    assert table.seat == 1


@pytest.mark.rule("JVT-04")
def test_who_arrives_on_a_week_lies_on_top_and_plays_first() -> None:
    table = Expedition(3)
    table.set(1, 17, 1901)
    table.set(2, 17, 1901)
    table.go(Refresh())
    assert table.week() == (17, 1901)
    assert table.seat == 0
    assert table.state.track.stack(table.at()) == (1, 2, 0)


@pytest.mark.rule("JVT-04")
def test_nobody_else_may_move() -> None:
    table = Expedition()
    refusal = table.refuses(Refresh(), seat=1)
    assert isinstance(refusal, NotYourTurn)
    assert refusal.rule == "JVT-04"


@pytest.mark.rule("JVT-04")
def test_nobody_moves_while_something_is_drawn_and_nothing_is_drawn_on_a_turn() -> None:
    table = Expedition()
    assert table.refuses_draw("blank").rule == "JVT-04"
    table.play(Refresh())
    refusal = table.refuses(Refresh(), seat=0)
    assert (refusal.key, refusal.rule) == ("core.chance_first", "JVT-22")


@pytest.mark.rule("JVT-05")
def test_the_year_marker_shows_the_year_of_who_is_furthest_back() -> None:
    table = Expedition()
    table.set(0, 3, 1902)
    table.set(1, 50, 1901)
    track = table.game.sees(table.state, None).board["track"]
    assert isinstance(track, dict)
    assert track["year"] == 1901
    assert [marker["year"] for marker in track["markers"]] == [1902, 1901]


@pytest.mark.rule("JVT-06")
def test_what_fits_exactly_is_legal_and_a_week_more_is_not() -> None:
    table = Expedition()
    table.give(0, "book-greece-london-2")
    table.stand(0, "greece")
    table.set(0, 48, 1903)
    table.set(1, 49, 1903)
    assert Dig("greece", 6) not in table.moves
    refusal = table.refuses(Dig("greece", 6))
    assert refusal.rule == "JVT-06"
    assert refusal.facts == {"n": 1, "weeks": 6, "left": 5}
    table.give(0, "open_book-berlin-2")
    table.dig("greece", 5)
    assert table.week() == (1, 1904)


@pytest.mark.rule("JVT-06")
def test_every_kind_of_action_has_to_fit() -> None:
    table = Expedition()
    table.set(0, 52, 1903)
    table.set(1, 52, 1903, on_top=False)
    table.stand(0, "london")
    for move in (Refresh(), Take("book-egypt-london-3")):
        assert table.refuses(move).rule == "JVT-06"
    assert table.moves == (Retire(),)


@pytest.mark.rule("JVT-07")
def test_who_retires_goes_straight_to_the_end() -> None:
    table = Expedition()
    table.play(Retire())
    assert table.week() == (1, 1904)
    assert table.seat == 1
    assert table.who().place == "warsaw"


@pytest.mark.rule("JVT-07")
def test_there_is_no_move_without_an_action() -> None:
    table = Expedition()
    assert {type(move) for move in table.moves} <= {Take, Refresh, Dig, Retire}
    table.set(0, 52, 1903)
    table.set(1, 52, 1903)
    table.stand(1, "egypt")
    assert table.seat == 1
    assert table.moves == (Retire(),)


@pytest.mark.rule("JVT-08")
def test_the_game_ends_when_every_marker_is_at_the_end() -> None:
    table = Expedition(4)
    for _ in range(3):
        table.play(Retire())
    assert isinstance(table.game.ask(table.state), Turn)
    retire_all(table)
    assert isinstance(table.game.ask(table.state), Finished)
    refusal = table.refuses(Retire(), seat=0)
    assert isinstance(refusal, Over)
    assert refusal.rule == "JVT-08"


@pytest.mark.rule("JVT-09")
def test_permits_turn_up_when_a_marker_comes_to_week_1() -> None:
    table = Expedition()
    for site in ("greece", "egypt"):
        table.permit(0, site, up=False)
        table.permit(1, site, up=False)
    table.set(0, 52, 1901)
    table.set(1, 20, 1902)
    table.go(Refresh())
    assert table.week() == (1, 1902)
    assert table.who(0).turned == frozenset()
    assert table.who(1).turned == {"greece", "egypt"}, "only the seat whose year is over"


def late(*cards: str, week: int, year: int = 1901, site: str = "greece") -> Expedition:
    """Seat 0 stands at a site with these cards, in this week; the other one is far ahead."""
    table = Expedition()
    table.give(0, *cards)
    table.stand(0, site)
    table.set(0, week, year)
    table.set(1, 1, 1904)
    return table


@pytest.mark.rule("JVT-09", "JVT-46")
def test_a_dig_across_the_new_year_leaves_its_permit_down_and_turns_up_the_others() -> None:
    table = late("book-greece-london-3", week=50)
    table.permit(0, "crete", up=False)
    table.dig("greece", 5)
    table.draw("blank")
    assert table.who().turned == {"greece"}


@pytest.mark.rule("JVT-09", "JVT-40")
@pytest.mark.parametrize("weeks", [1, 2, 3, 12])
def test_a_used_permit_opens_nothing_however_far_a_dig_would_reach(weeks: int) -> None:
    table = late("book-greece-london-3", "book-greece-london-2", "zeppelin-rome", week=51)
    table.permit(0, "greece", up=False)
    refusal = table.refuses(Dig("greece", weeks))
    assert (refusal.rule, refusal.facts["n"]) == ("JVT-40", 2)
    assert "in 2 weeks" in str(refusal)
    table.stand(0, "warsaw")
    assert table.refuses(Dig("greece", weeks, zeppelin=True)).rule == "JVT-40"
    assert not any(isinstance(move, Dig) for move in table.moves)


@pytest.mark.rule("JVT-09", "JVT-40")
def test_once_the_marker_has_passed_the_new_year_the_permit_opens_a_dig_again() -> None:
    table = late("book-greece-london-3", week=52)
    table.permit(0, "greece", up=False)
    table.go(Refresh())
    assert table.who().turned == frozenset()
    assert Dig("greece", 3) in table.moves


@pytest.mark.rule("JVT-09", "JVT-40")
def test_a_dig_on_a_special_permit_turns_nothing_down() -> None:
    table = late("book-greece-london-3", "special_permit-london", week=51)
    for site in ("greece", "crete"):
        table.permit(0, site, up=False)
    assert Dig("greece", 3) not in table.moves
    table.dig("greece", 3, "special_permit")
    table.draw("blank")
    assert table.week() == (2, 1902)
    assert table.who().turned == frozenset(), "the new year turned all up, and no permit was used"


@pytest.mark.rule("JVT-09")
def test_past_the_last_week_no_permit_turns_up() -> None:
    table = late("book-greece-london-3", "special_permit-london", week=50, year=1903)
    table.permit(0, "crete", up=False)
    table.dig("greece", 3)
    table.draw("blank")
    assert table.week() == (1, 1904)
    assert table.who().turned == {"crete", "greece"}


@pytest.mark.rule("JVT-09", "JVT-40")
def test_in_the_last_year_no_new_year_is_promised() -> None:
    table = late("book-greece-london-3", week=40, year=1903)
    table.permit(0, "greece", up=False)
    refusal = table.refuses(Dig("greece", 3))
    assert (refusal.rule, "n" in refusal.facts) == ("JVT-40", False)
    for language in ("fr", "it", "de"):
        assert "{" not in refusal.said(language)


@pytest.mark.rule("JVT-07", "JVT-09")
@pytest.mark.parametrize(("year", "turned"), [(1902, set()), (1903, {"greece"})])
def test_who_retires_passes_the_new_years_that_are_left(year: int, turned: set[str]) -> None:
    table = late(week=20, year=year)
    table.permit(0, "greece", up=False)
    table.play(Retire())
    assert table.who().turned == turned


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
