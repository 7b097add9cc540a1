"""Boards as they are drawn in the terminal: all a player needs, in 100 columns, in every language."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion import games
from companion.drawing.paper import Paper, aligned
from companion.game import Chance, Json, Seat, Setup, Source, Turn
from companion.games.jenseits.bots import sensible as explorer
from companion.games.tutankhamun.bots import sensible as robber
from companion.play.hall import Hall
from companion.play.table import HOST, Table
from companion.play.view import View, view
from companion.terminal import telling, trials
from companion.terminal.board import board_lines
from companion.terminal.session import Terminal
from companion.trials import Trial
from companion.words import LANGUAGES, person, say

NAMES = ("Ada", "Ben", "Cleo", "Dorothea")
WIDTH = 100


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    opened = Hall(tmp_path)
    yield opened
    opened.close()


def lay(
    hall: Hall,
    box: str,
    seats: int = 3,
    *,
    source: Source = "companion",
    names: tuple[str, ...] = NAMES,
    **options: bool | int | str,
) -> Table:
    people = tuple(Seat(name) for name in names[:seats])
    return hall.lay(Setup(box, "referee", people, {"default": source}, options=options), secret=bytes(32))


def go_on(table: Table, moves: int) -> View:
    """So many moves of players with sense."""
    luck, bot = random.Random(5), explorer if table.setup.box == "jenseits" else robber
    while isinstance(ask := table.ask(), Chance) or (moves and isinstance(ask, Turn)):
        if isinstance(ask, Chance):
            table.answer(HOST, table.seq, f"a{table.seq}", None)
            continue
        moves -= 1
        move = bot(table.game, table.state, ask.seats[0], luck)  # type: ignore[arg-type]
        table.play(HOST, table.seq, f"r{table.seq}", msgspec.to_builtins(move))
    return view(table, HOST)


def lines(seen: View, language: str = "en") -> list[str]:
    return list(telling.board(language, seen, WIDTH))


def below(drawing: list[str], title: str) -> list[str]:
    """The lines of one piece."""
    first = next(at for at, line in enumerate(drawing) if line.startswith(title))
    rest = (at for at, line in enumerate(drawing) if at > first and not line.startswith(" "))
    return [line[14:] for line in drawing[first : next(rest, None)]]


def part(seen: View, *path: str | int) -> Json:
    found: Json = seen["board"]
    for step in path:
        found = found[step]  # type: ignore[index]
    return found


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("box", "moves"), [("jenseits", 0), ("jenseits", 70), ("tutankhamun", 0), ("tutankhamun", 25)])
def test_a_board_is_drawn_in_whole_lines_and_in_words(hall: Hall, box: str, moves: int, language: str) -> None:
    for line in lines(go_on(lay(hall, box, 4 if box == "jenseits" else 3), moves), language):
        assert len(line) <= WIDTH
        assert "…" not in line.replace("… ", ""), line
        assert not re.search(r"True|False|None|\{|\}|[a-z]_[a-z]|-greece|drawn\.", line), line


def test_open_cards_and_exhibitions_tell_where_and_how_long(hall: Hall) -> None:
    table = lay(hall, "jenseits")
    go_on(table, 0)
    card = {"type": "card", "card": "exhibition-large-london", "from": "aside", "to": "a"}
    table.correct(HOST, table.seq, "c1", card)
    seen = view(table, HOST)
    drawing = lines(seen)
    cards = below(drawing, "open cards")
    assert len(cards) == 5
    for place in range(4):
        weeks, city = part(seen, "open", place, "weeks"), str(part(seen, "open", place, "city"))
        assert cards[place].startswith(f"{place + 1}  ")
        assert re.search(rf"{city.title()} +{weeks} weeks?$", cards[place])
    assert re.search(r"new cards +Warsaw +1 week$", cards[4])
    shown = below(drawing, "exhibitions")
    assert shown == ["a  large exhibition in London  4 weeks  5 points  Crete 1  Egypt 3  Greece 2", "b  –", "c  –"]


def test_each_player_has_place_date_points_knowledge_cards_and_finds(hall: Hall) -> None:
    table = lay(hall, "jenseits")
    go_on(table, 0)
    for correction in (
        {"type": "card", "card": "book-egypt-london-3", "from": where(table, "book-egypt-london-3"), "to": 1},
        {"type": "token", "site": "egypt", "token": "object:6", "from": "bag", "to": 1},
        {"type": "token", "site": "egypt", "token": "book:mesopotamia", "from": "bag", "to": 1},
        {"type": "permit", "seat": 1, "site": "crete", "up": False},
        {"type": "figure", "seat": 1, "place": "rome"},
        {"type": "marker", "seat": 1, "week": 2, "year": 1903},
    ):
        table.correct(HOST, table.seq, f"c{table.seq}", correction)
    players = below(lines(view(table, HOST)), "players")
    mine = players[next(at for at, line in enumerate(players) if "Ben" in line) :][:4]
    assert [re.sub(r" +", " ", line).strip() for line in mine] == [
        "Ben Rome 1903/2 16 points: most books 10 objects 6",
        "knowledge Crete 0 (permit used) Egypt 3 Mesopotamia 1",
        "cards 3 books about Egypt",
        "finds Egypt: [6] book about Mesopotamia",
    ]


def where(table: Table, card: str) -> str:
    return "open" if card in [each and each["id"] for each in part(view(table, HOST), "open")] else "pile"  # type: ignore[union-attr, index, call-overload]


def test_the_dial_is_read_for_whoever_is_next(hall: Hall) -> None:
    table = lay(hall, "jenseits")
    go_on(table, 0)
    assert not any(line.startswith("dial") for line in lines(view(table, HOST))), "nobody knows anything yet"
    seat = int(str(part(view(table, HOST), "track", "next", 0)))
    source = where(table, "book-crete-moscow-3")
    card = {"type": "card", "card": "book-crete-moscow-3", "from": source, "to": seat}
    table.correct(HOST, table.seq, "c1", card)
    weeks, crete = below(lines(view(table, HOST)), "dial")
    assert weeks.split() == ["weeks", *map(str, range(1, 13))]
    assert crete.split() == ["Crete", "3", *map(str, table.game.terms.dial.rows[2])]  # type: ignore[attr-defined]


def test_bags_stand_under_each_other_token_by_token(hall: Hall) -> None:
    bags = below(lines(view(lay(hall, "jenseits"), HOST)), "bags")
    assert bags[0].split() == ["rubble", "open", "book", *(f"[{value}]" for value in range(1, 8)), "book"]
    assert bags[1].split() == ["Greece", "30", "16", "1", "3", "3", "2", "1", "2", "1", "–", "Crete"]
    assert bags[6].startswith("the site: Greece [1]")


def test_the_tray_shows_depths_open_cards_values_and_barricades(hall: Hall) -> None:
    table = lay(hall, "tutankhamun")
    go_on(table, 4)
    table.correct(HOST, table.seq, "b", {"type": "standing", "seat": 1, "square": "b2"})
    seen = view(table, HOST)
    tray = below(lines(seen), "tray")
    assert len(tray) == 4 * 3 + 1
    assert len({len(line) for line in tray}) == 1
    cells = [cell for line in tray[1::3] for cell in line.strip("|").split("|")]
    for at in range(16):
        assert cells[at].split()[0] == part(seen, "tray", "squares", at, "square")
        assert f"×{part(seen, 'tray', 'squares', at, 'depth')}" in cells[at]
    assert "#Ben" in cells[5]
    values = {str(card): value for card, value in dict(part(seen, "tray", "value")).items()}  # type: ignore[arg-type]
    house: Any = part(seen, "tray", "house")
    faces = [cell for line in tray[2::3] for cell in line.strip("|").split("|")]
    for at, face in enumerate(faces):
        card = part(seen, "tray", "squares", at, "top")
        worth, ours = values.get(str(card), 0), "*" * (card in house)
        assert face.rstrip().endswith(f"{worth:+d}{ours}") == bool(worth), face


def test_purses_takings_and_risk_are_told(hall: Hall) -> None:
    drawing = lines(go_on(lay(hall, "tutankhamun"), 2))
    players = below(drawing, "players")
    assert players[0].split()[:4] == ["in", "all", "gold", "silver"]
    assert sum(line.startswith("▸") for line in players) == 1
    turn = below(drawing, "turn")[0]
    assert re.search(r"digs \d+  takings \d+  .*a bad card costs the takings, and up to \d+ silver", turn)


def test_at_the_end_the_whole_tray_is_turned_up(hall: Hall) -> None:
    drawing = lines(go_on(lay(hall, "tutankhamun", 2, open_memory=True), 500))
    assert below(drawing, "now") == ["over"]
    tray = below(drawing, "whole tray")
    assert tray[0].startswith("quarter turns")
    assert len(tray) == 1 + 5 * 4
    assert not any(line.startswith("layers") for line in drawing)


def test_before_the_end_no_line_tells_what_lies_below(hall: Hall) -> None:
    drawing = lines(go_on(lay(hall, "tutankhamun"), 5))
    assert not any(line.startswith(("whole tray", "lifted")) for line in drawing)


def test_what_is_asked_is_a_sentence_with_what_to_type(hall: Hall) -> None:
    table = lay(hall, "jenseits", source="table")
    asked = telling.question_sentence("en", view(table, HOST), {})
    assert asked.startswith("Who is number 1 in the starting order? (")
    assert asked.endswith("type: report 0 | 1 | 2)")
    assert list(telling.reports("en", view(table, HOST), {})) == ["report 0  Ada", "report 1  Ben", "report 2  Cleo"]
    for seat in (0, 1):
        table.answer(HOST, table.seq, f"a{seat}", seat)
    assert telling.question_sentence("de", view(table, HOST), {}).startswith("Decke eine Karte auf für Platz 1 (")
    names = {"car-rome": ("car", "rome")}
    typed = list(telling.reports("en", view(table, HOST), names))
    assert any(re.fullmatch(r"report car-rome +car, Rome", line) for line in typed)


UNTYPED = ("Player 1", "Joueur 2", "Giocatore 3", "Person 4")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("box", ["jenseits", "tutankhamun"])
def test_a_name_that_nobody_typed_is_told_in_the_language_of_the_terminal(hall: Hall, box: str, language: str) -> None:
    table = lay(hall, box, 4, names=UNTYPED)
    seen = go_on(table, 6)
    log: list[Any] = seen["log"]  # type: ignore[assignment]
    told = [telling.log_sentence(language, seen, line) for line in log]
    told += [telling.question_sentence(language, seen, {}), *lines(seen, language)]
    table.end(HOST, table.seq, "over")
    told.append(telling.question_sentence(language, view(table, HOST), {}))
    found = {name for name in UNTYPED for line in told if name in line}
    assert found <= {person(language, name) for name in UNTYPED}
    assert any(person(language, UNTYPED[0]) in line for line in told)


def test_a_track_is_drawn_once_markers_stand_on_it(hall: Hall) -> None:
    paper = Paper("en", NAMES)
    assert list(board_lines(paper, {"track": {"markers": [], "next": []}}, "toolbox")) == []
    seen = go_on(lay(hall, "jenseits"), 0)
    first = paper.name(part(seen, "track", "next", 0))
    assert below(lines(seen), "time track")[0].endswith(f"▸ {first}")


def test_what_it_does_not_know_is_written_out() -> None:
    paper = Paper("en", ["Ada", "Ben"])
    board: dict[str, Json] = {"urn": {"seat": 1, "blank": 2, "none": None}, "urns": [{"earth": 1}, {"earth": 2}]}
    assert list(board_lines(paper, board, "toolbox")) == [
        "urn           seat Ben  rubble 2",
        "urns          earth 1",
        "              earth 2",
    ]


def test_what_has_no_room_goes_on_below() -> None:
    paper = Paper("en", [], width=14 + 40)
    assert list(paper.flow("cards  ", ["three books of stone"] * 2)) == [
        "cards  three books of stone",
        "       three books of stone",
    ]
    assert list(aligned([])) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("box", "ending"), [("jenseits", "some_retired"), ("tutankhamun", "one_left")])
def test_games_among_bots_are_summed_up_in_aligned_lines(box: str, ending: str, language: str) -> None:
    endings = {ending: 2, "all_passed": 1}
    scores = ((10, 5), (20, 5), (9, 9))
    summary = Trial(("sensible", "random"), scores, (2.5, 0.5), (100, 200, 150), endings, 1)
    told = list(trials.trial_lines(language, box, "Some box", 7, summary))
    assert not any("bots." in line or "{" in line for line in told)
    head, one, two = told[2:5]
    assert len(head) <= len(one) == len(two)
    point = "." if language == "en" else ","
    assert one.split()[0] == "1"
    assert f"13{point}0" in one
    assert f"± 5{point}0" in one
    assert one.replace("\u00a0", "").endswith("83%")
    assert "150" in told[7]
    ends = [line.replace("\u00a0", "").split()[:2] for line in told[-2:]]
    assert ends == [["2", "67%"], ["1", "33%"]]


def test_a_dug_card_is_told_with_what_it_brought(hall: Hall) -> None:
    table = hall.lay(Setup("tutankhamun", "referee", (Seat("Ada"), Seat("Ben"))), secret=b"x" * 32)
    table.begin()
    said = io.StringIO()
    Terminal(table, "en", heard=io.StringIO("dig a1\n"), said=said).run()
    board: Any = view(table)["board"]
    last = board["last"]
    brought = f"{last['points']:+d}" + "*" * (last["card"] in board["tray"]["house"])
    assert f"last card: a1 {say('en', 'tutankhamun.name.' + last['card'], {})} {brought}  Ben" in said.getvalue()


def test_mummies_are_told_apart_and_walls_are_shown() -> None:
    seen = toolbox("horus")
    shown = "\n".join(seen)
    assert "A3 In" in shown
    assert "T3 Im" in shown
    assert "A5  |  27" in shown
    assert any(set(line.strip()) == {"-", " "} for line in seen)


@pytest.mark.parametrize(("card", "ours"), [("falcon", True), ("mask", False)])
def test_what_is_ours_is_marked_and_the_mark_explained(card: str, ours: bool) -> None:
    seen = toolbox("tutankhamun", squares=[{"square": "a1", "depth": 3, "top": card}] * 16)
    assert any(re.search(r"[+-]\d+\* ", line) for line in seen) == ours
    assert any(line.startswith("* our own figure") for line in seen) == ours


def toolbox(box: str, **tray: object) -> list[str]:
    """The board of a toolbox at its start, drawn; or with the tray lying so."""
    setup = Setup(box, "toolbox", (Seat("Ada"), Seat("Ben")))
    game = games.open_game(games.with_defaults(setup, games.box(box)), games.box(box))
    board: Any = game.sees(game.start(), None).board
    shown = {"tray": board["tray"] | tray} if tray else board
    return list(board_lines(Paper("en", ["Ada", "Ben"], WIDTH, setup.scope), shown, "toolbox"))
