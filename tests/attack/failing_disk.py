"""Plays on a disk that fails at one call after the other: run by the test beside it, with the failing calls loaded."""

from __future__ import annotations

import ctypes
import json
import shutil
import sys
from pathlib import Path

from companion.play.table import HOST, Table
from companion.refusals import CommitOutcomeUnknown, Storage
from tests.core.coins import reopened

PRESSES = 5
FOREVER = 1 << 30
disk = ctypes.CDLL(None)


class Client:
    """Makes one press after the other, and asks again for the one that was not acknowledged."""

    def __init__(self) -> None:
        self.safe: dict[str, int] = {}
        self.waits: tuple[str, int] | None = None
        self.doubts = False

    def press(self, table: Table) -> None:
        """The next press, or the last once more: with the same request, for the same step."""
        request, seq = self.waits = self.waits or (f"press {len(self.safe)}", table.seq)
        try:
            self.safe[request] = table.play(HOST, seq, request, {"type": "toss", "count": 1})
        except CommitOutcomeUnknown:
            self.doubts = True
        except Storage:
            pass
        else:
            self.waits, self.doubts = None, False

    def check(self, folder: Path) -> None:
        """Whether what a crash leaves holds all that was acknowledged; then the press that waits is settled."""
        table = reopened(folder)
        there = {line.request: line.seq for line in table.written if line.request}
        assert self.safe.items() <= there.items(), (self.safe, there)
        waiting = {self.waits[0]} if self.waits and self.doubts else set()
        assert set(there) - set(self.safe) <= waiting, (there, self.safe, self.waits, self.doubts)
        if self.waits is not None:
            request, seq = self.waits
            settled = table.play(HOST, seq, request, {"type": "toss", "count": 1})
            assert settled == there.get(request, settled)
            assert [line.request for line in table.written].count(request) == 1
        table._journal.close()


def crash(folder: Path, client: Client, to: Path) -> None:
    """The process dies now, and another one opens what it leaves."""
    shutil.copytree(folder, to)
    client.check(to)


def life(place: Path, first: int, last: int, *, torn: bool) -> tuple[int, bool]:
    """One disk: how many calls were made on it, and whether it left anything in doubt."""
    data, client = place / "data", Client()
    table = reopened(data)
    client.press(table)
    disk.fail_calls(first, last, torn)
    doubts = False
    for _ in range(PRESSES):
        client.press(table)
        doubts |= client.doubts
    made = disk.calls_made()
    disk.fail_calls(FOREVER, FOREVER, False)
    crash(data, client, place / "crashed")
    for _ in range(2):  # the same process goes on, once its disk does
        client.press(table)
    assert client.waits is None
    crash(data, client, place / "later")
    table._journal.close()
    return made, doubts


def main(place: Path) -> None:
    """Every call in turn: alone, or with all that follow; made by half, or not at all."""
    lives = doubts = 0
    for once in (True, False):
        for torn in (False, True):
            first, made = 1, 1
            while first <= made:
                folder = place / f"{once} {torn} {first}"
                made, doubted = life(folder, first, first if once else FOREVER, torn=torn)
                shutil.rmtree(folder)
                first, lives, doubts = first + 1, lives + 1, doubts + doubted
    print(json.dumps({"lives": lives, "doubts": doubts}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
