"""The screens' scripts and style sheets as they are read: the formatter leaves templates alone, this does not."""

from __future__ import annotations

import re
from pathlib import Path

STATIC = Path(__file__).parents[2] / "web_ui" / "static"
LONGEST_LINE = 120
TOO_NEW = {
    "an iPad of iPadOS 15.4 has no": r"\.(?:findLast|findLastIndex|toSorted|toReversed|toSpliced|groupBy|withResolvers|"
    r"isSubsetOf|checkVisibility|showPopover)\(",
    "it reads no regular expression with": r"\(\?<[=!]",
}
"""Names that the screens do without, as not all browsers have them that Digside is for."""
ENDLESS = {"tumbling", "thinks", "wheel", "air", "doubt", "tut-draw"}
"""What moves as long as something is under way: dice that roll, a bot that thinks, a pump that runs."""
OF_CONTAINERS = re.compile(r"(?<!, )\b\d+cq(?:w|h|i|b|min|max)\b")


def ours(*endings: str) -> list[Path]:
    """The screens' own files of some kinds."""
    found = [
        path for path in STATIC.rglob("*") if path.suffix in endings and "vendor" not in path.relative_to(STATIC).parts
    ]
    assert found
    return found


def test_no_line_is_longer_than_120_columns() -> None:
    long = [
        f"{path.relative_to(STATIC)}:{number}"
        for path in ours(".js", ".css")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if len(line) > LONGEST_LINE
    ]
    assert long == []


def test_no_script_asks_for_what_older_browsers_lack() -> None:
    for path in ours(".js"):
        for why, pattern in TOO_NEW.items():
            found = re.search(pattern, path.read_text(encoding="utf-8"))
            assert found is None, f"{path.relative_to(STATIC)}: {why} {found[0] if found else ''}"


def test_every_size_by_a_container_can_be_told_to_a_browser_that_has_no_such_units() -> None:
    for path in ours(".css"):
        text = path.read_text(encoding="utf-8")
        assert OF_CONTAINERS.findall(text) == [], f"{path.relative_to(STATIC)}: write var(--cqw, 1cqw)"
        assert text.count("container-type: size") == text.count("contain: size"), path.relative_to(STATIC)


def test_a_panel_that_mixes_its_colour_has_a_plain_one_before_it() -> None:
    mixed = re.compile(r"^( *)background: color-mix\(in srgb, var\(--panel\)[^;]*;", re.MULTILINE)
    for path in ours(".css"):
        text = path.read_text(encoding="utf-8")
        for found in mixed.finditer(text):
            before = text[: found.start()].rstrip().rpartition("\n")[2].strip()
            assert before == "background: var(--panel);", f"{path.relative_to(STATIC)}: {found[0].strip()}"


def test_a_table_at_which_nothing_happens_is_not_drawn_anew() -> None:
    """A tablet in the middle stands there all evening: what draws the eye to a place comes to rest."""
    for path in ours(".css"):
        endless = set(re.findall(r"animation: ([\w-]+)[^;]*\binfinite\b", path.read_text(encoding="utf-8")))
        assert endless <= ENDLESS, f"{path.relative_to(STATIC)}: {endless - ENDLESS}"
