"""What a screen shows, what help says, what the log tells, and what is the game's own on the keepsake."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import combinations
from typing import Any
from unittest.mock import patch

import msgspec
import pytest
from PIL import Image

from companion.game import Chance, Dealt, Played, Turn
from companion.games.jenseits.aids import odds_of
from companion.games.jenseits.corrections import SetCard, SetFigure, SetMarker, SetPermit, SetToken
from companion.games.jenseits.keepsake import MARKER, PANELS
from companion.games.jenseits.moves import Dig, Exhibit, Refresh, Retire, Take
from companion.games.jenseits.rules import Jenseits
from companion.games.jenseits.state import JenseitsState
from companion.keepsake.panel import KeepsakePanel
from companion.keepsake.pencil import Pencil
from companion.keepsake.sheet import AROUND, HIGH, WIDE, picture_of
from companion.pieces.bag import Bag
from companion.words import LANGUAGES, catalogue, own, say
from tests.games.jenseits.expedition import NAMES, OPEN, Expedition, box, game
from tests.games.jenseits.test_laws import wander
from tests.keepsakes import SHORT, Line, Words, seats, sheet_of, writing

Json = Any
SITES = box().sites


def board(table: Expedition) -> dict[str, Json]:
    return dict(table.game.sees(table.state, None).board)


def aids(table: Expedition, seat: int | None = None) -> dict[str, Json]:
    return dict(table.game.aids(table.state, seat))


def test_the_board_is_of_the_documented_shape() -> None:
    table = Expedition(3)
    shown = board(table)
    assert set(shown) == {
        "phase", "track", "map", "open", "exhibitions", "piles", "bags", "drawing", "finds", "seats", "dial", "refresh",
        "scores", "congresses",
    }  # fmt: skip
    assert shown["open"][0]["face"] == "book-greece-3"
    assert shown["map"]["figures"] == ["warsaw"] * 3
    assert shown["map"]["sites"][0] == {"id": "greece", "colour": "#e8622f", "first_find": "object:1"}
    assert shown["piles"]["draw"] == 27 + 32
    assert shown["piles"]["aside"] == 32
    assert [part["research"] for part in shown["piles"]["parts"]] == [27, 27]
    assert shown["track"]["start"] == {"week": 16, "year": 1901}
    assert shown["track"]["end"] == {"week": 1, "year": 1904}
    assert [marker["height"] for marker in shown["track"]["markers"]] == [2, 1, 0]
    assert shown["dial"]["from"] == "found"
    assert shown["refresh"] == {"seat": 0, "weeks": 1}


def test_phases() -> None:
    table = Expedition()
    assert board(table)["phase"] == "turn"
    assert board_of_start()["phase"] == "opening"
    table.play(Refresh())
    assert board(table)["phase"] == "filling"
    table = digging()
    assert board(table)["phase"] == "dig"
    table = Expedition()
    table.play(Retire())
    table.play(Retire())
    assert board(table)["phase"] == "over"


def board_of_start() -> dict[str, Json]:
    playing = game()
    return dict(playing.sees(playing.start(), None).board)


def digging() -> Expedition:
    table = Expedition()
    table.give(0, "book-greece-london-3", "book-greece-london-2")
    table.stand(0, "greece")
    table.dig("greece", 6)
    table.draw("blank", "object:6")
    return table


def test_a_dig_in_progress_lies_open() -> None:
    shown = board(digging())
    assert shown["drawing"] == {"bag": "greece", "seat": 0, "of": 4, "drawn": ("blank", "object:6")}
    assert (shown["bags"][0]["left"], shown["bags"][0]["start"], shown["bags"][0]["beside"]) == (28, 30, 1)
    assert shown["finds"][0] == [{"bag": "greece", "token": "object:1"}, {"bag": "greece", "token": "object:6"}]
    assert shown["map"]["sites"][0]["first_find"] is None


@pytest.mark.rule("JVT-30", "JVT-32", "JVT-33")
def test_knowledge_is_shown_as_the_rulebook_counts_it() -> None:
    table = Expedition()
    table.give(0, "book-crete-rome-2", "ethnology-crete-paris-2", "assistant-paris", "assistant-rome")
    table.give(0, "open_book-paris-2", "open_book-berlin-2")
    known = board(table)["seats"][0]["knowledge"]["crete"]
    assert known == {
        "books": 2, "ethnology": 2, "assistants": 1, "specific": 3, "open_books": 3, "sum": 6, "total": 6
    }  # fmt: skip


def test_help_is_for_the_seat_that_is_asked() -> None:
    table = Expedition()
    assert aids(table, 1) == {}
    assert aids(table, 0)["seat"] == aids(table, None)["seat"] == 0
    table.play(Refresh())
    assert aids(table, 0) == {}


@pytest.mark.rule("JVT-04", "JVT-05", "JVT-11")
def test_help_says_what_a_card_would_cost_and_who_would_be_next() -> None:
    table = Expedition()
    table.set(1, 6, 1901)
    card = aids(table)["open"][0]
    assert card == {
        "card": OPEN[0], "legs": 1, "action": 4, "total": 5, "legal": True, "refusal": None, "up": list(SITES),
        "zeppelin": None,
    }  # fmt: skip
    lands = aids(table)["lands"]
    assert lands["5"] == {
        "week": 6, "year": 1901, "next": 0, "again": True, "over": False, "new_year": False, "up": list(SITES)
    }  # fmt: skip
    assert (lands["6"]["week"], lands["6"]["next"], lands["6"]["again"]) == (7, 1, False)


@pytest.mark.rule("JVT-08")
def test_help_says_when_the_game_would_be_over() -> None:
    table = Expedition()
    table.set(0, 50, 1903)
    table.set(1, 1, 1904)
    lands = aids(table)["lands"]
    assert [(land["over"], land["again"]) for land in lands.values()] == [(False, True), (False, True), (True, False)]
    assert aids(table)["retire"]["over"]
    table.set(1, 52, 1903)
    assert not aids(table)["lands"]["3"]["over"]
    assert not aids(table)["retire"]["over"]


@pytest.mark.rule("JVT-09", "JVT-46")
@pytest.mark.parametrize("rules", [1, 2])
@pytest.mark.parametrize(("week", "year"), [(40, 1901), (49, 1901), (51, 1902), (46, 1903), (50, 1903)])
def test_help_says_which_permits_are_up_after_a_move(week: int, year: int, rules: int) -> None:
    """Every move that is answered for, played to its end."""
    table = Expedition(rules=rules)
    table.give(0, "book-greece-london-3", "book-greece-rome-2", "book-egypt-london-2", "special_permit-london")
    table.give(0, "zeppelin-rome")
    for site in ("greece", "crete"):
        table.permit(0, site, up=False)
    table.stand(0, "warsaw")
    table.set(0, week, year)
    table.set(1, 1, 1904)
    help_, before, tried = aids(table), table.state, 0
    for move in table.moves:
        table.state = before
        answer = help_["retire"] if isinstance(move, Retire) else answer_for(help_, move)
        table.go(move)
        assert answer["up"] == [site for site in SITES if site not in table.who().turned], move
        tried += isinstance(move, Dig)
        if not isinstance(move, Dig | Retire):
            assert answer["up"] == help_["lands"][str(answer["total"])]["up"]
    assert tried or year == 1903


def answer_for(help_: Json, move: Any) -> Json:
    """What help answers for a move."""
    match move:
        case Take(card=card):
            answer = next(each for each in help_["open"] if each["card"] == card)
        case Refresh():
            answer = help_["refresh"]
        case Dig(site=site, weeks=weeks, use=use):
            answer = next(way for way in help_["sites"][site]["ways"] if way["use"] == use)["weeks"][weeks - 1]
    return answer["zeppelin"] if move.zeppelin else answer


def test_help_says_why_not_and_what_is_missing() -> None:
    table = Expedition()
    table.show("a", "exhibition-small-london")
    table.find(0, "egypt", "object:1")
    shown = aids(table)["exhibitions"]["a"]
    assert shown["missing"] == {"greece": 1, "egypt": 1}
    assert shown["refusal"]["rule"] == "JVT-50"
    sites = aids(table)["sites"]
    assert sites["egypt"]["refusal"]["rule"] == "JVT-41"
    assert aids(table)["exhibitions"]["b"] is None


def test_help_offers_every_way_to_dig() -> None:
    table = Expedition()
    table.give(0, "book-greece-london-3", "ethnology-greece-moscow-2", "shovel-rome", "zeppelin-rome")
    site = aids(table)["sites"]["greece"]
    assert [way["use"] for way in site["ways"]] == [(), ("ethnology",), ("shovel",), ("ethnology", "shovel")]
    plain = site["ways"][0]
    assert plain["weeks"][2]["tokens"] == 1
    assert (plain["weeks"][2]["total"], plain["weeks"][2]["zeppelin"]["total"]) == (4, 3)
    assert [way["knowledge"]["ethnology"] for way in site["ways"]] == [0, 2, 0, 2]
    assert site["ways"][3]["weeks"][2]["tokens"] == 2 + 1
    assert site["refusal"] is None


@pytest.mark.rule("JVT-06", "JVT-40", "JVT-41", "JVT-42", "JVT-50")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_help_and_the_list_of_moves_agree(seats: int) -> None:
    playing = game(seats)
    for nth, (state, step, _) in enumerate(wander(playing, seats + 10)):
        if nth % 5 or not isinstance(step, Played):
            continue
        help_: Json = playing.aids(state, step.seat)
        offered: set[object] = {Retire()}
        for kind, entries in ((Take, help_["open"]), (Exhibit, help_["exhibitions"].values())):
            for entry in filter(None, entries):
                offered |= {kind(entry["card"], zeppelin=zeppelin) for zeppelin, _ in legal(entry)}
        offered |= {Refresh(zeppelin=zeppelin) for zeppelin, _ in legal(help_["refresh"])}
        for site, entry in help_["sites"].items():
            rows = [(way["use"], row) for way in entry["ways"] for row in way["weeks"]]
            digs = {Dig(site, row["weeks"], use, zeppelin=zeppelin) for use, row in rows for zeppelin, _ in legal(row)}
            assert bool(digs) == (entry["refusal"] is None)
            offered |= digs
            for use, row in rows:
                if row["legal"]:
                    digging = playing.after(state, Played(step.seat, Dig(site, row["weeks"], use))).digging
                    assert digging is not None
                    assert row["tokens"] == digging.of
                elif row["refusal"]["rule"] in {"JVT-41", "JVT-42"}:
                    assert row["tokens"] == 0
        assert offered == set(playing.moves(state, step.seat).moves)


def legal(entry: Json) -> list[tuple[bool, Json]]:
    answers = [(False, entry), (True, entry["zeppelin"])]
    return [(zeppelin, answer) for zeppelin, answer in answers if answer and answer["legal"]]


def test_the_odds_of_a_dig_are_counted_from_every_handful() -> None:
    """All handfuls of 3 from a small bag, one by one, against the formula."""
    tokens = ["object:1", "object:2", "object:2", "object:5", "open_book", "book:egypt", "blank", "blank", "blank"]
    worth = [int(token[7:]) if token.startswith("object:") else 0 for token in tokens]
    handfuls = list(combinations(range(len(tokens)), 3))
    points = [sum(worth[at] for at in handful) for handful in handfuls]
    objects = Counter(sum(worth[at] > 0 for at in handful) for handful in handfuls)
    mean = Fraction(sum(points), len(handfuls))
    spread = math.sqrt(Fraction(sum(value * value for value in points), len(handfuls)) - mean**2)
    books = sum(any("book" in tokens[at] for at in handful) for handful in handfuls)
    odds: Json = odds_of(Bag.of(tokens), 3)
    assert odds["objects"] == pytest.approx([objects[n] / len(handfuls) for n in range(4)], abs=1e-6)
    assert odds["any"] == pytest.approx(1 - objects[0] / len(handfuls), abs=1e-6)
    assert odds["points"] == pytest.approx(float(mean), abs=1e-6)
    assert odds["spread"] == pytest.approx(spread, abs=1e-6)
    assert odds["knowledge"] == pytest.approx(books / len(handfuls), abs=1e-6)


def test_without_dig_help_there_are_no_odds() -> None:
    for wanted in (True, False):
        table = Expedition()
        table.game = game(2, dig_help=wanted)
        table.give(0, "book-greece-london-3")
        assert bool(aids(table)["sites"]["greece"]["draws"]) == wanted


def test_the_log_tells_every_kind_of_step_in_every_language() -> None:
    kinds: dict[str, dict[str, Json]] = {}
    for seed in range(12):
        playing = game(2 + seed % 3)
        for state, step, _ in wander(playing, seed):
            told = dict(playing.tells(state, step, None))
            kinds[str(told["type"])] = told
    table = Expedition()
    for told in corrections(table):
        kinds[str(told["type"])] = told
    assert {"take", "refresh", "dig", "exhibit", "token", "open", "coming", "exhibition", "marker", "retire"} <= set(
        kinds
    )
    for language in LANGUAGES:
        words = catalogue(language)
        told_kinds = {key.removeprefix("jenseits.log.") for key in words if key.startswith("jenseits.log.")}
        assert set(kinds) <= told_kinds
        for kind, facts in kinds.items():
            sentence = say(language, f"jenseits.log.{kind}", facts)
            assert "{" not in sentence, sentence
            assert "_" not in sentence, sentence


def corrections(table: Expedition) -> list[dict[str, Json]]:
    from companion.game import Corrected

    made = (
        SetMarker(0, 3, 1902),
        SetFigure(0, "rome"),
        SetPermit(0, "egypt", up=True),
        SetPermit(0, "egypt", up=False),
        SetToken("egypt", "object:1", "site", 1),
        SetCard("car-rome", "pile", 0),
    )
    return [dict(table.game.tells(table.state, Corrected(each), None)) for each in made]


def test_every_thing_has_a_name_in_every_language() -> None:
    playing = game()
    terms = playing.terms
    things = {*terms.box.map.cities, *terms.sites, *terms.faces.values(), *terms.exhibitions, "zeppelin", "ethnology"}
    things |= {token for bag in box().bags.values() for token in bag}
    things |= {f"at_{place}" for place in ("bag", "site", "pile", "aside", "discards", "open", "a", "b", "c")}
    for language in LANGUAGES:
        assert not {thing for thing in things if own(language, f"name.{thing}", ("jenseits",)) is None}
        words = catalogue(language)
        assert {f"jenseits.score.{part}" for part in ("objects", "exhibitions", "congresses", "majorities")} <= set(
            words
        )


def test_a_question_says_what_it_is_about() -> None:
    table = digging()
    ask = table.game.ask(table.state)
    assert isinstance(ask, Chance)
    assert (ask.randomizer, ask.question, ask.seat, ask.pressed) == ("tokens", "token greece", 0, True)
    table = Expedition()
    assert isinstance(table.game.ask(table.state), Turn)
    table.play(Refresh())
    assert (table.chance.randomizer, table.chance.question, table.chance.pressed) == ("cards", "card 1", False)


def test_the_log_names_who_acted() -> None:
    table = Expedition()
    told = table.game.tells(table.state, Played(0, Take(OPEN[0])), None)
    assert told["who"] == NAMES[0]
    assert say("en", "jenseits.log.take", told) == "Ada takes a card in Berlin: 3 books about Greece (5 weeks)"  # type: ignore[arg-type]
    table = digging()
    told = table.game.tells(table.state, Dealt("blank"), None)
    assert say("de", "jenseits.log.token", told) == "Ada: Schutt (Griechenland, 3 von 4)"  # type: ignore[arg-type]


def drawn(
    playing: Jenseits, state: JenseitsState, names: tuple[str, ...] = SHORT, language: str = "en"
) -> tuple[Image.Image, list[Line]]:
    """The keepsake, and all that is written on it."""
    told = sheet_of("jenseits", box().title, names[: len(state.seats)], playing.tally(state), language)
    with writing() as lines:
        picture = picture_of(told._replace(seal="ab" * 32, head="ab" * 32, note="x · 2026"), PANELS, playing, state)
    return picture, lines


def test_the_ring_has_its_weeks_and_tells_the_years() -> None:
    said = [line.said for line in drawn(Expedition(3).game, Expedition(3).state)[1]]
    assert [week for week in range(1, 53) if str(week) not in said] == []
    assert "1901–1903" in said
    assert "1902–1903" in [line.said for line in drawn(Expedition(4).game, Expedition(4).state)[1]]


def test_every_find_and_every_exhibition_is_shown() -> None:
    table = Expedition(2)
    table.find(0, "egypt", "object:5", "object:3", "open_book")
    table.give(1, *list(table.game.terms.exhibitions)[:2])
    written = [line for line in drawn(table.game, table.state)[1] if line.left > 1170 and line.top > 890]
    assert [line.said for line in written if line.said in {"5", "3"}] == ["3", "5"]
    cities = [table.game.terms.exhibitions[card].city for card in list(table.game.terms.exhibitions)[:2]]
    assert [line.said.lower() for line in written if line.said.lower() in cities] == cities


def markers(table: Expedition) -> list[tuple[float, float]]:
    """Where the seats' signs are drawn round the ring, from below."""
    found: list[tuple[float, float]] = []
    pencil = Pencil(Image.new("RGB", (WIDE, HIGH)))
    with patch.object(pencil, "sign", lambda shape, centre, *how: found.append(centre)):
        PANELS.around(
            pencil,
            KeepsakePanel(
                table.game, table.state, seats(SHORT[: len(table.state.seats)]), AROUND, Words("en", "jenseits")
            ),
        )
    return found


