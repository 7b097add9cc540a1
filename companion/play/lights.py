"""The track of time as lights may show it: where each seat's marker is, whose turn it is, how far a dig reaches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from companion.game import Json

WEEKS = 52


class Lights(msgspec.Struct, frozen=True):
    """What stands on the track.

    :ivar markers: the place on the ring of weeks, from 0, and the seat of each marker; of a stack the topmost first
    :ivar turn: the seat that is asked
    :ivar planned: the weeks of the move that is planned, waits for its lift, or is being made
    """

    markers: tuple[tuple[int, int], ...] = ()
    turn: int | None = None
    planned: int = 0


def lights_of(board: Mapping[str, Json], turn: int | None, move: Mapping[str, object] | None) -> Lights:
    """What lights show of a board that everybody sees; a game without a track leaves them to the turn.

    >>> board = {"track": {"markers": [{"seat": 0, "week": 3, "year": 1901, "at": 2, "height": 0}]}}
    >>> lights_of(board, 0, {"type": "dig", "weeks": 5})
    Lights(markers=((2, 0),), turn=0, planned=5)
    """
    track = board.get("track")
    markers = track.get("markers", ()) if isinstance(track, Mapping) else ()
    weeks = move.get("weeks") if move else None
    return Lights(
        tuple((place, seat) for place, _, seat in sorted(_placed(markers), key=lambda each: -each[1])),
        turn,
        weeks if isinstance(weeks, int) and not isinstance(weeks, bool) and 0 < weeks <= WEEKS else 0,
    )


def _placed(markers: Json) -> list[tuple[int, int, int]]:
    """Place, height and seat of each marker; a track with years counts its weeks from 1."""
    found: list[tuple[int, int, int]] = []
    for marker in markers if isinstance(markers, Sequence) else ():
        if isinstance(marker, Mapping):
            week, height, seat = marker.get("week"), marker.get("height", 0), marker.get("seat")
            if isinstance(week, int) and isinstance(height, int) and isinstance(seat, int):
                found.append(((week - 1 if marker.get("year") is not None else week) % WEEKS, height, seat))
    return found
