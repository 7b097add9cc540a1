"""The screens' scripts and style sheets as they are read: the formatter leaves templates alone, this does not."""

from __future__ import annotations

from pathlib import Path

STATIC = Path(__file__).parents[2] / "web_ui" / "static"
LONGEST_LINE = 120


def test_no_line_is_longer_than_120_columns() -> None:
    ours = [
        path
        for path in STATIC.rglob("*")
        if path.suffix in {".js", ".css"} and "vendor" not in path.relative_to(STATIC).parts
    ]
    long = [
        f"{path.relative_to(STATIC)}:{number}"
        for path in ours
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if len(line) > LONGEST_LINE
    ]
    assert ours
    assert long == []
