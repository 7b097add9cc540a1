"""Each thing that can be wrong with a box file is said, with its key and the reason."""

from __future__ import annotations

import pytest

from companion import games
from tests.boxes.files import GONE, Changes, changed, doubts, shipped

WRONG: list[tuple[str, Changes, str, str]] = [
    # any box
    ("jenseits", {"title": GONE}, "title", "this is missing"),
    ("jenseits", {"dail": {}}, "dail", "there is no such key"),
    ("jenseits", {"seats.max": 5}, "seats", "the rules seat 2 to 4"),
    ("horus", {"seats.min": 1}, "seats", "the rules seat 2 to 6"),
    ("horus", {"seats.min": "two"}, "seats.min", "a whole number is expected"),
    ("jenseits", {"seats.max": 10**30}, "seats.max", "it is 12 at most"),
    ("jenseits", {"score.majority": 10**30}, "score.majority", "it is 9999 at most"),
    ("tutankhamun", {"values.scorpion": -(10**30)}, "values.scorpion", "it is -9999 at least"),
    ("horus", {"rulings.1": "JVT-60"}, "rulings.1", "JVT-60 is not a rule of this box"),
    ("horus", {"from.plans": "house"}, "from.plans", "there is no such figure"),
    ("horus", {"from.plan": "guess"}, "from.plan", "“guess” is none of these: rules, found, house, owner"),
    ("tutankhamun", {"from": {"purse": "rules"}}, "tray.side", "[from] does not say where this is from"),
    # Jenseits von Theben
    ("jenseits", {"time.weeks": 51}, "time.weeks", "a year has 52 weeks"),
    ("jenseits", {"time.years": [1901, 1903]}, "time.years", "years follow one another"),
    ("jenseits", {"time.end.year": 1905}, "time.end", "the year after the last"),
    ("jenseits", {"time.start.3": GONE}, "time.start", "nothing is said for 3 players"),
    ("jenseits", {"time.start": {"5": {"week": 1, "year": 1901}}}, "time.start.5", "so many do not play"),
    ("jenseits", {"time.start": {"two": {"week": 1, "year": 1901}}}, "time.start.two", "a whole number is expected"),
    ("jenseits", {"time.start.2.year": 1911}, "time.start.2.year", "1911 is not one of the years"),
    ("jenseits", {"time.start.2.week": 53}, "time.start.2.week", "it is 52 at most"),
    ("jenseits", {"dial.rows.8.4": 3}, "dial.rows.8.4", "3 is less than the 4 for a week less"),
    ("jenseits", {"dial.rows.8.1": 0}, "dial.rows.8.1", "0 is less than the 1 for a point of knowledge less"),
    ("jenseits", {"dial.rows.12.12": 11}, "dial.rows.12.12", "the dial goes up to 10"),
    ("jenseits", {"dial.rows.8.4": "5"}, "dial.rows.8.4", "a whole number is expected"),
    ("jenseits", {"dial.rows.8.4": -5}, "dial.rows.8.4", "it is 0 at least"),
    ("jenseits", {"dial.rows.3": [1, 1]}, "dial.rows.3", "12 figures are expected, not 2"),
    ("jenseits", {"dial.rows.12": GONE}, "dial.rows", "12 rows are expected, not 11"),
    ("jenseits", {"map.start": "egypt"}, "map.start", "egypt is not a city"),
    ("jenseits", {"map.cities.7": "rome"}, "map.cities", "there are 7 cities"),
    ("jenseits", {"map.cities.7": "crete"}, "sites.crete", "this is a city"),
    ("jenseits", {"map.routes.1.1": "lisbon"}, "map.routes.1", "lisbon is neither a city nor a site"),
    ("jenseits", {"map.routes.1.2": "london"}, "map.routes.1", "a route joins two places"),
    ("jenseits", {"map.routes.2": ["paris", "london"]}, "map.routes.2", "this route is there already"),
    ("jenseits", {"map.routes.9": GONE}, "map.routes", "no way leads to moscow"),
    ("jenseits", {"map.routes.1.2": 3}, "map.routes.1.2", "text is expected"),
    ("jenseits", {"map.routes.1": ["london"]}, "map.routes.1", "2 belong here"),
    ("jenseits", {"sites.egypt": GONE}, "sites", "there are 5 sites"),
    ("jenseits", {"sites.crete.colour": "purple"}, "sites.crete.colour", "“purple” does not look like"),
    ("jenseits", {"sites.crete.objects.5": 2}, "sites.crete.objects", "13 objects are expected, not 14"),
    ("jenseits", {"sites.crete.objects": {"2": 13}}, "sites.crete.objects", "none is worth 1"),
    ("jenseits", {"sites.crete.objects": {"1": 12, "0": 1}}, "sites.crete.objects.0", "worth 1 or more"),
    ("jenseits", {"sites.crete.book_of": "crete"}, "sites.crete.book_of", "about another site"),
    ("jenseits", {"sites.crete.book_of": "rome"}, "sites.crete.book_of", "about another site"),
    ("jenseits", {"sites.crete.blanks": 17}, "sites.crete", "a bag begins with 30 tokens, not 31"),
    ("jenseits", {"sites.crete.open_books": 0}, "sites.crete", "a bag begins with 30 tokens, not 29"),
    ("jenseits", {"research.cards.1.copies": 2}, "research.cards", "85 cards are expected, not 86"),
    ("jenseits", {"research.cards.1.kind": "bus"}, "research.cards.1.kind", "“bus” is none of these: book"),
    ("jenseits", {"research.cards.1.city": "crete"}, "research.cards.1.city", "crete is not a city"),
    ("jenseits", {"research.cards.1.value": 1}, "research.cards.1.value", "special permit: points of knowledge"),
    ("jenseits", {"research.cards.27.value": GONE}, "research.cards.27.value", "book: points of knowledge"),
    ("jenseits", {"research.cards.27.site": GONE}, "research.cards.27.site", "book: a site is for"),
    ("jenseits", {"research.cards.27.site": "rome"}, "research.cards.27.site", "rome is not a site"),
    ("jenseits", {"research.cards.2.city": "london"}, "research.cards.2", "such a card is there already"),
    ("jenseits", {"exhibitions.cards.1": GONE}, "exhibitions.cards", "5 small exhibitions are expected, not 4"),
    ("jenseits", {"exhibitions.cards.1.city": "oslo"}, "exhibitions.cards.1.city", "oslo is not a city"),
    ("jenseits", {"exhibitions.cards.1.points": 5}, "exhibitions.cards.1.points", "a small exhibition scores 4"),
    (
        "jenseits",
        {"exhibitions.cards.2.city": "london"},
        "exhibitions.cards.2",
        "has an exhibition of this size",
    ),
    ("jenseits", {"exhibitions.cards.1.objects": {}}, "exhibitions.cards.1.objects", "asks for objects"),
    ("jenseits", {"exhibitions.cards.1.objects": {"rome": 1}}, "exhibitions.cards.1.objects.rome", "not a site"),
    ("jenseits", {"exhibitions.cards.1.objects.egypt": 14}, "exhibitions.cards.1.objects.egypt", "not 14 objects"),
    ("jenseits", {"score.congresses.3": 4}, "score.congresses", "the rules say 0, 1, 3"),
    ("jenseits", {"score.majority_tied": 6}, "score.majority_tied", "a tie is not worth more"),
    # The Tomb Raiders
    ("tomb_raiders", {"hands.4": GONE}, "hands", "nothing is said for 4 players"),
    ("tomb_raiders", {"excavation.general": 5}, "excavation", "22 cards are expected, not 21"),
    ("tomb_raiders", {"hands.4.per_region": 2}, "hands.4", "there are not so many excavation cards"),
    ("tomb_raiders", {"excavation.general": "six"}, "excavation.general", "a whole number is expected"),
    ("tomb_raiders", {"chart.rows.4.11": 2}, "chart.rows.4.11", "2 is less than the 3 for a week less"),
    ("tomb_raiders", {"regions.egypt": GONE}, "regions", "there are 4 regions"),
    ("tomb_raiders", {"regions.egypt.rubble": 5}, "regions.egypt", "20 cards are expected, not 19"),
    ("tomb_raiders", {"regions.egypt.artifacts": {"0": 14}}, "regions.egypt.artifacts.0", "worth 1 or more"),
    ("tomb_raiders", {"deck.cards.1.copies": 5}, "deck", "83 cards are expected"),
    ("tomb_raiders", {"deck.museums.1": GONE}, "deck", "not 82"),
    ("tomb_raiders", {"deck.cards.6.value": 1}, "deck.cards.6.value", "congress: points of knowledge"),
    ("tomb_raiders", {"deck.cards.9.play_weeks": GONE}, "deck.cards.9.play_weeks", "scientist: weeks to play it"),
    ("tomb_raiders", {"deck.cards.6.each_region": True}, "deck.cards.6.each_region", "congress: one for each region"),
    ("tomb_raiders", {"deck.cards.7.copies": 2}, "deck.cards.7.copies", "there is one for each region"),
    ("tomb_raiders", {"deck.cards.5.value": 1}, "deck.cards.5", "such a card is there already"),
    ("tomb_raiders", {"deck.exhibitions.1.steps": []}, "deck.exhibitions.1.steps", "asks for artifacts"),
    (
        "tomb_raiders",
        {"deck.exhibitions.1.steps.1.objects": {}},
        "deck.exhibitions.1.steps.1.objects",
        "asks for artifacts",
    ),
    (
        "tomb_raiders",
        {"deck.exhibitions.1.steps.1.objects": {"rome": 1}},
        "deck.exhibitions.1.steps.1.objects.rome",
        "rome is not a region",
    ),
    (
        "tomb_raiders",
        {"deck.exhibitions.1.steps.2.objects.mesopotamia": 2},
        "deck.exhibitions.1.steps.2.objects",
        "a step asks for all that the one before asks for",
    ),
    ("tomb_raiders", {"deck.exhibitions.1.steps.2.weeks": 9}, "deck.exhibitions.1.steps.2.weeks", "saves weeks"),
    ("tomb_raiders", {"score.congresses": [0, 1]}, "score.congresses", "the rules say"),
    # The Pyramid of Horus
    ("horus", {"adventurers.rice": GONE}, "adventurers", "there are 8"),
    ("horus", {"adventurers.rice": "dodge"}, "adventurers", "an ability of their own"),
    ("horus", {"level.cards": 13}, "level.cards", "nobody holds more than 12 cards"),
    ("horus", {"level.steps.4.up_to": 11}, "level.steps", "the last step goes up to 12 cards"),
    ("horus", {"level.steps.2.up_to": 3}, "level.steps.2", "more cards and a higher level"),
    ("horus", {"level.steps.2.level": 2}, "level.steps.2", "more cards and a higher level"),
    ("horus", {"dice.faces": 8}, "dice.faces", "it is 6 at most"),
    ("horus", {"dice.gods.thoth": "green"}, "dice.gods", "a colour of its own"),
    ("horus", {"dice.gods.seth": "white"}, "dice.gods.seth", "“seth” is none of these: hededet"),
    ("horus", {"dice.gods.thoth": GONE}, "dice.gods.thoth", "nothing is said for this god"),
    ("horus", {"decks.rubble.snakes": 4}, "decks.rubble", "18 cards are expected, not 19"),
    ("horus", {"decks.sand.chests": 1}, "decks.sand", "18 cards are expected, not 17"),
    ("horus", {"decks.water.treasures.11": 6}, "decks.water", "18 cards are expected, not 19"),
    ("horus", {"decks.water.god": "hededet"}, "decks.water.god", "two gods"),
    ("horus", {"decks.sarcophagi.horus.5": 9}, "decks.sarcophagi.horus", "4 cards are expected, not 5"),
    ("horus", {"decks.sarcophagi.sobek": [1]}, "decks.sarcophagi.sobek", "this god has no sarcophagi"),
    ("horus", {"decks.idols.thoth": GONE}, "decks.idols.thoth", "nothing is said for this god"),
    ("horus", {"locks.sobek": [1, 3, 2]}, "locks.sobek", "different numbers are expected, in order"),
    ("horus", {"locks.sobek": [1, 7]}, "locks.sobek.2", "it is 6 at most"),
    ("horus", {"score.diversity.2": 2}, "score.diversity", "the rules say 0, 1, 3, 6, 10, 15"),
    ("horus", {"plan.grid.7.1": "B1"}, "plan.grid", "52 squares are expected, not 53"),
    ("horus", {"plan.grid.7.2": "9"}, "plan.grid", "9 is there 2 times"),
    ("horus", {"plan.grid.7.2": "37"}, "plan.grid", "the numbers 1 to 36"),
    ("horus", {"plan.grid.7.2": ""}, "plan.grid", "blocks fall: 13 is missing"),
    ("horus", {"plan.grid.7.1": "38", "plan.grid.7.6": "37"}, "plan.grid", "blocks fall: 37, 38 are too much"),
    ("horus", {"plan.grid.7.2": "", "plan.walls.1": ["H1", "30"]}, "plan.walls.1", "are not neighbours"),
    ("horus", {"plan.grid.7.2": "a b"}, "plan.grid.7.2", "capitals and figures"),
    ("horus", {"plan.grid.7.6": GONE}, "plan.grid.7", "as long as the first"),
    ("horus", {"plan.areas.sand": "16-30"}, "plan.areas.sand", "a square belongs to one area"),
    ("horus", {"plan.areas.pond": "31-37"}, "plan.areas.pond", "these are not numbered squares"),
    ("horus", {"plan.areas.pond": "31-35"}, "plan.areas", "square 36 belongs to no area"),
    ("horus", {"plan.areas.pond": "31"}, "plan.areas.pond", "does not look like"),
    ("horus", {"plan.corridor.left.1": GONE}, "plan.corridor.left", "a stretch has 6 squares"),
    ("horus", {"plan.corridor.left.1": "A4"}, "plan.corridor.left", "no step leads from A4 to A2"),
    ("horus", {"plan.corridor.left.6": "A5"}, "plan.corridor", "begins in the corner where the one before ends"),
    ("horus", {"plan.corridor.left.1": "T5"}, "plan.corridor", "the corridor has 16 squares, not 15"),
    ("horus", {"plan.corridor.left.1": "17"}, "plan.corridor", "17 is a square on which a block falls"),
    ("horus", {"plan.walls.1": ["H1", "30"]}, "plan.walls.1", "H1 and 30 are not neighbours"),
    ("horus", {"plan.walls.2": ["27", "H1"]}, "plan.walls.2", "this wall is there already"),
    (
        "horus",
        {"plan.walls.11": ["1", "5"], "plan.walls.12": ["1", "2"], "plan.entrances": ["1"]},
        "plan.walls",
        "no way leads from 36 to an entrance",
    ),
    ("horus", {"plan.entrances": []}, "plan.entrances", "there has to be a way in"),
    ("horus", {"plan.entrances.1": "99"}, "plan.entrances.1", "there is no square 99"),
    ("horus", {"plan.sarcophagi.thoth.5": "T4"}, "plan.sarcophagi.thoth", "5 sarcophagi are expected, not 4"),
    ("horus", {"plan.sarcophagi.sobek": ["A1"]}, "plan.sarcophagi.sobek", "0 sarcophagi are expected, not 1"),
    ("horus", {"plan.sarcophagi.thoth.5": "20"}, "plan.sarcophagi.thoth", "20 is not in the corridor"),
    ("horus", {"plan.alcoves.horus": ["H2"]}, "plan.alcoves.horus", "reached from 2 squares, not 1"),
    ("horus", {"plan.alcoves.sobek": ["33"]}, "plan.alcoves.sobek", "33 is not in the corridor"),
    ("horus", {"plan.alcoves.sobek": GONE}, "plan.alcoves.sobek", "nothing is said for this god"),
    ("horus", {"plan.mummies.sanakht.stretch": "left"}, "plan.mummies", "each stretch has one mummy"),
    ("horus", {"plan.mummies.sanakht.square": "A3"}, "plan.mummies.sanakht.square", "A3 is not in its stretch"),
    ("horus", {"plan.mummies.sanakht.towards": "H4"}, "plan.mummies.sanakht.towards", "H4 is not an end"),
    ("horus", {"plan.alternative.sanakht": GONE}, "plan.alternative", "the same mummies"),
    # Tutankhamun
    ("tutankhamun", {"tray.side": 5}, "tray.side", "the tray is 4 squares by 4"),
    ("tutankhamun", {"layers.6": GONE}, "layers", "there are 6 layers"),
    ("tutankhamun", {"layers.1.mask": 2}, "layers.1", "16 cards are expected, not 17"),
    ("tutankhamun", {"layers.1.crown": 1}, "layers.1.crown", "no value is given for this card"),
    ("tutankhamun", {"layers.6": {"earth": 15, "chain": 1}}, "layers.6.chain", "nothing that counts"),
    ("tutankhamun", {"layers.2.obelisk_base": 1}, "layers.2.obelisk_base", "2 are expected, not 1"),
    ("tutankhamun", {"layers.1.snake_head": 2}, "layers.1.snake_head", "1 are expected, not 2"),
    ("tutankhamun", {"values.mask": 1.5}, "values.mask", "a whole number is expected"),
    ("tutankhamun", {"purse.gold_in_silver": 0}, "purse.gold_in_silver", "it is 1 at least"),
]


