"""What an owner's file in the data folder changes, and what it may not."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion import boxes, games
from companion.boxes import load
from companion.games.horus.box import HorusBox
from companion.games.jenseits.box import JenseitsBox
from companion.games.tutankhamun.box import TutankhamunBox
from companion.terminal.commands import box_list

MATCHING = """
[dial]
rows = [
  [0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2],
  [0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2],
  [0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4],
  [0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 5, 5],
  [1, 1, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8],
  [1, 2, 3, 4, 4, 5, 5, 5, 6, 6, 7, 8],
  [1, 2, 4, 4, 5, 5, 6, 6, 7, 8, 8, 9],
  [1, 3, 4, 5, 5, 6, 6, 7, 8, 9, 9, 10],
  [2, 3, 5, 5, 6, 6, 7, 8, 9, 9, 10, 10],
  [2, 3, 5, 5, 6, 7, 8, 9, 9, 10, 10, 10],
  [2, 4, 5, 6, 6, 7, 8, 9, 10, 10, 10, 10],
  [3, 4, 5, 6, 7, 8, 9, 9, 10, 10, 10, 10],
]
"""


def laid(folder: Path, name: str, text: str) -> Path:
    """An owner's file."""
    file = folder / f"{name}.toml"
    file.write_text(text, encoding="utf-8")
    return file


def refusal(folder: Path, name: str, text: str) -> str:
    """What is said when a table is laid with an owner's file."""
    laid(folder, name, text)
    with pytest.raises(boxes.BoxProblem) as refused:
        games.box(name, overrides=folder)
    return str(refused.value)


def test_without_a_file_of_that_name_the_box_is_ours(tmp_path: Path) -> None:
    assert load(HorusBox, overrides=tmp_path) is load(HorusBox)
    assert load(HorusBox, overrides=tmp_path / "nowhere") is load(HorusBox)


def test_one_key_is_changed_and_the_others_stay(tmp_path: Path) -> None:
    laid(tmp_path, "tutankhamun", "[values]\nscorpion = -5\n")
    box = load(TutankhamunBox, overrides=tmp_path)
    assert (box.values["scorpion"], box.values["mask"]) == (-5, -10)
    assert (box.origin("values.scorpion"), box.origin("values.mask"), box.origin("values.chain")) == (
        "owner",
        "found",
        "house",
    )


def test_a_table_of_counts_is_replaced_whole(tmp_path: Path) -> None:
    laid(tmp_path, "jenseits", "[sites.crete]\nobjects = { 1 = 6, 2 = 7 }\n")
    box = load(JenseitsBox, overrides=tmp_path)
    assert box.sites["crete"].objects == {1: 6, 2: 7}
    assert box.sites["crete"].blanks == 16
    assert box.origin("sites.crete.objects.1") == "owner"
    assert box.origin("sites.crete.blanks") == "rules"


def test_a_list_is_replaced_whole_and_so_is_where_its_parts_are_from(tmp_path: Path) -> None:
    laid(tmp_path, "jenseits", MATCHING)
    box = load(JenseitsBox, overrides=tmp_path)
    assert box.dial.rows[11][7] == 9
    assert {box.origin(key) for key in ("dial.rows", "dial.rows.7", "dial.rows.8.4")} == {"owner"}


def test_an_owner_may_say_where_a_figure_is_from(tmp_path: Path) -> None:
    laid(
        tmp_path, "jenseits", MATCHING + '[from]\n"" = "found"\n"dial.rows.8.4" = "rules"\n"research.cards" = "owner"\n'
    )
    box = load(JenseitsBox, overrides=tmp_path)
    assert (box.origin("dial.rows.1"), box.origin("dial.rows.8.4")) == ("found", "rules")
    assert box.origin("research.cards.1") == "owner"
    assert box.origin("map.routes") == "rules"


def test_other_figures_make_another_digest_but_another_title_does_not(tmp_path: Path) -> None:
    ours = load(TutankhamunBox).digest
    laid(tmp_path, "tutankhamun", 'title = "La vendetta del faraone"\n')
    renamed = load(TutankhamunBox, overrides=tmp_path)
    assert (renamed.title, renamed.digest) == ("La vendetta del faraone", ours)
    laid(tmp_path, "tutankhamun", "[purse]\nscarabs = 3\n")
    assert load(TutankhamunBox, overrides=tmp_path).digest != ours


def test_a_file_that_was_mended_is_read_again(tmp_path: Path) -> None:
    refusal(tmp_path, "tutankhamun", "[purse]\nscarabs = -1\n")
    laid(tmp_path, "tutankhamun", "[purse]\nscarabs = 1\n")
    assert load(TutankhamunBox, overrides=tmp_path).purse.scarabs == 1


