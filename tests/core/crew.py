"""Whoever has a table at which bots sit, in a test."""

from __future__ import annotations

from companion.play.actors import Bot
from companion.play.sitting import BotNews
from companion.play.table import Table
from companion.play.thinking import Thinker


class Crew:
    """A table's bots, with nobody else beside; `news` is what was said of them."""

    def __init__(self, thinker: Thinker | None = None) -> None:
        self._thinker = thinker
        self.news: list[dict[int, BotNews]] = []
        self.looks = True

    def thinker(self) -> Thinker | None:
        return self._thinker

    def watches(self, table: Table) -> bool:
        return self.looks

    def changed(self, table: Table) -> None:
        self.news.append(dict(table.bot_news))

    def wake(self, table: str) -> None:
        pass

    def play(self, table: Table, actor: Bot, seq: int, request: str, move: object) -> object:
        return table.play(actor, seq, request, move)

    def lifts_at(self, table: Table) -> bool:
        return False