def test_a_box_that_is_wrong_is_refused_with_key_and_reason(subtests: pytest.Subtests) -> None:
    for name, changes, key, reason in WRONG:
        with subtests.test(name, changes=changes):
            said = doubts(name, changes)
            assert any(where == key and reason.lower() in str(why).lower() for where, why in said), said


def test_everything_that_is_wrong_is_said_at_once() -> None:
    keys = {key for key, _ in doubts("jenseits", {"dial.rows.1.1": "x", "map.start": 3, "score.most": 1})}
    assert keys == {"dial.rows.1.1", "map.start", "score.most"}


@pytest.mark.parametrize("name", games.REGISTER)
def test_junk_in_place_of_any_table_is_refused_and_breaks_nothing(name: str) -> None:
    raw = shipped(name)
    inner = [f"{part}.{key}" for part, table in raw.items() if isinstance(table, dict) for key in table if key]
    keys = {*raw, *(key for key in inner if not key.startswith("from."))} - {"rulings", "plan.walls"}
    junk: tuple[str | dict[str, int] | list[int], ...] = ("", {}, [])
    assert not [(key, each) for key in sorted(keys) for each in junk if not doubts(name, {key: each})]


def test_a_change_is_made_where_a_case_says() -> None:
    assert changed("jenseits", {"dial.rows.8.4": 9})["dial"]["rows"][7][3] == 9