def test_a_wrong_file_is_refused_with_file_key_and_reason(tmp_path: Path) -> None:
    said = refusal(tmp_path, "tutankhamun", "[purse]\nscarabs = -1\nsilvers = 5\n")
    file = tmp_path / "tutankhamun.toml"
    assert said.splitlines() == [
        f"{file}: purse.silvers: there is no such key",
        f"{file}: purse.scarabs: it is 0 at least",
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[purse\n", "line 1"),
        ("purse = 3\n", "purse: a table is expected"),
        ("[purse]\nsilver = 5\nsilver = 6\n", "Cannot overwrite a value"),
        ("from = 3\n", "from: a table is expected"),
        ('[from]\n"purse.silver" = "me"\n', "from.purse.silver: “me” is none of these: rules, found, house, owner"),
        ('[from]\n"purse.silvr" = "owner"\n', "from.purse.silvr: there is no such figure"),
    ],
)
def test_what_cannot_be_read_is_refused(tmp_path: Path, text: str, reason: str) -> None:
    assert reason in refusal(tmp_path, "tutankhamun", text)


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "horus.toml").write_bytes(b"\xff\xfe")
    assert [str(problem.reason) for problem in games.problems_in_file(tmp_path / "horus.toml")] == ["this is not UTF-8"]


def test_a_file_that_cannot_be_opened_is_refused(tmp_path: Path) -> None:
    (tmp_path / "horus.toml").mkdir()
    with pytest.raises(boxes.BoxProblem, match=r"horus\.toml: Is a directory"):
        load(HorusBox, overrides=tmp_path)


def test_check_says_everything_and_nothing_of_a_good_file(tmp_path: Path) -> None:
    file = laid(tmp_path, "horus", "[decks.rubble]\nsnakes = 4\n[plan]\nentrances = []\n")
    assert {(problem.file, problem.key) for problem in games.problems_in_file(file)} >= {
        (str(file), "decks.rubble"),
        (str(file), "plan.entrances"),
    }
    assert games.problems_in_file(laid(tmp_path, "horus", "[decks.idols]\nhorus = 12\n")) == ()


@pytest.mark.parametrize("called", ["chess.toml", "horus.txt"])
def test_check_knows_a_file_by_its_name(tmp_path: Path, called: str) -> None:
    (problem,) = games.problems_in_file(tmp_path / called)
    assert "horus.toml" in str(problem.reason)


@pytest.mark.parametrize("name", ["chess", "", "../jenseits"])
def test_there_are_no_other_boxes(name: str) -> None:
    with pytest.raises(boxes.BoxProblem, match="there is no such box"):
        games.box(name)


def example(guide: Path) -> str:
    return guide.read_text(encoding="utf-8").split("```toml\n")[1].split("```")[0]


@pytest.mark.parametrize("name", games.REGISTER)
def test_the_example_in_the_owners_guide_is_a_good_file_for_every_box(tmp_path: Path, name: str) -> None:
    guide = Path(boxes.__file__).with_name("README.md")
    assert games.problems_in_file(laid(tmp_path, name, example(guide))) == ()


def test_the_examples_in_the_ledgers_are_good_files(tmp_path: Path) -> None:
    ledgers = [games.folder(name) / "RULES.md" for name in games.REGISTER]
    shown = [each for each in ledgers if each.is_file() and "```toml" in each.read_text(encoding="utf-8")]
    assert shown
    for ledger in shown:
        assert games.problems_in_file(laid(tmp_path, ledger.parent.name, example(ledger))) == ()


def test_what_cannot_be_read_hides_nothing_else_that_is_wrong(tmp_path: Path) -> None:
    wrong = """
[level]
cards = "twelve"
[dice]
gods = { thoth = "green" }
[decks.rubble]
snakes = 4
[plan.areas]
pond = "31-35"
[idols]
horus = 9
"""
    keys = {problem.key for problem in games.problems_in_file(laid(tmp_path, "horus", wrong))}
    assert keys == {"level.cards", "idols", "dice.gods", "decks.rubble", "decks.rubble.snakes", "plan.areas"}


def test_a_broken_file_hides_no_other_box_in_the_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "boxes").mkdir()
    laid(tmp_path / "boxes", "jenseits", "[dial\n")
    assert box_list(tmp_path) == 1
    said = capsys.readouterr().out
    assert "jenseits.toml" in said
    assert all(games.box(name).title in said for name in games.REGISTER if name != "jenseits")
