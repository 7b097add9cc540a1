"""A hall as its router shows it: whether each table goes to one process, and whether their clocks agree."""

from __future__ import annotations

import time
import urllib.request
from contextlib import closing

import msgspec

from companion.refusals import Refusal
from companion.terminal.doctor import HallLook, Opens
from web_ui.others import SaysNo, sent
from web_ui.whole_house import address

PROBES = 24  # names of tables that are asked for, each so often:
TIMES = 3
ANSWERED_WITHIN = 5.0
LONGEST = 64 * 1024


class ProcessTold(msgspec.Struct, frozen=True):
    """Which process answers for a table.

    :ivar process: drawn when it started; it opens nothing
    :ivar clock: its own, in milliseconds since 1970
    """

    process: str
    clock: int


def look_at_hall(router: str, opens: Opens | None = None) -> HallLook:
    """Ask a hall's router for tables, there or not, each several times by a connection of its own.

    :param opens: the database of the hall, whose clock is looked at, too.
    :raises Malformed: where the router's address is none.
    """
    at = address(router)
    ahead: dict[str, int] = {}
    astray = 0
    for probe in range(PROBES):
        try:
            answers = [_asked(f"{at}/api/tables/probe{probe}/process") for _ in range(TIMES)]
        except (OSError, SaysNo, ValueError) as error:
            reason = getattr(error, "reason", None) or getattr(error, "strerror", None) or error
            return HallLook(at, 0, 0, 0, str(reason))
        astray += len({told.process for told, _ in answers}) > 1
        for told, offset in answers:
            ahead[told.process] = min(ahead.get(told.process, offset), offset, key=abs)
    offsets = [*ahead.values(), *_of_database(opens)]
    return HallLook(at, len(ahead), astray, max(offsets) - min(offsets), "")


def _asked(url: str) -> tuple[ProcessTold, int]:
    """Who answers, and so many milliseconds its clock is ahead of ours."""
    before = _here()
    body = sent(urllib.request.Request(url), within=ANSWERED_WITHIN, longest=LONGEST)  # noqa: S310 -- http or https
    told = msgspec.json.decode(body, type=ProcessTold)
    return told, told.clock - (before + _here()) // 2


def _of_database(opens: Opens | None) -> list[int]:
    """So many milliseconds its clock is ahead of ours; nothing where there is none, or none that answers."""
    if opens is None:
        return []
    try:
        with closing(opens()) as journal:
            journal.newest()  # only somebody who was asked has told the time
            return [journal.now() - _here()]
    except Refusal:
        return []


def _here() -> int:
    return time.time_ns() // 1_000_000
