"""A journal that keeps nothing, for tables that a test only plays."""

from __future__ import annotations

from collections.abc import Sequence

from companion.play.entries import Brief, End, JournalLine, Keys, Laid
from companion.refusals import Missing


class Nowhere:
    """Takes everything and forgets it."""

    def lay(self, laid: Laid, secret: bytes, keys: Keys, written: Sequence[JournalLine] = ()) -> None:
        pass

    def append(self, table: str, written: Sequence[JournalLine]) -> None:
        pass

    def finish(self, table: str, end: End) -> None:
        pass

    def ends(self) -> dict[str, End]:
        return {}

    def summaries(self) -> list[tuple[Brief, int, int | None, bool]]:
        return []

    def knows(self, table: str) -> bool:
        return False

    def opened(self, table: str) -> tuple[Laid, bytes, Keys]:
        raise Missing("core.no_table", table=table)

    def keys(self, table: str) -> Keys:
        raise Missing("core.no_table", table=table)

    def entries(self, table: str) -> list[JournalLine]:
        return []

    def close(self) -> None:
        pass
