"""The boxes as they are shipped."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.resources import files

import pytest

from companion import boxes, games
from companion.boxes import content_of, load, restore
from companion.boxes.box import Value
from companion.games.horus.box import HorusBox
from companion.games.jenseits.box import JenseitsBox
from companion.games.tomb_raiders.box import TombRaidersBox
from companion.games.tutankhamun.box import TutankhamunBox
from companion.pieces.dial import Dial
from companion.pieces.plan import Plan
from companion.refusals import Illegal
from companion.words import LANGUAGES, sentences


@pytest.mark.parametrize("name", games.REGISTER)
def test_every_shipped_box_opens_and_is_called_by_its_name(name: str) -> None:
    box = games.box(name)
    assert box.name == name
    assert box.title


@pytest.mark.parametrize("name", games.REGISTER)
def test_every_figure_says_where_it_is_from(name: str) -> None:
    figures = list(games.box(name).figures())
    assert len(figures) > 50
    assert {figure.origin for figure in figures} <= {"rules", "found", "house"}
    assert len({figure.key for figure in figures}) == len(figures)


@pytest.mark.parametrize("name", ["jenseits", "tutankhamun"])
def test_a_box_lists_the_rulings_of_its_ledger(name: str) -> None:
    ledger = (files("companion.games") / name / "RULES.md").read_text(encoding="utf-8")
    rules = re.split(r"(?=\*\*[A-Z]{3}-\d\d\*\*|\n\| [A-Z]{3}-\d\d|\n#)", ledger)
    ours = [re.search(r"[A-Z]{3}-\d\d", rule) for rule in rules[1:] if "Ruling" in rule]
    assert games.box(name).rulings == tuple(rule.group() for rule in ours if rule)


@pytest.mark.parametrize("name", games.REGISTER)
def test_every_ruling_is_told_in_every_language(name: str) -> None:
    rulings = games.box(name).rulings
    assert rulings
    told = {each: [key for key in sentences(each, name) if key.startswith(f"{name}.rulings.")] for each in LANGUAGES}
    assert told == {each: [f"{name}.rulings.{rule}" for rule in rulings] for each in LANGUAGES}


@pytest.mark.parametrize("name", games.REGISTER)
def test_a_box_comes_back_from_a_journal_as_it_was(name: str) -> None:
    box = games.box(name)
    assert restore(type(box), content_of(box)) == box
    assert restore(type(box), content_of(box)).digest == box.digest


def test_a_box_from_a_journal_is_checked_again() -> None:
    kept = content_of(load(HorusBox))
    with pytest.raises(boxes.BoxProblem, match="entrances: there has to be a way in"):
        restore(HorusBox, {**kept, "plan": {**kept["plan"], "entrances": []}})  # type: ignore[dict-item]


def test_a_box_is_opened_once() -> None:
    assert load(HorusBox) is load(HorusBox)


def test_each_box_has_a_digest_of_its_own() -> None:
    assert len({games.box(name).digest for name in games.names()}) == len(games.names())


def test_a_digest_is_the_same_in_another_process() -> None:
    say = "from companion import games; print(games.box('jenseits').digest)"
    said = subprocess.run([sys.executable, "-c", say], check=True, capture_output=True, text=True).stdout.strip()
    assert said == load(JenseitsBox).digest


def test_the_finest_key_says_where_a_figure_is_from() -> None:
    box = load(JenseitsBox)
    assert box.origin("dial.rows.8.4") == "rules"
    assert box.origin("dial.rows.8.5") == "found"
    assert box.origin("dial.rows.7.5") == "rules"
    assert box.origin("map.routes") == "rules"


def test_a_row_is_shown_cell_by_cell_only_where_its_cells_are_from_different_places() -> None:
    keys = {figure.key for figure in load(TombRaidersBox).figures()}
    assert {"chart.rows.1", "chart.rows.4.11"} <= keys
    assert "chart.rows.4" not in keys
    assert "chart.rows.1.1" not in keys


@pytest.mark.rule("JVT-45")
def test_five_bags_hold_thirty_tokens_and_five_objects_wait_for_the_first_dig() -> None:
    box = load(JenseitsBox)
    assert [sum(bag.values()) for bag in box.bags.values()] == [30] * 5
    assert sum(sum(bag.values()) for bag in box.bags.values()) + len(box.sites) == 155
    assert box.first_find == "object:1"
    assert box.bags["crete"] == {
        "object:1": 2,
        "object:2": 2,
        "object:3": 4,
        "object:4": 3,
        "object:5": 1,
        "book:greece": 1,
        "open_book": 1,
        "blank": 16,
    }


@pytest.mark.rule("JVT-20")
def test_there_are_eighty_five_research_cards_and_ten_exhibitions() -> None:
    box = load(JenseitsBox)
    assert sum(card.copies for card in box.research_cards.values()) == 85
    assert len(box.research_cards) == len(box.research.cards)
    assert len(box.exhibition_cards) == 10
    assert box.research_cards["book-greece-rome-2"].copies == 2


@pytest.mark.rule("JVT-64")
def test_eight_points_and_four_weeks_give_five_tokens() -> None:
    assert Dial(load(JenseitsBox).dial.rows).tokens(8, 4) == 5


@pytest.mark.rule("TTR-44")
def test_four_points_and_eleven_weeks_give_four_cards() -> None:
    assert Dial(load(TombRaidersBox).chart.rows).tokens(4, 11) == 4


@pytest.mark.rule("JVT-11")
def test_distances_are_the_shortest_ways_and_the_same_there_and_back() -> None:
    legs = load(JenseitsBox).distances
    assert legs["london"]["warsaw"] == 2
    assert legs["london"]["egypt"] == 4
    assert legs["moscow"]["moscow"] == 0
    assert all(legs[one][other] == legs[other][one] for one in legs for other in legs)
    assert all(len(ways) == 12 for ways in legs.values())


@pytest.mark.rule("TTR-11")
def test_the_draw_pile_has_a_hundred_and_sixty_three_cards_besides_the_professors() -> None:
    box = load(TombRaidersBox)
    assert sum(box.draw_pile.values()) == 163
    assert all(sum(pile.values()) == 20 for pile in box.piles.values())
    assert box.piles["crete"]["rubble-crete"] == 6


@pytest.mark.rule("TTR-31")
def test_the_thief_takes_one_week_and_is_played_in_one() -> None:
    thief = load(TombRaidersBox).small_cards["thief-egypt"]
    assert (thief.weeks, thief.play_weeks, thief.copies) == (1, 1, 1)
    assert thief.is_action


@pytest.mark.rule("HOR-02")
def test_three_search_decks_have_eighteen_cards_each() -> None:
    decks = load(HorusBox).search_decks
    assert {area: sum(deck.values()) for area, deck in decks.items()} == {"den": 18, "sand": 18, "pond": 18}
    assert decks["sand"]["scorpion"] == decks["pond"]["crocodile"] == 6


@pytest.mark.rule("HOR-02")
def test_fourteen_sarcophagi_five_idols_and_thirty_six_blocks() -> None:
    box = load(HorusBox)
    cards = {god: sum(kinds.values()) for god, kinds in box.sarcophagus_cards.items()}
    assert cards == {"anubis": 5, "thoth": 5, "horus": 4}
    assert len(box.decks.idols) == 5
    assert box.plan.blocks == tuple(str(number) for number in range(1, 37))
    assert len(box.plan.squares) == 52


@pytest.mark.rule("HOR-10", "HOR-14")
def test_more_cards_weigh_harder() -> None:
    levels = {0: 2, 3: 2, 4: 3, 6: 3, 7: 4, 8: 4, 9: 4, 10: 5, 12: 5}
    assert {cards: load(HorusBox).level_of(cards) for cards in levels} == levels


@pytest.mark.rule("HOR-36")
def test_only_the_alcove_of_horus_is_reached_from_two_squares() -> None:
    alcoves = load(HorusBox).plan.alcoves
    assert {god: len(squares) for god, squares in alcoves.items() if len(squares) > 1} == {"horus": 2}


def test_a_wall_lets_nobody_pass() -> None:
    plan = load(HorusBox).plan
    open_to = {frozenset(pair) for pair in plan.passages}
    assert frozenset(("A5", "27")) not in open_to
    assert frozenset(("A4", "25")) in open_to
    assert len(plan.touching) - len(plan.passages) == len(plan.walls)


def test_every_square_belongs_to_an_area() -> None:
    plan = load(HorusBox).plan
    assert plan.area.keys() == set(plan.squares)
    assert (plan.area["1"], plan.area["30"], plan.area["36"], plan.area["NW"]) == ("den", "sand", "pond", "corridor")


@pytest.mark.rule("TUT-02")
def test_six_layers_of_sixteen_cards() -> None:
    layers = load(TutankhamunBox).layers
    assert [sum(layers[number].values()) for number in range(1, 7)] == [16] * 6


@pytest.mark.rule("TTR-10")
def test_fewer_players_begin_with_more_excavation_cards() -> None:
    hands = load(TombRaidersBox).hands
    assert {players: (hand.per_region, hand.general) for players, hand in hands.items()} == {
        2: (2, 0),
        3: (1, 2),
        4: (1, 1),
    }


@pytest.mark.rule("TTR-10")
def test_twenty_two_excavation_cards_four_of_each_region_and_six_for_any() -> None:
    cards = load(TombRaidersBox).excavation_cards
    assert sum(cards.values()) == 22
    assert cards["excavation-crete"] == 4
    assert cards["excavation-general"] == 6
    assert load(TombRaidersBox).origin("excavation") == "found"


@pytest.mark.parametrize(
    ("name", "since"), [("tomb_raiders", "excavation"), ("tutankhamun", "coins")], ids=["tomb_raiders", "tutankhamun"]
)
def test_a_box_that_was_kept_before_a_figure_was_known_comes_back_as_it_was(name: str, since: str) -> None:
    kept = content_of(games.box(name))
    before = {key: part for key, part in kept.items() if key != since}
    told: dict[str, Value] = dict(kept["from"])  # type: ignore[arg-type]
    before["from"] = {key: origin for key, origin in told.items() if key != since}
    assert content_of(restore(games.bundle(name).box, before)) == before


@pytest.mark.rule("TUT-01")
def test_there_are_fifty_coins_of_silver_and_twenty_of_gold() -> None:
    coins = load(TutankhamunBox).coins
    assert coins is not None
    assert (coins.silver, coins.gold) == (50, 20)


def test_what_the_dangers_cost_is_found_and_what_treasures_bring_is_ours() -> None:
    box = load(TutankhamunBox)
    dangers = {"mosquito": -1, "snake_head": -2, "mask": -10}
    assert {card: box.values[card] for card in dangers} == dangers
    assert {box.origin(f"values.{card}") for card in dangers} == {"found"}
    assert "pectoral" in box.house_worths


@pytest.mark.rule("TTR-42")
@pytest.mark.parametrize("weeks", [0, 13])
def test_the_chart_knows_one_to_twelve_weeks(weeks: int) -> None:
    chart = Dial(load(TombRaidersBox).chart.rows)
    assert [chart.tokens(12, week) for week in (1, 12)] == [3, 10]
    with pytest.raises(Illegal):
        chart.tokens(12, weeks)


@pytest.mark.rule("TTR-50", "TTR-51")
def test_a_professor_wants_four_points_and_the_one_for_best_knowledge_ten() -> None:
    professors = load(TombRaidersBox).professors
    assert (professors.region.threshold, professors.best_knowledge.threshold) == (4, 10)


@pytest.mark.rule("TTR-60")
def test_more_artifacts_shorten_an_exhibition() -> None:
    steps = load(TombRaidersBox).deck.exhibitions[0].steps
    assert [(dict(step.objects), step.weeks) for step in steps] == [
        ({"mesopotamia": 3}, 9),
        ({"mesopotamia": 3, "crete": 2}, 5),
        ({"mesopotamia": 3, "crete": 2, "egypt": 1}, 3),
    ]


@pytest.mark.rule("TTR-71")
@pytest.mark.parametrize("box", [TombRaidersBox, JenseitsBox])
def test_the_second_congress_is_worth_more_than_the_first(box: type[TombRaidersBox | JenseitsBox]) -> None:
    assert load(box).score.congresses == (0, 1, 3, 6, 10, 15, 21, 28)


@pytest.mark.rule("HOR-01")
def test_up_to_six_play_eight_adventurers_each_with_an_ability_of_their_own() -> None:
    box = load(HorusBox)
    assert (box.seats.min, box.seats.max) == (2, 6)
    assert len(box.adventurers) == len(set(box.adventurers.values())) == 8


@pytest.mark.rule("HOR-02")
@pytest.mark.parametrize("variant", [False, True])
def test_three_mummies_start_on_their_own_stretches(*, variant: bool) -> None:
    plan = load(HorusBox).plan
    start = plan.alternative if variant else plan.mummies
    assert {mummy.stretch for mummy in start.values()} == {"left", "far", "right"}
    for mummy in start.values():
        stretch = plan.corridor.stretch(mummy.stretch)
        assert mummy.square in stretch
        assert mummy.towards in {stretch[0], stretch[-1]}


@pytest.mark.rule("HOR-10")
def test_the_table_of_levels_begins_at_two_and_its_last_step_at_ten_cards() -> None:
    box = load(HorusBox)
    assert [box.level_of(cards) for cards in (0, 9, 10, 12)] == [2, 4, 5, 5]
    assert [box.origin(f"level.steps.{step}") for step in ("1.level", "1.up_to", "3.up_to", "4.level")] == [
        "rules",
        "house",
        "found",
        "found",
    ]


@pytest.mark.rule("HOR-12")
def test_the_table_of_levels_ends_with_twelve_cards() -> None:
    level = load(HorusBox).level
    assert level.cards == level.steps[-1].up_to == 12


@pytest.mark.rule("HOR-21", "HOR-37")
def test_each_god_has_a_die_of_its_own_colour_and_sobeks_is_green() -> None:
    gods = load(HorusBox).dice.gods
    assert gods["sobek"] == "green"
    assert len(set(gods.values())) == len(gods) == 5


@pytest.mark.rule("HOR-34")
def test_the_locks_are_the_harder_the_mightier_the_god() -> None:
    locks = load(HorusBox).locks
    assert {god: len(numbers) for god, numbers in locks.items()} == {
        "sobek": 3,
        "hededet": 3,
        "thoth": 4,
        "anubis": 4,
        "horus": 5,
    }
    assert all(numbers == tuple(range(1, len(numbers) + 1)) for numbers in locks.values())


@pytest.mark.rule("HOR-32")
def test_every_area_has_a_deck_and_the_corridor_has_none() -> None:
    box = load(HorusBox)
    assert set(box.plan.area.values()) == {*box.search_decks, "corridor"}


@pytest.mark.rule("HOR-33")
def test_a_sarcophagus_is_opened_from_the_corridor() -> None:
    plan = load(HorusBox).plan
    assert {god: len(squares) for god, squares in plan.sarcophagi.items()} == {"anubis": 5, "thoth": 5, "horus": 4}
    assert {plan.area[square] for squares in plan.sarcophagi.values() for square in squares} == {"corridor"}


@pytest.mark.rule("HOR-60")
def test_one_leaves_by_an_entrance() -> None:
    plan = load(HorusBox).plan
    way = Plan.of(plan.passages, exits=plan.entrances).way_out("36")
    assert way is not None
    assert way[-1] in plan.entrances


@pytest.mark.rule("HOR-62")
def test_more_gods_are_worth_more() -> None:
    assert load(HorusBox).score.diversity == (0, 1, 3, 6, 10, 15)
