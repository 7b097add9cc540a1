"""What is wrong with a box file, said so that its owner can mend it."""

from __future__ import annotations

from typing import NamedTuple


class Problem(NamedTuple):
    """One thing that is wrong: in which file, at which key, and why.

    >>> print(Problem("mine.toml", "dial.rows.8.4", "expected a whole number, got text"))
    mine.toml: dial.rows.8.4: expected a whole number, got text
    """

    file: str
    key: str
    reason: str

    def __str__(self) -> str:
        return ": ".join(part for part in self if part)


class BoxProblem(ValueError):
    """A box cannot be opened; `problems` has every reason."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems
