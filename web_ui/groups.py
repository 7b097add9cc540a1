"""The people who have played together here, to be offered again on any device of the owner's: `groups.json`."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from pathlib import Path

import msgspec

from companion.game import Seat
from companion.whole_file import set_aside, write_whole
from companion.words import is_typed

log = logging.getLogger(__name__)

FILE = "groups.json"
MOST = 6


class GroupMember(msgspec.Struct, frozen=True):
    """Somebody, with the sign they had."""

    name: str
    colour: str
    shape: str


Group = tuple[GroupMember, ...]


class Groups:
    """The groups of a data folder, whoever played last first.

    >>> import tempfile
    >>> groups = Groups(Path(tempfile.mkdtemp()))
    >>> groups.note([Seat("Ada"), Seat("Ben")])
    >>> groups.note([Seat("Ada"), Seat("Player 2")])
    >>> [[member.name for member in group] for group in groups.all()]
    [['Ada', 'Ben']]
    """

    def __init__(self, folder: Path) -> None:
        self._file = folder / FILE
        self._lock = threading.Lock()

    def all(self) -> tuple[Group, ...]:
        """Those that are kept; none where the file is damaged, which is set aside then."""
        try:
            return msgspec.json.decode(self._file.read_bytes(), type=tuple[Group, ...])
        except ValueError as error:
            set_aside(self._file, error)
        except OSError:
            pass  # nobody has played yet, or nothing can be read: the names are typed again
        return ()

    def note(self, seats: Sequence[Seat]) -> None:
        """Keep those who play together, if all of them have names; what a full disk does not take is asked again."""
        group = tuple(GroupMember(seat.name, seat.colour, seat.shape) for seat in seats)
        if len(group) < 2 or not all(is_typed(member.name) for member in group):
            return
        with self._lock:
            known = self.all()
            others = (each for each in known if _names(each) != _names(group))
            now = (group, *others)[:MOST]
            if now != known:
                try:
                    write_whole(self._file, msgspec.json.encode(now) + b"\n")
                except OSError:
                    log.warning("the people who play together cannot be kept", exc_info=True)


def _names(group: Group) -> frozenset[str]:
    return frozenset(member.name.casefold() for member in group)
