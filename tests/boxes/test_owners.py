"""Writing an owner's file: only what differs, nothing lost that stands there, nothing that does not hold."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from companion import boxes, games
from companion.boxes import owners


def written(folder: Path, name: str) -> dict[str, object]:
    return tomllib.loads((folder / f"{name}.toml").read_text(encoding="utf-8"))


def refused(folder: Path, name: str, figures: dict[str, boxes.box.Value]) -> list[str]:
    """What is said against figures; the file stays as it was."""
    before = sorted((file.name, file.read_bytes()) for file in folder.glob("*"))
    with pytest.raises(boxes.BoxProblem) as problem:
        owners.write_figures(folder, name, figures)
    assert sorted((file.name, file.read_bytes()) for file in folder.glob("*")) == before
    return [f"{each.key}: {each.reason}" for each in problem.value.problems]


@pytest.fixture(autouse=True)
def _at_hand() -> None:
    for name in games.names():
        games.bundle(name)


def test_only_what_differs_is_written(tmp_path: Path) -> None:
    owners.write_figures(tmp_path, "tutankhamun", {"values.scorpion": -5, "values.chain": 1})
    assert written(tmp_path, "tutankhamun") == {"values": {"scorpion": -5}}


def test_what_is_replaced_whole_says_which_of_it_is_the_owners(tmp_path: Path) -> None:
    owners.write_figures(tmp_path, "tutankhamun", {"layers.5.chain": 2, "layers.5.bracelet": 0})
    owners.write_figures(tmp_path, "jenseits", {"dial.rows.12.8": 9})
    layers = games.box("tutankhamun", overrides=tmp_path)
    assert {each.key for each in layers.figures() if each.origin == "owner"} == {"layers.5.chain", "layers.5.bracelet"}
    dial = games.box("jenseits", overrides=tmp_path)
    assert {each.key for each in dial.figures() if each.origin == "owner"} == {"dial.rows.12.8"}
    assert (dial.origin("dial.rows.7.1"), dial.origin("dial.rows.8.4"), dial.origin("dial.rows.8.5")) == (
        "rules",
        "rules",
        "found",
    )


def test_what_goes_back_to_the_shipped_box_leaves_nothing_behind(tmp_path: Path) -> None:
    owners.write_figures(tmp_path, "tutankhamun", {"layers.5.chain": 2, "layers.5.bracelet": 0, "values.scorpion": -5})
    owners.write_figures(tmp_path, "tutankhamun", {"layers.5.chain": 1, "layers.5.bracelet": 1})
    assert written(tmp_path, "tutankhamun") == {"values": {"scorpion": -5}}
    owners.reset(tmp_path, "tutankhamun", "values.scorpion")
    assert list(tmp_path.iterdir()) == []
    owners.write_figures(tmp_path, "tutankhamun", {"values.scorpion": -5})
    assert owners.reset(tmp_path, "tutankhamun") == owners.NOTHING_YET
    assert list(tmp_path.iterdir()) == []


def test_what_an_owner_wrote_by_hand_stays(tmp_path: Path) -> None:
    file = tmp_path / "tutankhamun.toml"
    file.write_text(
        '# our copy\n\ntitle = "La vendetta del faraone"\n'
        '# counted twice\n[values]\n# "seen" = on the card\nscorpion = -5  # in red\n\n[purse]\nscarabs = 3\n'
        '[from]\n"values.scorpion" = "found"\n"layers.3" = "found"\n'
    )
    owners.write_figures(tmp_path, "tutankhamun", {"values.falcon": 3})
    box = games.box("tutankhamun", overrides=tmp_path)
    assert box.title == "La vendetta del faraone"
    assert [box.origin(f"values.{card}") for card in ("scorpion", "falcon", "chain")] == ["found", "owner", "house"]
    assert (box.origin("layers.3.chain"), box.origin("purse.scarabs")) == ("found", "owner")
    text = file.read_text()
    assert text.index("# our copy") < text.index("title = ")
    assert '# counted twice\n[values]\n# "seen" = on the card\nscorpion = -5' in text


def test_any_value_is_written_so_that_it_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "tutankhamun.toml"
    file.write_text('title = "Il \\"faraone\\" \\u00e8 qui \\\\ \\u007f"\n')
    owners.write_figures(tmp_path, "tutankhamun", {"values.falcon": 3})
    assert written(tmp_path, "tutankhamun")["title"] == 'Il "faraone" è qui \\ \x7f'


def test_a_figure_that_the_rules_state_stays_with_a_word_about_which_rule(tmp_path: Path) -> None:
    assert refused(tmp_path, "tutankhamun", {"purse.scarabs": 3}) == ["purse.scarabs: the rules say 2 (TUT-01)"]
    assert "locks.horus: the rules say 1, 2, 3, 4, 5 (HOR-34)" in refused(tmp_path, "horus", {"locks.horus": [1]})
    added = refused(tmp_path, "jenseits", {"sites.crete.objects.7": 1})
    assert added[0] == "sites.crete.objects.7: the rules know none of this kind (JVT-45)"
    owners.write_figures(tmp_path, "tutankhamun", {"seats.max": 4})
    assert written(tmp_path, "tutankhamun") == {"seats": {"max": 4}}


def test_every_figure_that_the_rules_state_has_its_rule() -> None:
    for name in games.REGISTER:
        rules = (games.folder(name) / "RULES.md").read_text(encoding="utf-8")
        kind, box = games.bundle(name).box, games.box(name)
        stated = {kind.rule_for(figure.key) for figure in box.figures() if figure.origin == "rules"}
        assert [rule for rule in stated if rule is None or rule not in rules] == []
        assert {kind.rule_for(key) for key in kind.stated_by} <= stated | {None}, "a key that states nothing"


def test_what_does_not_hold_is_refused_whole(tmp_path: Path) -> None:
    assert refused(tmp_path, "tutankhamun", {"layers.5.chain": 2, "values.falcon": 3}) == [
        "layers.5: 16 cards are expected, not 17"
    ]
    assert refused(tmp_path, "jenseits", {"dial.rows.14.1": 3}) == ["dial.rows.14.1: there is no such figure"]
    assert refused(tmp_path, "tutankhamun", {"values.falcon": None}) == ["values.falcon: this cannot be left out"]
    assert refused(tmp_path, "tutankhamun", {"valeus.falcon": 2}) == ["valeus: there is no such key"]
    assert refused(tmp_path, "nowhere", {})[0].startswith("nowhere: there is no such box; there are horus, jenseits")


def test_two_who_write_at_once_do_not_overwrite_one_another(tmp_path: Path) -> None:
    version = owners.write_figures(tmp_path, "tutankhamun", {"values.falcon": 3}, version=owners.NOTHING_YET)
    assert owners.write_figures(tmp_path, "tutankhamun", {"values.chain": 3}, version=version) != version
    with pytest.raises(owners.OutdatedFile):
        owners.write_figures(tmp_path, "tutankhamun", {"values.chain": 4}, version=version)
    with pytest.raises(owners.OutdatedFile):
        owners.reset(tmp_path, "tutankhamun", version=version)
    with pytest.raises(owners.OutdatedFile):
        owners.replace_file(tmp_path, "tutankhamun", "", version=version)
    assert written(tmp_path, "tutankhamun") == {"values": {"falcon": 3, "chain": 3}}


def test_a_file_that_is_taken_in_is_the_same_file(tmp_path: Path) -> None:
    owners.write_figures(tmp_path, "horus", {"plan.walls.11": ["1", "5"], "decks.idols.thoth": 9})
    text = (tmp_path / "horus.toml").read_text()
    owners.replace_file(tmp_path / "elsewhere", "horus", f"# from a friend\n{text}")
    assert (tmp_path / "elsewhere" / "horus.toml").read_text() == f"# from a friend\n{text}"
    with pytest.raises(boxes.BoxProblem, match="a stretch has 6 squares"):
        owners.replace_file(tmp_path, "horus", '[plan.corridor]\nleft = ["A1"]\n')
    assert (tmp_path / "horus.toml").read_text() == text
