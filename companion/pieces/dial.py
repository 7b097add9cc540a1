"""The dial, or chart, that says how many tokens knowledge and weeks are good for."""

from __future__ import annotations

import msgspec

from companion.refusals import Illegal


class Dial(msgspec.Struct, frozen=True):
    """A row for each point of knowledge, a column for each week.

    >>> dial = Dial(((0, 1, 1), (1, 2, 3)))
    >>> dial.tokens(2, 3), dial.tokens(0, 3)
    (3, 0)
    """

    rows: tuple[tuple[int, ...], ...]

    @property
    def most_knowledge(self) -> int:
        """Knowledge beyond this is read as this."""
        return len(self.rows)

    @property
    def most_weeks(self) -> int:
        """Nobody digs longer in one go."""
        return len(self.rows[0])

    def tokens(self, knowledge: int, weeks: int) -> int:
        """How many tokens may be drawn.

        :raises Illegal: if the dial does not show so many weeks.
        """
        if not 1 <= weeks <= self.most_weeks:
            raise Illegal("piece.dial.weeks", weeks=weeks, most=self.most_weeks)
        return self.row(knowledge)[weeks - 1]

    def row(self, knowledge: int) -> tuple[int, ...]:
        """The tokens for 1, 2, 3 … weeks."""
        if knowledge < 1:
            return (0,) * self.most_weeks
        return self.rows[min(knowledge, self.most_knowledge) - 1]

    def weeks_for(self, knowledge: int, tokens: int) -> int | None:
        """The fewest weeks for so many tokens; None if no stay is long enough.

        >>> Dial(((0, 1, 1), (1, 2, 3))).weeks_for(2, 2)
        2
        """
        return next((weeks for weeks, count in enumerate(self.row(knowledge), 1) if count >= tokens), None)
