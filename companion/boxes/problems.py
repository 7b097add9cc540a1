"""What is wrong with a box file, in words that let its owner correct it."""

from __future__ import annotations

from typing import NamedTuple

from companion.refusals import Refusal


class FigureProblem(Refusal):
    """Why a figure cannot be right, in the language of whoever reads it."""

    code = "amiss"


Doubt = tuple[str, FigureProblem]
"""A key and what is wrong there."""


class Problem(NamedTuple):
    """One thing that is wrong: in which file, at which key, and why.

    >>> print(Problem("mine.toml", "dial.rows.8.4", FigureProblem("amiss.whole_number")))
    mine.toml: dial.rows.8.4: a whole number is expected
    """

    file: str
    key: str
    reason: FigureProblem

    def __str__(self) -> str:
        return self.said("en")

    def said(self, language: str) -> str:
        """File, key and reason, in a language."""
        return ": ".join(part for part in (self.file, self.key, self.reason.said(language)) if part)


class BoxProblem(ValueError):
    """A box cannot be opened; `problems` has every reason."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__(*problems)
        self.problems = problems

    def __str__(self) -> str:
        return self.said("en")

    def said(self, language: str) -> str:
        """Every problem in a language, one to a line."""
        return "\n".join(problem.said(language) for problem in self.problems)
