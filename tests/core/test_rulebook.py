"""The rules as people read them: every rule of a ledger has its sentence, every ruling too, and code names no other."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import games
from companion.game import Mode, Seat, Setup
from companion.play.hall import Hall
from companion.rulebook import Heading, matching, rulebook
from companion.terminal.session import Terminal
from companion.words import LANGUAGES, say

REFEREED = [name for name, mode in games.registered() if mode == "referee"]
ID = r"[A-Z]{3}-\d\d"
EVERY_GAME = pytest.mark.parametrize(
    ("name", "mode"), games.registered(), ids=["-".join(game) for game in games.registered()]
)
every_language = pytest.mark.parametrize("language", LANGUAGES)


def ledger(name: str) -> dict[str, str]:
    """The rules of a ledger by their ids: a line of a list, or of a table."""
    text = (games.folder(name) / "RULES.md").read_text(encoding="utf-8")
    told = re.split(rf"^(?:- \*{{0,2}}|\| )({ID})", text, flags=re.MULTILINE)[1:]
    return {id_: rule.partition("\n#")[0] for id_, rule in zip(told[::2], told[1::2], strict=True)}


def ids(book: tuple[Heading, ...]) -> list[str]:
    return [rule.id for heading in book for rule in heading.rules]


def named_in(name: str) -> set[str]:
    """The ids that a folder's code names."""
    code = "".join(file.read_text("utf-8") for file in (games.folder(name)).glob("*.py"))
    named = set(re.findall(rf'["\']({ID})["\']', code))
    assert named
    return named


@every_language
@pytest.mark.parametrize("name", REFEREED)
def test_every_rule_of_the_ledger_can_be_read_and_no_other(name: str, language: str) -> None:
    told = ids(rulebook(name, "referee", language))
    assert len(told) == len(set(told))
    assert set(told) == set(ledger(name))


@every_language
@pytest.mark.parametrize("name", REFEREED)
def test_every_ruling_of_the_ledger_can_be_read_with_its_rule(name: str, language: str) -> None:
    book = rulebook(name, "referee", language)
    ruled = {rule.id for heading in book for rule in heading.rules if rule.ruling}
    assert ruled == {id_ for id_, rule in ledger(name).items() if "Ruling" in rule}
    assert ruled == set(games.box(name).rulings)


@every_language
def test_what_is_told_of_the_tools_is_in_their_ledger(language: str) -> None:
    told = {name: ids(rulebook(name, "toolbox", language)[:-1]) for name in games.REGISTER}
    assert set().union(*told.values()) < set(ledger(games.TOOLBOX))
    assert {"TBX-51", "TBX-41"} < set(told["horus"])
    assert not {"TBX-51", "TBX-41"} & set(told["jenseits"]), "no block and no die lies in that box"


@every_language
@pytest.mark.parametrize("name", games.REGISTER)
def test_what_is_ruled_on_a_box_is_told_where_nobody_referees(name: str, language: str) -> None:
    heading = rulebook(name, "toolbox", language)[-1]
    assert heading.id == "rulings"
    assert {rule.id for rule in heading.rules} == set(games.box(name).rulings)
    texts = {rule.id: rule.ruling or rule.said for rule in heading.rules}
    assert texts == {id_: say(language, f"{name}.rulings.{id_}", {}) for id_ in texts}


def test_every_rule_by_which_a_tool_refuses_can_be_read() -> None:
    told = {id_ for name in games.REGISTER for id_ in ids(rulebook(name, "toolbox", "en"))}
    assert named_in(games.TOOLBOX) <= told


@EVERY_GAME
def test_every_heading_says_the_same_in_every_language(name: str, mode: Mode) -> None:
    books = [rulebook(name, mode, language) for language in LANGUAGES]
    shapes = [[(heading.id, [rule.id for rule in heading.rules]) for heading in book] for book in books]
    assert shapes[0]
    assert all(shape == shapes[0] for shape in shapes)
    for book in books:
        assert all(heading.title and "." not in heading.title for heading in book)
        sentences = [each for heading in book for rule in heading.rules for each in (rule.said, rule.ruling) if each]
        assert all(sentence[-1] in ".!?" and "{" not in sentence for sentence in sentences)


@pytest.mark.parametrize("name", REFEREED)
def test_every_rule_that_code_names_can_be_read(name: str) -> None:
    assert named_in(name) <= set(ids(rulebook(name, "referee", "en")))


def test_a_rule_is_found_by_its_id_before_any_word() -> None:
    book = rulebook("jenseits", "referee", "en")
    (heading,) = matching(book, "jvt-13")
    assert [rule.id for rule in heading.rules] == ["JVT-13"]
    assert ids(matching(book, "ZEPPELIN")) == ["JVT-13", "JVT-25"]
    assert {"JVT-42", "JVT-46"} <= set(ids(matching(book, "digging")))  # the word of a heading finds all beneath it
    assert matching(book, "elephant") == ()


def typed(hall: Hall, language: str, *lines: str, box: str = "tutankhamun", mode: Mode = "referee") -> list[str]:
    """What a terminal says to some lines, line by line; what it begins with is left out."""
    table = hall.lay(Setup(box, mode, (Seat("Ada"), Seat("Ben"))))
    said = io.StringIO()
    terminal = Terminal(table, language, heard=io.StringIO("".join(f"{line}\n" for line in lines)), said=said)
    terminal.run()
    begun = io.StringIO()
    Terminal(table, language, heard=io.StringIO(), said=begun).run()
    return said.getvalue().removeprefix(begun.getvalue()).splitlines()


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    """Tables in a folder of the test's own."""
    hall = Hall(tmp_path)
    yield hall
    hall.close()


def test_the_terminal_tells_the_headings(hall: Hall) -> None:
    said = typed(hall, "fr", "rules")
    assert [line.split("  ")[1] for line in said] == ["Mise en place", "Ton tour", "La fin", "La pelle", "Les secrets"]
    assert said[2].split()[-2:] == ["TUT-20", "TUT-21"]


def test_the_terminal_tells_a_rule_and_what_is_ruled(hall: Hall) -> None:
    said = " ".join(" ".join(typed(hall, "en", "rules tut-15")).split())
    assert said.startswith("TUT-15 A turn without digging is a pass and costs 3 silver. Digside rules: If you cannot")


def test_the_terminal_finds_rules_by_a_word_and_says_if_none_has_it(hall: Hall) -> None:
    said = typed(hall, "de", "rules Skarabäus", "rules Elefant")
    assert [line.split()[0] for line in said if re.match(rf"  {ID}", line)] == ["TUT-11"]
    assert said[-1] == "✗ In keiner Regel steht „Elefant“."


def test_the_terminal_tells_how_tools_are_used(hall: Hall) -> None:
    said = typed(hall, "it", "rules", "rules TBX-01", box="horus", mode="toolbox")
    assert said[0].split() == ["Gli", "attrezzi", *[f"TBX-{n}" for n in ("01", "02", "03", "04", "05", "06", "90")]]
    assert any("HOR-60" in line.split() for line in said)
    assert "arbitro" in " ".join(said)


@every_language
@pytest.mark.parametrize("name", REFEREED)
def test_an_older_table_reads_the_rules_it_was_begun_with(name: str, language: str) -> None:
    """Of each version what it says otherwise, rule for rule, and never of a version that is not before the newest."""
    of = games.box(name)
    newest = rulebook(name, "referee", language)
    versions = games.kind(of, "referee").versions
    assert rulebook(name, "referee", language, versions[-1]) == newest
    for version in versions[:-1]:
        older = rulebook(name, "referee", language, version)
        assert ids(older) == ids(newest)


def test_the_dig_into_a_new_year_is_told_as_it_was() -> None:
    (then,), (now,) = (matching(rulebook("jenseits", "referee", "en", rules), "JVT-09") for rules in (1, 2))
    assert "even if yours is face down" in then.rules[0].said
    assert "it must be face up" in now.rules[0].said
