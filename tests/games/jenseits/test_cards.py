"""Piles, open cards, exhibitions that are turned up, refreshing, and cards that are used up."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations

import msgspec
import pytest
from msgspec.structs import replace

from companion.game import Chance, Dealt
from companion.games.jenseits.corrections import SetCard
from companion.games.jenseits.moves import Dig, Refresh, Retire, Take
from companion.games.jenseits.piles import EXHIBITION, DrawPile, Odds, Piles, ready
from companion.games.jenseits.state import first_state
from companion.pieces.bag import Bag
from tests.games.jenseits.expedition import OPEN, Expedition, game

SMALL = tuple(f"exhibition-small-{city}" for city in ("london", "paris", "berlin", "vienna", "moscow"))
LARGE = tuple(card.replace("small", "large") for card in SMALL)


def sizes(seats: int) -> tuple[list[tuple[int, int]], tuple[int, int]]:
    piles = Expedition(seats).state.piles
    upper = [(pile.research, len(pile.exhibitions)) for pile in piles.draw]
    return upper, (piles.aside.research, len(piles.aside.exhibitions))


@pytest.mark.rule("JVT-20")
@pytest.mark.parametrize("seats", [3, 4])
def test_three_piles_small_exhibitions_in_the_second_large_ones_aside(seats: int) -> None:
    assert sizes(seats) == ([(27, 0), (27, 5)], (27, 5))
    piles = Expedition(seats).state.piles
    assert all("small" in card for card in piles.draw[1].exhibitions)
    assert all("large" in card for card in piles.aside.exhibitions)


@pytest.mark.rule("JVT-20")
def test_two_players_have_two_piles_and_nothing_aside() -> None:
    assert sizes(2) == ([(41, 0), (40, 10)], (0, 0))


@pytest.mark.rule("JVT-20")
def test_the_first_four_cards_are_research_cards_of_all_85() -> None:
    table = Expedition()
    table.state = table.game.after(table.game.start(), Dealt(0))
    opening = table.game.ask(table.state)
    assert isinstance(opening, Chance)
    assert sum(weight for _, weight in opening.odds) == 85
    assert not any("exhibition" in str(card) for card, _ in opening.odds)
    assert Expedition().state.open == OPEN
    assert Expedition().state.piles.hidden.total == 81


@pytest.mark.rule("JVT-20")
def test_no_exhibition_comes_from_the_first_pile() -> None:
    table = Expedition(3)
    table.play(Refresh())
    assert not any("exhibition" in str(card) for card, _ in table.chance.odds)
    assert table.refuses_draw("exhibition-small-london").rule == "JVT-20"
    assert table.refuses_draw("no such card").rule == "JVT-20"
    assert table.refuses_draw(3).rule == "JVT-20"


@pytest.mark.rule("JVT-20")
def test_each_draw_has_the_odds_of_shuffled_piles() -> None:
    """Every order of a small deck, laid in piles, against the odds step by step."""
    research, shown = ("r1", "r2", "r3", "r4"), ("x1", "x2")
    orders: Counter[tuple[str, ...]] = Counter()
    for order in permutations(research):
        for at in combinations(range(4), 2):
            second = list(order[1:3])
            for place, card in zip(at, shown, strict=True):
                second.insert(place, card)
            swapped = [{"x1": "x2", "x2": "x1"}.get(card, card) for card in second]
            orders[(order[0], *second)] += 1
            orders[(order[0], *swapped)] += 1
    total = sum(orders.values())
    piles = Piles(Bag.of(research), (DrawPile(1), DrawPile(2, shown)), DrawPile(1))
    for order, count in orders.items():
        chance, left = Fraction(1), piles
        for card in order:
            chance *= drawn(left, card)
            left = left.without(card)
        assert chance == Fraction(count, total)
        assert left.draw == ()
        assert left.hidden.total == 1


def drawn(piles: Piles, card: str) -> Fraction:
    """How likely a card comes next: an exhibition in two draws, of what comes and of which exhibition it is."""
    if card not in piles.draw[0].exhibitions:
        assert piles.can_show(card)
        return share(piles.odds(), card)
    assert piles.can_show(EXHIBITION)
    return share(piles.odds(), EXHIBITION) * share(piles.which(), card)


def share(odds: Odds, outcome: str) -> Fraction:
    return Fraction(dict(odds)[outcome], sum(weight for _, weight in odds))


@pytest.mark.rule("JVT-20")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_two_draws_have_the_odds_of_one_from_the_pile(seats: int) -> None:
    """In every pile of the game, shuffled anew or not, each card on top is as likely as one in so many."""
    terms = game(seats).terms
    piles = first_state(terms).piles
    for _ in range(400):
        piles = ready(terms, piles)
        if not piles.draw:
            break
        top = piles.draw[0]
        for exhibition in top.exhibitions:
            assert drawn(piles, exhibition) == Fraction(1, top.size)
        for card, count in piles.hidden.odds() if top.research else ():
            assert drawn(piles, card) == Fraction(count, piles.hidden.total) * Fraction(top.research, top.size)
        went = top.exhibitions[-1] if top.exhibitions and piles.size % 3 else piles.odds()[0][0]
        if went == EXHIBITION:
            went = top.exhibitions[0]
        piles = piles.without(went)
        piles = piles.discard(went) if piles.size % 2 else piles


@pytest.mark.rule("JVT-20", "JVT-23")
def test_an_exhibition_that_comes_is_asked_for_by_a_randomizer_of_its_own() -> None:
    table = Expedition(3)
    table.state = replace(table.state, piles=replace(table.state.piles, draw=table.state.piles.draw[1:]))
    table.play(Take(OPEN[0]))
    assert (table.chance.randomizer, dict(table.chance.odds)[EXHIBITION]) == ("cards", 5 * 81)
    assert table.refuses_draw("exhibition-small-london").rule == "JVT-20", "first comes an exhibition, then which one"
    table.deal(EXHIBITION)
    assert table.chance.randomizer == "exhibitions"
    assert not table.chance.pressed
    assert table.chance.facts == {"place": "a"}
    assert table.chance.odds == tuple((card, 1) for card in SMALL), "none of the large ones, which wait aside"
    for card in ("exhibition-large-london", "car-rome", EXHIBITION, 0):
        assert table.refuses_draw(card).rule == "JVT-20"
    table.deal(SMALL[2])
    assert table.state.shown[0] == SMALL[2]
    assert SMALL[2] not in table.state.piles.draw[0].exhibitions
    assert table.chance.randomizer == "cards"


@pytest.mark.rule("JVT-21", "JVT-23")
def test_after_the_pile_was_shuffled_anew_all_that_are_left_can_come() -> None:
    table = Expedition(3)
    piles = used_up(table.state.piles).discard("exhibition-small-vienna", "exhibition-small-paris")
    table.state = replace(table.state, piles=piles)
    table.play(Take(OPEN[0]))
    assert table.chance.facts["from"] == ["at_discards", "at_aside"]
    table.deal("shuffled")
    table.deal(EXHIBITION)
    assert {card for card, _ in table.chance.odds} == {*LARGE, "exhibition-small-vienna", "exhibition-small-paris"}


@pytest.mark.rule("JVT-23")
def test_when_the_host_takes_the_last_exhibition_from_the_pile_none_is_asked_for() -> None:
    table = Expedition(3)
    table.state = replace(table.state, piles=replace(table.state.piles, draw=table.state.piles.draw[1:]))
    table.play(Take(OPEN[0]))
    table.deal(EXHIBITION)
    for card in SMALL[:4]:
        table.put(SetCard(card, "pile", "discards"))
    assert table.chance.odds == ((SMALL[4], 1),)
    table.put(SetCard(SMALL[4], "pile", "a"))
    assert table.chance.randomizer == "cards"
    table.deal("car-rome")
    assert table.state.shown == (SMALL[4], None, None)


@pytest.mark.rule("JVT-21")
def test_the_first_time_the_pile_aside_is_shuffled_in_later_the_discards_alone() -> None:
    table = Expedition(3)
    piles = used_up(table.state.piles).discard("car-rome", "exhibition-small-london")
    again = ready(table.game.terms, piles)
    assert (again.size, again.aside, again.discards) == (27 + 5 + 2, DrawPile(), ())
    assert again.draw[0].research == again.hidden.total == 28
    assert len(again.draw[0].exhibitions) == 6
    last = ready(table.game.terms, used_up(again).discard("shovel-rome", "shovel-rome"))
    assert (last.draw, last.hidden) == ((DrawPile(2),), Bag.of({"shovel-rome": 2}))


def used_up(piles: Piles) -> Piles:
    while piles.draw:
        card = piles.odds()[0][0]
        piles = piles.without(piles.which()[0][0] if card == EXHIBITION else card)
    return piles


@pytest.mark.rule("JVT-21")
def test_it_is_shuffled_when_the_next_card_is_needed_and_everybody_hears_of_it() -> None:
    table = Expedition(3)
    table.state = replace(table.state, piles=used_up(table.state.piles))
    assert table.seat == 0, "not before"
    table.play(Take(OPEN[0]))
    assert (table.chance.randomizer, table.chance.question, table.chance.odds) == (
        "cards",
        "shuffle",
        (("shuffled", 1),),
    )
    assert table.chance.facts == {"place": 1, "n": 32, "from": ["at_aside"]}
    assert not table.chance.pressed
    assert table.refuses_draw("car-rome").rule == "JVT-21"
    told = table.game.tells(table.state, Dealt("shuffled"), None)
    assert told == {"type": "shuffled", "n": 32, "from": ["at_aside"]}
    table.deal("shuffled")
    assert (table.chance.question, table.state.piles.size) == ("card 1", 27 + 5)
    assert sum(weight for _, weight in table.chance.odds) == 27 + 5
    table.turn_up("exhibition-large-london")
    assert table.state.piles.size == 27 + 4
    assert table.state.piles.aside == DrawPile()


@pytest.mark.rule("JVT-22")
def test_a_card_that_is_taken_lies_before_the_seat_and_its_place_is_filled() -> None:
    table = Expedition()
    table.play(Take(OPEN[0]))
    assert table.who().cards == (OPEN[0],)
    assert table.who().place == "berlin"
    assert table.at() == 1 + 4
    assert table.state.open[0] is None
    assert not table.chance.pressed, "no hand draws: it is filled at once"
    table.deal("car-rome")
    assert table.state.open == ("car-rome", *OPEN[1:])


@pytest.mark.rule("JVT-22")
def test_only_open_cards_can_be_taken() -> None:
    table = Expedition()
    assert table.refuses(Take("car-rome")).rule == "JVT-22"
    assert table.refuses(Take("exhibition-small-london")).rule == "JVT-22"
    assert table.refuses(Take("nonsense")).rule == "JVT-22"


@pytest.mark.rule("JVT-22")
def test_of_two_alike_one_is_taken() -> None:
    table = Expedition(opened=("congress-paris", "congress-paris", "car-rome", "car-moscow"))
    assert table.moves.count(Take("congress-paris")) == 1
    table.play(Take("congress-paris"))
    assert table.state.open == (None, "congress-paris", "car-rome", "car-moscow")


@pytest.mark.rule("JVT-23", "JVT-51")
def test_exhibitions_push_each_other_until_four_research_cards_lie_open() -> None:
    table = Expedition()
    table.state = replace(table.state, piles=replace(table.state.piles, draw=table.state.piles.draw[1:]))
    shown = ["exhibition-small-london", "exhibition-large-paris", "exhibition-small-berlin", "exhibition-large-vienna"]
    table.play(Take(OPEN[0]))
    for count, card in enumerate(shown, 1):
        table.turn_up(card)
        expected = [*reversed(shown[:count]), None, None, None][:3]
        assert list(table.state.shown) == expected
        assert table.state.open[0] is None, "the place still waits for a research card"
    assert table.state.piles.discards == (shown[0],)
    table.deal("car-rome")
    assert table.state.open[0] == "car-rome"


@pytest.mark.rule("JVT-23", "JVT-51")
def test_an_empty_place_stops_the_push() -> None:
    table = Expedition()
    table.show("a", "exhibition-small-london")
    table.show("c", "exhibition-small-paris")
    table.state = replace(table.state, piles=replace(table.state.piles, draw=table.state.piles.draw[1:]))
    table.play(Take(OPEN[0]))
    table.turn_up("exhibition-small-berlin")
    assert table.state.shown == ("exhibition-small-berlin", "exhibition-small-london", "exhibition-small-paris")
    assert table.state.piles.discards == ()


@pytest.mark.rule("JVT-24")
def test_refreshing_discards_four_and_opens_four_in_warsaw() -> None:
    table = Expedition()
    table.stand(0, "berlin")
    table.play(Refresh())
    assert table.state.open == (None,) * 4
    assert table.state.piles.discards == OPEN
    assert table.who().place == "warsaw"
    assert table.at() == 1 + 1
    for place in range(1, 5):
        assert table.chance.facts == {"place": place}
        table.deal("congress-moscow" if place < 3 else "shovel-london")
    assert table.seat == 1


@pytest.mark.rule("JVT-24")
def test_each_further_refresh_without_another_player_in_between_costs_a_week_more() -> None:
    table = Expedition(opened=("book-crete-paris-1", *OPEN[1:]))
    table.set(1, 52, 1901)
    for weeks in (1, 2, 3):
        before = table.at()
        table.go(Refresh())
        assert table.at() - before == weeks


@pytest.mark.rule("JVT-24")
def test_another_action_of_the_same_seat_does_not_bring_the_price_down() -> None:
    table = Expedition()
    table.set(1, 52, 1901)
    table.go(Refresh())
    table.go(next(move for move in table.moves if isinstance(move, Take)))
    table.stand(0, "warsaw")
    before = table.at()
    table.go(Refresh())
    assert table.at() - before == 2


@pytest.mark.rule("JVT-24")
def test_once_another_seat_has_played_refreshing_costs_1_again() -> None:
    table = Expedition()
    table.go(Refresh())
    table.go(Refresh())
    assert (table.at(0), table.at(1)) == (1, 1)
    before = table.at(table.seat)
    seat = table.seat
    table.go(Refresh())
    assert table.at(seat) - before == 2, "seat 1 lies on top, and plays again"
    before = table.at(table.seat)
    seat = table.seat
    table.go(Refresh())
    assert table.at(seat) - before == 1


@pytest.mark.rule("JVT-24")
def test_with_no_card_left_anywhere_there_is_nothing_to_refresh() -> None:
    table = Expedition()
    for card in OPEN:
        table.put(SetCard(card, "open", 1))
    for card, count in tuple(table.state.piles.hidden.odds()):
        table.give(1, *[card] * count)
    assert table.state.open == (None,) * 4
    assert table.refuses(Refresh()).rule == "JVT-24"


@pytest.mark.rule("JVT-22")
def test_when_all_research_cards_are_held_a_place_stays_empty_until_one_is_used_up() -> None:
    table = Expedition()
    for card, count in tuple(table.state.piles.hidden.odds()):
        table.give(1, *[card] * count)
    table.put(SetCard("zeppelin-rome", 1, 0))
    table.play(Take(OPEN[0]))
    assert table.state.open == (None, *OPEN[1:])
    assert table.seat == 1
    table.play(Retire())
    table.play(Take(OPEN[1], zeppelin=True))
    while isinstance(ask := table.game.ask(table.state), Chance):
        table.deal(ask.odds[0][0])
    assert "zeppelin-rome" in table.state.open, "the discarded zeppelin was shuffled in and opened"


@pytest.mark.rule("JVT-25")
def test_cards_that_are_used_up_go_to_the_discards() -> None:
    table = Expedition()
    table.give(
        0, "ethnology-greece-moscow-2", "assistant-rome", "shovel-rome", "special_permit-london", "zeppelin-rome"
    )
    table.give(0, "book-greece-london-2")
    table.permit(0, "greece", up=False)
    table.dig("greece", 8, "ethnology", "assistant", "shovel", "special_permit", zeppelin=True)
    assert table.who().cards == ("book-greece-london-2",)
    used = {"ethnology-greece-moscow-2", "assistant-rome", "shovel-rome", "special_permit-london", "zeppelin-rome"}
    assert set(table.state.piles.discards) == used


@pytest.mark.rule("JVT-25")
def test_cards_to_be_used_up_are_named_in_any_order() -> None:
    table = Expedition()
    table.give(0, "ethnology-greece-moscow-2", "shovel-rome", "assistant-rome")
    listed = next(move for move in table.moves if isinstance(move, Dig) and len(move.use) == 3)
    for use in permutations(listed.use):
        read = msgspec.convert({"type": "dig", "site": "greece", "weeks": listed.weeks, "use": use}, Dig)
        assert read == listed
        assert hash(read) == hash(listed)
        assert msgspec.to_builtins(read) == msgspec.to_builtins(listed)
    table.dig("greece", listed.weeks, "shovel", "assistant", "ethnology")
    assert table.who().cards == ()


@pytest.mark.rule("JVT-25")
def test_a_card_to_be_used_up_is_named_once() -> None:
    table = Expedition()
    table.give(0, "ethnology-greece-moscow-2", "shovel-rome")
    refusal = table.refuses(Dig("greece", 8, ("shovel", "ethnology", "shovel")))
    assert (refusal.key, refusal.rule) == ("jenseits.use_once", "JVT-25")