@pytest.mark.parametrize("week", [1, 14, 27, 33, 40, 46])
def test_a_stack_of_markers_stays_on_the_sheet_wherever_it_stands(week: int) -> None:
    table = Expedition(4)
    for seat in range(4):
        table.set(seat, week, 1902)
    found = markers(table)
    assert len({(round(x), round(y)) for x, y in found}) == 4
    for x, y in found:
        assert AROUND.left + MARKER / 2 <= x <= AROUND.right - MARKER / 2
        assert AROUND.top + MARKER / 2 <= y <= AROUND.bottom - MARKER / 2


def test_markers_on_the_same_week_of_other_years_do_not_hide_each_other() -> None:
    table = Expedition(2)
    table.set(0, 8, 1902)
    table.set(1, 8, 1903)
    (x, y), (u, v) = markers(table)
    assert (x - u) ** 2 + (y - v) ** 2 > MARKER**2


def test_more_finds_than_ever_still_fit() -> None:
    table = Expedition(4)
    for site, bag in table.game.terms.box.bags.items():
        table.find(0, site, *[token for token, count in bag.items() if token != "blank" for _ in range(count)])
    table.give(0, *table.game.terms.exhibitions)
    assert drawn(table.game, table.state)[1]


def test_the_figures_are_those_the_game_was_played_with() -> None:
    printed = box()
    other = msgspec.structs.replace(printed, time=msgspec.structs.replace(printed.time, years=(1901, 1902, 1905)))
    playing = Jenseits(game(2).setup, other)
    assert "1901–1905" in [line.said for line in drawn(playing, playing.start())[1]]
