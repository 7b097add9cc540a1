"""A real table: people draw from real bags and piles and report; or press, and the companion deals."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.game import Chance, Json, Seat, Setup, Turn
from companion.play.hall import Hall
from companion.play.table import HOST, Table
from companion.play.view import view
from companion.refusals import Illegal
from companion.words import LANGUAGES, say
from tests.games.jenseits.expedition import NAMES, OPEN, box

fresh = itertools.count().__next__


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    opened = Hall(tmp_path)
    yield opened
    opened.close()


def lay(hall: Hall, seats: int = 2, *, source: str = "table", pace: str = "flow") -> Table:
    names = tuple(Seat(name) for name in NAMES[:seats])
    sources: dict[str, Any] = {"default": source}
    return hall.lay(Setup("jenseits", "referee", names, sources, pace))  # type: ignore[arg-type]


def report(table: Table, *outcomes: str | int | None) -> None:
    for outcome in outcomes:
        table.answer(HOST, table.seq, f"a{fresh()}", outcome)


def play(table: Table, move: dict[str, Json]) -> None:
    table.play(HOST, table.seq, f"m{fresh()}", move)


def correct(table: Table, *corrections: dict[str, Json]) -> None:
    for correction in corrections:
        table.correct(HOST, table.seq, f"c{fresh()}", correction)


def give(table: Table, seat: int, *cards: str, source: str = "pile") -> None:
    for card in cards:
        correct(table, {"type": "card", "card": card, "from": source, "to": seat})


def find(table: Table, seat: int, site: str, *values: int) -> None:
    for value in values:
        correct(table, {"type": "token", "site": site, "token": f"object:{value}", "from": "bag", "to": seat})


@pytest.mark.rule("JVT-64", "JVT-44")
def test_the_rulebooks_dig_in_crete_with_a_real_bag(hall: Hall) -> None:
    table = lay(hall)
    report(table, 0, *OPEN)
    give(table, 0, "book-crete-rome-2", "book-crete-paris-1", "assistant-paris", "assistant-rome")
    give(table, 0, "open_book-paris-2", "open_book-berlin-2", "open_book-rome-1")
    correct(table, {"type": "figure", "seat": 0, "place": "crete"})
    play(table, {"type": "dig", "site": "crete", "weeks": 4})
    with pytest.raises(Illegal):
        report(table, "object:6")
    with pytest.raises(Illegal):
        report(table, None)
    report(table, "object:3", "blank", "object:3", "object:2", "blank")
    seen: Any = view(table, HOST)
    assert seen["board"]["scores"][0]["parts"]["objects"] == 8 + 1
    assert seen["board"]["track"]["markers"][0]["week"] == 5
    assert [line["what"]["token"] for line in seen["log"][-5:]] == [
        "object:3",
        "blank",
        "object:3",
        "object:2",
        "blank",
    ]
    assert say("en", "jenseits.log.token", seen["log"][-1]["what"]) == "Ada: rubble (Crete, 5 of 5)"


@pytest.mark.rule("JVT-63")
def test_the_rulebooks_score_at_a_real_table(hall: Hall) -> None:
    table = lay(hall, 3)
    report(table, 0, 1, *OPEN)
    find(table, 0, "palestine", 7, 6, 5, 4)
    find(table, 0, "egypt", 4, 3, 2, 1)
    find(table, 0, "mesopotamia", 1, 1, 1, 1)
    find(table, 0, "crete", 3)
    give(table, 0, "exhibition-small-london", "exhibition-small-paris")
    give(table, 0, "exhibition-large-berlin", source="aside")
    give(table, 0, "congress-london", "congress-paris", "congress-paris", "congress-berlin", "congress-berlin")
    for _ in range(3):
        play(table, {"type": "retire"})
    ask: Any = view(table, HOST)["ask"]
    assert ask["scores"][0] == {
        "seat": 0,
        "total": 67,
        "parts": {"objects": 39, "exhibitions": 13, "congresses": 15, "majorities": 0},
    }
    assert ask["winners"] == [0]


@pytest.mark.rule("JVT-22", "JVT-44")
def test_a_hand_presses_for_tokens_and_markers_but_not_for_cards(hall: Hall) -> None:
    table = lay(hall, source="companion", pace="press")
    ask = table.ask()
    assert isinstance(ask, Chance)
    assert ask.randomizer == "start"
    report(table, None)
    ask = table.ask()
    assert isinstance(ask, Turn), "four cards were opened without a press"
    seat = ask.seats[0]
    opened: Any = view(table, HOST)["board"]["open"]  # type: ignore[index, call-overload]
    hidden = [card for card in box().research.cards if card.id not in {each["id"] for each in opened}]
    ethnology = next(card for card in hidden if card.kind == "ethnology")
    book = next(card for card in hidden if card.kind == "book" and card.site == ethnology.site and card.value == 2)
    give(table, seat, ethnology.id, book.id)
    correct(table, {"type": "figure", "seat": seat, "place": ethnology.site})
    play(table, {"type": "dig", "site": ethnology.site, "weeks": 4, "use": ["ethnology"]})
    for nth in (1, 2):
        waiting = table.ask()
        assert isinstance(waiting, Chance)
        assert waiting.facts == {"site": ethnology.site, "nth": nth, "of": 2}
        report(table, None)
    assert isinstance(table.ask(), Turn)


def test_real_cards_with_bags_of_the_companion(hall: Hall) -> None:
    names = (Seat("Ada"), Seat("Ben"))
    table = hall.lay(Setup("jenseits", "referee", names, {"cards": "table"}))
    report(table, None)
    report(table, *OPEN)
    play(table, {"type": "refresh"})
    for card in ("car-rome", "zeppelin-rome", "congress-paris", "congress-paris"):
        report(table, card)
    board: Any = view(table, HOST)["board"]
    assert [card["id"] for card in board["open"]] == ["car-rome", "zeppelin-rome", "congress-paris", "congress-paris"]
    assert board["piles"]["discards"] == 4


@pytest.mark.rule("JVT-20", "JVT-23")
@pytest.mark.parametrize("real", ["cards", "exhibitions"])
def test_either_kind_of_card_can_be_real(hall: Hall, real: str) -> None:
    """At the table the one, of the companion the other: who answers says which of the two draws it was."""
    table = hall.lay(Setup("jenseits", "referee", (Seat("Ada"), Seat("Ben")), {"default": "companion", real: "table"}))
    report(table, None)
    if real == "cards":
        report(table, *OPEN)
    use_up_the_first_pile(table)
    board: Any = view(table, HOST)["board"]
    assert board["piles"]["parts"][0]["exhibitions"], "exhibitions can come now"
    shown = 0
    while shown < 3:
        play(table, {"type": "refresh"})
        while isinstance(ask := table.ask(), Chance):
            assert ask.randomizer == real, "the companion answered its own at once"
            last = ask.odds[-1][0]
            shown += last == "exhibition" or real == "exhibitions"
            report(table, last)
    told: Any = view(table, HOST)["board"]
    assert all(told["exhibitions"].values())


@pytest.mark.rule("JVT-21")
@pytest.mark.parametrize("source", ["companion", "table"])
def test_a_pile_that_is_shuffled_anew_has_a_line_of_its_own_and_people_are_asked_to_shuffle(
    hall: Hall, source: str
) -> None:
    table = hall.lay(Setup("jenseits", "referee", (Seat("Ada"), Seat("Ben")), {"cards": source}))  # type: ignore[dict-item]
    report(table, None)
    if source == "table":
        report(table, *OPEN)
    use_up_the_first_pile(table)
    use_up_the_first_pile(table)
    give(table, 1, *box().exhibition_cards)
    play(table, {"type": "refresh"})
    if source == "table":
        waits: Any = view(table, HOST)["ask"]
        facts = {name: fact if isinstance(fact, int) else list(fact) for name, fact in waits["facts"].items()}
        assert say("en", "jenseits.ask.shuffle", facts) == "Shuffle a new draw pile of 4 cards, from: the discards"
        assert waits["odds"] == [["shuffled", 1]]
        with pytest.raises(Illegal, match="shuffle"):
            report(table, OPEN[0])
        report(table, "shuffled", *OPEN)
    told: Any = view(table, HOST)["log"]
    lines = [line["what"] for line in told if line["what"]["type"] == "shuffled"]
    assert lines == [{"type": "shuffled", "n": 4, "from": ["at_discards"]}]
    for language in LANGUAGES:
        assert "4" in say(language, "jenseits.log.shuffled", lines[0])


def use_up_the_first_pile(table: Table) -> None:
    board: Any = view(table, HOST)["board"]
    left = {card.id: card.copies for card in box().research.cards}
    for card in (*board["open"], *board["seats"][1]["cards"]):
        left[card["id"]] -= 1
    cards = [card for card, count in left.items() for _ in range(count)]
    give(table, 1, *cards[: board["piles"]["parts"][0]["research"]])
