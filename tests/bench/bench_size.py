"""What a game costs: its files and lines, by kind, as they stand."""

from __future__ import annotations

from pathlib import Path

from companion import games

ROOT = Path(__file__).parents[2]
AROUND = {
    *("view.py", "aids.py", "bots.py", "plans.py", "drawn.py", "keepsake.py", "around.py", "story.py", "__init__.py"),
    "tools.py",
}
"""What a game has beside the rules of its referee."""
READ = {".py", ".js", ".css", ".toml", ".md"}


def measured(files: list[Path]) -> str:
    """So many files and lines."""
    lines = sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files)
    return f"{len(files)} files, {lines} lines"


def below(folder: Path) -> list[Path]:
    """All that somebody wrote in a folder."""
    return [file for file in sorted(folder.rglob("*")) if file.suffix in READ and "__pycache__" not in file.parts]


BEFORE = {"jenseits": (74, 9838), "tutankhamun": (67, 7440), "toolbox": (37, 3643)}
"""Files and lines in all, before what every game shares was written once (commit 8413cef)."""
ELSEWHERE = ROOT / "tests" / "elsewhere"


def main() -> None:
    """Every game, the toolbox, and the tiny game that lies outside the package."""
    folders = {name: games.folder(name) for name in (*games.REGISTER, games.TOOLBOX)}
    for name, folder in (folders | {"shaft": ELSEWHERE / "shaft"}).items():
        inside = below(folder)
        rules = [file for file in inside if file.suffix == ".py" and file.name not in AROUND]
        board, tests = ROOT / "web_ui" / "static" / "boards" / name, ROOT / "tests" / "games" / name
        whole = [*inside, *below(board), *below(tests)]
        print(f"{name}, rules: {measured(rules)}")
        print(f"{name}, in all, with board, words and tests: {measured(whole)}")
        if name in BEFORE:
            print(f"{name}, in all, before one referee for all games: {BEFORE[name][0]} files, {BEFORE[name][1]} lines")


if __name__ == "__main__":
    main()
